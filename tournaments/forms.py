"""The admin's forms. Each hands its cleaned fields to one service and shows what it refuses.

May import services and permissions. Holds no rule of its own.
"""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments import selectors, services
from tournaments.errors import ServiceError
from tournaments.models import Club, Membership, Pair, Person, Role, RuleProfile
from tournaments.permissions import Standing


class ServiceForm(forms.ModelForm):
    """A form whose last check is the service itself.

    The admin runs a form inside one transaction and saves after it is valid. Writing here, as the
    last step of validation, lets a refusal appear at the field it names and rolls back with the
    rest; the admin's own saving then has nothing left to do.
    """

    standing: Standing  # of the signed-in account; the admin sets it on the class it builds

    def _post_clean(self) -> None:
        """In place of Django's own check of the row, which services make."""
        if self.errors:
            return
        try:
            self.instance = self.write(self.cleaned_data)
        except ServiceError as refused:
            self.show(refused)

    def write(self, data: dict[str, Any]) -> models.Model:
        """Call the service and return the row as it now is."""
        raise TypeError(f"{type(self).__name__} names no service")

    def show(self, refused: ServiceError) -> None:
        for field, message in refused.problems:
            error = ValidationError(message, code=refused.code)
            self.add_error(field if field in self.fields else None, error)


class ClubForm(ServiceForm):
    class Meta:
        model = Club
        fields = ["name", "slug", "country", "language", "time_zone"]

    def write(self, data: dict[str, Any]) -> Club:
        if self.instance.pk:
            return services.edit_club(club=self.instance, **data)
        return services.create_club(**data)


class EnrolForm(ServiceForm):
    club = forms.ModelChoiceField(Club.objects.none(), label=_("Club"))
    role = forms.ChoiceField(label=_("Role"), initial=Role.PLAYER)

    class Meta:
        model = Person
        fields = ["club", "display_name", "role", "federation", "card_number"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        clubs = selectors.clubs_for(self.standing)
        self.fields["club"].queryset = clubs  # type: ignore[attr-defined]
        self.fields["role"].choices = [  # type: ignore[attr-defined]
            (role.value, role.label)
            for role in (Role.PLAYER, Role.HELPER, Role.DIRECTOR)
            if role is Role.PLAYER or self.standing.is_director()
        ]

    def clean(self) -> None:
        super().clean()
        club, role = self.cleaned_data.get("club"), self.cleaned_data.get("role")
        if club and role and not self.standing.may_grant(Role(role), club.pk):
            self.add_error(
                "role",
                ValidationError(
                    _("Only a director of the club gives this role."), code="role_not_yours"
                ),
            )

    def write(self, data: dict[str, Any]) -> Person:
        return services.enrol_person(**{**data, "role": Role(data["role"])})


class PersonForm(ServiceForm):
    class Meta:
        model = Person
        fields = ["display_name", "federation", "card_number"]

    def write(self, data: dict[str, Any]) -> Person:
        return services.edit_person(person=self.instance, **data)


class PersonAndAccountForm(PersonForm):
    class Meta:
        model = Person
        fields = ["display_name", "federation", "card_number", "account"]

    def write(self, data: dict[str, Any]) -> Person:
        account = data.pop("account")
        services.link_account(person=self.instance, account=account)
        return super().write(data)


class AddMemberForm(ServiceForm):
    class Meta:
        model = Membership
        fields = ["club", "person", "role"]

    def write(self, data: dict[str, Any]) -> Membership:
        return services.add_member(
            club=data["club"], person=data["person"], role=Role(data["role"])
        )


class RoleForm(ServiceForm):
    class Meta:
        model = Membership
        fields = ["role"]

    def write(self, data: dict[str, Any]) -> Membership:
        return services.change_role(membership=self.instance, role=Role(data["role"]))


class PairForm(ServiceForm):
    class Meta:
        model = Pair
        fields = ["club", "first", "second"]

    def write(self, data: dict[str, Any]) -> Pair:
        return services.create_pair(club=data["club"], one=data["first"], other=data["second"])


class RulesForm(ServiceForm):
    """The whole profile as TOML: one text to read, compare and edit, with room for comments."""

    class Meta:
        model = RuleProfile
        fields = ["club", "source"]
        help_texts = {
            "source": _(
                "The whole profile as TOML; what follows a # is a remark. Rules that games have "
                "used are kept: a change to them becomes a new version."
            )
        }
        widgets = {
            "source": forms.Textarea(
                attrs={"rows": 36, "class": "rules-source", "spellcheck": "false"}
            )
        }

    def write(self, data: dict[str, Any]) -> RuleProfile:
        if self.instance.pk:
            row = services.revise_rule_profile(rule_profile=self.instance, source=data["source"])
        else:
            row = services.adopt_rule_profile(club=data["club"], source=data["source"])
        return selectors.rule_profiles_for(self.standing).get(pk=row.pk)

    def show(self, refused: ServiceError) -> None:
        """All problems stand at the text; each begins with the profile's field it is about."""
        for field, message in refused.problems:
            text = f"{field}: {message}" if field else message
            self.add_error("source", ValidationError(text, code=refused.code))
