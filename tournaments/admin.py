"""The club's office: clubs, people, pairs and rules, each officer seeing their own clubs alone.

May import forms, services, selectors and permissions, and asks them everything. Holds no rules.
The history of changes is Django's own log, which names people by their opaque ids only.
"""

from typing import Any

from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import Group
from django.core.exceptions import PermissionDenied
from django.db import models
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html_join
from django.utils.translation import gettext_lazy as _

from games.rules.profile import FOUNDING, load_profile
from games.tables.models import Game
from tournaments import forms, house_rules, selectors, services
from tournaments.errors import ServiceError
from tournaments.models import Club, Membership, Pair, Person, RuleProfile, User
from tournaments.office import OfficeAdmin, OpaqueLog, SoundObject, standing
from tournaments.table_office import TableAdmin


@admin.register(User)
class AccountAdmin(OpaqueLog, SoundObject, UserAdmin):
    """Accounts are the site's, not a club's: superusers only, by Django's own permissions."""


admin.site.register(Game, TableAdmin)
admin.site.unregister(Group)  # what an account may do follows from its role in a club
admin.site.site_header = admin.site.site_title = _("Pozzetto: the club's office")
admin.site.index_title = _("The club's office")


@admin.register(Club)
class ClubAdmin(OfficeAdmin):
    form = forms.ClubForm
    list_display = ["name", "country", "language", "time_zone"]
    search_fields = ["name", "slug"]
    prepopulated_fields = {"slug": ["name"]}

    def get_queryset(self, request: HttpRequest) -> models.QuerySet[Club]:
        return selectors.clubs_for(standing(request))

    def has_change_permission(self, request: HttpRequest, obj: Club | None = None) -> bool:
        if obj is None:
            return standing(request).is_director()
        return standing(request).manages(obj.pk)

    def has_delete_permission(self, request: HttpRequest, obj: Club | None = None) -> bool:
        return standing(request).is_superuser

    def get_prepopulated_fields(self, request: HttpRequest, obj: Any = None) -> dict[str, Any]:
        return {} if obj else super().get_prepopulated_fields(request, obj)


@admin.register(Person)
class PersonAdmin(OpaqueLog, OfficeAdmin):
    form = forms.PersonForm
    adding_form = forms.EnrolForm
    change_form_template = "admin/tournaments/person/change_form.html"
    list_display = ["display_name", "where", "card_number", "public_id"]
    list_filter = ["clubs"]
    search_fields = ["display_name", "public_id", "card_number"]

    def log_name(self, row: Person) -> str:
        return row.public_id

    def get_queryset(self, request: HttpRequest) -> models.QuerySet[Person]:
        return selectors.people_for(standing(request))

    @admin.display(description=_("role"))
    def where(self, person: Person) -> str:
        """Each role, leading to the page that changes it."""
        seen: list[Membership] = person.seen_memberships  # type: ignore[attr-defined]
        return format_html_join(
            ", ",
            '<a href="{}">{}</a> ({})',
            (
                (
                    reverse("admin:tournaments_membership_change", args=[row.pk]),
                    row.get_role_display(),
                    row.club,
                )
                for row in seen
            ),
        )

    @admin.display(description=_("account"))
    def account_name(self, person: Person) -> str | None:
        return person.account.username if person.account else None

    def has_add_permission(self, request: HttpRequest) -> bool:
        return standing(request).is_officer()

    def has_change_permission(self, request: HttpRequest, obj: Person | None = None) -> bool:
        return standing(request).is_officer() and (obj is None or obj.anonymised_at is None)

    def may_anonymise(self, request: HttpRequest, person: Person) -> bool:
        return standing(request).manages_all(selectors.clubs_of(person))

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any):  # type: ignore[no-untyped-def]
        if obj is not None and standing(request).is_superuser:
            kwargs["form"] = forms.PersonAndAccountForm
        return super().get_form(request, obj, change, **kwargs)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        if obj is None:
            return ("club", "display_name", "role", "federation", "card_number")
        account = "account" if standing(request).is_superuser else "account_name"
        return ("display_name", "where", "federation", "card_number", account, "public_id")

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        if obj is None:
            return []
        return ["where", "account_name", "public_id"]

    def get_urls(self) -> list[URLPattern]:
        page = path(
            "<path:object_id>/anonymise/",
            self.admin_site.admin_view(self.anonymise_view),
            name="tournaments_person_anonymise",
        )
        return [page, *super().get_urls()]

    def render_change_form(self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any):  # type: ignore[no-untyped-def]
        person = kwargs.get("obj")
        context["may_anonymise"] = (
            person is not None
            and person.anonymised_at is None
            and self.may_anonymise(request, person)
        )
        return super().render_change_form(request, context, *args, **kwargs)

    def anonymise_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        person = self.get_object(request, object_id)
        if person is None:
            raise Http404
        if not self.may_anonymise(request, person):
            raise PermissionDenied
        if request.method != "POST":
            context = {
                **self.admin_site.each_context(request),
                "title": _("Anonymise %(person)s?") % {"person": person},
                "opts": self.opts,
                "original": person,
                "ghost_name": services.ghost_name(person.public_id),
            }
            return render(request, "admin/tournaments/person/anonymise.html", context)
        try:
            services.anonymise_person(person=person)
        except ServiceError as refused:
            for _field, message in refused.problems:
                self.message_user(request, message, messages.ERROR)
        else:
            self.log_change(request, person, "Anonymised.")
            self.message_user(request, _("The person is anonymised."), messages.SUCCESS)
        return HttpResponseRedirect(self.page("change", object_id))


