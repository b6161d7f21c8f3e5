"""Sitting down: at once against bots, or with friends from a link; and whose seat is whose."""

import logging
import re
from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from frontend import limits
from games.rules.profile import FOUNDING
from games.tables.loading import load
from games.tables.models import Game, Invitation
from games.tables.outcomes import TableError
from games.tables.passes import seat_by_pass
from tests.cast import Cast, house_source, make_cast
from tournaments.models import Person
from tournaments.services import adopt_rule_profile

pytestmark = pytest.mark.django_db

PRACTICE = {"profile": "burraco-italiano", "seats": "4"}
FRIENDS = PRACTICE | {"length": "2", "clock": "calm", "delay": "60", "name": "Carla"}


@pytest.fixture(autouse=True)
def no_counts() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def cast() -> Cast:
    return make_cast()


def pass_in(page: str) -> str | None:
    found = re.search(r'data-pass="([^"]+)"', page)
    return found and found[1]


def seat_in(page: str) -> int | None:
    found = re.search(r'data-seat="(\d)"', page)
    return int(found[1]) if found else None


def lay_table(client: Client, **choices: str) -> str:
    """The address of a new table of the client's."""
    answer = client.post("/play/", FRIENDS | choices)
    assert answer.status_code == 302, answer.content.decode()
    return str(answer["Location"])


# Practice


@pytest.mark.parametrize("profile", FOUNDING)
@pytest.mark.parametrize("seats", ["4", "2"])
def test_a_stranger_plays_against_bots_with_one_tap(
    client: Client, profile: str, seats: str
) -> None:
    assert 'action="/practice/"' in client.get("/").content.decode()
    answer = client.post("/practice/", {"profile": profile, "seats": seats})
    game = Game.objects.get()
    assert answer["Location"] == f"/tables/{game.public_id}/"
    person, *bots = load(game.stream).state.holders
    assert bots == ["bot:sensible"] * (int(seats) - 1)
    assert Person.objects.get().public_id == person
    assert (game.profile_id, game.bot_pace_ms) == (profile, 1200)
    page = client.get(answer["Location"]).content.decode()
    assert seat_in(page) == 0
    assert seat_by_pass(game.public_id, pass_in(page) or "").holder == person


def test_the_same_stranger_is_the_same_guest_at_the_next_table(client: Client) -> None:
    for _ in range(2):
        client.post("/practice/", PRACTICE)
    assert Person.objects.count() == 1
    assert client.get("/").content.decode().count("Back to your table") == 2


def test_a_choice_that_is_not_offered_opens_nothing(client: Client) -> None:
    for wrong in ({"profile": "canasta"}, {"seats": "3"}, {"seats": "x"}, {"profile": ""}):
        answer = client.post("/practice/", PRACTICE | wrong)
        assert answer.status_code == 400
        assert "Choose the rules" in answer.content.decode()
    assert not Game.objects.exists()


# Passes


def test_the_pass_of_a_seat_is_on_the_page_of_its_holder_and_on_no_other(
    client: Client, cast: Cast
) -> None:
    address = lay_table(client)
    dino, elsa, furio = Client(), Client(), Client()
    elsa.force_login(cast.accounts["elsa"])
    furio.force_login(cast.accounts["furio"])
    dino.post(f"{address}take/", {"seat": "2", "name": "Dino"})
    client.post(f"{address}start/")
    game = Game.objects.get()
    table = f"/tables/{game.public_id}/"
    pages = {who: each.get(table) for who, each in (("carla", client), ("dino", dino))}
    passes = {who: pass_in(page.content.decode()) for who, page in pages.items()}
    assert [seat_in(pages[who].content.decode()) for who in ("carla", "dino")] == [0, 2]
    assert seat_by_pass(game.public_id, passes["carla"] or "").number == 0
    assert seat_by_pass(game.public_id, passes["dino"] or "").number == 2
    for watcher in (elsa, furio, Client()):
        page = watcher.get(table).content.decode()
        assert pass_in(page) is None
        assert seat_in(page) is None
    for who, other in (("carla", "dino"), ("dino", "carla")):
        for path in (table, "/", "/tables/", address, f"{table}replay/"):
            reader = client if who == "carla" else dino
            assert str(passes[other]) not in reader.get(path, follow=True).content.decode()


def test_no_cache_keeps_a_page_with_a_pass(client: Client) -> None:
    table = client.post("/practice/", PRACTICE)["Location"]
    assert client.get(table)["Cache-Control"] == "private, no-store"


