"""A real web server on the databases of the test run, one for all the tests of a process.

What needs Django is imported where it is used: this file is read before Django is set up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from games.tables.models import Game
    from tests.games.live.around import Table
    from tests.games.processes import Web


@pytest.fixture(scope="session")
def web(
    django_db_setup: None,
    django_db_blocker: object,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Web]:
    from tests.games.processes import Web

    log = tmp_path_factory.mktemp("web") / "web.log"
    server = Web(log, POZZETTO_LOG="INFO")
    try:
        server.wait_until_healthy()
        yield server
    finally:
        server.kill()
    assert "Traceback" not in server.log(), server.log()


@pytest.fixture
def game(transactional_db: None) -> Game:
    """Four people at Buraco Aberto, the first deal dealt."""
    from tests.games.play import opened

    return opened()


@pytest.fixture
def seat_at(web: Web) -> Iterator[Callable[[Game], Table]]:
    """Makes the surroundings of a game."""
    from tests.games.live.around import Table

    made: list[Table] = []

    def make(game: Game) -> Table:
        made.append(Table(web, game))
        return made[-1]

    yield make
    for table in made:
        table.close()


@pytest.fixture
def table(seat_at: Callable[[Game], Table], game: Game) -> Table:
    """The same with room for browsers."""
    return seat_at(game)
