"""Clocks that run out, players who are away, pauses that last too long: swept once a second.

Deadlines are worked out from the store (the clock is a fold of the events) and from presence; a
bot takes over the seat until its player is back. While nobody can reach the tables nobody's time
runs: whoever serves them again first gives back what was lost, as an event.
"""

from __future__ import annotations

import logging
from datetime import UTC, datetime, timedelta

import redis
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from games.eventstore.chain import instant_of
from games.rules import events as ev
from games.tables import presence
from games.tables.agreements import resume_match
from games.tables.folding import Folded
from games.tables.holders import BOT, is_bot
from games.tables.loading import load, load_many
from games.tables.models import Game, Pulse, Seat
from games.tables.outcomes import Accepted, MoveOutcome, TableError
from games.tables.services import commit_events, until_first

log = logging.getLogger(__name__)

ABSENT_SECONDS = 45
"""A player whose turn it is and whose browser has been silent for so long is stood in for."""
LONGEST_PAUSE = timedelta(minutes=20)
OUTAGE = timedelta(seconds=4)
"""A part that has given no sign for so long counts as away."""

SWEEP, WEB = "sweep", "web"
_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
"""From which the event store counts."""


def beat() -> datetime:
    """A sign of life of a process that serves the tables' sockets; answers since when all is well.

    The first after a while in which there was none gives the time between back: it comes before
    any player is served again, so that the time goes to the turn that lost it.
    """
    with transaction.atomic():
        at = timezone.now()
        pulse, _ = Pulse.objects.select_for_update().get_or_create(
            part=WEB, defaults={"at": at, "steady_since": at}
        )
        now = timezone.now()
        if now - pulse.at > OUTAGE:
            _credit(now - pulse.at)
            pulse.steady_since = now
        pulse.at = max(now, pulse.at)
        pulse.save(update_fields=["at", "steady_since"])
    return max(Pulse.objects.values_list("steady_since", flat=True))


def sweep_absences() -> int:
    """Do what is due; returns at how many tables something was done.

    Judged is by the moment of the last sign of life of those who serve the tables: later than that
    it is not known whether anybody could have moved.
    """
    steady = _swept()
    web = Pulse.objects.filter(part=WEB).first()
    if web is None or timezone.now() - web.at > OUTAGE:
        return 0
    return _stand_in(web.at, max(web.steady_since, steady))


def _swept() -> datetime:
    """The sweep's own sign of life; since when there has been one all the time."""
    with transaction.atomic():
        at = timezone.now()
        pulse, _ = Pulse.objects.select_for_update().get_or_create(
            part=SWEEP, defaults={"at": at, "steady_since": at}
        )
        now = timezone.now()
        if now - pulse.at > OUTAGE:
            pulse.steady_since = now
        pulse.at = max(now, pulse.at)
        pulse.save(update_fields=["at", "steady_since"])
    return pulse.steady_since


def _credit(gap: timedelta) -> None:
    """Give the time of an outage back at every table whose clock runs."""
    for stream in _playing().filter(clocked=True).values_list("pk", flat=True):
        try:
            until_first(lambda stream=stream: _credit_table(stream, gap))  # type: ignore[misc]
        except TableError as fault:
            log.warning("table %s: %s", stream, fault)


def _credit_table(stream: int, gap: timedelta) -> MoveOutcome | None:
    folded = load(stream)
    now, clock = instant_of(timezone.now()), folded.clock
    if clock is None or clock.left(now) is None:
        return None
    # A turn that began within the gap has lost no more than it has lasted.
    lost = min(gap // timedelta(milliseconds=1), clock.used(now))
    if lost <= 0:
        return None
    return commit_events(folded, [ev.ClockCredited(lost, "outage")], by="clock")


def _stand_in(now: datetime, steady: datetime) -> int:
    """Clocks that are up, players who are away, pauses without an end."""
    tables = load_many(_playing().values_list("pk", flat=True))
    try:
        known_since = presence.known_since()
        seen = presence.last_seen(
            (stream, folded.state.deal.turn)
            for stream, folded in tables.items()
            if folded.state.deal is not None and _person_to_play(folded) is not None
        )
    except redis.RedisError as fault:
        log.warning("presence is not known: %s", fault)
        return 0
    # Where presence has been forgotten, everyone was here until just now.
    steady = max(steady, now if known_since is None else moment_of(known_since))
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
        began = max(clock.paused_at or 0, instant_of(steady))
        if instant_of(now) - began <= LONGEST_PAUSE // timedelta(microseconds=1):
            return False
        return isinstance(resume_match(stream=stream, by="clock", reason="timeout"), Accepted)
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
    turn = (_EPOCH + timedelta(microseconds=turn_since)).timestamp()
    return max(turn, last_seen or 0.0, steady.timestamp()) + ABSENT_SECONDS


def moment_of(seconds: float) -> datetime:
    """Seconds since 1970 as a moment."""
    return datetime.fromtimestamp(seconds, UTC)


def _bot_takes(stream: int, folded: Folded, seat: int, before: list[ev.Event], reason: str) -> bool:
    """Only if nothing has happened at the table since it was looked at: the append says so."""
    person = folded.state.holders[seat]
    change = ev.SeatChanged(seat, f"{BOT}sensible:{person}", reason)
    return isinstance(commit_events(folded, [*before, change], by="clock"), Accepted)


def _person_to_play(folded: Folded) -> str | None:
    state = folded.state
    if state.deal is None or state.deal.ended is not None or state.over:
        return None
    holder = state.holders[state.deal.turn]
    return None if is_bot(holder) else holder


def _playing() -> QuerySet[Game]:
    """Tables at which a person sits and a deal is being played, or bots wait for the next."""
    return Game.objects.filter(
        Exists(Seat.objects.filter(game=OuterRef("pk"), holder__startswith="p")),
        Q(status=Game.Status.PLAYING) | Q(status=Game.Status.BETWEEN, bots_due_at__isnull=False),
    )
