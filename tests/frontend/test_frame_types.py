"""What is sent is what the types say, and the types of the page's scripts are those."""

import json
from typing import get_args

import msgspec
import pytest

from frontend.tools import frame_types
from games.live import schema, schema_events
from games.rules.events import TYPE_NAMES
from games.rules.profile import FOUNDING
from games.rules.views import PUBLIC, seat_audience
from tests.frontend.matches import NAMES, shown


def frames_of(profile: str, seats: int, audience: str) -> list[str]:
    """A match as events and as snapshots, framed as a socket frames them."""
    frames = []
    for step in shown(profile, seats, seed=3, audience=audience):
        event = {"at": "2026-11-30T22:12:01.123456Z", "by": "p1", **step["event"]}
        seq = event["seq"]
        frames.append({"t": "events", "from": seq, "to": seq, "events": [event]})
        view = {"game": "g", "seq": seq, **step["view"]}
        frames.append({"t": "snapshot", "seq": seq, "view": view, "names": NAMES[:seats]})
    return [json.dumps(frame) for frame in frames]


@pytest.mark.parametrize("audience", [PUBLIC, seat_audience(0), seat_audience(1)])
@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("profile", FOUNDING)
def test_every_frame_of_a_match_is_of_its_type(profile: str, seats: int, audience: str) -> None:
    for frame in frames_of(profile, seats, audience):
        schema.read(frame)


def test_every_event_has_a_type() -> None:
    tags = {member.__struct_config__.tag for member in get_args(schema_events.Event)}
    assert tags == set(TYPE_NAMES.values())


def test_a_field_that_no_type_names_is_found_out() -> None:
    event = {"seq": 1, "at": "", "by": "", "type": "card_drawn", "data": {"seat": 1, "from": "KH"}}
    frame = {"t": "events", "from": 1, "to": 1, "events": [event]}
    with pytest.raises(msgspec.ValidationError, match="from"):
        schema.read(json.dumps(frame))


def test_the_types_of_the_scripts_are_current() -> None:
    assert frame_types.TARGET.read_text(encoding="utf-8") == frame_types.declarations()
