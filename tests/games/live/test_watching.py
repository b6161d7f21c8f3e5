"""A whole deal on the sockets of all who watch: nothing missing, nothing too much."""

import json
import random
import shutil
import subprocess
from pathlib import Path

import msgspec
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from games.rules.moves import AnyMove
from games.rules.views import PUBLIC, seat_audience
from games.tables import selectors
from games.tables.folding import Folded
from games.tables.loading import load
from tests.frontend.test_scripts import ONLY_IN_SNAPSHOTS
from tests.games.live.around import Table
from tests.games.live.browser import Browser
from tests.games.live.knowledge import Knowledge, cards_in, leaks
from tests.games.play import hasty, opened
from tests.games.processes import ORIGIN

pytestmark = pytest.mark.django_db(transaction=True)

NODE = shutil.which("node")
Audience = int | None


def said(move: AnyMove) -> dict:
    plain = msgspec.to_builtins(move)
    return {name: value for name, value in plain.items() if name != "seat"}


def play_a_deal(table: Table, browsers: dict[Audience, Browser]) -> None:
    """Each seat plays on its own socket; every move is acknowledged."""
    luck = random.Random(5)
    while (deal := load(table.game.stream).state.deal).ended is None:
        player = browsers[deal.turn]
        answer = player.move(**said(hasty(deal, luck)))
        assert answer["t"] == "ack", answer
        # In step: who moves next has seen all, and nobody sends faster than a socket may.
        for browser in browsers.values():
            assert browser.reaches(answer["seq"])


def told_after(browser: Browser) -> dict[int, str]:
    """What reached a browser, by the number of the event after which it may be known."""
    texts: dict[int, str] = {}
    for text in browser.frames:
        frame = json.loads(text)
        if frame["t"] == "snapshot":
            texts[frame["seq"]] = text
        elif frame["t"] == "events":
            for event in frame["events"]:
                texts[event["seq"]] = json.dumps(event)
    return texts


def comparable(view: dict, *, without: set[str] = ONLY_IN_SNAPSHOTS) -> dict:
    # The order within a hand has no meaning (move language, section 4).
    kept = {name: value for name, value in view.items() if name not in without}
    return kept | {"hand": sorted(kept["hand"]) if kept["hand"] else kept["hand"]}


@pytest.mark.parametrize(
    ("profile", "seats"),
    [("buraco-fechado-stbl", 4), ("buraco-aberto", 4), ("burraco-italiano", 2)],
)
def test_a_deal_on_all_sockets_shows_everyone_his_own_and_no_more(seat_at, profile, seats):
    table = seat_at(opened(profile, seats, deals=1))
    browsers: dict[Audience, Browser] = {seat: table.connect(seat) for seat in range(seats)}
    browsers[None] = table.connect()
    play_a_deal(table, browsers)
    head = load(table.game.stream).head.seq
    steps = selectors.all_steps(table.game.stream)

    for audience, browser in browsers.items():
        assert browser.reaches(head)
        assert leaks(steps, audience, told_after(browser)) == []
    # The check itself has teeth: what a seat is told would be a leak to the public and to others.
    assert leaks(steps, None, told_after(browsers[0]))
    assert leaks(steps, 1, told_after(browsers[0]))

    if NODE is not None:
        follows_as_the_page_does(table, browsers, steps)


