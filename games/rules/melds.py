"""Melds: which cards lie together, and how they may be laid out (move language, sections 3 and 5).

`MeldBook` answers, for a profile's meld rules, every legal layout of a selection of cards, the
default one first, or the code of the refusal. Places of a sequence run from 1 (low ace) to 14 (high
ace). Pure and cached: a selection is worked out once.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

import msgspec

from games.rules.cards import RANK_OF, RANKS, SUIT_OF, SUITS, WILDS
from games.rules.profile import End, MeldRules, RefusalCode, WildsMove

LOW_ACE, TWO, KING, HIGH_ACE = 1, 2, 13, 14
LONGEST_SEQUENCE = 14
ACES = 1 << LOW_ACE | 1 << HIGH_ACE


class Meld(msgspec.Struct, frozen=True):
    """A meld on the table. `at_once`: 13 or 14 where it was laid at once as such a run, else 0."""

    cards: tuple[str, ...]
    at_once: int = 0


class Shape(msgspec.Struct, frozen=True):
    """What a layout is. `wild`: the index of its wild card, or None.

    A sequence has its `suit` (0 to 3), the place of its first card as `low`, its natural cards as a
    bit mask of places in `naturals`, and `two_low`: a natural two is its first card. A set has its
    `rank` (0 is the ace).
    """

    is_set: bool
    wild: int | None
    suit: int = -1
    low: int = 0
    naturals: int = 0
    rank: int = -1

    @property
    def two_low(self) -> bool:
        return not self.is_set and self.low == TWO and bool(self.naturals & 1 << TWO)

    def takes(self, card: str) -> bool:
        """Whether a natural card, not a two, is of this sequence's suit or this set's rank."""
        return RANK_OF[card] == self.rank if self.is_set else SUIT_OF[card] == self.suit


class Layout(msgspec.Struct, frozen=True):
    """A legal layout: the cards in order, low to high, and the index of the wild one."""

    cards: tuple[str, ...]
    wild: int | None


LADDERS: tuple[tuple[str, ...], ...] = tuple(
    tuple(RANKS[(place - 1) % 13] + suit for place in range(HIGH_ACE + 1)) for suit in SUITS
)
"""The natural card of each place, suit by suit; place 0 is not used."""


def card_at(suit: int, place: int) -> str:
    """The natural card of a place of a sequence."""
    return LADDERS[suit][place]


@lru_cache(maxsize=1 << 16)
def shape(cards: tuple[str, ...]) -> Shape:
    """What these laid out cards are; `ValueError` where they are no meld under any profile."""
    plain = [(index, card) for index, card in enumerate(cards) if card not in WILDS]
    if len(cards) < 3 or not plain:
        raise ValueError("a meld has at least three cards, one of them neither joker nor two")
    if len(plain) > 1 and len({RANK_OF[card] for _, card in plain}) == 1:
        if len(plain) < len(cards) - 1 or (len(plain) < len(cards) and cards[-1] not in WILDS):
            raise ValueError("a set has at most one wild card, which lies last")
        return Shape(
            True, len(cards) - 1 if len(plain) < len(cards) else None, rank=RANK_OF[plain[0][1]]
        )
    index, card = plain[0]
    suit = SUIT_OF[card]
    place = HIGH_ACE if RANK_OF[card] == 0 and index else RANK_OF[card] + 1
    low = place - index
    if low < LOW_ACE or low + len(cards) - 1 > HIGH_ACE:
        raise ValueError("a sequence runs from a low ace to a high ace at most")
    wild, naturals = None, 0
    for place, card in enumerate(cards, low):
        if card == card_at(suit, place):
            naturals |= 1 << place
        elif card in WILDS and wild is None:
            wild = place - low
        else:
            raise ValueError(f"{card} is out of place in this sequence")
    return Shape(False, wild, suit=suit, low=low, naturals=naturals)


class MeldBook:
    """All legal layouts under one profile's meld rules."""

    def __init__(self, rules: MeldRules) -> None:
        self.rules = rules
        self.layouts = lru_cache(maxsize=1 << 17)(self._layouts)

    def is_sound(self, cards: tuple[str, ...]) -> bool:
        """Whether these laid out cards are a meld that this profile could have on the table."""
        try:
            found = shape(cards)
        except ValueError:
            return False
        if found.is_set:
            return self.rules.sets and len(cards) <= self.rules.largest_set
        return self.rules.both_aces or found.naturals & ACES != ACES

    def _layouts(
        self, onto: tuple[str, ...], added: tuple[str, ...]
    ) -> tuple[Layout, ...] | RefusalCode:
        """The layouts of `added` laid onto the meld `onto` (empty: a new meld), default first.

        `added` is in canonical order. Where there is none, the code of the refusal: of those of
        move language section 5 from `meld-too-short` to `meld-gap` the first that fits.
        """
        naturals = tuple(card for card in added if card not in WILDS)
        found = shape(onto) if onto else None
        length = len(onto) + len(added)
        if length < 3:
            return "meld-too-short"
        if found is None and not naturals:
            return "meld-only-wilds"
        if found is not None:
            is_set = found.is_set
        else:
            is_set = len(naturals) > 1 and len({RANK_OF[card] for card in naturals}) == 1
        if found is not None and not is_set and len(onto) == LONGEST_SEQUENCE:
            wild = found.wild
            if wild is not None and card_at(found.suit, found.low + wild) in added:
                return "wild-no-place"
        if length > (self.rules.largest_set if is_set else LONGEST_SEQUENCE):
            return "meld-too-long"
        if is_set:
            return self._set_layouts(onto, found, naturals, added)
        suits = {SUIT_OF[card] for card in naturals}
        if found is not None:
            suits.add(found.suit)
        if len(suits) != 1:
            return "meld-mixed"
        return self._sequence_layouts(suits.pop(), onto, found, naturals, added)

    def _set_layouts(
        self,
        onto: tuple[str, ...],
        found: Shape | None,
        naturals: tuple[str, ...],
        added: tuple[str, ...],
    ) -> tuple[Layout, ...] | RefusalCode:
        if found is not None and any(RANK_OF[card] != found.rank for card in naturals):
            return "meld-mixed"
        if not self.rules.sets:
            return "sets-forbidden"
        laid = onto[:-1] if found is not None and found.wild is not None else onto
        wilds = onto[len(laid) :] + tuple(card for card in added if card in WILDS)
        if len(wilds) > 1:
            return "meld-two-wilds"
        cards = laid + naturals + wilds
        return (Layout(cards, len(cards) - 1 if wilds else None),)

    def _sequence_layouts(
        self,
        suit: int,
        onto: tuple[str, ...],
        found: Shape | None,
        naturals: tuple[str, ...],
        added: tuple[str, ...],
    ) -> tuple[Layout, ...] | RefusalCode:
        start = _Start(suit, onto, found)
        wilds = [card for card in added if card in WILDS]
        free = self.rules.wilds_move is WildsMove.FREE
        both_aces = self.rules.both_aces
        legal = self._arranged(start, naturals, wilds, free=free, both_aces=both_aces)
        if legal:
            return legal
        if not free and self._arranged(start, naturals, wilds, free=True, both_aces=both_aces):
            return "wild-trapped"
        if start.fits_with_more_wilds(naturals, wilds, both_aces=both_aces):
            return "meld-two-wilds"
        if not both_aces and self._arranged(start, naturals, wilds, free=free, both_aces=True):
            return "meld-two-aces"
        return "meld-gap"

    def _arranged(
        self,
        start: _Start,
        naturals: tuple[str, ...],
        wilds: list[str],
        *,
        free: bool,
        both_aces: bool,
    ) -> tuple[Layout, ...]:
        ranked = start.arrangements(naturals, wilds, free=free, both_aces=both_aces)
        turning = start.with_two_turned() if self.rules.natural_two_may_turn_wild else None
        if turning is not None:
            ranked += turning.arrangements(naturals, wilds, free=free, both_aces=both_aces)
        if len(ranked) < 2:
            return tuple(found.layout for found in ranked)
        low_first = start.is_new or self.rules.displaced_wild_goes is End.LOW

        def rank(found: _Arrangement) -> tuple[bool, bool, bool, int, bool]:
            place = found.wild_place
            return (
                place > 0,
                found.two_turned,
                not found.wild_kept,
                place if low_first else -place,
                found.ace_high,
            )

        layouts: dict[tuple[str, ...], Layout] = {}
        for found in sorted(ranked, key=rank):
            layouts.setdefault(found.layout.cards, found.layout)
        return tuple(layouts.values())


