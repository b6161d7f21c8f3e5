"""A table with a delay: on no path does an unseated eye see anything before its time."""

import json
import random
import time
from datetime import datetime

import pytest
from django.core.cache import cache
from django.test import Client

from games.eventstore.chain import StoredEvent, instant_now
from games.rules.views import ALL
from games.tables import agreements, selectors, services
from games.tables.loading import load, public_fold, ripe
from games.tables.outcomes import TableError
from tests.games.live.browser import Browser
from tests.games.play import hasty, opened

pytestmark = pytest.mark.django_db(transaction=True)

DELAY = 2
CLOCK_FIELDS = {"seat", "move_ms", "bank_ms", "left_ms", "running_since", "now", "paused"}


def moment(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()


class Watched:
    """A table with a delay, and whoever looks at it from outside on all paths."""

    def __init__(self, seat_at, **how) -> None:
        self.game = opened(delay_seconds=DELAY, **how)
        self.stream = self.game.stream
        self.table = seat_at(self.game)
        self.client = Client()
        self.luck = random.Random(3)
        self.seen: list[tuple[str, int, float]] = []
        """Path, the last event that it has shown, and when that was."""

    def moves(self) -> None:
        state = load(self.stream).state
        deal = state.deal
        if deal.ended is not None:
            services.start_next_deal(stream=self.stream, by="palba")
        else:
            move, by = hasty(deal, self.luck), state.holders[deal.turn]
            services.submit_move(stream=self.stream, move=move, by=by)

    def note(self, path: str, seq: int) -> None:
        self.seen.append((path, seq, time.time()))

    def hears(self, browser: Browser, path: str) -> None:
        """Takes in what has come."""
        while True:
            try:
                frame = browser.next(0.01)
            except TimeoutError:
                return
            if "seq" in frame:
                self.note(path, frame["seq"])
            if frame["t"] == "events":
                self.note(path, frame["to"])
            if "clock" in frame:
                assert set(frame["clock"]) <= CLOCK_FIELDS
                assert moment(frame["clock"]["now"]) <= time.time() - DELAY
                assert 0 < frame["clock"]["left_ms"] <= 90_000
            if frame["t"] == "presence":
                assert (frame["here"], frame["bot"], frame["takeover"]) == ([], [], None)

    def looks(self) -> None:
        """Asks for every page and feed there is."""
        public_id = self.game.public_id
        with Browser(self.table.web.address(public_id)) as late:
            self.note("snapshot", late.next()["seq"])
        cache.clear()
        wall = self.client.get("/tables/wall.json").json()
        [row] = [each for each in wall["tables"] if each["id"] == public_id]
        self.note("wall", self.first_like(row["deal"], row["turn"], row["totals"], row["stock"]))
        record = self.client.get(f"/tables/{public_id}/record.jsonl").getvalue().splitlines()
        self.note("record", json.loads(record[-1])["seq"])
        for deal in (1, 2):
            address = f"/tables/{public_id}/events.json?deal={deal}"
            answer = self.client.get(address)
            if answer.status_code == 200:
                self.note("replay", answer.json()["events"][-1]["seq"])
                self.note("replay", max(each[2] for each in answer.json()["deals"]))
        summary = selectors.table_summary(public_id)
        for page in ("", "replay/", "verify/"):
            assert self.client.get(f"/tables/{public_id}/{page}").status_code in {200, 404}
        told = (summary.deal, summary.turn, list(summary.totals), summary.stock or 0)
        self.note("summary", self.first_like(*told))

    def first_like(self, deal: int, turn: int | None, totals: list[int], stock: int) -> int:
        """The first event after which the table looked like this."""
        for step in selectors.all_steps(self.stream):
            game, now = step.after, step.after.deal
            plays = None if now is None or now.ended else now.turn
            left = 0 if now is None else len(now.stock)
            if (game.deal_number, plays, list(game.totals), left) == (deal, turn, totals, stock):
                return step.stored.seq
        raise AssertionError("it has never looked like this")

    def ahead(self) -> list[tuple[str, int, float]]:
        """What was seen before its time."""
        steps = selectors.all_steps(self.stream)
        at = {step.stored.seq: moment(step.stored.at) for step in steps}
        return [
            (path, seq, round(at[seq] + DELAY - when, 3))
            for path, seq, when in self.seen
            if seq > 1 and at[seq] + DELAY > when
        ]


@pytest.mark.parametrize("clock", [{}, {"move_seconds": 30, "bank_seconds": 60}])
def test_no_path_is_ahead_of_the_delay_and_seats_are_not_behind(seat_at, clock):
    hall = Watched(seat_at, deals=2, **clock)
    watcher = hall.table.connect()
    player = hall.table.connect(0)
    assert watcher.view.get("hands") is None, "the first deal is not to be seen yet"
    until, looked = time.monotonic() + 5, 0.0
    while time.monotonic() < until:
        hall.moves()
        time.sleep(0.05)
        watcher.say(t="ping")
        watcher.say(t="since", seq=max(1, watcher.seq - 3))
        hall.hears(watcher, "socket")
        if time.monotonic() > looked + 0.7:
            looked = time.monotonic()
            hall.looks()
    head = load(hall.stream).head.seq
    assert player.reaches(head, 2), "who sits there sees all at once"
    assert hall.ahead() == []
    by_path = {path: seq for path, seq, _ in hall.seen if seq > 2}
    assert set(by_path) >= {"socket", "snapshot", "wall", "record"}, "and in its time it is seen"
    deadline = time.monotonic() + DELAY + 3
    while watcher.seq < head and time.monotonic() < deadline:
        hall.hears(watcher, "socket")
    assert watcher.seq == head
    assert hall.ahead() == []


def test_bots_takeovers_pauses_and_the_end_become_known_in_their_time_only(seat_at):
    hall = Watched(seat_at)
    watcher, public_id = hall.table.connect(), hall.game.public_id
    services.change_seat(
        stream=hall.stream, seat=0, holder="bot:sensible:pcarla", by="clock", reason="absent"
    )
    agreements.pause_match(stream=hall.stream, by="palba")
    services.end_match(stream=hall.stream, by="palba")
    ended = time.time()
    # The first deal is not even begun for those outside.
    summary = selectors.table_summary(public_id)
    assert (summary.status, summary.holders[0], summary.revealed) == ("between", "pcarla", False)
    assert [each.public_id for each in selectors.live_tables()] == [public_id]
    assert selectors.finished_tables() == []
    with pytest.raises(TableError, match="once the match is over"):
        selectors.deal_events(public_id, 1, ALL)
    [header, only] = [json.loads(line) for line in selectors.export_record(public_id)]
    assert (header["view"], only["type"]) == ("public", "game_opened")
    hall.looks()
    assert "pcarla" in json.dumps(selectors.view_of(public_id, public_fold(hall.stream), "public"))
    head = load(hall.stream).head.seq
    while watcher.seq < head and time.time() < ended + DELAY + 5:
        hall.hears(watcher, "socket")
    assert watcher.seq == head
    assert time.time() >= ended + DELAY
    assert hall.ahead() == []
    assert selectors.table_summary(public_id).status == "over"
    assert [each.public_id for each in selectors.finished_tables()] == [public_id]


def test_what_players_say_is_not_heard_where_a_delay_keeps_their_cards(seat_at):
    hall = Watched(seat_at)
    watcher, player, other = hall.table.connect(), hall.table.connect(0), hall.table.connect(1)
    player.say(t="say", id="1", phrase="bravo")
    assert other.until("talk")["phrase"] == "bravo"
    watcher.say(t="say", id="2", text="well")
    assert watcher.until("talk")["text"] == "well"
    with Browser(hall.table.web.address(hall.game.public_id)) as late:
        assert late.until("talk")["text"] == "well"
        late.say(t="ping")
        late.until("pong")
        assert "bravo" not in "".join(late.frames + watcher.frames)


def test_a_delay_changes_nothing_for_others(seat_at, game):
    hall = Watched(seat_at)
    plain = seat_at(game).connect()
    assert plain.view["hands"], "another table is seen as it is"
    player = hall.table.connect(0)
    assert player.view["hand"]
    hall.moves()
    assert player.reaches(load(hall.stream).head.seq, 2)


def test_events_of_two_clocks_become_public_in_order():
    """A writer's clock may be ahead: what comes after its event waits for it."""
    now = instant_now()
    ages = [9, 8, 1, 7, 0]
    events = [
        StoredEvent(1, seq, now - age * 1_000_000, "card_drawn", "p1", b"{}", b"", True)
        for seq, age in enumerate(ages, 2)
    ]
    assert [event.seq for event in ripe(events, now - 5_000_000)] == [2, 3]
    opening = events[4]._replace(seq=1)
    assert ripe([opening], now - 5_000_000) == [opening], "a match is seen from its opening on"


def test_the_public_fold_follows_the_store_at_the_delay():
    game = opened(delay_seconds=1, deals=1)
    assert public_fold(game.stream).head.seq == 1
    assert public_fold(game.stream).state.deal is None
    time.sleep(1.1)
    assert public_fold(game.stream) == load(game.stream)
