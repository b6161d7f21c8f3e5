"""What a browser may say to a table, and the answer to everything it may not."""

import json

import pytest

from games.rules.cards import ALL_CARDS, unpack
from games.rules.legal import legal_moves
from games.tables import services
from games.tables.loading import load
from tests.games.live.browser import Browser
from tests.games.play import FOUR
from tests.games.processes import RATE

pytestmark = pytest.mark.django_db(transaction=True)


def turn_of(table) -> int:
    return load(table.game.stream).state.deal.turn


def test_a_seat_plays_and_all_are_told_the_same_event(table):
    turn = turn_of(table)
    player, spectator = table.connect(turn), table.connect()
    answer = player.move(move="draw")
    assert answer["t"] == "ack"
    assert answer["seq"] == 3
    assert spectator.reaches(3)
    assert player.reaches(3)
    assert spectator.events[0]["data"] == {"seat": turn}
    hand = unpack(load(table.game.stream).state.deal.hands[turn])
    assert player.events[0]["data"]["card"] in hand


def test_a_spectator_cannot_act(table):
    spectator = table.connect()
    answer = spectator.move(move="draw")
    assert (answer["t"], answer["code"]) == ("error", "not-seated")
    spectator.say(t="next", id="n1")
    assert spectator.until("error")["code"] == "not-seated"
    assert load(table.game.stream).head.seq == 2


def test_out_of_turn_is_a_refusal_with_clause_and_present_seq(table):
    player = table.connect((turn_of(table) + 1) % 4)
    answer = player.move(move="draw", id="early")
    assert answer["t"] == "refused"
    assert answer["code"] == "not-your-turn"
    assert answer["clause"]
    assert answer["reason"]
    assert (answer["id"], answer["seq"]) == ("early", 2)


def test_a_move_for_another_seat_is_no_move_of_mine(table):
    turn = turn_of(table)
    other = table.connect((turn + 1) % 4)
    assert other.move(seat=turn, move="draw")["code"] == "not-your-seat"


def test_a_stale_move_is_told_where_the_table_is(table):
    turn = turn_of(table)
    player = table.connect(turn)
    assert player.move(move="draw")["t"] == "ack"
    discard = legal_moves(load(table.game.stream).state.deal, turn).discards[0]
    answer = player.move(seq=2, move="discard", card=discard)
    assert (answer["t"], answer["seq"]) == ("stale", 3)
    assert player.move(seq=10**15, move="draw")["t"] == "stale"


def test_the_same_command_again_has_one_effect_and_the_same_answer(table):
    turn = turn_of(table)
    player = table.connect(turn)
    first = player.move(seq=2, id="once", move="draw")
    assert (
        first == player.move(seq=2, id="once", move="draw") == player.move(id="once", move="draw")
    )
    assert load(table.game.stream).head.seq == 3


@pytest.mark.parametrize(
    "move",
    [
        {"move": "discard", "card": "XX"},
        {"move": "discard", "card": "10H"},
        {"move": "discard"},
        {"move": "discard", "card": 7},
        {"move": "fly"},
        {},
        {"move": "draw", "extra": 1},
        {"move": "draw", "seat": 4},
        {"move": "draw", "seat": -1},
        {"move": "draw", "seat": "0"},
        {"move": "meld", "place": []},
        {"move": "meld", "place": [{"cards": []}]},
        {"move": "meld", "place": [{"cards": ["4H", "5H", "ZZ"]}]},
        {"move": "take", "using": [{"cards": ["4H", "5H", "6H"]}]},
    ],
)
def test_a_move_that_is_not_of_the_language_is_told_what_is_wrong(table, move):
    player = table.connect(turn_of(table))
    answer = player.move(**move)
    assert (answer["t"], answer["code"]) == ("error", "malformed-move")
    assert answer["reason"]
    assert load(table.game.stream).head.seq == 2


def test_cards_that_are_not_held_are_refused(table):
    turn = turn_of(table)
    player = table.connect(turn)
    player.move(move="draw")
    hand = set(unpack(load(table.game.stream).state.deal.hands[turn]))
    missing = next(card for card in ALL_CARDS if card not in hand)
    assert player.move(move="discard", card=missing)["code"] == "not-in-hand"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "null",
        "[]",
        '"draw"',
        "{}",
        '{"t":"dance"}',
        '{"t":"move"}',
        '{"t":"move","id":"a","seq":2}',
        '{"t":"move","id":"a","seq":"2","move":{}}',
        '{"t":"move","id":"a","seq":2.5,"move":{}}',
        '{"t":"move","id":"a","seq":2,"move":[]}',
        '{"t":"move","id":"","seq":2,"move":{}}',
        '{"t":"move","id":"%s","seq":2,"move":{}}' % ("x" * 65),
        '{"t":"since"}',
        '{"t":"since","seq":null}',
        '{"t":"ping","more":1}',
        "[" * 8000,
    ],
)
def test_what_is_no_message_is_told_so_and_the_socket_lives_on(table, text):
    spectator = table.connect()
    spectator.socket.send(text)
    answer = spectator.until("error")
    assert (answer["t"], answer["code"]) == ("error", "malformed-message")
    spectator.say(t="ping")
    assert spectator.until("pong") == {"t": "pong", "seq": 2}


