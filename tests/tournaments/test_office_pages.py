"""What the club's office does on its pages: errors at their field, clones, constant queries."""

from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.rules.profile import FOUNDING
from tests.cast import Cast, house_source, make_club, play_a_game_by
from tournaments import services
from tournaments.models import Club, Membership, Pair, Person, Role, RuleProfile

SignIn = Callable[[str], Client]

PERSON_ADD = "/admin/tournaments/person/add/"
PAIR_ADD = "/admin/tournaments/pair/add/"
RULES = "/admin/tournaments/ruleprofile/"


def codes(answer: object) -> dict[str, list[str]]:
    """The codes of the errors shown on a form, by field."""
    form = answer.context["adminform"].form  # type: ignore[attr-defined]
    return {
        field: [error.code for error in errors] for field, errors in form.errors.as_data().items()
    }


def fill(club: Club, rows: int) -> None:
    """Rows of every kind: so many pairs, profiles and memberships more in the club, and clubs."""
    for index in range(rows):
        make_club(f"Club {Club.objects.count()}", f"club-{Club.objects.count()}")
        one, other = (
            services.enrol_person(club=club, display_name=f"{name} {club.slug} {index}")
            for name in ("Nord", "Sud")
        )
        services.create_pair(club=club, one=one, other=other)
        source = house_source(f"house-{club.pk}-{Pair.objects.count()}")
        services.adopt_rule_profile(club=club, source=source)


LISTS = [
    f"/admin/tournaments/{model}/"
    for model in ("club", "person", "membership", "pair", "ruleprofile")
]


@pytest.mark.parametrize("name", ["alba", "administrator"])
@pytest.mark.parametrize("page", [*LISTS, PERSON_ADD, PAIR_ADD, f"{RULES}add/", "/admin/"])
def test_thirty_rows_take_the_queries_of_three(
    cast: Cast, sign_in: SignIn, name: str, page: str
) -> None:
    browser = sign_in(name)
    browser.get(page)  # the first request also makes the session known to the cache
    taken = []
    for rows in (3, 27):
        fill(cast.club, rows)
        with CaptureQueriesContext(connection) as queries:
            assert browser.get(page).status_code == 200
        taken.append(len(queries))
    assert taken[0] == taken[1]


def test_enrolling_makes_a_person_and_a_membership(cast: Cast, sign_in: SignIn) -> None:
    data = {"club": cast.club.pk, "display_name": "Ivo Ierardi", "role": Role.HELPER}
    answer = sign_in("alba").post(PERSON_ADD, data, follow=True)
    assert "Ivo Ierardi" in answer.content.decode()
    ivo = Person.objects.get(display_name="Ivo Ierardi")
    assert Membership.objects.get(person=ivo, club=cast.club).role == Role.HELPER


def test_the_only_club_of_an_officer_is_chosen_already(cast: Cast, sign_in: SignIn) -> None:
    for page in (PERSON_ADD, PAIR_ADD, f"{RULES}add/"):
        form = sign_in("alba").get(page).context["adminform"].form
        assert form["club"].value() == cast.club.pk, page


def test_a_pair_that_exists_is_refused_on_the_form(cast: Cast, sign_in: SignIn) -> None:
    data = {"club": cast.club.pk, "first": cast.dino.pk, "second": cast.carla.pk}
    answer = sign_in("bruno").post(PAIR_ADD, data)
    assert codes(answer) == {"__all__": ["pair_exists"]}


def test_a_pair_of_one_is_refused_at_the_second_player(cast: Cast, sign_in: SignIn) -> None:
    data = {"club": cast.club.pk, "first": cast.dino.pk, "second": cast.dino.pk}
    assert codes(sign_in("bruno").post(PAIR_ADD, data)) == {"second": ["same_person"]}


def test_a_pair_is_made_in_any_order(cast: Cast, sign_in: SignIn) -> None:
    data = {"club": cast.club.pk, "first": cast.bruno.pk, "second": cast.dino.pk}
    assert sign_in("bruno").post(PAIR_ADD, data).status_code == 302
    assert Pair.objects.filter(club=cast.club).count() == 2


