"""What may be asked of tables: lists, views, the events of a deal, records. Changes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from itertools import chain
from typing import Any, NamedTuple

from django.db.models import DurationField, ExpressionWrapper, F, Prefetch, Q, Value
from django.db.models.functions import Now

from games.eventstore import store
from games.eventstore.chain import GENESIS, StoredEvent, canonical
from games.rules import events as ev
from games.rules.profile import profile_to_builtins
from games.rules.record import header_line
from games.rules.views import (
    ALL,
    PUBLIC,
    audiences,
    public_event,
    seat_audience,
    sheets_so_far,
    view,
)
from games.tables.folding import Folded, Step, decoded, steps, stored_names
from games.tables.loading import (
    beginning,
    load,
    load_at,
    public_fold,
    public_folds,
    stream_of,
)
from games.tables.models import Game, PlayedDeal, Seat
from games.tables.outcomes import TableError

MOST_LISTED = 200
_SEAT_CHANGES = stored_names(ev.SeatChanged)
RECORD_PAGE = 500
"""How many events of a record are in memory at a time."""


class TableSummary(NamedTuple):
    """A table as the public sees it in a list. `turn`: the seat to play, None between deals."""

    public_id: str
    club: int | None
    label: str
    profile_id: str
    profile_name: str
    terms: str
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
    revealed: bool


class LiveBoard(NamedTuple):
    """A table as a wall shows it: its summary and what the public sees of it."""

    summary: TableSummary
    view: dict[str, Any]


def live_tables(*, club: int | None = None) -> list[TableSummary]:
    """The tables at which a match is going on, oldest first; at most `MOST_LISTED`."""
    return [board.summary for board in live_boards(club=club)]


def live_boards(*, club: int | None = None) -> list[LiveBoard]:
    """The same with their cards; a few queries however many they are."""
    rows = list(
        _of_club(_rows().exclude(_seen_over()), club).order_by(
            F("club").asc(nulls_last=True), "opened_at", "pk"
        )[:MOST_LISTED]
    )
    seen = public_folds(row.stream for row in rows)
    return [
        LiveBoard(_summary(row, seen[row.stream]), view_of(row.public_id, seen[row.stream], PUBLIC))
        for row in rows
        if row.stream in seen
    ]


def finished_tables(*, club: int | None = None, most: int = 50) -> list[TableSummary]:
    """The tables whose match is over, newest first."""
    rows = _of_club(_rows().filter(_seen_over()), club).order_by("-ended_at", "-pk")
    return [_summary(row, None) for row in rows[:most]]


def table_summary(public_id: str) -> TableSummary:
    """One table. Raises `TableError` (`no-such-table`)."""
    row = _rows().filter(public_id=public_id).annotate(seen_over=_seen_over()).first()
    if row is None:
        raise TableError("no-such-table", f"there is no table {public_id!r}")
    return _summary(row, None if row.seen_over else public_fold(row.stream))


def current_view(public_id: str, audience: str) -> dict[str, Any]:
    """The table as an audience sees it now, with the `seq` it is of."""
    return view_of(public_id, load(stream_of(public_id)), audience)


def view_of(public_id: str, folded: Folded, audience: str) -> dict[str, Any]:
    """A folded game as an audience sees it."""
    return {"game": public_id, "seq": folded.head.seq, **view(folded.state, audience)}


def is_revealed(folded: Folded) -> bool:
    """The one reveal policy: whether all may see all cards of this game (design.md, section 6).

    `folded` is the game as the public sees it: what it does not know yet is revealed to no one.
    """
    return folded.state.over


def check_audience(folded: Folded, audience: str) -> None:
    """Raises `TableError` unless anyone may look at this game with the eyes of `audience`."""
    if audience not in (PUBLIC, ALL, *map(seat_audience, range(folded.state.seats))):
        raise TableError("no-such-audience", f"this table has no audience {audience!r}")
    if audience != PUBLIC and not is_revealed(folded):
        raise TableError("not-revealed", "hands are shown once the match is over")


class EndedDeal(NamedTuple):
    """A deal that has ended, the `seq` of its first event, of the last before the next deal, and
    of its end."""

    number: int
    first: int
    last: int
    ended: int


class DealEvents(NamedTuple):
    """The events of one deal as an audience sees them, after the one that opened the game.

    Where the score so far changes, an event has it as `sheets`. `holders`: who sat there when the
    deal began. `deals`: all deals that have ended.
    """

    events: list[dict[str, Any]]
    holders: tuple[str, ...]
    deals: list[EndedDeal]
    revealed: bool


def deal_events(public_id: str, deal: int, audience: str = PUBLIC) -> DealEvents:
    """An ended deal, with what followed until the next began. Raises `TableError`."""
    stream = stream_of(public_id)
    seen = public_fold(stream)
    check_audience(seen, audience)
    deals = _ended_deals(stream, seen.head.seq)
    this = _one_of(deals, public_id, deal)
    before, stored = _played(stream, this)
    opening = steps(beginning(stream), store.read_part(stream, 0, 1))
    events = [shown(step, audience) for step in opening]
    so_far = None
    for step in steps(before, stored):
        event = shown(step, audience)
        sheets = sheets_so_far(step.after, audience)
        if sheets != so_far:
            so_far = event["sheets"] = sheets
        events.append(event)
    return DealEvents(events, before.state.holders, deals, is_revealed(seen))


class Sitter(NamedTuple):
    """Who held a seat. `played`: false for who sat down when the deal had ended."""

    seat: int
    holder: str
    played: bool


def sitters(public_id: str, deal: int) -> list[Sitter]:
    """Who held the seats from an ended deal's start to the next, in order. Raises `TableError`."""
    stream = stream_of(public_id)
    this = _one_of(_ended_deals(stream, public_fold(stream).head.seq), public_id, deal)
    before, stored = _played(stream, this)
    first = [Sitter(seat, holder, True) for seat, holder in enumerate(before.state.holders)]
    changes = ((one.seq, decoded(one)) for one in stored if one.type in _SEAT_CHANGES)
    return first + [
        Sitter(event.seat, event.holder, seq < this.ended)
        for seq, event in changes
        if isinstance(event, ev.SeatChanged)
    ]


