"""The supervisor: what dies comes back, what should stop stops."""

import os
import signal
import subprocess
import sys
import threading

import psutil
import pytest

from deploy.embedded import ROOT
from deploy.supervisor import Child, Supervisor, describe
from tests.deploy.conftest import eventually


def is_alive(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@pytest.fixture
def sleeper(tmp_path):
    child = Child("sleeper", ["sleep", "60"], log=tmp_path / "log", environment=os.environ)
    yield child
    child.wait(0)


def test_a_child_that_was_killed_comes_back(sleeper):
    sleeper.start()
    killed = sleeper.pid
    os.kill(killed, signal.SIGKILL)
    said = []
    assert eventually(lambda: said.append(sleeper.attend()) or sleeper.pid not in (None, killed))
    (sentence,) = filter(None, said)
    assert "sleeper ended (SIGKILL)" in sentence
    assert is_alive(sleeper.pid)


def test_the_pause_before_the_next_start_grows_while_a_child_fails_at_once(tmp_path):
    child = Child("failing", ["false"], log=tmp_path / "log", environment=os.environ)
    child.start()
    said = []
    eventually(lambda: said.append(child.attend()) or len(list(filter(None, said))) == 2)
    first, second = filter(None, said)
    assert "exit code 1" in first
    assert "again in 0.5 s" in first
    assert "again in 1 s" in second


def test_what_a_child_started_ends_with_it(tmp_path):
    log = tmp_path / "log"
    child = Child(
        "parent", ["sh", "-c", "sleep 60 & echo $!; wait"], log=log, environment=os.environ
    )
    child.start()
    assert eventually(lambda: log.read_text().strip())
    grandchild = int(log.read_text())
    child.ask_to_stop()
    child.wait(5)
    assert eventually(lambda: not is_alive(grandchild))


def test_a_child_that_does_not_stop_when_asked_is_ended(tmp_path):
    log = tmp_path / "log"
    child = Child(
        "deaf",
        ["sh", "-c", "trap '' TERM; echo ready; sleep 60; sleep 60"],
        log=log,
        environment=os.environ,
    )
    child.start()
    assert eventually(log.read_text)
    pid = child.pid
    child.ask_to_stop()
    child.wait(0.2)
    assert not is_alive(pid)


def test_a_supervisor_runs_until_asked_to_stop(sleeper):
    supervisor = Supervisor([sleeper], tell=lambda sentence: None)
    supervisor.start()
    pid = sleeper.pid
    asked = threading.Event()

    def also() -> None:
        asked.set()
        supervisor.ask_to_stop()

    supervisor.run(every=0.05, also=also)
    supervisor.stop()
    assert asked.is_set()
    assert not is_alive(pid)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child of this")
def test_children_end_with_a_supervisor_that_was_killed(tmp_path):
    script = (
        "import os, time; from pathlib import Path; from deploy.supervisor import Child;"
        f"child = Child('c', ['sleep', '60'], log=Path({str(tmp_path / 'log')!r}),"
        " environment=os.environ); child.start(); print(child.pid, flush=True); time.sleep(60)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as supervisor:
        pid = int(supervisor.stdout.readline())
        assert is_alive(pid)
        supervisor.kill()
    assert eventually(lambda: not is_alive(pid))


def test_exit_codes_are_told_in_words():
    assert describe(3) == "exit code 3"
    assert describe(-9) == "SIGKILL"
