"""Tables as pages show them: summaries from `games.tables` with the names of people and clubs.

Reads selectors only. Here alone games and tournaments meet: the games know opaque references, and
a reference that nobody has any more is shown as the number of its seat.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from frontend.phrases import PHRASES
from games.tables import selectors as games
from games.tables.outcomes import TableError
from games.tables.selectors import TableSummary
from tournaments.selectors import club_names, names_of

BOT = "bot:"


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
class TablePage:
    """A table for a template. `club` is empty for a table of no club; `names` by seat."""

    public_id: str
    profile: str
    terms: str
    label: str
    club: str
    seats: int
    names: tuple[str, ...]
    sides: tuple[Side, ...]
    deal: int
    turn_name: str
    over: bool
    finished_deals: tuple[int, ...]
    revealed: bool
    is_practice: bool

    @property
    def title(self) -> str:
        """One line that tells it from other tables."""
        return " · ".join(part for part in (self.label, self.profile, self.club) if part)


def walls() -> dict[str, list[TablePage]]:
    """The tables where a match is going on, as templates name them: `practice` apart."""
    pages = _pages(games.live_tables())
    return {
        "tables": [page for page in pages if not page.is_practice],
        "practice": [page for page in pages if page.is_practice],
    }


def is_practice(summary: TableSummary) -> bool:
    """Whether no club plays there and at most one person, so that few will want to watch."""
    # `bot:KIND` plays for nobody.
    people = [each for each in summary.holders if each.count(":") != 1]
    return summary.club is None and len(people) < 2


def table_page(public_id: str) -> TablePage | None:
    """One table, live or over; None if there is none of this name."""
    try:
        summary = games.table_summary(public_id)
    except TableError:
        return None
    return _pages([summary])[0]


def shown_names(holders: Sequence[str]) -> list[str]:
    """What those on the seats are called, in their order."""
    people = names_of(map(person_behind, holders))
    return _named(holders, people)


def names_behind(holders: Iterable[str]) -> dict[str, str]:
    """The names of those who hold seats, or for whom bots do, by their opaque references."""
    return names_of(map(person_behind, holders))


def _pages(summaries: Sequence[TableSummary]) -> list[TablePage]:
    people = names_of(person_behind(holder) for summary in summaries for holder in summary.holders)
    clubs = club_names(summary.club for summary in summaries if summary.club is not None)
    return [_page(summary, people, clubs) for summary in summaries]


def _page(summary: TableSummary, people: dict[str, str], clubs: dict[int, str]) -> TablePage:
    names = tuple(_named(summary.holders, people))
    totals = summary.totals or (0, 0)
    sides = tuple(
        Side(
            players=tuple(
                Player(names[seat], seat == summary.turn)
                for seat in range(side, summary.seats, len(totals))
            ),
            total=total,
        )
        for side, total in enumerate(totals)
    )
    return TablePage(
        public_id=summary.public_id,
        profile=summary.profile_name,
        terms=summary.terms,
        label=summary.label,
        club=clubs.get(summary.club, "") if summary.club is not None else "",
        seats=summary.seats,
        names=names,
        sides=sides,
        deal=summary.deal,
        turn_name="" if summary.turn is None else names[summary.turn],
        over=summary.status == "over",
        finished_deals=summary.ended_deals,
        revealed=summary.revealed,
        is_practice=is_practice(summary),
    )


def _named(holders: Sequence[str], people: dict[str, str]) -> list[str]:
    return [called(holder, seat, people) for seat, holder in enumerate(holders)]


def called(holder: str, seat: int, people: Mapping[str, str]) -> str:
    """What the holder of a seat is called, by the names of `people`."""
    if name := people.get(person_behind(holder)):
        return name
    key = "seat.bot" if holder.startswith(BOT) else "seat.unnamed"
    return str(PHRASES[key]).format(number=seat + 1)


def person_behind(holder: str) -> str:
    """The person that a holder is or, for `bot:KIND:p…`, that the bot plays for."""
    return holder.rpartition(":")[2]
