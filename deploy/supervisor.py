"""Keeps a few child processes running, each with its log file, until told to stop.

May import the standard library only. Knows nothing of what the children do.
"""

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

FIRST_PAUSE = 0.5
LONGEST_PAUSE = 8.0
STEADY_SECONDS = 30.0


def end_with_parent() -> None:
    """In a child just made: be told to end when the parent dies, also by kill -9 (Linux only)."""
    if sys.platform == "linux":
        set_parent_death_signal = 1
        ctypes.CDLL(None).prctl(set_parent_death_signal, signal.SIGTERM)


class Child:
    """One process that should run: started again, after growing pauses, whenever it ends."""

    def __init__(
        self, name: str, arguments: Sequence[str], *, log: Path, environment: Mapping[str, str]
    ) -> None:
        self.name = name
        self.log = log
        self._arguments = list(arguments)
        self._environment = dict(environment)
        self._process: subprocess.Popen[bytes] | None = None
        self._pause = FIRST_PAUSE
        self._started = 0.0
        self._start_at = 0.0

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    def start(self) -> None:
        """Start it. Its own session, so that Ctrl-C reaches it only through us, in order."""
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                self._arguments,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=self._environment,
                start_new_session=True,
                preexec_fn=end_with_parent,
            )
        self._started = time.monotonic()

    def attend(self) -> str | None:
        """Start it again if it has ended; returns a sentence when there is something to tell."""
        now = time.monotonic()
        if self._process is None:
            if now >= self._start_at:
                self.start()
            return None
        code = self._process.poll()
        if code is None:
            if now - self._started > STEADY_SECONDS:
                self._pause = FIRST_PAUSE
            return None
        self._kill_group()
        self._process = None
        self._start_at = now + self._pause
        sentence = (
            f"{self.name} ended ({describe(code)}); starting it again in {self._pause:g} s. "
            f"Its log: {self.log}"
        )
        self._pause = min(self._pause * 2, LONGEST_PAUSE)
        return sentence

    def ask_to_stop(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()

    def wait(self, seconds: float) -> None:
        """Wait for its end after `ask_to_stop`; when it takes longer, end it."""
        # A second signal may call this while the first call still waits.
        process = self._process
        if process is None:
            return
        with suppress(subprocess.TimeoutExpired):
            process.wait(seconds)
        self._kill_group()
        process.wait()
        self._process = None

    def _kill_group(self) -> None:
        """End what is left of it: a killed worker leaves its own children behind."""
        process = self._process
        if process is not None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)


def describe(code: int) -> str:
    """An exit code in words."""
    if code >= 0:
        return f"exit code {code}"
    with suppress(ValueError):
        return signal.Signals(-code).name
    return f"signal {-code}"


class Supervisor:
    """Runs children until a signal asks to stop, then stops them in the order given."""

    def __init__(self, children: Sequence[Child], *, tell: Callable[[str], None]) -> None:
        self._children = list(children)
        self._tell = tell
        self._stopping = False

    def start(self) -> None:
        for child in self._children:
            child.start()

    def run(self, *, every: float, also: Callable[[], None]) -> None:
        """Attend to the children, and call `also` each `every` seconds, until asked to stop."""
        due = time.monotonic() + every
        while not self._stopping:
            for child in self._children:
                if sentence := child.attend():
                    self._tell(sentence)
            if time.monotonic() >= due:
                also()
                due = time.monotonic() + every
            time.sleep(0.1)

    def ask_to_stop(self, *_: object) -> None:
        """A signal handler: the second time, children are ended at once."""
        if self._stopping:
            for child in self._children:
                child.wait(0)
        self._stopping = True

    @property
    def is_stopping(self) -> bool:
        return self._stopping

    def stop(self, seconds: float = 15.0) -> None:
        for child in self._children:
            child.ask_to_stop()
        deadline = time.monotonic() + seconds
        for child in self._children:
            child.wait(max(0.0, deadline - time.monotonic()))
