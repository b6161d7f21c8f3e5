"""Changes to clubs, people, pairs and rules. Each is atomic and refuses with `ServiceError`.

May import selectors and the models. Never asks who is signed in: callers ask permissions first.
"""

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Max, Model
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments import selectors
from tournaments.errors import ServiceError, refusal
from tournaments.house_rules import read_rules
from tournaments.models import Club, Membership, Pair, Person, Role, RuleProfile, User


@transaction.atomic
def create_club(*, name: str, slug: str, country: str, language: str, time_zone: str) -> Club:
    """Refused with `invalid` or `slug_taken`."""
    club = Club(name=name, slug=slug, country=country, language=language, time_zone=time_zone)
    _save_club(club)
    return club


@transaction.atomic
def edit_club(
    *, club: Club, name: str, slug: str, country: str, language: str, time_zone: str
) -> Club:
    """Refused with `invalid` or `slug_taken`."""
    club = Club.objects.select_for_update().get(pk=club.pk)
    club.name, club.slug, club.country = name, slug, country
    club.language, club.time_zone = language, time_zone
    _save_club(club)
    return club


def _save_club(club: Club) -> None:
    _check_fields(club)
    try:
        with transaction.atomic():
            club.save()
    except IntegrityError as error:
        raise refusal(
            "slug_taken", _("Another club has this address name."), field="slug"
        ) from error


@transaction.atomic
def enrol_person(
    *,
    club: Club,
    display_name: str,
    role: Role = Role.PLAYER,
    federation: str = "",
    card_number: str = "",
) -> Person:
    """A new person, a member of the club at once.

    Refused with `no_name`, `unprintable_name`, `invalid`.
    """
    person = Person(
        display_name=checked_name(display_name),
        federation=federation.strip(),
        card_number=card_number.strip(),
    )
    _check_fields(person)
    person.save()
    Membership.objects.create(club=club, person=person, role=role)
    return person


@transaction.atomic
def edit_person(
    *, person: Person, display_name: str, federation: str = "", card_number: str = ""
) -> Person:
    """Refused with `anonymised`, `no_name`, `unprintable_name`, `invalid`."""
    person = _locked_person(person)
    if person.anonymised_at is not None:
        raise refusal("anonymised", _("This person was anonymised; nothing can be added again."))
    person.display_name = checked_name(display_name)
    person.federation, person.card_number = federation.strip(), card_number.strip()
    _check_fields(person)
    person.save(update_fields=["display_name", "federation", "card_number"])
    return person


@transaction.atomic
def link_account(*, person: Person, account: User | None) -> Person:
    """Let an account act for the person, or none. Refused with `account_taken`, `anonymised`."""
    person = _locked_person(person)
    if account is not None and person.anonymised_at is not None:
        raise refusal("anonymised", _("This person was anonymised; nothing can be added again."))
    person.account = account
    try:
        with transaction.atomic():
            person.save(update_fields=["account"])
    except IntegrityError as error:
        raise refusal(
            "account_taken", _("This account belongs to another person."), field="account"
        ) from error
    return person


@transaction.atomic
def anonymise_person(*, person: Person) -> Person:
    """Erase who the person is, and keep the opaque id under which old games know them.

    The name becomes a ghost name made from that id, the card is forgotten, the account is unlinked
    and every membership ends. Doing it again changes nothing. Refused with `last_director`.
    """
    person = _locked_person(person)
    if person.anonymised_at is not None:
        return person
    for membership in person.memberships.select_related("club"):
        change_role(membership=membership, role=Role.FORMER)
    person.display_name = ghost_name(person.public_id)
    person.federation = person.card_number = ""
    person.account = None
    person.anonymised_at = timezone.now()
    person.save()
    return person


def ghost_name(public_id: str) -> str:
    """The name of someone anonymised: the same each time, in any language, and telling nothing."""
    return f"Ghost {public_id[1:7].upper()}"


@transaction.atomic
def add_member(*, club: Club, person: Person, role: Role) -> Membership:
    """A person known elsewhere joins the club. Refused with `already_member`, `anonymised`."""
    person = _locked_person(person)
    if person.anonymised_at is not None:
        raise refusal("anonymised", _("This person was anonymised."), field="person")
    try:
        with transaction.atomic():
            return Membership.objects.create(club=club, person=person, role=role)
    except IntegrityError as error:
        raise refusal(
            "already_member", _("This person is already in the club."), field="person"
        ) from error