def test_the_last_director_is_refused_at_the_role(cast: Cast, sign_in: SignIn) -> None:
    membership = Membership.objects.get(person=cast.alba)
    page = reverse("admin:tournaments_membership_change", args=[membership.pk])
    assert codes(sign_in("alba").post(page, {"role": Role.PLAYER})) == {"role": ["last_director"]}


def test_a_bad_club_is_refused_field_by_field(cast: Cast, sign_in: SignIn) -> None:
    page = reverse("admin:tournaments_club_change", args=[cast.club.pk])
    data = {
        "name": "Aurora",
        "slug": "poniente",
        "country": "IT",
        "language": "it",
        "time_zone": "Europe/Rome",
    }
    browser = sign_in("alba")
    assert codes(browser.post(page, data)) == {"slug": ["slug_taken"]}
    bad = {**data, "slug": "aurora", "country": "i1", "time_zone": "Rome"}
    assert codes(browser.post(page, bad)).keys() == {"country", "time_zone"}
    assert browser.post(page, {**data, "slug": "aurora"}).status_code == 302
    assert Club.objects.get(pk=cast.club.pk).name == "Aurora"


def test_anonymising_asks_first_and_then_shows_the_ghost(cast: Cast, sign_in: SignIn) -> None:
    page = reverse("admin:tournaments_person_anonymise", args=[cast.carla.pk])
    ghost = services.ghost_name(cast.carla.public_id)
    browser = sign_in("alba")
    assert ghost in browser.get(page).content.decode()
    assert Person.objects.get(pk=cast.carla.pk).display_name == "Carla Conti"
    after = browser.post(page, follow=True).content.decode()
    assert ghost in after
    assert "Carla Conti" not in after


def test_anonymising_the_last_director_says_why_not(cast: Cast, sign_in: SignIn) -> None:
    page = reverse("admin:tournaments_person_anonymise", args=[cast.alba.pk])
    after = sign_in("alba").post(page, follow=True)
    assert "without a director" in after.content.decode()
    assert Person.objects.get(pk=cast.alba.pk).anonymised_at is None


@pytest.mark.parametrize("profile_id", FOUNDING)
def test_a_founding_profile_is_read_and_cloned_in_two_steps(
    cast: Cast, sign_in: SignIn, profile_id: str
) -> None:
    browser = sign_in("alba")
    assert f"{RULES}founding/{profile_id}/" in browser.get(RULES).content.decode()
    shown = browser.get(f"{RULES}founding/{profile_id}/").content.decode()
    clone = f"{RULES}add/?from={profile_id}"
    assert clone in shown
    source = browser.get(clone).context["adminform"].form["source"].value()
    answer = browser.post(clone, {"club": cast.club.pk, "source": source})
    assert answer.status_code == 302
    assert RuleProfile.objects.get().profile_id == f"{profile_id}-aurora"


def test_a_founding_profile_cannot_be_changed(cast: Cast, sign_in: SignIn) -> None:
    browser = sign_in("administrator")
    shown = browser.get(f"{RULES}founding/buraco-aberto/").content.decode()
    assert "<textarea" not in shown
    source = house_source("buraco-aberto")
    answer = browser.post(f"{RULES}add/", {"club": cast.club.pk, "source": source})
    assert codes(answer) == {"source": ["founding_id"]}


@pytest.mark.parametrize("page", ["add/?from=nothing", "founding/nothing/"])
def test_an_unknown_founding_profile_is_not_found(sign_in: SignIn, page: str) -> None:
    assert sign_in("alba").get(RULES + page).status_code == 404


def test_a_helper_reads_the_rules_and_is_offered_no_clone(sign_in: SignIn) -> None:
    browser = sign_in("bruno")
    for page in (RULES, f"{RULES}founding/buraco-aberto/"):
        assert "?from=" not in browser.get(page).content.decode()


