"""What a score table may say."""

import msgspec
import pytest

from scoring.table import Run13, ScoreTable, SemiClean, SemiCleanSets, card_points, table_problems
from tests.scoring.facts import P0, P2, P3, P4

FACES = {
    "joker": ["JK"],
    "two": ["2S", "2D"],
    "ace": ["AC"],
    "high": ["8S", "9H", "TD", "JC", "QS", "KH"],
    "low": ["3S", "4H", "5D", "6C", "7S"],
}


@pytest.mark.parametrize(
    ("table", "values"),
    [
        (P0, {"joker": 30, "two": 20, "ace": 15, "high": 10, "low": 5}),
        (P2, {"joker": 30, "two": 20, "ace": 15, "high": 10, "low": 5}),
        (P3, {"joker": 20, "two": 10, "ace": 15, "high": 10, "low": 5}),
        (P4, {"joker": 50, "two": 10, "ace": 15, "high": 10, "low": 5}),
    ],
    ids=["P0", "P2", "P3", "P4"],
)
def test_each_face_has_its_value(table, values):
    """S0-58, G0-1, S2-20, S3-52, S4-9."""
    for face, cards in FACES.items():
        assert {card_points(table, card) for card in cards} == {values[face]}


@pytest.mark.parametrize("table", [P0, P2, P3, P4], ids=["P0", "P2", "P3", "P4"])
def test_the_founding_tables_are_sound(table):
    assert table_problems(table) == []


@pytest.mark.parametrize(
    ("table", "changes", "fields"),
    [
        pytest.param(P0, {"reserve": -100}, ["reserve"], id="a charge written negative"),
        pytest.param(P0, {"low": -5, "ace": -1}, ["ace", "low"], id="two at once"),
        pytest.param(P0, {"semi": 0}, ["semi"], id="a semi-clean grade without points"),
        pytest.param(
            P2, {"semi_clean_sets": SemiCleanSets.EXACTLY_8}, ["semi"], id="or only for sets"
        ),
        pytest.param(
            P0, {"semi_clean": SemiClean.NONE}, ["semi_clean"], id="points without the grade"
        ),
        pytest.param(
            P2, {"run13_spans": Run13.ACE_TO_KING}, ["run13_spans"], id="a span of no run"
        ),
        pytest.param(
            P2, {"special_runs_at_once": True}, ["special_runs_at_once"], id="no special run"
        ),
        pytest.param(P0, {"dirty": 160}, ["semi"], id="semi-clean below dirty"),
        pytest.param(P2, {"dirty": 201}, ["clean"], id="clean below dirty"),
        pytest.param(P3, {"run14": 400}, ["run14"], id="fourteen below thirteen"),
    ],
)
def test_a_table_that_makes_no_sense_is_refused_with_its_field(table, changes, fields):
    problems = table_problems(msgspec.structs.replace(table, **changes))
    assert [field for field, message in problems] == fields
    assert all(message for field, message in problems)


def test_a_table_is_read_from_plain_data_and_a_typo_is_named():
    plain = msgspec.to_builtins(P4)
    assert plain["run13_spans"] == "ace_to_king"
    assert msgspec.convert(plain, ScoreTable) == P4
    with pytest.raises(msgspec.ValidationError, match="jokers"):
        msgspec.convert(plain | {"jokers": 20}, ScoreTable)
    with pytest.raises(msgspec.ValidationError, match=r"semi_clean"):
        msgspec.convert(plain | {"semi_clean": "run8"}, ScoreTable)
