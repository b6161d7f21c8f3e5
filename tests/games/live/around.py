"""A game and the browsers around it."""

from games.tables.models import Game
from games.tables.passes import seat_pass
from tests.games.live.browser import Browser
from tests.games.processes import Web


class Table:
    """A game and the browsers around it."""

    def __init__(self, web: Web, game: Game) -> None:
        self.web = web
        self.game = game
        self._browsers: list[Browser] = []

    def pass_of(self, seat: int) -> str:
        holder = self.game.chairs.get(number=seat).holder
        return seat_pass(public_id=self.game.public_id, seat=seat, holder=holder)

    def connect(self, seat: int | None = None, **options: object) -> Browser:
        """A browser that has got its snapshot; without a seat it is a spectator's."""
        with_pass = "" if seat is None else self.pass_of(seat)
        browser = Browser(self.web.address(self.game.public_id, with_pass), **options)
        self._browsers.append(browser)
        assert browser.next()["t"] == "snapshot"
        return browser

    def close(self) -> None:
        for browser in self._browsers:
            browser.close()
