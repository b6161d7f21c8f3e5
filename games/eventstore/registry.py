"""Event types by their stored names, and how stored events of any version are read today.

Imports msgspec and `games.versions`, which says how a version is named and read.
"""

from collections.abc import Callable, Mapping

import msgspec

from games.eventstore.chain import NewEvent, StoredEvent, canonical
from games.versions import Version, present_names, versions


class UnknownEventTypeError(LookupError):
    """An event bears a type or a version that this program does not know."""


class EventDataError(ValueError):
    """The data of an event do not fit its type."""


class Registry:
    """The event types of one kind of stream, all of them: `Registry({"discarded": Discarded})`."""

    def __init__(self, types: Mapping[str, type[msgspec.Struct]]) -> None:
        """Raises `ValueError` as `versions` does."""
        known = versions(types)
        self._by_class = present_names(known)
        self._decoders = {name: _decoder(version) for name, version in known.items()}

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


def _decoder(version: Version) -> Callable[[bytes], msgspec.Struct]:
    if not version.steps:
        # Straight into the class: this is what every fold does for every event.
        return msgspec.json.Decoder(version.cls).decode
    return lambda data: version.read(msgspec.json.decode(data))
