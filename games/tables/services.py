"""What may be done at tables. Every command is one transaction of events and the rows beside them.

Commands that carry a `command_id` may be sent again: the repeat changes nothing and answers as the
first time. After the commit `committed` tells who listens (the live tables) what happened.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import TypeVar

import msgspec
from django.db import IntegrityError, transaction
from django.dispatch import Signal
from django.utils import timezone

from games.bots.players import PLAYERS
from games.eventstore import store
from games.eventstore.chain import Appended, Conflict, Repeated
from games.rules import events as ev
from games.rules import match
from games.rules.moves import AnyMove
from games.rules.profile import Profile, profile_digest
from games.rules.refusals import Refusal
from games.rules.shuffle import commitment
from games.tables import planning
from games.tables.folding import CACHE, Folded, Step, advanced, encoded, paired, start
from games.tables.holders import BOT, is_bot, person_of
from games.tables.loading import load
from games.tables.models import Game, PlayedDeal, Seat, Shuffle
from games.tables.outcomes import Accepted, MoveOutcome, Refused, Stale, TableError
from games.tables.sealing import new_master, seal

committed = Signal()
"""Sent once a command's events are committed, with `folded` (after them) and `steps`."""

LONGEST_DELAY = 3600
_TRIES = 5
"""How often a command is carried out again that comes just after someone else's."""
_REFERENCE = re.compile(r"p[a-z0-9]{1,19}\Z")


def open_table(
    *,
    profile: Profile,
    holders: Sequence[str],
    by: str,
    target: int | None = None,
    deals: int = 0,
    move_seconds: int = 0,
    bank_seconds: int = 0,
    delay_seconds: int = 0,
    club: int | None = None,
    label: str = "",
    bot_pace: timedelta = timedelta(seconds=1.5),
    command_id: str | None = None,
) -> Game:
    """Open a table and start its first deal.

    `holders`: a reference a seat (`check_holder`). The match goes on to
    `target` points (None: the profile's own) or for `deals` deals; `move_seconds` and
    `bank_seconds` are its clock. Spectators see it `delay_seconds` later. Raises `TableError`.
    """
    if command_id is not None:
        opened = Game.objects.filter(opening_command=command_id).first()
        if opened is not None:
            return opened
    if target is None:
        target = 0 if deals else profile.target
    for holder in holders:
        check_holder(holder)
    master = new_master()
    format_ = ev.MatchFormat(target, deals, move_seconds, bank_seconds)
    if not 0 <= delay_seconds <= LONGEST_DELAY:
        raise TableError("delay-unsound", f"spectators may be {LONGEST_DELAY} seconds behind")
    try:
        event = match.open_game(profile, len(holders), format_, tuple(holders), commitment(master))
    except match.MatchError as fault:
        raise TableError(fault.code, str(fault)) from None
    try:
        with transaction.atomic():
            stream = store.open_stream("game")
            game = Game.objects.create(
                stream=stream,
                club=club,
                label=label,
                profile_id=profile.id,
                profile_name=profile.name,
                profile_digest=profile_digest(profile),
                terms="" if profile.terms is msgspec.UNSET else profile.terms.value,
                seats=len(holders),
                target=target,
                deals=deals,
                clocked=bool(move_seconds or bank_seconds),
                delay_seconds=delay_seconds,
                totals=[0, 0],
                opened_at=timezone.now(),
                opening_command=command_id,
                bot_pace_ms=int(bot_pace / timedelta(milliseconds=1)),
                bots_due_at=timezone.now() if has_bots(holders) else None,
            )
            Seat.objects.bulk_create(
                Seat(game=game, number=number, holder=holder)
                for number, holder in enumerate(holders)
            )
            Shuffle.objects.create(game=game, sealed=seal(master))
            opened_ = commit_events(start(stream, master), [event], by=by, command_id=command_id)
            folded = _folded_after(opened_)
            commit_events(folded, planning.plan_deal(folded), by=by)
    except IntegrityError:
        # The same command from two sides at once: the other one was first.
        first = command_id and Game.objects.filter(opening_command=command_id).first()
        if not first:
            raise
        return first
    game.refresh_from_db()
    return game


