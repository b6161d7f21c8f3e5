"""What may be asked of tables: lists, views, the events of a deal, records. Changes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from django.db.models import Prefetch

from games.eventstore import store
from games.eventstore.chain import GENESIS, canonical
from games.rules.profile import profile_to_builtins
from games.rules.record import header_line
from games.rules.views import PUBLIC, public_event, view
from games.tables.folding import Folded, Step, start, steps
from games.tables.loading import load, load_many, stream_of
from games.tables.models import Game, PlayedDeal, Seat, Shuffle
from games.tables.outcomes import TableError
from games.tables.sealing import unseal

MOST_LISTED = 200


class TableSummary(NamedTuple):
    """A table as lists show it. `turn`: the seat to play, None between deals."""

    public_id: str
    club: int | None
    label: str
    profile_id: str
    profile_name: str
    seats: int
    target: int
    deals: int
    holders: tuple[str, ...]
    status: str
    deal: int
    totals: tuple[int, ...]
    winner: int | None
    turn: int | None
    stock: int | None
    ended_deals: tuple[int, ...]


def live_tables(*, club: int | None = None) -> list[TableSummary]:
    """The tables at which a match is going on, oldest first; at most `MOST_LISTED`."""
    rows = _rows().exclude(status=Game.Status.OVER).order_by("opened_at", "pk")
    if club is not None:
        rows = rows.filter(club=club)
    return _summaries(list(rows[:MOST_LISTED]))


def finished_tables(*, club: int | None = None, most: int = 50) -> list[TableSummary]:
    """The tables whose match is over, newest first."""
    rows = _rows().filter(status=Game.Status.OVER).order_by("-ended_at", "-pk")
    if club is not None:
        rows = rows.filter(club=club)
    return _summaries(list(rows[:most]))


def table_summary(public_id: str) -> TableSummary:
    """One table. Raises `TableError` (`no-such-table`)."""
    rows = list(_rows().filter(public_id=public_id))
    if not rows:
        raise TableError("no-such-table", f"there is no table {public_id!r}")
    return _summaries(rows)[0]


def current_view(public_id: str, audience: str) -> dict[str, Any]:
    """The table as an audience sees it now, with the `seq` it is of."""
    return view_of(public_id, load(stream_of(public_id)), audience)


def view_of(public_id: str, folded: Folded, audience: str) -> dict[str, Any]:
    """A folded game as an audience sees it."""
    return {"game": public_id, "seq": folded.head.seq, **view(folded.state, audience)}


def is_revealed(folded: Folded) -> bool:
    """The one reveal policy: whether all may see all cards of this game (design.md, section 6)."""
    return folded.state.over


def public_events(public_id: str, deal: int) -> list[dict[str, Any]]:
    """The events of an ended deal as all may see them. Raises `TableError`."""
    played = (
        PlayedDeal.objects.filter(game__public_id=public_id, number=deal, last_seq__isnull=False)
        .values_list("game_id", "first_seq", "last_seq")
        .first()
    )
    if played is None:
        raise TableError("no-such-deal", f"deal {deal} of table {public_id!r} has not ended")
    stream, first, last = played
    return [
        shown(step, PUBLIC)
        for step in all_steps(stream)
        if step.stored.seq == 1 or first <= step.stored.seq <= (last or 0)
    ]


def all_steps(stream: int) -> list[Step]:
    """Every event of a game with the game after it."""
    sealed = Shuffle.objects.filter(pk=stream).values_list("sealed", flat=True).first()
    if sealed is None:
        raise TableError("no-such-table", f"there is no game with stream {stream}")
    return steps(start(stream, unseal(sealed)), store.read(stream))


def shown(step: Step, audience: str) -> dict[str, Any]:
    """An event as an audience may see it, as frames and replays carry it."""
    stored = step.stored
    return {
        "seq": stored.seq,
        "type": stored.type,
        "at": stored.at,
        "by": stored.by,
        "data": public_event(step.after, step.event, audience),
    }


def export_record(public_id: str, audience: str = PUBLIC) -> Iterator[bytes]:
    """A game's record (move language, section 7), a line at a time, without line ends.

    Complete once the reveal policy allows it, else what the audience has seen. That has no hashes:
    of an event whose other fields are known a hash tells the one card that is not, by trying all.
    """
    found = all_steps(stream_of(public_id))
    game = found[-1].after
    profile = profile_to_builtins(game.profile)
    if not game.over:
        yield header_line(public_id, profile, view=audience)
        for step in found:
            yield canonical(shown(step, audience))
        return
    yield header_line(public_id, profile, head=found[-1].stored.hash)
    prev = GENESIS
    for step in found:
        yield step.stored.line(prev)
        prev = step.stored.hash


def _rows() -> Any:
    return Game.objects.prefetch_related(
        Prefetch("chairs", Seat.objects.order_by("number")),
        Prefetch("played", PlayedDeal.objects.filter(last_seq__isnull=False).order_by("number")),
    )


def _summaries(rows: list[Game]) -> list[TableSummary]:
    live = [row.stream for row in rows if row.status == Game.Status.PLAYING]
    folded = load_many(live)
    found = []
    for row in rows:
        deal = folded[row.stream].state.deal if row.stream in folded else None
        found.append(
            TableSummary(
                public_id=row.public_id,
                club=row.club,
                label=row.label,
                profile_id=row.profile_id,
                profile_name=row.profile_name,
                seats=row.seats,
                target=row.target,
                deals=row.deals,
                holders=tuple(seat.holder for seat in row.chairs.all()),
                status=row.status,
                deal=row.deal_number,
                totals=tuple(row.totals),
                winner=row.winner,
                turn=None if deal is None or deal.ended else deal.turn,
                stock=None if deal is None else len(deal.stock),
                ended_deals=tuple(played.number for played in row.played.all()),
            )
        )
    return found
