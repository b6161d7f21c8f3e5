"""Talk: phrases at the table, words among watchers; kept for a while, never an event."""

from contextlib import suppress
from datetime import timedelta

import pytest
from django.utils import timezone
from websockets.exceptions import ConnectionClosed

from games.eventstore import store
from games.live.messages import MessageError, Say
from games.live.models import Line
from games.live.talk import KEPT, MOST_IN_A_WHILE, PHRASES, say
from games.live.tasks import forget
from games.tables import services
from tests.games.live.browser import Browser
from tests.games.play import opened

pytestmark = pytest.mark.django_db(transaction=True)


def hears_nothing(browser: Browser) -> bool:
    """Up to the answer to a ping; what was said before has come by then, if it comes."""
    start = len(browser.frames)
    browser.say(t="ping")
    browser.until("pong")
    return '"talk"' not in "".join(browser.frames[start:])


def test_a_phrase_is_heard_by_the_seats_and_by_those_who_watch(table):
    carla, dino, watcher = table.connect(0), table.connect(2), table.connect()
    carla.say(t="say", id="s", phrase="well-played")
    for browser in (carla, dino, watcher):
        line = browser.until("talk")
        assert (line["room"], line["seat"], line["phrase"], line["text"]) == (
            "table", 0, "well-played", None,
        )  # fmt: skip
        assert line["from"] == "pcarla"
    assert len(store.read(table.game.stream)) == 2, "it is no event"


def test_what_watchers_say_reaches_no_seat(table):
    player, one, other = table.connect(0), table.connect(), table.connect()
    one.say(t="say", id="s", text="  what  a\tdeal ")
    line = other.until("talk")
    assert (line["room"], line["text"], line["seat"], line["from"], line["name"]) == (
        "watchers", "what a deal", None, None, None,
    )  # fmt: skip
    assert hears_nothing(player)
    late = table.connect(1)
    assert hears_nothing(late)
    assert "deal " not in "".join(player.frames + late.frames)


def test_who_comes_later_reads_the_last_lines_of_the_own_rooms(table):
    one = table.connect(0)
    for number, phrase in enumerate(("hello", "good-luck")):
        one.say(t="say", id=str(number), phrase=phrase)
        one.until("ack")
    late = table.connect()
    assert [late.until("talk")["phrase"] for _ in range(2)] == ["hello", "good-luck"]


def test_partners_at_a_clubs_table_have_phrases_only(seat_at):
    hall = seat_at(opened(club=7))
    player, watcher = hall.connect(0), hall.connect()
    player.say(t="say", id="s", text="I hold both jokers")
    assert player.until("error")["code"] == "presets-only"
    player.say(t="say", id="p", phrase="thanks")
    assert player.until("ack")["id"] == "p"
    watcher.say(t="say", id="w", text="free words")
    assert watcher.until("ack")["id"] == "w"
    assert not Line.objects.filter(text__contains="jokers").exists()


def test_without_a_club_players_talk_in_their_own_words(table):
    player = table.connect(0)
    player.say(t="say", id="s", text="ciao nonna ❤️")
    assert player.until("talk")["text"] == "ciao nonna ❤️"


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({}, "nothing-said"),
        ({"text": " \n "}, "nothing-said"),
        ({"text": "a", "phrase": "hello"}, "nothing-said"),
        ({"phrase": "give-me-the-joker"}, "no-such-phrase"),
        ({"text": "x" * 201}, "text-too-long"),
        ({"text": "\u202egnihtemos"}, "text-unprintable"),
        ({"text": "a\x00b"}, "text-unprintable"),
        ({"text": "a\x1b[31mb"}, "text-unprintable"),
    ],
)
def test_what_cannot_be_said_is_told_so_and_kept_nowhere(table, said, code):
    player = table.connect(0)
    player.say(t="say", id="s", **said)
    answer = player.until("error")
    assert (answer["code"], answer["id"]) == (code, "s")
    assert not Line.objects.exists()


def test_half_a_character_is_no_message(table):
    player = table.connect(0)
    player.socket.send('{"t":"say","id":"s","text":"\\ud800"}')
    assert player.until("error", "ack")["t"] == "error"
    assert not Line.objects.exists()


def test_two_hundred_characters_are_short_enough(table):
    player = table.connect(0)
    player.say(t="say", id="s", text="x" * 200)
    assert player.until("ack")["id"] == "s"


def test_who_talks_without_end_is_heard_a_few_times_and_stays_at_the_table(table):
    player = table.connect(0)
    for number in range(12):
        player.say(t="say", id=str(number), phrase="hello")
    answers = [player.until("ack", "error") for _ in range(12)]
    heard = [each for each in answers if each["t"] == "ack"]
    assert 4 <= len(heard) <= 8
    assert {each["code"] for each in answers if each["t"] == "error"} == {"talks-too-fast"}
    assert Line.objects.count() == len(heard)
    player.say(t="ping")
    assert player.until("pong")


def test_a_crowd_fills_no_room_without_end():
    game = opened()
    words = {"stream": game.stream, "seat": None, "person": "", "said": Say("s", text="hm")}
    for _ in range(MOST_IN_A_WHILE):
        say(**words)
    with pytest.raises(MessageError) as refused:
        say(**words)
    assert refused.value.code == "talks-too-fast"
    room, _ = say(stream=game.stream, seat=0, person="pcarla", said=Say("s", phrase="hello"))
    assert room == "table", "the players' room is another one"
    Line.objects.update(at=timezone.now() - timedelta(minutes=1))
    say(**words)


def test_who_has_lost_the_seat_says_nothing_there(table):
    before = table.connect(0)
    services.change_seat(
        stream=table.game.stream, seat=0, holder="pgina", by="palba", reason="substituted"
    )
    with suppress(ConnectionClosed):  # it may be closed before that is sent
        before.say(t="say", id="s", phrase="sorry")
    assert before.closed_with() == 4403
    assert not Line.objects.exists()


def test_what_was_said_is_forgotten_after_a_while():
    game = opened()
    for phrase in sorted(PHRASES)[:3]:
        say(stream=game.stream, seat=0, person="pcarla", said=Say("s", phrase=phrase))
    oldest = Line.objects.earliest("id")
    Line.objects.filter(pk=oldest.pk).update(at=timezone.now() - KEPT - timedelta(minutes=1))
    assert forget() == 1
    assert Line.objects.count() == 2
    assert not Line.objects.filter(pk=oldest.pk).exists()