@admin.register(Membership)
class MembershipAdmin(OpaqueLog, OfficeAdmin):
    """Who directs, helps and plays. People join by being enrolled; here their role changes."""

    form = forms.RoleForm
    adding_form = forms.AddMemberForm
    list_display = ["person", "club", "role"]
    list_filter = ["club", "role"]
    search_fields = ["person__display_name"]
    autocomplete_fields = ["person"]

    def get_queryset(self, request: HttpRequest) -> models.QuerySet[Membership]:
        return selectors.memberships_for(standing(request))

    def has_change_permission(self, request: HttpRequest, obj: Membership | None = None) -> bool:
        if obj is None:
            return standing(request).is_director()
        return standing(request).manages(obj.club_id)

    def get_list_filter(self, request: HttpRequest) -> Any:
        return super().get_list_filter(request) or ["role"]

    def get_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return ("club", "person", "role")

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        return ["club", "person"] if obj else []


@admin.register(Pair)
class PairAdmin(OpaqueLog, OfficeAdmin):
    """A pair is two people: made and deleted, never changed into another."""

    form = forms.PairForm
    list_display = ["name", "club"]
    list_filter = ["club"]
    search_fields = ["first__display_name", "second__display_name"]
    autocomplete_fields = ["first", "second"]

    @admin.display(description=_("pair"), ordering="first__display_name")
    def name(self, pair: Pair) -> str:
        return pair.name

    def get_queryset(self, request: HttpRequest) -> models.QuerySet[Pair]:
        return selectors.pairs_for(standing(request))

    def has_add_permission(self, request: HttpRequest) -> bool:
        return standing(request).is_officer()

    def has_delete_permission(self, request: HttpRequest, obj: Pair | None = None) -> bool:
        if obj is None:
            return standing(request).is_officer()
        return standing(request).works_desk_of(obj.club_id)

    def delete_model(self, request: HttpRequest, obj: Pair) -> None:
        services.delete_pair(pair=obj)


@admin.register(RuleProfile)
class RuleProfileAdmin(OfficeAdmin):
    form = forms.RulesForm
    change_list_template = "admin/tournaments/ruleprofile/change_list.html"
    list_display = ["profile_id", "rules_name", "version", "state", "club", "created_at"]
    list_filter = ["club"]
    search_fields = ["profile_id"]

    class Media:
        css = {"all": ["tournaments/admin.css"]}

    def get_queryset(self, request: HttpRequest) -> models.QuerySet[RuleProfile]:
        return selectors.rule_profiles_for(standing(request))

    @admin.display(description=_("name"))
    def rules_name(self, row: RuleProfile) -> str:
        return str(row.body["name"])

    @admin.display(description=_("state"))
    def state(self, row: Any) -> str:
        if row.superseded:
            return str(_("replaced by a newer version"))
        if row.in_use:
            return str(_("in use by games"))
        return str(_("not used yet"))

    def has_add_permission(self, request: HttpRequest) -> bool:
        return standing(request).is_director()

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        if obj is None:
            return standing(request).is_director()
        return standing(request).manages(obj.club_id) and not obj.superseded

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        if obj is None:
            return standing(request).is_director()
        return standing(request).manages(obj.club_id) and not selectors.is_in_use(obj.digest)

    def delete_model(self, request: HttpRequest, obj: RuleProfile) -> None:
        services.delete_rule_profile(rule_profile=obj)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        if obj is None:
            return ("club", "source")
        return ("club", "profile_id", "version", "state", "source", "digest")

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        return ["club", "profile_id", "version", "state", "digest"] if obj else []

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        field = super().formfield_for_foreignkey(db_field, request, **kwargs)
        seen = standing(request)
        if field is not None and db_field.name == "club" and not seen.is_superuser:
            field.queryset = Club.objects.filter(pk__in=seen.managed_clubs)
        return field

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """`?from=ID` starts from a founding profile, renamed for the club where that is known."""
        initial = super().get_changeform_initial_data(request)
        if "from" not in request.GET:
            return initial
        source = self.founding_or_404(request.GET["from"])
        club = selectors.clubs_for(standing(request)).filter(pk=initial.get("club") or 0).first()
        if club is not None:
            source = house_rules.renamed(source, club_name=club.name, club_slug=club.slug)
        return {**initial, "source": source}

    def response_change(self, request: HttpRequest, obj: RuleProfile) -> HttpResponse:
        if request.resolver_match and request.resolver_match.kwargs["object_id"] != str(obj.pk):
            self.message_user(
                request,
                _("Games were played by the version before, so your change is version %(version)d.")
                % {"version": obj.version},
                messages.INFO,
            )
        return super().response_change(request, obj)

    def get_urls(self) -> list[URLPattern]:
        page = path(
            "founding/<slug:profile_id>/",
            self.admin_site.admin_view(self.founding_view),
            name="tournaments_ruleprofile_founding",
        )
        return [page, *super().get_urls()]

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> Any:
        founding = [load_profile(profile_id) for profile_id in FOUNDING]
        return super().changelist_view(request, {**(extra_context or {}), "founding": founding})

    def founding_view(self, request: HttpRequest, profile_id: str) -> HttpResponse:
        if not self.has_view_permission(request):
            raise PermissionDenied
        source = self.founding_or_404(profile_id)
        profile = load_profile(profile_id)
        context = {
            **self.admin_site.each_context(request),
            "title": profile.name,
            "opts": self.opts,
            "media": self.media,
            "profile": profile,
            "source": source,
            "may_clone": self.has_add_permission(request),
        }
        return render(request, "admin/tournaments/ruleprofile/founding.html", context)

    def founding_or_404(self, profile_id: str) -> str:
        try:
            return house_rules.founding_source(profile_id)
        except ServiceError as refused:
            raise Http404(str(refused)) from refused
