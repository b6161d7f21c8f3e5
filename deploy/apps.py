"""The app that ties the others together."""

from django.apps import AppConfig


class DeployConfig(AppConfig):
    name = "deploy"

    def ready(self) -> None:
        # Tasks are sent through the Celery app of this process, so it must exist.
        import deploy.celery  # noqa: F401
