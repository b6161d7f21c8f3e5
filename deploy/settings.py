"""The one settings file, read from the environment; docs/operators.md lists the variables.

Without DATABASE_URL this is the embedded size: servers of our own in POZZETTO_HOME, a secret key
made once and kept there, pages for this machine only. With it, whatever would be unsafe to guess
must be given, or starting is refused. It opens no connection and starts nothing.
"""

import logging
import os
import secrets
from pathlib import Path
from typing import Any

import dj_database_url
from django.core.exceptions import ImproperlyConfigured
from environs import Env

from deploy.embedded import Home, home_from_environment

BASE_DIR = Path(__file__).resolve().parent.parent

env = Env()
HOME: Home = home_from_environment()
DEBUG = env.bool("POZZETTO_DEBUG", False)
DATABASE_URL = env.str("DATABASE_URL", "")
EMBEDDED = not DATABASE_URL


def required(name: str, what_to_do: str) -> str:
    """The value of a variable that has no safe default."""
    value = env.str(name, "").strip()
    if not value:
        raise ImproperlyConfigured(
            f"{name} is not set. {what_to_do} "
            "(POZZETTO_DEBUG=1 does without, on a machine that nobody else can reach.)"
        )
    return value


def embedded_secret_key() -> str:
    """The key of this data folder, made the first time; safe with two commands at once."""
    path = HOME.path / "secret-key"
    if not path.exists():
        HOME.create()
        fresh = path.with_name(f"secret-key-{os.getpid()}")
        fresh.touch(mode=0o600)
        fresh.write_text(secrets.token_urlsafe(50))
        try:
            path.hardlink_to(fresh)
        except FileExistsError:
            pass  # another command was first: its key counts
        finally:
            fresh.unlink()
    return path.read_text()


def is_given(name: str) -> bool:
    return bool(env.str(name, "").strip())


def listed(name: str) -> list[str]:
    """The parts of a variable that has commas between them."""
    return [part.strip() for part in env.str(name, "").split(",") if part.strip()]


# Who may reach us, and how -----------------------------------------------------------------------

LOCAL_HOSTS = ["localhost", "127.0.0.1", "[::1]"]

if is_given("POZZETTO_SECRET_KEY"):
    SECRET_KEY = env.str("POZZETTO_SECRET_KEY")
    if (len(SECRET_KEY) < 50 or len(set(SECRET_KEY)) < 5) and not (DEBUG or EMBEDDED):
        raise ImproperlyConfigured("POZZETTO_SECRET_KEY can be guessed. Give 50 random characters.")
elif EMBEDDED or DEBUG:
    SECRET_KEY = embedded_secret_key()
else:
    SECRET_KEY = required(
        "POZZETTO_SECRET_KEY",
        "Give 50 random characters, the same for all processes, and keep them secret.",
    )

# After a change of the key: the old ones, as long as anything made with them must be read.
SECRET_KEY_FALLBACKS = listed("POZZETTO_OLD_SECRET_KEYS")

if is_given("POZZETTO_ALLOWED_HOSTS"):
    ALLOWED_HOSTS = listed("POZZETTO_ALLOWED_HOSTS")
elif EMBEDDED or DEBUG:
    ALLOWED_HOSTS = LOCAL_HOSTS
else:
    required("POZZETTO_ALLOWED_HOSTS", "Give the names of the site, with commas between them.")

if "*" in ALLOWED_HOSTS and not DEBUG:
    raise ImproperlyConfigured(
        "POZZETTO_ALLOWED_HOSTS contains *, which lets anyone forge links to the site. "
        "Name the hosts, or start a subdomain wildcard with a dot (.club.example)."
    )

CSRF_TRUSTED_ORIGINS = listed("POZZETTO_TRUSTED_ORIGINS")

# Outside the embedded size pages come over HTTPS, through a proxy that says so.
HTTPS = env.bool("POZZETTO_HTTPS", not (EMBEDDED or DEBUG))
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^health/$"]
SECURE_HSTS_SECONDS = 60 * 60 * 24 * 365 if HTTPS else 0
# Whether other names below the club's domain are HTTPS only is not ours to promise.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
X_FRAME_OPTIONS = "DENY"

# What runs ---------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "deploy",
    "frontend",
    "tournaments",
    "games.live",
    "games.tables",
    "games.eventstore",
    "games",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django_celery_beat",
    "django_htmx",
    "rest_framework",
    "drf_spectacular",
]

# Elsewhere the collected files lie there compressed, and a proxy sees to the pages.
COMPRESSION = ["django.middleware.gzip.GZipMiddleware"] if EMBEDDED else []

MIDDLEWARE = [
    *COMPRESSION,
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "deploy.middleware.content_security_policy",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]

ROOT_URLCONF = "deploy.urls"
ASGI_APPLICATION = "deploy.asgi.application"
AUTH_USER_MODEL = "tournaments.User"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]

# Where data are ----------------------------------------------------------------------------------

# Every process has its own pool. A thread that finds it empty waits, so that a burst is slower
# and not an error; connections idle for a minute go back to the server.
POOL = {"min_size": 1, "max_size": env.int("POZZETTO_POOL", 16), "timeout": 10, "max_idle": 60}


