"""The rules desk: each kind of malformed line gets a clear error and does not stop the rest."""

import json
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from games.rules.positions import answer_line
from games.rules.profile import FOUNDING, ProfileError, load_profile, parse_profile
from games.rules.profile import profile_to_builtins as plain

ROOT = Path(__file__).parents[3]


def line(profile="buraco-aberto", *, seats=4, moves=(), position=None, **rest):
    shown = {"turn": 0, "step": "play", "hands": [["9H", "TH", "JH", "KC", "4C"], ["3C"], [], []]}
    shown |= position or {}
    asked = {"id": "x", "profile": profile, "seats": seats, "position": shown, "moves": list(moves)}
    return asked | rest


def ruling(asked):
    return json.loads(answer_line(json.dumps(asked).encode()))


LAY = {"seat": 0, "move": "meld", "place": [{"cards": ["9H", "TH", "JH"]}]}


def lay(**placement):
    return {"seat": 0, "move": "meld", "place": [{"cards": ["9H", "TH", "JH"]} | placement]}


def test_a_sound_line_is_answered():
    answered = ruling(line(moves=[LAY]))
    assert answered["outcome"] == "ok"
    assert answered["position"]["melds"] == [[["9H", "TH", "JH"]], []]
    assert answered["ended"] is answered["sheets"] is answered["match"] is None


def test_a_decided_case_is_put_to_the_desk_with_all_its_fields():
    case = line(moves=[LAY], clause="S0-20", expect={"outcome": "ok"}, note="three in a row")
    assert ruling(case)["outcome"] == "ok"


def without(field):
    asked = line()
    del asked[field]
    return asked


def without_in_position(field):
    asked = line()
    del asked["position"][field]
    return asked


