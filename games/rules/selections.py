"""Which selections of cards a hand could lay: new melds and extensions, every one, each once.

Works suit by suit and rank by rank on packed counts, so that what one hand had is found again in
the next. Legality of each selection is asked of the meld book; nothing here knows the turn. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import product

from games.rules.cards import JOKER, RANK_OF, RANKS, SUIT_MASK, SUIT_OF, SUITS, TWOS, in_order
from games.rules.melds import ACES, HIGH_ACE, LOW_ACE, TWO, MeldBook, card_at, shape
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
                found += self._new_of_suit(suit, chunk, wilds)
        if self.book.rules.sets:
            for rank in _RANKS_OF_SETS:
                held = hand >> 4 * rank & _ONE_RANK
                if held & (held - 1) or held & _COPIES:
                    found += self.new_sets(rank, held, wilds)
        return found

    def new_with(self, card: str, hand: int, wilds: tuple[str, ...]) -> list[Placement]:
        """Those new melds, in the same order, that can have this natural card of the hand."""
        suit, rank = SUIT_OF[card], RANK_OF[card]
        chunk = hand >> SUIT_STRIDE * suit & SUIT_MASK
        found = [*self._new_of_suit(suit, chunk, wilds)]
        if self.book.rules.sets:
            found += self.new_sets(rank, hand >> 4 * rank & _ONE_RANK, wilds)
        return found

    def extensions(
        self, hand: int, wilds: tuple[str, ...], number: int, cards: tuple[str, ...]
    ) -> tuple[Placement, ...]:
        """Every placement onto meld `number`, laid out as `cards`."""
        found = shape(cards)
        if found.is_set:
            wilds = wilds if found.wild is None else ()
            held = hand >> 4 * found.rank & _ONE_RANK
            return self.set_extensions(number, cards, held, wilds) if held or wilds else ()
        places = held_places(hand >> SUIT_STRIDE * found.suit & SUIT_MASK)
        reached = found.naturals
        if found.wild is not None:
            # No other wild comes into it, unless its own goes home as the natural two.
            if cards[found.wild] == TWOS[found.suit] and not reached >> TWO & 1:
                reached |= 1 << TWO
            else:
                wilds = ()
        # Cards that no chain of places, one apart at most, ties to the meld make no difference.
        before = 0
        while reached != before:
            before = reached
            reached |= (reached << 2 | reached << 1 | reached >> 1 | reached >> 2) & places
        near = reached & ~found.naturals & places
        if not near and not wilds:
            return ()
        near |= places & (1 << TWO | SECOND_COPIES if wilds else SECOND_COPIES)
        return self.sequence_extensions(number, cards, near, wilds)

    def _new_of_suit(self, suit: int, chunk: int, wilds: tuple[str, ...]) -> tuple[Placement, ...]:
        places = held_places(chunk)
        if wilds:
            close = places & (places << 2 | places << 1 | places >> 1 | places >> 2)
        else:
            inner = places & places << 1 & places >> 1
            close = places & (inner << 1 | inner | inner >> 1)
        if not close:
            return ()
        # Cards too far from any other make no sequence, and would only make hands differ; but a
        # two may be the wild card itself.
        return self.new_sequences(suit, close | places & (1 << TWO | SECOND_COPIES), wilds)

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
        self, suit: int, places: int, wilds: tuple[str, ...]
    ) -> tuple[Placement, ...]:
        selections: set[tuple[str, ...]] = set()
        held = _Held(suit, places, wilds)
        for low in range(LOW_ACE, HIGH_ACE - 1):
            for high in range(low + 2, HIGH_ACE + 1):
                span = (1 << high + 1) - (1 << low)
                if (span & held.lacking).bit_count() > 1:
                    break
                held.fill(span, selections)
        return self._placements((), None, selections)

    def _sequence_extensions(
        self, number: int, cards: tuple[str, ...], places: int, wilds: tuple[str, ...]
    ) -> tuple[Placement, ...]:
        found = shape(cards)
        held = _Held(found.suit, places, wilds)
        selections: set[tuple[str, ...]] = set()
        wild = cards[found.wild] if found.wild is not None else None
        _around(held, found.naturals, wild, selections)
        if found.two_low and wild is None:
            _around(held, found.naturals & ~(1 << TWO), held.own_two, selections)
        return self._placements(cards, number, selections)

    def _new_sets(self, rank: int, held: int, wilds: tuple[str, ...]) -> tuple[Placement, ...]:
        selections: set[tuple[str, ...]] = set()
        for naturals in _some_of(rank, held):
            if 3 <= len(naturals) <= self.book.rules.largest_set:
                selections.add(naturals)
            if 2 <= len(naturals) < self.book.rules.largest_set:
                selections.update(in_order((*naturals, wild)) for wild in wilds)
        return self._placements((), None, selections)

    def _set_extensions(
        self,
        number: int,
        cards: tuple[str, ...],
        held: int,
        wilds: tuple[str, ...],
    ) -> tuple[Placement, ...]:
        selections: set[tuple[str, ...]] = set()
        room = self.book.rules.largest_set - len(cards)
        rank = shape(cards).rank
        for naturals in _some_of(rank, held):
            if 1 <= len(naturals) <= room:
                selections.add(naturals)
            if len(naturals) < room:
                selections.update(in_order((*naturals, wild)) for wild in wilds)
        return self._placements(cards, number, selections)


_ONE_RANK = sum(15 << SUIT_STRIDE * suit for suit in range(4))
"""Masks the cards of one rank, the aces', in a packed hand."""
_COPIES = sum(14 << SUIT_STRIDE * suit for suit in range(4))
_RANKS_OF_SETS = tuple(rank for rank in range(13) if RANKS[rank] != "2")