def database() -> dict[str, Any]:
    """Django's settings of the one database."""
    if EMBEDDED and env.bool("POZZETTO_WITHOUT_SERVERS", False):
        # manage.py says that this command reads none: whoever tries is told so at once.
        return {"ENGINE": "django.db.backends.dummy"}
    if EMBEDDED:
        address: dict[str, Any] = HOME.database_settings()
    else:
        address = dict(dj_database_url.parse(DATABASE_URL))
        if address["ENGINE"] != "django.db.backends.postgresql":
            raise ImproperlyConfigured(
                "DATABASE_URL must name a PostgreSQL database (postgresql://…), nothing else will "
                "do: the event store relies on it."
            )
    # Statements are prepared where they ask for it (the event store's do), never by their number.
    options = {**address.get("OPTIONS", {}), "pool": POOL, "prepare_threshold": 10**9}
    # With a pool, a connection belongs to a request; kept for longer it would leak. The check when
    # it is lent out makes a restart of PostgreSQL invisible to requests after it.
    return {**address, "CONN_MAX_AGE": 0, "CONN_HEALTH_CHECKS": True, "OPTIONS": options}


DATABASES = {"default": database()}

if is_given("VALKEY_URL"):
    VALKEY_URL = env.str("VALKEY_URL").strip()
elif EMBEDDED or DEBUG:
    VALKEY_URL = HOME.valkey().url
else:
    VALKEY_URL = required("VALKEY_URL", "Give the Valkey or Redis to use (redis://host:6379/0).")

CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": VALKEY_URL,
        "KEY_PREFIX": "pozzetto",
    }
}
SESSION_ENGINE = "django.contrib.sessions.backends.cached_db"

# Work --------------------------------------------------------------------------------------------

# Celery's transport has a name of its own for a Unix socket.
CELERY_BROKER_URL = VALKEY_URL.replace("unix://", "redis+socket://", 1)
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TIMEZONE = "UTC"
# A task may run twice, never not at all: each is written so that a repeat does no harm.
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_SOFT_TIME_LIMIT = 60
CELERY_TASK_TIME_LIMIT = 90
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_MAX_TASKS_PER_CHILD = 10_000
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {
    # What a killed worker had in hand is given to another after this long: above the time limit.
    "visibility_timeout": 120,
    "global_keyprefix": "pozzetto:",
    "socket_keepalive": True,
}
CELERY_BEAT_SCHEDULER = "django_celery_beat.schedulers:DatabaseScheduler"
CELERY_BEAT_MAX_LOOP_INTERVAL = 1
CELERY_BEAT_SCHEDULE = {
    # A sweep lasts a second; one that nobody took in time is not worth making up for.
    "bots play": {"task": "tables.play_bots", "schedule": 1.0, "options": {"expires": 3}},
    "talk is forgotten": {"task": "live.forget_old_lines", "schedule": 6 * 3600.0},
    "time is up": {"task": "tables.sweep_absences", "schedule": 1.0, "options": {"expires": 3}},
    "invitations end": {
        "task": "tables.expire_invitations",
        "schedule": 600.0,
        "options": {"expires": 600},
    },
}

# Words and time ----------------------------------------------------------------------------------

USE_TZ = True
TIME_ZONE = "UTC"
USE_I18N = True
LANGUAGE_CODE = "en"
LANGUAGES = [
    ("es", "Español"),
    ("it", "Italiano"),
    ("pt-br", "Português (Brasil)"),
    ("en", "English"),
]
LOCALE_PATHS = [BASE_DIR / "frontend" / "locale"]

# Pages and the API -------------------------------------------------------------------------------

STATIC_URL = "/static/"
# The embedded size serves the files from where they are; collecting them is for production.
STATIC_ROOT = env.str("POZZETTO_STATIC_ROOT", "" if EMBEDDED else str(BASE_DIR / "staticfiles"))
WHITENOISE_USE_FINDERS = EMBEDDED
WHITENOISE_AUTOREFRESH = DEBUG
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if EMBEDDED or DEBUG
        else "deploy.storage.HashedStaticFiles"
    },
}

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["rest_framework.authentication.SessionAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_PAGINATION_CLASS": "rest_framework.pagination.LimitOffsetPagination",
    "PAGE_SIZE": 100,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Pozzetto",
    "DESCRIPTION": "Runs Buraco clubs: their tournaments, their live tables and their archive.",
    "VERSION": "0.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
}

# Which sites may show a table in a frame, as CSP's frame-ancestors says it. Only the pages under
# /embed/ can be framed at all.
POZZETTO_EMBED_ANCESTORS = env.str("POZZETTO_EMBED_ANCESTORS", "*")

# Messages a second that one browser may send to a table, in the long run.
POZZETTO_SOCKET_RATE = env.float("POZZETTO_SOCKET_RATE", 10.0)

# What is told ------------------------------------------------------------------------------------

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {
            "format": "{asctime} {levelname:<7} {name}: {message}",
            "style": "{",
        }
    },
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": env.log_level("POZZETTO_LOG", logging.WARNING)},
    "loggers": {
        # At INFO it writes each socket's address, and with that the pass of a seat.
        "uvicorn.error": {"level": "WARNING"},
        **{
            name: {"level": env.log_level("POZZETTO_LOG", logging.INFO)}
            for name in ("deploy", "frontend", "tournaments", "games")
        },
    },
}
