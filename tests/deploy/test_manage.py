"""manage.py starts servers for the commands that use them, and for no others."""

import os
import subprocess
import sys

import pytest

from deploy.embedded import ROOT
from manage import needs_servers


@pytest.mark.parametrize(
    "line",
    [
        "",
        "--help",
        "position",
        "simulate --profile buraco-aberto --seats 4 --deals 1 --seed 1",
        "record verify match.jsonl",
        "makemigrations --check",
        "check",
        "check --deploy",
        "collectstatic --noinput",
        "compilemessages",
        "makemessages -l it",
        "demo --help",
        "migrate -h",
    ],
)
def test_a_command_that_reads_no_database_starts_no_server(line):
    assert not needs_servers(line.split())


@pytest.mark.parametrize(
    "line",
    [
        "demo --port 8000",
        "migrate",
        "verify",
        "bench",
        "record export g7k2",
        "check --database default",
        "shell",
        "createsuperuser",
    ],
)
def test_a_command_that_reads_the_database_starts_the_servers(line):
    assert needs_servers(line.split())


def manage(home, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("POZZETTO_", "DATABASE_URL", "VALKEY_URL", "DJANGO_"))
    }
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env={**environment, "POZZETTO_HOME": str(home.path)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_migrations_are_complete_and_checking_that_starts_no_server(throw_away):
    done = manage(throw_away, "makemigrations", "--check", "--dry-run")
    assert done.returncode == 0, done.stdout + done.stderr
    assert not (throw_away.path / "postgres").exists()


def test_servers_are_gone_when_the_command_returns(throw_away):
    done = manage(throw_away, "shell", "-v0", "-c", "from tournaments.models import Club")
    assert done.returncode == 0, done.stderr
    assert not throw_away.path.exists()
