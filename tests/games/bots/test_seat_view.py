"""A player at a seat knows what the table shows and its own hand, and nothing else."""

import random
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from games.bots.players import PLAYERS
from games.bots.seat import seat_view
from games.rules import events as ev
from games.rules import match
from games.rules.cards import pack, size, unpack
from games.rules.legal import legal_moves
from games.rules.profile import FOUNDING, Pile, load_profile
from games.rules.shuffle import shuffled_pack
from games.rules.state import Deal, reserve_is_seen

KINDS = [(profile, seats) for profile in FOUNDING for seats in (4, 2)]


def moments(profile_id: str, seats: int, seed: int) -> Iterator[Deal]:
    """Every moment of a deal, played by random players."""
    luck = random.Random(seed)
    profile = load_profile(profile_id)
    names = ("Carla", "Elsa", "Dino", "Furio")[:seats]
    game = match.opened(match.open_game(profile, seats, ev.MatchFormat(), names, "0" * 64))
    game = match.evolve(
        game, match.start_deal(game, shuffled_pack(luck.randbytes(64), profile.pack), 0)
    )
    while game.deal is not None and game.deal.ended is None:
        yield game.deal
        legal = legal_moves(game.deal, game.deal.turn)
        move = PLAYERS["random"].choose(seat_view(game.deal, game.deal.turn), legal, luck)
        for event in match.decide(game, move):
            game = match.evolve(game, event)


def dealt_anew(deal: Deal, seat: int, luck: random.Random) -> Deal:
    """The same deal, all that this seat cannot know dealt in another way."""
    knows_own = reserve_is_seen(deal, seat)
    hidden_seats = [s for s in range(deal.seats) if s != seat or not knows_own]
    closed = deal.rules.profile.turn.pile is Pile.CLOSED
    buried = deal.pile[:-1] if closed else ()
    cards = [card for other in hidden_seats for card in unpack(deal.hands[other])]
    cards += [*deal.stock, *buried, *(card for reserve in deal.reserves for card in reserve)]
    luck.shuffle(cards)

    def some(count: int) -> tuple[str, ...]:
        return tuple(cards.pop() for _ in range(count))

    hands = tuple(
        pack(some(size(hand))) if s in hidden_seats else hand for s, hand in enumerate(deal.hands)
    )
    return replace(
        deal,
        hands=hands,
        stock=some(len(deal.stock)),
        pile=(*some(len(buried)), *deal.pile[len(buried) :]),
        reserves=tuple(some(len(reserve)) for reserve in deal.reserves),
    )


@pytest.mark.parametrize(("profile_id", "seats"), KINDS)
def test_what_a_seat_cannot_know_changes_nothing_in_its_view(profile_id: str, seats: int) -> None:
    luck = random.Random(5)
    for deal in moments(profile_id, seats, seed=11):
        for seat in range(seats):
            if seat == deal.turn or (deal.first_card is None and deal.single is None):
                other = dealt_anew(deal, seat, luck)
                assert seat_view(other, seat) == seat_view(deal, seat)


@pytest.mark.parametrize(("profile_id", "seats"), KINDS)
def test_the_sensible_player_chooses_alike_whatever_it_cannot_know(
    profile_id: str, seats: int
) -> None:
    luck = random.Random(6)
    sensible = PLAYERS["sensible"]
    for deal in moments(profile_id, seats, seed=12):
        seat = deal.turn
        legal = legal_moves(deal, seat)
        other = dealt_anew(deal, seat, luck)
        assert sensible.choose(seat_view(deal, seat), legal, luck) == sensible.choose(
            seat_view(other, seat), legal, luck
        )


def test_the_card_that_another_seat_may_reject_is_not_shown() -> None:
    deals = moments("buraco-aberto", 4, seed=3)
    deal = next(deal for deal in deals if deal.first_card is not None)
    assert seat_view(deal, deal.turn).first_card == deal.first_card
    for other in set(range(4)) - {deal.turn}:
        assert seat_view(deal, other).first_card is None


def test_a_reserve_fetched_by_a_discard_is_not_seen_at_once() -> None:
    """S0-41: its owner looks at it once the partner has discarded."""
    waiting = next(
        (deal, seat)
        for seed in range(40)
        for deal in moments("buraco-clasico", 4, seed)
        for seat in range(4)
        if deal.waiting[seat] and not reserve_is_seen(deal, seat)
    )
    deal, seat = waiting
    assert seat_view(deal, seat).hand == 0
    assert seat_view(deal, seat).counts[seat] == 11