def submit_move(
    *, stream: int, move: AnyMove, by: str, seq: int | None = None, command_id: str | None = None
) -> MoveOutcome:
    """Make a well-formed move.

    `seq`: the last event that the player has seen; if the table has moved on the answer is `Stale`.
    Raises `TableError` where there is no deal to move in.
    """
    with transaction.atomic():
        folded = load(stream)
        if seq is not None and seq != folded.head.seq:
            return first_outcome(stream, command_id) or Stale(folded.head.seq)
        decided = planning.plan_move(folded, move)
        if isinstance(decided, Refusal):
            return first_outcome(stream, command_id) or Refused(decided, folded.head.seq)
        return commit_events(folded, decided, by=by, command_id=command_id)


def start_next_deal(*, stream: int, by: str, command_id: str | None = None) -> MoveOutcome:
    """Start the deal after the one that has ended. Raises `TableError`."""
    with transaction.atomic():
        folded = load(stream)
        if command_id is not None and (known := first_outcome(stream, command_id)):
            return known
        return commit_events(folded, planning.plan_deal(folded), by=by, command_id=command_id)


def end_match(*, stream: int, by: str, command_id: str | None = None) -> MoveOutcome:
    """End the match by a ruling; a deal in play is broken off uncounted. Raises `TableError`."""
    return carry_out(stream, planning.plan_end, by=by, command_id=command_id)


def change_seat(
    *, stream: int, seat: int, holder: str, by: str, reason: str, command_id: str | None = None
) -> MoveOutcome:
    """Put someone else, a person or a bot, on a seat; play goes on as it stands.

    Raises `TableError`.
    """
    check_holder(holder)

    def plan(folded: Folded) -> list[ev.Event]:
        game = folded.state
        if game.over:
            raise TableError("game-over", "the match is over")
        if not 0 <= seat < game.seats:
            raise TableError("no-such-seat", f"there is no seat {seat}")
        others = [each for number, each in enumerate(game.holders) if number != seat]
        person = person_of(holder)
        seated = _REFERENCE.match(person) and person in map(person_of, others)
        if seated or holder == game.holders[seat]:
            raise TableError("already-seated", f"{person} sits at this table already")
        return [ev.SeatChanged(seat, holder, reason)]

    return carry_out(stream, plan, by=by, command_id=command_id)


def carry_out(
    stream: int,
    plan: Callable[[Folded], list[ev.Event]],
    *,
    by: str,
    command_id: str | None = None,
) -> MoveOutcome:
    """A command that holds whatever has just happened at the table: planned anew if need be.

    Raises what `plan` raises, `MatchError` as `TableError`.
    """

    def once() -> MoveOutcome:
        with transaction.atomic():
            folded = load(stream)
            if command_id is not None and (known := first_outcome(stream, command_id)):
                return known
            try:
                events = plan(folded)
            except match.MatchError as fault:
                raise TableError(fault.code, str(fault)) from None
            return commit_events(folded, events, by=by, command_id=command_id)

    return until_first(once)


Outcome = TypeVar("Outcome")


def until_first(command: Callable[[], Outcome]) -> Outcome:
    """Try again while somebody else was first (`Stale`), a few times at most."""
    for _ in range(_TRIES):
        outcome = command()
        if not isinstance(outcome, Stale):
            break
    return outcome


def first_outcome(stream: int, command_id: str | None) -> Accepted | None:
    """What a command led to, if it was carried out before."""
    if command_id is None:
        return None
    known = store.outcome_of(stream, command_id)
    if known is None:
        return None
    return Accepted(None, [], known.head.seq, repeated=True)


