"""What is agreed on at a table, and what a director rules: taking back, pausing, going on.

A bot agrees at once. Every command is one transaction and may be sent again.
"""

from __future__ import annotations

from collections.abc import Callable

from django.db import transaction

from games.rules import events as ev
from games.rules import match, proposals
from games.rules.match import Game
from games.rules.state import side_of
from games.tables.loading import load
from games.tables.outcomes import MoveOutcome, TableError
from games.tables.services import BOT, commit_events, first_outcome


def propose(
    *, stream: int, seat: int, what: ev.Proposal, by: str, command_id: str | None = None
) -> MoveOutcome:
    """Propose to the opponents what needs their agreement. Raises `TableError`."""

    def plan(game: Game) -> list[ev.Event]:
        asked = proposals.ask(game, seat, what)
        bot = _opposing_bot(game, seat)
        if bot is None:
            return asked
        return asked + proposals.answer(match.evolve(game, asked[0]), bot, what, grant=True)

    return _carry_out(stream, plan, by=by, command_id=command_id)


def respond(
    *,
    stream: int,
    seat: int,
    what: ev.Proposal,
    grant: bool,
    by: str,
    command_id: str | None = None,
) -> MoveOutcome:
    """Agree to the opponents' proposal, or not. Raises `TableError`."""
    return _carry_out(
        stream,
        lambda game: proposals.answer(game, seat, what, grant=grant),
        by=by,
        command_id=command_id,
    )


def pause_match(*, stream: int, by: str, command_id: str | None = None) -> MoveOutcome:
    """Pause a match by a ruling. Raises `TableError`."""
    return _carry_out(stream, lambda game: _pause(game), by=by, command_id=command_id)


def resume_match(
    *, stream: int, by: str, reason: str = "ruling", command_id: str | None = None
) -> MoveOutcome:
    """Let a paused match go on. Raises `TableError`."""
    return _carry_out(stream, lambda game: _resume(game, reason), by=by, command_id=command_id)


def take_back_seat(
    *, stream: int, seat: int, person: str, command_id: str | None = None
) -> MoveOutcome:
    """Give a seat back to the person that a bot plays for. Raises `TableError`."""

    def plan(game: Game) -> list[ev.Event]:
        holder = game.holders[seat] if 0 <= seat < game.seats else ""
        if not holder.startswith(BOT) or holder.rpartition(":")[2] != person:
            raise TableError("seat-not-lent", "no bot plays this seat for you")
        return [ev.SeatChanged(seat, person, "back")]

    return _carry_out(stream, plan, by=person, command_id=command_id)


def _carry_out(
    stream: int,
    plan: Callable[[Game], list[ev.Event]],
    *,
    by: str,
    command_id: str | None,
) -> MoveOutcome:
    with transaction.atomic():
        folded = load(stream)
        if command_id is not None and (known := first_outcome(stream, command_id)):
            return known
        if folded.state.over:
            raise TableError("game-over", "the match is over")
        try:
            events = plan(folded.state)
        except match.MatchError as fault:
            raise TableError(fault.code, str(fault)) from None
        return commit_events(folded, events, by=by, command_id=command_id)


def _opposing_bot(game: Game, seat: int) -> int | None:
    """An opponent that is a bot, where no opponent is a person: people decide for themselves."""
    opponents = [other for other in range(game.seats) if side_of(other) != side_of(seat)]
    bots = [other for other in opponents if game.holders[other].startswith(BOT)]
    return bots[0] if len(bots) == len(opponents) else None


def _pause(game: Game) -> list[ev.Event]:
    if game.paused:
        raise TableError("already-paused", "the match is paused already")
    return [ev.GamePaused("ruling")]


def _resume(game: Game, reason: str) -> list[ev.Event]:
    if not game.paused:
        raise TableError("not-paused", "the match is not paused")
    return [ev.GameResumed(reason)]
