"""The demo's club and its tables: eight pairs and bots that play for them under all four profiles.

Goes through the services that a club uses; running it again goes on where the night was.
"""

from __future__ import annotations

from datetime import timedelta
from itertools import cycle, islice

from django.db import transaction

from games.rules.profile import FOUNDING, load_profile
from games.tables.models import Game
from games.tables.selectors import live_tables
from games.tables.services import open_table
from tournaments.models import Club, Pair
from tournaments.selectors import pairs_of
from tournaments.services import create_club, create_pair, enrol_person

CLUB = "circolo-del-pozzetto"
PACE = timedelta(seconds=2)
"""How long a bot takes for a move at speed 1."""
DEALS_WITHOUT_TARGET = 8
"""How many deals a match has where its profile knows no target."""
FEWEST_PAIRS = 8

_FIRST = (
    "Ada", "Bruna", "Cesare", "Delia", "Elio", "Fausta", "Gino", "Irma",
    "Lidia", "Mario", "Nella", "Oreste", "Pia", "Quinto", "Rosa", "Tullio",
)  # fmt: skip
_LAST = ("Conti", "Ferri", "Galli", "Longo", "Marini", "Neri", "Sala", "Vitale")


def prepare_night(*, tables: int, speed: float) -> None:
    """Make sure that the club is there and that `tables` matches are being played."""
    pace = PACE / speed
    with transaction.atomic():
        club = Club.objects.filter(slug=CLUB).first() or create_club(
            name="Circolo del Pozzetto",
            slug=CLUB,
            country="IT",
            language="it",
            time_zone="Europe/Rome",
        )
        pairs = _enough_pairs(club, max(FEWEST_PAIRS, 2 * tables))
    running = Game.objects.filter(club=club.pk).exclude(status=Game.Status.OVER)
    running.update(bot_pace_ms=int(pace / timedelta(milliseconds=1)))
    taken = set(running.values_list("label", flat=True))
    for number in range(1, tables + 1):
        if f"{number}" not in taken:
            _open(club, number, pairs[2 * number - 2], pairs[2 * number - 1], pace)


def progress() -> str:
    """One line: which deal each table is in, and the score."""
    club = Club.objects.get(slug=CLUB)
    # People may have laid tables in the club's name besides, which bear no number.
    numbered = [table for table in live_tables(club=club.pk) if table.label.isdecimal()]
    tables = sorted(numbered, key=lambda table: int(table.label))
    return "   ".join(
        f"table {table.label}: deal {table.deal}, {' – '.join(map(str, table.totals))}"
        for table in tables
    )


def _enough_pairs(club: Club, number: int) -> list[Pair]:
    pairs = list(pairs_of(club).order_by("pk"))
    names = (f"{first} {last}" for last in cycle(_LAST) for first in _FIRST)
    new = iter(islice(names, 2 * len(pairs), 2 * number))
    for one, other in zip(new, new, strict=True):
        pairs.append(
            create_pair(
                club=club,
                one=enrol_person(club=club, display_name=one),
                other=enrol_person(club=club, display_name=other),
            )
        )
    return pairs


def _open(club: Club, number: int, home: Pair, away: Pair, pace: timedelta) -> None:
    profile = load_profile(FOUNDING[(number - 1) % len(FOUNDING)])
    seated = (home.first, away.first, home.second, away.second)
    open_table(
        profile=profile,
        holders=[f"bot:sensible:{person.public_id}" for person in seated],
        by="demo",
        deals=0 if profile.target else DEALS_WITHOUT_TARGET,
        club=club.pk,
        label=f"{number}",
        bot_pace=pace,
    )
