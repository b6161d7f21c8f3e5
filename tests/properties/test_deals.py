"""What holds in every deal: the cards, the moves offered, the replay, the end, the sheets."""

from collections import Counter
from itertools import combinations
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from games.rules.cards import ALL_CARDS, PACK, WILDS, unpack
from games.rules.dealing import begin
from games.rules.engine import decide
from games.rules.events import BY_NAME, TYPE_NAMES, DealEnded, Melded
from games.rules.evolving import evolve, evolve_all
from games.rules.legal import legal_moves
from games.rules.moves import Discard, Draw, LayMelds, Placement, Reject, Take
from games.rules.positions import Position, read_position, write_position
from games.rules.profile import load_profile
from games.rules.refusals import Refusal
from games.rules.state import sheets_of, side_of
from tests import oracles
from tests.strategies import KINDS_OF_DEAL, deal_from, played, random_deal, some_of

each_kind = pytest.mark.parametrize(("profile_id", "seats"), KINDS_OF_DEAL)
MANY = 50
"""Deals a chunk of the long run; forty chunks a profile, half with four seats, half with two."""


def cards_in(deal):
    """Every card of a deal, wherever it lies."""
    lying = [*deal.pile, *deal.stock]
    for hand in deal.hands:
        lying += unpack(hand)
    for reserve in deal.reserves:
        lying += reserve
    for side in deal.melds:
        for meld in side:
            lying += meld.cards
    return Counter(lying)


def result(events):
    """What a placement made: the meld's number, the cards and the layout, sets in any order."""
    (melded,) = [event for event in events if isinstance(event, Melded)]
    return tuple(
        (laid.meld, tuple(sorted(laid.cards)), oracles.in_order(laid.layout))
        for laid in melded.placements
    )


def all_results(deal, placements, *, using):
    """What each listed placement makes, each of which has to be accepted."""
    found = []
    for placement in placements:
        move = Take(deal.turn, (placement,)) if using else LayMelds(deal.turn, (placement,))
        events = decide(deal, move)
        assert not isinstance(events, Refusal), f"{move} is listed and refused: {events.code}"
        found.append(result(events))
    assert len(set(found)) == len(found), "a move is listed twice"
    return set(found)


def snapshot(deal):
    return msgspec.json.encode(write_position(deal))


# Near misses


def neighbours(random, placement, hand, melds):
    """Placements next to a legal one: a card changed, dropped or added, another meld or layout."""
    cards, onto = list(placement.cards), placement.onto
    index = random.randrange(len(cards))
    yield Placement((*cards[:index], random.choice(ALL_CARDS), *cards[index + 1 :]), onto)
    yield Placement((*cards[:index], random.choice(hand), *cards[index + 1 :]), onto)
    if len(cards) > 1:
        yield Placement((*cards[:index], *cards[index + 1 :]), onto)
    yield Placement((*cards, random.choice(hand)), onto)
    yield Placement((*cards, random.choice(ALL_CARDS)), onto)
    yield Placement(tuple(cards), random.randrange(-1, melds + 2))
    yield Placement(tuple(cards), onto, wild="low")
    yield Placement(tuple(cards), onto, wild="high")
    if placement.layout:
        laid = list(placement.layout)
        random.shuffle(laid)
        yield Placement(tuple(cards), onto, layout=tuple(laid))
    yield Placement(tuple(cards), onto, layout=tuple(cards))


def check_near_misses(deal, random):
    """What is near a legal move is accepted and listed, or refused with nothing changed."""
    seat = deal.turn
    before = snapshot(deal)
    moves = legal_moves(deal, seat)
    hand = unpack(deal.hands[seat])
    using = bool(moves.using)
    listed = all_results(deal, moves.using or moves.melds, using=using)
    placements = moves.using or moves.melds or (Placement((random.choice(hand),), 0),)
    for placement in random.sample(placements, min(3, len(placements))):
        for near in neighbours(random, placement, hand, len(deal.melds[side_of(seat)])):
            move = Take(seat, (near,)) if using else LayMelds(seat, (near,))
            events = decide(deal, move)
            if isinstance(events, Refusal):
                assert events.clause
                assert snapshot(deal) == before
            else:
                assert result(events) in listed, f"{move} is accepted and not listed"
    for move in (
        Draw(seat),
        Take(seat),
        Reject(seat),
        *(Discard(seat, card) for card in ALL_CARDS),
    ):
        offered = {Draw: moves.draw, Take: moves.take, Reject: moves.reject}
        is_listed = offered.get(type(move))
        if isinstance(move, Discard):
            is_listed = move.card in moves.discards
        assert isinstance(decide(deal, move), Refusal) is not is_listed, move
    for other in range(deal.seats):
        if other != seat:
            assert len(legal_moves(deal, other)) == 0
            for wrong in (Draw(other), Take(other), Discard(other, hand[0] if hand else "JK")):
                assert decide(deal, wrong).code == "not-your-turn"


