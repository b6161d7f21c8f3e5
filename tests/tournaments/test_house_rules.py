"""A club's own rules: read whole, cloned from the founding four, never changed behind a game."""

import pytest

from games.rules.profile import FOUNDING, load_profile, parse_profile, profile_digest
from tests.cast import Cast, house_source, make_club, play_a_game_by
from tournaments import house_rules, selectors, services
from tournaments.errors import ServiceError
from tournaments.models import RuleProfile


def refused_source(source: str) -> ServiceError:
    with pytest.raises(ServiceError) as refused:
        house_rules.read_rules(source)
    return refused.value


@pytest.mark.parametrize("profile_id", FOUNDING)
def test_a_founding_profile_is_cloned_comments_and_all(cast: Cast, profile_id: str) -> None:
    shipped = house_rules.founding_source(profile_id)
    source = house_rules.renamed(shipped, club_name='The "Aurora"', club_slug="aurora")
    row = services.adopt_rule_profile(club=cast.club, source=source)
    founding = load_profile(profile_id)
    assert row.profile_id == f"{profile_id}-aurora"
    assert row.body["name"] == f'{founding.name} (The "Aurora")'
    assert source.count("#") == shipped.count("#") > 0
    cloned = parse_profile({**row.body, "id": founding.id, "name": founding.name})
    assert cloned == founding


def test_a_long_club_name_still_gives_a_valid_clone() -> None:
    shipped = house_rules.founding_source("buraco-aberto")
    source = house_rules.renamed(shipped, club_name="n" * 100, club_slug="s" * 60)
    rules = house_rules.read_rules(source)
    assert len(rules.profile.id) <= 60
    assert len(rules.profile.name) <= 80


def test_only_the_top_level_name_is_renamed() -> None:
    source = 'id = "a"\n[part]\nid = "b"\nname = "c"\n'
    renamed = house_rules.renamed(source, club_name="Aurora", club_slug="aurora")
    assert renamed == 'id = "a-aurora"\n[part]\nid = "b"\nname = "c"\n'


def test_rules_that_are_no_toml_are_refused_by_line() -> None:
    refused = refused_source('id = "x"\nname = \n')
    assert refused.code == "toml_syntax"
    assert "line 2" in str(refused)


@pytest.mark.parametrize("source", ["a = " + "[" * 20_000, "a = " + "9" * 20_000, "\x00"])
def test_text_made_to_break_the_reader_is_refused(source: str) -> None:
    assert refused_source(source).code == "toml_syntax"


def test_rules_without_end_are_refused() -> None:
    assert refused_source("#" * 32_769).code == "too_long"


def test_a_typo_is_refused_with_its_field() -> None:
    refused = refused_source(house_source().replace("hand =", "hnad ="))
    assert refused.code == "bad_profile"
    assert any("hnad" in field + str(message) for field, message in refused.problems)


def test_every_senseless_field_is_named() -> None:
    source = house_source().replace("hand = 11", "hand = 99").replace("joker = 20", "joker = 3")
    refused = refused_source(source)
    assert refused.code == "bad_profile"
    assert {field for field, _message in refused.problems} >= {"deal.hand", "scores.joker"}


@pytest.mark.parametrize("profile_id", FOUNDING)
def test_no_club_takes_the_id_of_a_founding_profile(cast: Cast, profile_id: str) -> None:
    with pytest.raises(ServiceError) as refused:
        services.adopt_rule_profile(club=cast.club, source=house_rules.founding_source(profile_id))
    assert (refused.value.code, refused.value.problems[0][0]) == ("founding_id", "id")


def test_an_unknown_founding_profile_is_refused() -> None:
    with pytest.raises(ServiceError) as refused:
        house_rules.founding_source("../../secret")
    assert refused.value.code == "unknown_profile"


def test_an_id_is_taken_once_a_club(cast: Cast) -> None:
    services.adopt_rule_profile(club=cast.club, source=house_source())
    services.adopt_rule_profile(club=cast.other_club, source=house_source())
    with pytest.raises(ServiceError) as refused:
        services.adopt_rule_profile(club=cast.club, source=house_source())
    assert refused.value.code == "profile_exists"


