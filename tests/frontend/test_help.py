"""The help for players: in each language, in the words of the rules, with the keys there are."""

import re
from pathlib import Path

import pytest
from django.test import Client

from frontend.help_page import KEYS

SCRIPTS = Path(__file__).parents[2] / "frontend" / "static" / "frontend" / "js"


def text_of(page: bytes) -> str:
    main = page.decode().partition("<main")[2].partition("</main>")[0]
    return " ".join(re.sub(r"<[^>]+>", " ", main).split())


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "title", "taken"),
    [
        ("es", "Ayuda para jugadores", "muerto tomado"),
        ("it", "Aiuto per chi gioca", "pozzetto preso"),
        ("pt-br", "Ajuda para jogadores", "morto pego"),
        ("en", "Help for players", "reserve taken"),
    ],
)
def test_the_help_speaks_the_readers_language_and_leaves_no_place_empty(
    client: Client, language: str, title: str, taken: str
) -> None:
    text = text_of(client.get("/help/", headers={"accept-language": language}).content)
    assert title in text
    assert taken in text
    assert not re.search(r"\[\w|\{\w|%\(", text)


@pytest.mark.django_db
def test_from_a_table_the_help_keeps_the_words_of_its_rules(client: Client) -> None:
    for terms, said in (("pozzetto", "pozzetto preso"), ("morto", "morto preso")):
        page = client.get(f"/help/?terms={terms}", headers={"accept-language": "it"})
        assert said in text_of(page.content)
    page = client.get("/help/?terms=<b>", headers={"accept-language": "it"})
    assert "pozzetto preso" in text_of(page.content)


def test_the_help_lists_the_keys_that_the_table_knows_and_what_they_do() -> None:
    keys = (SCRIPTS / "keys.js").read_text(encoding="utf-8")
    assert list(KEYS) == re.findall(r'\{ key: "(.)", phrase: "([\w.]+)"', keys)