def _played(stream: int, deal: EndedDeal) -> tuple[Folded, list[StoredEvent]]:
    """The game right before a deal, and the deal's events: of a game known, only those are read."""
    before, *stored = store.read_part(stream, deal.first - 2, deal.last)
    return load_at(stream, before.head), stored


def _one_of(deals: list[EndedDeal], public_id: str, number: int) -> EndedDeal:
    for each in deals:
        if each.number == number:
            return each
    raise TableError("no-such-deal", f"deal {number} of table {public_id!r} has not ended")


def _ended_deals(stream: int, head: int) -> list[EndedDeal]:
    """The deals that have ended by event `head`, each with all that came before the next."""
    rows = list(
        PlayedDeal.objects.filter(game=stream, first_seq__lte=head)
        .order_by("number")
        .values_list("number", "first_seq", "last_seq")
    )
    nexts = [first - 1 for _, first, _ in rows[1:]] + [head]
    return [
        EndedDeal(number, first, until, last)
        for (number, first, last), until in zip(rows, nexts, strict=True)
        if last is not None and last <= head
    ]


def all_steps(stream: int) -> list[Step]:
    """Every event of a game with the game after it."""
    return steps(beginning(stream), store.read(stream))


def heading(step: Step) -> dict[str, Any]:
    """What of an event is the same for every audience."""
    stored = step.stored
    name = ev.TYPE_NAMES[type(step.event)]
    return {"seq": stored.seq, "type": name, "at": stored.at, "by": stored.by}


