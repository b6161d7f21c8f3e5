"""Every page there is, in a real browser: no barrier, no error, and as wide as a phone.

The pages are found by asking every address of the URLconf as each of those who may come.
"""

from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.test import Client
from playwright.sync_api import Page

from games.tables import services
from tests.cast import Cast, make_cast
from tests.e2e.evening import PHONE, Evenings, session_of
from tests.e2e.looks import faults_of
from tests.frontend.addresses import ROUTES, examples, filled
from tests.frontend.tables import open_table, play

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.timeout(300),
]

OFFICE = tuple(route for route in ROUTES if route.startswith("admin/"))
SITE = tuple(route for route in ROUTES if route not in OFFICE)
STRANGER = ""
WALKS = {
    "a stranger": (STRANGER, tuple(ROUTES)),
    "a player": ("carla", SITE),
    "a director": ("alba", SITE),
    "a director in the office": ("alba", OFFICE),
    "the administrator in the office": ("administrator", OFFICE),
}

WIDGETS_OF_DJANGO = (
    ".select2-container",
    ".selector",
    ".vDateField",
    ".vTimeField",
)
"""Parts of the admin's forms whose names for screen readers are Django's to mend."""

NO_PAGES = {
    # They carry something out, and lead on to a page.
    "admin/logout/",
    "admin/tables/game/<path:object_id>/ruling/<str:ruling>/",
    "another-device/<str:code>/go-on/",
    "language/",
    "practice/",
    "sign-out/",
    "sit/<slug:public_id>/call-off/",
    "sit/<slug:public_id>/leave/",
    "sit/<slug:public_id>/start/",
    "sit/<slug:public_id>/take/",
    # They only lead on to a page.
    "admin/r/<path:content_type_id>/<path:object_id>/",
    "admin/tables/game/<path:object_id>/",
    "admin/tournaments/club/<path:object_id>/",
    "admin/tournaments/membership/<path:object_id>/",
    "admin/tournaments/pair/<path:object_id>/",
    "admin/tournaments/person/<path:object_id>/",
    "admin/tournaments/ruleprofile/<path:object_id>/",
    "admin/tournaments/user/<path:object_id>/",
    # Nobody may.
    "admin/tables/game/<path:object_id>/delete/",
    "admin/tables/game/add/",
    "admin/tournaments/membership/<path:object_id>/delete/",
    "admin/tournaments/person/<path:object_id>/delete/",
    # They answer with data.
    "admin/autocomplete/",
    "admin/jsi18n/",
    "another-device/<str:code>/qr.svg",
    "api/schema/",
    "health/",
    "sit/<slug:public_id>/qr.svg",
    "tables/<slug:public_id>/events.json",
    "tables/<slug:public_id>/record.jsonl",
    "tables/wall.json",
}


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    return make_cast()


@pytest.fixture
def known(cast: Cast) -> dict[str, str]:
    """A table with a deal behind it and another well begun."""
    cache.clear()
    table = open_table(cast, deals=2)
    play(table)
    services.start_next_deal(stream=table.stream, by="test")
    play(table, moves=30)
    return examples(cast, table)


def pages_for(
    who: str, cast: Cast, known: dict[str, str], routes: tuple[str, ...]
) -> Iterator[tuple[str, str]]:
    """The routes behind which there is a page for somebody, and their addresses."""
    client = Client()
    for route in routes:
        if who:
            client.force_login(cast.accounts[who])  # some addresses sign out
        address = filled(route, known)
        answer = client.get(address)
        is_page = answer.headers.get("Content-Type", "").startswith("text/html")
        if answer.status_code == 200 and is_page:
            yield route, address


def test_every_address_has_a_page_for_somebody_or_is_known_to_have_none(
    cast: Cast, known: dict[str, str]
) -> None:
    found = {
        route for who, routes in WALKS.values() for route, _ in pages_for(who, cast, known, routes)
    }
    assert sorted(set(ROUTES) - found) == sorted(NO_PAGES)


@pytest.mark.parametrize("walk", WALKS)
def test_no_page_has_a_barrier_or_an_error_and_all_fit_a_phone(
    evenings: Evenings, cast: Cast, known: dict[str, str], walk: str
) -> None:
    who, routes = WALKS[walk]
    faults: list[str] = []
    errors: list[str] = []

    def listen(page: Page) -> None:
        page.on("console", lambda said: said.type == "error" and errors.append(said.text))
        page.on("pageerror", lambda error: errors.append(str(error)))

    pages = [*pages_for(who, cast, known, routes)]
    page = evenings.arrive(
        "/",
        cookie=session_of(cast, who) if who else "",
        before=listen,
        reduced_motion="reduce",
    )
    for route, address in pages:
        page.goto(address)
        page.wait_for_load_state("networkidle")
        faults += (f"{route} logs {error}" for error in errors)
        faults += faults_of(page, route, sizes=("phone",), but=WIDGETS_OF_DJANGO)
        if route in SITE:
            faults += (f"{route} is wider than {width}" for width in too_wide_for(page))
        errors.clear()  # axe tries styles that the policy of the page does not allow
    assert not faults, "\n".join(faults)


def too_wide_for(page: Page) -> Iterator[int]:
    """Of a small phone, and the same at twice the size, those that a page does not fit."""
    for width in (320, 180):
        page.set_viewport_size({"width": width, "height": 640})
        if page.evaluate("document.documentElement.scrollWidth") > width:
            yield width
    page.set_viewport_size(PHONE)