@transaction.atomic
def change_role(*, membership: Membership, role: Role) -> Membership:
    """Refused with `last_director` (a club keeps one), `anonymised`."""
    Club.objects.select_for_update().get(pk=membership.club_id)  # one role at a time in a club
    membership = Membership.objects.select_related("club", "person").get(pk=membership.pk)
    if role != Role.FORMER and membership.person.anonymised_at is not None:
        raise refusal("anonymised", _("This person was anonymised."), field="role")
    if membership.role == Role.DIRECTOR and role != Role.DIRECTOR:
        directors = Membership.objects.filter(club=membership.club_id, role=Role.DIRECTOR)
        if not directors.exclude(pk=membership.pk).exists():
            raise refusal(
                "last_director",
                _("%(club)s would be left without a director. Name another one first.")
                % {"club": membership.club},
                field="role",
            )
    membership.role = role
    membership.save(update_fields=["role"])
    return membership


@transaction.atomic
def create_pair(*, club: Club, one: Person, other: Person) -> Pair:
    """Refused with `same_person`, `not_a_member` (of this club, now) or `pair_exists`."""
    if one.pk == other.pk:
        raise refusal("same_person", _("A pair is two different people."), field="second")
    for field, person in (("first", one), ("second", other)):
        member = Membership.objects.filter(club=club, person=person).exclude(role=Role.FORMER)
        if not member.exists():
            raise refusal(
                "not_a_member",
                _("%(person)s is not a member of %(club)s.") % {"person": person, "club": club},
                field=field,
            )
    first, second = sorted((one, other), key=lambda person: person.pk)
    try:
        with transaction.atomic():
            return Pair.objects.create(club=club, first=first, second=second)
    except IntegrityError as error:
        raise refusal("pair_exists", _("These two are already a pair of this club.")) from error


@transaction.atomic
def delete_pair(*, pair: Pair) -> None:
    pair.delete()


@transaction.atomic
def adopt_rule_profile(*, club: Club, source: str) -> RuleProfile:
    """The club's first version of a profile of its own.

    Refused as `house_rules.read_rules` says, or with `profile_exists`.
    """
    rules = read_rules(source)
    try:
        with transaction.atomic():
            return RuleProfile.objects.create(
                club=club,
                profile_id=rules.profile.id,
                version=1,
                source=rules.source,
                body=rules.body,
                digest=rules.digest,
            )
    except IntegrityError as error:
        raise refusal(
            "profile_exists",
            _("The club already has a profile “%(id)s”. Edit it, or choose another id.")
            % {"id": rules.profile.id},
            field="id",
        ) from error


@transaction.atomic
def revise_rule_profile(*, rule_profile: RuleProfile, source: str) -> RuleProfile:
    """State the rules anew as a whole; the row that now holds them.

    A version that no game has used is rewritten; one that a game has used stays, and the change
    becomes the next version. A change of comments alone makes no version. A game opened at the
    very moment loses nothing: it holds its rules itself, in its first event. Refused as
    `house_rules.read_rules` says, or with `id_changed`, `superseded`.
    """
    Club.objects.select_for_update().get(pk=rule_profile.club_id)  # versions come one at a time
    current = RuleProfile.objects.get(pk=rule_profile.pk)
    versions = RuleProfile.objects.filter(club=current.club_id, profile_id=current.profile_id)
    newest = versions.aggregate(newest=Max("version"))["newest"]
    if current.version != newest:
        raise refusal(
            "superseded",
            _("Version %(newest)d has replaced this one. Edit that.") % {"newest": newest},
        )
    rules = read_rules(source)
    if rules.profile.id != current.profile_id:
        raise refusal(
            "id_changed",
            _("The id of a profile stays. For other rules beside these, add a new profile."),
            field="id",
        )
    if rules.digest != current.digest and selectors.is_in_use(current.digest):
        return RuleProfile.objects.create(
            club=current.club,
            profile_id=current.profile_id,
            version=newest + 1,
            source=rules.source,
            body=rules.body,
            digest=rules.digest,
        )
    current.source, current.body, current.digest = rules.source, rules.body, rules.digest
    current.save(update_fields=["source", "body", "digest"])
    return current


@transaction.atomic
def delete_rule_profile(*, rule_profile: RuleProfile) -> None:
    """Refused with `in_use`: rules that a game was played by are kept with it."""
    if selectors.is_in_use(rule_profile.digest):
        raise refusal("in_use", _("Games were played by these rules, so they stay."))
    rule_profile.delete()


def _locked_person(person: Person) -> Person:
    return Person.objects.select_for_update().get(pk=person.pk)


def checked_name(name: str) -> str:
    """A name as it is kept. Refused with `no_name`, `unprintable_name`."""
    name = " ".join(name.split())
    if not name:
        raise refusal("no_name", _("A person needs a name."), field="display_name")
    if not name.isprintable():
        raise refusal(
            "unprintable_name",
            _("The name has characters that print nothing."),
            field="display_name",
        )
    return name


def _check_fields(row: Model) -> None:
    """Refuse as `invalid` what a column cannot hold, field by field."""
    try:
        row.clean_fields()
    except ValidationError as error:
        problems = [(name, text) for name, texts in error.message_dict.items() for text in texts]
        raise ServiceError("invalid", problems) from error
