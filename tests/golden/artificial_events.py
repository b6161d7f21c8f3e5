"""Event types that no game has: one of three versions, one that never changed."""

from typing import Any

import msgspec


class BellRung(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    by_whom: str
    times: int
    loud: bool = False

    @staticmethod
    def upcast_v1_v2(data: dict[str, Any]) -> dict[str, Any]:
        """One ring was all there was; the field got a clearer name."""
        return {"by_whom": data["who"], "count": 1}

    @staticmethod
    def upcast_v2_v3(data: dict[str, Any]) -> dict[str, Any]:
        return {"by_whom": data["by_whom"], "times": data["count"]}


class DoorClosed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    seat: int


TYPES: dict[str, type[msgspec.Struct]] = {"bell_rung": BellRung, "door_closed": DoorClosed}
