"""Comparisons: our figure and its peers' measured in turn, round by round, and what came of it.

Imports msgspec, rich and the machine's accounts. Knows nothing of what is measured.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from typing import Literal

import msgspec
from rich.table import Table

from tests.bench.machine import load_of_others

Verdict = Literal["met", "short", "not measured", "no goal"]


class MissingPeerError(Exception):
    """A peer cannot be had here; the text says which one and how to get it."""


class Contender(msgspec.Struct, frozen=True):
    """Whoever is measured: `run` measures once and returns the figure.

    `missing`: why this one cannot be measured here, in words. `goal`: what our figure divided by
    this one must be; None where the peer is only looked at.
    """

    name: str
    run: Callable[[], float] | None = None
    goal: float | None = None
    missing: str | None = None


class Comparison(msgspec.Struct, frozen=True):
    """One of our figures. `goal`: what it must be by itself, where it has no peer.

    `smaller`: less is better, so a ratio must not exceed its goal.
    """

    key: str
    title: str
    unit: str
    ours: Contender
    peers: tuple[Contender, ...] = ()
    goal: float | None = None
    smaller: bool = False
    once: bool = False
    """The figure does not vary, so that one round says it all."""


class Measured(msgspec.Struct):
    """What came of one contender. `ratios`: ours to this one, round by round."""

    name: str
    values: list[float] = []
    median: float | None = None
    goal: float | None = None
    ratios: list[float] = []
    ratio: float | None = None
    verdict: Verdict = "no goal"
    missing: str | None = None


class Row(msgspec.Struct):
    """A comparison as measured. `others`: cores that other programs used, before each round."""

    key: str
    title: str
    unit: str
    smaller: bool
    ours: Measured
    peers: list[Measured]
    others: list[float]


class Report(msgspec.Struct):
    """A whole run, as it is written to JSON."""

    at: str
    machine: dict[str, str | int]
    rounds: int
    seconds: float
    rows: list[Row]

    @property
    def short(self) -> list[Row]:
        """The rows with a figure that falls short of its goal."""
        return [r for r in self.rows if any(m.verdict == "short" for m in (r.ours, *r.peers))]


def measure(comparison: Comparison, rounds: int, *, tell: Callable[[str], None]) -> Row:
    """Measure all contenders of a comparison in turn, `rounds` times."""
    contenders = (comparison.ours, *comparison.peers)
    found = [Measured(c.name, goal=c.goal, missing=c.missing) for c in contenders]
    found[0].goal = comparison.goal
    others = []
    for number in range(1 if comparison.once else rounds):
        others.append(load_of_others())
        for contender, one in zip(contenders, found, strict=True):
            if contender.run is None or one.missing is not None:
                continue
            tell(f"{comparison.title}: {contender.name}, round {number + 1}")
            try:
                one.values.append(contender.run())
            except MissingPeerError as fault:
                one.missing = str(fault)
    conclude(found, smaller=comparison.smaller)
    return Row(
        comparison.key,
        comparison.title,
        comparison.unit,
        comparison.smaller,
        found[0],
        found[1:],
        others,
    )


def conclude(found: Sequence[Measured], *, smaller: bool) -> None:
    """Fill in medians, ratios and verdicts; the first is ours.

    A ratio is taken within a round, so that a noisy neighbour hits both sides of it.
    """
    ours = found[0]
    for one in found:
        if one.values:
            one.median = statistics.median(one.values)
        if one is not ours and one.values and ours.values:
            one.ratios = [a / b for a, b in zip(ours.values, one.values, strict=True)]
            one.ratio = statistics.median(one.ratios)
        figure = one.median if one is ours else one.ratio
        if figure is None:
            one.verdict = "not measured"
        elif one.goal is not None:
            reached = figure <= one.goal if smaller else figure >= one.goal
            one.verdict = "met" if reached else "short"


_STYLES = {"met": "green", "short": "bold red", "not measured": "bold yellow", "no goal": "dim"}


def table_of(report: Report) -> Table:
    """The report for people: a line a figure, peers below ours."""
    table = Table(
        title=f"Median of {report.rounds} rounds", title_justify="left", caption_justify="left"
    )
    for heading in ("figure", "who", "median", "spread", "ratio", "goal", "", "others' load"):
        right = heading in ("median", "spread", "ratio", "goal", "others' load")
        table.add_column(heading, justify="right" if right else "left")
    for row in report.rows:
        load = f"{statistics.median(row.others):.1f}" if row.others else ""
        _add(table, row, row.ours, f"{row.title}, {row.unit}", load)
        for peer in row.peers:
            _add(table, row, peer, "", "")
        table.add_section()
    return table


def _add(table: Table, row: Row, one: Measured, title: str, load: str) -> None:
    goal = ""
    if one.goal is not None:
        goal = (
            ("≤ " if row.smaller else "≥ ") + _figure(one.goal) + ("" if one is row.ours else "×")
        )
    table.add_row(
        title,
        one.name,
        _figure(one.median) if one.median is not None else "—",
        _spread(one.values),
        f"{one.ratio:.2f}×" if one.ratio is not None else "",
        goal,
        f"[{_STYLES[one.verdict]}]{'' if one.verdict == 'no goal' else one.verdict}[/]",
        load,
    )


def _figure(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _spread(values: list[float]) -> str:
    """Half of the range, as a part of the median."""
    if len(values) < 2:
        return ""
    return f"±{50 * (max(values) - min(values)) / statistics.median(values):.0f} %"
