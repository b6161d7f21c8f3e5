"""manage.py starts servers for the commands that use them, and for no others."""

import os
import signal
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


def start(home, *arguments: str, **streams) -> subprocess.Popen[bytes]:
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("POZZETTO_", "DATABASE_URL", "VALKEY_URL", "DJANGO_"))
    }
    return subprocess.Popen(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env={**environment, "POZZETTO_HOME": str(home.path)},
        **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams},
    )


def manage(home, *arguments: str) -> subprocess.CompletedProcess[str]:
    running = start(home, *arguments)
    out, complaints = running.communicate()
    return subprocess.CompletedProcess(
        running.args, running.returncode, out.decode(), complaints.decode()
    )


def test_migrations_are_complete_and_checking_that_starts_no_server(throw_away):
    done = manage(throw_away, "makemigrations", "--check", "--dry-run")
    assert done.returncode == 0, done.stdout + done.stderr
    assert not (throw_away.path / "postgres").exists()


def test_servers_are_gone_when_the_command_returns(throw_away):
    done = manage(throw_away, "shell", "-v0", "-c", "from tournaments.models import Club")
    assert done.returncode == 0, done.stderr
    assert not throw_away.path.exists()


def test_a_reader_that_has_read_enough_is_no_fault(home):
    with (ROOT / "tests/golden/vectors/buraco-aberto.jsonl").open("rb") as lines:
        running = start(home, "position", stdin=lines)
        running.stdout.close()
        complaints = running.stderr.read()
        assert running.wait(60) == 128 + signal.SIGPIPE
    assert complaints == b""


def test_control_c_ends_a_command_without_a_traceback(home):
    running = start(home, "position", stdin=subprocess.PIPE)
    running.stdin.write(b"{}\n")
    running.stdin.flush()
    assert running.stdout.readline()  # so it is at work
    running.send_signal(signal.SIGINT)
    assert running.wait(60) == 128 + signal.SIGINT
    assert running.stderr.read() == b""
