"""The own place at a table in a real browser: Carla and Dino, one against the other."""

from collections import Counter

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.e2e.evening import Evening, cards, draw, focused

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_turn_is_played_by_taps_and_the_other_sees_only_what_all_may(evening: Evening) -> None:
    mine, other = evening.both()
    draw(mine)
    assert len(cards(mine)) == 12
    thrown = cards(mine)[-1]
    mine.click(".hand-card >> nth=-1")
    mine.click("[data-focus=discard]")
    mine.click("[data-focus=yes]")
    expect(mine.locator(".hand-card")).to_have_count(11)
    other.wait_for_selector(f".pile use[href$='#{thrown}']")
    expect(other.locator("[data-focus=draw]")).to_be_visible()
    hidden = set(cards(mine)) - set(cards(other)) - {thrown}
    page_of_other = other.content()
    assert not [card for card in hidden if f"#{card}" in page_of_other]


def test_a_turn_is_played_by_keyboard_alone_and_the_focus_is_never_lost(evening: Evening) -> None:
    mine = evening.sit(evening.turn)
    for _ in range(60):
        mine.keyboard.press("Tab")
        if focused(mine).startswith("card-"):
            break
    assert focused(mine).startswith("card-")
    mine.keyboard.press("d")
    expect(mine.locator(".hand-card")).to_have_count(12)
    assert focused(mine).startswith("card-")
    mine.keyboard.press("End")
    mine.keyboard.press("Space")
    assert mine.get_attribute(f"[data-focus={focused(mine)}]", "aria-pressed") == "true"
    mine.keyboard.press("x")
    assert focused(mine) == "yes"
    mine.keyboard.press("Enter")
    expect(mine.locator(".hand-card")).to_have_count(11)
    assert focused(mine).startswith("card-")


def test_the_first_card_is_rejected_by_keyboard(evening: Evening) -> None:
    mine, other = evening.both()
    before = cards(mine)
    mine.keyboard.press("d")
    expect(mine.locator("[data-focus=reject]")).to_be_visible()
    [first] = Counter(cards(mine)) - Counter(before)
    mine.keyboard.press("j")
    expect(mine.locator("[data-focus=reject]")).to_have_count(0)
    for page in (mine, other):
        expect(page.locator(f".pile use[href$='#{first}']")).to_be_visible()
    assert len(cards(mine)) == 12
    assert not Counter(before) - Counter(cards(mine))


def test_the_keys_r_h_and_question_mark_open_what_is_read(evening: Evening) -> None:
    mine = evening.sit(evening.turn)
    for key, text in (("r", "Your hand:"), ("h", "Draw a card from the stock."), ("?", "Keys")):
        mine.keyboard.press(key)
        expect(mine.locator("dialog")).to_contain_text(text)
        mine.keyboard.press("Escape")
        expect(mine.locator("dialog")).to_have_count(0)


def test_a_refusal_is_shown_beside_the_cards_with_its_clause(evening: Evening) -> None:
    mine = evening.sit(evening.turn)
    draw(mine)
    mine.click(".hand-card >> nth=0")
    mine.click("[data-focus=new]")
    expect(mine.locator(".stage-fault")).to_contain_text("A meld needs at least three cards.")
    mine.click("[data-focus=lay]")
    expect(mine.locator(".note-fault")).to_contain_text("A meld needs at least three cards.")
    expect(mine.locator(".note-fault .clause")).to_contain_text("Rule")
    mine.click("[data-focus=clear]")
    assert len(cards(mine)) == 12


def test_an_answer_that_is_lost_costs_no_move_and_doubles_none(evening: Evening) -> None:
    sent: list[str] = []
    sockets: list[WebSocketRoute] = []

    def lose_the_first_answer(route: WebSocketRoute) -> None:
        sockets.append(route)
        server = route.connect_to_server()
        is_first = len(sockets) == 1

        def up(message: str | bytes) -> None:
            text = str(message)
            server.send(text)
            if '"t":"move"' in text:
                sent.append(text)
                if is_first:
                    server.on_message(lambda _: None)
                    mine.wait_for_timeout(300)
                    route.close(code=1012)

        route.on_message(up)

    turn, before = evening.turn, evening.events
    mine = evening.sit(
        turn, before=lambda page: page.route_web_socket("**/ws/**", lose_the_first_answer)
    )
    mine.click("[data-focus=draw]")
    expect(mine.locator(".hand-card")).to_have_count(12, timeout=15_000)
    expect(mine.locator(".dock.is-pending")).to_have_count(0)
    assert len(sent) == 2
    assert sent[0] == sent[1]
    assert evening.events == before + 1


