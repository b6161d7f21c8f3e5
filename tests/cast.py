"""The fixed cast of all tests: who directs, who helps, who plays, and who must not see.

Alba directs, Bruno helps at the desk, Carla and Dino play, Elsa watches; Furio directs another
club with Gina in it, and the administrator stands above both.
"""

from dataclasses import dataclass

from django.utils import timezone

from games.tables.models import Game
from tournaments import house_rules, services
from tournaments.models import Club, Pair, Person, Role, RuleProfile, User


@dataclass(frozen=True)
class Cast:
    club: Club
    other_club: Club
    alba: Person
    bruno: Person
    carla: Person
    dino: Person
    furio: Person
    gina: Person
    pair: Pair  # Carla and Dino
    other_pair: Pair  # Furio and Gina
    accounts: dict[str, User]  # by name: alba, bruno, carla, dino, elsa, furio, administrator


def make_club(name: str, slug: str, country: str = "IT", zone: str = "Europe/Rome") -> Club:
    return services.create_club(
        name=name, slug=slug, country=country, language="it", time_zone=zone
    )


def _member(club: Club, name: str, role: Role = Role.PLAYER, account: User | None = None) -> Person:
    person = services.enrol_person(club=club, display_name=name, role=role)
    if account is None:
        return person
    return services.link_account(person=person, account=account)


def house_source(profile_id: str = "aurora-aperto") -> str:
    """Buraco Aberto word for word, under an id of the club's own."""
    source = house_rules.founding_source("buraco-aberto")
    return source.replace('"buraco-aberto"', f'"{profile_id}"', 1)


def play_a_game_by(row: RuleProfile) -> Game:
    """The row of a game that was opened under these rules."""
    return Game.objects.create(
        stream=Game.objects.count() + 1,
        profile_id=row.profile_id,
        profile_name=row.body["name"],
        profile_digest=row.digest,
        seats=4,
        opened_at=timezone.now(),
    )


def make_cast() -> Cast:
    """Both clubs with everybody in them; each account bears the small letters of its name."""
    staff = {"alba", "bruno", "furio"}
    accounts = {
        name: User.objects.create_user(name, is_staff=name in staff)
        for name in ("alba", "bruno", "carla", "dino", "elsa", "furio")
    }
    accounts["administrator"] = User.objects.create_superuser("administrator")
    club = make_club("Circolo Aurora", "aurora")
    other_club = make_club("Club Poniente", "poniente", "AR", "America/Buenos_Aires")
    carla = _member(club, "Carla Conti", account=accounts["carla"])
    dino = _member(club, "Dino Donati", account=accounts["dino"])
    furio = _member(other_club, "Furio Ferri", Role.DIRECTOR, accounts["furio"])
    gina = _member(other_club, "Gina Gallo")
    return Cast(
        club=club,
        other_club=other_club,
        alba=_member(club, "Alba Amato", Role.DIRECTOR, accounts["alba"]),
        bruno=_member(club, "Bruno Bassi", Role.HELPER, accounts["bruno"]),
        carla=carla,
        dino=dino,
        furio=furio,
        gina=gina,
        pair=services.create_pair(club=club, one=carla, other=dino),
        other_pair=services.create_pair(club=other_club, one=furio, other=gina),
        accounts=accounts,
    )
