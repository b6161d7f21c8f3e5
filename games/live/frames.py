"""Frames: what each audience of a table is sent after a command.

One frame an audience and command; `from` and `to` are the `seq` of its first and last event, so an
audience's frames are gap-free. Rendered once for each audience, never for each socket.
"""

from __future__ import annotations

from typing import Any

import msgspec

from games.rules.views import audiences, public_event, same_for_all
from games.tables.folding import Folded, Step
from games.tables.selectors import view_of

_encode = msgspec.json.Encoder().encode


def event_frames(steps: list[Step]) -> dict[str, bytes]:
    """The frame of a command for every audience."""
    seats = steps[0].after.seats
    everyone = audiences(seats)
    parts: dict[str, list[bytes]] = {audience: [] for audience in everyone}
    for step in steps:
        stored = step.stored
        start = _encode({"seq": stored.seq, "type": stored.type, "at": stored.at, "by": stored.by})[
            :-1
        ]
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
    return {audience: head + b",".join(events) + b"]}" for audience, events in parts.items()}


def catch_up_frame(steps: list[Step], audience: str) -> bytes:
    """One frame with several commands, for a browser that was away."""
    events = [
        {
            "seq": step.stored.seq,
            "type": step.stored.type,
            "at": step.stored.at,
            "by": step.stored.by,
            "data": public_event(step.after, step.event, audience),
        }
        for step in steps
    ]
    first, last = steps[0].stored.seq, steps[-1].stored.seq
    return _encode({"t": "events", "from": first, "to": last, "events": events})


def snapshot_frame(public_id: str, folded: Folded, audience: str, names: list[str]) -> bytes:
    """The whole table as an audience sees it now."""
    shown: dict[str, Any] = view_of(public_id, folded, audience)
    return _encode({"t": "snapshot", "seq": folded.head.seq, "view": shown, "names": names})
