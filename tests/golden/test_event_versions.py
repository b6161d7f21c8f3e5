"""Every version an event type ever had can be read, for as long as there are events.

`events/KIND/NAME.jsonl` holds data of that stored name, a line each, as they were written; a new
version gets a file, and no file is ever changed or removed. `streams/` holds whole streams.
"""

import json
from collections import Counter
from pathlib import Path

import pytest

from games.eventstore.chain import NewEvent, canonical
from games.eventstore.registry import Registry
from games.rules import events as ev
from games.rules import match
from games.rules.dealing import deal_pack
from games.rules.shuffle import shuffled_pack
from tests.golden.artificial_events import TYPES, BellRung

FOLDER = Path(__file__).parent
REGISTRIES = {"artificial": Registry(TYPES), "games": Registry(ev.BY_NAME)}
FILES = sorted((FOLDER / "events").glob("*/*.jsonl"))


@pytest.mark.parametrize("kind", REGISTRIES)
def test_every_version_of_every_type_has_a_golden_file_and_none_lost_its_type(kind: str) -> None:
    names = {file.stem for file in FILES if file.parent.name == kind}
    known = set(REGISTRIES[kind].stored_names)
    assert known - names == set(), "write what this version looks like into a file of its own"
    assert names - known == set(), "a type that was ever stored stays registered"


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_golden_events_are_read_and_those_of_today_are_written_the_same(file: Path) -> None:
    registry = REGISTRIES[file.parent.name]
    lines = file.read_bytes().splitlines()
    assert lines
    for line in lines:
        event = registry.decode(NewEvent(file.stem, line))
        again = registry.encode(event)
        assert registry.decode(again) == event
        if again.type == file.stem:
            assert again.data == line


def test_old_and_new_versions_fold_into_one_state() -> None:
    rung: Counter[str] = Counter()
    for name in ("bell_rung", "bell_rung@2", "bell_rung@3"):
        for line in (FOLDER / f"events/artificial/{name}.jsonl").read_bytes().splitlines():
            event = REGISTRIES["artificial"].decode(NewEvent(name, line))
            assert isinstance(event, BellRung)
            rung[event.by_whom] += event.times
    assert rung == {"p-carla": 1 + 3 + 2, "p-dino": 1}


def test_a_whole_game_of_the_first_version_still_folds_to_its_score() -> None:
    lines = [json.loads(line) for line in (FOLDER / "streams/game-1.jsonl").open()]
    events = [
        REGISTRIES["games"].decode(NewEvent(line["type"], canonical(line["data"])))
        for line in lines
    ]
    seeds = {e.deal: bytes.fromhex(e.seed) for e in events if isinstance(e, ev.SeedRevealed)}
    game = match.opened(events[0])
    for event in events[1:]:
        if isinstance(event, ev.DealStarted):
            event = deal_pack(
                game.profile,
                game.seats,
                shuffled_pack(seeds[event.deal], game.profile.pack),
                deal=event.deal,
                dealer=event.dealer,
                totals=event.totals,
            )
        game = match.evolve(game, event)
    [*_, last] = [event for event in events if isinstance(event, ev.DealScored)]
    assert game.over
    assert game.totals == last.totals
