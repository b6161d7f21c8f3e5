"""The embedded size: PostgreSQL and Valkey of one data folder, there while a command needs them.

May import `deploy.engines` and the standard library. Never imports Django: settings ask it for
addresses, manage.py and pytest for running servers.

How it holds together, with three lock files that the kernel releases whatever way a process ends:

- `lease`: every command that uses the servers holds it shared.
- `gate`: who starts or stops servers holds it, so that this is done by one process at a time.
- `keeper`: held by the keeper, a small process that waits for the `lease` to be free of users,
  then stops the servers. So they end with the last command, also when that one was killed.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from deploy.engines import DATABASE, DATABASE_USER, Account, EmbeddedError, PostgreSQL, Valkey

ROOT = Path(__file__).resolve().parent.parent
SOCKET_PATH_BYTES = 103  # 107 on Linux, 103 on macOS
GATE_SECONDS = 90.0
THROW_AWAY = "throw-away"

__all__ = ["EmbeddedError", "Home", "Lock", "Servers", "home_from_environment"]


@dataclass(frozen=True, slots=True)
class Home:
    """A data folder (absolute) and where everything in it is. Making one touches no disk."""

    path: Path

    @property
    def sockets(self) -> Path:
        """The folder of the sockets: here, or in /tmp where the path would be too long for one."""
        inside = self.path / "sockets"
        if len(os.fsencode(inside / "valkey-gw00.sock")) <= SOCKET_PATH_BYTES:
            return inside
        digest = hashlib.sha256(os.fsencode(self.path)).hexdigest()[:16]
        return Path("/tmp", f"pozzetto-{digest}")  # noqa: S108 (made private, owner checked)

    @property
    def log(self) -> Path:
        return self.path / "log"

    @property
    def run(self) -> Path:
        return self.path / "run"

    def postgres(self) -> PostgreSQL:
        durable = not (self.path / THROW_AWAY).exists()
        return PostgreSQL(
            self.path / "postgres", self.sockets, self.log / "postgres.log", durable=durable
        )

    def database_settings(self) -> dict[str, str]:
        """Django's settings of the database."""
        return {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": DATABASE,
            "USER": DATABASE_USER,
            "HOST": str(self.sockets),
        }

    def valkey(self, name: str = "valkey") -> Valkey:
        return Valkey(self.sockets / f"{name}.sock", self.log / f"{name}.log")

    def create(self) -> None:
        """Make the folders. Raises `EmbeddedError` when the place is not ours to write."""
        try:
            for folder in (self.path, self.run, self.log):
                folder.mkdir(
                    mode=0o711 if os.geteuid() == 0 else 0o700, parents=True, exist_ok=True
                )
            account = Account.of_servers()
            if account.is_other:
                # Our own folder, which was perhaps made by somebody else. Those above it are not.
                self.path.chmod(self.path.stat().st_mode | 0o001)
            account.let_through(self.path / "postgres")
            account.own(self.sockets)
        except OSError as error:
            raise EmbeddedError(
                f"The data folder {self.path} cannot be used: {error.strerror}. "
                "Set POZZETTO_HOME to a folder of your own."
            ) from error


def home_from_environment() -> Home:
    """The folder named by POZZETTO_HOME, or `.pozzetto` beside manage.py."""
    given = os.environ.get("POZZETTO_HOME")
    return Home(Path(given).expanduser().resolve() if given else ROOT / ".pozzetto")


