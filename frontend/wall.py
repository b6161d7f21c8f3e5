"""The wall: all live tables small, as spectators see them, from one snapshot for all who look.

The snapshot is made at most every two seconds whatever the number of browsers, by whichever process
is asked first, and says of each table when it last changed: a browser gets what is new to it. The
list for who has no scripts is of the same snapshot.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.core.cache import cache

from frontend.replay_phrases import wall_phrases
from frontend.tables import is_practice, nameless, names_behind
from games.tables.holders import BOT, is_bot, person_of
from games.tables.selectors import LiveBoard, live_boards
from tournaments.selectors import club_names

FRESH_SECONDS = 2.0
_SNAPSHOT = "wall:snapshot"
_BUILDING = "wall:building"
_LONGEST_BUILD = 10
_KEPT = 3600


@dataclass(frozen=True, slots=True)
class Player:
    name: str
    is_turn: bool


@dataclass(frozen=True, slots=True)
class Side:
    """`players` by seat; `total`: match points without the deal being played."""

    players: tuple[Player, ...]
    total: int


@dataclass(frozen=True, slots=True)
class Listed:
    """A table in the list. `turn_name` is empty between deals."""

    public_id: str
    profile: str
    label: str
    club: str
    sides: tuple[Side, ...]
    deal: int
    turn_name: str
    over: bool


def wall_context() -> dict[str, Any]:
    """What a page with the wall on it is drawn from, with scripts and without: `practice` apart."""
    feed = wall_feed()
    return {
        "tables": [_listed(row) for row in feed["tables"] if not row["practice"]],
        "practice": [_listed(row) for row in feed["tables"] if row["practice"]],
        "wall": feed,
        "phrases": wall_phrases(),
    }


def wall_feed(since: int = 0) -> dict[str, Any]:
    """What has changed after tick `since` (0: everything), and the tables there are, in order."""
    snapshot = _current()
    return {
        "tick": snapshot["tick"],
        "order": list(snapshot["rows"]),
        "tables": [row for changed, row in snapshot["rows"].values() if changed > since],
    }


def _current() -> dict[str, Any]:
    snapshot: dict[str, Any] | None = cache.get(_SNAPSHOT)
    if snapshot and time.time() - snapshot["made"] < FRESH_SECONDS:
        return snapshot
    # One makes it; meanwhile the others show what there was.
    if not cache.add(_BUILDING, 1, _LONGEST_BUILD) and snapshot:
        return snapshot
    try:
        snapshot = _next(snapshot)
        cache.set(_SNAPSHOT, snapshot, _KEPT)
        return snapshot
    finally:
        cache.delete(_BUILDING)


def _next(old: dict[str, Any] | None) -> dict[str, Any]:
    """`rows`: by table, the tick at which it last changed and what there is to show."""
    known = old["rows"] if old else {}
    made = time.time()
    tick = max(int(made * 1000), old["tick"] + 1 if old else 1)
    rows = {}
    for row in _rows(live_boards()):
        changed, before = known.get(row["id"], (0, None))
        rows[row["id"]] = (changed, before) if before == row else (tick, row)
    return {"tick": tick, "made": made, "rows": rows}


def _rows(boards: Sequence[LiveBoard]) -> list[dict[str, Any]]:
    people = names_behind(holder for board in boards for holder in board.summary.holders)
    clubs = club_names(board.summary.club for board in boards if board.summary.club is not None)
    return [_row(board, people, clubs) for board in boards]


def _row(board: LiveBoard, people: dict[str, str], clubs: dict[int, str]) -> dict[str, Any]:
    """`names`: by seat, `bot:` for a nameless bot, which each language calls its own way."""
    summary, view = board
    pile = view.get("pile", {"count": 0, "cards": []})
    return {
        "id": summary.public_id,
        "profile": summary.profile_name,
        "label": summary.label,
        "club": clubs.get(summary.club, "") if summary.club is not None else "",
        "practice": is_practice(summary),
        "seats": summary.seats,
        "names": [
            people.get(person_of(holder), BOT if is_bot(holder) else "")
            for holder in summary.holders
        ],
        "totals": list(summary.totals),
        "deal": summary.deal,
        "turn": summary.turn,
        "over": summary.status == "over",
        "stock": view.get("stock", 0),
        "pile": [pile["count"], pile["cards"][-1] if pile["cards"] else None],
        "taken": view.get("taken", [False, False]),
        "melds": [[_mini(meld) for meld in side] for side in view.get("melds", [[], []])],
    }


def _listed(row: dict[str, Any]) -> Listed:
    """A row in words of the reader's language."""
    names = [
        nameless(seat, bot=name == BOT) if name in ("", BOT) else name
        for seat, name in enumerate(row["names"])
    ]
    totals = row["totals"] or [0, 0]
    sides = tuple(
        Side(
            players=tuple(
                Player(names[seat], seat == row["turn"])
                for seat in range(side, row["seats"], len(totals))
            ),
            total=total,
        )
        for side, total in enumerate(totals)
    )
    return Listed(
        public_id=row["id"],
        profile=row["profile"],
        label=row["label"],
        club=row["club"],
        sides=sides,
        deal=row["deal"],
        turn_name="" if row["turn"] is None else names[row["turn"]],
        over=row["over"],
    )


def _mini(meld: dict[str, Any]) -> list[Any]:
    """A meld as a wall shows it: suit or rank, number of cards, grade."""
    natural = next(card for at, card in enumerate(meld["cards"]) if at != meld["wild"])
    return [natural[0] if meld["set"] else natural[1], len(meld["cards"]), meld["grade"]]
