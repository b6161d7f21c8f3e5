"""Every text speaks all four languages, from the source to the compiled catalogue."""

import re

import pytest
from django.utils import translation

from frontend.phrases import PHRASES
from frontend.terms import WORDS
from frontend.tools import messages

TRANSLATED = [language for language in messages.LANGUAGES if language != "en"]


def catalogue(language: str) -> dict[messages.Key, str]:
    return messages.read(messages.catalogue_path(language).read_text(encoding="utf-8"))


def places(text: str) -> list[str]:
    """What a text leaves to be filled: `{name}` and `%(name)s`."""
    return sorted(re.findall(r"\{\w+\}|%\(\w+\)[sd]", text))


@pytest.mark.parametrize("language", messages.LANGUAGES)
def test_every_text_of_the_source_is_in_the_catalogue_and_nothing_else(language: str) -> None:
    assert set(catalogue(language)) - {("", "")} == set(messages.marked())


@pytest.mark.parametrize("language", TRANSLATED)
def test_no_text_lacks_a_translation(language: str) -> None:
    assert [key for key, text in catalogue(language).items() if not text] == []


@pytest.mark.parametrize("language", messages.LANGUAGES)
def test_a_translation_has_the_places_of_its_text(language: str) -> None:
    entries = catalogue(language)
    assert [key for key, text in entries.items() if places(key.text) != places(text)] == []


@pytest.mark.parametrize("language", messages.LANGUAGES)
def test_what_a_translation_has_in_brackets_is_a_word_that_goes_with_the_rules(
    language: str,
) -> None:
    texts = catalogue(language).values()
    found = {place.lower() for text in texts for place in re.findall(r"\[(.*?)\]", text)}
    assert {"reserve", "canastas"} <= found <= WORDS


@pytest.mark.parametrize("language", messages.LANGUAGES)
def test_the_compiled_catalogue_is_current(language: str) -> None:
    path = messages.catalogue_path(language).with_suffix(".mo")
    assert path.read_bytes() == messages.compiled(catalogue(language))


def test_the_source_is_searched_whole() -> None:
    marked = {text for _, text in messages.marked()}
    assert {"ace", "Live tables", "Deal %(deal)s", "clean"} <= marked
    with translation.override("en"):
        assert {str(text) for text in PHRASES.values()} <= marked


@pytest.mark.parametrize(
    ("language", "familiar"),
    [
        ("es", r"tú|tus?|ti|contigo|has|eres|tienes|puedes|debes|quieres|elige|espera"),
        ("it", r"tu[oaie]|tuoi|ti|hai|puoi|stai|devi|vuoi|siediti|aspetta|riprova"),
    ],
)
def test_readers_are_addressed_politely(language: str, familiar: str) -> None:
    texts = catalogue(language).values()
    assert [text for text in texts if re.search(rf"\b({familiar})\b", text, re.IGNORECASE)] == []
