"""The pages on which people sit down: against bots at once, or with friends from a link.

Calls services and shows what they answer in words; holds no rule of the game. The pass of a seat
is for the page of whoever holds it, and for no other.
"""

import hashlib
from collections.abc import Callable
from datetime import timedelta
from typing import Any, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from frontend.audience import Audience, made_for, personal
from frontend.forms import PracticeForm, TableForm, favourite, variants
from frontend.limits import (
    HOUR,
    TABLES_OF_A_PERSON,
    TABLES_OF_AN_ADDRESS,
    TooOftenError,
    address_of,
    count,
)
from frontend.qr import qr_picture
from frontend.tables import shown_names, table_page
from frontend.wall import wall_context
from games.tables import invitations, seats
from games.tables.models import Invitation
from games.tables.outcomes import TableError
from games.tables.services import open_table
from tournaments.errors import ServiceError
from tournaments.guests import welcome
from tournaments.models import Person
from tournaments.selectors import clubs_for, people_of, person_of, standing_of

BOT = "bot:sensible"
BOT_PACE = timedelta(seconds=1.2)
MOST_OWN_TABLES = 4

WORDS = {
    "seat-taken": gettext_lazy("Someone else was quicker: this seat is taken. Choose another."),
    "invitation-closed": gettext_lazy("This table is not open any more."),
    "no-such-seat": gettext_lazy("This table has no such seat."),
    "not-invited": gettext_lazy("Sit down first: those at the table start the game."),
    "nobody-seated": gettext_lazy("Sit down first: those at the table start the game."),
    "not-the-host": gettext_lazy("Only who invited can call the game off."),
}
TOO_OFTEN = gettext_lazy("You have opened many tables lately. Please wait a while and try again.")


class Place(NamedTuple):
    """A seat as the page shows it; `name` is empty while it is free."""

    number: int
    name: str
    is_own: bool


@made_for(Audience.EVERYONE)
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The front page: play now, go back to a table of one's own, or watch."""
    return _home(request)


@made_for(Audience.EVERYONE)
@require_POST
def practice(request: HttpRequest) -> HttpResponse:
    """Sit down against bots at once, as a guest where nobody is known."""
    form = PracticeForm(request.POST)
    if not form.is_valid():
        return _home(request, _("Choose the rules and the number of players."), status=400)
    try:
        _count_address(request)
        person = person_of(request) or welcome(request=request, name=_("Guest"))
        _count_table(person)
    except TooOftenError:
        return _home(request, str(TOO_OFTEN), status=429)
    game = open_table(
        profile=form.chosen(),
        holders=[person.public_id] + [BOT] * (form.cleaned_data["seats"] - 1),
        by=person.public_id,
        bot_pace=BOT_PACE,
    )
    return redirect("table", game.public_id)


@made_for(Audience.EVERYONE)
def play(request: HttpRequest) -> HttpResponse:
    """Lay a table for friends: choose how to play, then share its link."""
    clubs = list(clubs_for(standing_of(request.user)).order_by("name"))
    form = TableForm(request.POST if request.method == "POST" else None, clubs=clubs)
    if request.method != "POST":
        return _play(request, form)
    if not form.is_valid():
        return _play(request, form, _("Something is missing. Please choose again."), status=400)
    try:
        _count_address(request)
        host = welcome(request=request, name=request.POST.get("name", ""))
        _count_table(host)
        invitation = invitations.invite(host=host.public_id, **form.offer())
    except TooOftenError:
        return _play(request, form, str(TOO_OFTEN), status=429)
    except ServiceError as refused:
        return _play(request, form, _said(refused), status=400, at_name=True)
    return redirect("sit", invitation.public_id)


@made_for(Audience.EVERYONE)
@require_safe
def sit(request: HttpRequest, public_id: str) -> HttpResponse:
    """A table before it plays: who sits where. Asked by htmx, only the part that changes."""
    return _sit(request, _invitation(public_id))


@made_for(Audience.EVERYONE)
@require_POST
def take_seat(request: HttpRequest, public_id: str) -> HttpResponse:
    """Sit down, as a guest by name or as the account that is signed in."""
    invitation = _invitation(public_id)
    seat = request.POST.get("seat", "")
    try:
        person = _seated(request, invitation) or _arrived(request)
        number = int(seat) if seat.isascii() and seat.isdigit() and len(seat) == 1 else -1
        invitations.sit_down(public_id=public_id, seat=number, person=person.public_id)
    except ServiceError as refused:
        return _sit(request, invitation, _said(refused), status=400, at_name=True)
    except TooOftenError:
        return _sit(request, invitation, str(TOO_OFTEN), status=429)
    except TableError as fault:
        return _sit(request, _invitation(public_id), _in_words(fault), status=409)
    return redirect("sit", public_id)


@made_for(Audience.EVERYONE)
@require_POST
def leave_seat(request: HttpRequest, public_id: str) -> HttpResponse:
    """Stand up again."""
    return _as_seated(
        request,
        public_id,
        lambda person: invitations.stand_up(public_id=public_id, person=person),
    )


@made_for(Audience.EVERYONE)
@require_POST
def start_now(request: HttpRequest, public_id: str) -> HttpResponse:
    """Start with bots on the seats that are free."""
    return _as_seated(
        request,
        public_id,
        lambda person: invitations.start_invited(public_id=public_id, by=person),
    )


@made_for(Audience.EVERYONE)
@require_POST
def call_off(request: HttpRequest, public_id: str) -> HttpResponse:
    """The host calls the game off."""
    return _as_seated(
        request,
        public_id,
        lambda person: invitations.cancel_invitation(public_id=public_id, by=person),
    )


