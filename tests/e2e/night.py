"""A running `manage.py demo`, from outside: start, kill, stop, ask its database."""

import json
import os
import signal
import subprocess
import sys
from typing import Any

import psutil
import psycopg

from deploy.embedded import ROOT, Home
from deploy.engines import DATABASE, DATABASE_USER
from tests.deploy.test_demo import Demo

OPEN_FOR_PEOPLE = """
import json
from games.rules.profile import load_profile
from games.tables.passes import seat_pass
from games.tables.services import open_table
holders = ["pcarla", "pelsa", "pdino", "pfurio"]
game = open_table(profile=load_profile("buraco-aberto"), holders=holders, by="palba", deals=50)
passes = [seat_pass(public_id=game.public_id, seat=n, holder=h) for n, h in enumerate(holders)]
print(json.dumps([game.stream, game.public_id, passes]))
"""


def clean_environment(home: Home) -> dict[str, str]:
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("POZZETTO_", "DATABASE_URL", "VALKEY_URL", "DJANGO_"))
    }
    return {**kept, "POZZETTO_HOME": str(home.path), "POZZETTO_SOCKET_RATE": "200"}


class Night(Demo):
    """A demo at high speed."""

    def __init__(self, home: Home, port: int, *, tables: int, speed: float) -> None:
        self.home = home
        self.port = port
        self.output = home.path / f"demo-{port}.out"
        with self.output.open("ab") as output:
            self.process = subprocess.Popen(
                [
                    sys.executable, "manage.py", "demo", "--port", str(port),
                    "--tables", str(tables), "--speed", str(speed),
                ],
                cwd=ROOT,
                env=clean_environment(home),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
            )  # fmt: skip

    @property
    def address(self) -> str:
        return f"http://localhost:{self.port}"

    def wait_until_ready(self) -> None:
        assert self.says("Ready: "), self.output.read_text()

    def kill_everything(self) -> None:
        """web, worker, PostgreSQL and Valkey, all at the same moment, with `kill -9`."""
        postgres = int((self.home.path / "postgres" / "postmaster.pid").read_text().split()[0])
        valkey = [
            process.pid
            for process in psutil.process_iter(["name", "cmdline"])
            if str(self.home.valkey().socket_path) in " ".join(process.info["cmdline"] or [])
        ]
        assert valkey
        children = self.children()
        for pid in (children["web"], children["worker"], postgres, *valkey):
            os.kill(pid, signal.SIGKILL)

    def stop(self) -> None:
        """Ctrl-C. Nothing of it is left afterwards."""
        if self.process.poll() is not None:
            return
        family = psutil.Process(self.process.pid).children(recursive=True)
        self.process.send_signal(signal.SIGINT)
        assert self.process.wait(60) == 0, self.output.read_text()
        _, alive = psutil.wait_procs(family, timeout=5)
        assert alive == []

    def runs(self, *arguments: str) -> str:
        """What another command prints, on the same data folder."""
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT, env=clean_environment(self.home), capture_output=True, text=True, timeout=120,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def opens_for_people(self) -> tuple[int, str, list[str]]:
        """A table without bots: its stream, its public id, the passes of its seats."""
        stream, public_id, passes = json.loads(
            self.runs("shell", "--no-imports", "-c", OPEN_FOR_PEOPLE).splitlines()[-1]
        )
        return stream, public_id, passes

    def asks(self, query: str, *parameters: Any) -> list[tuple[Any, ...]]:
        """Rows from the demo's database."""
        where = {"host": str(self.home.sockets), "user": DATABASE_USER, "dbname": DATABASE}
        with psycopg.connect(**where) as connection:
            return connection.execute(query, parameters).fetchall()

    def heads(self) -> dict[int, int]:
        """How many events each stream has."""
        return dict(self.asks("SELECT stream, max(seq) FROM eventstore_event GROUP BY stream"))
