"""Cards travel, hold nobody up, and stay where they are for those who want no motion."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.evening import Evening, cards, discard, draw, focused

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# Notes what travels, and stops it on its way where `window.stops` is set.
_WATCH = """() => {
  window.travels = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...how) {
    window.travels.push(this.getAttribute("class"));
    const travel = animate.apply(this, how);
    if (window.stops) travel.pause();
    return travel;
  };
}"""


def travels(page: Page) -> list[str]:
    found: list[str] = page.evaluate("window.travels")
    return found


def test_a_card_travels_when_it_is_drawn_and_when_it_is_discarded(evening: Evening) -> None:
    mine, other = evening.both()
    for page in (mine, other):
        page.evaluate(_WATCH)
    draw(mine)
    assert any("hand-card" in name and "is-new" in name for name in travels(mine))
    expect(other.locator(".seat.is-turn .held")).to_contain_text("12")
    assert any("ghost" in name for name in travels(other)), "a back, for who may not see the card"
    discard(mine)
    expect(other.locator("[data-focus=draw]")).to_be_visible()
    assert any("is-fresh" in name for name in travels(other))
    expect(other.locator(".ghost")).to_have_count(0)


def test_what_travels_holds_nobody_up(evening: Evening) -> None:
    mine = evening.sit(evening.turn)
    mine.evaluate(_WATCH)
    mine.evaluate("window.stops = true")
    mine.focus(".hand-card >> nth=0")
    mine.keyboard.press("d")
    expect(mine.locator(".hand-card")).to_have_count(12)
    assert travels(mine)
    mine.keyboard.press("End")
    mine.keyboard.press("Space")
    assert mine.get_attribute(f"[data-focus={focused(mine)}]", "aria-pressed") == "true"
    mine.keyboard.press("x")
    mine.keyboard.press("Enter")
    expect(mine.locator(".hand-card")).to_have_count(11)


@pytest.mark.parametrize("wish", ["device", "page"])
def test_nothing_moves_for_who_wants_no_motion(evening: Evening, wish: str) -> None:
    how = {"reduced_motion": "reduce"} if wish == "device" else {}
    mine, other = evening.sit(evening.turn, **how), evening.sit(1 - evening.turn, **how)
    for page in (mine, other):
        page.evaluate(_WATCH)
        if wish == "page":
            page.evaluate("document.documentElement.dataset.motion = 'off'")
    draw(mine)
    discard(mine)
    expect(other.locator("[data-focus=draw]")).to_be_visible()
    assert len(cards(mine)) == 11
    assert travels(mine) == travels(other) == []
