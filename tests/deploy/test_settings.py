"""Settings: safe by themselves on one machine, and no guessing anywhere else."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from deploy.embedded import ROOT

OURS = ("POZZETTO_", "DATABASE_URL", "VALKEY_URL", "DJANGO_")
PRODUCTION = {
    "DATABASE_URL": "postgresql://club:word@db.example:5433/club",
    "VALKEY_URL": "redis://valkey.example:6379/0",
    "POZZETTO_SECRET_KEY": "0123456789" * 5,
    "POZZETTO_ALLOWED_HOSTS": "club.example, www.club.example",
}
SCRIPT = """
import json, sys
from deploy import settings
print(json.dumps([getattr(settings, name) for name in sys.argv[1:]], default=str))
"""


def run(arguments: list[str], environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env={**clean, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def read(names: list[str], environment: dict[str, str]) -> list:
    done = run(["-c", SCRIPT, *names], environment)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", ["POZZETTO_SECRET_KEY", "POZZETTO_ALLOWED_HOSTS", "VALKEY_URL"])
def test_a_production_without_one_of_its_values_is_refused_by_name(name):
    environment = {key: value for key, value in PRODUCTION.items() if key != name}
    done = run(["manage.py", "check"], environment)
    assert done.returncode == 1
    assert f"{name} is not set." in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("POZZETTO_SECRET_KEY", "short"),
        ("POZZETTO_SECRET_KEY", "x" * 60),
        ("POZZETTO_ALLOWED_HOSTS", "*"),
        ("DATABASE_URL", "sqlite:///club.db"),
        ("POZZETTO_DEBUG", "perhaps"),
    ],
)
def test_an_unsafe_or_impossible_value_is_refused_by_name(name, value):
    done = run(["manage.py", "check"], {**PRODUCTION, name: value})
    assert done.returncode == 1
    assert name in done.stderr
    assert "Traceback" not in done.stderr


def test_a_production_is_closed_by_default():
    debug, hosts, session, csrf, redirect, hsts = read(
        [
            "DEBUG",
            "ALLOWED_HOSTS",
            "SESSION_COOKIE_SECURE",
            "CSRF_COOKIE_SECURE",
            "SECURE_SSL_REDIRECT",
            "SECURE_HSTS_SECONDS",
        ],
        PRODUCTION,
    )
    assert debug is False
    assert hosts == ["club.example", "www.club.example"]
    assert session is csrf is redirect is True
    assert hsts > 0


def test_django_finds_nothing_to_warn_of_in_a_production():
    done = run(["manage.py", "check", "--deploy", "--fail-level", "WARNING"], PRODUCTION)
    assert done.returncode == 0, done.stderr


def test_a_production_uses_the_database_that_it_is_given():
    (databases,) = read(["DATABASES"], PRODUCTION)
    default = databases["default"]
    assert default["HOST"] == "db.example"
    assert default["PORT"] == 5433
    assert default["CONN_MAX_AGE"] == 0
    assert default["OPTIONS"]["pool"]["max_size"] >= 4


def test_the_embedded_size_serves_this_machine_only_without_debugging(tmp_path):
    debug, hosts, embedded = read(
        ["DEBUG", "ALLOWED_HOSTS", "EMBEDDED"], {"POZZETTO_HOME": str(tmp_path)}
    )
    assert debug is False
    assert embedded is True
    assert set(hosts) == {"localhost", "127.0.0.1", "[::1]"}


def test_the_embedded_size_makes_one_secret_key_and_keeps_it(tmp_path):
    environment = {"POZZETTO_HOME": str(tmp_path)}
    first = read(["SECRET_KEY"], environment)
    assert len(first[0]) >= 50
    assert read(["SECRET_KEY"], environment) == first
    assert (tmp_path / "secret-key").stat().st_mode & 0o777 == 0o600


def test_reading_the_settings_starts_nothing(tmp_path):
    read(["DATABASES"], {"POZZETTO_HOME": str(tmp_path)})
    assert not (tmp_path / "postgres").exists()
    assert list(Path(tmp_path / "run").iterdir()) == []


def test_a_valkey_of_our_own_can_stand_beside_embedded_postgresql(tmp_path):
    valkey, embedded, broker = read(
        ["VALKEY_URL", "EMBEDDED", "CELERY_BROKER_URL"],
        {"POZZETTO_HOME": str(tmp_path), "VALKEY_URL": "redis://valkey.example:6379/3"},
    )
    assert valkey == broker == "redis://valkey.example:6379/3"
    assert embedded is True


def test_every_variable_is_explained_to_operators():
    settings = (ROOT / "deploy" / "settings.py").read_text()
    variables = set(re.findall(r'"(POZZETTO_[A-Z_]+|[A-Z]+_URL)"', settings))
    # manage.py tells the settings this one; nobody else sets it.
    variables -= {"POZZETTO_WITHOUT_SERVERS"}
    manual = (ROOT / "docs" / "operators.md").read_text()
    assert len(variables) > 8
    assert {name for name in variables if f"`{name}`" not in manual} == set()
