"""`manage.py simulate`: bots play whole matches, with no database and in simulated time.

The same options give the same standard output and the same records, byte for byte; what depends on
this machine (progress, speed) goes to standard error.
"""

import json
import re
import sys
import time
import tomllib
from argparse import ArgumentParser, ArgumentTypeError
from collections import Counter
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from games.bots.players import PLAYERS
from games.bots.simulation import Simulation, SimulationError
from games.rules import events as ev
from games.rules.match import MatchError
from games.rules.profile import FOUNDING, Profile, ProfileError, load_profile, parse_profile
from games.rules.record import Fact, write_record

MOST_DEALS = 1_000_000
BAD_INPUT = 2
_SEED = re.compile(r"[A-Za-z0-9_-]{1,64}")


class Command(BaseCommand):
    help = "Lets bots play and sums up how it went; with --out, writes a record of each match."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--profile", required=True, help=f"{', '.join(FOUNDING)}, or a TOML or JSON file"
        )
        parser.add_argument("--seats", type=int, default=4, help="4 (default) or 2")
        parser.add_argument("--deals", type=int, default=1, help="how many in all (default 1)")
        parser.add_argument("--seed", default="1", help="letters, digits, - and _ (default 1)")
        parser.add_argument("--bots", choices=sorted(PLAYERS), default="sensible")
        parser.add_argument("--out", type=folder, help="a folder for the records")

    def handle(
        self,
        *args: Any,
        profile: str,
        seats: int,
        deals: int,
        seed: str,
        bots: str,
        out: Path | None,
        **options: Any,
    ) -> None:
        rules = read_profile(profile)
        if not 1 <= deals <= MOST_DEALS:
            raise refused("deals-unsound", f"--deals is from 1 to {MOST_DEALS}, not {deals}.")
        if not _SEED.fullmatch(seed):
            raise refused("seed-unsound", "--seed has 1 to 64 letters, digits, hyphens or _.")
        if out is not None:
            make_folder(out)
        tally = Tally()
        started = time.perf_counter()
        console = Console(file=sys.stderr)
        with progress_bar(console) as bar:
            task = bar.add_task("Playing", total=deals)
            while tally.deals < deals:
                number = tally.matches
                try:
                    played = Simulation(
                        rules,
                        [PLAYERS[bots]] * seats,
                        seed=seed,
                        number=number,
                        deals=deals - tally.deals,
                    )
                    facts = []
                    for fact in played.facts():
                        facts.append(fact)
                        bar.update(task, advance=isinstance(fact.event, ev.DealEnded))
                except MatchError as fault:
                    raise refused(fault.code, f"{fault}.") from None
                except SimulationError as fault:
                    raise CommandError(f"Match {number}: {fault}. [{fault.code}]") from None
                tally.add(played, facts)
                if out is not None:
                    write(out, f"{rules.id}-{seats}-{seed}-{number:06d}", facts)
        self.stdout.write(f"{'profile':<10}{rules.id}, {seats} seats")
        self.stdout.write(f"{'players':<10}{bots}, seed {seed}")
        for line in tally.lines():
            self.stdout.write(line)
        speed = tally.moves / (time.perf_counter() - started)
        self.stderr.write(f"{speed:,.0f} moves/s")
        if out is not None:
            self.stderr.write(f"{tally.matches} records in {out}")
        if tally.refusals:
            raise CommandError(f"{tally.refusals} moves were refused. [moves-refused]")


class Tally:
    """What the matches come to."""

    def __init__(self) -> None:
        self.matches = self.deals = self.moves = self.refusals = 0
        self.ended: Counter[str] = Counter()
        self.points: Counter[str] = Counter()

    def add(self, played: Simulation, facts: list[Fact]) -> None:
        self.matches += 1
        self.deals += played.game.deal_number
        self.moves += played.moves
        self.refusals += played.refusals
        for _, _, event in facts:
            if isinstance(event, ev.DealEnded):
                self.ended[event.reason] += 1
            elif isinstance(event, ev.DealScored):
                for sheet in event.sheets:
                    self.points["total"] += sheet.total
                    for line in sheet.lines:
                        self.points[line.code] += line.points

    def lines(self) -> list[str]:
        """The summary: a name and a figure a line."""
        figures = {
            "matches": self.matches,
            "deals": self.deals,
            "moves": self.moves,
            "refusals": self.refusals,
        }
        ended = ", ".join(f"{reason} {count}" for reason, count in sorted(self.ended.items()))
        points = sorted(self.points.items(), key=lambda item: (item[0] == "total", -item[1]))
        return [
            *(f"{name:<10}{figure}" for name, figure in figures.items()),
            f"{'ended':<10}{ended}",
            "points",
            *(f"  {code:<8}{count:>12}" for code, count in points),
        ]


def read_profile(given: str) -> Profile:
    """A founding profile, or one from a file. Raises `CommandError`."""
    if given in FOUNDING:
        return load_profile(given)
    path = Path(given)
    if path.suffix not in {".toml", ".json"}:
        known = ", ".join(FOUNDING)
        raise refused("profile-unknown", f"There is no profile {given!r}. There are: {known}.")
    try:
        text = path.read_text(encoding="utf-8")
        plain = tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)
        return parse_profile(plain)
    except OSError as fault:
        raise refused("profile-unreadable", f"{given}: {fault.strerror}.") from None
    except ProfileError as fault:
        raise refused(fault.code, f"{given}: {fault}.") from None
    except (ValueError, RecursionError) as fault:
        raise refused("profile-unreadable", f"{given}: {fault}.") from None


def refused(code: str, text: str) -> CommandError:
    """Options that cannot be carried out."""
    return CommandError(f"{text} [{code}]", returncode=BAD_INPUT)


def folder(text: str) -> Path:
    """A folder's name; an empty one would be the present folder, which nobody means."""
    if not text:
        raise ArgumentTypeError("a folder needs a name")
    return Path(text)


def make_folder(out: Path) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise refused("out-unusable", f"{out}: {fault.strerror}.") from None


def write(out: Path, game: str, facts: list[Fact]) -> None:
    try:
        (out / f"{game}.jsonl").write_bytes(b"".join(write_record(game, facts)))
    except OSError as fault:
        raise refused("out-unusable", f"{out}: {fault.strerror}.") from None


def progress_bar(console: Console) -> Progress:
    """A bar on a terminal, nothing elsewhere."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("deals"),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
