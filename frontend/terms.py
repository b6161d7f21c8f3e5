"""In whose words a table is told: those of its rules, in the reader's language.

Each variant comes from somewhere, and its players call the reserve and the meld of seven by a name
that no other country uses. A phrase holds `[reserve]` or `[Canastas]` where such a word goes; a
translation may leave it out, or have one more. What is the same in every variant (to draw, to go
out) is simply the reader's language. So it is with sides: where two play there are no pairs.
Imports the rules' data and Django's translation only.
"""

import re
from collections.abc import Mapping
from typing import Any

from django.utils.translation import get_language, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from games.rules.profile import Terms

_NAMES: dict[str, dict[str, Any]] = {
    "": {
        "reserve": _("reserve"),
        "reserves": _("reserves"),
        "canasta": _("canasta"),
        "canastas": _("canastas"),
    },
    Terms.MORTO.value: {
        "reserve": pgettext_lazy("morto", "reserve"),
        "reserves": pgettext_lazy("morto", "reserves"),
        "canasta": pgettext_lazy("morto", "canasta"),
        "canastas": pgettext_lazy("morto", "canastas"),
    },
    Terms.POZZETTO.value: {
        "reserve": pgettext_lazy("pozzetto", "reserve"),
        "reserves": pgettext_lazy("pozzetto", "reserves"),
        "canasta": pgettext_lazy("pozzetto", "canasta"),
        "canastas": pgettext_lazy("pozzetto", "canastas"),
    },
    Terms.MUERTO.value: {
        "reserve": pgettext_lazy("muerto", "reserve"),
        "reserves": pgettext_lazy("muerto", "reserves"),
        "canasta": pgettext_lazy("muerto", "canasta"),
        "canastas": pgettext_lazy("muerto", "canastas"),
        "discards": pgettext_lazy("muerto", "discards"),
        "the discards": pgettext_lazy("muerto", "the discards"),
    },
    Terms.POZO.value: {
        "reserve": pgettext_lazy("pozo", "reserve"),
        "reserves": pgettext_lazy("pozo", "reserves"),
        "canasta": pgettext_lazy("pozo", "canasta"),
        "canastas": pgettext_lazy("pozo", "canastas"),
    },
}
_DISCARDS = {"discards": _("discards"), "the discards": _("the discards")}
# A canasta or canastra is feminine, a burraco or buraco masculine, and what is said of it follows.
_FEMININE = {
    "a": pgettext_lazy("feminine", "a"),
    "clean": pgettext_lazy("feminine", "clean"),
    "semi": pgettext_lazy("feminine", "semi-clean"),
    "dirty": pgettext_lazy("feminine", "dirty"),
    "cleans": pgettext_lazy("feminine, several", "clean"),
    "semis": pgettext_lazy("feminine, several", "semi-clean"),
    "dirties": pgettext_lazy("feminine, several", "dirty"),
}
_MASCULINE = {
    "a": pgettext_lazy("masculine", "a"),
    "clean": pgettext_lazy("masculine", "clean"),
    "semi": pgettext_lazy("masculine", "semi-clean"),
    "dirty": pgettext_lazy("masculine", "dirty"),
    "cleans": pgettext_lazy("masculine, several", "clean"),
    "semis": pgettext_lazy("masculine, several", "semi-clean"),
    "dirties": pgettext_lazy("masculine, several", "dirty"),
}
_PAIRS = {
    "your side": pgettext_lazy("four players", "your side"),
    "the other side": pgettext_lazy("four players", "the other side"),
    "your partner": pgettext_lazy("four players", "your partner"),
}
_ALONE = {
    "your side": pgettext_lazy("two players", "your side"),
    "the other side": pgettext_lazy("two players", "the other side"),
    "your partner": pgettext_lazy("two players", "your partner"),
}
_IS_MASCULINE = {Terms.POZZETTO.value, Terms.POZO.value}
_OF_LANGUAGE = {
    "es": Terms.MUERTO.value,
    "it": Terms.POZZETTO.value,
    "pt-br": Terms.MORTO.value,
}
"""Whose words a reader gets where the rules name none; English has its own."""

_PLACE = re.compile(r"\[([a-zA-Z][a-z ]*)\]")
WORDS = frozenset({*_NAMES[""], *_DISCARDS, *_FEMININE, *_PAIRS})
"""What may stand in brackets, in small letters."""


def words_of(terms: str, seats: int = 4) -> dict[str, str]:
    """The words that go with rules of these terms (`Terms`, or empty), in the reader's language."""
    named = terms or _OF_LANGUAGE.get(get_language() or "", "")
    names = _NAMES.get(named, _NAMES[""])
    if not terms:
        # Told in nobody's words, the pile has the name that is understood everywhere.
        names = names | _DISCARDS
    gender = _MASCULINE if named in _IS_MASCULINE else _FEMININE
    sides = _ALONE if seats == 2 else _PAIRS
    return {place: str(word) for place, word in (_DISCARDS | gender | sides | names).items()}


def in_terms(phrases: Mapping[str, Any], terms: str = "", seats: int = 4) -> dict[str, str]:
    """Phrases in the reader's language, with the words of these terms in their places."""
    words = words_of(terms, seats)

    def word(place: re.Match[str]) -> str:
        name = place[1]
        found = words[name.lower()]
        return found[:1].upper() + found[1:] if name[0].isupper() else found

    return {key: _PLACE.sub(word, str(text)) for key, text in phrases.items()}