def _some_of(rank: int, held: int) -> Iterator[tuple[str, ...]]:
    """Every choice among the cards of a rank, none and all included; `held` as in `_ONE_RANK`."""
    counts = (held >> SUIT_STRIDE * suit & 15 for suit in range(4))
    for chosen in product(*(range(count + 1) for count in counts)):
        yield tuple(
            RANKS[rank] + suit
            for suit, count in zip(SUITS, chosen, strict=True)
            for _ in range(count)
        )


_SECOND_ACE = 1 << HIGH_ACE + 1
_SECOND_TWO = 1 << HIGH_ACE + 2
SECOND_COPIES = _SECOND_ACE | _SECOND_TWO


@lru_cache(maxsize=1 << 16)
def held_places(chunk: int) -> int:
    """The places of a sequence that a hand's cards of one suit can fill, as a mask.

    Of second copies only that of the ace and of the two count, with a bit of their own: the one
    may lie at both ends, the other as a natural card and as a wild one.
    """
    aces, twos = chunk & 15, chunk >> 4 & 15
    places = (1 << HIGH_ACE if aces else 0) | (_SECOND_ACE if aces > 1 else 0)
    places |= _SECOND_TWO if twos > 1 else 0
    for rank in range(13):
        if chunk >> 4 * rank & 15:
            places |= 1 << rank + 1
    return places


@lru_cache(maxsize=1 << 16)
def _cards_of(suit: int, places: int, wild: str | None) -> tuple[str, ...]:
    """The natural cards of these places and a wild card, in canonical order."""
    cards = [card_at(suit, place) for place in range(LOW_ACE, HIGH_ACE + 1) if places >> place & 1]
    return in_order(cards if wild is None else (*cards, wild))


class _Held:
    """What a hand holds for a sequence of one suit: natural places, and wild cards."""

    def __init__(self, suit: int, places: int, wilds: tuple[str, ...]) -> None:
        self.suit = suit
        self.own_two = TWOS[suit]
        self.lacking = ~places
        self.two_aces = bool(places & _SECOND_ACE)
        foreign = tuple(wild for wild in wilds if wild != self.own_two)
        twos = (places >> TWO & 1) + bool(places & _SECOND_TWO)
        self.wilds_at_two = foreign
        self.wilds_beside_two = wilds if twos > 1 else foreign
        self.wilds_elsewhere = wilds if twos else foreign

    def fill(self, wanted: int, selections: set[tuple[str, ...]], *, lies: bool = False) -> None:
        """Add the selections that fill these places, with a wild card at one of them or none.

        `lies`: the meld's own wild fills one of them, so that no other may come.
        """
        open_places = wanted & self.lacking
        if open_places & (open_places - 1):
            return
        if wanted & ACES == ACES and not self.two_aces:
            # One ace cannot lie at both ends.
            if open_places:
                return
            open_places = ACES
        if not open_places:
            open_places = wanted
            if wanted and not lies:
                selections.add(_cards_of(self.suit, wanted, None))
        while open_places:
            place = open_places & -open_places
            open_places ^= place
            others = wanted ^ place
            if lies:
                if others:
                    selections.add(_cards_of(self.suit, others, None))
                continue
            for wild in self._wilds_for(place, others):
                selections.add(_cards_of(self.suit, others, wild))

    def _wilds_for(self, place: int, others: int) -> tuple[str, ...]:
        if place == 1 << TWO:
            return self.wilds_at_two
        return self.wilds_beside_two if others >> TWO & 1 else self.wilds_elsewhere


def _around(held: _Held, fixed: int, wild: str | None, selections: set[tuple[str, ...]]) -> None:
    """Selections that might extend a sequence; the meld book says which of them do.

    They fill a span around the fixed naturals of the meld and its wild, if it has any.
    """
    first, last = (fixed & -fixed).bit_length() - 1, fixed.bit_length() - 1
    goes_home = wild == held.own_two
    most = 2 if goes_home else 1
    two = 1 << TWO
    for low in range(first, LOW_ACE - 1, -1):
        for high in range(last, HIGH_ACE + 1):
            wanted = ((1 << high + 1) - (1 << low)) & ~fixed
            if (wanted & held.lacking).bit_count() > most:
                if high == last:
                    return
                break
            held.fill(wanted, selections, lies=wild is not None)
            if goes_home and wanted & two:
                held.fill(wanted ^ two, selections)
