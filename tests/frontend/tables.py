"""Real tables in the database, played on by the real rules: seeded, hasty, with many melds."""

import random

from games.rules.match import Game as Match
from games.rules.match import decide
from games.rules.profile import load_profile
from games.rules.refusals import Refusal
from games.tables import services
from games.tables.loading import load
from games.tables.models import Game
from games.tables.outcomes import Accepted
from tests.cast import Cast
from tests.frontend.matches import tries


def open_table(cast: Cast, *, delay: int = 0, deals: int = 1) -> Game:
    """Carla and Dino against two bots, in the first deal."""
    return services.open_table(
        profile=load_profile("buraco-aberto"),
        holders=(cast.carla.public_id, "bot:sensible", cast.dino.public_id, "bot:sensible"),
        by="test",
        deals=deals,
        club=cast.club.pk,
        label="Table 7",
        delay_seconds=delay,
    )


def match_of(table: Game) -> Match:
    return load(table.stream).state


def play(table: Game, *, moves: int | None = None) -> None:
    """Play to the end of the deal, or so many moves."""
    luck = random.Random(7)
    while not (match := match_of(table)).between_deals and moves != 0:
        move = next(
            each for each in tries(match, luck) if not isinstance(decide(match, each), Refusal)
        )
        outcome = services.submit_move(stream=table.stream, move=move, by="test")
        assert isinstance(outcome, Accepted)
        moves = None if moves is None else moves - 1
