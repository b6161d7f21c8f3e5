"""The machine under a benchmark: cores, CPU time of processes, what others use, servers.

Linux only where it reads /proc. Ends only what it started.
"""

from __future__ import annotations

import os
import platform
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

ROOT = Path(__file__).resolve().parent.parent.parent
START_SECONDS = 60.0

_cores = sorted(os.sched_getaffinity(0))
SERVER_CORE = {_cores[0]}
"""Where the server under test runs."""
CLIENT_CORE = {_cores[-1]}
"""Where the load generator, PostgreSQL and Valkey run."""


def describe() -> dict[str, str | int]:
    """What a reader needs to know of the machine."""
    return {
        "system": platform.platform(),
        "python": platform.python_version(),
        "processor": _processor(),
        "cores": len(_cores),
    }


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor()


def load_of_others(seconds: float = 0.2) -> float:
    """How many cores are busy while nothing of ours runs."""
    before = psutil.cpu_times()
    time.sleep(seconds)
    after = psutil.cpu_times()
    idle = (after.idle - before.idle) + (after.iowait - before.iowait)
    total = sum(after) - sum(before) - (after.guest - before.guest)
    return round(psutil.cpu_count() * (1 - idle / total), 2) if total else 0.0


def cpu_seconds(pid: int) -> float:
    """The CPU time that a process, its threads and its children have used so far."""
    total = 0.0
    for process in (found := psutil.Process(pid)), *found.children(recursive=True):
        try:
            times = process.cpu_times()
        except psutil.NoSuchProcess:
            continue
        total += times.user + times.system
    return total


@contextmanager
def pinned(pids: Sequence[int], cores: set[int]) -> Iterator[None]:
    """Keep processes and their children on some cores; those of others are left as they are."""
    before: dict[int, list[int]] = {}
    for pid in pids:
        for process in (found := psutil.Process(pid)), *found.children(recursive=True):
            try:
                before[process.pid] = process.cpu_affinity() or []
                process.cpu_affinity(sorted(cores))
            except psutil.Error:
                before.pop(process.pid, None)
    try:
        yield
    finally:
        for pid, affinity in before.items():
            try:
                psutil.Process(pid).cpu_affinity(affinity)
            except psutil.Error:
                continue


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Server:
    """A server under test on a core of its own; use it in `with`. It writes its log to `log`."""

    def __init__(
        self, arguments: Sequence[str], *, port: int, environment: Mapping[str, str], log: Path
    ) -> None:
        self.port = port
        self._log = log
        self._arguments = list(arguments)
        self._environment = {**os.environ, **environment}

    def __enter__(self) -> Server:
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                self._arguments,
                cwd=ROOT,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                preexec_fn=lambda: os.sched_setaffinity(0, SERVER_CORE),
            )
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 0.5).close()
            except OSError:
                if self._process.poll() is not None or time.monotonic() > deadline:
                    self._stop()
                    raise RuntimeError(
                        f"the server under test did not start: {self._log.read_text()[-2000:]}"
                    ) from None
                time.sleep(0.05)
            else:
                return self

    def __exit__(self, *_: object) -> None:
        self._stop()

    def cpu_seconds(self) -> float:
        return cpu_seconds(self._process.pid)

    def memory(self) -> int:
        """Bytes that it and its children have resident."""
        found = psutil.Process(self._process.pid)
        return sum(one.memory_info().rss for one in (found, *found.children(recursive=True)))

    def _stop(self) -> None:
        # Its children, too: the Node of the development tools is one of a Python process.
        try:
            children = psutil.Process(self._process.pid).children(recursive=True)
        except psutil.NoSuchProcess:
            children = []
        self._end()
        for child in children:
            with suppress(psutil.NoSuchProcess):
                child.kill()
        psutil.wait_procs(children, timeout=5)

    def _end(self) -> None:
        for number in (signal.SIGTERM, signal.SIGKILL):
            if self._process.poll() is None:
                self._process.send_signal(number)
                try:
                    self._process.wait(5)
                except subprocess.TimeoutExpired:
                    continue
        self._process.wait()