def test_the_web_server_does_not_write_the_addresses_of_sockets_into_its_log() -> None:
    assert not logging.getLogger("uvicorn.error").isEnabledFor(logging.INFO)


def test_a_pass_of_one_table_opens_no_other(client: Client) -> None:
    first, second = (client.post("/practice/", PRACTICE)["Location"] for _ in range(2))
    stolen = pass_in(client.get(first).content.decode()) or ""
    with pytest.raises(TableError):
        seat_by_pass(second.split("/")[2], stolen)


def test_after_signing_out_nobody_has_the_seat_any_more(client: Client, cast: Cast) -> None:
    client.force_login(cast.accounts["carla"])
    table = client.post("/practice/", PRACTICE)["Location"]
    assert seat_in(client.get(table).content.decode()) == 0
    client.post("/sign-out/")
    assert pass_in(client.get(table).content.decode()) is None


# With friends


def test_friends_sit_down_from_the_link_by_name_and_the_last_one_starts_the_game(
    client: Client,
) -> None:
    address = lay_table(client)
    others = [Client() for _ in range(3)]
    page = others[0].get(address).content.decode()
    assert "A table with Carla" in page
    assert "2 deals" in page
    assert "60 seconds a turn" in page
    for seat, (other, name) in enumerate(zip(others, ("Dino", "Elsa", "Furio"), strict=True), 1):
        other.post(f"{address}take/", {"seat": str(seat), "name": name})
    game = Game.objects.get()
    state = load(game.stream).state
    assert (state.format.deals, state.format.move_seconds, game.delay_seconds) == (2, 60, 60)
    for seat, each in enumerate((client, *others)):
        answer = each.get(address)
        assert answer["Location"] == f"/tables/{game.public_id}/"
        assert seat_in(each.get(answer["Location"]).content.decode()) == seat
    page = client.get(f"/tables/{game.public_id}/").content.decode()
    assert all(name in page for name in ("Carla", "Dino", "Elsa", "Furio"))


def test_who_asks_for_a_taken_seat_is_told_and_may_choose_another(client: Client) -> None:
    address = lay_table(client)
    dino, elsa = Client(), Client()
    dino.post(f"{address}take/", {"seat": "1", "name": "Dino"})
    late = elsa.post(f"{address}take/", {"seat": "1", "name": "Elsa"})
    assert late.status_code == 409
    assert "Someone else was quicker" in late.content.decode()
    assert 'value="Elsa"' in late.content.decode()
    elsa.post(f"{address}take/", {"seat": "3", "name": "Elsa"})
    names = [place.split("<")[0] for place in elsa.get(address).content.decode().split(
        '<span class="chair-name">')[1:]]  # fmt: skip
    assert [name.strip() for name in names] == ["Carla", "Dino", "Elsa"]


@pytest.mark.parametrize("name", ["", "  ", "!", "N" * 31, "a\u202eb"])
def test_a_name_that_will_not_do_is_refused_beside_the_field(client: Client, name: str) -> None:
    address = lay_table(client)
    answer = Client().post(f"{address}take/", {"seat": "1", "name": name})
    assert answer.status_code == 400
    page = answer.content.decode()
    assert 'aria-describedby="name-problem"' in page
    assert 'id="name-problem" role="alert"' in page
    assert Invitation.objects.get().holders[1] is None


def test_a_name_is_shown_and_never_run(client: Client) -> None:
    address = lay_table(client, name="<img src=x>")
    page = Client().get(address).content.decode()
    assert "<img src=x>" not in page
    assert "&lt;img src=x&gt;" in page


def test_an_account_sits_down_under_the_name_the_club_knows(client: Client, cast: Cast) -> None:
    address = lay_table(client)
    member = Client()
    member.force_login(cast.accounts["dino"])
    assert "You play as Dino Donati." in member.get(address).content.decode()
    member.post(f"{address}take/", {"seat": "1", "name": "Someone else"})
    assert Invitation.objects.get().holders[1] == cast.dino.public_id


def test_who_sat_down_as_a_guest_keeps_the_seat_after_signing_in(
    client: Client, cast: Cast
) -> None:
    address = lay_table(client)
    cast.accounts["dino"].set_password("seven clean canastas")
    cast.accounts["dino"].save()
    dino = Client()
    dino.post(f"{address}take/", {"seat": "1", "name": "Dino"})
    signed_in = dino.post("/sign-in/", {"username": "dino", "password": "seven clean canastas"})
    assert signed_in.status_code == 302
    assert 'id="leave-button"' in dino.get(address).content.decode()
    dino.post(f"{address}start/")
    table = dino.get(address)["Location"]
    assert seat_in(dino.get(table).content.decode()) == 1


