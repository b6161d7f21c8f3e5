"""Frames: what each audience of a table is sent after a command.

One frame an audience and command; `from` and `to` are the `seq` of its first and last event, so an
audience's frames are gap-free. Rendered once for each audience, never for each socket.
"""

from __future__ import annotations

from typing import Any

import msgspec

from games.eventstore.chain import instant_now, instant_text
from games.rules.views import audiences, public_event, same_for_all
from games.tables.folding import Folded, Step
from games.tables.selectors import heading, shown, view_of

_encode = msgspec.json.Encoder().encode


def clock_fields(folded: Folded, *, behind: int = 0) -> dict[str, Any] | None:
    """The clock as browsers show it, for a table with time limits or a pause; else None.

    `left_ms`: until the seat's time is up at `now`, bank included; null while no time runs.
    `behind`: microseconds by which those who see it are behind the table.
    """
    clock, now = folded.clock, instant_now() - behind
    if clock is None or not (clock.move or folded.state.paused):
        return None
    return {
        "seat": clock.seat,
        "move_ms": clock.move,
        "bank_ms": clock.bank,
        "left_ms": clock.left(now),
        "running_since": instant_text(clock.since) if clock.seat is not None else None,
        "now": instant_text(now),
        "paused": folded.state.paused,
    }


def event_frames(steps: list[Step], clock: dict[str, Any] | None = None) -> dict[str, bytes]:
    """The frame of a command for every audience."""
    seats = steps[0].after.seats
    everyone = audiences(seats)
    parts: dict[str, list[bytes]] = {audience: [] for audience in everyone}
    for step in steps:
        start = _encode(heading(step))[:-1]
        if same_for_all(step.after, step.event):
            data = _encode(public_event(step.after, step.event, everyone[0]))
            shared = start + b',"data":' + data + b"}"
            for audience in everyone:
                parts[audience].append(shared)
        else:
            for audience in everyone:
                data = _encode(public_event(step.after, step.event, audience))
                parts[audience].append(start + b',"data":' + data + b"}")
    head = b'{"t":"events","from":%d,"to":%d,"events":[' % (
        steps[0].stored.seq,
        steps[-1].stored.seq,
    )
    end = b"]}" if clock is None else b'],"clock":' + _encode(clock) + b"}"
    return {audience: head + b",".join(events) + end for audience, events in parts.items()}


def catch_up_frame(steps: list[Step], audience: str, clock: dict[str, Any] | None = None) -> bytes:
    """One frame with several commands, for a browser that was away."""
    events = [shown(step, audience) for step in steps]
    first, last = steps[0].stored.seq, steps[-1].stored.seq
    frame = {"t": "events", "from": first, "to": last, "events": events}
    if clock is not None:
        frame["clock"] = clock
    return _encode(frame)


def snapshot_frame(
    public_id: str, folded: Folded, audience: str, names: list[str], *, behind: int = 0
) -> bytes:
    """The whole table as an audience sees it now, `behind` microseconds late."""
    view: dict[str, Any] = view_of(public_id, folded, audience)
    frame = {"t": "snapshot", "seq": folded.head.seq, "view": view, "names": names}
    if (clock := clock_fields(folded, behind=behind)) is not None:
        frame["clock"] = clock
    return _encode(frame)
