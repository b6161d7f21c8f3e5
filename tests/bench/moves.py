"""A whole move at 16 tables with six clients each: message in, decided, committed, six frames out.

Ours is the web server as it runs for a club, real rules and all. Beside it the same game the way
the frameworks' tutorials would have it (`textbook`), and boardgame.io with a game of next to no
rules, which keeps nothing. Server on one core; load generator, PostgreSQL and Valkey on the other.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
from django.conf import settings
from django.db import connection

from games.rules import match
from games.rules.legal import legal_moves
from games.rules.moves import AnyMove
from games.rules.profile import FOUNDING, load_profile
from games.rules.refusals import Refusal
from games.tables.folding import Folded, after, shuffled
from games.tables.loading import load
from games.tables.passes import seat_pass
from games.tables.services import open_table
from tests.bench import peers
from tests.bench.compare import Comparison, Contender, MissingPeerError
from tests.bench.database import bench_database, server_processes
from tests.bench.machine import CLIENT_CORE, ROOT, Server, free_port, pinned
from tests.bench.wire import Dialect, LoadGenerator, Script, text_frame

TABLES = 16
SEATS = 4
CLIENTS = 6
"""At each table: four seats and two who watch."""
WARM_SECONDS = 1.0
_SECONDS_FOR_ONE = 3.0
"""CPU time is counted in hundredths of a second, so a measurement of this lasts longer."""
_MOST_MOVES_A_SECOND = 500
"""More than any server here plays at one table."""
DEALS = 1000
BOARDGAME = {"boardgame.io": "0.50.2"}
_VIEWS = (b'{"t":"events"', b'{"t": "events"')
_FAULTS = tuple(
    b'{"t":%s"%s' % (space, fault)
    for fault in (b"refused", b"stale", b"error")
    for space in (b"", b" ")
)


@contextmanager
def generating_load() -> Iterator[None]:
    """Make this process the load generator, on one core with PostgreSQL and Valkey."""
    with bench_database(), pinned([os.getpid(), *server_processes()], CLIENT_CORE):
        yield


@contextmanager
def comparisons(seconds: float) -> Iterator[list[Comparison]]:
    lasting = _SECONDS_FOR_ONE * seconds
    with generating_load():
        yield [
            Comparison(
                key="move",
                title=f"whole moves, {TABLES} tables of {CLIENTS} clients",
                unit="moves/CPU s",
                ours=Contender("Pozzetto", lambda: _ours(lasting)),
                peers=(
                    peers.installed(
                        "channels_redis",
                        "ORM, DRF, group_send",
                        lambda: _textbook(lasting),
                        goal=6.0,
                    ),
                    Contender(
                        f"boardgame.io {BOARDGAME['boardgame.io']} (keeps nothing)",
                        lambda: _boardgame(lasting),
                        1.2,
                    ),
                ),
            )
        ]


def _played(
    server: Server, dialect: Dialect, tables: Sequence[tuple[str, Script]], seconds: float
) -> float:
    """Moves for each second of CPU that the server uses."""
    used = 0.0

    def note() -> None:
        nonlocal used
        used = server.cpu_seconds()

    with LoadGenerator(server.port, dialect) as load_generator:
        for name, script in tables:
            load_generator.seat(name, CLIENTS, script)
        moves = load_generator.play(warm=WARM_SECONDS, seconds=seconds, when_warm=note)
        used = server.cpu_seconds() - used
    return moves / used


READY_FRAMES = "deploy.websockets:TableProtocol"


def web_server(
    application: str, settings_module: str, log: str, protocol: str = "websockets-sansio"
) -> Server:
    """uvicorn, with our `protocol` as the demo and docs/operators.md run it."""
    port = free_port()
    arguments = [
        sys.executable, "-m", "uvicorn", application, "--host", "127.0.0.1", "--port", str(port),
        "--ws", protocol, "--ws-per-message-deflate", "false",
        "--no-access-log", "--log-level", "warning",
    ]  # fmt: skip
    return Server(
        arguments,
        port=port,
        environment={"DJANGO_SETTINGS_MODULE": settings_module},
        log=scratch() / log,
    )


def scratch() -> Path:
    folder: Path = settings.HOME.path / "bench"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def script_of(folded: Folded, moves: int, luck: random.Random) -> Script:
    """The messages of a table's next moves, played out beforehand with the table's own shuffles."""
    game, seq, master = folded.state, folded.head.seq, folded.master
    messages: list[tuple[int, bytes]] = []
    for number in range(moves):
        if game.deal is None or game.deal.ended is not None:
            pack = shuffled(game, master, game.deal_number + 1)
            decided: Any = [match.start_deal(game, pack, match.next_dealer(game))]
            messages.append((0, text_frame(b'{"t":"next","id":"m%d"}' % number)))
        else:
            legal = legal_moves(game.deal, game.deal.turn)
            move = legal[int(luck.random() * len(legal))]
            decided = match.decide(game, move)
            messages.append((game.deal.turn, text_frame(_message(number, seq, move))))
        if isinstance(decided, Refusal):
            raise AssertionError(f"a legal move was refused: {decided}")
        for event in decided:
            game = after(game, master, event)
        seq += len(decided)
    return iter(messages)


def _message(number: int, seq: int, move: AnyMove) -> bytes:
    said = msgspec.to_builtins(move)
    del said["seat"]
    return msgspec.json.encode({"t": "move", "id": f"m{number}", "seq": seq, "move": said})


class OurDialect:
    """The sockets of tables; a client beyond the seats watches."""

    def __init__(self, path: Callable[[str, int], str], first: bytes) -> None:
        self.path = path
        self._first = first

    def greetings(self, table: str, client: int) -> Sequence[tuple[bytes, bytes]]:
        return [(b"", self._first)]

    def is_view(self, data: bytes, start: int) -> bool:
        if data.startswith(_VIEWS, start):
            return True
        if data.startswith(_FAULTS, start):
            raise RuntimeError(f"a move was not taken: {data[start : start + 300]!r}")
        return False

    def reply(self, data: bytes, start: int) -> bytes | None:
        return None


def _moves_wanted(seconds: float) -> int:
    return int(_MOST_MOVES_A_SECOND * (WARM_SECONDS + seconds))


def our_table(
    profile: str, moves: int, luck: random.Random, passes: dict[tuple[str, int], str]
) -> tuple[str, Script]:
    """A new table, and the script of its moves; `passes` learns how its seats are opened."""
    holders = [f"p{luck.randrange(10**9):09}" for _ in range(SEATS)]
    game = open_table(profile=load_profile(profile), holders=holders, by="bench", deals=DEALS)
    for seat, holder in enumerate(holders):
        token = seat_pass(public_id=game.public_id, seat=seat, holder=holder)
        passes[game.public_id, seat] = f"?pass={quote(token)}"
    return game.public_id, script_of(load(game.stream), moves, luck)


def our_dialect(passes: dict[tuple[str, int], str]) -> OurDialect:
    """The sockets of the tables in `passes`; who has no pass watches."""
    return OurDialect(
        lambda table, client: f"/ws/tables/{table}/{passes.get((table, client), '')}",
        b'{"t":"snapshot"',
    )


def our_server() -> Server:
    return web_server("deploy.asgi:application", "tests.bench.settings", "ours.log", READY_FRAMES)


def _ours(seconds: float) -> float:
    luck = random.Random()
    passes: dict[tuple[str, int], str] = {}
    tables = [
        our_table(FOUNDING[number % len(FOUNDING)], _moves_wanted(seconds), luck, passes)
        for number in range(TABLES)
    ]
    with our_server() as server:
        return _played(server, our_dialect(passes), tables, seconds)


def _textbook(seconds: float) -> float:
    from tests.bench.textbook.opening import make_tables, open_textbook_table

    make_tables(connection)
    luck = random.Random()
    tables = []
    for number in range(TABLES):
        profile = load_profile(FOUNDING[number % len(FOUNDING)])
        name, folded = open_textbook_table(profile, SEATS, DEALS, luck)
        tables.append((name, script_of(folded, _moves_wanted(seconds), luck)))
    dialect = OurDialect(
        lambda table, client: f"/ws/{table}/{f'seat-{client}' if client < SEATS else 'public'}/",
        b'{"t"',
    )
    application, module = "tests.bench.textbook.asgi:application", "tests.bench.textbook.settings"
    with web_server(application, module, "textbook.log") as server:
        return _played(server, dialect, tables, seconds)


class BoardgameDialect:
    """As much of socket.io as boardgame.io's own client speaks."""

    def path(self, table: str, client: int) -> str:
        return "/socket.io/?EIO=4&transport=websocket"

    def greetings(self, table: str, client: int) -> Sequence[tuple[bytes, bytes]]:
        player = str(client) if client < SEATS else None
        sync = json.dumps(["sync", table, player, None, SEATS]).encode()
        return [
            (b"", b"0{"),
            (text_frame(b"40/cards,"), b"40/cards,"),
            (text_frame(b"42/cards," + sync), b'42/cards,["sync"'),
        ]

    def is_view(self, data: bytes, start: int) -> bool:
        return data.startswith((b'42/cards,["update"', b'42/cards,["patch"'), start)

    def reply(self, data: bytes, start: int) -> bytes | None:
        return text_frame(b"3") if data[start : start + 1] == b"2" else None


