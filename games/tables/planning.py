"""What a command at a table leads to, worked out without touching the database.

Shared by the services (sync, in a transaction) and the live path (async, one statement).
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from games.rules import events as ev
from games.rules import match
from games.rules.moves import AnyMove
from games.rules.refusals import Refusal
from games.rules.shuffle import ALGORITHM, deal_seed
from games.tables.folding import Folded, shuffled
from games.tables.outcomes import TableError
from scoring.match import match_winner

_ROW_CHANGES = (ev.GameOpened, ev.DealStarted, ev.DealEnded, ev.GameEnded, ev.SeatChanged)


def plan_move(folded: Folded, move: AnyMove) -> list[ev.Event] | Refusal:
    """The events of a move, with the seeds where it ends the match. Raises `TableError`."""
    try:
        decided = match.decide(folded.state, move)
    except match.MatchError as fault:
        raise TableError(fault.code, str(fault)) from None
    if not isinstance(decided, Refusal) and isinstance(decided[-1], ev.GameEnded):
        return decided + revealed_seeds(folded)
    return decided


def plan_deal(folded: Folded) -> list[ev.Event]:
    """The start of the next deal; the first dealer is drawn (S3-6, S2-4). Raises `TableError`."""
    game = folded.state
    try:
        first = game.deal_number == 0
        dealer = secrets.randbelow(game.seats) if first else match.next_dealer(game)
        number = game.deal_number + 1
        started = match.start_deal(game, shuffled(game, folded.master, number), dealer)
    except match.MatchError as fault:
        raise TableError(fault.code, str(fault)) from None
    return [started]


def plan_end(folded: Folded) -> list[ev.Event]:
    """The end of a match by a ruling; a deal in play is broken off and does not count.

    A pause ends with it.
    """
    game = folded.state
    if game.over:
        raise TableError("game-over", "the match is over")
    events: list[ev.Event] = [ev.GameResumed("ruling")] if game.paused else []
    if not game.between_deals:
        events.append(ev.DealEnded("ruling", None))
    events.append(ev.GameEnded("ruling", match_winner(game.totals, 0)))
    return events + revealed_seeds(folded)


def revealed_seeds(folded: Folded) -> list[ev.Event]:
    """The seed of every deal played, as it is revealed once the match is over."""
    return [
        ev.SeedRevealed(deal, deal_seed(folded.master, deal).hex(), ALGORITHM)
        for deal in range(1, folded.state.deal_number + 1)
    ]


def changes_rows(events: Sequence[ev.Event]) -> bool:
    """Whether rows beside the stream must change together with these events."""
    return any(isinstance(event, _ROW_CHANGES) for event in events)
