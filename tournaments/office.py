"""What all pages of the club's office share: who may see which row, and writing by services.

May import forms, selectors and permissions, and asks them everything. Holds no rules, and no page.
"""

from collections.abc import Iterable
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.models import LogEntry
from django.contrib.admin.widgets import AutocompleteSelect
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from tournaments import forms, selectors
from tournaments.errors import ServiceError
from tournaments.models import Club, Person
from tournaments.permissions import Standing


def standing(request: HttpRequest) -> Standing:
    """What the signed-in account may do; asked of the database once a request."""
    known: Standing | None = getattr(request, "standing", None)
    if known is None:
        known = selectors.standing_of(request.user)
        request.standing = known  # type: ignore[attr-defined]
    return known


class OpaqueLog:
    """Keeps names out of the admin's log, where no erasure would ever find them."""

    def log_name(self, row: Any) -> str:
        return f"{row._meta.model_name} {row.pk}"

    def log_addition(self, request: HttpRequest, row: Any, message: Any) -> LogEntry:
        return self._renamed(super().log_addition(request, row, message), row)  # type: ignore[misc]

    def log_change(self, request: HttpRequest, row: Any, message: Any) -> LogEntry:
        return self._renamed(super().log_change(request, row, message), row)  # type: ignore[misc]

    def log_deletions(self, request: HttpRequest, queryset: Iterable[Any]) -> list[LogEntry]:
        rows = list(queryset)
        entries = super().log_deletions(request, rows)  # type: ignore[misc]
        return [self._renamed(entry, row) for entry, row in zip(entries, rows, strict=True)]

    def _renamed(self, entry: LogEntry, row: Any) -> LogEntry:
        entry.object_repr = self.log_name(row)
        entry.save(update_fields=["object_repr"])
        return entry


class SoundObject:
    """Finds the row of an address; asked for by a field without a name, Django's own fails."""

    def get_object(
        self, request: HttpRequest, object_id: str, from_field: str | None = None
    ) -> Any:
        return super().get_object(request, object_id, from_field or None)  # type: ignore[misc]


LONGEST_ID = 19
"""Digits of the largest number that a row can have."""


class Autocomplete(AutocompleteSelect):
    """Django's own asks the database for whatever was sent, and fails where that is no number."""

    def optgroups(self, name: Any, value: Any, attr: Any = None) -> Any:
        numbers = [each for each in map(str, value) if each.isdecimal() and len(each) <= LONGEST_ID]
        return super().optgroups(name, numbers, attr)


class OfficeAdmin(SoundObject, admin.ModelAdmin):
    """What all pages of the club's office share."""

    actions = None
    form: type[forms.ServiceForm]
    adding_form: type[forms.ServiceForm] | None = None

    # Who may do what. `get_queryset` already hides every row of other clubs.

    def has_module_permission(self, request: HttpRequest) -> bool:
        return standing(request).is_officer()

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return standing(request).is_officer()

    def has_add_permission(self, request: HttpRequest) -> bool:
        return standing(request).is_superuser

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    # Forms write through services, so that saving has nothing left to do.

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any):  # type: ignore[no-untyped-def]
        if obj is None and self.adding_form is not None:
            kwargs["form"] = self.adding_form
        form = super().get_form(request, obj, change=change, **kwargs)
        form.standing = standing(request)  # type: ignore[attr-defined]  # every form here has one
        return form

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """The form's service has written already."""

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        try:
            return super().delete_view(request, object_id, extra_context)
        except ServiceError as refused:
            for _field, message in refused.problems:
                self.message_user(request, message, messages.ERROR)
            return HttpResponseRedirect(self.page("change", object_id))

    def page(self, name: str, *args: Any) -> str:
        meta = self.model._meta
        return reverse(f"admin:{meta.app_label}_{meta.model_name}_{name}", args=args)

    # A choice offers the rows that the officer sees, and a lone club is chosen already.

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name in self.get_autocomplete_fields(request):
            kwargs["widget"] = Autocomplete(db_field, self.admin_site)
        seen = {
            Club: selectors.clubs_for,
            Person: selectors.people_for,
        }.get(db_field.related_model)
        if seen is not None:
            kwargs["queryset"] = seen(standing(request))
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        if db_field.is_relation and field is not None:
            for link in ("add", "change", "delete", "view"):
                setattr(field.widget, f"can_{link}_related", False)
        return field

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        initial: dict[str, Any] = super().get_changeform_initial_data(request)
        clubs = standing(request).desk_clubs
        if len(clubs) == 1:
            initial.setdefault("club", *clubs)
        return initial

    def get_list_display(self, request: HttpRequest) -> Any:
        """Who works in one club needs no column to tell which."""
        seen = standing(request)
        one_club = not seen.is_superuser and len(seen.desk_clubs) == 1
        return [name for name in self.list_display if name != "club" or not one_club]

    def get_list_filter(self, request: HttpRequest) -> Any:
        """A filter by club lists every club, so only those above clubs get one."""
        return self.list_filter if standing(request).is_superuser else ()
