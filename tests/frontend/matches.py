"""Whole deals to show to pages, played by the real rules: seeded, hasty, with many melds."""

import json
import random
from collections.abc import Iterator
from itertools import combinations
from typing import Any

from games.rules import events as ev
from games.rules.cards import unpack
from games.rules.match import Game, decide, evolve, open_game, opened, start_deal
from games.rules.moves import AnyMove, Discard, Draw, LayMelds, Placement, Reject, Take
from games.rules.profile import load_profile
from games.rules.refusals import Refusal
from games.rules.shuffle import shuffled_pack
from games.rules.views import public_event, view

NAMES = ["Carla", "Elsa", "Dino", "Furio"]


def played(
    profile_id: str, seats: int, seed: int, deals: int = 1
) -> Iterator[tuple[Game, ev.Event]]:
    """Each event of a match with the game after it, `game_opened` first."""
    luck = random.Random(seed)
    profile = load_profile(profile_id)
    event: ev.Event = open_game(
        profile, seats, ev.MatchFormat(deals=deals), tuple(NAMES[:seats]), "00" * 32
    )
    game = opened(event)
    yield game, event
    for number in range(deals):
        pack = shuffled_pack(luck.randbytes(64), profile.pack)
        event = start_deal(game, pack, dealer=(seed + number) % seats)
        game = evolve(game, event)
        yield game, event
        while not game.between_deals:
            for event in _next_events(game, luck):
                game = evolve(game, event)
                yield game, event


def _next_events(game: Game, luck: random.Random) -> list[ev.Event]:
    for move in tries(game, luck):
        outcome = decide(game, move)
        if not isinstance(outcome, Refusal):
            return outcome
    raise AssertionError("no move is left to try")


def tries(game: Game, luck: random.Random) -> Iterator[AnyMove]:
    deal = game.deal
    assert deal is not None
    seat = deal.turn
    hand = unpack(deal.hands[seat])
    if deal.step.value == "draw":
        if deal.pile and luck.random() < 0.5:
            yield Take(seat)
            top = deal.pile[-1]
            for others in combinations(hand, 2):
                yield Take(seat, using=(Placement((top, *others)),))
        yield Draw(seat)
        yield Take(seat)
        return
    if luck.random() < 0.5:
        yield Reject(seat)
    own = deal.melds[seat % 2]
    for number in range(len(own)):
        for card in hand:
            yield LayMelds(seat, (Placement((card,), onto=number),))
    for cards in combinations(hand[:20], 3):
        if sum(card[0] in "2J" and card != "JS" for card in cards) < 2:
            yield LayMelds(seat, (Placement(cards),))
    luck.shuffle(hand)
    for card in hand:
        yield Discard(seat, card)


def shown(
    profile_id: str, seats: int, seed: int, audience: str, deals: int = 1
) -> list[dict[str, Any]]:
    """What an audience is sent, `{"event": …, "view": …}` a step, with the server's own views."""
    steps = []
    for seq, (game, event) in enumerate(played(profile_id, seats, seed, deals), start=1):
        steps.append(
            {
                "event": {
                    "seq": seq,
                    "type": ev.TYPE_NAMES[type(event)],
                    "data": public_event(game, event, audience),
                },
                "view": view(game, audience),
            }
        )
    # As the browser gets them: tuples have become lists.
    sent: list[dict[str, Any]] = json.loads(json.dumps(steps))
    return sent
