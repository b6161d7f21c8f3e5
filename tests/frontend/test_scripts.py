"""The page's own modules: their unit tests under Node, and their views beside the server's."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from frontend.phrases import spoken_phrases
from games.rules.events import TYPE_NAMES
from games.rules.profile import FOUNDING
from tests.frontend.matches import NAMES, shown

HERE = Path(__file__).parent / "js"
NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="there is no Node here: uv sync brings one")

# What only the player at the table needs comes with snapshots, and pages do not carry it on.
ONLY_IN_SNAPSHOTS = {"clauses", "format", "first_card", "single", "may_undo", "hidden_own"}


def run_node(*arguments: str, given: str = "") -> str:
    done = subprocess.run(
        [str(NODE), *arguments], input=given, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def fold(steps: list[dict[str, Any]], seats: int, audience: str) -> list[dict[str, Any]]:
    start = {"game": "g", "profile": {}, "seats": seats, "audience": audience}
    events = [step["event"] for step in steps]
    given = {
        "matches": [{"start": start, "names": NAMES[:seats], "events": events}],
        "phrases": spoken_phrases(),
    }
    folded: list[dict[str, Any]] = json.loads(
        run_node(str(HERE / "fold.mjs"), given=json.dumps(given))
    )[0]
    return folded


def test_the_unit_tests_of_the_modules_pass() -> None:
    run_node("--test", *map(str, sorted(HERE.glob("*.test.mjs"))))


@pytest.mark.parametrize("seats", [4, 2])
@pytest.mark.parametrize("profile", FOUNDING)
@pytest.mark.parametrize("audience", ["public", "seat-0", "seat-1", "all"])
def test_a_page_that_follows_the_events_shows_what_the_server_shows(
    profile: str, seats: int, audience: str
) -> None:
    steps = shown(profile, seats, seed=11, audience=audience, deals=2)
    for step, after in zip(steps, fold(steps, seats, audience), strict=True):
        kept = after["view"]
        expected = {k: v for k, v in step["view"].items() if k not in ONLY_IN_SNAPSHOTS}
        # The order within a hand has no meaning (move language, section 4).
        for each in (kept, expected):
            if each.get("hand"):
                each["hand"] = sorted(each["hand"])
            if each.get("all_hands"):
                each["all_hands"] = [sorted(hand) for hand in each["all_hands"]]
        expected["profile"] = kept["profile"]
        assert {name: kept[name] for name in expected} == expected, step["event"]


def test_the_page_knows_every_event_that_the_rules_know() -> None:
    module = HERE.parents[2] / "frontend" / "static" / "frontend" / "js" / "reduce.js"
    script = f"import {{ EVENT_TYPES }} from {json.dumps(str(module))};"
    known = json.loads(
        run_node("--input-type=module", "-e", script + "console.log(JSON.stringify(EVENT_TYPES))")
    )
    assert set(TYPE_NAMES.values()) <= set(known)


def test_every_event_is_told_in_words_that_name_no_unseen_card() -> None:
    steps = shown("burraco-italiano", 4, seed=5, audience="public")
    folded = fold(steps, 4, "public")
    for step, after in zip(steps, folded, strict=True):
        event = step["event"]
        told = [part["card"] for said in after["said"] for part in said if isinstance(part, dict)]
        open_cards = json.dumps(event["data"])
        assert all(f'"{card}"' in open_cards for card in told)
        if event["type"] != "game_opened":
            assert after["said"], event["type"]
