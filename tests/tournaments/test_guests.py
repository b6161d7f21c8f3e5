"""Guests: known by their session, named in words that fit, and taken over by an account."""

import pytest
from django.contrib.auth import login
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.http import HttpRequest
from django.test import RequestFactory

from tests.cast import Cast, make_cast
from tournaments import guests, selectors, services
from tournaments.errors import ServiceError
from tournaments.models import Person, User

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return make_cast()


def browser(session: SessionStore | None = None, account: User | None = None) -> HttpRequest:
    """A request of a browser with this session."""
    request = RequestFactory().post("/")
    request.session = session if session is not None else SessionStore()
    request.user = account or AnonymousUser()
    return request


def test_a_guest_is_a_person_without_club_or_account() -> None:
    guest = guests.welcome(request=browser(), name="  Nonna   Pia ")
    assert guest.display_name == "Nonna Pia"
    assert guest.account is None
    assert not selectors.clubs_of(guest)


def test_a_returning_guest_is_the_same_person_under_the_new_name() -> None:
    session = SessionStore()
    first = guests.welcome(request=browser(session), name="Pia")
    again = guests.welcome(request=browser(session), name="Pia Rossi")
    assert again == first == selectors.person_of(browser(session))
    assert selectors.names_of([first.public_id]) == {first.public_id: "Pia Rossi"}


def test_another_browser_is_another_person_even_under_the_same_name() -> None:
    one = guests.welcome(request=browser(), name="Pia")
    assert guests.welcome(request=browser(), name="Pia") != one


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("", "no_name"),
        ("   ", "no_name"),
        ("…!", "no_name"),
        ("Pia\u202eaiP", "unprintable_name"),
        ("P" * 31, "name_too_long"),
    ],
)
def test_a_name_that_cannot_stand_at_a_table_is_refused_in_words(name: str, code: str) -> None:
    with pytest.raises(ServiceError) as refused:
        guests.welcome(request=browser(), name=name)
    assert refused.value.code == code
    ((field, message),) = refused.value.problems
    assert field == "display_name"
    assert str(message).endswith(".")
    assert not Person.objects.exists()


def test_who_has_an_account_plays_as_its_person_and_under_its_name(cast: Cast) -> None:
    request = browser(account=cast.accounts["carla"])
    assert selectors.person_of(request) == cast.carla
    assert guests.welcome(request=request, name="Somebody else") == cast.carla
    cast.carla.refresh_from_db()
    assert cast.carla.display_name == "Carla Conti"


def test_an_account_without_a_person_gets_the_guest_that_signs_in(cast: Cast) -> None:
    session, elsa = SessionStore(), cast.accounts["elsa"]
    guest = guests.welcome(request=browser(session), name="Elsa")
    login(browser(session), elsa, backend="django.contrib.auth.backends.ModelBackend")
    guest.refresh_from_db()
    assert guest.account == elsa
    assert selectors.person_of(browser(account=elsa)) == guest
    assert selectors.person_of(browser(session)) is None  # the account's alone from now on


def test_an_account_with_a_person_keeps_it_and_the_guest_keeps_its_seats(cast: Cast) -> None:
    session, account = SessionStore(), cast.accounts["carla"]
    guest = guests.welcome(request=browser(session), name="C.")
    login(browser(session), account, backend="django.contrib.auth.backends.ModelBackend")
    assert selectors.people_of(browser(session, account)) == [cast.carla, guest]
    assert selectors.people_of(browser(account=account)) == [cast.carla]


def test_an_account_without_a_person_that_sits_down_is_known_on_its_next_device(
    cast: Cast,
) -> None:
    elsa = cast.accounts["elsa"]
    person = guests.welcome(request=browser(account=elsa), name="Elsa")
    assert selectors.person_of(browser(account=elsa)) == person


def test_an_anonymised_guest_is_nobody_any_more() -> None:
    session = SessionStore()
    guest = guests.welcome(request=browser(session), name="Pia")
    services.anonymise_person(person=guest)
    assert selectors.person_of(browser(session)) is None
    assert guests.welcome(request=browser(session), name="Pia") != guest
