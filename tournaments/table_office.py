"""The director's desk at live tables: who sits there, and rulings that the table carries out.

May import selectors, permissions and the services of `games.tables`, and asks them everything.
Shows no cards and changes no row itself.
"""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

from django import forms
from django.contrib import messages
from django.db import models
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from games.tables import agreements, services
from games.tables.holders import is_bot, person_of
from games.tables.models import Game
from games.tables.outcomes import MoveOutcome, Stale, TableError
from tournaments import selectors
from tournaments.models import Person
from tournaments.office import OfficeAdmin, OpaqueLog, standing

BOT = "bot:sensible"


class SubstituteForm(forms.Form):
    """Who takes which seat from now on; nobody chosen: a bot."""

    seat = forms.TypedChoiceField(coerce=int, label=_("seat"))
    person = forms.ModelChoiceField(
        queryset=Person.objects.none(), required=False, empty_label=_("a bot"), label=_("person")
    )

    def __init__(self, *args: Any, game: Game, people: models.QuerySet[Person], **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.fields["seat"].choices = [  # type: ignore[attr-defined]
            (number, f"{number + 1}: {name}") for number, name in enumerate(names_at(game))
        ]
        self.fields["person"].queryset = people  # type: ignore[attr-defined]


def names_at(game: Game) -> list[str]:
    """Who sits at a table, by seat; whoever nobody knows by the reference itself."""
    holders = [seat.holder for seat in game.chairs.order_by("number")]
    known = selectors.names_of(map(person_of, holders))
    return [
        known.get(person_of(holder)) or (str(_("a bot")) if is_bot(holder) else holder)
        for holder in holders
    ]


class TableAdmin(OpaqueLog, OfficeAdmin):
    """Tables of the officer's clubs: read only, but for rulings."""

    change_form_template = "admin/tables/game/change_form.html"
    list_display = ["public_id", "label", "profile_name", "status", "opened_at"]
    list_filter = ["status"]
    search_fields = ["public_id", "label"]
    ordering = ["-opened_at"]
    fields = ["public_id", "label", "profile_name", "status", "opened_at", "seated"]

    def get_queryset(self, request: HttpRequest) -> models.QuerySet[Game]:
        return selectors.tables_for(standing(request))

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def get_list_filter(self, request: HttpRequest) -> Any:
        return self.list_filter

    def seated(self, game: Game) -> str:
        return ", ".join(names_at(game))

    seated.short_description = _("seated")  # type: ignore[attr-defined]

    def get_urls(self) -> list[URLPattern]:
        ruling = path(
            "<path:object_id>/ruling/<str:ruling>/",
            self.admin_site.admin_view(require_POST(self.ruling_view)),
            name="tables_game_ruling",
        )
        return [ruling, *super().get_urls()]

    def render_change_form(self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any):  # type: ignore[no-untyped-def]
        game = kwargs.get("obj")
        if game is not None and game.status != Game.Status.OVER:
            context["substitute"] = self._substitute_form(request, game)
        return super().render_change_form(request, context, *args, **kwargs)

    def ruling_view(self, request: HttpRequest, object_id: str, ruling: str) -> HttpResponse:
        """Carry out a ruling on one of the officer's own tables, then show the table again."""
        game = self.get_object(request, object_id)
        carry_out = RULINGS.get(ruling)
        if game is None or (carry_out is None and ruling != "substitute"):
            raise Http404
        by = selectors.reference_of(request.user)
        how = {"stream": game.stream, "by": by, "command_id": f"{by}:{uuid4().hex}"}
        try:
            outcome = carry_out(**how) if carry_out else self._substitute(request, game, how)
        except TableError as fault:
            self.message_user(request, str(fault), messages.ERROR)
        else:
            if outcome is None or isinstance(outcome, Stale):
                self.message_user(request, _("That could not be done; try again."), messages.ERROR)
            else:
                self.log_change(request, game, f"Ruled: {ruling}.")
                self.message_user(request, _("Done."), messages.SUCCESS)
        return HttpResponseRedirect(self.page("change", game.pk))

    def _substitute(
        self, request: HttpRequest, game: Game, how: dict[str, Any]
    ) -> MoveOutcome | None:
        form = self._substitute_form(request, game, request.POST)
        if not form.is_valid():
            return None
        person = form.cleaned_data["person"]
        return services.change_seat(
            seat=form.cleaned_data["seat"],
            holder=BOT if person is None else person.public_id,
            reason="substituted",
            **how,
        )

    def _substitute_form(
        self, request: HttpRequest, game: Game, data: Any = None
    ) -> SubstituteForm:
        people = selectors.people_for(standing(request)).filter(anonymised_at=None)
        if game.club is not None:
            people = people.filter(clubs=game.club)
        return SubstituteForm(data, game=game, people=people)


RULINGS: dict[str, Callable[..., MoveOutcome]] = {
    "pause": agreements.pause_match,
    "resume": agreements.resume_match,
    "end": services.end_match,
}
