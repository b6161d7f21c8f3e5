"""Which selections of cards a hand could lay: new melds and extensions, every one, each once.

Works suit by suit and rank by rank on packed counts, so that what one hand had is found again in
the next. Legality of each selection is asked of the meld book; nothing here knows the turn. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import product

from games.rules.cards import JOKER, RANKS, SUIT_MASK, SUITS, TWOS, in_order
from games.rules.melds import (
    HIGH_ACE,
    LONGEST_SEQUENCE,
    LOW_ACE,
    TWO,
    MeldBook,
    Shape,
    card_at,
    shape,
)
from games.rules.moves import Placement

SUIT_STRIDE = SUIT_MASK.bit_length()
_JOKER_SHIFT = 4 * SUIT_STRIDE


def wilds_in(hand: int) -> tuple[str, ...]:
    """The kinds of wild card that a packed hand holds."""
    kinds = [two for suit, two in enumerate(TWOS) if hand >> SUIT_STRIDE * suit + 4 & 15]
    if hand >> _JOKER_SHIFT:
        kinds.append(JOKER)
    return tuple(kinds)


class Selections:
    """All placements of one meld book, remembered by what of the hand they depend on."""

    def __init__(self, book: MeldBook) -> None:
        self.book = book
        remember = lru_cache(maxsize=1 << 16)
        self.new_sequences = remember(self._new_sequences)
        self.new_sets = remember(self._new_sets)
        self.sequence_extensions = remember(self._sequence_extensions)
        self.set_extensions = remember(self._set_extensions)

    def new(self, hand: int, wilds: tuple[str, ...]) -> list[Placement]:
        """Every new meld of a packed hand; one placement for each legal layout."""
        found: list[Placement] = []
        for suit in range(4):
            chunk = hand >> SUIT_STRIDE * suit & SUIT_MASK
            if chunk:
                found += self.new_sequences(suit, chunk, wilds)
        if self.book.rules.sets:
            for rank in range(13):
                counts = rank_counts(hand, rank)
                if rank != 1 and counts:
                    found += self.new_sets(rank, counts, wilds)
        return found

    def extensions(
        self, hand: int, wilds: tuple[str, ...], number: int, cards: tuple[str, ...]
    ) -> tuple[Placement, ...]:
        """Every placement onto meld `number`, laid out as `cards`."""
        found = shape(cards)
        if found.is_set:
            return self.set_extensions(number, cards, rank_counts(hand, found.rank), wilds)
        chunk = hand >> SUIT_STRIDE * found.suit & SUIT_MASK
        return self.sequence_extensions(number, cards, chunk, wilds)

    def _placements(
        self, onto: tuple[str, ...], number: int | None, selections: set[tuple[str, ...]]
    ) -> tuple[Placement, ...]:
        placements: list[Placement] = []
        for cards in sorted(selections):
            layouts = self.book.layouts(onto, cards)
            if isinstance(layouts, str):
                continue
            placements.append(Placement(cards, number))
            placements += [Placement(cards, number, layout=other.cards) for other in layouts[1:]]
        return tuple(placements)

    def _new_sequences(
        self, suit: int, chunk: int, wilds: tuple[str, ...]
    ) -> tuple[Placement, ...]:
        selections: set[tuple[str, ...]] = set()
        held = _Held(suit, chunk, wilds)
        for low in range(LOW_ACE, HIGH_ACE - 1):
            for high in range(low + 2, HIGH_ACE + 1):
                missing = held.missing(low, high)
                if missing > 1:
                    break
                selections.update(held.fill(range(low, high + 1), may_stay_natural=not missing))
        return self._placements((), None, selections)

    def _sequence_extensions(
        self, number: int, cards: tuple[str, ...], chunk: int, wilds: tuple[str, ...]
    ) -> tuple[Placement, ...]:
        found = shape(cards)
        held = _Held(found.suit, chunk, wilds)
        selections = set(_onto(held, found, cards))
        return self._placements(cards, number, selections)

    def _new_sets(
        self, rank: int, counts: tuple[int, ...], wilds: tuple[str, ...]
    ) -> tuple[Placement, ...]:
        selections: set[tuple[str, ...]] = set()
        for naturals in _some_of(rank, counts):
            if 3 <= len(naturals) <= self.book.rules.largest_set:
                selections.add(naturals)
            if 2 <= len(naturals) < self.book.rules.largest_set:
                selections.update(in_order((*naturals, wild)) for wild in wilds)
        return self._placements((), None, selections)

    def _set_extensions(
        self,
        number: int,
        cards: tuple[str, ...],
        counts: tuple[int, ...] | None,
        wilds: tuple[str, ...],
    ) -> tuple[Placement, ...]:
        selections: set[tuple[str, ...]] = set()
        room = self.book.rules.largest_set - len(cards)
        rank = shape(cards).rank
        usable = wilds if shape(cards).wild is None else ()
        for naturals in _some_of(rank, counts or (0, 0, 0, 0)):
            if 1 <= len(naturals) <= room:
                selections.add(naturals)
            if len(naturals) < room:
                selections.update(in_order((*naturals, wild)) for wild in usable)
        return self._placements(cards, number, selections)


def rank_counts(hand: int, rank: int) -> tuple[int, ...] | None:
    """How many cards of a rank a packed hand holds, suit by suit; None for none at all."""
    counts = tuple(hand >> SUIT_STRIDE * suit + 4 * rank & 15 for suit in range(4))
    return counts if any(counts) else None


def _some_of(rank: int, counts: tuple[int, ...]) -> Iterator[tuple[str, ...]]:
    """Every choice among the cards of a rank, none and all included."""
    for chosen in product(*(range(count + 1) for count in counts)):
        yield tuple(
            RANKS[rank] + suit
            for suit, count in zip(SUITS, chosen, strict=True)
            for _ in range(count)
        )


class _Held:
    """What a hand holds for a sequence of one suit: natural places, and wild cards."""

    def __init__(self, suit: int, chunk: int, wilds: tuple[str, ...]) -> None:
        self.suit = suit
        self.wilds = wilds
        self.own_two = TWOS[suit]
        self.aces = chunk & 15
        self.twos = chunk >> 4 & 15
        self.places = 0
        for rank in range(13):
            if chunk >> 4 * rank & 15:
                self.places |= 1 << rank + 1
        if self.aces:
            self.places |= 1 << HIGH_ACE

    def missing(self, low: int, high: int) -> int:
        """How many places from `low` to `high` no natural card of the hand can fill."""
        span = (1 << high + 1) - (1 << low)
        lacking = (span & ~self.places).bit_count()
        return lacking + (high - low + 1 == LONGEST_SEQUENCE and self.aces == 1)

    def naturals(self, places: list[int]) -> tuple[str, ...] | None:
        """The natural cards of these places, or None where the hand has not got them."""
        for place in places:
            if not self.places >> place & 1:
                return None
        if LOW_ACE in places and HIGH_ACE in places and self.aces < 2:
            return None
        return tuple(card_at(self.suit, place) for place in places)

    def wild_for(self, place: int, *, two_used: bool) -> Iterator[str]:
        """The wild cards of the hand that can stand at a place."""
        for wild in self.wilds:
            if wild == self.own_two and (place == TWO or self.twos <= two_used):
                continue
            yield wild

    def fill(self, span: range, *, may_stay_natural: bool) -> Iterator[tuple[str, ...]]:
        """Selections that fill a span of places, with a wild at one of them or none."""
        if may_stay_natural:
            naturals = self.naturals(list(span))
            if naturals is not None:
                yield in_order(naturals)
        if not self.wilds:
            return
        for wild_place in span:
            others = [place for place in span if place != wild_place]
            naturals = self.naturals(others)
            if naturals is None:
                continue
            for wild in self.wild_for(wild_place, two_used=TWO in others):
                yield in_order((*naturals, wild))


def _onto(held: _Held, found: Shape, cards: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Selections that might extend a sequence; the meld book says which of them do."""
    wild = cards[found.wild] if found.wild is not None else None
    yield from _around(held, found.naturals, wild)
    if found.two_low and wild is None:
        yield from _around(held, found.naturals & ~(1 << TWO), held.own_two)


