"""A database of the benchmarks' own, migrated, on the server of this project; gone at the end.

Events can never be deleted, so nothing is measured in the database that the club uses.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

import psutil
import psycopg
import redis
from django.conf import settings
from django.db import connections
from django.db.backends.postgresql.base import DatabaseWrapper

from games.eventstore.aio import database

NAME = "pozzetto_bench"
VARIABLE = "POZZETTO_BENCH_DATABASE"
"""Names the database to the servers under test (`tests.bench.settings`)."""


@contextmanager
def bench_database() -> Iterator[str]:
    """Make the database and make it Django's; yields its address for psycopg."""
    connection = connections["default"]
    club = connection.settings_dict["NAME"]
    address = database()
    _drop(address)
    connection.settings_dict.setdefault("TEST", {})["NAME"] = NAME
    connection.creation.create_test_db(verbosity=0, serialize=False)
    os.environ[VARIABLE] = NAME
    try:
        yield database()
    finally:
        del os.environ[VARIABLE]
        connection.close()
        if isinstance(connection, DatabaseWrapper):
            connection.close_pool()
        settings.DATABASES["default"]["NAME"] = club
        connection.settings_dict["NAME"] = club
        _drop(address)


def _drop(address: str) -> None:
    """Remove the database, also one that a run left behind; whoever still uses it is cut off."""
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {NAME} WITH (FORCE)")


def server_processes() -> list[int]:
    """PostgreSQL and Valkey, where they run on this machine and may be moved between cores."""
    with connections["default"].cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        backend = cursor.fetchone()[0]
    with redis.Redis.from_url(settings.VALKEY_URL) as client:
        valkey = client.info("server")["process_id"]
    found = []
    for pid, name, is_parent in ((backend, "postgres", True), (valkey, "valkey", False)):
        try:
            process = psutil.Process(pid)
            if name in process.name():
                found.append(process.ppid() if is_parent else pid)
        except psutil.Error:
            continue
    return found
