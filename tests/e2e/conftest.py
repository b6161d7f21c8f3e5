"""What the tests in a browser need: pages of the running site, or a whole demo for each test."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from django.core.cache import cache
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from pytest_django.live_server_helper import LiveServer

from deploy.embedded import ROOT
from tests.deploy.conftest import home  # noqa: F401 — a fixture
from tests.games.processes import Web, environment

if TYPE_CHECKING:
    from tests.e2e.evening import Evening, Evenings

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


@pytest.fixture(scope="module")
def static(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The setting that serves files as production does: compressed, a hash in their names."""
    setting = {"POZZETTO_STATIC_ROOT": str(tmp_path_factory.mktemp("web") / "static")}
    subprocess.run(
        [sys.executable, "manage.py", "collectstatic", "--noinput", "--verbosity", "0"],
        cwd=ROOT,
        env=environment() | setting,
        check=True,
        timeout=120,
    )
    return setting


@contextmanager
def serving(server: Web) -> Iterator[Web]:
    """Its log must tell of no fault at the end."""
    try:
        server.wait_until_healthy()
        yield server
    finally:
        server.kill()
    assert "Traceback" not in server.log(), server.log()


@pytest.fixture(scope="module")
def web(
    static: dict[str, str], django_db_blocker: object, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Web]:
    with serving(Web(tmp_path_factory.mktemp("web") / "web.log", **static)) as server:
        yield server


@pytest.fixture
def evenings(web: Web, browser: Browser) -> Iterator["Evenings"]:
    """Tables for people of the cast, and their pages."""
    from tests.e2e.evening import Evenings  # not before Django knows its models

    cache.clear()
    made = Evenings(web, browser)
    yield made
    made.close()


@pytest.fixture
def lay(evenings: "Evenings") -> "Callable[..., Evening]":
    """Lays a table for people of the cast; see `Evenings.lay`."""
    return evenings.lay


@pytest.fixture
def evening(lay: "Callable[..., Evening]") -> "Evening":
    """Carla and Dino, one against the other."""
    return lay()
