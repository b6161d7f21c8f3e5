"""The Celery app: `celery -A deploy.celery worker`, and `beat`."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")

app = Celery("pozzetto")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
