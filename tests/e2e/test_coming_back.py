"""Away in mid-turn and back: out of reach, a server that died, another phone, another tab.

However a page loses its table, it says so, and comes back to what the store holds: no move is
lost that was made, none is made twice.
"""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from games.eventstore import store
from games.rules.views import seat_audience
from games.tables import services
from games.tables.loading import load
from games.tables.selectors import view_of
from tests.e2e.evening import Evening, Evenings, cards, discard, draw
from tests.e2e.line import Line
from tests.e2e.looks import look_at
from tests.games.processes import Web

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TUNNEL = 30
"""Seconds without a signal; shorter than the time after which a bot takes over."""


@pytest.fixture
def line(web: Web) -> Iterator[Line]:
    between = Line(web.port)
    yield between
    between.close()


def shows_what_the_store_holds(page: Page, evening: Evening, seat: int) -> None:
    """Hand, melds, pile and stock of a page are those of the store."""
    folded = load(evening.game.stream)
    view = view_of(evening.game.public_id, folded, seat_audience(seat))
    expect(page.locator(".hand-card")).to_have_count(len(view["hand"]))
    assert sorted(cards(page)) == sorted(view["hand"])
    expect(page.locator(".heap-stock .heap-label b")).to_have_text(str(view["stock"]))
    expect(page.locator(".heap-top .heap-label b")).to_have_text(str(view["pile"]["count"]))
    expect(page.locator(".meld")).to_have_count(sum(map(len, view["melds"])))
    expect(page.locator(".dock.is-turn")).to_have_count(1 if view["turn"] == seat else 0)


def types_of(evening: Evening) -> list[str]:
    return [event.type for event in store.read(evening.game.stream)]


def goes_offline(page: Page, line: Line) -> None:
    line.cut()
    page.context.set_offline(True)


def comes_back(page: Page, line: Line) -> None:
    line.mend()
    page.context.set_offline(False)


def test_offline_in_mid_turn_nothing_is_sent_and_all_is_there_again(
    evening: Evening, line: Line
) -> None:
    mine = evening.sit(evening.turn, port=line.port)
    seat, before = evening.turn, evening.events
    draw(mine)
    mine.click(".hand-card >> nth=0")
    mine.click("[data-focus=new]")
    goes_offline(mine, line)
    expect(mine.locator(".note-line")).to_contain_text("You are offline.")
    look_at(mine, "offline")
    mine.click("[data-focus=lay]")
    expect(mine.locator(".note-fault")).to_contain_text("Nothing was sent.")
    look_at(mine, "offline-tapped", sizes=("phone",))
    mine.wait_for_timeout(TUNNEL * 1000)
    comes_back(mine, line)
    expect(mine.locator(".note-back")).to_contain_text("You are connected again.")
    look_at(mine, "back-again", sizes=("phone",))
    expect(mine.locator(".note-fault")).to_have_count(0)
    assert mine.locator(".staged .card").count() == 1
    mine.click("[data-focus=clear]")
    shows_what_the_store_holds(mine, evening, seat)
    assert evening.events == before + 1
    discard(mine)
    expect(mine.locator(".hand-card")).to_have_count(11)
    shows_what_the_store_holds(mine, evening, seat)
    assert types_of(evening)[-2:] == ["card_drawn", "discarded"]


@pytest.mark.parametrize("lost", ["the move", "the answer"])
def test_a_move_on_its_way_when_the_line_goes_is_made_once(
    evening: Evening, line: Line, lost: str
) -> None:
    seat = evening.turn
    mine, other = evening.sit(seat, port=line.port), evening.sit(1 - seat)
    draw(mine)
    before = evening.events
    line.cut(up=lost == "the move", down=True)
    thrown = discard(mine)
    expect(mine.locator(".dock.is-pending")).to_have_count(1)
    mine.context.set_offline(True)
    expect(mine.locator(".note-line")).to_contain_text("Your last move will be sent again.")
    if lost == "the answer":
        # The other side has seen the discard and plays on.
        other.wait_for_selector(f".pile use[href$='#{thrown}']")
        draw(other)
        discard(other)
        expect(other.locator(".hand-card")).to_have_count(11)
    mine.wait_for_timeout(TUNNEL * 1000)
    comes_back(mine, line)
    expect(mine.locator(".note-back")).to_be_visible()
    expect(mine.locator(".dock.is-pending")).to_have_count(0)
    if lost == "the answer":
        expect(mine.locator("[data-focus=draw]")).to_be_visible()
        # What happened meanwhile is told.
        expect(mine.locator(".log")).to_contain_text(
            re.compile("Dino .*draws" if seat == 0 else "Carla .*draws")
        )
    other.wait_for_selector("[data-focus=draw]" if lost == "the move" else ".hand-card")
    shows_what_the_store_holds(mine, evening, seat)
    shows_what_the_store_holds(other, evening, 1 - seat)
    happened = ["discarded"] + (["card_drawn", "discarded"] if lost == "the answer" else [])
    assert types_of(evening)[before:] == happened


