"""Random play on one core, choice of move included, beside RLCard and OpenSpiel at gin rummy.

Ours plays whole deals of each founding profile with four seats: shuffling, legal moves, choice,
decision, the state after it, and the score sheets. A move is a decision of a player.
"""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from games.rules import match
from games.rules.dealing import deal_pack
from games.rules.events import MatchFormat
from games.rules.legal import legal_moves
from games.rules.profile import FOUNDING, load_profile
from games.rules.refusals import Refusal
from tests.bench.compare import Comparison, Contender
from tests.bench.peers import installed

SEATS = 4
_MANY_DEALS = 1000
_SEEDS = itertools.count(7)
"""A new one for every measurement: deals seen before would be found in caches."""


@contextmanager
def comparisons(seconds: float) -> Iterator[list[Comparison]]:
    """Our rate in each profile; the peers are measured anew beside each."""
    yield [
        Comparison(
            key=f"play/{name}",
            title=f"random play, {name}, {SEATS} seats",
            unit="moves/s",
            ours=Contender("Pozzetto", lambda name=name: _ours(name, seconds)),  # type: ignore[misc]
            peers=(
                installed("rlcard", "RLCard gin-rummy", lambda: _rlcard(seconds), goal=1.5),
                installed(
                    "pyspiel", "OpenSpiel gin_rummy from Python", lambda: _open_spiel(seconds)
                ),
            ),
        )
        for name in FOUNDING
    ]


def _rate(deal: Callable[[], int], seconds: float) -> float:
    """Moves a second over whole deals; `deal` plays one and says how many moves it had."""
    deal()
    moves, began = 0, time.process_time()
    while (spent := time.process_time() - began) < seconds or not moves:
        moves += deal()
    return moves / spent


def _ours(name: str, seconds: float) -> float:
    profile = load_profile(name)
    luck = random.Random(next(_SEEDS))
    holders = tuple(f"p{seat}" for seat in range(SEATS))
    opening = match.open_game(profile, SEATS, MatchFormat(deals=_MANY_DEALS), holders, "00" * 32)
    opened = match.opened(opening)

    def deal() -> int:
        shuffled = list(profile.pack)
        luck.shuffle(shuffled)
        start = deal_pack(
            profile, SEATS, tuple(shuffled), deal=1, dealer=luck.randrange(SEATS), totals=(0, 0)
        )
        game, moves = match.evolve(opened, start), 0
        while game.deal is not None and game.deal.ended is None:
            legal = legal_moves(game.deal, game.deal.turn)
            decided = match.decide(game, legal[int(luck.random() * len(legal))])
            if isinstance(decided, Refusal):
                raise AssertionError(f"a legal move was refused: {decided}")
            for event in decided:
                game = match.evolve(game, event)
            moves += 1
        return moves

    return _rate(deal, seconds)


def _rlcard(seconds: float) -> float:
    import rlcard

    environment = rlcard.make("gin-rummy", config={"seed": next(_SEEDS)})
    luck = random.Random(next(_SEEDS))

    def deal() -> int:
        state, _ = environment.reset()
        moves = 0
        while not environment.is_over():
            legal = list(state["legal_actions"])
            state, _ = environment.step(legal[int(luck.random() * len(legal))])
            moves += 1
        return moves

    return _rate(deal, seconds)


def _open_spiel(seconds: float) -> float:
    import pyspiel

    game = pyspiel.load_game("gin_rummy")
    luck = random.Random(next(_SEEDS))

    def deal() -> int:
        state, moves = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[int(luck.random() * len(outcomes))][0])
            else:
                legal = state.legal_actions()
                state.apply_action(legal[int(luck.random() * len(legal))])
                moves += 1
        return moves

    return _rate(deal, seconds)
