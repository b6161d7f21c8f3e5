"""Other processes on the servers of this test run: a web server, a worker, the clock."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

from django.conf import settings
from django.db import connection

from deploy.embedded import ROOT

ORIGIN = "http://127.0.0.1"
RATE = 50
"""Messages a second that a browser may send: more than a person does, so that tests are quick."""


def eventually(happens: Callable[[], object], seconds: float = 20.0) -> bool:
    """Whether it happens within that time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if happens():
            return True
        time.sleep(0.02)
    return bool(happens())


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def environment() -> dict[str, str]:
    """The settings of this test run, its own database included, for another process."""
    known = connection.settings_dict
    who = known["USER"] + (f":{quote(known['PASSWORD'])}" if known["PASSWORD"] else "")
    where = quote(str(known["HOST"]), safe="") + (f":{known['PORT']}" if known["PORT"] else "")
    return {
        **os.environ,
        "DATABASE_URL": f"postgresql://{who}@{where}/{known['NAME']}",
        "VALKEY_URL": settings.VALKEY_URL,
        "POZZETTO_SECRET_KEY": settings.SECRET_KEY,
        "POZZETTO_ALLOWED_HOSTS": "127.0.0.1",
        "POZZETTO_HTTPS": "false",
        "POZZETTO_SOCKET_RATE": str(RATE),
    }


class Process:
    """A child with a log that a failing test can show."""

    def __init__(self, log: Path, *arguments: str, **more_environment: str) -> None:
        self._log = log
        self._command = [sys.executable, "-m", *arguments]
        self._environment = environment() | more_environment
        self.start()

    def start(self) -> None:
        """Start it; after `kill` once more, as it was."""
        with self._log.open("ab") as output:
            self._process = subprocess.Popen(
                self._command,
                cwd=ROOT,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )

    @property
    def pid(self) -> int:
        return self._process.pid

    def is_running(self) -> bool:
        return self._process.poll() is None

    def log(self) -> str:
        return self._log.read_text()

    def kill(self) -> None:
        """End it and what it has started, at once."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


class Web(Process):
    """A real uvicorn with the whole site, as the demo starts it."""

    def __init__(
        self, log: Path, application: str = "deploy.asgi:application", **more_environment: str
    ) -> None:
        self.port = free_port()
        super().__init__(
            log, "uvicorn", application, "--host", "127.0.0.1",
            "--port", str(self.port), "--ws", "deploy.websockets:TableProtocol",
            "--ws-per-message-deflate", "false", "--ws-max-size", "65536",
            "--lifespan", "on", "--no-access-log", **more_environment,
        )  # fmt: skip

    def is_healthy(self) -> bool:
        try:
            with urllib.request.urlopen(f"{ORIGIN}:{self.port}/health/", timeout=5) as answer:
                return bool(answer.status == 200)
        except (urllib.error.URLError, OSError):
            return False

    def wait_until_healthy(self) -> None:
        assert eventually(lambda: self.is_healthy() or not self.is_running(), 30), self.log()
        assert self.is_running(), self.log()

    def address(self, public_id: str, seat_pass: str = "") -> str:
        """Of a table's socket."""
        query = f"?pass={quote(seat_pass)}" if seat_pass else ""
        return f"ws://127.0.0.1:{self.port}/ws/tables/{public_id}/{query}"
