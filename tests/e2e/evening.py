"""A table of people from the cast, and the pages on which they sit at it or watch it."""

from collections.abc import Callable
from typing import NamedTuple

from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page

from games.rules.profile import load_profile
from games.tables import services
from games.tables.loading import load
from games.tables.models import Game
from tests.cast import Cast, make_cast
from tests.games.processes import ORIGIN, Web

PHONE = {"width": 360, "height": 740}

SEATED = ("carla", "dino", "furio", "bruno")
"""Who sits on which seat."""


class Evening(NamedTuple):
    """`sit(seat)` and `watch()` answer a page that shows the table."""

    game: Game
    cast: Cast
    sit: Callable[..., Page]
    watch: Callable[..., Page]

    @property
    def turn(self) -> int:
        deal = load(self.game.stream).state.deal
        assert deal is not None
        return deal.turn

    @property
    def events(self) -> int:
        return load(self.game.stream).head.seq

    def both(self) -> tuple[Page, Page]:
        """At a table of two, the pages of the player to move and of the other."""
        return self.sit(self.turn), self.sit(1 - self.turn)


class Evenings:
    """Tables on one web server, in browsers of their own."""

    def __init__(self, web: Web, browser: Browser) -> None:
        self._web = web
        self._browser = browser
        self._contexts: list[BrowserContext] = []

    def lay(self, profile: str = "buraco-aberto", seats: int = 2, **options: object) -> Evening:
        """Open a table for the first of the cast; `options` are those of `open_table`."""
        cast = make_cast()
        game = services.open_table(
            profile=load_profile(profile),
            holders=[getattr(cast, name).public_id for name in SEATED[:seats]],
            by="test",
            **options,
        )
        path = f"/tables/{game.public_id}/"

        def sit(seat: int, **how: object) -> Page:
            page = self.arrive(path, cookie=session_of(cast, SEATED[seat]), **how)
            page.wait_for_selector(".hand-card")
            return page

        def watch(**how: object) -> Page:
            page = self.arrive(path, **how)
            page.wait_for_selector(".game")
            return page

        return Evening(game, cast, sit, watch)

    def arrive(
        self,
        path: str,
        *,
        cookie: str = "",
        port: int = 0,
        before: Callable[[Page], None] | None = None,
        **options: object,
    ) -> Page:
        """A page in a browser of its own. `port`: of something between it and the server."""
        base = f"{ORIGIN}:{port or self._web.port}"
        options = {"viewport": PHONE, "locale": "en", "base_url": base} | options
        context = self._browser.new_context(**options)
        self._contexts.append(context)
        if cookie:
            name = settings.SESSION_COOKIE_NAME
            context.add_cookies([{"name": name, "value": cookie, "url": base}])
        page = context.new_page()
        if before is not None:
            before(page)
        page.goto(path)
        return page

    def close(self) -> None:
        for context in self._contexts:
            context.close()


def session_of(cast: Cast, name: str) -> str:
    """The session cookie of someone who has just signed in."""
    client = Client()
    client.force_login(cast.accounts[name])
    return client.cookies[settings.SESSION_COOKIE_NAME].value


def cards(page: Page) -> list[str]:
    """The own hand as it lies."""
    return page.eval_on_selector_all(
        ".hand-card", "found => found.map((card) => card.dataset.card.slice(0, 2))"
    )


def focused(page: Page) -> str:
    """The name of what has the focus."""
    return str(page.evaluate("document.activeElement.dataset.focus ?? ''"))


def draw(page: Page) -> None:
    page.click("[data-focus=draw]")
    page.wait_for_selector(".dock [data-focus=new]")


def discard(page: Page) -> str:
    """Discard the last card of the hand; answers which."""
    thrown = cards(page)[-1]
    page.click(".hand-card >> nth=-1")
    page.click("[data-focus=discard]")
    page.click("[data-focus=yes]")
    return thrown
