"""The pages on which a guest goes on playing on another phone: a square to point it at.

Calls services; holds no rule. A code opens no page by itself: the other phone has to say yes, so
that a programme which only looks at links uses none up.
"""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST, require_safe

from frontend.audience import Audience, made_for, personal
from frontend.limits import HOUR, TooOftenError, address_of, count
from frontend.qr import qr_picture
from games.tables.seats import seats_in_play
from tournaments import devices
from tournaments.models import Person
from tournaments.selectors import guest_of, people_of, person_of

CODES_OF_A_GUEST = 30
CODES_OF_AN_ADDRESS = 300
"""Codes made, or tried, in an hour."""
TOO_OFTEN = _("That was done very often. Please wait a while and try again.")


@made_for(Audience.EVERYONE)
def another_device(request: HttpRequest) -> HttpResponse:
    """A guest asks for a code; who has an account reads how to go on with that."""
    guest = guest_of(request.session)
    if guest is None or guest.account_id is not None or request.method != "POST":
        return _offer(request, guest)
    try:
        count("codes", guest.public_id, most=CODES_OF_A_GUEST, seconds=HOUR)
    except TooOftenError:
        return _offer(request, guest, error=str(TOO_OFTEN), status=429)
    return _offer(request, guest, code=devices.code_for(guest))


@made_for(Audience.EVERYONE)
@require_safe
def device_code(request: HttpRequest, code: str) -> HttpResponse:
    """The square of a code. It draws what it is asked to, and knows of no code."""
    return personal(qr_picture(_link(request, code)))


@made_for(Audience.EVERYONE)
@require_safe
def arrive(request: HttpRequest, code: str) -> HttpResponse:
    """The other phone, before it says yes."""
    return _arrival(request, code)


@made_for(Audience.EVERYONE)
@require_POST
def go_on(request: HttpRequest, code: str) -> HttpResponse:
    """It has said yes: from now on it plays, too; led to the table where there is one."""
    if _tries_too_often(request) or devices.go_on_here(request=request, code=code) is None:
        return _arrival(request, code)
    table = _own_table(people_of(request))
    return redirect("table", table) if table else redirect("home")


def _offer(
    request: HttpRequest, guest: Person | None, code: str = "", error: str = "", status: int = 200
) -> HttpResponse:
    person = person_of(request)
    context = {
        "account": person if person is not None and person.account_id is not None else None,
        "guest": guest,
        "code": code,
        "link": _link(request, code) if code else "",
        "minutes": devices.VALID_SECONDS // 60,
        "own_table": _own_table(people_of(request)),
        "error": error,
    }
    return personal(render(request, "frontend/another_device.html", context, status=status))


def _arrival(request: HttpRequest, code: str) -> HttpResponse:
    guest = None if _tries_too_often(request) else devices.guest_behind(code)
    present = guest_of(request.session)
    context = {
        "guest": guest,
        "code": code,
        "replaces": present if present is not None and present != guest else None,
    }
    status = 404 if guest is None else 200
    return personal(render(request, "frontend/arrive.html", context, status=status))


def _tries_too_often(request: HttpRequest) -> bool:
    try:
        count("code-tries", address_of(request), most=CODES_OF_AN_ADDRESS, seconds=HOUR)
    except TooOftenError:
        return True
    return False


def _own_table(people: list[Person]) -> str:
    seats = seats_in_play([person.public_id for person in people])
    return seats[0].table if seats else ""


def _link(request: HttpRequest, code: str) -> str:
    return request.build_absolute_uri(reverse("arrive", args=[code]))
