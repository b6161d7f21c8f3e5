"""Event types in all the versions they ever had: their stored names, and the way up to today's.

Pure; imports msgspec alone, so that the store and the rules read events of the past the same way.
Never looks a class up by a Python path: what is stored is a stable name.

A type's first version is stored under its plain name, a later one as `name@2`. The version of a
class is what its upcasters lead to: with a static method `upcast_v1_v2` it is 2, with
`upcast_v2_v3` besides it is 3. An upcaster takes the data of the older version as a mapping and
returns that of the newer one; it is pure and is kept for as long as there are events.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import msgspec

Upcaster = Callable[[dict[str, Any]], dict[str, Any]]

_NAME = re.compile(r"[a-z][a-z0-9_]*")


class Version(NamedTuple):
    """One version of a type: `steps` lead from its data to those of `cls`, none for today's."""

    cls: type[msgspec.Struct]
    steps: tuple[Upcaster, ...]

    def read(self, data: Any) -> msgspec.Struct:
        """The event that these data tell of. Raises `msgspec.ValidationError` if they do not."""
        try:
            for step in self.steps:
                data = step(data)
        except (LookupError, TypeError, ValueError, AttributeError) as fault:
            # Upcasters take what they need without asking whether it is there.
            raise msgspec.ValidationError(
                f"Not data of an older version ({type(fault).__name__}: {fault})"
            ) from None
        return msgspec.convert(data, self.cls)


def versions(types: Mapping[str, type[msgspec.Struct]]) -> dict[str, Version]:
    """Every version of these types by its stored name; of each type today's is the last.

    Raises `ValueError` for a bad name, a gap in the upcasters or a class under two names.
    """
    if len(set(types.values())) < len(types):
        raise ValueError("a class is registered under two names")
    found = {}
    for name, cls in types.items():
        if not _NAME.fullmatch(name):
            raise ValueError(f"event type {name!r}: a name is lower-case words joined by _")
        steps = _steps(name, cls)
        for passed in range(len(steps) + 1):
            stored_name = name if passed == 0 else f"{name}@{passed + 1}"
            found[stored_name] = Version(cls, steps[passed:])
    return found


def present_names(known: Mapping[str, Version]) -> dict[type[msgspec.Struct], str]:
    """What each class is stored as today."""
    return {version.cls: name for name, version in known.items() if not version.steps}


def _steps(name: str, cls: type[msgspec.Struct]) -> tuple[Upcaster, ...]:
    given = [attribute for attribute in dir(cls) if attribute.startswith("upcast_")]
    wanted = [f"upcast_v{v}_v{v + 1}" for v in range(1, len(given) + 1)]
    if sorted(given) != sorted(wanted):
        raise ValueError(
            f"event type {name!r}: the upcasters {', '.join(sorted(given))} of {cls.__name__} "
            f"are not the chain {', '.join(wanted)}"
        )
    return tuple(getattr(cls, step) for step in wanted)
