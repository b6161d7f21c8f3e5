"""Clocks that run out, players who are away, pauses that last too long: swept once a second.

Deadlines are worked out from the store (the clock is a fold of the events) and from presence; a
bot takes over the seat until its player is back. While a part of the system is away nobody's time
runs: what was lost is credited as an event.
"""

from __future__ import annotations

import logging
from datetime import UTC, datetime, timedelta

import redis
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from games.eventstore.chain import instant_of
from games.rules import events as ev
from games.tables import presence
from games.tables.agreements import resume_match
from games.tables.folding import Folded
from games.tables.loading import load_many
from games.tables.models import Game, Pulse, Seat
from games.tables.outcomes import TableError
from games.tables.services import BOT, commit_events

log = logging.getLogger(__name__)

ABSENT_SECONDS = 45
"""A player whose turn it is and whose browser has been silent for so long is stood in for."""
LONGEST_PAUSE = timedelta(minutes=20)
OUTAGE = timedelta(seconds=4)
"""A part that has given no sign for so long counts as away."""

SWEEP, WEB = "sweep", "web"


def beat() -> None:
    """A sign of life of a process that serves the tables' sockets."""
    now = timezone.now()
    Pulse.objects.update_or_create(part=WEB, defaults={"at": now, "steady_since": now})


def sweep_absences() -> int:
    """Do what is due; returns at how many tables something was done.

    The sweep's own pulse is the last moment at which both it and the sockets were there. A gap
    since then is an outage, and its time is given back.
    """
    now = timezone.now()
    credited = 0
    with transaction.atomic():
        web = Pulse.objects.filter(part=WEB).first()
        if web is None or now - web.at > OUTAGE:
            # Nobody can reach the tables: nobody is away from them, and no time is up.
            return 0
        pulse, _ = Pulse.objects.select_for_update().get_or_create(
            part=SWEEP, defaults={"at": web.at, "steady_since": now}
        )
        if now - pulse.at > OUTAGE:
            credited = _credit(now - pulse.at)
            pulse.steady_since = now
        pulse.at = web.at
        pulse.save(update_fields=["at", "steady_since"])
    return credited + _stand_in(now, pulse.steady_since)


def _credit(gap: timedelta) -> int:
    """Give the time of an outage back at every table whose clock runs."""
    milliseconds = int(gap / timedelta(milliseconds=1))
    credited = 0
    clocked = _playing().filter(clocked=True).values_list("pk", flat=True)
    for folded in load_many(clocked).values():
        if folded.state.paused or folded.state.between_deals:
            continue
        commit_events(folded, [ev.ClockCredited(milliseconds, "outage")], by="clock")
        credited += 1
    return credited


def _stand_in(now: datetime, steady: datetime) -> int:
    """Clocks that are up, players who are away, pauses without an end."""
    tables = load_many(_playing().values_list("pk", flat=True))
    try:
        seen = presence.last_seen(
            (stream, folded.state.deal.turn)
            for stream, folded in tables.items()
            if folded.state.deal is not None and _person_to_play(folded) is not None
        )
    except redis.RedisError as fault:
        log.warning("presence is not known: %s", fault)
        return 0
    done = 0
    for stream, folded in tables.items():
        try:
            done += _attend(stream, folded, seen, now, steady)
        except TableError as fault:
            log.info("table %s: %s", stream, fault)
    return done


def _attend(
    stream: int,
    folded: Folded,
    seen: dict[tuple[int, int], float],
    now: datetime,
    steady: datetime,
) -> bool:
    clock, state = folded.clock, folded.state
    if clock is None:
        return False
    if state.paused:
        paused_at = clock.paused_at or instant_of(now)
        if instant_of(now) - paused_at > LONGEST_PAUSE // timedelta(microseconds=1):
            resume_match(stream=stream, by="clock", reason="timeout")
            return True
        return False
    person = _person_to_play(folded)
    if person is None or state.deal is None:
        return False
    seat = state.deal.turn
    left = clock.left(instant_of(now))
    if left is not None and left <= 0:
        return _bot_takes(stream, folded, seat, [ev.ClockExpired(seat)], "clock")
    if takeover_at(clock.since, seen.get((stream, seat)), steady) <= now.timestamp():
        return _bot_takes(stream, folded, seat, [], "absent")
    return False


def takeover_at(turn_since: int, last_seen: float | None, steady: datetime) -> float:
    """When a bot takes over from a silent player whose turn it is, in seconds since 1970."""
    turn = datetime(2000, 1, 1, tzinfo=UTC).timestamp() + turn_since / 1_000_000
    return max(turn, last_seen or 0.0, steady.timestamp()) + ABSENT_SECONDS


def _bot_takes(stream: int, folded: Folded, seat: int, before: list[ev.Event], reason: str) -> bool:
    """Only if nothing has happened at the table since it was looked at: the append says so."""
    person = folded.state.holders[seat]
    change = ev.SeatChanged(seat, f"{BOT}sensible:{person}", reason)
    commit_events(folded, [*before, change], by="clock")
    return True


def _person_to_play(folded: Folded) -> str | None:
    state = folded.state
    if state.deal is None or state.deal.ended is not None or state.over:
        return None
    holder = state.holders[state.deal.turn]
    return None if holder.startswith(BOT) else holder


def _playing() -> QuerySet[Game]:
    """Tables at which a person sits and a deal is being played."""
    return Game.objects.filter(
        Exists(Seat.objects.filter(game=OuterRef("pk"), holder__startswith="p")),
        status=Game.Status.PLAYING,
    )