def test_a_binary_frame_is_told_that_messages_are_text(table):
    spectator = table.connect()
    spectator.socket.send(b'{"t":"ping"}')
    assert spectator.until("error")["code"] == "binary-message"


def test_an_oversized_message_is_named_and_ends_the_socket(table):
    spectator = table.connect()
    spectator.say(t="ping", pad="ñ" * 8 * 1024)
    assert spectator.until("error")["code"] == "frame-too-large"
    assert spectator.closed_with() == 1009


def test_a_frame_beyond_all_measure_never_reaches_the_table(table):
    spectator = table.connect()
    spectator.socket.send("x" * 200_000)
    assert spectator.closed_with() == 1009


def test_a_flood_is_ended(table):
    spectator = table.connect()
    burst = 4 * RATE
    for _ in range(burst + 100):
        spectator.socket.send('{"t":"ping"}')
    assert spectator.until("error")["code"] == "too-fast"
    assert spectator.closed_with() == 4429


def test_as_many_messages_as_a_quick_player_sends_are_no_flood(table):
    spectator = table.connect()
    for _ in range(30):
        spectator.say(t="ping")
        assert spectator.until("pong")["t"] == "pong"


def test_an_unknown_table_is_told_so(table, web):
    browser = Browser(web.address("nosuchtable1"))
    assert browser.next()["code"] == "no-such-table"
    assert browser.closed_with() == 4404


@pytest.mark.parametrize("kind", ["nonsense", "another table's", "cut short", "of no seat"])
def test_a_pass_that_does_not_fit_opens_nothing(table, web, kind):
    from games.tables.passes import seat_pass

    good = table.pass_of(0)
    given = {
        "nonsense": "let-me-in",
        "another table's": seat_pass(public_id="another", seat=0, holder=FOUR[0]),
        "cut short": good[:-1],
        "of no seat": seat_pass(public_id=table.game.public_id, seat=7, holder=FOUR[0]),
    }[kind]
    browser = Browser(web.address(table.game.public_id, given))
    frame = browser.next()
    assert (frame["t"], frame["code"]) == ("error", "pass-invalid")
    assert browser.closed_with() == 4403
    assert "snapshot" not in "".join(browser.frames)


def test_a_seat_that_changes_hands_takes_its_sockets_pass_and_frames_along(table):
    """The one who sat there sees nothing more of the hand, and cannot play it."""
    turn = turn_of(table)
    before, old_pass = table.connect(turn), table.pass_of(turn)
    bystander = table.connect((turn + 1) % 4)
    services.change_seat(
        stream=table.game.stream, seat=turn, holder="pgina", by="palba", reason="substitute"
    )
    assert before.until("error")["code"] == "seat-lost"
    assert before.closed_with() == 4403
    with Browser(table.web.address(table.game.public_id, old_pass)) as again:
        assert again.next()["code"] == "pass-invalid"
    substitute = table.connect(turn)
    assert substitute.view["hand"]
    assert substitute.move(move="draw")["t"] == "ack"
    assert bystander.reaches(4), "others go on"
    assert not any('"card"' in frame for frame in before.frames if '"events"' in frame)


def test_the_next_deal_is_started_once_whoever_asks(table):
    one, other = table.connect(0), table.connect(1)
    services.end_match(stream=table.game.stream, by="palba")
    one.say(t="next", id="n")
    assert one.until("error")["code"] == "game-over"
    other.say(t="next", id="n")
    assert other.until("error")["id"] == "n"


def test_two_sockets_of_one_seat_see_and_do_the_same(table):
    turn = turn_of(table)
    one, other = table.connect(turn), table.connect(turn)
    assert one.move(move="draw")["t"] == "ack"
    assert other.reaches(3)
    assert one.reaches(3)
    assert [
        e for f in one.frames if '"events"' in f for e in json.loads(f)["events"]
    ] == other.events
    assert other.move(move="discard", card=other.events[0]["data"]["card"])["t"] in {
        "ack",
        "refused",
    }