UNSOUND = {
    "no profile": (without("profile"), "profile"),
    "no position": (without("position"), "position"),
    "no seats": (without("seats"), "seats"),
    "no turn": (without_in_position("turn"), "turn"),
    "no hands": (without_in_position("hands"), "hands"),
    "no step": (without_in_position("step"), "step"),
    "an unknown profile": (line("buraco-cubano"), "buraco-cubano"),
    "a profile that is a number": (line(7), "profile"),
    "three seats": (line(seats=3), "3 seats"),
    "hands of two for four": (line(position={"hands": [["3C"], ["4C"]]}), "hands"),
    "a seat that is not there": (line(position={"turn": 4}), "turn"),
    "a negative seat": (line(position={"turn": -1}), "turn"),
    "a seat that is not there in a move": (line(moves=[{"seat": 4, "move": "draw"}]), "seat 4"),
    "a negative seat in a move": (line(moves=[{"seat": -1, "move": "draw"}]), "seat -1"),
    "a dealer that is not there": (line(position={"dealer": 9}), "dealer"),
    "an unknown step": (line(position={"step": "think"}), "step"),
    "an unknown field": (line(position={"trumps": "S"}), "trumps"),
    "an unknown field of the line": (line(scores="now"), "scores"),
    "an unknown field of a move": (line(moves=[LAY | {"loud": True}]), "loud"),
    "an unknown move": (line(moves=[{"seat": 0, "move": "pass"}]), "pass"),
    "a move without a name": (line(moves=[{"seat": 0}]), "move"),
    "a move that is no object": (line(moves=["draw"]), "moves[0]"),
    "moves that are no list": (line() | {"moves": {"seat": 0}}, "moves"),
    "a discard without a card": (line(moves=[{"seat": 0, "move": "discard"}]), "card"),
    "an unknown card": (line(position={"pile": ["1S"]}), "1S"),
    "an unknown card in a meld": (line(position={"melds": [[["3S", "4S", "5X"]], []]}), "5X"),
    "an unknown card in a move": (line(moves=[{"seat": 0, "move": "discard", "card": "1S"}]), "1S"),
    "an unknown card in a layout": (line(moves=[lay(layout=["9H", "TH", "ZZ"])]), "ZZ"),
    "a card as a list": (line(position={"pile": [["9", "S"]]}), "pile"),
    "three of a card": (line(position={"stock": ["9S", "9S", "9S"]}), "3 of 9S"),
    "three of a card here and there": (line(position={"pile": ["9H"], "stock": ["9H"]}), "3 of 9H"),
    "five jokers": (line(position={"stock": ["JK"] * 5}), "5 of JK"),
    "three reserves": (line(position={"reserves": [["3S"], ["4S"], ["5S"]]}), "reserves"),
    "melds of one side": (line(position={"melds": [[]]}), "melds"),
    "a meld of two": (line(position={"melds": [[["3S", "4S"]], []]}), "meld 0 of side 0"),
    "a meld with a gap": (line(position={"melds": [[], [["3S", "4S", "6S"]]]}), "side 1"),
    "a meld out of order": (line(position={"melds": [[["5S", "4S", "3S"]], []]}), "meld 0"),
    "a meld with two wilds": (line(position={"melds": [[["JK", "4S", "JK"]], []]}), "meld 0"),
    "a set where there are none": (line(position={"melds": [[["7S", "7H", "7D"]], []]}), "meld 0"),
    "a run laid at once in six": (
        line(position={"melds": [[{"cards": ["3S", "4S", "5S"], "at_once": 6}], []]}),
        "at_once",
    ),
    "a run longer than its cards": (
        line(position={"melds": [[{"cards": ["3S", "4S", "5S"], "at_once": 13}], []]}),
        "at_once",
    ),
    "taken of three sides": (line(position={"taken": [True, False, True]}), "taken"),
    "waiting of two seats": (line(position={"waiting": [True, False]}), "waiting"),
    "totals of one side": (line(position={"totals": [0]}), "totals"),
    "a total that is not whole": (line(position={"totals": [0.5, 0]}), "totals"),
    "a float": (line(position={"turn": 0.0}), "turn"),
    "a number as text": (line(position={"turn": "0"}), "turn"),
    "a truth as a number": (line(position={"first_turn": 1}), "first_turn"),
    "nothing for a list": (line(position={"pile": None}), "pile"),
    "a single pile before the draw": (
        line(position={"step": "draw", "pile_single": {"card": "9H", "held_before": False}}),
        "pile_single",
    ),
    "an unknown card as single pile": (
        line(position={"pile_single": {"card": "0H", "held_before": False}}),
        "0H",
    ),
    "using with a free pile": (
        line(moves=[{"seat": 0, "move": "take", "using": [{"cards": ["9H"]}]}]),
        "using",
    ),
    "two usings": (
        line(
            "buraco-fechado-stbl",
            moves=[{"seat": 0, "move": "take", "using": [{"cards": ["9H"]}, {"cards": ["TH"]}]}],
        ),
        "using",
    ),
    "no placement": (line(moves=[{"seat": 0, "move": "meld", "place": []}]), "place"),
    "no cards": (line(moves=[lay(cards=[])]), "cards"),
    "a layout and an end": (line(moves=[lay(layout=["9H"], wild="low")]), "layout"),
    "an end that is none": (line(moves=[lay(wild="middle")]), "wild"),
    "a score for later": (line(score="later"), "score"),
    "a later move that is malformed": (line(moves=[LAY, {"seat": 0, "move": "fly"}]), "fly"),
}


@pytest.mark.parametrize("kind", UNSOUND)
def test_an_unsound_line_is_answered_with_what_is_wrong(kind):
    asked, named = UNSOUND[kind]
    answered = ruling(asked)
    assert answered["outcome"] == "error", answered
    assert answered["id"] == "x"
    assert named in answered["reason"]
    assert set(answered) == {"id", "outcome", "reason"}


def test_an_empty_using_is_none():
    take = {"seat": 0, "move": "take", "using": []}
    assert ruling(line(moves=[take], position={"step": "draw", "pile": ["9C"]}))["outcome"] == "ok"
    closed = line("buraco-fechado-stbl", moves=[take], position={"step": "draw", "pile": ["9C"]})
    assert ruling(closed)["code"] == "pile-needs-use"


