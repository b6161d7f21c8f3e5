"""Hands that play a table's page as people do: by taps, or by the keyboard alone.

They get a move that is legal and make it through what the page offers: cards, melds, buttons. They
say nothing to the server and call nothing of the page's own.
"""

import re
from collections import Counter
from typing import Protocol

from playwright.sync_api import Locator, Page, expect

from games.rules.melds import card_at, shape
from games.rules.moves import AnyMove, Discard, Draw, LayMelds, Placement, Reject, Take
from tests.e2e.evening import focused
from tests.e2e.witness import spoken

WAIT_MS = 15_000
_MOST_TABS = 80


class Hands(Protocol):
    """One player's way to a page."""

    def press(self, what: str) -> None:
        """A button: `draw`, `take`, `new`, `lay`, `discard`, `reject`, `yes`."""
        ...

    def choose(self, cards: tuple[str, ...]) -> None:
        """Choose cards of the hand, none of which is chosen."""
        ...

    def onto(self, meld: int) -> None:
        """Put what is chosen onto an own meld."""
        ...

    def answer(self, button: Locator) -> None:
        """Press one of several buttons that ask the same."""
        ...


class Taps:
    """A finger on a phone."""

    def __init__(self, page: Page) -> None:
        self._page = page

    def press(self, what: str) -> None:
        self._page.tap(f".dock [data-focus={what}]")

    def choose(self, cards: tuple[str, ...]) -> None:
        for card in cards:
            self._page.tap(f'.hand-card[data-card^="{card}"]:not(.is-selected) >> nth=0')

    def onto(self, meld: int) -> None:
        self._page.tap(f".game [data-focus=meld-{meld}]")

    def answer(self, button: Locator) -> None:
        button.tap()


class Keys:
    """A keyboard and nothing else; it starts wherever the focus is."""

    _KEYS = {"draw": "d", "take": "t", "new": "m", "lay": "l", "discard": "x", "reject": "j"}

    def __init__(self, page: Page) -> None:
        self._page = page

    def press(self, what: str) -> None:
        if what == "yes":
            expect(self._page.locator("[data-focus=yes]")).to_be_focused()
            self._page.keyboard.press("Enter")
        else:
            self._page.keyboard.press(self._KEYS[what])

    def choose(self, cards: tuple[str, ...]) -> None:
        wanted = Counter(cards)
        self._reach_the_hand()
        self._page.keyboard.press("Home")
        for _ in range(self._page.locator(".hand-card").count()):
            if not wanted.total():
                return
            here = focused(self._page).removeprefix("card-")[:2]
            if wanted[here]:
                wanted[here] -= 1
                self._page.keyboard.press("Space")
            self._page.keyboard.press("ArrowRight")
        assert not wanted.total(), f"not in the hand: {wanted}"

    def onto(self, meld: int) -> None:
        if meld < 9:
            self._page.keyboard.press(str(meld + 1))
        else:
            self._tab_to(f"meld-{meld}")
            self._page.keyboard.press("Enter")

    def answer(self, button: Locator) -> None:
        self._tab_to(str(button.get_attribute("data-focus")))
        self._page.keyboard.press("Enter")

    def _reach_the_hand(self) -> None:
        if not focused(self._page).startswith("card-"):
            self._tab_to("card-")

    def _tab_to(self, name: str) -> None:
        for _ in range(_MOST_TABS):
            self._page.keyboard.press("Tab")
            if focused(self._page).startswith(name):
                return
        raise AssertionError(f"Tab never comes to {name}")


def make(page: Page, hands: Hands, move: AnyMove, top: str | None) -> None:
    """Make a move. `top`: the top card of the pile, for one that is closed."""
    expect(page.locator(".dock.is-turn:not(.is-pending)")).to_have_count(1, timeout=WAIT_MS)
    match move:
        case Draw():
            hands.press("draw")
        case Reject():
            hands.press("reject")
        case Take(using=()):
            hands.press("take")
        case Take(using=(placement,)):
            _set_out(page, hands, placement, _without(placement.cards, top))
            hands.press("lay")
            _confirm(page, hands)
        case LayMelds(place=placements):
            for placement in placements:
                _set_out(page, hands, placement, placement.cards)
            hands.press("lay")
            _confirm(page, hands)
        case Discard(card=card):
            hands.choose((card,))
            hands.press("discard")
            hands.press("yes")


def _set_out(page: Page, hands: Hands, placement: Placement, cards: tuple[str, ...]) -> None:
    staged = page.locator(".staged").count()
    hands.choose(cards)
    if placement.onto is not None:
        hands.onto(placement.onto)
    else:
        hands.press("new" if page.locator(".dock [data-focus=new]").count() else "take")
    expect(page.locator(".staged")).to_have_count(staged + 1)
    _expect_its_worth(page)
    if placement.layout is not None:
        _choose_the_place(page, hands, placement.layout)


def _choose_the_place(page: Page, hands: Hands, layout: tuple[str, ...]) -> None:
    """Of the places that the wild card of the last placement may have, the one of this layout."""
    made = shape(layout)
    assert made.wild is not None
    wanted = f"{spoken(layout[made.wild])} as {spoken(card_at(made.suit, made.low + made.wild))}"
    button = page.locator(".staged").last.get_by_role("button", name=wanted)
    expect(button).to_have_attribute("aria-pressed", "false")
    hands.answer(button)
    expect(button).to_have_attribute("aria-pressed", "true")
    _expect_its_worth(page)


def _expect_its_worth(page: Page) -> None:
    """The server has said what is set out would be."""
    expect(page.locator(".stage-total")).not_to_have_text(re.compile("…$"), timeout=WAIT_MS)


def _confirm(page: Page, hands: Hands) -> None:
    """Say yes where going out is asked about; the move itself asks nothing else."""
    expect(
        page.locator(".note-confirm, .dock.is-pending, .dock:not(:has(.stage))")
    ).not_to_have_count(0, timeout=WAIT_MS)
    if page.locator(".note-confirm").count():
        hands.press("yes")


def _without(cards: tuple[str, ...], top: str | None) -> tuple[str, ...]:
    left = list(cards)
    if top in left:
        left.remove(top)
    return tuple(left)
