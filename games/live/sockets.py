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
from django.core.exceptions import ImproperlyConfigured

from games.live import messages, publishing, talk
from games.live.advice import legal_answer, trial_answer
from games.live.frames import catch_up_frame, clock_fields, snapshot_frame
from games.live.hub import EXTENSION, Dropped, Outbox, framed
from games.live.messages import (
    Answer,
    Ask,
    AskLegal,
    Back,
    MakeMove,
    MessageError,
    NextDeal,
    Ping,
    Say,
    Since,
    Try,
)
from games.live.names import names_of
from games.live.publishing import TABLE_TALK, TALK_ROOMS, WATCHERS_TALK, Letter
from games.live.runtime import Runtime, runtime
from games.rules.cards import PACK
from games.rules.moves import LayMelds, MalformedMoveError, check_move, parse_move
from games.rules.profile import Pile
from games.rules.views import PUBLIC, seat_audience
from games.tables import agreements, services
from games.tables.folding import Folded
from games.tables.loading import delay_of, load, public_fold, stream_of
from games.tables.outcomes import Accepted, MoveOutcome, Refused, Stale, TableError
from games.tables.passes import person_of, seat_by_pass
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

SAID_EVERY_SECOND, SAID_AT_ONCE = 0.5, 5
"""How much one browser may say; more is not told to anybody."""

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
        if EXTENSION not in scope["extensions"]:
            raise ImproperlyConfigured("run uvicorn with --ws deploy.websockets:TableProtocol")
        self._outbox = Outbox(scope["extensions"][EXTENSION], self._dropped)
        self._public_id: str = scope["url_route"]["kwargs"]["public_id"]
        query = parse_qs(scope.get("query_string", b"").decode("latin-1"))
        self._pass = query.get("pass", [""])[0]
        self._stream = 0
        self._audience = PUBLIC
        self._seat: int | None = None
        self._person = ""
        self._delay = 0
        self._rooms: tuple[str, ...] = ()
        rate = settings.POZZETTO_SOCKET_RATE
        self._credit = Credit(rate=rate, burst=4 * rate)
        self._talk_credit = Credit(rate=SAID_EVERY_SECOND, burst=SAID_AT_ONCE)
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
        outbox = self._outbox
        shared.presence.enter(self._stream, self._seat)
        try:
            # Join first, then look: what happens in between arrives twice rather than never.
            if self._delay:
                await shared.delayed.join(self._stream, self._delay, outbox)
            else:
                await shared.hub.join(self._stream, self._audience, outbox)
            for room in self._rooms:
                await shared.hub.join(self._stream, room, outbox)
            outbox.release(await shared.play.in_thread(self._snapshot))
            for line in await shared.play.in_thread(self._recalled):
                outbox.put(framed(line))
            await self._serve(shared)
        finally:
            shared.presence.leave(self._stream, self._seat)
            if self._delay:
                await shared.delayed.leave(self._stream, outbox)
            for room in (self._audience, *self._rooms):
                shared.hub.leave(self._stream, room, outbox)

    def _enter(self) -> None:
        self._stream = stream_of(self._public_id)
        if self._pass:
            seat = seat_by_pass(self._public_id, self._pass)
            self._seat, self._person = seat.number, person_of(seat.holder)
            self._outbox.holder = self._person.encode()
            self._audience = seat_audience(seat.number)
            self._rooms = (TABLE_TALK,)
        else:
            self._delay = delay_of(self._stream)
            # What players say now may tell of what the delay is to keep.
            self._rooms = (WATCHERS_TALK,) if self._delay else (TABLE_TALK, WATCHERS_TALK)

    def _snapshot(self) -> bytes:
        folded = self._visible()
        names = names_of(folded.state.holders)
        behind = self._delay * 1_000_000
        return snapshot_frame(self._public_id, folded, self._audience, names, behind=behind)

    def _visible(self) -> Folded:
        """The game as this socket may see it now."""
        if self._delay:
            return public_fold(self._stream)
        folded = load(self._stream)
        self._check_still_seated(folded)
        return folded

    def _recalled(self) -> list[bytes]:
        rooms = tuple(TALK_ROOMS[room] for room in self._rooms)
        return [messages.encode(line) for line in talk.recalled(self._stream, rooms)]

    async def _serve(self, shared: Runtime) -> None:
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
                self._answer("error", code=fault.code, reason=str(fault))
                continue
            command = {"id": message.id} if isinstance(message, messages.Command) else {}
            try:
                await self._handle(shared, message)
            except (MessageError, MalformedMoveError, TableError) as fault:
                self._answer("error", code=fault.code, reason=str(fault), **command)
            except STORE_AWAY as fault:
                log.warning("table %s: the store did not answer: %s", self._public_id, fault)
                reason = "the server is busy; send it again"
                self._answer("error", code="try-again", reason=reason, **command)

    async def _handle(self, shared: Runtime, message: messages.Message) -> None:
        if isinstance(message, MakeMove):
            await self._move(shared, message)
        elif isinstance(message, Since):
            self._outbox.hold()
            missed = None
            try:
                missed = await shared.play.in_thread(self._since, message.seq)
            finally:
                self._outbox.release(missed)
        elif isinstance(message, Ping):
            folded = await shared.play.in_thread(self._visible)
            self._answer("pong", seq=folded.head.seq)
        elif isinstance(message, AskLegal | Try):
            await self._advise(shared, message)
        elif isinstance(message, Say):
            if not self._talk_credit.spend():
                raise MessageError("talks-too-fast", "say it a little later")
            room, line = await shared.play.in_thread(self._say, message)
            name = TABLE_TALK if room == "table" else WATCHERS_TALK
            letter = Letter(name, messages.encode(line))
            shared.hub.publish(publishing.message(self._stream, [letter]))
            self._answer("ack", id=message.id)
        else:
            outcome = await shared.play.in_thread(self._carry_out, message)
            self._tell(message.id, outcome)

    def _carry_out(self, message: NextDeal | Ask | Answer | Back) -> MoveOutcome:
        """A command that is no move, through the services."""
        seat = self._own_seat()
        self._check_still_seated(load(self._stream))
        stream, by = self._stream, self._person
        command = f"{by}:{message.id}"
        if isinstance(message, NextDeal):
            return services.start_next_deal(stream=stream, by=by, command_id=command)
        if isinstance(message, Ask):
            return agreements.propose(
                stream=stream, seat=seat, what=message.what, by=by, command_id=command
            )
        if isinstance(message, Answer):
            return agreements.respond(
                stream=stream,
                seat=seat,
                what=message.what,
                grant=message.grant,
                by=by,
                command_id=command,
            )
        return agreements.take_back_seat(stream=stream, seat=seat, person=by, command_id=command)

    async def _advise(self, shared: Runtime, message: AskLegal | Try) -> None:
        seat = self._own_seat()
        folded = await shared.play.load(self._stream, message.seq)
        self._check_still_seated(folded)
        if isinstance(message, AskLegal):
            self._answer("legal", **legal_answer(folded, seat))
            return
        check_move(LayMelds(seat, message.place), seats=folded.state.seats, open_pile=False)
        if sum(len(placement.cards) for placement in message.place) > len(PACK):
            raise MessageError("too-many-cards", "a pack does not hold so many cards")
        answer = trial_answer(folded, seat, message.place)
        self._answer("tried", id=message.id, seq=folded.head.seq, **answer)

    def _say(self, message: Say) -> tuple[str, dict[str, Any]]:
        if self._seat is not None:
            self._check_still_seated(load(self._stream))
        return talk.say(stream=self._stream, seat=self._seat, person=self._person, said=message)

    async def _move(self, shared: Runtime, message: MakeMove) -> None:
        seat = self._own_seat()
        folded = await shared.play.load(self._stream, message.seq)
        self._check_still_seated(folded)
        game = folded.state
        if game.holders[seat] != self._person:
            raise MessageError("bot-plays", "a bot plays for you: take your seat back first")
        open_pile = game.profile.turn.pile is Pile.OPEN
        move = parse_move({"seat": seat, **message.move}, seats=game.seats, open_pile=open_pile)
        if move.seat != seat:
            raise MessageError("not-your-seat", f"you sit on seat {seat}")
        outcome = await shared.play.submit(
            self._stream,
            move,
            by=self._person,
            seq=message.seq,
            command_id=f"{self._person}:{message.id}",
        )
        self._tell(message.id, outcome)

    def _own_seat(self) -> int:
        if self._seat is None:
            raise MessageError("not-seated", "spectators watch; to play, take a seat")
        return self._seat

    def _check_still_seated(self, folded: Folded) -> None:
        if self._seat is not None and person_of(folded.state.holders[self._seat]) != self._person:
            raise MessageError("seat-lost", SEAT_LOST)

    def _tell(self, command: str, outcome: MoveOutcome) -> None:
        if isinstance(outcome, Accepted):
            self._answer("ack", id=command, seq=outcome.seq)
        elif isinstance(outcome, Refused):
            refusal = outcome.refusal
            self._answer(
                "refused",
                id=command,
                code=refusal.code,
                clause=refusal.clause,
                reason=refusal.reason,
                seq=outcome.seq,
            )
        elif isinstance(outcome, Stale):
            self._answer("stale", id=command, seq=outcome.seq)

    def _since(self, seq: int) -> bytes:
        folded = self._visible()
        head = folded.head.seq
        if not 0 < seq <= head or head - seq > MOST_RESUMED:
            return self._snapshot()
        missed = [step for step in all_steps(self._stream) if seq < step.stored.seq <= head]
        if not missed:
            return messages.write("pong", seq=seq)
        clock = clock_fields(folded, behind=self._delay * 1_000_000)
        return catch_up_frame(missed, self._audience, clock)

    def _answer(self, kind: str, **fields: Any) -> None:
        self._outbox.put(framed(messages.write(kind, **fields)))

    async def _refuse(self, close: int, code: str, reason: str) -> None:
        """Say why, then close. By ASGI: the outbox may be held, or shut."""
        said = messages.write("error", code=code, reason=reason).decode()
        # A socket that is closing already takes neither.
        with suppress(OSError, RuntimeError):
            await self._send({"type": "websocket.send", "text": said})
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