def test_each_fault_of_the_rules_is_shown_at_the_text(cast: Cast, sign_in: SignIn) -> None:
    source = house_source().replace("hand = 11", "hand = 99").replace("joker = 20", "joker = 3")
    answer = sign_in("alba").post(f"{RULES}add/", {"club": cast.club.pk, "source": source})
    assert set(codes(answer)["source"]) == {"bad_profile"}
    text = answer.content.decode()
    assert "deal.hand: " in text
    assert "scores.joker: " in text
    assert "hand = 99" in text  # nothing typed is lost
    assert not RuleProfile.objects.exists()


def test_rules_are_edited_as_a_whole(cast: Cast, sign_in: SignIn) -> None:
    row = services.adopt_rule_profile(club=cast.club, source=house_source())
    page = f"{RULES}{row.pk}/change/"
    browser = sign_in("alba")
    source = browser.get(page).context["adminform"].form["source"].value()
    edited = source.replace("target = 3000", "target = 2000")
    assert browser.post(page, {"source": edited}).status_code == 302
    row.refresh_from_db()
    assert (row.version, row.body["target"]) == (1, 2000)


def test_a_change_of_rules_in_use_leads_to_the_new_version(cast: Cast, sign_in: SignIn) -> None:
    first = services.adopt_rule_profile(club=cast.club, source=house_source())
    play_a_game_by(first)
    browser = sign_in("alba")
    assert "in use by games" in browser.get(RULES).content.decode()
    edited = house_source().replace("target = 3000", "target = 2000")
    answer = browser.post(f"{RULES}{first.pk}/change/", {"source": edited}, follow=True)
    text = answer.content.decode()
    assert "your change is version 2" in text
    assert "replaced by a newer version" in text
    assert [row.version for row in RuleProfile.objects.all()] == [2, 1]


def test_a_replaced_version_is_shown_and_not_edited(cast: Cast, sign_in: SignIn) -> None:
    first = services.adopt_rule_profile(club=cast.club, source=house_source())
    play_a_game_by(first)
    edited = house_source().replace("target = 3000", "target = 2000")
    services.revise_rule_profile(rule_profile=first, source=edited)
    browser = sign_in("alba")
    shown = browser.get(f"{RULES}{first.pk}/change/")
    assert shown.status_code == 200
    assert 'name="source"' not in shown.content.decode()
    assert browser.post(f"{RULES}{first.pk}/change/", {"source": edited}).status_code == 403


def test_rules_in_use_offer_no_deleting(cast: Cast, sign_in: SignIn) -> None:
    row = services.adopt_rule_profile(club=cast.club, source=house_source())
    browser = sign_in("alba")
    assert browser.get(f"{RULES}{row.pk}/delete/").status_code == 200
    play_a_game_by(row)
    assert browser.post(f"{RULES}{row.pk}/delete/", {"post": "yes"}).status_code == 403
    assert RuleProfile.objects.filter(pk=row.pk).exists()


def test_the_history_of_a_row_tells_who_changed_it(cast: Cast, sign_in: SignIn) -> None:
    row = services.adopt_rule_profile(club=cast.club, source=house_source())
    browser = sign_in("alba")
    edited = house_source().replace("target = 3000", "target = 2000")
    browser.post(f"{RULES}{row.pk}/change/", {"source": edited})
    history = browser.get(f"{RULES}{row.pk}/history/").content.decode()
    assert "alba" in history
    assert "Changed Rules" in history


@pytest.mark.parametrize("sent", ["abc", "9" * 40, "-1", "\x00", "1.5"])
@pytest.mark.parametrize("page", [PAIR_ADD, PERSON_ADD, "/admin/tournaments/membership/add/"])
def test_what_is_no_number_is_a_choice_that_does_not_exist(
    cast: Cast, sign_in: SignIn, page: str, sent: str
) -> None:
    browser = sign_in("administrator")
    values = dict.fromkeys(("club", "first", "second", "person", "role", "account"), sent)
    assert browser.get(page, values).status_code == 200
    answer = browser.post(page, values)
    assert answer.status_code == 200
    assert codes(answer), "the fields say what is wrong"
