"""The embedded servers under everything that happens to a laptop."""

import contextlib
import fcntl
import os
import pwd
import signal
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest
import redis

from deploy.embedded import ROOT, EmbeddedError, Home, Servers
from deploy.engines import Account
from tests.deploy.conftest import environment_of_commands, eventually


def query(home: Home, sql: str) -> list[tuple]:
    with psycopg.connect(
        host=str(home.sockets), user="postgres", dbname="pozzetto", autocommit=True
    ) as connection:
        cursor = connection.execute(sql)
        return cursor.fetchall() if cursor.description else []


def postmaster(home: Home) -> int:
    return int((home.path / "postgres" / "postmaster.pid").read_text().split()[0])


def valkey_process(home: Home) -> int:
    client = redis.Redis.from_url(home.valkey().url)
    try:
        return client.info("server")["process_id"]
    finally:
        client.close()


def keeper_process(home: Home) -> int | None:
    """The process that holds the keeper's lock, as the kernel tells."""
    inode = (home.run / "keeper").stat().st_ino
    for line in Path("/proc/locks").read_text().splitlines():
        fields = line.split()
        if fields[1] == "FLOCK" and fields[5].endswith(f":{inode}"):
            for process in Path("/proc").glob("[0-9]*"):
                arguments = (process / "cmdline").read_bytes().decode().split("\0")
                if "deploy.embedded" in arguments and str(home.path) in arguments:
                    return int(process.name)
    return None


def is_stopped(home: Home) -> bool:
    return not home.postgres().is_ready() and not home.valkey().is_ready()


def test_servers_start_from_nothing_and_stop_with_their_last_user(throw_away):
    with Servers(throw_away):
        assert query(throw_away, "SELECT 1") == [(1,)]
        assert valkey_process(throw_away)
    assert eventually(lambda: is_stopped(throw_away))


def test_a_throw_away_folder_is_removed_with_its_servers(throw_away):
    with Servers(throw_away) as servers:
        pass
    servers.wait_until_stopped()
    assert eventually(lambda: not throw_away.path.exists())


def test_two_commands_started_at_once_use_the_same_servers(home, command):
    first, second = command(home), command(home)
    assert first.first_line() == second.first_line() == "using"
    server, valkey = postmaster(home), valkey_process(home)

    first.end()
    assert postmaster(home) == server
    assert valkey_process(home) == valkey
    assert query(home, "SELECT 1") == [(1,)]

    second.end()
    assert eventually(lambda: is_stopped(home))


def test_servers_stop_also_after_a_command_that_was_killed(home, command):
    killed = command(home)
    assert killed.first_line() == "using"
    killed.kill()
    assert eventually(lambda: is_stopped(home))


def test_a_command_that_comes_while_servers_stop_gets_fresh_ones(home, command):
    for _ in range(3):
        one = command(home)
        assert one.first_line() == "using"
        one.end()
    with Servers(home):
        assert query(home, "SELECT 1") == [(1,)]


def test_a_committed_row_survives_the_killing_of_postgresql(home):
    with Servers(home) as servers:
        query(home, "CREATE TABLE kept (n int)")
        query(home, "INSERT INTO kept VALUES (42)")
        os.kill(postmaster(home), signal.SIGKILL)
        assert eventually(lambda: not servers.are_ready())
        servers.start()
        assert query(home, "SELECT n FROM kept") == [(42,)]


def test_a_killed_valkey_comes_back_at_the_same_address(throw_away):
    with Servers(throw_away) as servers:
        killed = valkey_process(throw_away)
        os.kill(killed, signal.SIGKILL)
        assert eventually(lambda: not servers.are_ready())
        servers.start()
        assert valkey_process(throw_away) != killed


@pytest.mark.skipif(not Path("/proc/locks").exists(), reason="finds the keeper in Linux's /proc")
def test_a_killed_keeper_is_replaced_by_the_next_command(throw_away, command):
    first = command(throw_away)
    assert first.first_line() == "using"
    os.kill(keeper_process(throw_away), signal.SIGKILL)
    first.end()
    assert not is_stopped(throw_away)

    second = command(throw_away)
    assert second.first_line() == "using"
    second.end()
    assert eventually(lambda: is_stopped(throw_away))


@pytest.fixture
def stopped_home(home):
    """A folder that has been used, with a row in it, and whose servers have stopped."""
    with Servers(home) as servers:
        query(home, "CREATE TABLE kept (n int)")
        query(home, "INSERT INTO kept VALUES (42)")
    servers.wait_until_stopped()
    assert is_stopped(home)
    return home


def pid_file(home: Home, first_line: str) -> str:
    return f"{first_line}\n{home.path}/postgres\n1700000000\n5432\n{home.sockets}\n\n"


@pytest.mark.parametrize("content", ["", "4194000", "not a number"])
def test_a_stale_pid_file_does_not_hinder_the_start(stopped_home, content):
    path = stopped_home.path / "postgres" / "postmaster.pid"
    path.write_text(pid_file(stopped_home, content) if content else "")
    with Servers(stopped_home):
        assert query(stopped_home, "SELECT n FROM kept") == [(42,)]


