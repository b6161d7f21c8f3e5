"""`manage.py demo`: a club night on this machine, from nothing, with everything it needs.

Starts the processes and keeps them running. What happens at the tables is `deploy.demo_night`'s.
"""

import os
import signal
import socket
import sys
import time
import urllib.error
import urllib.request
from argparse import ArgumentParser
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connections
from django.db.backends.postgresql.base import DatabaseWrapper

from deploy.demo_night import prepare_night, progress
from deploy.embedded import EmbeddedError, Lock, Servers
from deploy.supervisor import Child, Supervisor

HOST = "127.0.0.1"
READY_SECONDS = 60.0
CHECK_SERVERS_SECONDS = 2.0
TELL_SECONDS = 15.0
MOST_TABLES = 100
SLOWEST, FASTEST = 0.01, 1000.0


class Command(BaseCommand):
    help = (
        "Play a club night with bots, live in the browser. Ctrl-C stops all of it; the next start "
        "goes on where it was."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=8000, help="of the pages (default 8000)")
        parser.add_argument("--tables", type=int, default=4, help="how many tables (default 4)")
        parser.add_argument(
            "--speed", type=float, default=1.0, help="1: as people play; 10: ten times faster"
        )

    def handle(self, *args: Any, port: int, tables: int, speed: float, **options: Any) -> None:
        if not 1 <= tables <= MOST_TABLES:
            raise CommandError(f"--tables is from 1 to {MOST_TABLES}.")
        if not SLOWEST <= speed <= FASTEST:  # so neither is "nan"
            raise CommandError(f"--speed is from {SLOWEST:g} to {FASTEST:g}.")
        refuse_taken_port(port)
        settings.HOME.create()
        lock = Lock(settings.HOME.run / "demo")
        if not lock.take_now():
            raise CommandError(
                f"A demo already runs in {settings.HOME.path} (process {lock.holder()}). "
                "Open its page, stop it first, or set POZZETTO_HOME to another folder."
            )
        try:
            with Servers.from_environment() as servers:
                self._play(servers, port=port, tables=tables, speed=speed)
        finally:
            lock.close()

    def _play(self, servers: Servers, *, port: int, tables: int, speed: float) -> None:
        self._say(f"Data folder {settings.HOME.path}; logs in {settings.HOME.log}.")
        self._say("Preparing the database…")
        call_command("migrate", verbosity=0, interactive=False)
        self._say(f"Preparing a night of {tables} tables…")
        prepare_night(tables=tables, speed=speed)
        close_database()

        supervisor = Supervisor(children(port), tell=self._say)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, supervisor.ask_to_stop)
        self._say("Starting the web server, the worker and the clock…")
        try:
            supervisor.start()
            self._tell_address_when_ready(port, supervisor)
            night = Night(tables=tables, speed=speed, tell=self._say)

            def attend() -> None:
                self._bring_back_servers(servers)
                night.attend()

            supervisor.run(every=CHECK_SERVERS_SECONDS, also=attend)
        finally:
            self._say("Stopping…")
            supervisor.stop()
            self._say("Stopped. Start again to go on.")

    def _tell_address_when_ready(self, port: int, supervisor: Supervisor) -> None:
        deadline = time.monotonic() + READY_SECONDS
        while not answers(port):
            if supervisor.is_stopping:
                return
            if time.monotonic() > deadline:
                raise CommandError(
                    f"The web server does not answer. Its log: {settings.HOME.log / 'web.log'}"
                )
            time.sleep(0.1)
        self._say(
            self.style.SUCCESS(f"Ready: http://localhost:{port}/   (Ctrl-C stops everything)")
        )

    def _bring_back_servers(self, servers: Servers) -> None:
        if servers.are_ready():
            return
        self._say("PostgreSQL or Valkey has ended; starting it again…")
        try:
            servers.start()
        except EmbeddedError as error:
            self._say(f"That failed, next attempt soon. {error}")
        else:
            self._say("It is back.")

    def _say(self, sentence: str) -> None:
        self.stdout.write(sentence)
        self.stdout.flush()


class Night:
    """Keeps the tables filled, and says now and then how far they are."""

    def __init__(self, *, tables: int, speed: float, tell: Callable[[str], None]) -> None:
        self._tables = tables
        self._speed = speed
        self._tell = tell
        self._due = 0.0

    def attend(self) -> None:
        """Start a new match where one has ended; tell the scores."""
        if time.monotonic() < self._due:
            return
        self._due = time.monotonic() + TELL_SECONDS
        try:
            prepare_night(tables=self._tables, speed=self._speed)
            self._tell(progress())
        except (DatabaseError, OSError) as fault:
            self._tell(f"The tables cannot be asked just now ({type(fault).__name__}).")
        finally:
            close_database()


def close_database() -> None:
    """Leave it to the children."""
    connection = connections["default"]
    if isinstance(connection, DatabaseWrapper):
        connection.close_pool()


def children(port: int) -> list[Child]:
    """The processes of a demo, in the order in which they stop."""
    environment = {**os.environ, "POZZETTO_HOME": str(settings.HOME.path), "PYTHONUNBUFFERED": "1"}
    celery = [sys.executable, "-m", "celery", "-A", "deploy.celery"]
    quiet = ["--loglevel", "WARNING"]  # the sweep of each second would fill the disk with its log
    commands = {
        "beat": [*celery, "beat", *quiet, "--pidfile", ""],
        "worker": [
            *celery, "worker", *quiet, "--concurrency", "2",
            "--without-gossip", "--without-mingle",
        ],
        "web": [
            sys.executable, "-m", "uvicorn", "deploy.asgi:application",
            "--host", HOST,
            "--port", str(port),
            "--ws", "deploy.websockets:TableProtocol",
            "--ws-per-message-deflate", "false",
            "--ws-max-size", "65536",
            "--lifespan", "on",
            "--no-access-log",
            "--timeout-graceful-shutdown", "5",
        ],
    }  # fmt: skip
    return [
        Child(name, arguments, log=settings.HOME.log / f"{name}.log", environment=environment)
        for name, arguments in commands.items()
    ]


def refuse_taken_port(port: int) -> None:
    if not port:
        raise CommandError("--port 0 is no port that can be told in advance. Give a number.")
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except (OSError, OverflowError) as error:
            raise CommandError(
                f"Port {port} cannot be used ({error}). Choose another with --port."
            ) from error


def answers(port: int) -> bool:
    """Whether the web server, and what it needs, is up."""
    try:
        with urllib.request.urlopen(f"http://{HOST}:{port}/health/", timeout=5) as response:
            return bool(response.status == 200)
    except (urllib.error.URLError, OSError):
        return False