# Completeness


def check_complete(deal):
    """Every selection of a small hand, with every layout of the text, is listed or refused."""
    seat = deal.turn
    moves = legal_moves(deal, seat)
    profile, melds = deal.rules.profile, deal.melds[side_of(seat)]
    top = deal.pile[-1:] if moves.using or (moves.draw and deal.pile) else ()
    using = deal.step.value == "draw"
    if using and profile.turn.pile.value == "open":
        return
    listed = all_results(deal, moves.using if using else moves.melds, using=using)
    hand = [*unpack(deal.hands[seat]), *(top if using else ())]
    accepted = set()
    selections = {
        tuple(sorted(chosen))
        for number in range(1, len(hand) + 1)
        for chosen in combinations(hand, number)
    }
    for chosen in selections:
        for onto in (None, *range(len(melds))):
            laid = () if onto is None else melds[onto].cards
            choices = [Placement(chosen, onto)]
            choices += [
                Placement(chosen, onto, layout=layout)
                for layout in oracles.layouts(profile, laid, chosen)
            ]
            for choice in choices:
                move = Take(seat, (choice,)) if using else LayMelds(seat, (choice,))
                events = decide(deal, move)
                if not isinstance(events, Refusal):
                    accepted.add(result(events))
    assert accepted == listed


# The sheets, counted again


def recount(profile_id, deal, reserves_taken, waiting, ended):
    """The points of each side from the cards that lie there."""
    totals = []
    for side in (0, 1):
        points = 0
        for meld in deal.melds[side]:
            points += sum(oracles.value(profile_id, card) for card in meld.cards)
            points += oracles.bonus(profile_id, meld.cards, meld.at_once)
        for seat in range(side, deal.seats, 2):
            rivals_out = ended.seat is not None and ended.seat % 2 != side
            if profile_id == "buraco-aberto" and waiting[seat] and rivals_out:
                points -= 100
            else:
                points -= sum(oracles.value(profile_id, c) for c in unpack(deal.hands[seat]))
        if ended.seat is not None and ended.seat % 2 == side:
            points += 100
        if side not in reserves_taken and (reserves_taken or profile_id == "buraco-fechado-stbl"):
            points -= 100
        totals.append(points)
    return totals


def check_deal(profile_id, seats, seed, *, closely):
    profile = load_profile(profile_id)
    pack = Counter(PACK)
    random = Random(seed)
    steps = list(random_deal(profile_id, seats, seed))
    events = [event for step in steps for event in step.events]
    reserves_taken, waiting = set(), [False] * seats

    for step in steps:
        assert cards_in(step.after) == pack
        for event in step.events:
            name = TYPE_NAMES[type(event)]
            if name in {"card_drawn", "pile_taken"}:
                waiting[event.seat] = False
            if name == "reserve_taken":
                assert event.side not in reserves_taken
                reserves_taken.add(event.side)
                waiting[event.seat] = not event.direct
        assert list(step.after.waiting) == waiting

    # The events alone, read back from their bytes, give the same state.
    deal = begin(profile, seats, deal_from(profile, seats, seed))
    for event in events:
        name = TYPE_NAMES[type(event)]
        again = msgspec.json.decode(msgspec.json.encode(event), type=BY_NAME[name])
        assert again == event
        deal = evolve(deal, again)
    last = steps[-1].after
    assert deal == last

    assert [type(event) for event in events].count(DealEnded) == 1
    assert isinstance(events[-1], DealEnded)
    assert last.ended is not None
    assert decide(last, Draw(last.turn)).code == "deal-over"
    assert all(len(legal_moves(last, seat)) == 0 for seat in range(seats))

    sheets = sheets_of(last, last.ended.seat)
    assert [sheet.total for sheet in sheets] == recount(
        profile_id, last, reserves_taken, waiting, last.ended
    )
    for sheet in sheets:
        assert sheet.total == sum(line.points for line in sheet.lines)
        assert len({line.code for line in sheet.lines}) == len(sheet.lines)
    check_closing(profile_id, steps[-1])

    for step in some_of(random, steps, 12 if closely else 3):
        check_near_misses(step.before, random)
        check_position(step.before)
    small = [step for step in steps if len(unpack(step.before.hands[step.before.turn])) <= 7]
    for step in some_of(random, small, 4 if closely else 1):
        check_complete(step.before)
    return len(steps)


