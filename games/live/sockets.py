"""The WebSocket of a table: a lean ASGI application under Channels' routing.

Audiences: anyone as `public`; with `?pass=` the seat that the pass opens. It holds no state of the
game: moves go to the tables, frames come from the hub.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any
from urllib.parse import parse_qs

import psycopg
from django import db
from django.conf import settings

from games.live import messages
from games.live.frames import catch_up_frame, snapshot_frame
from games.live.hub import Dropped, Outbox
from games.live.messages import MakeMove, MessageError, NextDeal, Ping, Since
from games.live.names import names_of
from games.live.runtime import Runtime, runtime
from games.rules.moves import MalformedMoveError, parse_move
from games.rules.profile import Pile
from games.rules.views import PUBLIC, seat_audience
from games.tables import services
from games.tables.folding import Folded
from games.tables.loading import load, stream_of
from games.tables.outcomes import Accepted, MoveOutcome, Refused, Stale, TableError
from games.tables.passes import seat_by_pass
from games.tables.selectors import all_steps

log = logging.getLogger(__name__)

CLOSE_TOO_SLOW = 4408
CLOSE_NO_TABLE = 4404
CLOSE_NO_PASS = 4403
CLOSE_TOO_FAST = 4429
CLOSE_TOO_LARGE = 1009
CLOSE_TRY_LATER = 1013

STORE_AWAY = (db.Error, psycopg.Error, OSError, TimeoutError)
"""What is raised, by Django or beside it, while the database does not answer."""

MOST_RESUMED = 64
"""Events that are sent one by one to a browser that was away; after more a snapshot is shorter."""

SEAT_LOST = "someone else has your seat now"

Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]


class Credit:
    """A budget of messages: `burst` at once, `rate` a second in the long run."""

    def __init__(self, *, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._left, self._at = burst, time.monotonic()

    def spend(self) -> bool:
        """Take one message's worth; False when there is none left."""
        now = time.monotonic()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class TableSocket:
    """One browser at one table, for as long as it is connected."""

    def __init__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        self._receive = receive
        self._send = send
        self._public_id: str = scope["url_route"]["kwargs"]["public_id"]
        query = parse_qs(scope.get("query_string", b"").decode("latin-1"))
        self._pass = query.get("pass", [""])[0]
        self._stream = 0
        self._audience = PUBLIC
        self._seat: int | None = None
        self._holder = ""
        rate = settings.POZZETTO_SOCKET_RATE
        self._credit = Credit(rate=rate, burst=4 * rate)
        self._closing: asyncio.Future[None] | None = None

    async def run(self) -> None:
        """Accept, send a snapshot, then serve until one side closes."""
        if (await self._receive())["type"] != "websocket.connect":
            return
        # Accepted first: a browser is told no code for a socket refused in the handshake.
        await self._send({"type": "websocket.accept"})
        try:
            shared = await runtime()
            await shared.play.in_thread(self._enter)
            await self._follow(shared)
        except TableError as fault:
            code = CLOSE_NO_PASS if fault.code == "pass-invalid" else CLOSE_NO_TABLE
            await self._refuse(code, fault.code, str(fault))
        except MessageError as fault:
            await self._refuse(CLOSE_NO_PASS, fault.code, str(fault))
        except STORE_AWAY as fault:
            log.warning("table %s: the store did not answer: %s", self._public_id, fault)
            await self._refuse(CLOSE_TRY_LATER, "try-again", "the server is busy; come back")

    async def _follow(self, shared: Runtime) -> None:
        outbox = Outbox(self._send_frame, self._dropped, self._holder)
        # Join first, then look: what happens in between arrives twice rather than never.
        await shared.hub.join(self._stream, self._audience, outbox)
        sending = asyncio.create_task(outbox.run())
        try:
            outbox.release(await shared.play.in_thread(self._snapshot))
            await self._serve(shared, outbox)
        finally:
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)
            await shared.hub.leave(self._stream, self._audience, outbox)

    def _enter(self) -> None:
        self._stream = stream_of(self._public_id)
        if self._pass:
            seat = seat_by_pass(self._public_id, self._pass)
            self._seat, self._holder = seat.number, seat.holder
            self._audience = seat_audience(seat.number)

    def _snapshot(self) -> bytes:
        folded = load(self._stream)
        self._check_still_seated(folded)
        names = names_of(folded.state.holders)
        return snapshot_frame(self._public_id, folded, self._audience, names)

    async def _serve(self, shared: Runtime, outbox: Outbox) -> None:
        while True:
            event = await self._receive()
            if event["type"] == "websocket.disconnect":
                return
            if not self._credit.spend():
                await self._refuse(CLOSE_TOO_FAST, "too-fast", "too many messages at once")
                return
            try:
                message = messages.read(event.get("text"))
            except MessageError as fault:
                if fault.code == "frame-too-large":
                    await self._refuse(CLOSE_TOO_LARGE, fault.code, str(fault))
                    return
                await self._answer("error", code=fault.code, reason=str(fault))
                continue
            command = {"id": message.id} if isinstance(message, MakeMove | NextDeal) else {}
            try:
                await self._handle(shared, outbox, message)
            except (MessageError, MalformedMoveError, TableError) as fault:
                await self._answer("error", code=fault.code, reason=str(fault), **command)
            except STORE_AWAY as fault:
                log.warning("table %s: the store did not answer: %s", self._public_id, fault)
                reason = "the server is busy; send it again"
                await self._answer("error", code="try-again", reason=reason, **command)

    async def _handle(self, shared: Runtime, outbox: Outbox, message: messages.Message) -> None:
        if isinstance(message, MakeMove):
            await self._move(shared, message)
        elif isinstance(message, NextDeal):
            outcome = await shared.play.in_thread(self._start_next_deal, message.id)
            await self._tell(message.id, outcome)
        elif isinstance(message, Since):
            outbox.hold()
            missed = None
            try:
                missed = await shared.play.in_thread(self._since, message.seq)
            finally:
                outbox.release(missed)
        elif isinstance(message, Ping):
            folded = await shared.play.in_thread(load, self._stream)
            await self._answer("pong", seq=folded.head.seq)

    def _start_next_deal(self, command: str) -> MoveOutcome:
        self._check_seated()
        self._check_still_seated(load(self._stream))
        return services.start_next_deal(
            stream=self._stream, by=self._holder, command_id=f"{self._holder}:{command}"
        )

    async def _move(self, shared: Runtime, message: MakeMove) -> None:
        self._check_seated()
        folded = await shared.play.load(self._stream, message.seq)
        self._check_still_seated(folded)
        game = folded.state
        open_pile = game.profile.turn.pile is Pile.OPEN
        move = parse_move(
            {"seat": self._seat, **message.move}, seats=game.seats, open_pile=open_pile
        )
        if move.seat != self._seat:
            raise MessageError("not-your-seat", f"you sit on seat {self._seat}")
        outcome = await shared.play.submit(
            self._stream,
            move,
            by=self._holder,
            seq=message.seq,
            command_id=f"{self._holder}:{message.id}",
        )
        await self._tell(message.id, outcome)

    def _check_seated(self) -> None:
        if self._seat is None:
            raise MessageError("not-seated", "spectators watch; to play, take a seat")

    def _check_still_seated(self, folded: Folded) -> None:
        if self._seat is not None and folded.state.holders[self._seat] != self._holder:
            raise MessageError("seat-lost", SEAT_LOST)

    async def _tell(self, command: str, outcome: MoveOutcome) -> None:
        if isinstance(outcome, Accepted):
            await self._answer("ack", id=command, seq=outcome.seq)
        elif isinstance(outcome, Refused):
            refusal = outcome.refusal
            await self._answer(
                "refused",
                id=command,
                code=refusal.code,
                clause=refusal.clause,
                reason=refusal.reason,
                seq=outcome.seq,
            )
        elif isinstance(outcome, Stale):
            await self._answer("stale", id=command, seq=outcome.seq)

    def _since(self, seq: int) -> bytes:
        folded = load(self._stream)
        self._check_still_seated(folded)
        head = folded.head.seq
        if not 0 < seq <= head or head - seq > MOST_RESUMED:
            return self._snapshot()
        missed = [step for step in all_steps(self._stream) if step.stored.seq > seq]
        return catch_up_frame(missed, self._audience) if missed else messages.write("pong", seq=seq)

    async def _answer(self, kind: str, **fields: Any) -> None:
        await self._send_frame(messages.write(kind, **fields))

    async def _send_frame(self, frame: bytes) -> None:
        # A socket that is closing takes nothing any more; the loop above hears of it.
        with suppress(OSError, RuntimeError):
            await self._send({"type": "websocket.send", "text": frame.decode()})

    async def _refuse(self, close: int, code: str, reason: str) -> None:
        """Say why, then close."""
        await self._answer("error", code=code, reason=reason)
        with suppress(OSError, RuntimeError):
            await self._send({"type": "websocket.close", "code": close})

    def _dropped(self, why: Dropped) -> None:
        if why is Dropped.TOO_SLOW:
            refuse = self._refuse(CLOSE_TOO_SLOW, why.value, "you read too slowly; come back")
        else:
            refuse = self._refuse(CLOSE_NO_PASS, why.value, SEAT_LOST)
        self._closing = asyncio.ensure_future(refuse)


async def table_socket(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """The ASGI application of a table's socket."""
    await TableSocket(scope, receive, send).run()
