"""Every clause of the founding texts is cited by a test, or is about the table's furniture.

A citation is a clause number in the source of a test function: its docstring, its name or its
parameters. This file does not count.
"""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[2]
CLAUSES = {"S0": 69, "S2": 27, "S3": 61, "S4": 39}
GAPS = {"G0": 32, "G2": 17, "G3": 25, "G4": 30}
"""How many numbers each text and its table of open points have."""

FURNITURE = {
    "S0-9": "players draw cards for their seats by hand; here whoever opens the table seats them",
    "S0-10": "ties of that draw",
    "S2-4": "the first dealer is drawn outside the engine and given to it",
}
FURNITURE_GAPS = {
    "G0-26": "rank order in the draw for seats",
    "G0-30": "suit order in the draw for seats",
    "G2-15": "how partners find each other",
    "G3-25": "jokers in other houses' Aberto",
}
CITATION = re.compile(r"\b[SG][0234]-\d+\b")


@cache
def cited() -> frozenset[str]:
    found: set[str] = set()
    for file in TESTS.rglob("test_*.py"):
        if file == Path(__file__):
            continue
        text = file.read_text()
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                decorators = [ast.get_source_segment(text, each) for each in node.decorator_list]
                source = "\n".join(
                    [ast.get_source_segment(text, node) or "", *map(str, decorators)]
                )
                found.update(CITATION.findall(source))
    return frozenset(found)


def numbers(ranges: dict[str, int]) -> set[str]:
    return {f"{text}-{number}" for text, last in ranges.items() for number in range(1, last + 1)}


@pytest.mark.parametrize("text", CLAUSES)
def test_every_clause_is_cited_by_a_test(text):
    missing = numbers({text: CLAUSES[text]}) - cited() - set(FURNITURE)
    assert not missing, f"no test cites {sorted(missing)}"


@pytest.mark.parametrize("text", GAPS)
def test_every_resolution_of_an_open_point_is_cited_by_a_test(text):
    missing = numbers({text: GAPS[text]}) - cited() - set(FURNITURE_GAPS)
    assert not missing, f"no test cites {sorted(missing)}"


def test_no_test_cites_a_clause_that_is_not_there():
    assert cited() <= numbers(CLAUSES | GAPS)


def test_the_table_of_furniture_holds_nothing_that_is_tested():
    assert not (set(FURNITURE) | set(FURNITURE_GAPS)) & cited()
