"""A spectator's evening in a real browser: the list, a table that moves, a deal replayed."""

import re

import pytest
from playwright.sync_api import ConsoleMessage, Page, expect, sync_playwright

from tests.deploy.conftest import eventually
from tests.deploy.test_demo import free_port
from tests.e2e.night import Night

pytestmark = pytest.mark.browser


@pytest.fixture
def night(home):
    running = Night(home, free_port(), tables=4, speed=40)
    yield running
    running.stop()


@pytest.fixture
def page(chromium):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(locale="en")
        yield page
        browser.close()


def heard_of(page: Page) -> list[str]:
    """What the browser complains of; a breach of the content policy is an error on its console."""
    complaints: list[str] = []

    def hear(said: ConsoleMessage) -> None:
        if said.type in {"error", "warning"}:
            complaints.append(said.text)

    page.on("console", hear)
    page.on("pageerror", lambda fault: complaints.append(str(fault)))
    return complaints


def place(page: Page) -> int:
    return int(page.locator("input[type=range]").first.input_value())


def test_an_evening_in_the_browser(night, page):
    night.wait_until_ready()
    complaints = heard_of(page)

    page.goto(night.address)
    links = page.locator("a[id^=table-]")
    expect(links).to_have_count(4)

    # A table moves by itself.
    links.first.click()
    expect(page).to_have_url(re.compile(r"/tables/[a-z0-9]+/$"))
    table_address = page.url
    shown = page.locator("main")
    expect(page.locator("div.log li").last).to_be_visible(timeout=20_000)
    seen = {shown.inner_text()}
    assert eventually(lambda: seen.add(shown.inner_text()) or len(seen) > 3, 30)

    # A finished deal, forward and back.
    def deals_done() -> bool:
        query = (
            "SELECT public_id FROM tables_game JOIN tables_playeddeal ON game_id = stream "
            "WHERE last_seq IS NOT NULL ORDER BY opened_at LIMIT 1"
        )
        done.extend(name for (name,) in night.asks(query))
        return bool(done)

    done: list[str] = []
    assert eventually(deals_done, 90), "no deal ended in time"
    page.goto(f"{night.address}/tables/{done[0]}/replay/")
    slider = page.locator("input[type=range]").first
    expect(slider).to_be_visible(timeout=20_000)
    page.locator("body").click(position={"x": 2, "y": 2})
    start = place(page)
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    assert eventually(lambda: place(page) == start + 5, 10)
    later = shown.inner_text()
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    assert eventually(lambda: place(page) == start + 2, 10)
    assert shown.inner_text() != later
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    assert eventually(lambda: shown.inner_text() == later, 10), "the same place, the same table"

    page.goto(table_address)
    expect(shown).not_to_be_empty()
    assert complaints == []
