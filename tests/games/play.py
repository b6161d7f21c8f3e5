"""Playing at real tables for tests: open one, let its seats move, read what came of it."""

import random
from collections.abc import Callable, Iterator
from typing import Any

from games.bots.players import PLAYERS
from games.bots.seat import seat_view
from games.rules.legal import legal_moves
from games.rules.moves import AnyMove, Discard, Draw, LayMelds, Take
from games.rules.profile import load_profile
from games.rules.state import Deal
from games.tables import services
from games.tables.loading import load
from games.tables.models import Game
from games.tables.outcomes import Accepted

FOUR = ("pcarla", "pelsa", "pdino", "pfurio")
BOTS = ("bot:sensible:pcarla", "bot:random", "bot:sensible:pdino", "bot:random:pfurio")

Chooser = Callable[[Deal, random.Random], AnyMove]


def opened(profile: str = "buraco-aberto", seats: int = 4, **extra: Any) -> Game:
    """A table with its first deal started."""
    holders = extra.pop("holders", FOUR[:seats])
    return services.open_table(profile=load_profile(profile), holders=holders, by="palba", **extra)


def hasty(deal: Deal, luck: random.Random) -> AnyMove:
    """Takes a longer pile and lays whatever it can: hands are soon empty, and the stock, too."""
    legal = legal_moves(deal, deal.turn)
    if legal.take and (len(deal.pile) > 3 or not legal.draw):
        return Take(deal.turn)
    if legal.using:
        return Take(deal.turn, (luck.choice(legal.using),))
    if legal.melds:
        return LayMelds(deal.turn, (max(legal.melds, key=lambda placed: len(placed.cards)),))
    if legal.combined:
        return LayMelds(deal.turn, luck.choice(legal.combined))
    if legal.discards:
        return Discard(deal.turn, luck.choice(legal.discards))
    return Draw(deal.turn)


def sensible(deal: Deal, luck: random.Random) -> AnyMove:
    """What the sensible bot does."""
    legal = legal_moves(deal, deal.turn)
    return PLAYERS["sensible"].choose(seat_view(deal, deal.turn), legal, luck)


def moves(
    game: Game, *, seed: int = 1, choose: Chooser = hasty, most: int = 10_000
) -> Iterator[Accepted]:
    """Plays a table through the services until its match is over, a command at a time."""
    luck = random.Random(seed)
    for _ in range(most):
        state = load(game.stream).state
        if state.over:
            return
        deal = state.deal
        if deal is None or deal.ended is not None:
            outcome = services.start_next_deal(stream=game.stream, by="palba")
        else:
            outcome = services.submit_move(
                stream=game.stream, move=choose(deal, luck), by=state.holders[deal.turn]
            )
        assert isinstance(outcome, Accepted), outcome
        yield outcome


def play(game: Game, **how: Any) -> None:
    """The same, all at once."""
    for _ in moves(game, **how):
        pass
