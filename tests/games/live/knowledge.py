"""Which cards an audience may know: worked out from the complete events, not from the views.

A second opinion on secrecy. It knows the clauses (what lies face up, whose hand is whose, S0-41 on
reserves fetched by a discard, S4-32 on closed piles) and none of the code that hides cards.
"""

import re
from collections import Counter
from collections.abc import Iterable

from games.rules import events as ev
from games.rules.profile import Pile
from games.tables.folding import Step

CARD = re.compile(r'"([A23456789TJQK][SHDC]|JK)"')


def cards_in(text: str) -> set[str]:
    """Every card that a text names as JSON does."""
    return set(CARD.findall(text))


class Knowledge:
    """What one audience may know, event by event; `seat` None for the public."""

    def __init__(self, seat: int | None) -> None:
        self._seat = seat
        self._hand: list[str] = []
        self._is_blind = False
        self._table: list[str] = []
        self._pile: list[str] = []
        self._closed = False
        self.was_blind = False

    def after(self, step: Step) -> set[str]:
        """The cards that this audience may be told when this event has happened."""
        told: set[str] = set()
        event = step.event
        if isinstance(event, ev.GameOpened):
            self._closed = step.after.profile.turn.pile is Pile.CLOSED
        elif isinstance(event, ev.DealStarted):
            self._table, self._pile, self._is_blind = [], list(event.pile), False
            self._hand = [] if self._seat is None else list(event.hands[self._seat])
        elif isinstance(event, ev.CardDrawn):
            self._gains(event.seat, [event.card])
        elif isinstance(event, ev.CardRejected):
            self._gives(event.seat, [event.card])
            self._pile.append(event.card)
        elif isinstance(event, ev.PileTaken):
            told |= set(self._seen_of_pile())
            self._gains(event.seat, list(event.cards))
            self._pile = []
        elif isinstance(event, ev.Melded):
            for laid in event.placements:
                self._gives(event.seat, list(laid.cards))
                self._table += laid.cards
        elif isinstance(event, ev.Discarded):
            self._gives(event.seat, [event.card])
            self._pile.append(event.card)
            told |= {event.shown} if event.shown else set()
            if self._seat is not None and event.seat == self._opens_eyes_of(step):
                self._is_blind = False
        elif isinstance(event, ev.ReserveTaken):
            if event.seat == self._seat:
                self._is_blind = not event.direct
                self.was_blind |= self._is_blind
            self._gains(event.seat, list(event.cards))
        elif isinstance(event, ev.DealEnded):
            self._is_blind = False
        hand = [] if self._is_blind else self._hand
        return told | {*self._table, *self._seen_of_pile(), *hand}

    def shown(self) -> Counter[str]:
        """The cards that lie open to this audience now, each as often as it does."""
        hand = [] if self._is_blind else self._hand
        return Counter([*self._table, *self._seen_of_pile(), *hand])

    def _opens_eyes_of(self, step: Step) -> int:
        """Whose discard lets this seat look at its reserve: the partner's, of two the rival's."""
        assert self._seat is not None
        return (self._seat + 2) % 4 if step.after.seats == 4 else 1 - self._seat

    def _seen_of_pile(self) -> list[str]:
        return self._pile[-1:] if self._closed else self._pile

    def _gains(self, seat: int, cards: list[str]) -> None:
        if seat == self._seat:
            self._hand += cards

    def _gives(self, seat: int, cards: list[str]) -> None:
        if seat == self._seat:
            for card in cards:
                self._hand.remove(card)


def leaks(steps: Iterable[Step], seat: int | None, texts: dict[int, str]) -> list[str]:
    """The cards in the texts, told after the event of that number, that were not to be known."""
    knowledge, before, found = Knowledge(seat), set[str](), []
    for step in steps:
        known = knowledge.after(step)
        text = texts.get(step.stored.seq)
        if text is not None and (leaked := cards_in(text) - known - before):
            found.append(f"event {step.stored.seq} ({step.stored.type}): {sorted(leaked)}")
        before = known
    return found