def check_holder(holder: str) -> None:
    """Raises `TableError` (`no-such-holder`) unless this is a reference that may hold a seat.

    `p…` is a person, `bot:KIND` a bot, `bot:KIND:p…` a bot that plays for a person.
    """
    kind, _, person = holder.removeprefix(BOT).partition(":")
    if holder.startswith(BOT):
        if kind not in PLAYERS:
            raise TableError("no-such-holder", f"there is no bot {kind!r}")
    else:
        person = holder
    if (person or not holder.startswith(BOT)) and not _REFERENCE.match(person):
        raise TableError("no-such-holder", f"{holder!r} is no reference to a person")


def has_bots(holders: Sequence[str]) -> bool:
    return any(map(is_bot, holders))


def commit_events(
    folded: Folded, events: list[ev.Event], *, by: str, command_id: str | None = None
) -> MoveOutcome:
    """Append, write the rows beside, and tell after the commit.

    A command that changes rows locks the game's first: a sweep that lets bots play holds that lock
    while it appends, and taken the other way round the two would wait for each other.
    """
    with transaction.atomic():
        if planning.changes_rows(events):
            Game.objects.select_for_update().filter(pk=folded.stream).first()
        outcome = store.append(
            folded.stream,
            folded.head,
            [encoded(event) for event in events],
            by=by,
            command_id=command_id,
        )
        if isinstance(outcome, Conflict):
            # Also after the commit: until then `load` waits to keep what it had found.
            CACHE.forget(folded.stream)
            transaction.on_commit(partial(CACHE.forget, folded.stream))
            return Stale(outcome.head.seq)
        if isinstance(outcome, Repeated):
            return Accepted(None, [], outcome.head.seq, repeated=True)
        return _project(folded, outcome, events)


def _project(folded: Folded, outcome: Appended, events: list[ev.Event]) -> Accepted:
    steps = paired(folded, zip(outcome.events, events, strict=True))
    now = advanced(folded, steps)
    if planning.changes_rows(events):
        for step in steps:
            _project_step(folded.stream, step)
    transaction.on_commit(lambda: _tell(now, steps))
    return Accepted(now, steps, outcome.head.seq)


def _project_step(stream: int, step: Step) -> None:
    event, at = step.event, datetime.fromisoformat(step.stored.at)
    game = Game.objects.filter(pk=stream)
    if isinstance(event, ev.DealStarted):
        PlayedDeal.objects.create(game_id=stream, number=event.deal, first_seq=step.stored.seq)
        game.update(status=Game.Status.PLAYING, deal_number=event.deal)
    elif isinstance(event, ev.DealEnded):
        PlayedDeal.objects.filter(game_id=stream, number=step.after.deal_number).update(
            last_seq=step.stored.seq, reason=event.reason, went_out=event.seat
        )
        game.update(status=Game.Status.BETWEEN)
    elif isinstance(event, ev.DealScored):
        PlayedDeal.objects.filter(game_id=stream, number=step.after.deal_number).update(
            last_seq=step.stored.seq,
            sheets=msgspec.to_builtins(event.sheets),
            totals=list(event.totals),
        )
        game.update(totals=list(event.totals))
    elif isinstance(event, ev.GameEnded):
        game.update(status=Game.Status.OVER, winner=event.winner, ended_at=at, bots_due_at=None)
    elif isinstance(event, ev.SeatChanged):
        Seat.objects.filter(game_id=stream, number=event.seat).update(holder=event.holder)
        due = at if has_bots(step.after.holders) else None
        game.update(bots_due_at=due)


def _folded_after(outcome: MoveOutcome) -> Folded:
    if not isinstance(outcome, Accepted) or outcome.folded is None:
        raise RuntimeError("a fresh stream takes its first event")
    return outcome.folded


def _tell(folded: Folded, steps: list[Step]) -> None:
    CACHE.put(folded)
    committed.send_robust(sender=Game, folded=folded, steps=steps)
