"""All addresses of the site, from the URLconf, and examples of what may stand in their places.

Whoever walks the addresses finds a new page on its first day.
"""

import re
from collections.abc import Iterator

from django.urls import URLPattern, URLResolver, get_resolver

from games.rules.profile import load_profile
from games.tables import invitations
from games.tables.models import Game
from tests.cast import Cast, house_source
from tournaments import services
from tournaments.devices import code_for
from tournaments.models import Membership

# A package's own pages for the administrator of the site.
NOT_OURS = "admin/django_celery_beat/"


def _routes(patterns: list[URLPattern | URLResolver], before: str = "") -> Iterator[str]:
    for pattern in patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _routes(pattern.url_patterns, route)
        elif not route.startswith(NOT_OURS) and "(?P" not in route:
            yield route


ROUTES = sorted(set(_routes(get_resolver().url_patterns)))


def filled(route: str, known: dict[str, str], instead: str | None = None) -> str:
    """The address with what exists in its places, or with `instead`."""

    def value(match: re.Match[str]) -> str:
        if instead is not None:
            return instead
        model = route.split("/")[2 if route.startswith("admin/") else 0]
        return known.get(f"{model}.{match[1]}", known.get(match[1], "1"))

    return "/" + re.sub(r"<(?:\w+:)?(\w+)>", value, route)


def examples(cast: Cast, table: Game) -> dict[str, str]:
    """What there is to ask for, by the model and the name of a place in an address."""
    invited = invitations.invite(
        host=cast.alba.public_id, profile=load_profile("buraco-aberto"), seats=4
    )
    row = services.adopt_rule_profile(club=cast.club, source=house_source())
    membership = Membership.objects.filter(club=cast.club).first()
    assert membership is not None
    return {
        "public_id": table.public_id,
        "sit.public_id": invited.public_id,
        "code": code_for(cast.gina),
        "game.object_id": str(table.pk),
        "user.object_id": str(cast.accounts["carla"].pk),
        "user.id": str(cast.accounts["carla"].pk),
        "club.object_id": str(cast.club.pk),
        "person.object_id": str(cast.carla.pk),
        "membership.object_id": str(membership.pk),
        "pair.object_id": str(cast.pair.pk),
        "ruleprofile.object_id": str(row.pk),
        "profile_id": "buraco-aberto",
        "ruling": "end_match",
    }
