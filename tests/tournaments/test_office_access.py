"""Who reaches which page of the club's office: every page, every member of the cast."""

from collections.abc import Callable

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.urls import reverse

from tests.cast import Cast, house_source
from tournaments import services
from tournaments.models import Membership, Pair, Person, Role, RuleProfile, User

SignIn = Callable[[str], Client]
Rows = dict[str, dict[str, int]]

MODELS = ["club", "person", "membership", "pair", "ruleprofile", "user"]
PAGES = ["changelist", "add", "change", "delete"]

# What a page answers: seen, or the member is turned away. One letter a page of PAGES.
SEEN = {
    "administrator": {
        "club": "yyyy",
        "person": "yyy-",
        "membership": "yyy-",
        "pair": "yyyy",
        "ruleprofile": "yyyy",
        "user": "yyyy",
    },
    "alba": {
        "club": "y-y-",
        "person": "yyy-",
        "membership": "y-y-",
        "pair": "yyyy",
        "ruleprofile": "yyyy",
        "user": "----",
    },
    "bruno": {
        "club": "y-y-",
        "person": "yyy-",
        "membership": "y-y-",
        "pair": "yyyy",
        "ruleprofile": "y-y-",
        "user": "----",
    },
}
# What a signed-in officer may only read: a change is refused.
READ_ONLY = {
    "administrator": {"pair"},
    "alba": {"pair"},
    "bruno": {"club", "membership", "pair", "ruleprofile"},
}


@pytest.fixture
def rows(cast: Cast) -> Rows:
    """The key of one row of each model, in the cast's club and in Furio's."""
    return {
        club.slug: {
            "club": club.pk,
            "person": pair.first_id,
            "membership": Membership.objects.get(club=club, person=pair.second_id).pk,
            "pair": pair.pk,
            "ruleprofile": services.adopt_rule_profile(
                club=club, source=house_source(f"{club.slug}-aperto")
            ).pk,
            "user": cast.accounts["carla"].pk,
        }
        for club, pair in ((cast.club, cast.pair), (cast.other_club, cast.other_pair))
    }


def page(model: str, name: str, key: int) -> str:
    args = [key] if name in {"change", "delete"} else []
    return reverse(f"admin:tournaments_{model}_{name}", args=args)


def extra_pages(cast: Cast) -> list[str]:
    return [
        reverse("admin:tournaments_person_anonymise", args=[cast.carla.pk]),
        reverse("admin:tournaments_ruleprofile_founding", args=["buraco-aberto"]),
    ]


@pytest.mark.parametrize("name", ["administrator", "alba", "bruno"])
@pytest.mark.parametrize("model", MODELS)
def test_an_officer_sees_the_pages_of_the_own_club(
    sign_in: SignIn, rows: Rows, name: str, model: str
) -> None:
    browser = sign_in(name)
    answers = {
        kind: browser.get(page(model, kind, rows["aurora"][model])).status_code for kind in PAGES
    }
    seen = SEEN[name][model]
    assert answers == {
        kind: 200 if letter == "y" else 403 for kind, letter in zip(PAGES, seen, strict=True)
    }


@pytest.mark.parametrize("name", ["administrator", "alba", "bruno"])
def test_what_may_only_be_read_refuses_a_change(sign_in: SignIn, rows: Rows, name: str) -> None:
    browser = sign_in(name)
    for model in READ_ONLY[name]:
        answer = browser.post(page(model, "change", rows["aurora"][model]), {"name": "x"})
        assert answer.status_code == 403, model


@pytest.mark.parametrize("name", ["carla", "dino", "elsa"])
def test_who_plays_or_watches_is_sent_to_sign_in(
    cast: Cast, sign_in: SignIn, rows: Rows, name: str
) -> None:
    browser = sign_in(name)
    addresses = [
        page(model, kind, rows["aurora"][model]) for model in MODELS for kind in PAGES
    ] + extra_pages(cast)
    for address in addresses:
        answer = browser.get(address)
        assert answer.status_code == 302, address
        assert "/login/" in answer["Location"], address