def shown(step: Step, audience: str) -> dict[str, Any]:
    """An event as an audience may see it, as frames and replays carry it."""
    return heading(step) | {"data": public_event(step.after, step.event, audience)}


def export_record(public_id: str, audience: str = PUBLIC) -> Iterator[bytes]:
    """A game's record (move language, section 7), a line at a time, without line ends.

    Complete once the reveal policy allows it, else what the audience has seen. That has no hashes:
    of an event whose other fields are known a hash tells the one card that is not, by trying all.
    Raises `TableError`, before the first line is asked for.
    """
    stream = stream_of(public_id)
    seen = public_fold(stream)
    if audience not in audiences(seen.state.seats):
        raise TableError("no-such-audience", f"this table has no audience {audience!r}")
    profile = profile_to_builtins(seen.state.profile)
    if is_revealed(seen):
        head = store.head_of(stream)
        first = header_line(public_id, profile, head=head.hash)
        return chain([first], _complete_lines(stream, head.seq))
    known = seen if audience == PUBLIC else load(stream)
    first = header_line(public_id, profile, view=audience)
    return chain([first], _redacted_lines(stream, known.head.seq, audience))


def _complete_lines(stream: int, last: int) -> Iterator[bytes]:
    prev = GENESIS
    for page in _pages(stream, last):
        for stored in page:
            yield stored.line(prev)
            prev = stored.hash


def _redacted_lines(stream: int, last: int, audience: str) -> Iterator[bytes]:
    folded = beginning(stream)
    for page in _pages(stream, last):
        taken = steps(folded, page)
        for step in taken:
            yield canonical(shown(step, audience))
        folded = folded._replace(game=taken[-1].after)


def _pages(stream: int, last: int) -> Iterator[list[StoredEvent]]:
    """The events of a stream up to `last`, a part at a time."""
    for after in range(0, last, RECORD_PAGE):
        yield store.read_part(stream, after, min(last, after + RECORD_PAGE))


def _rows() -> Any:
    return Game.objects.prefetch_related(
        Prefetch("chairs", Seat.objects.order_by("number")),
        Prefetch("played", PlayedDeal.objects.filter(last_seq__isnull=False).order_by("number")),
    )


def _of_club(rows: Any, club: int | None) -> Any:
    return rows if club is None else rows.filter(club=club)


def _seen_over() -> Q:
    """Whether the public has seen the end of the match."""
    delay = ExpressionWrapper(
        F("delay_seconds") * Value(timedelta(seconds=1)), output_field=DurationField()
    )
    return Q(status=Game.Status.OVER, ended_at__lte=Now() - delay)


def _summary(row: Game, seen: Folded | None) -> TableSummary:
    """`seen`: the match as the public sees it, None once that is all of it."""
    played = [(deal.number, deal.last_seq or 0) for deal in row.played.all()]
    whole = TableSummary(
        public_id=row.public_id,
        club=row.club,
        label=row.label,
        profile_id=row.profile_id,
        profile_name=row.profile_name,
        terms=row.terms,
        seats=row.seats,
        target=row.target,
        deals=row.deals,
        holders=tuple(seat.holder for seat in row.chairs.all()),
        status=row.status,
        deal=row.deal_number,
        totals=tuple(row.totals),
        winner=row.winner,
        turn=None,
        stock=None,
        ended_deals=tuple(number for number, _ in played),
        revealed=True,
    )
    if seen is None:
        return whole
    game, deal = seen.state, seen.state.deal
    status = Game.Status.BETWEEN if game.between_deals else Game.Status.PLAYING
    return whole._replace(
        holders=game.holders,
        status=Game.Status.OVER if game.over else status,
        deal=game.deal_number,
        totals=game.totals,
        winner=game.winner,
        turn=None if deal is None or deal.ended else deal.turn,
        stock=None if deal is None else len(deal.stock),
        ended_deals=tuple(number for number, last in played if last <= seen.head.seq),
        revealed=is_revealed(seen),
    )
