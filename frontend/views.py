"""The pages: a wall of live tables, one table, its replay, and the events behind a replay.

Asks selectors and draws; holds no rules. What comes from them is what a spectator may see.
"""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe
from django.views.i18n import set_language

from frontend.audience import Audience, made_for
from frontend.phrases import spoken_phrases
from frontend.tables import TablePage, events_of_deal, every_live_table, table_page

choose_language = made_for(Audience.EVERYONE)(set_language)


@made_for(Audience.EVERYONE)
@require_safe
def tables(request: HttpRequest) -> HttpResponse:
    """All live tables; asked by htmx, only the part that changes."""
    asked_by_htmx = bool(getattr(request, "htmx", False))
    template = "frontend/_wall.html" if asked_by_htmx else "frontend/tables.html"
    response = render(request, template, {"tables": every_live_table(), "section": "tables"})
    response.headers["Vary"] = "HX-Request, Accept-Language, Cookie"
    return response


@made_for(Audience.EVERYONE)
@require_safe
def table(request: HttpRequest, public_id: str) -> HttpResponse:
    """One table, followed live."""
    page = _page(public_id)
    context = {
        "table": page,
        "socket": f"/ws/tables/{page.public_id}/",
        "names": page.names,
        "phrases": spoken_phrases(),
    }
    return render(request, "frontend/table.html", context)


@made_for(Audience.EVERYONE)
@require_safe
def replay(request: HttpRequest, public_id: str) -> HttpResponse:
    """A finished deal step by step: that of `?deal=N`, else the last one."""
    page = _page(public_id)
    deal = _finished_deal(request, page) if page.finished_deals else None
    context: dict[str, Any] = {"table": page, "deal": deal}
    if deal:
        events = reverse("events", args=[page.public_id])
        context |= {
            "events": f"{events}?deal={deal}",
            "names": page.names,
            "phrases": spoken_phrases(),
        }
    return render(request, "frontend/replay.html", context)


@made_for(Audience.EVERYONE)
@require_safe
def events(request: HttpRequest, public_id: str) -> HttpResponse:
    """The public events of a finished deal, and what is needed to show them."""
    page = _page(public_id)
    deal = _finished_deal(request, page)
    answer = {
        "game": page.public_id,
        "seats": page.seats,
        "deal": deal,
        "events": events_of_deal(page.public_id, deal),
    }
    return JsonResponse(answer)


def _page(public_id: str) -> TablePage:
    page = table_page(public_id)
    if page is None:
        raise Http404("there is no such table")
    return page


def _finished_deal(request: HttpRequest, page: TablePage) -> int:
    """The deal asked for. An unfinished one is as unknown as one that is not a number."""
    asked = request.GET.get("deal")
    if asked is None and page.finished_deals:
        return page.finished_deals[-1]
    for deal in page.finished_deals:
        if asked == str(deal):
            return deal
    raise Http404("this deal is not finished, or not of this table")
