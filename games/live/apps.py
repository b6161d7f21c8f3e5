from django.apps import AppConfig


class LiveConfig(AppConfig):
    name = "games.live"
    label = "live"

    def ready(self) -> None:
        from games.live.publishing import publish_committed
        from games.tables.services import committed

        committed.connect(publish_committed, dispatch_uid="games.live")
