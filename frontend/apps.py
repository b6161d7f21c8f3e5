"""The pages as a Django app. At the start it tells live tables who knows the names of people."""

from django.apps import AppConfig


class FrontendConfig(AppConfig):
    name = "frontend"

    def ready(self) -> None:
        # Not before the apps are loaded: these import models.
        from games.live.names import provide
        from tournaments.selectors import names_of

        provide(names_of)
