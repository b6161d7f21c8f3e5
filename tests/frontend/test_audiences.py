"""Every address says for whom it is."""

from collections.abc import Iterator

from django.urls import URLPattern, URLResolver, get_resolver

from frontend import urls
from frontend.audience import Audience, audience_of, made_for

# Addresses of other packages, which guard themselves: Django's admin and the API's framework.
GUARDED_ELSEWHERE = ("admin/", "api/", "health/")


def addresses(patterns: list[URLPattern | URLResolver], before: str = "") -> Iterator[URLPattern]:
    for pattern in patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from addresses(pattern.url_patterns, route)
        elif not route.startswith(GUARDED_ELSEWHERE):
            yield pattern


def test_each_address_of_the_site_declares_its_audience() -> None:
    undeclared = [
        str(each.pattern)
        for each in addresses(get_resolver().url_patterns)
        if audience_of(each.callback) is None
    ]
    assert undeclared == []


def test_the_walk_finds_every_page() -> None:
    found = {each.name for each in addresses(get_resolver().url_patterns)}
    assert {each.name for each in urls.urlpatterns} <= found


def test_a_view_that_has_not_declared_is_found_out() -> None:
    def silent() -> None: ...

    assert audience_of(silent) is None
    assert audience_of(made_for(Audience.DIRECTOR)(silent)) is Audience.DIRECTOR
