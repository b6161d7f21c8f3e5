"""The Django app of clubs, people, pairs and a club's own rule profiles."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class TournamentsConfig(AppConfig):
    name = "tournaments"
    verbose_name = _("Clubs and tournaments")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # Not before the apps are loaded: this imports models.
        from tournaments.guests import listen

        listen()
