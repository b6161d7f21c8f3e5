"""What the property tests share: random deals from seeds, and Hypothesis strategies.

A deal is played from a seed alone, by players of mixed habits, so that a fault can be played
again.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from hypothesis import strategies as st

from games.rules.cards import ALL_CARDS, WILDS
from games.rules.dealing import begin, deal_pack
from games.rules.engine import decide
from games.rules.events import DealStarted, Event
from games.rules.evolving import evolve_all
from games.rules.legal import legal_moves
from games.rules.moves import AnyMove
from games.rules.profile import FOUNDING, Profile, load_profile
from games.rules.refusals import Refusal
from games.rules.state import Deal

MOST_MOVES = 20_000
"""No deal of a player who now and then draws from the stock is longer by far."""
KINDS_OF_DEAL = [(profile, seats) for profile in FOUNDING for seats in (4, 2)]
TOTALS = ((0, 0), (1500, 0), (2995, 1995), (-300, 40))


class Step(NamedTuple):
    before: Deal
    move: AnyMove
    events: list[Event]
    after: Deal


def shuffled(profile: Profile, random: Random) -> tuple[str, ...]:
    cards = list(profile.pack)
    random.shuffle(cards)
    return tuple(cards)


def deal_from(profile: Profile, seats: int, seed: int) -> DealStarted:
    random = Random(f"{profile.id} {seats} {seed}")
    return deal_pack(
        profile,
        seats,
        shuffled(profile, random),
        deal=1,
        dealer=random.randrange(seats),
        totals=random.choice(TOTALS),
    )


def choose(deal: Deal, random: Random, eagerness: float) -> AnyMove:
    """A legal move: with this probability one that lays cards, where there is one."""
    moves = legal_moves(deal, deal.turn)
    assert len(moves), f"no move is left to seat {deal.turn}: {deal}"
    laying = len(moves.melds) + len(moves.using) + len(moves.combined)
    if laying and random.random() < eagerness:
        return moves[len(moves) - 1 - random.randrange(laying)]
    return moves[random.randrange(len(moves))]


def played(deal: Deal, random: Random, most: int = MOST_MOVES) -> Iterator[Step]:
    """The steps of a deal from here to its end."""
    eagerness = [random.choice((0.2, 0.9, 1.0)) for _ in range(deal.seats)]
    for _ in range(most):
        if deal.ended is not None:
            return
        move = choose(deal, random, eagerness[deal.turn])
        events = decide(deal, move)
        assert not isinstance(events, Refusal), f"{move} is listed and refused: {events}"
        after = evolve_all(deal, events)
        yield Step(deal, move, events, after)
        deal = after
    raise AssertionError(f"a deal did not end in {most} moves")


def random_deal(profile_id: str, seats: int, seed: int) -> Iterator[Step]:
    profile = load_profile(profile_id)
    deal = begin(profile, seats, deal_from(profile, seats, seed))
    return played(deal, Random(seed))


def some_of(random: Random, items: Sequence[Step], number: int) -> list[Step]:
    return random.sample(items, min(number, len(items)))


profiles = st.sampled_from(FOUNDING).map(load_profile)
cards = st.sampled_from(ALL_CARDS)
wild_cards = st.sampled_from(sorted(WILDS))


@st.composite
def selections(draw: st.DrawFn, suit: str = "S") -> tuple[str, ...]:
    """Cards that look like a sequence of a suit or a set: some missing, some doubled, some wild."""
    if draw(st.booleans()):
        low = draw(st.integers(1, 12))
        high = draw(st.integers(low, 14))
        chosen = ["A23456789TJQKA"[place - 1] + suit for place in range(low, high + 1)]
    else:
        rank = draw(st.sampled_from("A3456789TJQK"))
        chosen = [rank + each for each in draw(st.lists(st.sampled_from("SHDC"), max_size=8))]
    for _ in range(draw(st.integers(0, 2))):
        if chosen:
            chosen.pop(draw(st.integers(0, len(chosen) - 1)))
    chosen += draw(st.lists(wild_cards, max_size=2))
    chosen += draw(st.lists(cards, max_size=1)) if draw(st.integers(0, 4)) == 0 else []
    kept = [card for index, card in enumerate(chosen) if chosen[:index].count(card) < 2]
    return tuple(kept)
