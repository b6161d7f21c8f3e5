"""The pages of what is going on: the wall of live tables, and one table.

Asks selectors and draws; holds no rules. What comes from them is what a spectator may see; what
more a player sees comes through the socket, for the pass of the seat.
"""

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from django.views.i18n import set_language

from frontend.audience import Audience, made_for, personal
from frontend.phrases import spoken_phrases
from frontend.replays import page_of
from frontend.wall import wall_context, wall_feed
from games.tables.passes import seat_pass
from games.tables.seats import own_seat
from tournaments.selectors import people_of

LONGEST_TICK = 20
"""Digits of the number of a tick at most: milliseconds since 1970."""

choose_language = made_for(Audience.EVERYONE)(set_language)


@made_for(Audience.EVERYONE)
@require_safe
def tables(request: HttpRequest) -> HttpResponse:
    """All live tables: a list, which the browser makes a wall of."""
    context = {"section": "tables", "name": request.GET.get("name", ""), **wall_context()}
    response = render(request, "frontend/tables.html", context)
    response.headers["Vary"] = "Accept-Language, Cookie"
    return response


@made_for(Audience.EVERYONE)
@require_safe
def wall(request: HttpRequest) -> HttpResponse:
    """What is new on the wall since the tick that the browser has."""
    since = request.GET.get("since", "")
    # Longer than any tick is none of ours, and Python refuses to read very long numbers.
    is_tick = since.isdecimal() and len(since) <= LONGEST_TICK
    response = JsonResponse(wall_feed(int(since) if is_tick else 0))
    response.headers["Cache-Control"] = "no-store"
    return response


@made_for(Audience.EVERYONE)
@require_safe
def table(request: HttpRequest, public_id: str) -> HttpResponse:
    """One table, followed live; for who has a seat there, with the pass to play it."""
    page = page_of(public_id)
    own = own_seat(public_id, [person.public_id for person in people_of(request)])
    context: dict[str, Any] = {
        "table": page,
        "socket": f"/ws/tables/{page.public_id}/",
        "names": page.names,
        "phrases": spoken_phrases(page.terms, page.seats),
    }
    if own is not None:
        context |= {
            "seat": own.number,
            "seat_pass": seat_pass(public_id=own.table, seat=own.number, holder=own.person),
        }
    # The pass is this browser's alone.
    return personal(render(request, "frontend/table.html", context))
