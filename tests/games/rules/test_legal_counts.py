"""Exact numbers of legal moves along fixed deals, so that no change of the engine goes unnoticed.

After a change that is meant: `uv run python -m tests.games.rules.test_legal_counts` writes the file
anew; its difference belongs in the review.
"""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games.rules.dealing import begin
from games.rules.engine import decide
from games.rules.evolving import evolve_all
from games.rules.legal import legal_moves
from games.rules.profile import load_profile
from games.rules.refusals import Refusal
from games.rules.state import Deal, sheets_of
from tests.strategies import KINDS_OF_DEAL, deal_from

GOLDEN = Path(__file__).parents[2] / "golden/legal_counts.json"
SEEDS = range(3)
DEPTHS = {2: 4, 3: 3}
"""Moves looked ahead, and from the start of how many deals of each kind."""


def counts_along(profile_id: str, seats: int, seed: int) -> dict[str, Any]:
    """At each step how many moves, by kind; the move that is played depends on names alone."""
    profile = load_profile(profile_id)
    deal = begin(profile, seats, deal_from(profile, seats, seed))
    random = Random(seed)
    rows = []
    while deal.ended is None:
        moves = legal_moves(deal, deal.turn)
        rows.append(
            "{} {}{}{} m{} u{} c{} d{}".format(
                deal.turn,
                *("D" * moves.draw, "T" * moves.take, "R" * moves.reject),
                *(len(moves.melds), len(moves.using), len(moves.combined), len(moves.discards)),
            )
        )
        # In an order of its own, so that the order of the list may change freely.
        ordered = sorted(moves, key=repr)
        laying = len(moves.melds) + len(moves.using)
        if laying and random.random() < 0.8:
            ordered = [move for move in ordered if "Placement" in repr(move)]
        decided = decide(deal, random.choice(ordered))
        assert not isinstance(decided, Refusal)
        deal = evolve_all(deal, decided)
    return {
        "steps": rows,
        "ended": [deal.ended.reason, deal.ended.seat],
        "totals": [sheet.total for sheet in sheets_of(deal, deal.ended.seat)],
    }


def leaves(deal: Deal, depth: int) -> int:
    """How many different courses of `depth` moves lead on from here."""
    if depth == 0 or deal.ended is not None:
        return 1
    moves = legal_moves(deal, deal.turn)
    if depth == 1:
        return len(moves)
    return sum(leaves(evolve_all(deal, decide(deal, move)), depth - 1) for move in moves)


def trees(profile_id: str, seats: int) -> list[int]:
    """Leaves of the first moves of fixed deals, depth by depth."""
    profile = load_profile(profile_id)
    return [
        leaves(begin(profile, seats, deal_from(profile, seats, seed)), depth)
        for depth, number in DEPTHS.items()
        for seed in range(number)
    ]


def measured() -> dict[str, Any]:
    return {
        f"{profile_id} {seats}": {
            "deals": [counts_along(profile_id, seats, seed) for seed in SEEDS],
            "trees": trees(profile_id, seats),
        }
        for profile_id, seats in KINDS_OF_DEAL
    }


@pytest.mark.parametrize(("profile_id", "seats"), KINDS_OF_DEAL)
def test_the_legal_moves_are_as_many_as_written(profile_id, seats):
    golden = json.loads(GOLDEN.read_text())[f"{profile_id} {seats}"]
    for seed in SEEDS:
        assert counts_along(profile_id, seats, seed) == golden["deals"][seed]
    assert trees(profile_id, seats) == golden["trees"]


if __name__ == "__main__":
    GOLDEN.write_text(json.dumps(measured(), indent=1) + "\n")