def test_a_pid_file_with_the_id_of_another_living_program_does_not_hinder_the_start(stopped_home):
    # As after a restart of a container: the server's old id is now some other process, under
    # the same account.
    owner = (stopped_home.path / "postgres").stat()
    account = {"user": owner.st_uid, "group": owner.st_gid} if os.geteuid() == 0 else {}
    with subprocess.Popen(["sleep", "60"], **account) as other:
        path = stopped_home.path / "postgres" / "postmaster.pid"
        path.write_text(pid_file(stopped_home, str(other.pid)))
        try:
            with Servers(stopped_home):
                assert query(stopped_home, "SELECT n FROM kept") == [(42,)]
            assert other.poll() is None
        finally:
            other.kill()


def test_a_set_up_that_was_interrupted_starts_over(throw_away):
    data = throw_away.path / "postgres"
    (data / "base").mkdir(parents=True)
    (data / "postgresql.conf").write_text("half written")
    with Servers(throw_away):
        assert query(throw_away, "SELECT 1") == [(1,)]


def test_a_folder_too_deep_for_a_socket_works(throw_away):
    deep = Home(throw_away.path / ("d" * 60) / ("e" * 60))
    deep.path.mkdir(parents=True)
    (deep.path / "throw-away").touch()
    with Servers(deep) as servers:
        assert len(str(deep.sockets)) < 60
        assert query(deep, "SELECT 1") == [(1,)]
    servers.wait_until_stopped()
    assert eventually(lambda: not deep.sockets.exists())


def test_a_folder_with_spaces_and_accents_works(throw_away):
    odd = Home(throw_away.path / "il mio caffè")
    odd.path.mkdir()
    (odd.path / "throw-away").touch()
    with Servers(odd) as servers:
        assert query(odd, "SELECT 1") == [(1,)]
        assert valkey_process(odd)
    servers.wait_until_stopped()


def test_a_command_says_whom_it_waits_for(throw_away, command):
    throw_away.create()
    gate = os.open(throw_away.run / "gate", os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(gate, fcntl.LOCK_EX)
    os.pwrite(gate, b"4711", 0)
    waiting = command(throw_away)
    said = waiting.process.stderr.readline()
    os.close(gate)
    assert "Waiting for another command (process 4711)" in said
    assert waiting.first_line() == "using"
    waiting.end()


@pytest.fixture
def ordinary_user():
    """How to run a command as somebody who is not root: nothing special where we are not."""
    if os.geteuid() != 0:
        return {}
    nobody = pwd.getpwnam("nobody")
    account = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
    # Root's own Python may lie where others cannot go; the system's finds the same packages.
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    for python in (sys.executable, f"/usr/bin/{version}", f"/usr/local/bin/{version}"):
        with contextlib.suppress(OSError):
            done = subprocess.run(
                [python, "-c", "import deploy.embedded, psycopg"],
                cwd=ROOT,
                env=environment_of_commands(),
                capture_output=True,
                check=False,
                **account,
            )
            if done.returncode == 0:
                return {**account, "python": python}
    pytest.skip("no Python here can be run by an ordinary user")


def test_an_ordinary_user_starts_servers_of_their_own(throw_away, command, ordinary_user):
    if ordinary_user:
        os.chown(throw_away.path, ordinary_user["user"], ordinary_user["group"])
    theirs = command(throw_away, **ordinary_user)
    assert theirs.first_line() == "using"
    assert query(throw_away, "SELECT 1") == [(1,)]
    assert (throw_away.path / "postgres").stat().st_mode & 0o077 == 0
    assert throw_away.sockets.stat().st_mode & 0o077 == 0
    theirs.end()
    assert eventually(lambda: is_stopped(throw_away))


def test_a_folder_of_another_account_is_refused_in_words(throw_away, command, ordinary_user):
    if not ordinary_user:
        pytest.skip("needs root, to make a folder of another account")
    throw_away.path.chmod(0o711)
    refused = command(throw_away, **ordinary_user)
    said = refused.first_line()
    assert str(throw_away.path) in said
    assert "POZZETTO_HOME" in said
    assert refused.end() == ""


def test_a_place_that_cannot_be_written_is_refused_in_words(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(EmbeddedError, match="POZZETTO_HOME"):
        Servers(Home(tmp_path / "file" / "home")).start()


def test_root_hears_of_each_folder_that_is_opened_to_other_accounts(tmp_path, capsys):
    if os.geteuid() != 0:
        pytest.skip("needs root, whose servers run under another account")
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    Account.of_servers().let_through(closed / "postgres")
    said = capsys.readouterr().err
    assert closed.stat().st_mode & 0o077 == 0o001
    assert f"may now pass through (not list) {closed}," in said
    assert "POZZETTO_HOME" in said
    Account.of_servers().let_through(closed / "postgres")
    assert capsys.readouterr().err == ""
