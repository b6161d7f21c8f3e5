"""Services of clubs, people and pairs: what they write, and what they refuse."""

import re

import pytest
from django.db import IntegrityError, transaction

from tests.cast import Cast, make_club
from tournaments import selectors, services
from tournaments.errors import ServiceError
from tournaments.models import Membership, Pair, Person, Role, new_public_id


def test_the_opaque_id_is_random_and_says_nothing() -> None:
    ids = {new_public_id() for _index in range(1000)}
    assert len(ids) == 1000
    assert all(re.fullmatch(r"p[0-9a-hjkmnp-tv-z]{12}", public_id) for public_id in ids)


def test_names_are_found_by_opaque_id_and_strangers_left_out(cast: Cast) -> None:
    wanted = [cast.carla.public_id, cast.dino.public_id, "p0"]
    assert selectors.names_of(wanted) == {
        cast.carla.public_id: "Carla Conti",
        cast.dino.public_id: "Dino Donati",
    }


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", ""),
        ("name", "n" * 101),
        ("slug", "Not A Slug"),
        ("slug", "under_score"),
        ("country", "Italy"),
        ("country", "it"),
        ("language", "la"),
        ("time_zone", "Rome"),
    ],
)
def test_a_club_with_a_bad_field_is_refused_by_the_name_of_the_field(
    db: None, field: str, value: str
) -> None:
    good = {
        "name": "Circolo Aurora",
        "slug": "aurora",
        "country": "IT",
        "language": "it",
        "time_zone": "Europe/Rome",
    }
    with pytest.raises(ServiceError) as refused:
        services.create_club(**{**good, field: value})
    assert refused.value.code == "invalid"
    assert {name for name, _message in refused.value.problems} == {field}


def test_two_clubs_never_share_an_address(cast: Cast) -> None:
    with pytest.raises(ServiceError) as refused:
        make_club("Another Aurora", "aurora")
    assert (refused.value.code, refused.value.problems[0][0]) == ("slug_taken", "slug")


@pytest.mark.parametrize(
    ("name", "code"),
    [("  ", "no_name"), ("Carla\u202e", "unprintable_name"), ("C\x00", "unprintable_name")],
)
def test_a_person_needs_a_name_that_can_be_read(cast: Cast, name: str, code: str) -> None:
    with pytest.raises(ServiceError) as refused:
        services.enrol_person(club=cast.club, display_name=name)
    assert refused.value.code == code
    assert refused.value.problems[0][0] == "display_name"


def test_a_name_too_long_for_its_column_is_refused(cast: Cast) -> None:
    with pytest.raises(ServiceError) as refused:
        services.edit_person(person=cast.carla, display_name="x" * 81)
    assert refused.value.code == "invalid"


def test_spaces_around_and_inside_a_name_are_tidied(cast: Cast) -> None:
    person = services.enrol_person(club=cast.club, display_name="  Maria   Rosa ")
    assert person.display_name == "Maria Rosa"


def test_an_account_acts_for_one_person_only(cast: Cast) -> None:
    with pytest.raises(ServiceError) as refused:
        services.link_account(person=cast.dino, account=cast.accounts["carla"])
    assert refused.value.code == "account_taken"


def test_joining_twice_is_refused(cast: Cast) -> None:
    with pytest.raises(ServiceError) as refused:
        services.add_member(club=cast.club, person=cast.carla, role=Role.PLAYER)
    assert refused.value.code == "already_member"


def test_a_club_keeps_a_director(cast: Cast) -> None:
    membership = Membership.objects.get(club=cast.club, person=cast.alba)
    with pytest.raises(ServiceError) as refused:
        services.change_role(membership=membership, role=Role.HELPER)
    assert refused.value.code == "last_director"
    bruno = Membership.objects.get(club=cast.club, person=cast.bruno)
    services.change_role(membership=bruno, role=Role.DIRECTOR)
    assert services.change_role(membership=membership, role=Role.HELPER).role == Role.HELPER


