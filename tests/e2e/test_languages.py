"""Each language on a phone: no page is wider than the screen, and a table says its own words."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from games.tables.models import Game
from tests.cast import make_cast
from tests.e2e.evening import Evening
from tests.frontend.tables import match_of, open_table, play

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

Open = Callable[..., Page]
PHONE = {"width": 360, "height": 740}
LOCALES = ("es", "it", "pt-BR", "en")


def fits(page: Page) -> bool:
    width: int = page.evaluate("document.documentElement.scrollWidth")
    return width <= PHONE["width"]


def with_a_reserve_taken() -> Game:
    """A deal that is over, in which a pair has taken its reserve: most are, not all."""
    cast = make_cast()
    while True:
        table = open_table(cast)
        play(table)
        deal = match_of(table).deal
        assert deal is not None
        if any(deal.taken):
            return table


@pytest.mark.parametrize(
    ("locale", "taken"),
    [("es", "morto tomado"), ("it", "morto preso"), ("pt-BR", "morto pego"), ("en", "morto taken")],
)
def test_on_a_phone_every_page_fits_in_every_language_and_a_replay_says_its_own_words(
    visitor: Open, live_server: LiveServer, locale: str, taken: str
) -> None:
    table = with_a_reserve_taken()
    replay, verify = (f"/tables/{table.public_id}/{path}/" for path in ("replay", "verify"))
    for path in ("/", "/play/", "/sign-in/", "/help/", "/tables/", verify, replay):
        page = visitor(path, locale=locale, reduced_motion="reduce")
        page.wait_for_load_state("networkidle")
        assert fits(page), path
    page.wait_for_selector(".game")
    page.keyboard.press("End")
    sides = " ".join(page.locator(".side").all_inner_texts())
    assert taken in sides.lower()


def test_at_a_table_every_language_fits_for_who_plays_and_for_who_watches(
    evening: Evening,
) -> None:
    for locale in LOCALES:
        for page in (evening.sit(evening.turn, locale=locale), evening.watch(locale=locale)):
            expect(page.locator(".talk")).to_be_visible()
            assert fits(page), (locale, page.url)
