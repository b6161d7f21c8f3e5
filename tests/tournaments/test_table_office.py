"""The director's desk at live tables: who reaches it, and what a ruling does."""

import re
from collections.abc import Callable

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.urls import reverse

from games.eventstore import store
from games.rules.cards import ALL_CARDS
from games.tables.loading import load
from games.tables.models import Game
from tests.cast import Cast
from tests.games.play import opened

SignIn = Callable[[str], Client]
RULINGS = ["pause", "resume", "end", "substitute"]


@pytest.fixture
def game(cast: Cast) -> Game:
    """Carla and Dino against two bots, at the club of the cast."""
    holders = (cast.carla.public_id, "bot:random", cast.dino.public_id, "bot:random")
    return opened(holders=holders, club=cast.club.pk)


def address(game: Game, ruling: str | None = None) -> str:
    if ruling is None:
        return reverse("admin:tables_game_change", args=[game.pk])
    return reverse("admin:tables_game_ruling", args=[game.pk, ruling])


def rule(browser: Client, game: Game, ruling: str, **data: object) -> list[str]:
    """The events that came of a ruling."""
    before = load(game.stream).head.seq
    answer = browser.post(address(game, ruling), data)
    assert answer.status_code == 302
    return [event.type for event in store.read(game.stream, before)]


@pytest.mark.parametrize("name", ["alba", "bruno", "administrator"])
def test_an_officer_of_the_club_sees_the_table_without_a_card(
    sign_in: SignIn, game: Game, name: str
) -> None:
    browser = sign_in(name)
    assert game.public_id in browser.get(reverse("admin:tables_game_changelist")).content.decode()
    page = browser.get(address(game)).content.decode()
    assert "Carla Conti" in page
    assert not [card for card in ALL_CARDS if f'"{card}"' in page or f">{card}<" in page]
    assert browser.post(address(game), {"label": "x"}).status_code == 403
    assert browser.get(reverse("admin:tables_game_add")).status_code == 403
    assert browser.get(reverse("admin:tables_game_delete", args=[game.pk])).status_code == 403


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("es", ("Partidas", "Rótulo", "Reglas", "Estado", "en juego", "Abierta el", "un robot")),
        ("it", ("Partite", "Etichetta", "Regole", "Stato", "in gioco", "Aperta il", "un bot")),
        ("pt-br", ("Partidas", "Rótulo", "Regras", "Estado", "em jogo", "Aberta em", "um robô")),
        ("en", ("Matches", "Label", "Rules", "State", "being played", "Opened at", "a bot")),
    ],
)
def test_the_desk_speaks_the_language_of_who_reads(
    sign_in: SignIn, game: Game, language: str, words: tuple[str, ...]
) -> None:
    page = sign_in("alba").get(address(game), headers={"Accept-Language": language})
    text = re.sub(r"<[^>]*>", "", page.content.decode())
    assert [word for word in words if word not in text] == []


@pytest.mark.parametrize("name", ["carla", "dino", "elsa", "furio", None])
def test_nobody_else_sees_or_rules_anything(
    sign_in: SignIn, client: Client, game: Game, name: str | None
) -> None:
    browser = client if name is None else sign_in(name)
    listing = browser.get(reverse("admin:tables_game_changelist"))
    assert game.public_id not in listing.content.decode()
    assert browser.get(address(game)).status_code == 302
    data = {"seat": 0, "person": ""}
    for ruling in RULINGS:
        answer = browser.post(address(game, ruling), data)
        assert answer.status_code in {302, 403, 404}
    assert load(game.stream).head.seq == 2


@pytest.mark.parametrize("ruling", RULINGS)
def test_a_ruling_is_posted_never_followed(sign_in: SignIn, game: Game, ruling: str) -> None:
    assert sign_in("alba").get(address(game, ruling)).status_code == 405
    assert load(game.stream).head.seq == 2


def test_an_unknown_ruling_is_none(sign_in: SignIn, game: Game) -> None:
    assert sign_in("alba").post(address(game, "reveal")).status_code == 404


def test_a_director_pauses_resumes_and_ends_a_match(
    cast: Cast, sign_in: SignIn, game: Game
) -> None:
    browser = sign_in("alba")
    assert rule(browser, game, "pause") == ["game_paused"]
    assert rule(browser, game, "pause") == [], "it is paused already"
    assert rule(browser, game, "resume") == ["game_resumed"]
    # What cannot be undone takes a tick as well as a tap.
    assert 'name="sure" required' in browser.get(address(game)).content.decode()
    assert rule(browser, game, "end")[:2] == ["deal_ended", "game_ended"]
    assert {event.by for event in store.read(game.stream, 2)} == {cast.alba.public_id}
    assert "substitute" not in browser.get(address(game)).content.decode().lower()
    entry = LogEntry.objects.filter(object_id=str(game.pk)).first()
    assert entry is not None
    assert "Carla" not in entry.object_repr


def test_a_director_seats_a_substitute_or_a_bot(cast: Cast, sign_in: SignIn, game: Game) -> None:
    browser = sign_in("alba")
    substitute = {"seat": 1, "person": cast.alba.pk}
    assert rule(browser, game, "substitute", **substitute) == ["seat_changed"]
    assert rule(browser, game, "substitute", seat=0, person="") == ["seat_changed"]
    holders = load(game.stream).state.holders
    assert holders[:2] == ("bot:sensible", cast.alba.public_id)


def test_who_sits_there_already_or_is_of_another_club_is_no_substitute(
    cast: Cast, sign_in: SignIn, game: Game
) -> None:
    browser = sign_in("alba")
    for person in (cast.dino, cast.gina):
        assert rule(browser, game, "substitute", seat=0, person=person.pk) == []
    assert rule(browser, game, "substitute", seat=7, person="") == []
    assert rule(browser, game, "substitute") == []
