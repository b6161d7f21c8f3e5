"""Whatever is sent to whatever address, it is answered: nobody gets an error of ours for it.

Walks all addresses, the office's among them, so that a new page is tried from its first day.
"""

import re
from collections.abc import Iterator
from urllib.parse import quote

import pytest
from django.core.cache import cache
from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from games.rules.profile import load_profile
from games.tables import invitations
from games.tables.models import Game
from tests.cast import house_source, make_cast
from tests.frontend.tables import open_table, play
from tournaments import services
from tournaments.models import Membership, User

# A package's own pages for the administrator of the site.
NOT_OURS = "admin/django_celery_beat/"
FIELDS = [
    *("all", "as", "club", "country", "deal", "first", "kind", "language", "name", "next", "o"),
    *("p", "page", "person", "profile", "q", "role", "seats", "second", "seen", "since", "status"),
]
ADMIN_FIELDS = [
    *("_changelist_filters", "_facets", "_popup", "_to_field", "app_label", "e", "field_name"),
    *("model_name", "object_id", "q", "term"),
]
BAD = ["abc", "9" * 40, "9" * 5000, "-1", "²", "\x00", ""]


def routes(patterns: list[URLPattern | URLResolver], before: str = "") -> Iterator[str]:
    for pattern in patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns, route)
        elif not route.startswith(NOT_OURS) and "(?P" not in route:
            yield route


ROUTES = sorted(set(routes(get_resolver().url_patterns)))
TRIED = [
    (route, who)
    for route in ROUTES
    for who in ("alba", "administrator" if route.startswith("admin/") else None)
]


def filled(route: str, known: dict[str, str], instead: str | None = None) -> str:
    """The address with what exists in its places, or with `instead`."""

    def value(match: re.Match[str]) -> str:
        if instead is not None:
            return instead
        model = route.split("/")[2 if route.startswith("admin/") else 0]
        return known.get(f"{model}.{match[1]}", known.get(match[1], "1"))

    return "/" + re.sub(r"<(?:\w+:)?(\w+)>", value, route)


@pytest.fixture
def known(db: None) -> dict[str, str]:
    """What there is to ask for, by the model and the name of a place in an address."""
    cache.clear()
    cast = make_cast()
    table = open_table(cast)
    invited = invitations.invite(
        host=cast.alba.public_id, profile=load_profile("buraco-aberto"), seats=4
    )
    row = services.adopt_rule_profile(club=cast.club, source=house_source())
    membership = Membership.objects.filter(club=cast.club).first()
    assert membership is not None
    return {
        "public_id": table.public_id,
        "sit.public_id": invited.public_id,
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


def names_on(page: HttpResponse) -> set[str]:
    """The fields of a page's forms."""
    if "text/html" not in page.headers.get("Content-Type", ""):
        return set()
    found = set(re.findall(r'name="([\w-]+)"', page.content.decode()))
    return {name for name in found if not name.startswith(("_", "csrf"))}


@pytest.mark.parametrize(("route", "who"), TRIED)
def test_bad_input_is_no_error_of_ours(route: str, who: str | None, known: dict[str, str]) -> None:
    if "events.json" in route or "replay" in route or "embed" in route:
        play(Game.objects.get())
    faults = []
    client = Client(raise_request_exception=False)
    account = User.objects.get(username=who) if who else None

    def tried(method: str, address: str, sent: dict[str, str]) -> HttpResponse:
        if account is not None:
            client.force_login(account)  # some addresses sign out
        answer = getattr(client, method)(address, sent)
        if answer.status_code >= 500:
            faults.append((method, address[:99], {name: text[:9] for name, text in sent.items()}))
        return answer

    sound = filled(route, known)
    fields = names_on(tried("get", sound, {})) | set(FIELDS)
    for bad in BAD:
        wrong = filled(route, known, quote(bad, safe="") or "-")
        for names in (sorted(fields), ADMIN_FIELDS):
            sent = dict.fromkeys(names, bad)
            tried("get", sound, sent)
            tried("post", sound, sent)
        tried("get", wrong, {})
        tried("post", wrong, {})
    assert faults == []
