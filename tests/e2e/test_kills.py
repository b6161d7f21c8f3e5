"""Killed in mid-play and started again: no acknowledged move is lost, and play goes on."""

import threading
import time
from collections import Counter

import pytest
from websockets.exceptions import WebSocketException

from tests.deploy.conftest import eventually
from tests.deploy.test_demo import free_port
from tests.e2e.night import Night
from tests.games.live.browser import Browser


class Players:
    """Four people who draw and discard at their sockets, and come back whenever these break.

    `acknowledged`: the `seq` that each acknowledged command was said to have reached.
    """

    def __init__(self, port: int, public_id: str, passes: list[str]) -> None:
        self._addresses = [
            f"ws://127.0.0.1:{port}/ws/tables/{public_id}/?pass={each}" for each in passes
        ]
        self.acknowledged: dict[str, int] = {}
        self.troubles: Counter[str] = Counter()
        self._enough = threading.Event()
        self._thread = threading.Thread(target=self._play)
        self._thread.start()

    def get_on_by(self, moves: int) -> bool:
        """Whether so many more moves are acknowledged before long."""
        goal = len(self.acknowledged) + moves
        return eventually(lambda: len(self.acknowledged) >= goal, 90)

    def stop(self) -> None:
        self._enough.set()
        self._thread.join(30)

    def _play(self) -> None:
        while not self._enough.is_set():
            browsers: list[Browser] = []
            try:
                browsers += (Browser(address, open_timeout=3) for address in self._addresses)
                self._play_on(browsers)
            except (OSError, WebSocketException, TimeoutError) as fault:
                self.troubles[type(fault).__name__] += 1
                time.sleep(0.2)
            finally:
                for browser in browsers:
                    browser.close()

    def _play_on(self, browsers: list[Browser]) -> None:
        while not self._enough.is_set():
            view = self._look(browsers[0])
            if view["ended"] is not None:
                self._does(browsers[0], t="next")
                continue
            browser = browsers[view["turn"]]
            own = self._look(browser)
            if own["turn"] != view["turn"] or own["seq"] != view["seq"]:
                continue
            if own["step"] == "draw":
                self._does(browser, t="move", seq=own["seq"], move={"move": "draw"})
                continue
            for card in own["hand"]:
                move = {"move": "discard", "card": card}
                if self._does(browser, t="move", seq=own["seq"], move=move) != "refused":
                    break

    def _look(self, browser: Browser) -> dict:
        browser.say(t="since", seq=0)
        frame = browser.until("snapshot", "error", seconds=5)
        if frame["t"] == "error":
            raise TimeoutError(frame["code"])
        return frame["view"]

    def _does(self, browser: Browser, **message) -> str:
        command = f"c{time.monotonic_ns()}"
        for _ in range(5):
            browser.say(id=command, **message)
            answer = browser.until("ack", "refused", "stale", "error", seconds=10)
            if answer.get("code") != "try-again":
                break
            self.troubles["try-again"] += 1
            time.sleep(0.3)
        if answer["t"] == "ack":
            self.acknowledged[command] = answer["seq"]
        return answer["t"]


@pytest.fixture
def players():
    made: list[Players] = []

    def make(*arguments):
        made.append(Players(*arguments))
        return made[-1]

    yield make
    for each in made:
        each.stop()


@pytest.mark.parametrize("kills", [1, pytest.param(6, marks=pytest.mark.long)])
def test_everything_killed_at_once_loses_no_acknowledged_move_and_play_goes_on(
    home, players, kills
):
    night = Night(home, free_port(), tables=2, speed=20)
    try:
        night.wait_until_ready()
        stream, public_id, passes = night.opens_for_people()
        people = players(night.port, public_id, passes)
        for _ in range(kills):
            assert people.get_on_by(20), people.troubles
            night.kill_everything()
            assert people.get_on_by(10), (night.output.read_text(), people.troubles)
        people.stop()

        moves = [
            seq
            for (seq,) in night.asks(
                "SELECT seq FROM eventstore_event WHERE stream = %s AND command_key IS NOT NULL "
                "ORDER BY seq",
                stream,
            )
        ]
        ends = {start - 1 for start in moves} | {night.heads()[stream]}
        reached = sorted(people.acknowledged.values())
        assert len(set(reached)) == len(reached), "two commands were told the same place"
        assert set(reached) <= ends, "an acknowledged move is not in the store"
        heads = night.heads()
        assert eventually(lambda: bots_have_gone_on(night, heads, stream), 60)
        night.runs("verify")  # exits with 1 at the first fault
    finally:
        night.stop()

    again = Night(home, free_port(), tables=2, speed=20)
    try:
        again.wait_until_ready()
        heads_now = again.heads()
        assert set(heads_now) == set(heads), "no table is opened anew"
        assert eventually(lambda: bots_have_gone_on(again, heads_now, stream), 60)
    finally:
        again.stop()


def bots_have_gone_on(night: Night, heads: dict[int, int], without: int) -> bool:
    now = night.heads()
    return all(now[stream] > head for stream, head in heads.items() if stream != without)
