"""The pages as a Django app. Nothing happens when it is loaded."""

from django.apps import AppConfig


class FrontendConfig(AppConfig):
    name = "frontend"
