"""A whole match: opening it, its deals one after another, and how it ends.

`decide` and `evolve` here are those of the deal, with scores and the end of the match around them.
Pure: the pack comes shuffled from outside.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import msgspec
from msgspec.structs import replace

from games.rules import engine, evolving
from games.rules import events as ev
from games.rules.dealing import begin, deal_pack
from games.rules.moves import AnyMove
from games.rules.profile import Pile, Profile, parse_profile, profile_to_builtins
from games.rules.refusals import Refusal
from games.rules.state import SIDES, Deal, sheets_of
from scoring.match import match_winner, totals_after


class MatchError(ValueError):
    """A step of a match that cannot be taken now. `code` is stable."""

    def __init__(self, code: str, text: str) -> None:
        self.code = code
        super().__init__(text)


class Game(msgspec.Struct, frozen=True):
    """A match at one moment.

    `totals` are those before the deal that is being played, and with it once it has been scored.
    `deal_number` 0: no deal yet. `sheets`: those of the last deal once it has ended.
    """

    profile: Profile
    seats: int
    format: ev.MatchFormat
    holders: tuple[str, ...]
    commitment: str
    totals: tuple[int, ...] = (0,) * SIDES
    deal_number: int = 0
    deal: Deal | None = None
    sheets: tuple[ev.SideSheet, ...] | None = None
    over: bool = False
    winner: int | None = None
    paused: bool = False
    asked: ev.Asked | None = None
    before_meld: Deal | None = None
    """The deal before the last meld, for as long as that meld may be taken back."""
    meld_is_final: bool = False
    """The next meld is part of taking the pile, whose cards it shows: it stays."""

    @property
    def between_deals(self) -> bool:
        """No deal is being played: the next may start, unless the match is over."""
        return self.deal is None or self.deal.ended is not None


def open_game(
    profile: Profile,
    seats: int,
    format_: ev.MatchFormat,
    holders: tuple[str, ...],
    commitment: str,
) -> ev.GameOpened:
    """The first event of a match. Raises `MatchError`."""
    if seats not in profile.seats:
        raise MatchError("seats-not-played", f"{profile.name} is not played with {seats} seats")
    if len(holders) != seats or not all(holders):
        raise MatchError("seats-not-filled", f"{seats} seats need {seats} holders")
    if not 0 <= format_.target <= 100_000 or not 0 <= format_.deals <= 1000:
        raise MatchError("format-unsound", "a match ends at a target or after a number of deals")
    if not 0 <= format_.move_seconds <= 3600 or not 0 <= format_.bank_seconds <= 36_000:
        raise MatchError("format-unsound", "a turn takes an hour at most, a bank ten hours")
    if format_.bank_seconds and not format_.move_seconds:
        raise MatchError("format-unsound", "a bank begins where the time of a turn ends: give both")
    if format_.target and format_.deals:
        raise MatchError("format-unsound", "give a target or a number of deals, not both")
    return ev.GameOpened(profile_to_builtins(profile), seats, format_, holders, commitment)


def next_dealer(game: Game) -> int:
    """Who deals after this: the deal passes to the left (G0-24). Needs a deal before."""
    if game.deal is None or game.deal.dealer is None:
        raise MatchError("first-dealer-open", "the first dealer is drawn, not passed on")
    return (game.deal.dealer + 1) % game.seats


def start_deal(game: Game, shuffled: tuple[str, ...], dealer: int) -> ev.DealStarted:
    """The next deal, complete. Raises `MatchError` while one is being played or after the end."""
    if game.over:
        raise MatchError("game-over", "the match is over")
    if not game.between_deals:
        raise MatchError("deal-not-over", "the deal is still being played")
    if game.paused:
        raise MatchError("game-paused", "the match is paused")
    return deal_pack(
        game.profile,
        game.seats,
        shuffled,
        deal=game.deal_number + 1,
        dealer=dealer,
        totals=game.totals,
    )


def decide(game: Game, move: AnyMove) -> list[ev.Event] | Refusal:
    """The events that follow from a move: those of the deal, its score, the end of the match.

    Raises `MatchError` before the first deal.
    """
    if game.deal is None:
        raise MatchError("deal-not-started", "no deal has been started yet")
    if game.paused:
        raise MatchError("game-paused", "the match is paused")
    decided = engine.decide(game.deal, move)
    if isinstance(decided, Refusal) or not isinstance(decided[-1], ev.DealEnded):
        return decided
    return decided + close_deal(game, evolving.evolve_all(game.deal, decided))


def close_deal(game: Game, deal: Deal) -> list[ev.Event]:
    """The score of an ended deal, and the end of the match where it has come."""
    sheets = sheets_of(deal, deal.ended.seat if deal.ended else None)
    totals = totals_after(game.totals, sheets)
    plain = tuple(
        ev.SideSheet(
            tuple(ev.SheetLine(line.code, line.count, line.points) for line in sheet.lines),
            sheet.total,
        )
        for sheet in sheets
    )
    events: list[ev.Event] = [ev.DealScored(plain, totals)]
    target, deals = game.format.target, game.format.deals
    if target:
        winner = match_winner(totals, target)
        if winner is not None:
            events.append(ev.GameEnded("target", winner))
    elif game.deal_number >= max(deals, 1):
        events.append(ev.GameEnded("deals", match_winner(totals, 0)))
    return events


def evolve(game: Game, event: ev.Event) -> Game:
    """The match after an event; a `DealStarted` must be complete."""
    kind = type(event)
    if (around := _EVOLVE_AROUND.get(kind)) is not None:
        return around(game, event)
    if game.deal is None:
        raise TypeError(f"{kind.__name__} before the first deal")
    return replace(
        game,
        deal=evolving.evolve(game.deal, event),
        asked=None,
        before_meld=game.deal if kind is ev.Melded and not game.meld_is_final else None,
        meld_is_final=kind is ev.PileTaken and game.profile.turn.pile is Pile.CLOSED,
    )


def without_deal(game: Game) -> Game:
    """The match with the deal gone, as the start of the next one will find it: over and done."""
    return replace(game, deal=None, asked=None, before_meld=None, meld_is_final=False)


def _deal_started(game: Game, event: ev.DealStarted) -> Game:
    deal = begin(game.profile, game.seats, event)
    return replace(game, deal_number=event.deal, deal=deal, sheets=None)


def _seat_changed(game: Game, event: ev.SeatChanged) -> Game:
    holders = (*game.holders[: event.seat], event.holder, *game.holders[event.seat + 1 :])
    return replace(game, holders=holders)


def _unchanged(game: Game, event: ev.Event) -> Game:
    return game


def _undone(game: Game, event: ev.UndoGranted) -> Game:
    return replace(game, deal=game.before_meld, before_meld=None, asked=None)


_EVOLVE_AROUND: dict[type[ev.Event], Callable[..., Game]] = {
    ev.DealStarted: _deal_started,
    ev.DealScored: lambda game, event: replace(game, sheets=event.sheets, totals=event.totals),
    ev.GameEnded: lambda game, event: replace(game, over=True, winner=event.winner, asked=None),
    ev.SeatChanged: _seat_changed,
    ev.SeedRevealed: _unchanged,
    ev.ClockExpired: _unchanged,
    ev.ClockCredited: _unchanged,
    ev.Asked: lambda game, event: replace(game, asked=event),
    ev.Answered: lambda game, event: replace(game, asked=None),
    ev.UndoGranted: _undone,
    ev.GamePaused: lambda game, event: replace(game, paused=True, asked=None),
    ev.GameResumed: lambda game, event: replace(game, paused=False, asked=None),
}


def opened(event: ev.GameOpened) -> Game:
    """The match at its first moment. Raises `ProfileError` for a profile that makes no sense."""
    profile = _profile_of(msgspec.json.encode(event.profile))
    return Game(profile, event.seats, event.format, event.holders, event.commitment)


@lru_cache(maxsize=64)
def _profile_of(encoded: bytes) -> Profile:
    # Matches have few profiles, and to check one takes as long as some moves.
    return parse_profile(msgspec.json.decode(encoded))
