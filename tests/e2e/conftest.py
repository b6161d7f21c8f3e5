"""What the tests in a browser need: pages of the running site, or a whole demo for each test."""

from collections.abc import Callable, Iterator

import pytest
from django.core.cache import cache
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from pytest_django.live_server_helper import LiveServer

from tests.deploy.conftest import home  # noqa: F401 — a fixture

PHONE = {"width": 360, "height": 740}
Open = Callable[..., Page]


@pytest.fixture(scope="module")
def browser(chromium: str, django_db_setup: None) -> Iterator[Browser]:
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        # Playwright keeps a loop in this thread, and Django then suspects every query of it.
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
        started = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture
def visitor(browser: Browser, live_server: LiveServer) -> Iterator[Open]:
    """Opens a page in a browser of its own: a new person each time."""
    cache.clear()
    contexts: list[BrowserContext] = []

    def arrive(path: str, **options: object) -> Page:
        options = {"viewport": PHONE, "locale": "en", "base_url": live_server.url} | options
        contexts.append(browser.new_context(**options))
        page = contexts[-1].new_page()
        page.goto(path)
        return page

    yield arrive
    for context in contexts:
        context.close()
