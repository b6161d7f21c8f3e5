"""The meld book against a plain reading of the text, over many selections."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules.cards import ALL_CARDS, in_order
from games.rules.state import rules_for
from tests import oracles, strategies

settings.register_profile("quick", deadline=None)
settings.load_profile("quick")


def agree(profile, onto, added):
    copies = Counter((*onto, *added))
    if not added or any(copies[card] > (4 if card == "JK" else 2) for card in copies):
        return None
    found = rules_for(profile).book.layouts(onto, in_order(added))
    engine = set() if isinstance(found, str) else {oracles.in_order(each.cards) for each in found}
    assert engine == oracles.layouts(profile, onto, added), (profile.id, onto, added, found)
    if isinstance(found, str):
        return None
    assert len(engine) == len(found)
    default_is_as_told(profile, onto, [each.cards for each in found])
    return found


def default_is_as_told(profile, onto, found):
    """Without a wild; else its wild in place; else by place, low but for Aberto's extensions."""
    if oracles.is_set(found[0]):
        return
    clean = [cards for cards in found if oracles.wild_place(cards) is None]
    if clean:
        assert found[0] in clean
        if not onto and len(clean) > 1:
            assert found[0] == min(clean, key=lambda cards: oracles.places_of(cards)[1])
        return
    was = oracles.wild_place(onto) if onto else None
    candidates = [cards for cards in found if oracles.wild_place(cards) == was] if was else []
    if not candidates and onto and was is None:
        # A natural two turns wild never by default (G2-10).
        candidates = [cards for cards in found if keeps_its_two(onto, cards)]
    candidates = candidates or found
    places = [oracles.wild_place(cards) for cards in candidates]
    high = bool(onto) and profile.melds.displaced_wild_goes.value == "high"
    assert oracles.wild_place(found[0]) == (max(places) if high else min(places))
    assert found[0] in candidates


def keeps_its_two(onto, cards):
    low, now_low = oracles.places_of(onto)[1], oracles.places_of(cards)[1]
    return low != 2 or (now_low <= 2 and cards[2 - now_low] == onto[0])


@settings(max_examples=600)
@given(strategies.profiles, strategies.selections())
def test_new_melds_are_those_of_the_text(profile, added):
    agree(profile, (), added)


@settings(max_examples=600)
@given(strategies.profiles, strategies.selections(), strategies.selections(), st.randoms())
def test_extensions_are_those_of_the_text(profile, first, added, random):
    found = agree(profile, (), first)
    if found:
        agree(profile, random.choice(found).cards, added)


def grow_and_compare(profile_id, seed, rounds):
    """Melds grown step by step from chosen layouts, with every small addition at each step."""
    random = Random(seed)
    profile = strategies.load_profile(profile_id)
    pool = [card for card in ALL_CARDS if card[1] == "S"] + ["2H", "JK"]
    for _ in range(rounds):
        low = random.randint(1, 10)
        cards = [oracles.PLACES[place] + "S" for place in range(low, low + random.randint(3, 5))]
        if random.random() < 0.7:
            cards[random.randrange(len(cards))] = random.choice(("2S", "2H", "JK"))
        if max(Counter(cards).values()) > 1 and cards.count("2S") < 2:
            continue
        onto = ()
        added = tuple(cards)
        for _ in range(5):
            found = agree(profile, onto, added)
            if not found:
                break
            onto = random.choice(found).cards
            for card in pool:
                agree(profile, onto, (card,))
            pairs = [tuple(random.sample(pool, 2)) for _ in range(30)]
            triples = [tuple(random.sample(pool, 3)) for _ in range(30)]
            legal = [more for more in (*pairs, *triples) if agree(profile, onto, more)]
            singles = [(card,) for card in pool if agree(profile, onto, (card,))]
            if not legal + singles:
                break
            added = random.choice(legal + singles)


@pytest.mark.parametrize("profile_id", strategies.FOUNDING)
def test_melds_that_grow_are_those_of_the_text(profile_id):
    grow_and_compare(profile_id, 1, 6)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("profile_id", strategies.FOUNDING)
def test_many_melds_that_grow_are_those_of_the_text(profile_id, seed):
    grow_and_compare(profile_id, 100 + seed, 600)