@made_for(Audience.EVERYONE)
@require_safe
def qr_code(request: HttpRequest, public_id: str) -> HttpResponse:
    """The address of the table as a QR code, for phones pointed at this screen."""
    _invitation(public_id)
    response = qr_picture(_link(request, public_id))
    response.headers["Cache-Control"] = "max-age=3600"
    return response


def _home(request: HttpRequest, error: str = "", status: int = 200) -> HttpResponse:
    people = [person.public_id for person in people_of(request)]
    in_play = seats.seats_in_play(people)[:MOST_OWN_TABLES]
    own = [page for seat in in_play if (page := table_page(seat.table))]
    context = {
        **wall_context(),
        "own_tables": own,
        "variants": variants(),
        "chosen": request.POST.get("profile") or favourite(),
        "chosen_seats": request.POST.get("seats") or "4",
        "error": error,
    }
    return personal(render(request, "frontend/home.html", context, status=status))


def _play(
    request: HttpRequest,
    form: TableForm,
    error: str = "",
    *,
    status: int = 200,
    at_name: bool = False,
) -> HttpResponse:
    chosen = {
        name: form.data.get(name) or default
        for name, default in (
            ("profile", favourite()),
            ("seats", "4"),
            ("length", "rules"),
            ("clock", "none"),
            ("delay", "0"),
            ("club", ""),
        )
    }
    context = {
        "variants": form.variants,
        "form": form,
        "chosen": chosen["profile"],
        "chosen_seats": chosen["seats"],
        "choices": chosen,
        "error": error,
        "at_name": at_name,
        **_name_field(request),
    }
    return personal(render(request, "frontend/play.html", context, status=status))


def _sit(
    request: HttpRequest,
    invitation: Invitation,
    error: str = "",
    *,
    status: int = 200,
    at_name: bool = False,
) -> HttpResponse:
    asked_by_htmx = bool(getattr(request, "htmx", False))
    if invitation.game is not None:
        table = reverse("table", args=[invitation.game.public_id])
        return HttpResponseClientRedirect(table) if asked_by_htmx else redirect(table)
    people = [person.public_id for person in people_of(request)]
    places = _places(invitation, people)
    context = {
        "invitation": invitation,
        "is_open": invitations.is_open(invitation),
        "sides": [places[side::2] for side in range(2)],
        "in_pairs": len(places) == 4,
        "taken": [place.name for place in places if place.name],
        "own": next((place for place in places if place.is_own), None),
        "is_host": invitation.host in people,
        "host": shown_names([invitation.host])[0],
        "link": _link(request, invitation.public_id),
        "error": error,
        "at_name": at_name,
        **_name_field(request),
    }
    context["seen"] = _digest(places, context["is_open"], context["is_host"])
    if not asked_by_htmx:
        return personal(render(request, "frontend/sit.html", context, status=status))
    if request.GET.get("seen") == context["seen"]:
        return personal(HttpResponse(status=204))
    return personal(render(request, "frontend/_sit_poll.html", context))


def _as_seated(
    request: HttpRequest, public_id: str, act: Callable[[str], Invitation]
) -> HttpResponse:
    """Act for whoever of this browser sits at the table, or invited to it."""
    invitation = _invitation(public_id)
    person = _seated(request, invitation)
    if person is None:
        return _sit(request, invitation, str(WORDS["not-invited"]), status=403)
    try:
        act(person.public_id)
    except TableError as fault:
        return _sit(request, _invitation(public_id), _in_words(fault), status=409)
    return redirect("sit", public_id)


def _seated(request: HttpRequest, invitation: Invitation) -> Person | None:
    people = people_of(request)
    for known in (invitation.holders, [invitation.host]):
        for person in people:
            if person.public_id in known:
                return person
    return None


def _arrived(request: HttpRequest) -> Person:
    """Someone who comes to sit down. Raises `ServiceError` for the name, or `TooOftenError`."""
    if person_of(request) is None:
        _count_address(request)
    return welcome(request=request, name=request.POST.get("name", ""))


def _places(invitation: Invitation, people: list[str]) -> list[Place]:
    names = shown_names([holder or "" for holder in invitation.holders])
    return [
        Place(number, name if holder else "", holder in people)
        for number, (holder, name) in enumerate(zip(invitation.holders, names, strict=True))
    ]


def _name_field(request: HttpRequest) -> dict[str, Any]:
    """The name to play under: fixed for an account's person, else asked for."""
    person = person_of(request)
    fixed = person is not None and person.account_id is not None
    default = person.display_name if person and person.display_name != _("Guest") else ""
    return {
        "fixed_name": person.display_name if person and fixed else "",
        "name": request.POST.get("name", default),
    }


def _digest(*shown: object) -> str:
    """A short mark of what a page shows, to say nothing when nothing has changed."""
    return hashlib.sha256(repr(shown).encode()).hexdigest()[:16]


def _link(request: HttpRequest, public_id: str) -> str:
    return request.build_absolute_uri(reverse("sit", args=[public_id]))


def _invitation(public_id: str) -> Invitation:
    try:
        return invitations.invitation_of(public_id)
    except TableError:
        raise Http404("there is no such invitation") from None


def _in_words(fault: TableError) -> str:
    return str(WORDS.get(fault.code, WORDS["invitation-closed"]))


def _said(refused: ServiceError) -> str:
    return " ".join(str(message) for _field, message in refused.problems)


def _count_table(person: Person) -> None:
    count("tables", person.public_id, most=TABLES_OF_A_PERSON, seconds=HOUR)


def _count_address(request: HttpRequest) -> None:
    count("address", address_of(request), most=TABLES_OF_AN_ADDRESS, seconds=HOUR)
