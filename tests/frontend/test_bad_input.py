"""Whatever is sent to whatever address, it is answered: nobody gets an error of ours for it.

Walks all addresses, the office's among them, so that a new page is tried from its first day.
"""

import re
from urllib.parse import quote

import pytest
from django.core.cache import cache
from django.http import HttpResponse
from django.test import Client

from games.tables.models import Game
from tests.cast import make_cast
from tests.frontend.addresses import ROUTES, examples, filled
from tests.frontend.tables import open_table, play
from tournaments.models import User

FIELDS = [
    *("all", "as", "club", "country", "deal", "first", "kind", "language", "name", "next", "o"),
    *("p", "page", "person", "profile", "q", "role", "seats", "second", "seen", "since", "status"),
]
ADMIN_FIELDS = [
    *("_changelist_filters", "_facets", "_popup", "_to_field", "app_label", "e", "field_name"),
    *("model_name", "object_id", "q", "term"),
]
BAD = ["abc", "9" * 40, "9" * 5000, "-1", "²", "\x00", ""]


TRIED = [
    (route, who)
    for route in ROUTES
    for who in ("alba", "administrator" if route.startswith("admin/") else None)
]


@pytest.fixture
def known(db: None) -> dict[str, str]:
    cache.clear()
    cast = make_cast()
    return examples(cast, open_table(cast))


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