def test_109_cards_are_too_many_of_one():
    pack = [rank + suit for rank in "A23456789TJQK" for suit in "SHDC"] * 2 + ["JK"] * 4
    for extra in ("JK", "9S"):
        asked = line(position={"hands": [[], [], [], []], "stock": [*pack, extra]})
        assert f"of {extra}" in ruling(asked)["reason"]
    assert ruling(line(position={"hands": [[], [], [], []], "stock": pack}))["outcome"] == "ok"


NO_JSON = {
    "an empty object": b"{}",
    "a list": b"[]",
    "a number": b"7",
    "nothing": b"null",
    "a torn line": b'{"id": "x", "profile": ',
    "a word": b"hello",
    "two objects": b"{} {}",
    "NUL": b"\x00",
    "NUL inside": b'{"id": "a\x00b"}',
    "no UTF-8": b'{"id": "\xff\xfe"}',
    "UTF-16": '{"id": 1}'.encode("utf-16"),
    "half a surrogate": rb'{"id": "\ud800"}',
    "not a number": b'{"id": NaN}',
    "infinity": b'{"id": 1, "seats": -Infinity}',
    "deep lists": b"[" * 100_000,
    "deep objects": b'{"id":' * 100_000,
    "a deep profile": b'{"id": 1, "profile": ' + b'{"a":' * 50_000 + b"1" + b"}" * 50_000 + b"}",
    "a deep id": b'{"id": ' + b"[" * 50_000 + b"]" * 50_000 + b"}",
    "a huge number": b'{"id": 1, "seats": ' + b"9" * 10_000 + b"}",
}


@pytest.mark.parametrize("kind", NO_JSON)
def test_a_line_that_is_no_line_is_answered(kind):
    answered = json.loads(answer_line(NO_JSON[kind]))
    assert answered["outcome"] == "error"
    assert answered["reason"]


HUGE = {
    "2^63": 2**63,
    "-2^63-1": -(2**63) - 1,
    "1e30": 10**30,
    "1e400": 10**400,
    "1e5000": 10**5000,
}


@pytest.mark.parametrize("number", HUGE.values(), ids=HUGE)
@pytest.mark.parametrize("field", ["turn", "totals", "dealer", "onto", "seat", "seats", "id"])
def test_huge_numbers_are_answered(field, number):
    digits = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        asked = line(moves=[LAY], score="now")
        match field:
            case "onto":
                asked["moves"] = [lay(onto=number)]
            case "seat":
                asked["moves"] = [LAY | {"seat": number}]
            case "seats" | "id":
                asked[field] = number
            case "totals":
                asked["position"]["totals"] = [number, 0]
            case _:
                asked["position"][field] = number
        encoded = json.dumps(asked).encode()
    finally:
        sys.set_int_max_str_digits(digits)
    answered = msgspec.json.decode(answer_line(encoded))
    assert answered["outcome"] in {"ok", "error", "refused"}
    if field in {"turn", "dealer", "seat", "seats"}:
        assert answered["outcome"] == "error"


def test_of_two_equal_keys_the_last_counts():
    twice = json.dumps(line()).replace('"turn": 0', '"turn": 9, "turn": 0')
    assert json.loads(answer_line(twice.encode()))["outcome"] == "ok"
    other = json.dumps(line()).replace('"turn": 0', '"turn": 0, "turn": 9')
    assert json.loads(answer_line(other.encode()))["outcome"] == "error"


def test_the_fields_of_a_decided_case_are_no_fault():
    asked = line(clause="S3-22", expect={"outcome": "ok"}, note="a case")
    assert ruling(asked)["outcome"] == "ok"


def test_bad_lines_do_not_stop_the_command():
    good = json.dumps(line(moves=[LAY])).encode()
    bad = [text for text in NO_JSON.values() if b"\n" not in text]
    bad += [json.dumps(asked).encode() for asked, _ in UNSOUND.values()]
    sent = b"\n".join(part for text in bad for part in (text, good)) + b"\n\n" + good
    run = subprocess.run(
        [sys.executable, "manage.py", "position"],
        cwd=ROOT, input=sent, capture_output=True, check=True,
    )  # fmt: skip
    outcomes = [json.loads(text)["outcome"] for text in run.stdout.splitlines()]
    assert outcomes == ["error", "ok"] * len(bad) + ["ok"]
    assert run.stderr == b""


