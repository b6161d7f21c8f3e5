"""The decided cases of `tests/golden/vectors` hold, through the command and through the engine."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from games.rules.cards import WILDS
from games.rules.positions import answer_line

ROOT = Path(__file__).parents[3]
FILES = sorted((ROOT / "tests/golden/vectors").glob("*.jsonl"))
CASES = {
    case["id"]: case for file in FILES for case in map(json.loads, file.read_text().splitlines())
}


def same_meld(one: list[str], other: list[str]) -> bool:
    """Equal layouts; the naturals of a set compare in any order, its wild lies last."""
    if one == other:
        return True
    ranks = {card[0] for card in one if card not in WILDS}
    is_set = len(ranks) == 1 and len([card for card in one if card not in WILDS]) > 1
    if not is_set or Counter(one) != Counter(other):
        return False
    return one[-1] == other[-1] or not {one[-1], other[-1]} & WILDS


def cards_of(meld: Any) -> list[str]:
    return meld["cards"] if isinstance(meld, dict) else meld


def faults(case: dict[str, Any], ruling: dict[str, Any]) -> list[str]:
    """All that the ruling says otherwise than the case expects."""
    expect = dict(case["expect"])
    found: list[str] = []

    def check(name: str, got: Any) -> None:
        if name in expect and expect.pop(name) != got:
            found.append(f"{name}: {got}")

    assert ruling["id"] == case["id"]
    check("outcome", ruling["outcome"])
    check("code", ruling.get("code"))
    if ruling["outcome"] == "error":
        assert ruling["reason"]
        return found + [f"not checked: {name}" for name in expect]
    position = ruling["position"]
    if ruling["outcome"] == "refused":
        seat = case["moves"][ruling["move"]]["seat"]
        assert ruling["clause"]
        assert ruling["reason"]
    else:
        seat = case["moves"][-1]["seat"] if case.get("moves") else position["turn"]
        check("ended", ruling["ended"] and ruling["ended"]["reason"])
    melds = [cards_of(meld) for meld in position["melds"][seat % 2]]
    expected_melds = expect.pop("melds", melds)
    if len(melds) != len(expected_melds) or not all(map(same_meld, melds, expected_melds)):
        found.append(f"melds: {melds}")
    check("hand", sorted(position["hands"][seat]))
    for name in ("turn", "step", "pile", "taken", "waiting", "first_turn"):
        check(name, position[name])
    check("stock_left", len(position["stock"]))
    check("reserves_left", len(position["reserves"]))
    sheets = ruling.get("sheets")
    if sheets:
        check("totals", [sheet["total"] for sheet in sheets])
        points = [{line["code"]: line["points"] for line in sheet["lines"]} for sheet in sheets]
        expected = expect.pop("lines", [{}, {}])
        for side, lines in enumerate(expected):
            found += [
                f"lines of side {side}: {code} {points[side].get(code, 0)}"
                for code, number in lines.items()
                if points[side].get(code, 0) != number
            ]
        check("winner", ruling["match"]["winner"])
    return found + [f"not checked: {name}" for name in expect]


def test_every_vectors_file_is_here():
    assert [file.stem for file in FILES] == [
        "buraco-aberto",
        "buraco-clasico",
        "buraco-fechado-stbl",
        "burraco-italiano",
    ]
    assert len(CASES) == 133


@pytest.mark.parametrize("name", CASES)
def test_the_engine_rules_as_decided(name):
    case = CASES[name]
    ruling = json.loads(answer_line(json.dumps(case).encode()))
    assert faults(case, ruling) == [], ruling


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_command_rules_as_decided(file):
    run = subprocess.run(
        [sys.executable, "manage.py", "position"],
        cwd=ROOT,
        input=file.read_bytes(),
        capture_output=True,
        check=True,
    )
    rulings = [json.loads(line) for line in run.stdout.splitlines()]
    cases = [json.loads(line) for line in file.read_text().splitlines()]
    assert len(rulings) == len(cases)
    wrong = {case["id"]: faults(case, ruling) for case, ruling in zip(cases, rulings, strict=True)}
    assert {name: found for name, found in wrong.items() if found} == {}


def test_a_vector_that_does_not_hold_is_seen():
    case = {**CASES["p3-01"], "expect": {"outcome": "ok", "melds": [["9H", "TH", "QH"]]}}
    ruling = json.loads(answer_line(json.dumps(case).encode()))
    assert faults(case, ruling) == ["melds: [['9H', 'TH', 'JH']]"]
