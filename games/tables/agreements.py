"""What is agreed on at a table, and what a director rules: taking back, pausing, going on.

A bot agrees at once. Every command is one transaction and may be sent again.
"""

from __future__ import annotations

from collections.abc import Callable

from games.rules import events as ev
from games.rules import match, proposals
from games.rules.match import Game
from games.rules.state import side_of
from games.tables.folding import Folded
from games.tables.holders import is_bot, person_of
from games.tables.outcomes import MoveOutcome, TableError
from games.tables.services import carry_out

MOST_LENT = 2
"""How often in one turn with a time limit a bot takes over before it plays the turn to its end."""


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
    """Give a seat back to the person that a bot plays for. Raises `TableError`.

    At once; only who has used up the time of a turn again after coming back in it waits for its end
    (`turn-is-the-bots`): each return brings fresh time, and nobody shall play on for ever.
    """

    def plan(folded: Folded) -> list[ev.Event]:
        game, clock = folded.state, folded.clock
        holder = game.holders[seat] if 0 <= seat < game.seats else ""
        if game.over or not is_bot(holder) or person_of(holder) != person:
            raise TableError("seat-not-lent", "no bot plays this seat for you")
        if clock and clock.move and clock.seat == seat and clock.lent >= MOST_LENT:
            raise TableError("turn-is-the-bots", "the bot plays this turn to its end")
        return [ev.SeatChanged(seat, person, "back")]

    return carry_out(stream, plan, by=person, command_id=command_id)


def _carry_out(
    stream: int,
    plan: Callable[[Game], list[ev.Event]],
    *,
    by: str,
    command_id: str | None,
) -> MoveOutcome:
    def of_running(folded: Folded) -> list[ev.Event]:
        if folded.state.over:
            raise TableError("game-over", "the match is over")
        return plan(folded.state)

    return carry_out(stream, of_running, by=by, command_id=command_id)


def _opposing_bot(game: Game, seat: int) -> int | None:
    """An opponent that is a bot, where no opponent is a person: people decide for themselves."""
    opponents = [other for other in range(game.seats) if side_of(other) != side_of(seat)]
    bots = [other for other in opponents if is_bot(game.holders[other])]
    return bots[0] if len(bots) == len(opponents) else None


def _pause(game: Game) -> list[ev.Event]:
    if game.paused:
        raise TableError("already-paused", "the match is paused already")
    return [ev.GamePaused("ruling")]


def _resume(game: Game, reason: str) -> list[ev.Event]:
    if not game.paused:
        raise TableError("not-paused", "the match is not paused")
    return [ev.GameResumed(reason)]
