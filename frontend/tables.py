"""Tables as pages show them: summaries from `games.tables` with the names of people and clubs.

Reads selectors only. Here alone games and tournaments meet: the games know opaque references, and
a reference that nobody has any more is shown as the number of its seat.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from frontend.phrases import PHRASES
from games.tables import selectors as games
from games.tables.holders import is_bot, person_of
from games.tables.outcomes import TableError
from games.tables.selectors import TableSummary
from tournaments.selectors import club_names, names_of


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
    deal: int
    over: bool
    finished_deals: tuple[int, ...]
    revealed: bool

    @property
    def title(self) -> str:
        """One line that tells it from other tables."""
        return " · ".join(part for part in (self.label, self.profile, self.club) if part)


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
    clubs = club_names([summary.club] if summary.club is not None else [])
    return TablePage(
        public_id=summary.public_id,
        profile=summary.profile_name,
        terms=summary.terms,
        label=summary.label,
        club=clubs.get(summary.club, "") if summary.club is not None else "",
        seats=summary.seats,
        names=tuple(shown_names(summary.holders)),
        deal=summary.deal,
        over=summary.status == "over",
        finished_deals=summary.ended_deals,
        revealed=summary.revealed,
    )


def shown_names(holders: Sequence[str]) -> list[str]:
    """What those on the seats are called, in their order."""
    people = names_behind(holders)
    return [called(holder, seat, people) for seat, holder in enumerate(holders)]


def names_behind(holders: Iterable[str]) -> dict[str, str]:
    """The names of those who hold seats, or for whom bots do, by their opaque references."""
    return names_of(map(person_of, holders))


def called(holder: str, seat: int, people: Mapping[str, str]) -> str:
    """What the holder of a seat is called, by the names of `people`."""
    if name := people.get(person_of(holder)):
        return name
    return nameless(seat, bot=is_bot(holder))


def nameless(seat: int, *, bot: bool) -> str:
    """What the holder of a seat is called whose name nobody knows."""
    return str(PHRASES["seat.bot" if bot else "seat.unnamed"]).format(number=seat + 1)
