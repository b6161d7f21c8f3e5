"""Whole matches played by bots, with simulated time: the same seed gives the same events.

Pure: all chance comes from the seed. Imports the rules and the players.
"""

from __future__ import annotations

import hmac
import random
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

from games.bots.seat import Player, seat_view
from games.rules import events as ev
from games.rules import match
from games.rules.legal import legal_moves
from games.rules.match import Game
from games.rules.profile import Profile
from games.rules.record import Fact
from games.rules.refusals import Refusal
from games.rules.shuffle import ALGORITHM, CHAIN_LENGTH, commitment, deal_seed, shuffled_pack
from scoring.match import match_winner

EVENING = datetime(2026, 1, 1, 20, 0, tzinfo=UTC)
"""When every simulated match begins."""
CLUB = "simulation"
"""Who acts where no seat does."""
MOST_MOVES = 20_000
"""In one deal; more would mean that the players go round in circles."""
_THINKING = (800_000, 9_000_000)
_BETWEEN_DEALS = (20_000_000, 60_000_000)
"""From and to, in microseconds."""


class SimulationError(RuntimeError):
    """A simulation that cannot go on. `code` is stable."""

    def __init__(self, code: str, text: str) -> None:
        self.code = code
        super().__init__(text)


class Simulation:
    """One match, played as its facts are asked for.

    `number` tells matches of the same seed apart; at most `deals` deals are played, then a match
    that is not over is stopped as by a ruling, the side that is ahead winning. `game` is the match
    after the last fact given. `moves` counts the moves played so far, `refusals` those that a
    player chose and the rules refused: there should be none, another is played in its place.
    """

    def __init__(
        self, profile: Profile, players: Sequence[Player], *, seed: str, number: int, deals: int
    ) -> None:
        if deals < 1:
            raise SimulationError("deals-unsound", "at least one deal is played")
        self.profile = profile
        self.players = players
        self.deals = min(deals, CHAIN_LENGTH)
        self.moves = 0
        self.refusals = 0
        self._master = _derived(seed, number, "shuffles")
        self._luck = _chance(seed, number, "players")
        self._pace = _chance(seed, number, "time")
        self._now = EVENING
        seats = len(players)
        self._opening = match.open_game(
            profile,
            seats,
            ev.MatchFormat(target=profile.target),
            tuple(f"bot-{seat}" for seat in range(seats)),
            commitment(self._master),
        )
        self.game: Game = match.opened(self._opening)

    def facts(self) -> Iterator[Fact]:
        """The match from its opening to the last revealed seed."""
        yield self._fact(CLUB, self._opening)
        while not self.game.over and self.game.deal_number < self.deals:
            yield from self._deal()
        if not self.game.over:
            winner = match_winner(self.game.totals, 0)
            yield self._happened(CLUB, ev.GameEnded("ruling", winner))
        for deal in range(1, self.game.deal_number + 1):
            seed = deal_seed(self._master, deal).hex()
            yield self._happened(CLUB, ev.SeedRevealed(deal, seed, ALGORITHM))

    def _deal(self) -> Iterator[Fact]:
        game = self.game
        self._pass_time(_BETWEEN_DEALS)
        first = game.deal is None
        dealer = self._luck.randrange(game.seats) if first else match.next_dealer(game)
        seed = deal_seed(self._master, game.deal_number + 1)
        pack = shuffled_pack(seed, self.profile.pack)
        yield self._happened(CLUB, match.start_deal(game, pack, dealer))
        before = self.moves
        while not self.game.between_deals:
            if self.moves - before == MOST_MOVES:
                raise SimulationError(
                    "deal-endless", f"the deal has not ended after {MOST_MOVES} moves"
                )
            yield from self._move()

    def _move(self) -> Iterator[Fact]:
        deal = self.game.deal
        assert deal is not None
        seat = deal.turn
        legal = legal_moves(deal, seat)
        if not legal:
            raise SimulationError("no-legal-move", f"seat {seat} has no legal move left")
        decided = match.decide(
            self.game, self.players[seat].choose(seat_view(deal, seat), legal, self._luck)
        )
        if isinstance(decided, Refusal):
            self.refusals += 1
            decided = match.decide(self.game, legal[0])
        if isinstance(decided, Refusal):
            raise SimulationError("legal-move-refused", f"{decided.code}: {legal[0]}")
        self.moves += 1
        self._pass_time(_THINKING)
        for event in decided:
            yield self._happened(f"seat-{seat}", event)

    def _happened(self, by: str, event: ev.Event) -> Fact:
        self.game = match.evolve(self.game, event)
        return self._fact(by, event)

    def _fact(self, by: str, event: ev.Event) -> Fact:
        return Fact(self._now.isoformat(timespec="microseconds")[:-6] + "Z", by, event)

    def _pass_time(self, bounds: tuple[int, int]) -> None:
        self._now += timedelta(microseconds=self._pace.randint(*bounds))


def _derived(seed: str, number: int, purpose: str) -> bytes:
    """64 bytes that depend on the seed, the match and what they are for, and on nothing else."""
    return hmac.digest(seed.encode(), f"{number}/{purpose}".encode(), "sha512")


def _chance(seed: str, number: int, purpose: str) -> random.Random:
    # To be repeated by anyone who knows the seed is what it is for.
    return random.Random(_derived(seed, number, purpose))  # noqa: S311
