"""The four founding score tables and a short way to write what lies on a table.

In a meld `*` marks its wild: `run("H", "3 *2 5")`, `run("S", "*2H 4 5 6")`, `kind("7S 7H *JK")`.
"""

from scoring.sheets import HandFacts, MeldFacts, Sheet, SideFacts
from scoring.table import Run13, ScoreTable, SemiClean, UnusedReserve

P0 = ScoreTable(
    joker=30,
    two=20,
    ace=15,
    high=10,
    low=5,
    clean=200,
    semi=150,
    dirty=100,
    closing=100,
    reserve=100,
    semi_clean=SemiClean.RUN7,
)
P2 = ScoreTable(
    joker=30, two=20, ace=15, high=10, low=5, clean=200, dirty=100, closing=100, reserve=100
)
P3 = ScoreTable(
    joker=20,
    two=10,
    ace=15,
    high=10,
    low=5,
    clean=200,
    dirty=100,
    run13=500,
    run14=1000,
    closing=100,
    reserve=100,
    unused_reserve=UnusedReserve.FLAT_ON_RIVAL_CLOSE,
)
P4 = ScoreTable(
    joker=50,
    two=10,
    ace=15,
    high=10,
    low=5,
    clean=200,
    dirty=100,
    run13=500,
    run14=1000,
    closing=100,
    reserve=100,
    run13_spans=Run13.ACE_TO_KING,
    special_runs_at_once=True,
    charge_reserve_if_none_taken=True,
)
A_TO_K = "A 2 3 4 5 6 7 8 9 T J Q K"
TWO_TO_A = "2 3 4 5 6 7 8 9 T J Q K A"
A_TO_A = "A 2 3 4 5 6 7 8 9 T J Q K A"


def run(suit: str, places: str, at_once: int = 0) -> MeldFacts:
    """A sequence, low to high; a bare rank is of the sequence's own suit."""
    cards, wild = _read(places)
    named = tuple(card if len(card) == 2 else card + suit for card in cards)
    return MeldFacts(cards=named, is_set=False, wild=wild, at_once=at_once)


def kind(cards: str) -> MeldFacts:
    """A set."""
    named, wild = _read(cards)
    return MeldFacts(cards=named, is_set=True, wild=wild)


def hand(cards: str = "", *, waiting: bool = False) -> HandFacts:
    return HandFacts(cards=tuple(cards.split()), waiting=waiting)


def side(*parts: MeldFacts | HandFacts, took: bool = True) -> SideFacts:
    """A side with these melds and hands; `took`: it has taken its reserve."""
    return SideFacts(
        melds=tuple(part for part in parts if isinstance(part, MeldFacts)),
        hands=tuple(part for part in parts if isinstance(part, HandFacts)),
        reserve_taken=took,
    )


def points(sheet: Sheet) -> dict[str, int]:
    return {line.code: line.points for line in sheet.lines}


def _read(text: str) -> tuple[tuple[str, ...], int | None]:
    marked = text.split()
    wild = next((index for index, card in enumerate(marked) if card.startswith("*")), None)
    return tuple(card.removeprefix("*") for card in marked), wild