def test_a_line_that_dies_without_a_word_is_noticed_after_a_tap(
    evening: Evening, line: Line
) -> None:
    seat, before = evening.turn, evening.events
    mine = evening.sit(seat, port=line.port)
    line.cut()
    mine.click("[data-focus=draw]")
    expect(mine.locator(".note-line")).to_contain_text("Connection lost.", timeout=15_000)
    line.mend()
    expect(mine.locator(".note-back")).to_be_visible(timeout=30_000)
    expect(mine.locator(".hand-card")).to_have_count(12)
    shows_what_the_store_holds(mine, evening, seat)
    assert types_of(evening)[before:] == ["card_drawn"]


@pytest.mark.parametrize("moment", ["at rest", "with a move on its way"])
def test_the_server_dies_in_mid_turn_and_play_goes_on(
    evening: Evening, web: Web, line: Line, moment: str
) -> None:
    seat = evening.turn
    mine, other = evening.sit(seat, port=line.port), evening.sit(1 - seat)
    draw(mine)
    before = evening.events
    if moment == "with a move on its way":
        # The server carries it out and dies before it has told anyone.
        line.cut(up=False, down=True)
        discard(mine)
        mine.wait_for_timeout(500)
    web.kill()
    line.mend()
    expect(mine.locator(".note-line")).to_contain_text("Connection lost.")
    expect(other.locator(".note-line")).to_contain_text("Connection lost.")
    web.start()
    web.wait_until_healthy()
    for page in (mine, other):
        expect(page.locator(".note-back")).to_be_visible(timeout=25_000)
    if moment == "at rest":
        discard(mine)
    expect(mine.locator(".hand-card")).to_have_count(11)
    expect(other.locator("[data-focus=draw]")).to_be_visible()
    shows_what_the_store_holds(mine, evening, seat)
    shows_what_the_store_holds(other, evening, 1 - seat)
    assert types_of(evening)[before:] == ["discarded"]


def test_a_second_phone_takes_over_and_the_first_goes_along(evening: Evening) -> None:
    seat = evening.turn
    first = evening.sit(seat)
    draw(first)
    first.click(".hand-card >> nth=0")
    first.click("[data-focus=new]")
    expect(first.locator(".staged")).to_have_count(1)
    second = evening.sit(seat, viewport={"width": 820, "height": 1180})
    shows_what_the_store_holds(second, evening, seat)
    discard(second)
    expect(second.locator(".hand-card")).to_have_count(11)
    expect(first.locator(".staged")).to_have_count(0)
    expect(first.locator(".dock.is-turn")).to_have_count(0)
    for page in (first, second):
        shows_what_the_store_holds(page, evening, seat)


def test_a_guest_takes_the_seat_along_to_a_second_phone(evenings: Evenings) -> None:
    arrive = evenings.arrive
    first = arrive("/")
    first.click("text=Play now against bots")
    first.wait_for_selector(".hand-card")
    hand = cards(first)
    first.click("[data-focus=menu]")
    first.click("text=Play on another phone")
    look_at(first, "device-offer", sizes=("phone",))
    first.click("text=Show the code")
    look_at(first, "device-code")
    second = arrive(first.input_value("#link"))
    look_at(second, "device-arrival", sizes=("phone", "desk"))
    second.click("text=Play as Guest")
    second.wait_for_selector(".hand-card")
    assert cards(second) == hand
    first.click("text=Back to your table")
    first.wait_for_selector(".hand-card")
    assert cards(first) == hand
    assert "another-device" not in second.url


def test_who_has_lost_the_seat_to_another_is_told_so_and_may_watch(evening: Evening) -> None:
    mine = evening.sit(evening.turn)
    services.change_seat(
        stream=evening.game.stream,
        seat=evening.turn,
        holder=evening.cast.gina.public_id,
        by="test",
        reason="substituted",
    )
    expect(mine.locator(".note-line")).to_contain_text("Someone else has your seat now.")
    look_at(mine, "seat-lost", sizes=("phone", "desk"))
    expect(mine.locator(".hand-card, .target")).to_have_count(0)
    mine.click("[data-focus=reload]")
    expect(mine.locator(".turn-line")).to_contain_text("Gina")
    expect(mine.locator(".dock")).to_have_count(0)


def test_two_tabs_of_one_seat_agree_on_every_move(evening: Evening) -> None:
    seat = evening.turn
    one = evening.sit(seat)
    other = one.context.new_page()
    other.goto(one.url)
    draw(one)
    expect(other.locator(".hand-card")).to_have_count(12)
    discard(other)
    for tab in (one, other):
        expect(tab.locator(".hand-card")).to_have_count(11)
        shows_what_the_store_holds(tab, evening, seat)
