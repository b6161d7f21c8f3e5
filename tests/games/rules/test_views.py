"""What each audience sees of a game: its own hand, the table, and counts."""

import msgspec
import pytest
from msgspec.structs import replace

from games.rules import events as ev
from games.rules.engine import decide as decide_deal
from games.rules.match import evolve, open_game, opened, start_deal
from games.rules.views import (
    ALL,
    PUBLIC,
    audiences,
    public_event,
    seat_audience,
    seat_of,
    view,
)
from tests.games.rules.tables import P0, P3, P4, discard, draw, meld, row, table, take
from tests.games.rules.test_dealing_and_match import SHUFFLED
from tests.games.rules.test_reserves_and_ending import OTHER_POT, POT

HOLDERS = ("Carla", "Dino", "Elsa", "Furio")


def game_of(t, profile, seats=4):
    """A game whose deal is this table."""
    started = opened(open_game(profile, seats, ev.MatchFormat(), HOLDERS[:seats], "c0"))
    game = evolve(started, start_deal(started, SHUFFLED, seats - 1))
    return replace(game, deal=t.deal)


def told(t, profile, move, audience, seats=4):
    """The game after a move, and its events as an audience is told them."""
    game = game_of(t, profile, seats)
    told_events = []
    for event in decide_deal(game.deal, move):
        game = evolve(game, event)
        told_events.append(public_event(game, event, audience))
    return game, told_events


def test_a_seat_sees_its_own_hand_and_counts_of_the_others():
    """S3-12, S0-24."""
    t = table(P0, hand="5S 6S KC", hands={1: "4C 4D"}, pile="QD 8D", melds=["3H 4H 5H"])
    game = game_of(t, P0)
    for audience in audiences(4):
        shown = view(game, audience)
        assert shown["hands"] == [3, 2, 3, 3]
        assert shown["melds"][0][0]["cards"] == ["3H", "4H", "5H"]
        assert shown["stock"] == len(t.deal.stock)
        assert shown["reserves"] == 2
    assert view(game, "seat-0")["hand"] == ["5S", "6S", "KC"]
    assert view(game, "seat-1")["hand"] == ["4D", "4C"]
    assert view(game, PUBLIC)["hand"] is None


def test_the_open_pile_is_spread_for_all():
    """S3-16, S0-37."""
    shown = view(game_of(table(P3, pile="QD 8D"), P3), PUBLIC)
    assert shown["pile"] == {"count": 2, "cards": ["QD", "8D"]}


def test_of_the_closed_pile_the_last_discard_and_the_count_are_public():
    """S4-32, S4-36."""
    t = table(P4, step="draw", hand="9H TH KC", pile="QD 8D JH")
    for audience in audiences(4):
        shown = view(game_of(t, P4), audience)
        assert shown["pile"] == {"count": 3, "cards": ["JH"]}
    _, rivals = told(t, P4, take("9H TH JH"), "seat-1")
    assert rivals[0] == {"seat": 0, "count": 3}
    _, own = told(t, P4, take("9H TH JH"), "seat-0")
    assert own[0]["cards"] == ["QD", "8D", "JH"]


def test_a_card_drawn_is_told_to_whoever_drew_it():
    """S3-12."""
    t = table(P0, step="draw", hand="KC QC", stock="3S 4S 5S 6S")
    for audience in audiences(4):
        _, (drawn,) = told(t, P0, draw(), audience)
        assert ("card" in drawn) is (audience in {"seat-0", "official"})


def test_reserves_are_hidden_until_taken():
    """S3-11, G4-30: counts only, for officials too."""
    for audience in audiences(4):
        shown = view(game_of(table(P3, reserves=[POT, OTHER_POT], hands={1: "KH"}), P3), audience)
        assert shown["reserves"] == 2


