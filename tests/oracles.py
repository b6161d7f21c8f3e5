"""Slow and plain readings of the rules, written from the text alone, to hold the engine against."""

from collections import Counter
from collections.abc import Iterator

from games.rules.profile import Profile

TWOS = ("2S", "2H", "2D", "2C")
WILDS = (*TWOS, "JK")
PLACES = " A23456789TJQKA"  # place 1 is the low ace, place 14 the high one

# Values and bonuses as the texts give them: S0-58 to S0-65 with G0-1, S2-20 with G2-1 to G2-3,
# S3-52 to S3-57, S4-8 to S4-12.
VALUES = {
    "buraco-clasico": {"JK": 30, "2": 20},
    "burraco-italiano": {"JK": 30, "2": 20},
    "buraco-aberto": {"JK": 20, "2": 10},
    "buraco-fechado-stbl": {"JK": 50, "2": 10},
}


def value(profile_id: str, card: str) -> int:
    if card == "JK" or card[0] == "2":
        return VALUES[profile_id]["JK" if card == "JK" else "2"]
    if card[0] == "A":
        return 15
    return 10 if card[0] in "89TJQK" else 5


def is_set(cards: tuple[str, ...]) -> bool:
    plain = [card for card in cards if card not in WILDS]
    return len(plain) > 1 and len({card[0] for card in plain}) == 1


def places_of(cards: tuple[str, ...]) -> tuple[str, int]:
    """The suit of a laid out sequence, and the place of its first card."""
    index, card = next((i, c) for i, c in enumerate(cards) if c not in WILDS)
    if card[0] == "A":
        return card[1], 1 if index == 0 else 14 - index
    return card[1], PLACES.index(card[0], 2) - index


def wild_place(cards: tuple[str, ...]) -> int | None:
    """The place of the wild of a sequence (of a set: 99), None for a clean one."""
    if is_set(cards):
        return 99 if cards[-1] in WILDS else None
    suit, low = places_of(cards)
    for place, card in enumerate(cards, low):
        if card in WILDS and not (place == 2 and card == "2" + suit):
            return place
    return None


def bonus(profile_id: str, cards: tuple[str, ...], at_once: int) -> int:
    """What a canasta is worth beyond its cards."""
    if len(cards) < 7:
        return 0
    wild = wild_place(cards)
    if wild is None:
        if profile_id == "buraco-aberto":
            return {13: 500, 14: 1000}.get(len(cards), 200)
        if profile_id == "buraco-fechado-stbl":
            return {13: 500, 14: 1000}.get(at_once, 200)
        return 200
    if profile_id == "buraco-clasico" and not is_set(cards):
        _, low = places_of(cards)
        if max(wild - low, low + len(cards) - 1 - wild) >= 7:
            return 150
    return 100


# Melds


def sequences(cards: Counter[str], *, both_aces: bool) -> Iterator[tuple[tuple[str, ...], int]]:
    """Every layout of all these cards as one sequence, and the place of its wild (0: none)."""
    length = sum(cards.values())
    suits = {card[1] for card in cards if card not in WILDS}
    if len(suits) != 1 or not 3 <= length <= 14:
        return
    (suit,) = suits
    for low in range(1, 16 - length):
        high = low + length - 1
        missing = [p for p in range(low, high + 1) if PLACES[p] + suit not in cards]
        if len(missing) > 1:
            continue
        wild_choices = missing or [0, *range(low, high + 1)]
        if (low, high) == (1, 14) and not both_aces:
            # Two natural aces are forbidden; one of the two ends has to be the wild.
            wild_choices = [place for place in wild_choices if place in (1, 14)]
        for wild in wild_choices:
            natural = Counter(PLACES[p] + suit for p in range(low, high + 1) if p != wild)
            left = cards - natural
            if natural - cards or sum(left.values()) != (wild > 0):
                continue
            stand_in = next(iter(left), "")
            if wild and (stand_in not in WILDS or (wild == 2 and stand_in == "2" + suit)):
                continue
            yield (
                tuple(
                    stand_in if place == wild else PLACES[place] + suit
                    for place in range(low, high + 1)
                ),
                wild,
            )


def may_follow(
    profile: Profile, onto: tuple[str, ...], added: Counter[str], cards: tuple[str, ...], wild: int
) -> bool:
    """Whether a sequence may become this layout (move language, section 5)."""
    suit, old_low = places_of(onto)
    low = places_of(cards)[1]
    now = dict(enumerate(cards, low))
    before = dict(enumerate(onto, old_low))
    old_wild = wild_place(onto)
    old_high = old_low + len(onto) - 1

    def keeps(natural_places: set[int]) -> bool:
        return all(now.get(p) == before[p] and p != wild for p in natural_places)

    naturals = {place for place in before if place != old_wild}
    if old_wild is None:
        if keeps(naturals):
            return True
        # A natural two at the low end that turns into the one wild (G0-15, G2-10).
        return (
            profile.melds.natural_two_may_turn_wild
            and old_low == 2
            and before[2] == "2" + suit
            and keeps(naturals - {2})
            and wild > 0
            and now[wild] == before[2]
        )
    if not keeps(naturals):
        return False
    stand_in = before[old_wild]
    free = profile.melds.wilds_move.value == "free"
    own_card_came = (
        added[PLACES[old_wild] + suit] > 0
        and now.get(old_wild) == (PLACES[old_wild] + suit)
        and wild != old_wild
    )
    may_leave = free or own_card_came or old_wild in (old_low, old_high)
    # The wild of the meld is the wild of the layout: it stayed, or it moved.
    if wild and now[wild] == stand_in and (wild == old_wild or may_leave):
        return True
    # Or it went home as the natural two; then a further wild may have joined.
    went_home = stand_in == "2" + suit and now.get(2) == stand_in and wild != 2 and may_leave
    if not went_home:
        return False
    return wild == 0 or free or own_card_came


def layouts(
    profile: Profile, onto: tuple[str, ...], added: tuple[str, ...]
) -> set[tuple[str, ...]]:
    """Every legal layout of a selection; sets are given with their naturals in order."""
    more, all_cards = Counter(added), Counter(onto) + Counter(added)
    if not more or sum(all_cards.values()) < 3:
        return set()
    if is_set(onto) or (not onto and is_set(added)):
        wilds = [card for card in all_cards.elements() if card in WILDS]
        naturals = sorted(card for card in all_cards.elements() if card not in WILDS)
        sound = (
            profile.melds.sets
            and len(wilds) <= 1
            and len(naturals) + len(wilds) <= 9
            and len({card[0] for card in naturals}) == 1
        )
        return {(*naturals, *wilds)} if sound else set()
    found = sequences(all_cards, both_aces=profile.melds.both_aces)
    return {
        cards for cards, wild in found if not onto or may_follow(profile, onto, more, cards, wild)
    }


def in_order(cards: tuple[str, ...]) -> tuple[str, ...]:
    """A layout with the naturals of a set in order."""
    if not is_set(cards):
        return cards
    wilds = [card for card in cards if card in WILDS]
    return (*sorted(card for card in cards if card not in WILDS), *wilds)
