"""One table that many watch: a move in, its frames out to the four seats and everyone else.

Ours with real rules, what each may see, and a commit for every move. Beside it a bare broadcast of
as many bytes by `websockets`, which is as much as a Python server can hope for, and boardgame.io.
Server on one core; load generator, PostgreSQL and Valkey on the other; one move in flight.
"""

from __future__ import annotations

import random
import statistics
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import repeat
from typing import NamedTuple

import websockets

from games.rules.profile import FOUNDING
from tests.bench.compare import Comparison, Contender
from tests.bench.machine import Server, free_port
from tests.bench.moves import (
    BOARDGAME,
    SEATS,
    WARM_SECONDS,
    BoardgameDialect,
    OurDialect,
    boardgame_script,
    boardgame_server,
    generating_load,
    our_dialect,
    our_server,
    our_table,
    scratch,
)
from tests.bench.wire import Dialect, LoadGenerator, Script, text_frame

WATCHERS = (100, 1000)
OF_BOARDGAME, OF_BARE = 2.5, 0.65
"""What our moves for a second of CPU must be to theirs."""
LATENCY_OF_BOARDGAME = 0.8
_SECONDS_FOR_ONE = 3.0
_MOST_MOVES_A_SECOND = 1500
_FIRST_BYTES = 250
"""Of a frame, before ours have been weighed."""


class Told(NamedTuple):
    """What came of one measurement."""

    moves_per_cpu: float
    last_ms: float
    """Median from a move to the last client's frame."""
    memory: float
    """Bytes of the server for each socket."""
    frame_bytes: int


class _Measurements:
    """Each contender is measured once a round; its three figures go into three comparisons."""

    def __init__(self, watchers: int, seconds: float) -> None:
        self.watchers = watchers
        self._seconds = seconds
        self._told: dict[str, list[Told]] = {}
        self._asked: dict[tuple[str, str], int] = {}
        self._frame_bytes = _FIRST_BYTES

    def figure(self, who: str, what: str) -> float:
        number = self._asked.get((who, what), 0)
        self._asked[who, what] = number + 1
        told = self._told.setdefault(who, [])
        while len(told) <= number:
            told.append(getattr(self, f"_{who}")())
        return float(getattr(told[number], what))

    def _ours(self) -> Told:
        luck = random.Random()
        passes: dict[tuple[str, int], str] = {}
        wanted = int(_MOST_MOVES_A_SECOND * (WARM_SECONDS + self._seconds))
        table = our_table(luck.choice(FOUNDING), wanted, luck, passes)
        with our_server() as server:
            told = self._played(server, our_dialect(passes), table)
        # The bare broadcast sends as many.
        self._frame_bytes = told.frame_bytes
        return told

    def _bare(self) -> Told:
        port = free_port()
        command = [sys.executable, "-m", "tests.bench.bare", str(port), str(self._frame_bytes)]
        dialect = OurDialect(lambda table, client: "/", b'{"t":"snapshot"')
        script = repeat((0, text_frame(b'{"t":"move"}')))
        with Server(command, port=port, environment={}, log=scratch() / "bare.log") as server:
            return self._played(server, dialect, ("bare", script))

    def _boardgame(self) -> Told:
        with boardgame_server() as server:
            return self._played(server, BoardgameDialect(), ("table", boardgame_script("table")))

    def _played(self, server: Server, dialect: Dialect, table: tuple[str, Script]) -> Told:
        used = 0.0

        def note() -> None:
            nonlocal used
            used = server.cpu_seconds()

        clients = SEATS + self.watchers
        with LoadGenerator(server.port, dialect) as generator:
            name, script = table
            before = server.memory()
            generator.seat(name, clients, script)
            memory = (server.memory() - before) / clients
            moves = generator.play(warm=WARM_SECONDS, seconds=self._seconds, when_warm=note)
            used = server.cpu_seconds() - used
            frame = generator.bytes // max(1, generator.done * clients)
            return Told(moves / used, 1000 * statistics.median(generator.latencies), memory, frame)


@contextmanager
def comparisons(seconds: float) -> Iterator[list[Comparison]]:
    lasting = _SECONDS_FOR_ONE * seconds
    with generating_load():
        yield [
            comparison
            for watchers in WATCHERS
            for comparison in _of(_Measurements(watchers, lasting))
        ]


def _of(measured: _Measurements) -> list[Comparison]:
    bare = f"websockets {websockets.__version__}, bare broadcast"
    boardgame = f"boardgame.io {BOARDGAME['boardgame.io']}"
    title = f"one table, {measured.watchers:,} watchers"

    def contenders(
        what: str, of_boardgame: float | None, of_bare: float | None
    ) -> tuple[Contender, Contender, Contender]:
        return (
            Contender("Pozzetto", lambda: measured.figure("ours", what)),
            Contender(boardgame, lambda: measured.figure("boardgame", what), of_boardgame),
            Contender(bare, lambda: measured.figure("bare", what), of_bare),
        )

    rates = contenders("moves_per_cpu", OF_BOARDGAME, OF_BARE)
    latencies = contenders("last_ms", LATENCY_OF_BOARDGAME, None)
    key = f"fanout/{measured.watchers}"
    rows = [
        Comparison(key, title, "moves/CPU s", rates[0], rates[1:]),
        Comparison(
            f"{key}/last", f"{title}: to the last", "ms", latencies[0], latencies[1:], smaller=True
        ),
    ]
    if measured.watchers == max(WATCHERS):  # fewer do not show in a server's memory
        weights = contenders("memory", None, None)
        name = f"{title}: memory of a socket"
        rows.append(
            Comparison(f"{key}/memory", name, "bytes", weights[0], weights[1:], smaller=True)
        )
    return rows
