"""The clock of a table: whose time runs, and when it is up. Pure; time comes from the events.

A turn has its own time; what it takes longer comes out of the seat's bank, once for the match.
While a bot plays a seat no time runs. Times are milliseconds, moments are instants as the event
store counts them (microseconds).
"""

from __future__ import annotations

import msgspec

from games.eventstore.chain import StoredEvent
from games.rules import events as ev
from games.rules.match import Game
from games.tables.holders import is_bot


class Clock(msgspec.Struct, frozen=True):
    """`seat`: whose turn runs, None between deals; `of_bot`: a bot plays it.

    `credit`: time given back in this turn. `lent`: how often in this turn a bot has taken over.
    """

    move: int
    bank: tuple[int, ...]
    seat: int | None = None
    since: int = 0
    credit: int = 0
    paused_at: int | None = None
    of_bot: bool = False
    lent: int = 0

    def used(self, instant: int) -> int:
        """What the running turn has used up so far."""
        until = self.paused_at if self.paused_at is not None else instant
        return max(0, (until - self.since) // 1000 - self.credit)

    def left(self, instant: int) -> int | None:
        """Until the seat's time is up, bank included; None while no time runs."""
        if self.seat is None or self.paused_at is not None or not self.move or self.of_bot:
            return None
        return self.move + self.bank[self.seat] - self.used(instant)


def new_clock(game: Game) -> Clock:
    """The clock before the first deal. A table without time limits has one too: `move` 0."""
    format_ = game.format
    return Clock(format_.move_seconds * 1000, (format_.bank_seconds * 1000,) * game.seats)


def advance(clock: Clock, stored: StoredEvent, event: ev.Event, after: Game) -> Clock:
    """The clock after an event."""
    instant = stored.instant
    if type(event) in _ABOUT_TIME:
        return _told(clock, instant, event, after)
    return _moved_on(clock, instant, after)


def stopped(clock: Clock, instant: int) -> Clock:
    """The clock after the end of a deal."""
    if clock.seat is None:
        return clock
    return _restarted(_charged(clock, instant), instant, None)


_ABOUT_TIME = (ev.GamePaused, ev.GameResumed, ev.ClockCredited, ev.SeatChanged)


def _told(clock: Clock, instant: int, event: ev.Event, after: Game) -> Clock:
    if isinstance(event, ev.GamePaused):
        return msgspec.structs.replace(clock, paused_at=instant)
    if isinstance(event, ev.GameResumed):
        # Of a turn that began in the pause, by a new player, no more is lost than it has lasted.
        paused_at = instant if clock.paused_at is None else max(clock.paused_at, clock.since)
        lost = (instant - paused_at) // 1000
        return msgspec.structs.replace(clock, paused_at=None, credit=clock.credit + lost)
    if isinstance(event, ev.ClockCredited):
        return msgspec.structs.replace(clock, credit=clock.credit + event.ms)
    if isinstance(event, ev.SeatChanged) and event.seat == clock.seat:
        lent = clock.lent + is_bot(event.holder)
        again = _restarted(_charged(clock, instant), instant, clock.seat, event.holder)
        return msgspec.structs.replace(again, lent=lent)
    return _moved_on(clock, instant, after)


def _moved_on(clock: Clock, instant: int, after: Game) -> Clock:
    deal = after.deal
    seat = None if deal is None or deal.ended is not None else deal.turn
    if seat == clock.seat:
        return clock
    holder = "" if seat is None else after.holders[seat]
    return _restarted(_charged(clock, instant), instant, seat, holder)


def _charged(clock: Clock, instant: int) -> Clock:
    """The same with the bank charged for what the turn took beyond its own time.

    A bot's turn costs the person nothing for whom it plays.
    """
    if clock.seat is None or not clock.move or clock.of_bot:
        return clock
    beyond = max(0, clock.used(instant) - clock.move)
    if not beyond:
        return clock
    bank = list(clock.bank)
    bank[clock.seat] = max(0, bank[clock.seat] - beyond)
    return msgspec.structs.replace(clock, bank=tuple(bank))


def _restarted(clock: Clock, instant: int, seat: int | None, holder: str = "") -> Clock:
    return msgspec.structs.replace(
        clock, seat=seat, since=instant, credit=0, of_bot=is_bot(holder), lent=0
    )
