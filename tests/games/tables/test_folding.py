"""Folding a stream at once comes to the same as folding it event by event."""

from __future__ import annotations

import msgspec
import pytest

from games.eventstore.chain import EMPTY, StoredEvent, chained
from games.rules import events as ev
from games.tables.folding import Folded, advanced, encoded, fold, start, steps
from tests.bench.facts import Story, story

SECOND = 1_000_000


def recorded(told: Story, *, move_seconds: int) -> list[StoredEvent]:
    """A match of several deals as stored, an event every second, with what happens around play."""
    happened: list[ev.Event] = []
    for number, event in enumerate(told.events):
        if isinstance(event, ev.GameOpened):
            timed = msgspec.structs.replace(event.format, move_seconds=move_seconds)
            event = msgspec.structs.replace(event, format=timed)
        if isinstance(event, ev.DealEnded):
            happened.append(ev.SeatChanged(0, "p111111111", "left"))
            happened.append(ev.Asked(1, "pause"))
        happened.append(event)
        drew = isinstance(told.events[number - 1], ev.CardDrawn)
        if isinstance(event, ev.Melded) and drew:
            happened += [ev.Asked(event.seat, "undo"), ev.UndoGranted(event.seat, ()), event]
        if isinstance(event, ev.DealScored):
            happened.append(ev.Asked(2, "pause"))
        if number % 50 == 49:
            happened += [ev.GamePaused("agreed"), ev.GameResumed("agreed")]
    stored: list[StoredEvent] = []
    for number, event in enumerate(happened):
        head = stored[-1].head if stored else EMPTY
        stored += chained(1, head, [encoded(event)], by="p1", instant=number * SECOND)
    return stored


def one_by_one(folded: Folded, stored: list[StoredEvent]) -> Folded:
    return advanced(folded, steps(folded, stored))


@pytest.mark.parametrize("move_seconds", [0, 1], ids=["untimed", "timed"])
@pytest.mark.parametrize("number", range(4))
def test_passing_over_deals_that_are_gone_changes_nothing(number: int, move_seconds: int) -> None:
    told = story(number, 300)
    stored = recorded(told, move_seconds=move_seconds)
    starts = [index for index, one in enumerate(stored) if one.type == "deal_started"]
    assert len(starts) > 1, "a match of one deal has nothing to pass over"
    beginning = start(1, told.master)
    for cut in (0, 1, 20, starts[1], starts[1] + 3):
        before = one_by_one(beginning, stored[:cut]) if cut else beginning
        for end in (cut + 1, starts[-1], starts[-1] + 1, len(stored)):
            batch = stored[cut:end]
            if batch and cut < end:
                assert fold(before, batch) == one_by_one(before, batch)