def test_two_pages_of_one_seat_agree(evening: Evening) -> None:
    first, second = evening.sit(evening.turn), evening.sit(evening.turn)
    draw(first)
    expect(second.locator(".hand-card")).to_have_count(12)
    second.click(".hand-card >> nth=-1")
    second.click("[data-focus=discard]")
    second.click("[data-focus=yes]")
    expect(first.locator(".hand-card")).to_have_count(11)
    assert cards(first) == cards(second)


def test_a_pause_is_asked_for_agreed_to_and_ended(evening: Evening) -> None:
    mine, other = evening.both()
    mine.click("[data-focus=menu]")
    mine.click("text=Ask for a pause")
    other.click("[data-focus=grant]")
    expect(mine.locator(".note-paused")).to_be_visible()
    expect(mine.locator("[data-focus=draw]")).to_have_count(0)
    other.click("[data-focus=resume]")
    mine.click("[data-focus=grant]")
    expect(mine.locator("[data-focus=draw]")).to_be_visible()


def test_the_order_by_hand_outlives_a_reload_and_is_never_sent(evening: Evening) -> None:
    said: list[str] = []

    def listen(page: Page) -> None:
        page.on(
            "websocket",
            lambda socket: socket.on("framesent", lambda text: said.append(str(text))),
        )

    mine = evening.sit(1 - evening.turn, before=listen)
    first = cards(mine)[0]
    mine.focus(".hand-card >> nth=0")
    mine.keyboard.press("Shift+End")
    assert cards(mine)[-1] == first
    order = cards(mine)
    mine.reload()
    mine.wait_for_selector(".hand-card")
    assert cards(mine) == order
    assert not [text for text in said if first in text]


def test_letters_twice_as_large_cover_no_button(evening: Evening) -> None:
    mine = evening.sit(1 - evening.turn)
    mine.evaluate("document.documentElement.style.fontSize = '200%'")
    say, tools = (mine.locator(place).bounding_box() for place in (".instruction", ".tools"))
    assert say is not None
    assert tools is not None
    assert say["x"] + say["width"] <= tools["x"] or say["y"] + say["height"] <= tools["y"]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_own_place_has_no_barriers_and_no_sideways_scroll(evening: Evening, theme: str) -> None:
    mine = evening.sit(evening.turn, color_scheme=theme)
    draw(mine)
    mine.click(".hand-card >> nth=0")
    mine.click("[data-focus=new]")
    mine.wait_for_selector(".stage-fault")
    for key in ("", "h", "?"):
        if key:
            mine.keyboard.press(key)
            mine.wait_for_selector("dialog[open]")
        found = Axe().run(mine)
        assert found.violations_count == 0, found.generate_report()
    assert mine.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_what_is_tapped_is_large_enough_for_a_thumb(evening: Evening) -> None:
    mine = evening.sit(evening.turn, reduced_motion="reduce")
    draw(mine)
    small = mine.eval_on_selector_all(
        ".dock button, .dock a, .target",
        """found => found.map((each) => [each, each.getBoundingClientRect()])
             .filter(([, { width, height }]) => width < 44 || height < 44)
             .map(([each, { width, height }]) => `${each.dataset.focus}: ${width} x ${height}`)""",
    )
    assert small == []


def test_the_first_load_of_the_own_place_is_small(evening: Evening) -> None:
    sizes: dict[str, int] = {}

    def weigh(page: Page) -> None:
        page.on(
            "requestfinished",
            lambda request: sizes.update({request.url: request.sizes()["responseBodySize"]}),
        )

    mine = evening.sit(evening.turn, before=weigh)
    mine.wait_for_load_state("networkidle")
    scripts = sum(size for url, size in sizes.items() if url.endswith(".js"))
    assert 0 < scripts <= 60_000
    assert sum(sizes.values()) <= 150_000
