"""Questions about clubs, people, pairs and rules. Reads only; services write.

Each answer takes a number of queries that does not grow with its rows.
"""

from collections.abc import Iterable
from typing import NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.base import SessionBase
from django.db.models import Exists, OuterRef, Prefetch, QuerySet
from django.http import HttpRequest

from games.rules.profile import FOUNDING, Profile, load_profile, parse_profile, profile_digest
from games.tables.models import Game
from tournaments.models import Club, Membership, Pair, Person, Role, RuleProfile, User
from tournaments.permissions import Standing

SESSION_KEY = "person"
"""Where a session keeps the opaque id of its guest."""


def standing_of(user: User | AnonymousUser) -> Standing:
    """What an account may do; nothing unless it is active, staff, and linked to a member."""
    if isinstance(user, AnonymousUser) or not (user.is_active and user.is_staff):
        return Standing(roles={})
    rows = Membership.objects.filter(person__account=user).values_list("club_id", "role")
    return Standing(roles={club: Role(role) for club, role in rows}, is_superuser=user.is_superuser)


def clubs_for(standing: Standing) -> QuerySet[Club]:
    clubs = Club.objects.all()
    return clubs if standing.is_superuser else clubs.filter(pk__in=standing.desk_clubs)


def memberships_for(standing: Standing) -> QuerySet[Membership]:
    rows = Membership.objects.select_related("club", "person")
    return rows if standing.is_superuser else rows.filter(club__in=standing.desk_clubs)


def people_for(standing: Standing) -> QuerySet[Person]:
    """People of the clubs seen, each with `seen_memberships`: only those of clubs seen."""
    people = Person.objects.select_related("account").prefetch_related(
        Prefetch("memberships", queryset=memberships_for(standing), to_attr="seen_memberships")
    )
    if standing.is_superuser:
        return people
    here = Membership.objects.filter(person=OuterRef("pk"), club__in=standing.desk_clubs)
    return people.filter(Exists(here))


def pairs_for(standing: Standing) -> QuerySet[Pair]:
    pairs = Pair.objects.select_related("club", "first", "second")
    return pairs if standing.is_superuser else pairs.filter(club__in=standing.desk_clubs)


def rule_profiles_for(standing: Standing) -> QuerySet[RuleProfile]:
    """Rules of the clubs seen, each with `in_use` and `superseded` (a newer version exists)."""
    newer = RuleProfile.objects.filter(
        club=OuterRef("club"),
        profile_id=OuterRef("profile_id"),
        version__gt=OuterRef("version"),
    )
    rows = RuleProfile.objects.select_related("club").annotate(
        in_use=Exists(Game.objects.filter(profile_digest=OuterRef("digest"))),
        superseded=Exists(newer),
    )
    return rows if standing.is_superuser else rows.filter(club__in=standing.desk_clubs)


def tables_for(standing: Standing) -> QuerySet[Game]:
    """Tables of the clubs seen."""
    games = Game.objects.all()
    return games if standing.is_superuser else games.filter(club__in=standing.desk_clubs)


def reference_of(user: User | AnonymousUser) -> str:
    """How the log names who is signed in: the person's opaque id, or that it was the office."""
    found = Person.objects.filter(account=user.pk).values_list("public_id", flat=True).first()
    return found or "office"


def clubs_of(person: Person) -> frozenset[int]:
    """The keys of all clubs the person is or was in."""
    return frozenset(person.memberships.values_list("club_id", flat=True))


def pairs_of(club: Club) -> QuerySet[Pair]:
    return Pair.objects.filter(club=club).select_related("first", "second")


def person_of(request: HttpRequest) -> Person | None:
    """Who asks: the person of the account that is signed in, else the session's guest."""
    people = people_of(request)
    return people[0] if people else None


def people_of(request: HttpRequest) -> list[Person]:
    """Everyone who the asking browser may act for, the one it acts for from now on first.

    Two at most: the account's person, and the guest as whom the same session sat down before.
    """
    found: list[Person] = []
    if isinstance(request.user, User):
        found += Person.objects.filter(account=request.user)
    guest = guest_of(request.session)
    # A guest who has an account by now is that account's alone.
    if guest is not None and guest.account_id is None:
        found.append(guest)
    return found


def guest_of(session: SessionBase) -> Person | None:
    """The person whom a session knows as its guest, unless anonymised since."""
    public_id = session.get(SESSION_KEY)
    if public_id is None:
        return None
    return Person.objects.filter(public_id=public_id, anonymised_at=None).first()


def names_of(public_ids: Iterable[str]) -> dict[str, str]:
    """The names to show for opaque ids; an id that nobody has is left out."""
    people = Person.objects.filter(public_id__in=set(public_ids))
    return dict(people.values_list("public_id", "display_name"))


def club_names(ids: Iterable[int]) -> dict[int, str]:
    """The names of clubs by their keys; a key that no club has is left out."""
    return dict(Club.objects.filter(pk__in=set(ids)).values_list("pk", "name"))


def is_in_use(digest: str) -> bool:
    """Has a game been opened under the profile of this digest?"""
    return Game.objects.filter(profile_digest=digest).exists()


class OfferedProfile(NamedTuple):
    """Rules a club may open a table with. `version` is 0 for a founding profile."""

    profile: Profile
    version: int
    digest: str


def profiles_offered_to(club: Club) -> list[OfferedProfile]:
    """The founding profiles, then the newest version of each of the club's own."""
    founding = [load_profile(profile_id) for profile_id in FOUNDING]
    offered = [OfferedProfile(profile, 0, profile_digest(profile)) for profile in founding]
    newest = (
        RuleProfile.objects.filter(club=club)
        .order_by("profile_id", "-version")
        .distinct("profile_id")
    )
    offered += [OfferedProfile(parse_profile(row.body), row.version, row.digest) for row in newest]
    return offered
