"""Every refusal and every fault that a table can answer with is said in the player's words."""

import ast
import re
from pathlib import Path

import pytest
from django.utils import translation

from frontend.phrases import spoken_phrases
from frontend.play_phrases import FAULTS, REFUSALS, TALK
from frontend.terms import in_terms
from games.live import talk
from games.rules.profile import REFUSAL_CODES

GAMES = Path(__file__).parents[2] / "games"
RAISED_TO_SOCKETS = {"TableError", "MessageError", "MatchError", "_answer", "_refuse", "_code"}
# Of opening and seating tables, and of replays: their pages say these, a socket never does.
ELSEWHERE = {
    "already-seated", "deal-not-started", "delay-unsound", "first-dealer-open", "format-unsound",
    "no-such-audience", "not-revealed",
    "invitation-closed", "no-such-deal", "no-such-holder", "no-such-invitation", "nobody-seated",
    "not-invited", "not-the-host", "seat-taken", "seats-free", "seats-not-filled",
    "seats-not-played",
}  # fmt: skip


def codes_raised(path: Path) -> set[str]:
    """The codes with which a module's errors are made."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        first = node.args[0]
        if name in RAISED_TO_SOCKETS and isinstance(first, ast.Constant):
            found.add(str(first.value))
    return {code for code in found if "-" in code}


def test_every_refusal_of_the_rules_has_a_text() -> None:
    assert set(REFUSALS) == REFUSAL_CODES


def test_every_fault_that_a_socket_answers_with_has_a_text() -> None:
    raised = set().union(*(codes_raised(path) for path in GAMES.rglob("*.py")))
    assert {"seat-lost", "too-late-to-undo", "bot-plays", "presets-only"} <= raised
    assert raised - set(FAULTS) - set(REFUSALS) - ELSEWHERE == set()


@pytest.mark.parametrize("language", ["en", "es", "it", "pt-br"])
def test_each_language_has_its_own_text_for_each_refusal(language: str) -> None:
    with translation.override(language):
        said = in_terms(REFUSALS)
        spoken = spoken_phrases()
    assert all(spoken[f"refused.{code}"] == text for code, text in said.items())
    assert len(set(said.values())) == len(said)
    if language != "en":
        with translation.override("en"):
            assert not [code for code, text in in_terms(REFUSALS).items() if text == said[code]]


def test_every_phrase_that_may_be_said_at_a_table_has_words_or_a_picture() -> None:
    module = Path(__file__).parents[2] / "frontend" / "static" / "frontend" / "js" / "talk.js"
    emotes = re.search(r"EMOTES = \{\n(.*?)\n\};", module.read_text(encoding="utf-8"), re.DOTALL)
    assert emotes is not None
    pictures = set(re.findall(r"^  (\w+):", emotes[1], re.MULTILINE))
    assert set(TALK) | pictures == talk.PHRASES
    assert {f"talk.{phrase}" for phrase in talk.PHRASES} <= set(spoken_phrases())
