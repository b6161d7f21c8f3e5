"""The same facts kept with the `eventsourcing` library, as its documentation would have it.

An aggregate a match, an event class a type with the fields that ours has; its state is a count.
Imported only where the library is installed.
"""

from __future__ import annotations

from typing import Any

import msgspec
from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event
from psycopg.conninfo import conninfo_to_dict

from games.rules import events as ev
from games.tables.folding import sealed


class Match(Aggregate):
    """A match that only counts what happened."""

    @event("Created")
    def __init__(self) -> None:
        self.happened = 0
        self.last = ""


class Happened(Aggregate.Event):
    """What all types have in common: who did it, and how it changes the state."""

    by: str

    def apply(self, aggregate: Any) -> None:
        aggregate.happened += 1
        aggregate.last = type(self).__name__


def _event_class(kind: type[ev.Event]) -> type[Happened]:
    """The library's event with the fields of ours, found again by its dotted path."""
    name = kind.__name__
    made = type(Happened)(
        name,
        (Happened,),
        {
            "__annotations__": dict.fromkeys(kind.__struct_fields__, Any),
            "__module__": __name__,
            "__qualname__": f"Match.{name}",
        },
    )
    setattr(Match, name, made)
    return made


_CLASSES = {kind: _event_class(kind) for kind in ev.TYPE_NAMES}


def trigger(match: Match, fact: ev.Event, by: str) -> None:
    """Let a fact happen; it is saved with the match."""
    if isinstance(fact, ev.DealStarted):
        fact = sealed(fact)
    fields = dict.fromkeys(fact.__struct_fields__) | msgspec.to_builtins(fact)
    match.trigger_event(_CLASSES[type(fact)], by=by, **fields)


def application(conninfo: str, connections: int) -> Application[Any]:
    """The library on the same PostgreSQL."""
    known = conninfo_to_dict(conninfo)
    return Application(
        env={
            "PERSISTENCE_MODULE": "eventsourcing.postgres",
            "POSTGRES_DBNAME": str(known["dbname"]),
            "POSTGRES_HOST": str(known["host"]),
            "POSTGRES_PORT": str(known.get("port") or 5432),
            "POSTGRES_USER": str(known["user"]),
            "POSTGRES_PASSWORD": str(known.get("password") or "-"),
            "POSTGRES_POOL_SIZE": str(max(2, connections)),
            "POSTGRES_MAX_OVERFLOW": "16",
        }
    )