def test_rules_that_no_game_used_are_rewritten_in_place(cast: Cast) -> None:
    row = services.adopt_rule_profile(club=cast.club, source=house_source())
    source = house_source().replace("target = 3000", "target = 2000")
    revised = services.revise_rule_profile(rule_profile=row, source=source)
    assert (revised.pk, revised.version, revised.body["target"]) == (row.pk, 1, 2000)
    assert revised.digest == profile_digest(parse_profile(revised.body)) != row.digest


def test_the_id_of_rules_stays(cast: Cast) -> None:
    row = services.adopt_rule_profile(club=cast.club, source=house_source())
    with pytest.raises(ServiceError) as refused:
        services.revise_rule_profile(rule_profile=row, source=house_source("another"))
    assert refused.value.code == "id_changed"


def test_line_ends_of_any_browser_are_kept_plain(cast: Cast) -> None:
    row = services.adopt_rule_profile(club=cast.club, source=house_source().replace("\n", "\r\n"))
    assert row.source == house_source()


def test_rules_that_no_game_used_can_be_deleted(cast: Cast) -> None:
    row = services.adopt_rule_profile(club=cast.club, source=house_source())
    assert not selectors.is_in_use(row.digest)
    services.delete_rule_profile(rule_profile=row)
    assert not RuleProfile.objects.exists()


def test_rules_that_a_game_used_are_frozen_and_a_change_is_a_new_version(cast: Cast) -> None:
    first = services.adopt_rule_profile(club=cast.club, source=house_source())
    play_a_game_by(first)
    edited = house_source().replace("target = 3000", "target = 2000")
    second = services.revise_rule_profile(rule_profile=first, source=edited)
    assert (second.version, second.body["target"]) == (2, 2000)
    kept = RuleProfile.objects.get(version=1)
    assert (kept.source, kept.body, kept.digest) == (first.source, first.body, first.digest)
    assert selectors.profiles_offered_to(cast.club)[-1].version == 2


def test_the_next_version_is_rewritten_until_a_game_uses_it(cast: Cast) -> None:
    first = services.adopt_rule_profile(club=cast.club, source=house_source())
    play_a_game_by(first)
    row = first
    for target in (2000, 2500):
        edited = house_source().replace("target = 3000", f"target = {target}")
        row = services.revise_rule_profile(rule_profile=row, source=edited)
    assert (row.version, row.body["target"]) == (2, 2500)
    play_a_game_by(row)
    assert services.revise_rule_profile(rule_profile=row, source=house_source()).version == 3


def test_remarks_change_without_a_new_version(cast: Cast) -> None:
    first = services.adopt_rule_profile(club=cast.club, source=house_source())
    play_a_game_by(first)
    remarked = house_source() + "# agreed by the assembly\n"
    same = services.revise_rule_profile(rule_profile=first, source=remarked)
    assert (same.pk, same.version, same.digest) == (first.pk, 1, first.digest)
    assert same.source == remarked


def test_a_replaced_version_is_not_edited(cast: Cast) -> None:
    first = services.adopt_rule_profile(club=cast.club, source=house_source())
    play_a_game_by(first)
    edited = house_source().replace("target = 3000", "target = 2000")
    services.revise_rule_profile(rule_profile=first, source=edited)
    with pytest.raises(ServiceError) as refused:
        services.revise_rule_profile(rule_profile=first, source=edited)
    assert refused.value.code == "superseded"
    assert "2" in str(refused.value)


def test_rules_that_a_game_used_are_never_deleted(cast: Cast) -> None:
    row = services.adopt_rule_profile(club=cast.club, source=house_source())
    play_a_game_by(row)
    assert selectors.is_in_use(row.digest)
    with pytest.raises(ServiceError) as refused:
        services.delete_rule_profile(rule_profile=row)
    assert refused.value.code == "in_use"


def test_a_club_is_offered_the_founding_profiles_and_its_own(cast: Cast) -> None:
    row = services.adopt_rule_profile(club=cast.club, source=house_source())
    make_club("Third", "third")
    services.adopt_rule_profile(club=cast.other_club, source=house_source("poniente"))
    offered = selectors.profiles_offered_to(cast.club)
    assert [one.profile.id for one in offered] == [*FOUNDING, "aurora-aperto"]
    assert [one.version for one in offered] == [0, 0, 0, 0, 1]
    assert offered[-1].digest == row.digest
    assert offered[0].profile == load_profile(FOUNDING[0])