def _around(held: _Held, fixed: int, wild: str | None) -> Iterator[tuple[str, ...]]:
    """Selections that fill a span around the fixed naturals of a meld and its wild, if any."""
    first, last = (fixed & -fixed).bit_length() - 1, fixed.bit_length() - 1
    for low in range(first, LOW_ACE - 1, -1):
        for high in range(last, HIGH_ACE + 1):
            wanted = [place for place in range(low, high + 1) if not fixed >> place & 1]
            lacking = sum(not held.places >> place & 1 for place in wanted)
            if lacking > 2:
                break
            yield from _added(held, wanted, wild)


def _added(held: _Held, wanted: list[int], wild: str | None) -> Iterator[tuple[str, ...]]:
    """Selections that fill the wanted places, given the wild that the meld has already."""
    homes = [wanted]
    if wild == held.own_two and TWO in wanted:
        homes.append([place for place in wanted if place != TWO])
    for goes_home, places in enumerate(homes):
        lies = wild is not None and not goes_home
        naturals = None if lies else held.naturals(places)
        if naturals:
            yield in_order(naturals)
        for wild_place in places:
            others = [place for place in places if place != wild_place]
            naturals = held.naturals(others)
            if naturals is None:
                continue
            if lies:
                if naturals:
                    yield in_order(naturals)
            else:
                for added in held.wild_for(wild_place, two_used=TWO in others):
                    yield in_order((*naturals, added))
