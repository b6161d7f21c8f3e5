"""Real facts to store and read: the first events of matches that sensible bots play."""

from __future__ import annotations

import random
from typing import NamedTuple

from games.bots.players import PLAYERS
from games.bots.seat import seat_view
from games.eventstore.chain import NewEvent
from games.rules import events as ev
from games.rules import match
from games.rules.legal import legal_moves
from games.rules.profile import FOUNDING, load_profile
from games.rules.refusals import Refusal
from games.rules.shuffle import SEED_BYTES, commitment
from games.tables.folding import after, encoded, shuffled

SEATS = 4
_DEALS = 1000


class Story(NamedTuple):
    """The first events of one match. `master`: the secret of its shuffles.

    `commands`: how many events each command led to, in order.
    """

    master: bytes
    events: tuple[ev.Event, ...]
    stored: tuple[NewEvent, ...]
    commands: tuple[int, ...]


def story(number: int, length: int) -> Story:
    """The first `length` events of match `number`; the profiles take turns."""
    luck = random.Random(number)
    profile = load_profile(FOUNDING[number % len(FOUNDING)])
    master = luck.randbytes(SEED_BYTES)
    holders = tuple(f"p{luck.randrange(10**9):09}" for _ in range(SEATS))
    opening = match.open_game(
        profile, SEATS, ev.MatchFormat(deals=_DEALS), holders, commitment(master)
    )
    events: list[ev.Event] = [opening]
    commands = [1]
    game = match.opened(opening)
    player = PLAYERS["sensible"]
    while len(events) < length:
        if game.deal is None or game.deal.ended is not None:
            dealer = 0 if game.deal is None else match.next_dealer(game)
            decided: list[ev.Event] | Refusal = [
                match.start_deal(game, shuffled(game, master, game.deal_number + 1), dealer)
            ]
        else:
            turn = game.deal.turn
            move = player.choose(seat_view(game.deal, turn), legal_moves(game.deal, turn), luck)
            decided = match.decide(game, move)
        if isinstance(decided, Refusal):
            raise AssertionError(f"a bot's move was refused: {decided}")
        for event in decided:
            game = after(game, master, event)
        events += decided
        commands.append(len(decided))
    commands[-1] -= len(events) - length
    kept = tuple(events[:length])
    return Story(master, kept, tuple(map(encoded, kept)), tuple(commands))
