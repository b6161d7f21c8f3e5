"""What players agree on at the table: taking a meld back, a pause, going on.

A proposal needs the agreement of one opponent. A meld can be taken back only while nothing new has
been seen since (no card drawn or fetched, no discard, nobody else's move). Pure.
"""

from __future__ import annotations

from games.rules import events as ev
from games.rules.match import Game, MatchError
from games.rules.state import side_of


def ask(game: Game, seat: int, what: ev.Proposal) -> list[ev.Event]:
    """The proposal of a seat. Raises `MatchError` where there is nothing to agree on."""
    _check_open(game, seat)
    if game.asked is not None:
        raise MatchError("already-asked", "an answer to another proposal is still due")
    if what == "undo":
        _check_undo(game, seat)
    elif (what == "pause") == game.paused:
        raise MatchError("nothing-to-ask", "the match is paused" if game.paused else "it goes on")
    return [ev.Asked(seat, what)]


def answer(game: Game, seat: int, what: ev.Proposal, *, grant: bool) -> list[ev.Event]:
    """An opponent's answer and what it brings about. Raises `MatchError`."""
    _check_open(game, seat)
    asked = game.asked
    if asked is None or asked.what != what:
        raise MatchError("nothing-asked", "there is no such proposal any more")
    if side_of(seat) == side_of(asked.seat):
        raise MatchError("not-an-opponent", "the opponents answer this")
    events: list[ev.Event] = [ev.Answered(seat, what, grant)]
    if not grant:
        return events
    if what == "undo":
        return [*events, undo_of(game)]
    return [*events, ev.GamePaused("agreed") if what == "pause" else ev.GameResumed("agreed")]


def may_undo(game: Game, seat: int) -> bool:
    """Whether this seat's last meld may still be taken back, if an opponent agrees."""
    return (
        game.before_meld is not None
        and game.deal is not None
        and game.deal.ended is None
        and not game.paused
        and game.deal.turn == seat
    )


def undo_of(game: Game) -> ev.UndoGranted:
    """The event that takes the last meld back. Raises `MatchError` when it is too late."""
    before, after = game.before_meld, game.deal
    if before is None or after is None:
        raise MatchError("too-late-to-undo", "that meld can no longer be taken back")
    seat = before.turn
    old, new = before.melds[side_of(seat)], after.melds[side_of(seat)]
    placements = []
    for number, meld in enumerate(new):
        was = old[number] if number < len(old) else None
        if was == meld:
            continue
        layout = was.cards if was is not None else ()
        left = list(meld.cards)
        for card in layout:
            left.remove(card)
        at_once = was.at_once if was is not None else 0
        placements.append(ev.Laid(number, tuple(left), layout, at_once))
    return ev.UndoGranted(seat, tuple(placements))


def _check_open(game: Game, seat: int) -> None:
    if game.over:
        raise MatchError("game-over", "the match is over")
    if not 0 <= seat < game.seats:
        raise MatchError("no-such-seat", f"there is no seat {seat}")


def _check_undo(game: Game, seat: int) -> None:
    if not may_undo(game, seat):
        raise MatchError("too-late-to-undo", "that meld can no longer be taken back")
