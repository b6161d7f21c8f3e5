"""Settings of the textbook server: what the frameworks' tutorials put there, on the same servers.

Both known traps of the Redis layers are avoided for it (docs/benchmarks.md).
"""

import os

from deploy.settings import ALLOWED_HOSTS, DATABASES, SECRET_KEY, VALKEY_URL

__all__ = ["ALLOWED_HOSTS", "SECRET_KEY"]

DEBUG = False
USE_TZ = True
INSTALLED_APPS = ["channels", "rest_framework", "tests.bench.textbook"]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
DATABASES = {
    "default": {
        **DATABASES["default"],
        "NAME": os.environ["POZZETTO_BENCH_DATABASE"],
        "CONN_MAX_AGE": None,
        "OPTIONS": {},
    }
}
REST_FRAMEWORK = {"DEFAULT_AUTHENTICATION_CLASSES": [], "UNAUTHENTICATED_USER": None}
CHANNEL_LAYERS = {
    "default": {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {"hosts": [VALKEY_URL]},
    }
}