class Lock:
    """A lock file held through `flock`; the file tells who holds it alone."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self.fd = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        except PermissionError as error:
            raise EmbeddedError(
                f"{path} belongs to another account. Set POZZETTO_HOME to a folder of your own."
            ) from error

    def share(self) -> None:
        fcntl.flock(self.fd, fcntl.LOCK_SH)

    def take(self) -> None:
        fcntl.flock(self.fd, fcntl.LOCK_EX)

    def take_now(self) -> bool:
        """Take the lock alone if it is free, and write our process id into the file."""
        try:
            fcntl.flock(self.fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        os.ftruncate(self.fd, 0)
        os.pwrite(self.fd, str(os.getpid()).encode(), 0)
        return True

    def is_shared(self) -> bool:
        """Whether anyone else shares it: it cannot be taken alone, but shared it can."""
        try:
            fcntl.flock(self.fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            pass
        else:
            self.release()
            return False
        try:
            fcntl.flock(self.fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        self.release()
        return True

    def holder(self) -> str:
        """The process id of who holds or last held the lock alone."""
        return os.pread(self.fd, 32, 0).decode() or "?"

    def release(self) -> None:
        fcntl.flock(self.fd, fcntl.LOCK_UN)

    def close(self) -> None:
        os.close(self.fd)


@contextmanager
def opened(home: Home, name: str) -> Iterator[Lock]:
    """A lock of this folder, closed (so released) at the end."""
    lock = Lock(home.run / name)
    try:
        yield lock
    finally:
        lock.close()


@contextmanager
def gate(home: Home) -> Iterator[None]:
    """Be the only one who starts or stops servers of this folder.

    Says so when another command is at it, and raises `EmbeddedError` after `GATE_SECONDS`.
    """
    started = time.monotonic()
    told = False
    with opened(home, "gate") as lock:
        while not lock.take_now():
            waited = time.monotonic() - started
            who = f"another command (process {lock.holder()})"
            if waited > GATE_SECONDS:
                raise EmbeddedError(
                    f"Gave up: {who} has been starting or stopping the servers in {home.path} for "
                    f"{waited:.0f} seconds. Wait for it or end it, then start again."
                )
            if waited > 3 and not told:
                told = True
                sys.stderr.write(f"Waiting for {who} to start or stop the servers…\n")
            time.sleep(0.02)
        yield


class Servers:
    """The servers of one data folder, for as long as this object is open.

    `with Servers(home):` or `start()` … `close()`. Opening is cheap when they run already. They
    stop by themselves some milliseconds after the last user is gone.
    """

    def __init__(
        self, home: Home, *, postgres: bool = True, valkey: bool = True, valkey_name: str = "valkey"
    ) -> None:
        self.home = home
        self._engines: list[PostgreSQL | Valkey] = []
        if postgres:
            self._engines.append(home.postgres())
        if valkey:
            self._engines.append(home.valkey(valkey_name))
        self._lease: Lock | None = None

    @classmethod
    def from_environment(cls) -> "Servers":
        """Those that neither DATABASE_URL nor VALKEY_URL replaces."""
        return cls(
            home_from_environment(),
            postgres=not os.environ.get("DATABASE_URL"),
            valkey=not os.environ.get("VALKEY_URL"),
        )

    def start(self) -> None:
        """Have the servers running; call it again to bring back one that died."""
        if not self._engines:
            return
        self.home.create()
        with gate(self.home):
            if self._lease is None:
                self._lease = Lock(self.home.run / "lease")
                self._lease.share()
            # The keeper first: if we are killed half way, it cleans up after us.
            ensure_keeper(self.home)
            for engine in self._engines:
                engine.start()

    def are_ready(self) -> bool:
        """Whether all of them answer."""
        return all(engine.is_ready() for engine in self._engines)

    def close(self) -> None:
        """Stop using the servers."""
        if self._lease is not None:
            self._lease.close()
            self._lease = None

    def wait_until_stopped(self) -> None:
        """After `close`, wait for their end, unless others go on using them."""
        while self._engines:
            try:
                # Behind the gate, so that nobody mistakes us for the keeper.
                with (
                    gate(self.home),
                    opened(self.home, "lease") as lease,
                    opened(self.home, "keeper") as keeper,
                ):
                    if lease.is_shared() or keeper.take_now():
                        return
            except FileNotFoundError:
                return  # a throw-away folder, removed with its servers
            time.sleep(0.03)

    def __enter__(self) -> "Servers":
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def ensure_keeper(home: Home) -> None:
    """Start the keeper unless there is one. Call it behind the gate, holding the lease."""
    with opened(home, "keeper") as lock:
        if not lock.take_now():
            return
        with (home.log / "keeper.log").open("ab") as log:
            subprocess.Popen(
                # The lock goes with the descriptor, so there is no moment without an owner.
                [sys.executable, "-m", "deploy.embedded", str(home.path), str(lock.fd)],
                pass_fds=[lock.fd],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=ROOT,
                start_new_session=True,
            )


def keep(home: Home) -> None:
    """Wait until nobody uses the servers, stop them, and remove a throw-away folder."""
    lease = Lock(home.run / "lease")
    while True:
        lease.take()
        lease.release()
        with gate(home):
            # Only now is it sure that no command is on its way in: those come through the gate.
            if not lease.take_now():
                continue
            home.postgres().stop()
            for path in sorted(home.sockets.glob("*.sock")):
                home.valkey(path.stem).stop()
            if (home.path / THROW_AWAY).exists():
                shutil.rmtree(home.sockets, ignore_errors=True)
                shutil.rmtree(home.path, ignore_errors=True)
            return


if __name__ == "__main__":
    keep(Home(Path(sys.argv[1])))