def follows_as_the_page_does(table: Table, browsers: dict[Audience, Browser], steps: list) -> None:
    given = []
    for browser in browsers.values():
        first = json.loads(browser.frames[0])
        given.append({"view": first["view"], "events": browser.events})
    done = subprocess.run(
        [NODE, str(Path(__file__).with_name("follow.mjs"))],
        input=json.dumps(given), capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    for audience, views in zip(browsers, json.loads(done.stdout), strict=True):
        name = PUBLIC if audience is None else seat_audience(audience)
        for view, step in zip(views, steps[2:], strict=True):
            folded = Folded(table.game.stream, step.stored.head, step.after, b"")
            fresh = selectors.view_of(table.game.public_id, folded, name)
            fresh = json.loads(json.dumps(fresh))
            assert comparable(view) == comparable(fresh), step.event


@pytest.mark.parametrize("seats", [4, 2])
def test_a_reserve_fetched_by_a_discard_is_told_to_its_owner_only_in_time(seats):
    """S0-41: in no frame before the partner has discarded, of two before the own next turn."""
    from games.live.frames import catch_up_frame, event_frames, snapshot_frame
    from tests.games.play import moves

    fetched = 0
    for seed in range(1, 5):
        game = opened("buraco-fechado-stbl", seats, deals=1)
        told: dict[str, dict[int, str]] = {seat_audience(seat): {} for seat in range(seats)}
        for outcome in moves(game, seed=seed):
            frames = event_frames(outcome.steps)
            last = outcome.steps[-1].stored.seq
            for audience, texts in told.items():
                for event in json.loads(frames[audience])["events"]:
                    texts[event["seq"]] = json.dumps(event)
                snapshot = snapshot_frame(game.public_id, outcome.folded, audience, [])
                texts[last] += snapshot.decode()
        steps = selectors.all_steps(game.stream)
        for audience, texts in told.items():
            seat = int(audience[-1])
            assert leaks(steps, seat, texts) == []
            knowledge = Knowledge(seat)
            for step in steps:
                knowledge.after(step)
            fetched += knowledge.was_blind
            # Away and back: the same as for those who stayed.
            late = catch_up_frame(steps[2:], audience)
            assert json.loads(late)["events"] == [
                json.loads(texts[step.stored.seq].split('{"t"')[0]) for step in steps[2:]
            ]
        if fetched:
            return
    raise AssertionError("no deal had a reserve fetched by a discard")


def test_an_event_bears_its_plain_name_whatever_version_it_was_stored_as():
    from games.live.frames import catch_up_frame, event_frames
    from tests.games.play import play

    game = opened("buraco-aberto", 4, deals=1)
    play(game)
    steps = selectors.all_steps(game.stream)
    later = [
        step._replace(stored=step.stored._replace(type=f"{step.stored.type}@2")) for step in steps
    ]
    assert event_frames(later) == event_frames(steps)
    for audience in (PUBLIC, seat_audience(0)):
        assert catch_up_frame(later, audience) == catch_up_frame(steps, audience)
    told = json.loads(catch_up_frame(later, PUBLIC))["events"]
    assert [event["type"] for event in told] == [step.stored.type for step in steps]


def test_pages_and_records_of_a_running_game_name_only_what_lies_face_up(client):
    from tests.games.play import moves

    game = opened("buraco-fechado-stbl", 4, deals=2)
    addresses = [
        "/",
        f"/tables/{game.public_id}/",
        f"/tables/{game.public_id}/replay/",
    ]
    vocabulary = set[str]()
    looked = 0
    for number, outcome in enumerate(moves(game, seed=3)):
        if outcome.folded.state.over:
            break
        if number % 80:
            continue
        looked += 1
        steps = selectors.all_steps(game.stream)
        knowledge, known = Knowledge(None), set[str]()
        for step in steps:
            known = knowledge.after(step)
        for address in addresses:
            page = client.get(address).content.decode()
            vocabulary = vocabulary or cards_in(page)
            assert cards_in(page) <= known | vocabulary, address
        record = [line.decode() for line in selectors.export_record(game.public_id)]
        texts = {json.loads(line)["seq"]: line for line in record[1:]}
        assert json.loads(record[0])["view"] == PUBLIC
        assert len(texts) == len(steps)
        assert leaks(steps, None, texts) == []
        assert '"head"' not in record[0]
        for word in ('"hash"', '"prev"', '"seed"', '"stock":['):
            assert word not in "".join(record[1:]), "a hash would tell the one card it hides"
        deal = outcome.folded.state.deal_number - 1
        if deal:
            replayed = client.get(f"/tables/{game.public_id}/events.json?deal={deal}").json()
            told = {event["seq"]: json.dumps(event) for event in replayed["events"]}
            assert leaks(steps, None, told) == []
        unfinished = client.get(f"/tables/{game.public_id}/events.json?deal={deal + 1}")
        assert unfinished.status_code == 404
    assert looked > 2


@pytest.mark.parametrize("viewer", [PUBLIC, "seat-1"])
def test_what_a_viewer_cannot_know_does_not_change_a_byte_of_what_he_is_sent(viewer):
    """Two games whose hidden cards differ, the same moves made: the same frames."""
    from games.live.frames import catch_up_frame, event_frames, snapshot_frame
    from tests.games.live.twins import twin_games

    one, other = twin_games(viewer, moves=24)
    assert one[-1].after.deal.hands != other[-1].after.deal.hands
    assert one[-1].after.deal.stock != other[-1].after.deal.stock
    for mine, others in zip(one, other, strict=True):
        assert event_frames([mine])[viewer] == event_frames([others])[viewer]
    assert catch_up_frame(one, viewer) == catch_up_frame(other, viewer)
    ends = [Folded(1, steps[-1].stored.head, steps[-1].after, b"") for steps in (one, other)]
    assert snapshot_frame("g", ends[0], viewer, []) == snapshot_frame("g", ends[1], viewer, [])
    assert event_frames(one)["official"] != event_frames(other)["official"]


def test_every_socket_address_declares_its_audience():
    from games.live.routing import websocket_urlpatterns

    assert websocket_urlpatterns
    for address in websocket_urlpatterns:
        assert address.default_args.get("audience"), address


def test_an_address_that_is_none_is_refused_in_the_handshake(web):
    # That the server's log has no traceback is checked where it ends.
    table = web.address("nowhere")
    for address in (table.replace("/tables/", "/"), table.replace("nowhere", "%00")):
        with pytest.raises(InvalidStatus, match="403"):
            connect(address, origin=ORIGIN)
