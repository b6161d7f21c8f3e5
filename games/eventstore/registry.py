"""Event types by their stored names, and how events of past versions are read today.

Imports msgspec alone. Never looks a class up by a Python path: what is stored is a stable name.

A type's first version is stored under its plain name, a later one as `name@2`. The version of a
class is what its upcasters lead to: with a static method `upcast_v1_v2` it is 2, with
`upcast_v2_v3` besides it is 3. An upcaster takes the data of the older version as a mapping and
returns that of the newer one; it is pure and is kept for as long as there are events.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from games.eventstore.chain import NewEvent, StoredEvent, canonical

Upcaster = Callable[[dict[str, Any]], dict[str, Any]]

_NAME = re.compile(r"[a-z][a-z0-9_]*")


class UnknownEventTypeError(LookupError):
    """An event bears a type or a version that this program does not know."""


class EventDataError(ValueError):
    """The data of an event do not fit its type."""


class _Type:
    """One registered type: its class and the way up from every version."""

    def __init__(self, name: str, cls: type[msgspec.Struct]) -> None:
        if not _NAME.fullmatch(name):
            raise ValueError(f"event type {name!r}: a name is lower-case words joined by _")
        steps = [attr for attr in dir(cls) if attr.startswith("upcast_")]
        self.version = len(steps) + 1
        wanted = [f"upcast_v{v}_v{v + 1}" for v in range(1, self.version)]
        if sorted(steps) != sorted(wanted):
            raise ValueError(
                f"event type {name!r}: the upcasters {', '.join(sorted(steps))} of {cls.__name__} "
                f"are not the chain {', '.join(wanted)}"
            )
        self.name = name
        self.cls = cls
        self.upcasters: list[Upcaster] = [getattr(cls, step) for step in wanted]
        self.decode = msgspec.json.Decoder(cls).decode

    def stored_name(self, version: int) -> str:
        return self.name if version == 1 else f"{self.name}@{version}"

    def upcast(self, data: bytes, version: int) -> msgspec.Struct:
        value = msgspec.json.decode(data)
        for step in self.upcasters[version - 1 :]:
            value = step(value)
        return msgspec.convert(value, self.cls)


class Registry:
    """The event types of one kind of stream, all of them: `Registry({"discarded": Discarded})`."""

    def __init__(self, types: Mapping[str, type[msgspec.Struct]]) -> None:
        """Raises `ValueError` for a bad name or a gap in the upcasters."""
        known = [_Type(name, cls) for name, cls in types.items()]
        self._by_class = {type_.cls: type_.stored_name(type_.version) for type_ in known}
        if len(self._by_class) < len(known):
            raise ValueError("a class is registered under two names")
        self._decoders: dict[str, Callable[[bytes], msgspec.Struct]] = {}
        for type_ in known:
            for version in range(1, type_.version):
                self._decoders[type_.stored_name(version)] = _upcasting(type_, version)
            self._decoders[type_.stored_name(type_.version)] = type_.decode

    @property
    def stored_names(self) -> tuple[str, ...]:
        """Every type in every version it ever had, as stored."""
        return tuple(self._decoders)

    def encode(self, event: msgspec.Struct) -> NewEvent:
        """An event ready to append. Raises `UnknownEventTypeError` for a class not registered."""
        try:
            return NewEvent(self._by_class[type(event)], canonical(event))
        except KeyError:
            raise UnknownEventTypeError(
                f"{type(event).__name__} is not a registered event type"
            ) from None

    def decode(self, event: StoredEvent | NewEvent) -> msgspec.Struct:
        """The event as its class is today.

        Raises `UnknownEventTypeError` for a type never registered or a version from the future,
        `EventDataError` if the data do not fit.
        """
        try:
            decoder = self._decoders[event.type]
        except KeyError:
            raise UnknownEventTypeError(
                f"event type {event.type!r} is not known (written by a newer program?)"
            ) from None
        try:
            return decoder(event.data)
        except msgspec.DecodeError as error:
            raise EventDataError(f"event of type {event.type!r}: {error}") from error


def _upcasting(type_: _Type, version: int) -> Callable[[bytes], msgspec.Struct]:
    return lambda data: type_.upcast(data, version)
