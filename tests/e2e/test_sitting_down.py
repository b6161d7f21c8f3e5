"""Sitting down in a real browser: from a link, by keyboard, without scripts, in both themes."""

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from games.tables.models import Game, Invitation

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PHONE = {"width": 360, "height": 740}
Open = Callable[..., Page]


def lay_table(host: Page, seats: str = "2") -> str:
    """The host's way from the form to the page with the link; answers the link."""
    host.fill("#name", "Carla")
    host.check(f"input[name=seats][value='{seats}']")
    host.click("text=Lay the table")
    host.wait_for_url("**/sit/**")
    return host.url


def focused(page: Page) -> str:
    return str(page.evaluate("document.activeElement.id || document.activeElement.textContent"))


def test_a_guest_from_the_link_sits_down_and_both_are_led_to_the_table(visitor: Open) -> None:
    host = visitor("/play/")
    link = lay_table(host)
    guest = visitor(link)
    guest.fill("#name", "Dino")
    guest.click("text=Sit here")
    host.wait_for_url("**/tables/**", timeout=10_000)
    guest.wait_for_url("**/tables/**", timeout=10_000)
    assert host.url == guest.url
    seats = [page.get_attribute("[data-table]", "data-seat") for page in (host, guest)]
    assert seats == ["0", "1"]
    watcher = visitor(host.url)
    assert watcher.get_attribute("[data-table]", "data-pass") is None


def test_who_waits_sees_others_sit_down_and_keeps_the_focus(visitor: Open) -> None:
    host = visitor("/play/")
    link = lay_table(host, seats="4")
    host.focus("#start-button")
    guest = visitor(link)
    guest.fill("#name", "Dino")
    guest.click("#seat-1")
    host.wait_for_selector("#seats-status:has-text('Carla, Dino')", timeout=10_000)
    assert focused(host) == "start-button"


def test_a_name_being_written_outlives_what_others_do(visitor: Open) -> None:
    link = lay_table(host := visitor("/play/"), seats="4")
    guest = visitor(link)
    guest.type("#name", "Massi")
    host.click("text=Stand up")
    guest.wait_for_selector("#seats-status:has-text('Nobody')", timeout=10_000)
    assert guest.input_value("#name") == "Massi"
    assert focused(guest) == "name"


def test_practice_starts_by_keyboard_alone(visitor: Open) -> None:
    page = visitor("/")
    for _ in range(40):
        page.keyboard.press("Tab")
        if "Play now" in focused(page):
            break
    page.keyboard.press("Enter")
    page.wait_for_url("**/tables/**")
    assert page.get_attribute("[data-table]", "data-seat") == "0"


def test_a_button_tapped_twice_opens_one_table(visitor: Open) -> None:
    page = visitor("/")
    page.dblclick("text=Play now against bots")
    page.wait_for_url("**/tables/**")
    assert Game.objects.count() == 1


def test_all_of_it_works_without_scripts(visitor: Open) -> None:
    host = visitor("/play/", java_script_enabled=False)
    link = lay_table(host)
    guest = visitor(link, java_script_enabled=False)
    guest.fill("#name", "Dino")
    guest.click("text=Sit here")
    guest.wait_for_url("**/tables/**")
    host.reload()
    assert host.url == guest.url


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_who_waits_and_who_is_refused_find_no_barrier_and_no_wide_page(
    visitor: Open, theme: str
) -> None:
    host = visitor("/play/", color_scheme=theme)
    link = lay_table(host, seats="4")
    refused = visitor(link, color_scheme=theme)
    refused.fill("#name", "!")
    refused.click("#seat-1")
    for page in (host, refused):
        found = Axe().run(page)
        assert found.violations_count == 0, f"{page.url}\n{found.generate_report()}"
        # 640 pixels at 200 %, the width at which nothing may need scrolling sideways.
        page.set_viewport_size({"width": 320, "height": 640})
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, page.url


def test_the_invitation_that_was_called_off_says_so_to_who_waits(visitor: Open) -> None:
    link = lay_table(host := visitor("/play/"), seats="4")
    guest = visitor(link)
    host.click("text=Call the game off")
    guest.wait_for_selector("text=The game was called off.", timeout=10_000)
    assert Invitation.objects.get().status == Invitation.Status.CANCELLED