def test_a_pair_is_named_after_both(cast: Cast) -> None:
    assert cast.pair.name == "Carla Conti – Dino Donati"


def test_a_pair_is_the_same_in_either_order(cast: Cast) -> None:
    with pytest.raises(ServiceError) as refused:
        services.create_pair(club=cast.club, one=cast.dino, other=cast.carla)
    assert refused.value.code == "pair_exists"


def test_nobody_pairs_with_himself(cast: Cast) -> None:
    with pytest.raises(ServiceError) as refused:
        services.create_pair(club=cast.club, one=cast.dino, other=cast.dino)
    assert refused.value.code == "same_person"


def test_a_pair_is_made_of_members(cast: Cast) -> None:
    with pytest.raises(ServiceError) as refused:
        services.create_pair(club=cast.club, one=cast.dino, other=cast.furio)
    assert (refused.value.code, refused.value.problems[0][0]) == ("not_a_member", "second")


def test_who_left_the_club_makes_no_new_pair(cast: Cast) -> None:
    membership = Membership.objects.get(club=cast.club, person=cast.dino)
    services.change_role(membership=membership, role=Role.FORMER)
    with pytest.raises(ServiceError) as refused:
        services.create_pair(club=cast.club, one=cast.dino, other=cast.bruno)
    assert refused.value.code == "not_a_member"


@pytest.mark.parametrize("swapped", [True, False])
def test_the_database_itself_refuses_a_pair_out_of_order_or_doubled(
    cast: Cast, swapped: bool
) -> None:
    first, second = (cast.dino, cast.carla) if swapped else (cast.carla, cast.dino)
    with pytest.raises(IntegrityError), transaction.atomic():
        Pair.objects.create(club=cast.club, first=first, second=second)


def test_anonymising_erases_who_it_is_and_keeps_the_opaque_id(cast: Cast) -> None:
    services.edit_person(
        person=cast.carla, display_name="Carla Conti", federation="FIBUR", card_number="4711"
    )
    services.anonymise_person(person=cast.carla)
    ghost = Person.objects.get(pk=cast.carla.pk)
    assert ghost.public_id == cast.carla.public_id
    assert ghost.display_name == services.ghost_name(ghost.public_id)
    assert (ghost.federation, ghost.card_number, ghost.account) == ("", "", None)
    assert ghost.memberships.get().role == Role.FORMER
    assert Pair.objects.get(pk=cast.pair.pk).name == f"{ghost.display_name} – Dino Donati"


def test_anonymising_twice_changes_nothing(cast: Cast) -> None:
    once = services.anonymise_person(person=cast.carla)
    again = services.anonymise_person(person=cast.carla)
    assert (once.display_name, once.anonymised_at) == (again.display_name, again.anonymised_at)


def test_a_ghost_gets_no_name_account_or_club_again(cast: Cast) -> None:
    ghost = services.anonymise_person(person=cast.carla)
    attempts = [
        lambda: services.edit_person(person=ghost, display_name="Carla"),
        lambda: services.link_account(person=ghost, account=cast.accounts["elsa"]),
        lambda: services.add_member(club=cast.other_club, person=ghost, role=Role.PLAYER),
        lambda: services.change_role(membership=ghost.memberships.get(), role=Role.PLAYER),
    ]
    for attempt in attempts:
        with pytest.raises(ServiceError) as refused:
            attempt()
        assert refused.value.code == "anonymised"


def test_the_last_director_is_not_anonymised_and_nothing_is_half_done(cast: Cast) -> None:
    services.add_member(club=cast.other_club, person=cast.alba, role=Role.PLAYER)
    with pytest.raises(ServiceError) as refused:
        services.anonymise_person(person=cast.alba)
    assert refused.value.code == "last_director"
    assert "Circolo Aurora" in str(refused.value)
    roles = cast.alba.memberships.values_list("role", flat=True)
    assert sorted(roles) == [Role.DIRECTOR, Role.PLAYER]