def test_a_stranger_is_sent_to_sign_in(cast: Cast, rows: Rows, client: Client) -> None:
    addresses = [
        page(model, kind, rows["aurora"][model]) for model in MODELS for kind in PAGES
    ] + extra_pages(cast)
    for address in addresses:
        answer = client.get(address)
        assert answer.status_code == 302, address
        assert "/login/" in answer["Location"], address


def test_staff_without_a_club_sees_nothing(cast: Cast, sign_in: SignIn, rows: Rows) -> None:
    User.objects.filter(username__in=["elsa", "carla"]).update(is_staff=True)
    for name in ("elsa", "carla"):  # Carla is a member, but plays only
        browser = sign_in(name)
        for model in MODELS:
            for kind in PAGES:
                answer = browser.get(page(model, kind, rows["aurora"][model]))
                assert answer.status_code == 403, (name, model, kind)
        for address in extra_pages(cast):
            assert browser.get(address).status_code in {403, 404}, (name, address)


@pytest.mark.parametrize("model", [model for model in MODELS if model != "user"])
def test_furio_finds_no_row_of_another_club(
    cast: Cast, sign_in: SignIn, rows: Rows, model: str
) -> None:
    browser = sign_in("furio")
    listing = browser.get(page(model, "changelist", 0)).content.decode()
    for word in ("Aurora", "aurora", "Alba", "Bruno", "Carla", "Dino"):
        assert word not in listing
    for kind in ("change", "delete"):
        for method in (browser.get, browser.post):
            answer = method(page(model, kind, rows["aurora"][model]))
            assert answer.status_code in {302, 403}, (kind, method)
            if answer.status_code == 302:  # "does not exist", at the front page
                assert answer["Location"] == reverse("admin:index")
    history = browser.get(
        reverse(f"admin:tournaments_{model}_history", args=[rows["aurora"][model]])
    )
    assert history.status_code == 302


def test_furio_sees_his_own_club(sign_in: SignIn, rows: Rows) -> None:
    browser = sign_in("furio")
    for model, seen in SEEN["alba"].items():
        for kind, letter in zip(PAGES, seen, strict=True):
            answer = browser.get(page(model, kind, rows["poniente"][model]))
            assert answer.status_code == (200 if letter == "y" else 403), (model, kind)


def test_a_forged_choice_of_another_club_is_refused(cast: Cast, sign_in: SignIn) -> None:
    browser = sign_in("furio")
    forged = {
        page("person", "add", 0): {
            "club": cast.club.pk,
            "display_name": "Intruder",
            "role": Role.DIRECTOR,
        },
        page("pair", "add", 0): {
            "club": cast.other_club.pk,
            "first": cast.carla.pk,
            "second": cast.furio.pk,
        },
        page("ruleprofile", "add", 0): {"club": cast.club.pk, "source": house_source()},
    }
    before = (Person.objects.count(), Pair.objects.count(), RuleProfile.objects.count())
    for address, data in forged.items():
        answer = browser.post(address, data)
        assert answer.status_code == 200, address
        assert answer.context["adminform"].form.errors.as_data().popitem()[1][0].code == (
            "invalid_choice"
        )
    assert before == (Person.objects.count(), Pair.objects.count(), RuleProfile.objects.count())


def test_the_picker_of_people_offers_only_the_own_club(cast: Cast, sign_in: SignIn) -> None:
    query = {"app_label": "tournaments", "model_name": "pair", "field_name": "first"}
    answer = sign_in("furio").get(reverse("admin:autocomplete"), {"term": "", **query})
    assert {row["text"] for row in answer.json()["results"]} == {"Furio Ferri", "Gina Gallo"}


