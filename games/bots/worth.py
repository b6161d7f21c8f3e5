"""What melds are worth to the side that owns them: now, and for what may still become of them.

All figures are points of the profile's score table. Remembered per meld; imports rules and scoring.
"""

from __future__ import annotations

from functools import lru_cache

from games.rules.cards import RANKS, SUITS
from games.rules.melds import HIGH_ACE, LONGEST_SEQUENCE, LOW_ACE, card_at, shape
from games.rules.profile import Canasta
from games.rules.state import Rules
from scoring.sheets import CANASTA, Grade, MeldFacts, grade, special_run
from scoring.table import ScoreTable

PROMISE = {3: 0.06, 4: 0.14, 5: 0.28, 6: 0.52}
"""How much of a canasta's bonus a meld of so many cards promises, early in a deal."""
TO_GO_OUT = 150
"""What the canasta is worth, beyond its own points, that lets the side go out."""
RUN_PROMISE = {7: 0.03, 8: 0.06, 9: 0.1, 10: 0.16, 11: 0.26, 12: 0.4, 13: 0.5}
"""The same of what the longest clean run earns beyond what the meld has already."""


class Worth:
    """The worth of melds under one profile."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.scores = rules.profile.scores
        self.needs_clean = rules.profile.going_out.canasta is Canasta.CLEAN
        remember = lru_cache(maxsize=1 << 16)
        self.laid = remember(self._laid)
        self.promised = remember(self._promised)
        self.next_card = remember(self._next_card)

    def _laid(self, cards: tuple[str, ...], at_once: int) -> int:
        """The points of a meld if the deal ended now."""
        points = self.rules.points
        found = shape(cards)
        reached = grade(self.scores, MeldFacts(cards, found.is_set, found.wild, at_once))
        return sum(points[card] for card in cards) + bonus(self.scores, reached)

    def _promised(self, cards: tuple[str, ...], needed: bool) -> float:
        """What the meld may yet earn by growing, while the deal is young.

        `needed`: the side has no canasta yet with which it could go out.
        """
        found, length = shape(cards), len(cards)
        clean = found.wild is None
        promise = self._promise(length, clean=clean, is_set=found.is_set)
        if needed and length < CANASTA and (clean or not self.needs_clean):
            promise += PROMISE[length] * TO_GO_OUT
        return promise

    def _promise(self, length: int, *, clean: bool, is_set: bool) -> float:
        if length < CANASTA:
            return PROMISE[length] * self._bonus(CANASTA, clean=clean, is_set=is_set)
        reached = self._bonus(length, clean=clean, is_set=is_set)
        longest = self._bonus(LONGEST_SEQUENCE, clean=clean, is_set=is_set)
        return RUN_PROMISE.get(length, 0.0) * (longest - reached)

    def _bonus(self, length: int, *, clean: bool, is_set: bool) -> int:
        """The bonus of a meld of so many cards that has grown little by little."""
        scores = self.scores
        if length < CANASTA:
            return 0
        if not clean:
            return scores.dirty
        if length < 13 or is_set or scores.special_runs_at_once:
            return scores.clean
        return scores.run14 if length == 14 and scores.run14 else scores.run13 or scores.clean

    def _next_card(self, cards: tuple[str, ...]) -> float:
        """What one more natural card is worth to this meld, its own points apart."""
        found, length = shape(cards), len(cards)
        clean, is_set = found.wild is None, found.is_set
        if length >= (self.rules.profile.melds.largest_set if is_set else LONGEST_SEQUENCE):
            return 0.0
        return (
            self._bonus(length + 1, clean=clean, is_set=is_set)
            + self._promise(length + 1, clean=clean, is_set=is_set)
            - self._bonus(length, clean=clean, is_set=is_set)
            - self._promise(length, clean=clean, is_set=is_set)
        )

    def opens_going_out(self, cards: tuple[str, ...]) -> bool:
        """Whether this meld is, or by growing may become, the canasta that going out asks for."""
        return not self.needs_clean or shape(cards).wild is None

    def at_once(self, cards: tuple[str, ...]) -> int:
        """What a new meld keeps as `at_once` (move language, section 3)."""
        found = shape(cards)
        if not self.scores.special_runs_at_once or found.is_set or found.wild is not None:
            return 0
        return special_run(self.scores, cards)


@lru_cache(maxsize=64)
def worth_for(rules: Rules) -> Worth:
    """The worth of melds under these rules; the same for the same rules."""
    return Worth(rules)


def bonus(scores: ScoreTable, reached: Grade | None) -> int:
    """The points of a canasta of this grade, its cards apart."""
    return 0 if reached is None else int(getattr(scores, reached.value))


@lru_cache(maxsize=1 << 16)
def wanted_by(cards: tuple[str, ...]) -> frozenset[str]:
    """The natural cards that a meld takes as it lies."""
    found = shape(cards)
    if found.is_set:
        return frozenset(RANKS[found.rank] + suit for suit in SUITS)
    low, high = found.low, found.low + len(cards) - 1
    places = [place for place in (low - 1, high + 1) if LOW_ACE <= place <= HIGH_ACE]
    if found.wild is not None and len(cards) < LONGEST_SEQUENCE:
        places.append(low + found.wild)
    return frozenset(card_at(found.suit, place) for place in places)


@lru_cache(maxsize=1 << 16)
def nearly_wanted_by(cards: tuple[str, ...]) -> frozenset[str]:
    """The natural cards one place further: the meld takes them once it has grown by one."""
    found = shape(cards)
    if found.is_set:
        return frozenset()
    low, high = found.low, found.low + len(cards) - 1
    places = [place for place in (low - 2, high + 2) if LOW_ACE <= place <= HIGH_ACE]
    return frozenset(card_at(found.suit, place) for place in places)
