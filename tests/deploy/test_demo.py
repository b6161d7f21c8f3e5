"""`manage.py demo` as a whole: up from nothing, back after kills, gone after Ctrl-C."""

import json
import os
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import psutil
import pytest
from django.core.management import CommandError, call_command

from deploy.embedded import ROOT
from tests.deploy.conftest import eventually
from tests.deploy.first_load import fetch, first_load


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Demo:
    def __init__(self, home, port: int) -> None:
        environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("POZZETTO_", "DATABASE_URL", "VALKEY_URL", "DJANGO_"))
        }
        self.home = home
        self.port = port
        self.output = home.path / "demo.out"
        with self.output.open("ab") as output:
            self.process = subprocess.Popen(
                [sys.executable, "manage.py", "demo", "--port", str(port), "--tables", "1"],
                cwd=ROOT,
                env={**environment, "POZZETTO_HOME": str(home.path)},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
            )

    def says(self, words: str) -> bool:
        return eventually(
            lambda: words in self.output.read_text() or self.process.poll() is not None, 60
        ) and (words in self.output.read_text())

    def is_healthy(self) -> bool:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/health/", timeout=5) as got:
                return got.status == 200
        except (urllib.error.URLError, OSError):
            return False

    def children(self) -> dict[str, int]:
        """The process ids of web, worker and beat."""
        found = {}
        for process in psutil.Process(self.process.pid).children():
            words = process.cmdline()
            for name, word in {"web": "uvicorn", "worker": "worker", "beat": "beat"}.items():
                if word in words:
                    found[name] = process.pid
        return found


@pytest.fixture
def demo(home):
    running = Demo(home, free_port())
    yield running
    if running.process.poll() is None:
        running.process.send_signal(signal.SIGINT)
        running.process.wait(60)


def test_a_demo_comes_up_from_nothing_outlives_kills_and_stops_cleanly(demo, home):
    assert demo.says(f"Ready: http://localhost:{demo.port}/"), demo.output.read_text()
    assert demo.is_healthy()
    children = demo.children()
    assert set(children) == {"web", "worker", "beat"}

    second = Demo(home, free_port())
    assert second.process.wait(60) == 1
    assert second.says("A demo already runs in")

    postgres = int((home.path / "postgres" / "postmaster.pid").read_text().split()[0])
    for pid in (children["web"], children["worker"], postgres):
        os.kill(pid, signal.SIGKILL)
    assert demo.says("web ended (SIGKILL)")
    assert demo.says("worker ended (SIGKILL)")
    assert demo.says("It is back.")
    assert eventually(demo.is_healthy, 60)
    assert eventually(lambda: set(demo.children()) == {"web", "worker", "beat"}, 60)

    last = list(demo.children().values())
    demo.process.send_signal(signal.SIGINT)
    assert demo.process.wait(60) == 0
    assert "Traceback" not in demo.output.read_text()
    assert not any(psutil.pid_exists(pid) for pid in last)
    assert not home.postgres().is_ready()
    assert not home.valkey().is_ready()


def test_the_first_load_of_a_table_is_compressed_and_small(demo):
    assert demo.says("Ready: "), demo.output.read_text()
    site = f"http://localhost:{demo.port}"
    [table] = json.loads(fetch(f"{site}/tables/wall.json").text)["order"]
    sent = first_load(f"{site}/tables/{table}/")
    scripts = [each for each in sent.values() if each.kind == "text/javascript"]
    assert len(scripts) > 10
    assert {"text/html", "text/css", "image/svg+xml"} < {each.kind for each in sent.values()}
    plain = [address for address, each in sent.items() if each.encoding != "gzip"]
    assert [address for address in plain if sent[address].size > 500] == []
    assert sum(each.size for each in scripts) <= 60_000
    assert sum(each.size for each in sent.values()) <= 150_000


def test_a_taken_port_is_told_before_anything_is_prepared(home):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        refused = Demo(home, other.getsockname()[1])
        assert refused.process.wait(60) == 1
    assert refused.says("Choose another with --port.")
    assert not Path(home.log / "web.log").exists()


@pytest.mark.parametrize(
    ("option", "value"),
    [("port", 0), ("port", 99999), ("tables", 0), ("tables", 101)]
    + [("speed", speed) for speed in (0.0, -1.0, 1e-9, float("nan"), float("inf"))],
)
def test_an_option_that_makes_no_sense_is_refused_by_its_name(option, value):
    sound = {"port": free_port(), "tables": 1, "speed": 1.0}
    with pytest.raises(CommandError, match=f"(?i){option}"):
        call_command("demo", **{**sound, option: value})