def test_a_reserve_taken_directly_is_told_to_its_owner():
    """S0-42."""
    t = table(P0, hand="5H 6H 7H", reserves=[POT, OTHER_POT])
    for audience in audiences(4):
        game, (_, taken) = told(t, P0, meld("5H 6H 7H"), audience)
        assert ("cards" in taken) is (audience in {"seat-0", "official"})
        assert taken["count"] == 11
    assert sorted(view(game, "seat-0")["hand"]) == sorted(row(POT))


@pytest.mark.parametrize("seats", [4, 2])
def test_a_reserve_taken_by_the_discard_is_not_seen_even_by_its_owner(seats):
    """S0-41, G0-8: until the partner has discarded, or the owner's next turn begins."""
    t = table(P0, seats=seats, hand="9C", reserves=[POT, OTHER_POT])
    game, (_, taken) = told(t, P0, discard("9C"), "seat-0", seats)
    assert taken == {"seat": 0, "side": 0, "count": 11, "direct": False}
    assert view(game, "seat-0")["hand"] is None
    opens_at = 2 if seats == 4 else 1
    for seat in range(1, seats):
        for move in (draw(seat), discard(game.deal.stock[-1], seat)):
            events = decide_deal(game.deal, move)
            game = evolve(game, events[0])
            data = public_event(game, events[0], "seat-0")
            seen = seat > opens_at or (seat == opens_at and move.__class__.__name__ == "Discard")
            assert (view(game, "seat-0")["hand"] is not None) is seen
            if seat == opens_at and seen:
                assert sorted(data["hand"]) == sorted(row(POT))
            for other in range(1, seats):
                assert "hand" not in public_event(game, events[0], seat_audience(other))


def test_the_card_that_has_to_be_shown_is_shown_to_all():
    """S0-39."""
    t = table(P0, step="draw", hand="8D KC QC", pile="8D").plays(take())
    _, (discarded,) = told(t, P0, discard("8D"), PUBLIC)
    assert discarded == {"seat": 0, "card": "8D", "shown": "8D"}


def test_the_first_card_is_known_to_the_starter_alone():
    """S3-14."""
    t = table(P3, step="draw", hand="KC QC", first_turn=True).plays(draw())
    game = game_of(t, P3)
    assert view(game, "seat-0")["first_card"] == t.events[0].card
    assert "first_card" not in view(game, "seat-1")
    assert "first_card" not in view(game, PUBLIC)


def test_the_start_of_a_deal_gives_each_seat_its_hand():
    """S3-12, S4-25."""
    game = opened(open_game(P3, 4, ev.MatchFormat(), HOLDERS, "c0"))
    started = start_deal(game, SHUFFLED, 3)
    game = evolve(game, started)
    for audience in audiences(4):
        shown = public_event(game, started, audience)
        assert shown["hands"] == [11, 11, 11, 11]
        assert shown["stock"] == 42
        seat = seat_of(audience)
        assert shown.get("hand") == (None if seat is None else list(started.hands[seat]))


def test_an_unknown_event_raises():
    """Allow-lists: nothing is shown that was not named."""

    class CoffeeServed(ev.Event, frozen=True):
        seat: int

    game = game_of(table(P0), P0)
    for audience in audiences(4):
        with pytest.raises(TypeError, match="CoffeeServed"):
            public_event(game, CoffeeServed(0), audience)


def test_every_event_type_is_named_for_the_audiences():
    from games.rules.views import _SHOW

    assert set(_SHOW) == set(ev.TYPE_NAMES)


@pytest.mark.parametrize(
    "audience", ["", "seat", "seat-", "seat-4", "seat--1", "SEAT-0", "seat-00"]
)
def test_an_unknown_audience_raises(audience):
    with pytest.raises(ValueError, match="no audience"):
        view(game_of(table(P0), P0), audience)


def test_a_view_is_plain_json():
    for audience in audiences(4):
        msgspec.json.encode(view(game_of(table(P0), P0), audience))


def test_who_sees_all_is_none_of_those_who_are_sent_a_running_game():
    assert ALL not in audiences(4)
    assert seat_of(ALL) is None