# A whole profile in place of its name


def test_a_whole_profile_may_be_tried_on_a_position():
    house = plain(load_profile("buraco-aberto")) | {"id": "casa-nostra"}
    house["melds"]["sets"] = True
    hand = {"hands": [["7S", "7H", "7D", "KC", "4C"], [], [], []]}
    move = {"seat": 0, "move": "meld", "place": [{"cards": ["7S", "7H", "7D"]}]}
    assert ruling(line(house, moves=[move], position=hand))["outcome"] == "ok"
    assert ruling(line(moves=[move], position=hand))["code"] == "sets-forbidden"


def misspelt(path, value="gone"):
    profile = plain(load_profile("buraco-aberto"))
    part = profile
    *parents, last = path.split(".")
    for name in parents:
        part = part[name]
    if value == "gone":
        del part[last]
    else:
        part[last] = value
    return profile


TYPOS = {
    "an unknown field": ("deal.jokres", 4, "jokres"),
    "an unknown part": ("trumps", {}, "trumps"),
    "a field left out": ("deal.hand", "gone", "hand"),
    "a part left out": ("scores", "gone", "scores"),
    "a word for a number": ("deal.hand", "eleven", "deal.hand"),
    "a float": ("scores.joker", 20.5, "scores.joker"),
    "an unknown choice": ("turn.pile", "half-open", "turn.pile"),
    "a truth for a number": ("stock.floor", True, "stock.floor"),
    "too many cards dealt": ("deal.hand", 21, "deal.hand"),
    "no stock left": (
        "deal",
        {"hand": 20, "reserve": 14, "jokers": 4, "upcard": False},
        "deal: leaves 0 cards",
    ),
    "a negative hand": ("deal.hand", -1, "deal.hand"),
    "five jokers": ("deal.jokers", 5, "deal.jokers"),
    "a negative floor": ("stock.floor", -1, "stock.floor"),
    "three seats": ("seats", [3], "seats"),
    "no seats": ("seats", [], "seats"),
    "seats twice": ("seats", [4, 4], "seats"),
    "a negative target": ("target", -5, "target"),
    "an id that is no slug": ("id", "Casa Nostra", "id"),
    "no name": ("name", " ", "name"),
    "tiers that fall": (
        "opening.tiers",
        [{"total": 1500, "minimum": 75}, {"total": 1000, "minimum": 90}],
        "opening.tiers",
    ),
    "a tier without a minimum": ("opening.tiers", [{"total": 1500}], "opening.tiers"),
    "a value that is no multiple of five": ("scores.ace", 13, "scores.ace"),
    "a negative charge": ("scores.reserve", -100, "scores.reserve"),
    "a refusal that is none": ("clauses", {"meld-gapp": "S3-22"}, "meld-gapp"),
    "a rejection with an upcard": ("deal.upcard", True, "first_card_may_be_rejected"),
    "sets of ten": ("melds.largest_set", 10, "melds.largest_set"),
}


@pytest.mark.parametrize("typo", TYPOS)
def test_a_profile_with_a_fault_is_refused_with_the_field_named(typo):
    path, value, named = TYPOS[typo]
    with pytest.raises(ProfileError) as refused:
        parse_profile(misspelt(path, value))
    assert any(named in f"{field}: {text}" for field, text in refused.value.problems)
    answered = ruling(line(misspelt(path, value)))
    assert answered["outcome"] == "error"
    assert named in answered["reason"]


def test_all_faults_of_a_profile_are_named_together():
    profile = misspelt("deal.jokers", 5)
    profile["stock"]["floor"] = -1
    profile["id"] = "Casa Nostra"
    with pytest.raises(ProfileError) as refused:
        parse_profile(profile)
    assert {field for field, _ in refused.value.problems} >= {"deal.jokers", "stock.floor", "id"}


@pytest.mark.parametrize("profile_id", FOUNDING)
def test_a_founding_profile_is_the_same_after_a_round_trip(profile_id):
    profile = load_profile(profile_id)
    assert parse_profile(json.loads(json.dumps(plain(profile)))) == profile
