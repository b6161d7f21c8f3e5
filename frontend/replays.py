"""Looking back: the replay of a deal, the events behind it, the record, its proof, and embedding.

Asks selectors and draws; holds no rules. Whose cards are shown is the one reveal policy's to say
(`games.tables.selectors`), asked again on each path.
"""

from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from frontend.audience import Audience, made_for
from frontend.phrases import spoken_phrases
from frontend.replay_phrases import replay_phrases, verify_phrases
from frontend.streaming import streamed
from frontend.tables import TablePage, called, names_behind, table_page
from games.rules.views import ALL, PUBLIC, seat_audience
from games.tables.outcomes import TableError
from games.tables.selectors import Sitter, deal_events, export_record, sitters

STATUS = {"not-revealed": 403, "no-such-audience": 400}
AN_HOUR = 3600


@made_for(Audience.EVERYONE)
@require_safe
def replay(request: HttpRequest, public_id: str) -> HttpResponse:
    """A finished deal step by step: that of `?deal=N`, else the last one."""
    page = page_of(public_id)
    context: dict[str, Any] = {"table": page}
    if page.finished_deals:
        context |= _replayed(request, page)
        context["embed"] = request.build_absolute_uri(reverse("embed", args=[page.public_id]))
    return render(request, "frontend/replay.html", context)


@made_for(Audience.EVERYONE)
@require_safe
def events(request: HttpRequest, public_id: str) -> HttpResponse:
    """The events of a finished deal as `?as=` sees them, and what is needed to show them."""
    page = page_of(public_id)
    deal, eyes = _finished_deal(request, page), request.GET.get("as", PUBLIC)
    try:
        found = deal_events(page.public_id, deal, eyes)
    except TableError as fault:
        answer = {"code": fault.code, "reason": str(fault)}
        return JsonResponse(answer, status=STATUS.get(fault.code, 404))
    response = JsonResponse(
        {
            "game": page.public_id,
            "seats": page.seats,
            "audience": eyes,
            "holders": found.holders,
            "deal": deal,
            "deals": found.deals,
            "revealed": found.revealed,
            "events": found.events,
        }
    )
    # Once the match is over nothing of it changes any more.
    response.headers["Cache-Control"] = f"max-age={AN_HOUR}" if found.revealed else "no-cache"
    return response


@made_for(Audience.EVERYONE)
@require_safe
def record(request: HttpRequest, public_id: str) -> HttpResponseBase:
    """The record to download: complete once revealed, else what spectators have seen."""
    page = page_of(public_id)
    response = streamed(request, export_record(page.public_id), "application/x-ndjson")
    name = f"pozzetto-{page.public_id}.jsonl"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    response.headers["Cache-Control"] = "no-cache"
    return response


@made_for(Audience.EVERYONE)
@require_safe
def verify(request: HttpRequest, public_id: str) -> HttpResponse:
    """The proof of a match's shuffles and record, worked out in the reader's own browser."""
    page = page_of(public_id)
    return render(
        request, "frontend/verify.html", {"table": page, "phrases": verify_phrases(page.terms)}
    )


@made_for(Audience.EVERYONE)
@require_safe
@xframe_options_exempt
def embed(request: HttpRequest, public_id: str) -> HttpResponse:
    """A table for other sites' pages: live, or with `?deal=N` and after the match its replay.

    Nothing can be done on it, so that a frame around it can trick nobody into anything.
    """
    page = page_of(public_id)
    if "deal" in request.GET or (page.over and page.finished_deals):
        context = _replayed(request, page)
        context["whole"] = reverse("replay", args=[page.public_id])
    else:
        context = {
            "table": page,
            "socket": f"/ws/tables/{page.public_id}/",
            "names": page.names,
            "phrases": spoken_phrases(page.terms, page.seats),
            "whole": reverse("table", args=[page.public_id]),
        }
    response = render(request, "frontend/embed.html", context)
    response.frame_ancestors = settings.POZZETTO_EMBED_ANCESTORS  # type: ignore[attr-defined]
    return response


def page_of(public_id: str) -> TablePage:
    """A table's page, or the answer that there is none."""
    page = table_page(public_id)
    if page is None:
        raise Http404("there is no such table")
    return page


def _replayed(request: HttpRequest, page: TablePage) -> dict[str, Any]:
    """What a page needs to replay the deal asked for through the eyes asked for."""
    deal = _finished_deal(request, page)
    sat = sitters(page.public_id, deal)
    names = names_behind(sitter.holder for sitter in sat)
    eyes = _perspectives(page, sat, names)
    seen_by = request.GET.get("as", PUBLIC)
    if seen_by not in {audience for audience, _ in eyes}:
        seen_by = PUBLIC
    query = f"deal={deal}" if seen_by == PUBLIC else f"deal={deal}&as={seen_by}"
    return {
        "table": page,
        "deal": deal,
        "eyes": eyes,
        "seen_by": seen_by,
        "events": f"{reverse('events', args=[page.public_id])}?{query}",
        "names": names,
        "phrases": spoken_phrases(page.terms, page.seats) | replay_phrases(page.terms),
    }


def _perspectives(
    page: TablePage, sat: list[Sitter], names: dict[str, str]
) -> list[tuple[str, str]]:
    """Through whose eyes the match may be seen: audience and name of who sat there then."""
    spectators = (PUBLIC, _("Spectators"))
    if not page.revealed:
        return [spectators]
    seats: dict[str, dict[str, None]] = {}
    for seat, holder, played in sat:
        if played:
            seats.setdefault(seat_audience(seat), {})[called(holder, seat, names)] = None
    shown = [(seat, ", ".join(each)) for seat, each in seats.items()]
    return [spectators, *shown, (ALL, _("All hands"))]


def _finished_deal(request: HttpRequest, page: TablePage) -> int:
    """The deal asked for. An unfinished one is as unknown as one that is not a number."""
    asked = request.GET.get("deal")
    if asked is None and page.finished_deals:
        return page.finished_deals[-1]
    for deal in page.finished_deals:
        if asked == str(deal):
            return deal
    raise Http404("this deal is not finished, or not of this table")
