"""The vocabulary of cards (move language, section 1) and hands packed into one integer.

A card is its two-character name. A hand is a multiset of cards, packed as four bits a kind, so that
adding, removing and comparing whole hands are single integer operations. Imports nothing of ours.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

RANKS = "A23456789TJQK"
SUITS = "SHDC"
JOKER = "JK"

ALL_CARDS: tuple[str, ...] = (*(rank + suit for suit in SUITS for rank in RANKS), JOKER)
"""The 53 kinds of card, suit by suit, ace to king, then the joker."""

PACK: tuple[str, ...] = tuple(card for card in ALL_CARDS for _ in range(4 if card == JOKER else 2))
"""The 108 cards of two packs and four jokers, in canonical order."""

INDEX: dict[str, int] = {card: index for index, card in enumerate(ALL_CARDS)}
UNIT: dict[str, int] = {card: 1 << 4 * index for index, card in enumerate(ALL_CARDS)}
"""What one card adds to a packed hand."""

RANK_OF: dict[str, int] = {card: index % 13 for card, index in INDEX.items() if card != JOKER}
SUIT_OF: dict[str, int] = {card: index // 13 for card, index in INDEX.items() if card != JOKER}
TWOS: tuple[str, ...] = tuple("2" + suit for suit in SUITS)
WILDS: frozenset[str] = frozenset((*TWOS, JOKER))
"""Cards that may stand for another: the jokers and the twos."""

SUIT_BITS = 52
SUIT_MASK = (1 << SUIT_BITS) - 1
JOKER_SHIFT = 4 * SUIT_BITS
_ONES = sum(UNIT.values())
_GUARD = 8 * _ONES


def pack(cards: Iterable[str]) -> int:
    """The multiset of these cards as one integer; `KeyError` names a card that does not exist."""
    return sum(map(UNIT.__getitem__, cards))


def unpack(hand: int) -> list[str]:
    """The cards of a packed hand in canonical order."""
    cards: list[str] = []
    for suit in range(4):
        chunk = hand >> SUIT_BITS * suit & SUIT_MASK
        if chunk:
            cards += _suit_cards(suit, chunk)
    cards += [JOKER] * (hand >> JOKER_SHIFT)
    return cards


def size(hand: int) -> int:
    """How many cards a packed hand holds."""
    return (
        (hand & _ONES).bit_count()
        + 2 * (hand & _ONES << 1).bit_count()
        + 4 * (hand & _ONES << 2).bit_count()
    )


def holds(hand: int, cards: int) -> bool:
    """Whether `hand` holds all of `cards` (both packed), copies counted (up to seven)."""
    return ((hand | _GUARD) - cards) & _GUARD == _GUARD


def holds_all(hand: int, cards: Sequence[str]) -> bool:
    """Whether a packed hand holds all these cards, however many copies of one are asked for."""
    # Eight copies and more would run into the next kind of card when packed.
    few = len(cards) < 8 or max(Counter(cards).values()) < 8
    return few and holds(hand, pack(cards))


def count(hand: int, card: str) -> int:
    """How many copies of `card` a packed hand holds."""
    return hand >> 4 * INDEX[card] & 15


def in_order(cards: Iterable[str]) -> tuple[str, ...]:
    """The cards in canonical order."""
    return tuple(sorted(cards, key=INDEX.__getitem__))


@lru_cache(maxsize=1 << 16)
def _suit_cards(suit: int, chunk: int) -> tuple[str, ...]:
    return tuple(
        ALL_CARDS[13 * suit + rank] for rank in range(13) for _ in range(chunk >> 4 * rank & 15)
    )