class _Arrangement(msgspec.Struct, frozen=True):
    layout: Layout
    wild_place: int
    """0: no wild."""
    wild_kept: bool
    two_turned: bool
    ace_high: bool


class _Start:
    """What a placement of a sequence starts from: a suit and, when one is extended, its cards."""

    def __init__(self, suit: int, onto: tuple[str, ...], found: Shape | None) -> None:
        self.suit = suit
        self.own_two = "2" + SUITS[suit]
        self.is_new = found is None
        self.two_turned = False
        self.fixed, self.wild, self.wild_place = 0, "", 0
        self.wild_at_end = self.can_turn = False
        if found is not None:
            self.fixed = found.naturals
            self.can_turn = found.two_low and found.wild is None
            if found.wild is not None:
                self.wild = onto[found.wild]
                self.wild_place = found.low + found.wild
                self.wild_at_end = found.wild in (0, len(onto) - 1)

    def with_two_turned(self) -> _Start | None:
        """The same with its natural two, at the low end, as a free wild (G0-15, G2-10)."""
        if not self.can_turn:
            return None
        turned = _Start(self.suit, (), None)
        turned.is_new = False
        turned.fixed = self.fixed & ~(1 << TWO)
        turned.wild, turned.wild_place, turned.wild_at_end = self.own_two, TWO, True
        turned.two_turned = True
        return turned

    def natural_masks(self, naturals: tuple[str, ...], *, both_aces: bool) -> list[int]:
        """Where the natural cards (twos apart) may lie, as masks of places; an ace has two ends."""
        mask, aces = self.fixed, 0
        for card in naturals:
            rank = RANK_OF[card]
            bit = 1 << rank + 1
            if rank == 0:
                aces += 1
            elif mask & bit:
                return []
            else:
                mask |= bit
        lying = (mask & ACES).bit_count()
        if aces + lying > (2 if both_aces else 1):
            return []
        if not aces:
            return [mask]
        if aces == 2:
            return [mask | ACES]
        return [mask | 1 << end for end in (LOW_ACE, HIGH_ACE) if not mask & 1 << end]

    def arrangements(
        self, naturals: tuple[str, ...], wilds: list[str], *, free: bool, both_aces: bool
    ) -> list[_Arrangement]:
        """Every legal layout with one wild at most.

        `free`: the wild of the meld may leave its place whatever is added (S4-21); otherwise only
        if its own card comes or it lies at an end (S0-35, G0-14).
        """
        found: list[_Arrangement] = []
        for mask in self.natural_masks(naturals, both_aces=both_aces):
            for home, places in self._homes(mask, wilds):
                freed = bool(self.wild_place and places >> self.wild_place & 1)
                may_leave = free or freed or self.wild_at_end
                others = list(wilds)
                if home == "added":
                    others.remove(self.own_two)
                if home == "meld" and not (may_leave and (free or freed or not others)):
                    continue
                lying = bool(self.wild) and home != "meld"
                if len(others) + lying > 1:
                    continue
                if not others and not lying:
                    if _gaps(places) == 0:
                        found.append(self._arranged(places, "", 0))
                    continue
                wild = self.wild if lying else others[0]
                for place in _wild_places(places):
                    if wild == self.own_two and place == TWO:
                        continue
                    if lying and place != self.wild_place and not may_leave:
                        continue
                    found.append(self._arranged(places, wild, place))
        return found

    def fits_with_more_wilds(
        self, naturals: tuple[str, ...], wilds: list[str], *, both_aces: bool
    ) -> bool:
        """Whether the selection would close if a sequence might hold any number of wilds."""
        for mask in self.natural_masks(naturals, both_aces=both_aces):
            for home, places in self._homes(mask, wilds):
                left = len(wilds) + bool(self.wild) - bool(home)
                if left > 1 and _gaps(places) <= left:
                    return True
        return False

    def _homes(self, mask: int, wilds: list[str]) -> list[tuple[str, int]]:
        """Which two goes to the natural place of its suit: none, one added, the meld's own wild."""
        homes = [("", mask)]
        if not mask & 1 << TWO:
            if self.own_two in wilds:
                homes.append(("added", mask | 1 << TWO))
            if self.wild == self.own_two:
                homes.append(("meld", mask | 1 << TWO))
        return homes

    def _arranged(self, places: int, wild: str, wild_place: int) -> _Arrangement:
        taken = places | (1 << wild_place if wild else 0)
        low, high = _low(taken), taken.bit_length() - 1
        ladder = LADDERS[self.suit]
        cards = ladder[low : high + 1]
        if wild:
            cards = (*ladder[low:wild_place], wild, *ladder[wild_place + 1 : high + 1])
        return _Arrangement(
            Layout(cards, wild_place - low if wild else None),
            wild_place,
            wild_kept=bool(wild) and wild_place == self.wild_place,
            two_turned=self.two_turned,
            ace_high=bool(places >> HIGH_ACE),
        )


def _low(mask: int) -> int:
    return (mask & -mask).bit_length() - 1


def _gaps(mask: int) -> int:
    """How many places are missing between the lowest and the highest."""
    return mask.bit_length() - _low(mask) - mask.bit_count()


def _wild_places(mask: int) -> list[int]:
    """Where one wild makes the places of `mask` a sequence."""
    gaps = _gaps(mask)
    low, high = _low(mask), mask.bit_length() - 1
    if gaps == 1:
        hole = ((1 << high + 1) - (1 << low)) & ~mask
        return [hole.bit_length() - 1]
    if gaps == 0:
        return [place for place in (low - 1, high + 1) if LOW_ACE <= place <= HIGH_ACE]
    return []


def same_layout(chosen: tuple[str, ...], layout: tuple[str, ...], *, is_set: bool) -> bool:
    """Whether a chosen layout is this one; the order of a set's naturals has no meaning."""
    if not is_set:
        return chosen == layout
    wild_last = layout[-1] not in WILDS or chosen[-1:] == layout[-1:]
    return wild_last and Counter(chosen) == Counter(layout)
