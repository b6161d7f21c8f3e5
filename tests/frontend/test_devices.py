"""A guest's way to another phone: who it lets in, how often, and whom it does not."""

import re

import pytest
from django.core.cache import cache
from django.test import Client

from tests.cast import Cast, make_cast
from tournaments import devices
from tournaments.models import Person

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _nothing_counted() -> None:
    cache.clear()


def seated_guest() -> Client:
    """A browser in which a guest has begun to practise."""
    client = Client()
    client.post("/practice/", {"profile": "buraco-aberto", "seats": "2"})
    return client


def link_of(guest: Client) -> str:
    page = guest.post("/another-device/").content.decode()
    found = re.search(r'value="http://testserver(/another-device/[^"]+/)"', page)
    assert found is not None
    return found[1]


def plays(client: Client) -> bool:
    """Whether the front page leads this browser to a table of its own."""
    return "Back to your table" in client.get("/").content.decode()


def test_a_link_makes_one_other_browser_play_the_seat_and_only_one() -> None:
    first, second, third = seated_guest(), Client(), Client()
    link = link_of(first)
    assert "Play as" in second.get(link).content.decode()
    assert not plays(second)
    led = second.post(f"{link}go-on/")
    assert led.status_code == 302
    assert 'data-seat="0"' in second.get(led["Location"]).content.decode()
    assert plays(first)
    assert third.get(link).status_code == 404
    assert third.post(f"{link}go-on/").status_code == 404
    assert not plays(third)


def test_looking_at_a_link_does_not_use_it_up_and_its_square_tells_nothing() -> None:
    link = link_of(seated_guest())
    looking = Client()
    for _ in range(3):
        assert looking.get(link).status_code == 200
    assert looking.get(f"{link}qr.svg")["Content-Type"] == "image/svg+xml"
    assert looking.get("/another-device/never-made/qr.svg").status_code == 200
    assert looking.get("/another-device/never-made/").status_code == 404
    assert not plays(looking)


def test_a_link_is_for_guests_alone(client: Client) -> None:
    cast: Cast = make_cast()
    client.force_login(cast.accounts["carla"])
    page = client.post("/another-device/").content.decode()
    assert "Sign in on the other phone" in page
    assert "qr.svg" not in page
    with pytest.raises(ValueError, match="account"):
        devices.code_for(cast.carla)
    assert "qr.svg" not in Client().post("/another-device/").content.decode()


def test_a_guest_who_got_an_account_meanwhile_is_not_opened_by_an_old_link() -> None:
    cast = make_cast()
    first = seated_guest()
    link = link_of(first)
    guest = Person.objects.get(public_id=first.session["person"])
    guest.account = cast.accounts["elsa"]
    guest.save()
    assert Client().get(link).status_code == 404
    assert Client().post(f"{link}go-on/").status_code == 404


def test_who_asks_for_many_links_has_to_wait() -> None:
    guest = seated_guest()
    answers = [guest.post("/another-device/").status_code for _ in range(31)]
    assert answers[-2:] == [200, 429]
