"""A player's page late in a deal, in a real browser whose processor is slowed to a quarter.

Two figures: frames shown a second while the others move and the player chooses cards, and what a
tap takes until the page answers it. Web server, database and browser share the machine.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from playwright.sync_api import Page, ViewportSize, sync_playwright

from games.rules.profile import load_profile
from games.tables import services
from games.tables.loading import load
from games.tables.models import Game
from tests.bench.compare import Comparison, Contender, MissingPeerError
from tests.bench.database import bench_database
from tests.bench.moves import our_server
from tests.cast import Cast, make_cast
from tests.chromium import find_chromium
from tests.e2e.evening import PHONE, SEATED, session_of
from tests.games.play import moves, sensible

SLOWED = 4
"""How many times slower the page's processor runs."""
LATE = 60
"""Cards on the table that make a deal a late one."""
FRAMES = 59.0
"""A second; 60 is what the screen shows, and one may fall between two seconds."""
TAP_MS = 50.0
_SECONDS = 10.0
_PACE_MS = 500
"""From one move of the others to the next; people take ten times as long."""
_TAPS = 20
_TRIES = 50
_STOCK_LEFT = 12
"""Cards in the stock, for the deal to go on while it is looked at."""
PROFILE = "buraco-aberto"

# Runs in the page: the times at which it showed a frame.
_COUNT_FRAMES = """() => {
  window.frames_ = [];
  const note = (at) => { window.frames_.push(at); requestAnimationFrame(note); };
  requestAnimationFrame(note);
}"""
# From the tap to the frame in which the card stands out, in milliseconds.
_TIME_A_TAP = """(place) => new Promise((resolve) => {
  const card = document.querySelectorAll('.hand-card')[place];
  const was = card.getAttribute('aria-pressed');
  requestAnimationFrame(() => {
    const from = performance.now();
    card.click();
    const look = () => {
      const now = document.querySelectorAll('.hand-card')[place].getAttribute('aria-pressed');
      if (now !== was) resolve(performance.now() - from); else requestAnimationFrame(look);
    };
    look();
  });
})"""


@contextmanager
def comparisons(seconds: float) -> Iterator[list[Comparison]]:
    # Playwright keeps a loop in this thread, and Django then suspects every query of it.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    with bench_database():
        page = _Page(make_cast())
        yield [
            Comparison(
                key="page/frames",
                title=f"a player's page, {LATE} cards on the table, processor {SLOWED} x slower",
                unit="frames/s",
                ours=Contender("Pozzetto", lambda: page.frames(_SECONDS * seconds)),
                goal=FRAMES,
            ),
            Comparison(
                key="page/tap",
                title="the same, from a tap to its answer",
                unit="ms",
                ours=Contender("Pozzetto", page.tap),
                goal=TAP_MS,
                smaller=True,
            ),
        ]


class _Page:
    def __init__(self, cast: Cast) -> None:
        self._cast = cast

    def frames(self, seconds: float) -> float:
        """Frames shown a second while others move, twice a second, and cards are chosen."""
        with _late_table(self._cast) as (game, page):
            page.evaluate(_COUNT_FRAMES)
            page.wait_for_timeout(300)
            began, until = page.evaluate("performance.now()"), time.monotonic() + seconds
            going = moves(game, seed=3, choose=sensible)
            number = 0
            while time.monotonic() < until:
                if next(going, None) is None:
                    break
                number += 1
                page.evaluate(
                    "n => { const all = document.querySelectorAll('.hand-card');"
                    " all[n % all.length]?.click(); }",
                    number,
                )
                page.wait_for_timeout(_PACE_MS)
            shown: list[float] = page.evaluate("window.frames_")
            shown = [at for at in shown if at >= began]
            return 1000 * (len(shown) - 1) / (shown[-1] - shown[0])

    def tap(self) -> float:
        """The slowest of twenty taps."""
        with _late_table(self._cast) as (_, page):
            count = page.locator(".hand-card").count()
            return max(float(page.evaluate(_TIME_A_TAP, n % count)) for n in range(_TAPS))


@contextmanager
def _late_table(cast: Cast) -> Iterator[tuple[Game, Page]]:
    """A late deal, and the page of a player who waits for the turn."""
    chromium = find_chromium()
    if chromium is None:
        raise MissingPeerError("A page needs Chromium, and there is none here.")
    game, cookie = _late_game(cast)
    server = our_server()
    with server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        base = f"http://127.0.0.1:{server.port}"
        context = browser.new_context(viewport=ViewportSize(**PHONE), base_url=base, has_touch=True)
        context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": base}])
        page = context.new_page()
        page.goto(f"/tables/{game.public_id}/")
        page.wait_for_selector(".hand-card")
        page.wait_for_load_state("networkidle")
        devtools = context.new_cdp_session(page)
        devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})
        yield game, page
        browser.close()


def _late_game(cast: Cast) -> tuple[Game, str]:
    """A table late in a deal that goes on for a while, and a session of the player in seat 0."""
    holders = [getattr(cast, name).public_id for name in SEATED]
    for _ in range(_TRIES):
        game = services.open_table(profile=load_profile(PROFILE), holders=holders, by="bench")
        for _ in moves(game, choose=sensible):
            deal = load(game.stream).state.deal
            if deal is None or deal.ended is not None:
                break
            laid = sum(len(meld.cards) for side in deal.melds for meld in side)
            if laid >= LATE and len(deal.stock) >= _STOCK_LEFT:
                return game, session_of(cast, SEATED[0])
    raise AssertionError(f"no deal of {_TRIES} came to {LATE} cards on the table")