def boardgame_script(table: str) -> Script:
    number = 0
    while True:
        seat = number % SEATS
        made = {"type": "play", "args": [0], "playerID": str(seat), "credentials": None}
        action = {"type": "MAKE_MOVE", "payload": made}
        said = json.dumps(["update", action, number, table, str(seat)])
        yield seat, text_frame(b"42/cards," + said.encode())
        number += 1


def boardgame_server() -> Server:
    modules = _boardgame_modules()
    port = free_port()
    return Server(
        [peers.node() or "node", str(ROOT / "tests" / "bench" / "boardgame" / "server.js")],
        port=port,
        environment={"NODE_PATH": str(modules), "NODE_ENV": "production", "PORT": str(port)},
        log=scratch() / "boardgame.log",
    )


def _boardgame(seconds: float) -> float:
    names = [f"table{number}" for number in range(TABLES)]
    with boardgame_server() as server:
        tables = [(name, boardgame_script(name)) for name in names]
        return _played(server, BoardgameDialect(), tables, seconds)


def _boardgame_modules() -> Path:
    """Where boardgame.io is installed, after installing it where it is not."""
    npm = peers.npm()
    if npm is None or peers.node() is None:
        raise MissingPeerError("boardgame.io needs Node and npm, and neither is here")
    folder = scratch() / "node"
    modules = folder / "node_modules"
    if not (modules / "boardgame.io").exists():
        folder.mkdir(exist_ok=True)
        wanted = {"name": "bench", "private": True, "dependencies": BOARDGAME}
        (folder / "package.json").write_text(json.dumps(wanted))
        options = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]
        try:
            subprocess.run(
                [npm, "install", *options], cwd=folder, check=True, capture_output=True, timeout=300
            )
        except (OSError, subprocess.SubprocessError) as fault:
            said = getattr(fault, "stderr", b"") or b""
            raise MissingPeerError(
                f"npm could not install boardgame.io: {said.decode()[-300:] or fault}"
            ) from None
    return modules