def test_who_stands_up_may_come_back_and_a_stranger_cannot_touch_the_table(
    client: Client,
) -> None:
    address = lay_table(client)
    dino, elsa = Client(), Client()
    dino.post(f"{address}take/", {"seat": "1", "name": "Dino"})
    for act in ("leave", "start", "call-off"):
        assert elsa.post(f"{address}{act}/").status_code == 403
    assert dino.post(f"{address}call-off/").status_code == 409
    dino.post(f"{address}leave/")
    assert Invitation.objects.get().holders[1] is None
    dino.post(f"{address}take/", {"seat": "3", "name": "Dino"})
    client.post(f"{address}call-off/")
    assert "The game was called off." in dino.get(address).content.decode()
    assert dino.post(f"{address}start/").status_code == 409
    assert not Game.objects.exists()


def test_an_invitation_after_its_day_says_so(client: Client) -> None:
    address = lay_table(client)
    Invitation.objects.update(expires_at=timezone.now())
    page = Client().get(address).content.decode()
    assert "This invitation is over" in page
    assert 'name="seat"' not in page
    assert "hx-get" not in page


# What htmx asks


def poll(client: Client, address: str) -> object:
    page = client.get(address).content.decode()
    seen = re.search(r'name="seen" value="(\w+)"', page)
    assert seen
    return lambda: client.get(address, {"seen": seen[1]}, headers={"HX-Request": "true"})


def test_a_page_that_waits_hears_of_changes_only_and_is_led_to_the_table(client: Client) -> None:
    address = lay_table(client, seats="2")
    again = poll(client, address)
    assert again().status_code == 204
    dino = Client()
    dino.get(address)
    assert again().status_code == 204
    client.post(f"{address}leave/")
    changed = again()
    assert changed.status_code == 200
    assert "<html" not in changed.content.decode()
    assert 'hx-swap-oob="innerHTML"' in changed.content.decode()
    client.post(f"{address}take/", {"seat": "0", "name": "Carla"})
    dino.post(f"{address}take/", {"seat": "1", "name": "Dino"})
    game = Game.objects.get()
    assert again()["HX-Redirect"] == f"/tables/{game.public_id}/"


def test_the_code_on_the_screen_is_a_picture_of_our_own(client: Client) -> None:
    address = lay_table(client)
    page = client.get(address).content.decode()
    assert f'src="{address}qr.svg"' in page
    code = client.get(f"{address}qr.svg")
    assert code["Content-Type"] == "image/svg+xml"
    assert code.content.startswith(b"<svg")
    assert b"style" not in code.content


# Access and abuse


@pytest.mark.parametrize("path", ["", "take/", "leave/", "start/", "call-off/", "qr.svg"])
def test_an_invitation_that_is_not_there_is_not_found(client: Client, path: str) -> None:
    asks = client.post if path.endswith("/") else client.get
    assert asks(f"/sit/nowhere/{path}").status_code == 404


def test_only_posts_change_anything(client: Client) -> None:
    address = lay_table(client)
    for path in ("/practice/", *(f"{address}{act}/" for act in ("take", "leave", "start"))):
        assert client.get(path).status_code == 405
    assert client.post(address).status_code == 405


def test_every_post_needs_the_token_of_our_own_page() -> None:
    strict = Client(enforce_csrf_checks=True)
    paths = ("practice/", "play/", "sign-in/", "sign-out/", *(
        f"sit/any/{act}/" for act in ("take", "leave", "start", "call-off")
    ))  # fmt: skip
    for path in paths:
        assert strict.post(f"/{path}", PRACTICE).status_code == 403, path
    assert not Game.objects.exists()


def test_a_guest_opens_a_few_tables_an_hour_and_is_then_asked_to_wait(client: Client) -> None:
    for _ in range(limits.TABLES_OF_A_PERSON):
        assert client.post("/practice/", PRACTICE).status_code == 302
    for path, choices in (("/practice/", PRACTICE), ("/play/", FRIENDS)):
        answer = client.post(path, choices)
        assert answer.status_code == 429
        assert "opened many tables lately" in answer.content.decode()
    assert Game.objects.count() == limits.TABLES_OF_A_PERSON
    assert Client().post("/practice/", PRACTICE).status_code == 302


