"""Data folders of their own for tests that start and kill servers."""

import os
import shutil
import site
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from deploy.embedded import ROOT, THROW_AWAY, Home, Servers


def eventually(happens: Callable[[], object], seconds: float = 20.0) -> bool:
    """Whether it happens within that time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if happens():
            return True
        time.sleep(0.02)
    return bool(happens())


@pytest.fixture
def home() -> Iterator[Home]:
    """An empty data folder; its servers must be gone at the end, whatever the test did to them."""
    made = Home(Path(tempfile.mkdtemp(prefix="pozzetto-home-")).resolve())
    yield made
    Servers(made).wait_until_stopped()
    engines = (made.postgres(), made.valkey())
    left_running = [engine for engine in engines if engine.is_ready()]
    for engine in left_running:
        engine.stop()
    shutil.rmtree(made.path, ignore_errors=True)
    assert not left_running


@pytest.fixture
def throw_away(home: Home) -> Home:
    (home.path / THROW_AWAY).touch()
    return home


def environment_of_commands() -> dict[str, str]:
    """An environment in which any Python of this version finds our packages and the installed."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *site.getsitepackages()])}


class Command:
    """Another process that uses the servers of a folder until it is told to end."""

    SCRIPT = """
import sys
from pathlib import Path
from deploy.embedded import EmbeddedError, Home, Servers
try:
    with Servers(Home(Path(sys.argv[1]))) as servers:
        print("using", flush=True)
        sys.stdin.read()
except EmbeddedError as error:
    print(error, flush=True)
"""

    def __init__(self, home: Home, python: str = sys.executable, **arguments: object) -> None:
        self.process = subprocess.Popen(
            [python, "-c", self.SCRIPT, str(home.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env=environment_of_commands(),
            **arguments,
        )

    def first_line(self) -> str:
        return self.process.stdout.readline().strip()

    def end(self) -> str:
        """Let it end; returns what it wrote to stderr."""
        _, errors = self.process.communicate(input="", timeout=60)
        return errors

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


@pytest.fixture
def command() -> Iterator[Callable[..., Command]]:
    """Makes other commands, and ends those that a test left running."""
    made: list[Command] = []

    def make(home: Home, **arguments: object) -> Command:
        made.append(Command(home, **arguments))
        return made[-1]

    yield make
    for one in made:
        if one.process.poll() is None:
            one.kill()
