"""`manage.py simulate` and `record verify`: what they write, and how they answer bad input."""

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games.rules.profile import FOUNDING, load_profile, profile_to_builtins
from games.rules.verification import verify_record

KINDS = [(profile, seats) for profile in FOUNDING for seats in (4, 2)]
ROOT = Path(__file__).resolve().parents[2]


def simulate(**options: Any) -> str:
    out = io.StringIO()
    given = {"profile": "buraco-aberto", "deals": 2, "seed": "7"} | options
    call_command("simulate", stdout=out, stderr=io.StringIO(), **given)
    return out.getvalue()


def records(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def figure(summary: str, name: str) -> int:
    found = re.search(rf"^ *{name} +(-?\d+)$", summary, re.MULTILINE)
    assert found, f"no {name} in {summary}"
    return int(found[1])


@pytest.mark.parametrize("bots", ["random", "sensible"])
@pytest.mark.parametrize(("profile", "seats"), KINDS)
def test_every_match_leaves_a_sound_record(
    profile: str, seats: int, bots: str, tmp_path: Path
) -> None:
    simulate(profile=profile, seats=seats, bots=bots, out=tmp_path)
    assert records(tmp_path)
    for path in tmp_path.iterdir():
        with path.open("rb") as lines:
            assert verify_record(lines) is None


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    once = simulate(deals=6, out=tmp_path / "once")
    again = simulate(deals=6, out=tmp_path / "again")
    assert once == again
    assert records(tmp_path / "once") == records(tmp_path / "again")


def test_another_seed_gives_other_cards(tmp_path: Path) -> None:
    assert simulate(seed="7") != simulate(seed="8")


def test_the_same_seed_gives_the_same_bytes_in_another_process(tmp_path: Path) -> None:
    """Whatever the hash seed of Python is."""
    written = []
    for number in ("1", "2"):
        folder = tmp_path / number
        finished = manage(
            *("simulate", "--profile", "burraco-italiano", "--deals", "2", "--out", str(folder)),
            PYTHONHASHSEED=number,
        )
        assert finished.returncode == 0, finished.stderr
        written.append((finished.stdout, records(folder)))
    assert written[0] == written[1]


def manage(*arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env=os.environ | environment,
    )


def test_exactly_so_many_deals_are_played(tmp_path: Path) -> None:
    for deals in (1, 5):
        assert figure(simulate(deals=deals), "deals") == deals


def test_a_match_that_the_last_deal_cuts_short_is_ended_by_a_ruling(tmp_path: Path) -> None:
    simulate(deals=1, out=tmp_path)
    (text,) = records(tmp_path).values()
    ended = next(line for line in text.splitlines() if b'"game_ended"' in line)
    assert json.loads(ended)["data"]["reason"] == "ruling"


def test_a_single_deal_profile_gives_a_match_for_each_deal(tmp_path: Path) -> None:
    """S4-6: a match is a single deal."""
    summary = simulate(profile="buraco-fechado-stbl", deals=3, out=tmp_path)
    assert figure(summary, "matches") == 3
    assert len(records(tmp_path)) == 3


def test_the_summary_adds_up() -> None:
    summary = simulate(deals=4)
    points = summary.partition("points\n")[2]
    figures = {name: int(value) for name, value in map(str.split, points.splitlines())}
    total = figures.pop("total")
    assert total == sum(figures.values())
    assert figure(summary, "refusals") == 0
    ended = re.search(r"^ended +(.*)$", summary, re.MULTILINE)
    assert ended
    assert sum(map(int, re.findall(r"\d+", ended[1]))) == 4


@pytest.mark.parametrize("suffix", [".json", ".toml"])
def test_a_house_rule_is_read_from_a_file(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"house{suffix}"
    if suffix == ".json":
        plain = profile_to_builtins(load_profile("buraco-aberto")) | {"id": "house"}
        path.write_text(json.dumps(plain))
    else:
        source = ROOT / "games/rules/profiles/buraco-aberto.toml"
        path.write_text(source.read_text().replace('"buraco-aberto"', '"house"', 1))
    assert "house, 4 seats" in simulate(profile=str(path), deals=1)


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"profile": "canasta"}, "profile-unknown"),
        ({"profile": "missing.toml"}, "profile-unreadable"),
        ({"seats": 3}, "seats-not-played"),
        ({"seats": 0}, "seats-not-played"),
        ({"deals": 0}, "deals-unsound"),
        ({"deals": 10_000_000}, "deals-unsound"),
        ({"seed": "../7"}, "seed-unsound"),
        ({"seed": ""}, "seed-unsound"),
        ({"out": Path("/dev/null")}, "out-unusable"),
    ],
)
def test_bad_options_are_refused_in_words(options: dict[str, Any], code: str) -> None:
    with pytest.raises(CommandError) as refused:
        simulate(**options)
    assert f"[{code}]" in str(refused.value)
    assert refused.value.returncode == 2


def test_a_folder_without_a_name_is_refused_and_nothing_is_written_here() -> None:
    with pytest.raises(CommandError, match="a folder needs a name"):
        call_command("simulate", "--profile", "buraco-aberto", "--out", "")


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        ("cut.json", "{", "profile-unreadable"),
        ("cut.toml", "id = ", "profile-unreadable"),
        ("bytes.toml", "\udcff", "profile-unreadable"),
        ("list.json", "[]", "profile-invalid"),
        ("typo.json", '{"id": "typo", "seets": [4]}', "profile-invalid"),
    ],
)
def test_a_profile_file_with_a_fault_is_refused(
    name: str, text: str, code: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(CommandError) as refused:
        simulate(profile=str(path))
    assert f"[{code}]" in str(refused.value)
    assert refused.value.returncode == 2


@pytest.mark.parametrize("arguments", [(), ("--profile", "buraco-aberto", "--seats", "four")])
def test_options_that_are_none_end_with_status_2(arguments: tuple[str, ...]) -> None:
    finished = manage("simulate", *arguments)
    assert finished.returncode == 2
    assert "Traceback" not in finished.stderr


def test_verifying_answers_by_its_exit_status(tmp_path: Path) -> None:
    simulate(deals=1, out=tmp_path)
    (path,) = tmp_path.iterdir()
    sound = manage("record", "verify", str(path))
    assert (sound.returncode, sound.stderr) == (0, "")
    assert "sound" in sound.stdout
    path.write_bytes(path.read_bytes().replace(b'"seat":1', b'"seat":2', 1))
    corrupted = manage("record", "verify", str(path))
    assert corrupted.returncode == 1
    assert re.search(r"line \d+: .*\[hash-differs\]", corrupted.stderr)
    assert "Traceback" not in corrupted.stderr


def test_a_record_that_is_not_there_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(CommandError) as refused:
        call_command("record", "verify", str(tmp_path / "none.jsonl"))
    assert "[file-unreadable]" in str(refused.value)
    assert refused.value.returncode == 2