def test_a_shared_person_shows_no_membership_of_the_other_club(cast: Cast, sign_in: SignIn) -> None:
    services.add_member(club=cast.other_club, person=cast.carla, role=Role.PLAYER)
    browser = sign_in("furio")
    for address in (page("person", "changelist", 0), page("person", "change", cast.carla.pk)):
        text = browser.get(address).content.decode()
        assert "Carla Conti" in text
        assert "Aurora" not in text


def test_a_helper_enrols_players_and_gives_no_other_role(cast: Cast, sign_in: SignIn) -> None:
    browser = sign_in("bruno")
    data = {"club": cast.club.pk, "display_name": "Ivo Ierardi", "role": Role.DIRECTOR}
    assert browser.post(page("person", "add", 0), data).status_code == 200
    assert not Person.objects.filter(display_name="Ivo Ierardi").exists()
    browser.post(page("person", "add", 0), {**data, "role": Role.PLAYER})
    ivo = Person.objects.get(display_name="Ivo Ierardi")
    assert ivo.memberships.get().role == Role.PLAYER


def test_directing_one_club_gives_no_role_in_another(cast: Cast, sign_in: SignIn) -> None:
    services.add_member(club=cast.other_club, person=cast.alba, role=Role.HELPER)
    data = {"club": cast.other_club.pk, "display_name": "Ivo Ierardi", "role": Role.DIRECTOR}
    answer = sign_in("alba").post(page("person", "add", 0), data)
    errors = answer.context["adminform"].form.errors.as_data()
    assert errors["role"][0].code == "role_not_yours"


def test_only_a_director_of_all_their_clubs_anonymises_someone(cast: Cast, sign_in: SignIn) -> None:
    address = reverse("admin:tournaments_person_anonymise", args=[cast.carla.pk])
    assert sign_in("bruno").post(address).status_code == 403
    assert sign_in("furio").post(address).status_code == 404
    services.add_member(club=cast.other_club, person=cast.carla, role=Role.PLAYER)
    assert sign_in("alba").post(address).status_code == 403
    assert sign_in("furio").post(address).status_code == 403
    assert sign_in("administrator").post(address).status_code == 302
    assert Person.objects.get(pk=cast.carla.pk).anonymised_at is not None


def test_an_officer_links_no_account(cast: Cast, sign_in: SignIn) -> None:
    data = {"display_name": "Gina Gallo", "account": cast.accounts["administrator"].pk}
    sign_in("furio").post(page("person", "change", cast.gina.pk), data)
    assert Person.objects.get(pk=cast.gina.pk).account is None
    data["account"] = cast.accounts["elsa"].pk
    sign_in("administrator").post(page("person", "change", cast.gina.pk), data)
    assert Person.objects.get(pk=cast.gina.pk).account == cast.accounts["elsa"]


def test_no_name_stays_in_the_log_of_the_office(cast: Cast, sign_in: SignIn) -> None:
    browser = sign_in("alba")
    browser.post(
        page("person", "add", 0),
        {"club": cast.club.pk, "display_name": "Canary Corvo", "role": Role.PLAYER},
    )
    canary = Person.objects.get(display_name="Canary Corvo")
    browser.post(page("person", "change", canary.pk), {"display_name": "Canary Corvi"})
    membership = canary.memberships.get()
    browser.post(page("membership", "change", membership.pk), {"role": Role.HELPER})
    people = {"first": canary.pk, "second": cast.dino.pk}
    browser.post(page("pair", "add", 0), {"club": cast.club.pk, **people})
    pair = Pair.objects.get(first=cast.dino.pk, second=canary.pk)
    browser.post(page("pair", "delete", pair.pk), {"post": "yes"})
    browser.post(reverse("admin:tournaments_person_anonymise", args=[canary.pk]))
    entries = LogEntry.objects.all()
    assert entries.count() == 6
    for entry in entries:
        kept = entry.object_repr + entry.change_message + entry.get_change_message()
        assert "Canary" not in kept
        assert "Dino" not in kept
    assert entries.filter(object_repr=canary.public_id).count() == 3