def check_closing(profile_id, step):
    """Whoever went out had the right to, by the text."""
    seat = step.after.ended.seat
    if seat is None:
        floor = 2 if profile_id == "buraco-clasico" else 0
        assert len(step.after.stock) == floor
        if profile_id in {"buraco-aberto", "buraco-fechado-stbl"}:
            assert step.after.reserves == ()
        return
    side = seat % 2
    assert step.after.taken[side]
    assert step.after.hands[seat] == 0
    canastas = [meld.cards for meld in step.after.melds[side] if len(meld.cards) >= 7]
    if profile_id in {"buraco-aberto", "buraco-fechado-stbl"}:
        canastas = [cards for cards in canastas if oracles.wild_place(cards) is None]
    assert canastas
    if profile_id != "buraco-fechado-stbl":
        assert isinstance(step.move, Discard)
    if profile_id in {"buraco-clasico", "burraco-italiano"}:
        assert step.move.card not in WILDS


def check_position(deal):
    """A position as written, read again, is the same deal."""
    plain = msgspec.json.decode(msgspec.json.encode(write_position(deal)), type=Position)
    assert read_position(deal.rules, deal.seats, plain) == deal


@each_kind
def test_every_deal_keeps_the_promises(profile_id, seats):
    for seed in range(4):
        check_deal(profile_id, seats, seed, closely=True)


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(20))
@each_kind
def test_many_deals_keep_the_promises(profile_id, seats, chunk):
    for seed in range(1000 + MANY * chunk, 1000 + MANY * (chunk + 1)):
        check_deal(profile_id, seats, seed, closely=False)


@each_kind
def test_small_hands_miss_no_move(profile_id, seats):
    """Hands cut down to nine cards, wild cards among them, with melds on the table."""
    seen = 0
    for seed in range(10, 14):
        random = Random(seed)
        steps = list(random_deal(profile_id, seats, seed))
        for step in some_of(
            random, [s for s in steps if any(s.before.melds[s.before.turn % 2])], 3
        ):
            deal = step.before
            hand = unpack(deal.hands[deal.turn])
            random.shuffle(hand)
            hand = sorted(hand[:8] + ["JK", "2S"][: random.randrange(3)], key=ALL_CARDS.index)[:9]
            trimmed = replace(
                deal,
                hands=tuple(
                    sum(16 ** ALL_CARDS.index(card) for card in hand) if seat == deal.turn else held
                    for seat, held in enumerate(deal.hands)
                ),
            )
            check_complete(trimmed)
            seen += 1
    assert seen


@each_kind
def test_the_same_seed_gives_the_same_deal(profile_id, seats):
    first, second = (list(random_deal(profile_id, seats, 77)) for _ in range(2))
    assert [step.events for step in first] == [step.events for step in second]


@each_kind
def test_a_deal_may_go_on_from_any_position(profile_id, seats):
    """A position read from its text is played to an end like the deal that it was taken from."""
    steps = list(random_deal(profile_id, seats, 5))
    middle = steps[len(steps) // 2].before
    plain = msgspec.json.decode(msgspec.json.encode(write_position(middle)), type=Position)
    again = read_position(middle.rules, seats, plain)
    events = [step.events for step in played(middle, Random(9))]
    assert [step.events for step in played(again, Random(9))] == events
    assert evolve_all(again, [e for some in events for e in some]).ended is not None
