"""A table is told in the words of its rules, in each reader's language, and in no other's."""

import json
import re

import msgspec
import pytest
from django.test import Client
from django.utils import translation

from frontend.phrases import spoken_phrases
from frontend.terms import words_of
from games.rules.profile import (
    FOUNDING,
    Profile,
    ProfileError,
    Terms,
    load_profile,
    parse_profile,
    profile_digest,
    profile_to_builtins,
)
from games.tables import services
from games.tables.models import Game
from tests.cast import house_source, make_cast
from tournaments.house_rules import read_rules

LANGUAGES = ("es", "it", "pt-br", "en")
OF_PROFILE = {
    "buraco-clasico": ("pozo", "buraco"),
    "burraco-italiano": ("pozzetto", "burraco"),
    "buraco-aberto": ("morto", "canastra"),
    "buraco-fechado-stbl": ("morto", "canastra"),
}
OF_LANGUAGE = {
    "es": ("muerto", "canasta", "canasta limpia"),
    "it": ("pozzetto", "burraco", "burraco pulito"),
    "pt-br": ("morto", "canastra", "canastra limpa"),
    "en": ("reserve", "canasta", "clean canasta"),
}
EVERY_TERM = re.compile(
    r"\b(mortos?|pozzett[oi]|muertos?|pozos?|canastr[aeo]s?|burrac(?:o|os|hi)|buracos?|canast[ae]s?)\b",
    re.IGNORECASE,
)
PLURALS = {
    "pozos": "pozo", "buracos": "buraco", "pozzetti": "pozzetto", "burrachi": "burraco",
    "burracos": "burraco", "mortos": "morto", "canastre": "canastra", "canastras": "canastra",
    "muertos": "muerto", "canaste": "canasta", "canastas": "canasta",
}  # fmt: skip


def terms_in(said: dict[str, str]) -> set[str]:
    found = {term.lower() for term in EVERY_TERM.findall("\n".join(said.values()))}
    return {PLURALS.get(term, term) for term in found}


def table_of(profile: Profile) -> Game:
    return services.open_table(
        profile=profile, holders=("bot:sensible",) * 4, by="test", label="Table 7"
    )


def phrases_on(page: bytes) -> dict[str, str]:
    found = re.search(r'<script id="phrases"[^>]*>(.*?)</script>', page.decode(), re.DOTALL)
    assert found is not None
    phrases: dict[str, str] = json.loads(found[1])
    return phrases


@pytest.mark.django_db
@pytest.mark.parametrize("profile_id", FOUNDING)
@pytest.mark.parametrize("language", LANGUAGES)
def test_each_page_of_a_table_says_the_words_of_its_rules_and_no_other_countrys(
    client: Client, profile_id: str, language: str
) -> None:
    table = table_of(load_profile(profile_id))
    for address in ("/tables/{}/", "/embed/{}/", "/tables/{}/verify/"):
        page = client.get(address.format(table.public_id), headers={"accept-language": language})
        said = phrases_on(page.content)
        reserve, canasta = OF_PROFILE[profile_id]
        assert terms_in(said) == ({reserve} if "verify" in address else {reserve, canasta})
        assert not [text for text in said.values() if "[" in text]


@pytest.mark.parametrize("language", LANGUAGES)
def test_rules_that_name_no_words_are_told_in_those_of_the_readers_country(language: str) -> None:
    reserve, canasta, clean = OF_LANGUAGE[language]
    with translation.override(language):
        said = spoken_phrases()
    assert (said["reserves.one"], said["grade.clean"]) == (reserve, clean)
    assert terms_in(said) == ({canasta} if language == "en" else {reserve, canasta})


@pytest.mark.parametrize(
    ("terms", "clean", "dirties"),
    [
        ("pozzetto", "burraco limpio", "Burracos sucios"),
        ("pozo", "buraco limpio", "Buracos sucios"),
        ("morto", "canastra limpia", "Canastras sucias"),
        ("muerto", "canasta limpia", "Canastas sucias"),
    ],
)
def test_clean_and_dirty_agree_with_the_word_that_they_go_with(
    terms: str, clean: str, dirties: str
) -> None:
    with translation.override("es"):
        said = spoken_phrases(terms)
    assert (said["grade.clean"], said["line.dirty"]) == (clean, dirties)


def test_where_the_reserve_is_a_muerto_the_discards_are_the_pozo_and_nowhere_else() -> None:
    with translation.override("es"):
        piles = {terms: words_of(terms)["the discards"] for terms in ("", *map(_value, Terms))}
    assert piles.pop("muerto") == "el pozo"
    assert set(piles.values()) == {"la pila"}


def _value(terms: Terms) -> str:
    return terms.value


@pytest.mark.django_db
def test_rules_cloned_by_a_club_keep_their_words(client: Client) -> None:
    make_cast()
    table = table_of(read_rules(house_source()).profile)
    page = client.get(f"/tables/{table.public_id}/", headers={"accept-language": "es"})
    assert phrases_on(page.content)["reserve.taken"] == "morto tomado"


def test_rules_frozen_before_there_were_words_are_read_and_keep_their_digest() -> None:
    profile = load_profile("buraco-aberto")
    old = profile_to_builtins(profile)
    del old["terms"]
    read = parse_profile(old)
    assert read.terms is msgspec.UNSET
    assert profile_to_builtins(read) == old
    assert profile_digest(read) != profile_digest(profile)


def test_words_that_no_country_has_are_refused_by_the_name_of_their_field() -> None:
    plain = profile_to_builtins(load_profile("buraco-aberto")) | {"terms": "talon"}
    with pytest.raises(ProfileError) as refused:
        parse_profile(plain)
    assert [field for field, _ in refused.value.problems] == ["terms"]


@pytest.mark.django_db
@pytest.mark.parametrize("language", LANGUAGES)
def test_where_two_play_nobody_is_told_of_a_pair_or_a_partner(
    client: Client, language: str
) -> None:
    table = services.open_table(
        profile=load_profile("buraco-aberto"), holders=("bot:sensible",) * 2, by="test"
    )
    page = client.get(f"/tables/{table.public_id}/", headers={"accept-language": language})
    said = "\n".join(phrases_on(page.content).values())
    assert not re.search(r"parej|compañer|coppi|compagn|dupla|parceir|partner|pair", said)
    with translation.override(language):
        four = "\n".join(spoken_phrases().values())
    assert re.search(r"compañer|compagn|parceir|partner", four)