def test_who_throws_the_session_away_is_counted_by_the_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("frontend.seating.TABLES_OF_AN_ADDRESS", 2)
    answers = [Client().post("/practice/", PRACTICE).status_code for _ in range(3)]
    assert answers == [302, 302, 429]
    assert Person.objects.count() == 2


def test_wrong_passwords_are_answered_in_words_and_then_not_tried_any_more(
    client: Client, cast: Cast
) -> None:
    cast.accounts["carla"].set_password("seven clean canastas")
    cast.accounts["carla"].save()
    wrong = {"username": "carla", "password": "wrong"}
    first = client.post("/sign-in/", wrong).content.decode()
    assert "The name or the password is not right." in first
    for _ in range(limits.TRIES_TO_SIGN_IN):
        client.post("/sign-in/", wrong)
    right = wrong | {"password": "seven clean canastas"}
    assert "wrong too often" in client.post("/sign-in/", right).content.decode()
    assert client.post("/sign-in/", right | {"username": "dino"}).status_code == 200


@pytest.mark.parametrize(
    "name", ["Carla Conti", "carla\nconti\x7f\x00", "ñandú\u2028🂡", "c" * 10_000, ""]
)
@pytest.mark.filterwarnings("error::django.core.cache.CacheKeyWarning")
def test_whatever_name_is_typed_its_wrong_passwords_are_counted(client: Client, name: str) -> None:
    for _ in range(limits.TRIES_TO_SIGN_IN):
        limits.count("sign-in", name, most=limits.TRIES_TO_SIGN_IN, seconds=60)
        assert not limits.is_used_up("sign-in", f"{name}.", most=1)
    assert limits.is_used_up("sign-in", name, most=limits.TRIES_TO_SIGN_IN)
    with pytest.raises(limits.TooOftenError):
        limits.count("sign-in", name, most=limits.TRIES_TO_SIGN_IN, seconds=60)
    assert client.post("/sign-in/", {"username": name, "password": "wrong"}).status_code == 200


def test_signing_in_does_not_lead_away_from_the_site(client: Client, cast: Cast) -> None:
    cast.accounts["carla"].set_password("seven clean canastas")
    cast.accounts["carla"].save()
    fields = {"username": "carla", "password": "seven clean canastas"}
    away = client.post("/sign-in/", fields | {"next": "https://example.org/"})
    assert away["Location"] == "/"
    page = client.get("/").content.decode()
    assert "Signed in as carla." in page


@pytest.mark.parametrize("path", ["/", "/play/", "/sign-in/"])
@pytest.mark.parametrize("language", ["es", "it", "pt-br", "en"])
def test_pages_speak_the_language_and_have_no_script_of_their_own(
    client: Client, path: str, language: str
) -> None:
    page = client.get(path, headers={"Accept-Language": language}).content.decode()
    assert f'<html lang="{language}"' in page
    inline = r"<style|\sstyle=|\son\w+=|<script(?![^>]*(?:src=|application/json))"
    assert not re.search(inline, page)


# Tables of a club


def test_who_works_at_a_clubs_desk_lays_a_table_of_the_club_by_its_own_rules(
    client: Client, cast: Cast
) -> None:
    rules = adopt_rule_profile(club=cast.club, source=house_source())
    client.force_login(cast.accounts["bruno"])
    page = client.get("/play/").content.decode()
    own = f"{cast.club.pk}/{rules.profile_id}"
    assert f'<option value="{cast.club.pk}">Circolo Aurora</option>' in page
    assert f'value="{own}"' in page
    assert "Club Poniente" not in page
    address = lay_table(client, profile=own)
    client.post(f"{address}start/")
    game = Game.objects.get()
    assert (game.club, game.profile_id, game.terms) == (cast.club.pk, rules.profile_id, "morto")
    lay_table(client, club=str(cast.club.pk))
    assert Invitation.objects.latest("pk").club == cast.club.pk


@pytest.mark.parametrize("who", ["", "carla", "furio"])
def test_nobody_else_lays_a_table_in_a_clubs_name(client: Client, cast: Cast, who: str) -> None:
    rules = adopt_rule_profile(club=cast.club, source=house_source())
    if who:
        client.force_login(cast.accounts[who])
    page = client.get("/play/").content.decode()
    assert "Circolo Aurora" not in page
    own = f"{cast.club.pk}/{rules.profile_id}"
    for choice in ({"club": str(cast.club.pk)}, {"profile": own}):
        assert client.post("/play/", FRIENDS | choice).status_code == 400
    assert not Invitation.objects.exists()
