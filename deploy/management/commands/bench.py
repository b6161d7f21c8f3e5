"""`manage.py bench`: what this costs here, each figure beside its peer in the same run.

What is measured, and how, is in `tests/bench` and docs/benchmarks.md; this only chooses and tells.
"""

import sys
import time
from argparse import ArgumentParser
from contextlib import ExitStack
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
from django.core.management.base import BaseCommand, CommandError
from rich.console import Console

BENCHMARKS = {
    "play": "random play on one core, beside RLCard and OpenSpiel",
    "reading": "400 events read and folded, beside eventsourcing",
    "appends": "committed appends, beside eventsourcing and a bare INSERT",
    "sizes": "bytes an event, beside eventsourcing",
    "moves": "whole moves at 16 tables, beside a textbook stack and boardgame.io",
    "fanout": "one table that many watch, beside boardgame.io and a bare broadcast",
    "desk": "rulings of manage.py position",
    "page": "frames and taps of a player's page in a slow browser",
}
"""The modules of `tests.bench`, in the order in which they run."""
FEWEST_ROUNDS = 5
"""Fewer give a first idea and no median to speak of."""


class Command(BaseCommand):
    requires_system_checks: list[str] = []
    help = (
        "Measure this project beside its peers. For the peers: uv run --group bench manage.py "
        "bench. Names: " + "; ".join(f"{name}: {what}" for name, what in BENCHMARKS.items())
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--only", metavar="NAMES", default="", help="some of the names above, with commas"
        )
        parser.add_argument("--rounds", type=int, default=FEWEST_ROUNDS, help="default 5")
        parser.add_argument(
            "--seconds", type=float, default=1.0, help="of one measurement, about (default 1)"
        )
        parser.add_argument("--json", metavar="FILE", help="write the whole report there, too")

    def handle(self, *args: Any, **options: Any) -> None:
        names = [name for name in options["only"].split(",") if name] or list(BENCHMARKS)
        unknown = sorted(set(names) - set(BENCHMARKS))
        if unknown:
            raise CommandError(
                f"There is no benchmark {', '.join(unknown)}. There are: {', '.join(BENCHMARKS)}."
            )
        rounds, seconds = options["rounds"], options["seconds"]
        if rounds < 1 or seconds <= 0:
            raise CommandError("--rounds must be 1 or more and --seconds above 0.")
        try:
            compare = import_module("tests.bench.compare")
            machine = import_module("tests.bench.machine")
        except ImportError as error:
            raise CommandError(f"The benchmarks are part of a checkout only ({error}).") from None
        report = compare.Report(
            at=datetime.now(UTC).isoformat(timespec="seconds"),
            machine=machine.describe(),
            rounds=rounds,
            seconds=seconds,
            rows=[],
        )
        console = Console(width=None if self.stdout.isatty() else 150)
        for name in names:
            report.rows += self._measured(name, rounds, seconds)
            if options["json"]:
                # Each time, so that a fault in a later one costs nothing of what is known.
                written = msgspec.json.format(msgspec.json.encode(report), indent=1) + b"\n"
                Path(options["json"]).write_bytes(written)
        console.print(compare.table_of(report))
        self._conclude(report)

    def _measured(self, name: str, rounds: int, seconds: float) -> list[Any]:
        compare = import_module("tests.bench.compare")
        benchmark = import_module(f"tests.bench.{name}")
        with ExitStack() as stack, benchmark.comparisons(seconds) as comparisons:
            tell = self._progress(stack)
            return [compare.measure(one, rounds, tell=tell) for one in comparisons]

    def _progress(self, stack: ExitStack) -> Any:
        """A line on a terminal that says what is being measured; nothing elsewhere."""
        if not sys.stderr.isatty():
            return lambda sentence: None
        status = stack.enter_context(Console(stderr=True).status("Measuring…"))
        began = time.monotonic()
        return lambda said: status.update(f"{said} ({time.monotonic() - began:.0f} s)")

    def _conclude(self, report: Any) -> None:
        """What a reader must not overlook: peers that were not there, figures that fall short."""
        missing = {
            f"NOT MEASURED: {one.name}. {one.missing}"
            for row in report.rows
            for one in (row.ours, *row.peers)
            if one.missing
        }
        for sentence in sorted(missing):
            self.stderr.write(self.style.ERROR(sentence))
        if report.rounds < FEWEST_ROUNDS:
            self.stderr.write(f"{report.rounds} rounds are too few for figures to go by.")
        short = [row.title for row in report.short]
        if short:
            self.stdout.write(self.style.WARNING(f"Short of the goal: {'; '.join(short)}."))
        elif not missing:
            self.stdout.write(self.style.SUCCESS("Every goal that was measured is met."))
