"""Types by their stored names; events of past versions read as those of today."""

import msgspec
import pytest

from games.eventstore.chain import NewEvent
from games.eventstore.registry import EventDataError, Registry, UnknownEventTypeError
from tests.golden.artificial_events import TYPES, BellRung, DoorClosed

REGISTRY = Registry(TYPES)


def test_a_first_version_is_stored_under_its_plain_name_a_later_one_with_its_number() -> None:
    assert REGISTRY.stored_names == ("bell_rung", "bell_rung@2", "bell_rung@3", "door_closed")
    assert REGISTRY.encode(DoorClosed(2)) == NewEvent("door_closed", b'{"seat":2}')
    assert REGISTRY.encode(BellRung("p-carla", 3)) == NewEvent(
        "bell_rung@3", b'{"by_whom":"p-carla","loud":false,"times":3}'
    )


@pytest.mark.parametrize(
    ("stored", "event"),
    [
        (NewEvent("bell_rung", b'{"who":"p-dino"}'), BellRung("p-dino", 1)),
        (NewEvent("bell_rung@2", b'{"by_whom":"p-dino","count":4}'), BellRung("p-dino", 4)),
        (NewEvent("bell_rung@3", b'{"by_whom":"p-dino","times":4}'), BellRung("p-dino", 4)),
        (NewEvent("door_closed", b'{"seat":2}'), DoorClosed(2)),
    ],
)
def test_every_version_is_read_as_the_class_of_today(
    stored: NewEvent, event: msgspec.Struct
) -> None:
    assert REGISTRY.decode(stored) == event


def test_what_is_encoded_is_decoded_the_same() -> None:
    for event in (BellRung("p-carla", 2, True), DoorClosed(0)):
        assert REGISTRY.decode(REGISTRY.encode(event)) == event


@pytest.mark.parametrize("name", ["window_opened", "bell_rung@1", "bell_rung@4", "", "BellRung"])
def test_a_type_or_version_nobody_registered_raises(name: str) -> None:
    with pytest.raises(UnknownEventTypeError, match="not known"):
        REGISTRY.decode(NewEvent(name, b"{}"))


def test_a_class_nobody_registered_cannot_be_stored() -> None:
    class WindowOpened(msgspec.Struct):
        pass

    with pytest.raises(UnknownEventTypeError, match="WindowOpened"):
        REGISTRY.encode(WindowOpened())


@pytest.mark.parametrize(
    ("type_", "data"),
    [
        ("door_closed", b'{"seat":"two"}'),
        ("door_closed", b"{}"),
        ("door_closed", b'{"seat":2,"card":"QS"}'),
        ("door_closed", b"{"),
        ("bell_rung@2", b'{"by_whom":1,"count":1}'),
    ],
)
def test_data_that_do_not_fit_name_the_type(type_: str, data: bytes) -> None:
    with pytest.raises(EventDataError, match=type_):
        REGISTRY.decode(NewEvent(type_, data))


def test_a_gap_in_the_upcasters_is_refused() -> None:
    class Skipping(msgspec.Struct):
        @staticmethod
        def upcast_v1_v2(data: dict) -> dict:
            return data

        @staticmethod
        def upcast_v3_v4(data: dict) -> dict:
            return data

    with pytest.raises(ValueError, match="upcast_v1_v2, upcast_v3_v4"):
        Registry({"skipping": Skipping})


@pytest.mark.parametrize("name", ["", "Bell", "bell@2", "bell rung", "2bells"])
def test_a_name_that_could_be_taken_for_something_else_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="event type"):
        Registry({name: DoorClosed})


def test_a_class_has_one_name() -> None:
    with pytest.raises(ValueError, match="two names"):
        Registry({"door_closed": DoorClosed, "door_shut": DoorClosed})
