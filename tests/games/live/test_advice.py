"""What a player is told before moving: as the rules decide, and nothing of what lies hidden."""

import random

import msgspec
import pytest
from msgspec.structs import replace

from games.eventstore.chain import Head
from games.live.advice import legal_answer, trial_answer
from games.rules import events as ev
from games.rules import match
from games.rules.cards import ALL_CARDS, pack, unpack
from games.rules.legal import legal_moves
from games.rules.moves import Discard, LayMelds, Placement, Take
from games.rules.profile import Pile, load_profile
from games.rules.refusals import Refusal
from games.rules.shuffle import shuffled_pack
from games.rules.state import Step
from games.tables.folding import Folded
from games.tables.loading import load
from tests.games.play import FOUR, hasty

PROFILES = ["buraco-aberto", "buraco-fechado-stbl", "burraco-italiano"]
encode = msgspec.json.Encoder(order="sorted").encode


def folded(game: match.Game) -> Folded:
    return Folded(1, Head(7, ""), game, b"")


def course(profile_id: str, seed: int, *, totals: tuple[int, int] = (0, 0)):
    """The games of one deal, move by move."""
    profile = load_profile(profile_id)
    game = match.opened(match.open_game(profile, 4, ev.MatchFormat(9000), FOUR, "00" * 32))
    game = replace(game, totals=totals)
    shuffled = shuffled_pack(bytes([seed]) * 64, profile.pack)
    game = match.evolve(game, match.start_deal(game, shuffled, dealer=0))
    luck = random.Random(seed)
    while game.deal.ended is None:
        yield game
        for event in match.decide(game, hasty(game.deal, luck)):
            game = match.evolve(game, event)


def as_sent(shown: dict) -> Placement:
    """What a browser makes of a placement that it was shown."""
    layout = shown.get("layout")
    return Placement(
        tuple(shown["cards"]), shown.get("onto"), layout=None if layout is None else tuple(layout)
    )


def laid_by(decided: list) -> list[list[str]]:
    melded = next(event for event in decided if isinstance(event, ev.Melded))
    return [list(laid.layout) for laid in melded.placements]


@pytest.mark.parametrize("profile_id", PROFILES)
@pytest.mark.parametrize("totals", [(0, 0), (2500, 2500)], ids=["fresh", "vulnerable"])
def test_each_move_that_is_listed_is_one_and_makes_the_meld_that_is_shown(profile_id, totals):
    several = 0
    for game in course(profile_id, 1, totals=totals):
        deal, seat = game.deal, game.deal.turn
        answer = legal_answer(folded(game), seat)
        legal = legal_moves(deal, seat)
        assert (answer["draw"], answer["take"], answer["reject"], tuple(answer["discards"])) == (
            legal.draw, legal.take, legal.reject, legal.discards,
        )  # fmt: skip
        singles = [(Take(seat, (as_sent(one),)), [one]) for one in answer["using"]]
        singles += [(LayMelds(seat, (as_sent(one),)), [one]) for one in answer["melds"]]
        singles += [
            (LayMelds(seat, tuple(map(as_sent, many))), many) for many in answer["combined"]
        ]
        several += len(answer["combined"])
        assert len(singles) == len(legal.using) + len(legal.melds) + len(legal.combined)
        for move, shown in singles:
            decided = match.decide(game, move)
            assert not isinstance(decided, Refusal), (move, decided)
            assert laid_by(decided) == [list(one["result"]) for one in shown]
            placements = move.using if isinstance(move, Take) else move.place
            trial = trial_answer(folded(game), seat, placements)
            assert trial["ok"]
            assert encode(trial["laid"]) == encode(shown)
        for card in answer["discards"]:
            assert not isinstance(match.decide(game, Discard(seat, card)), Refusal)
        for other in range(4):
            if other != seat:
                none = legal_answer(folded(game), other)
                assert not any(none[name] for name in none if name != "seq")
    assert several or totals == (0, 0) or not load_profile(profile_id).opening.tiers


@pytest.mark.parametrize("profile_id", PROFILES)
def test_a_trial_says_what_the_rules_would_say(profile_id):
    luck = random.Random(9)
    refused = set()
    for game in course(profile_id, 2):
        deal, seat = game.deal, game.deal.turn
        before = encode(deal.hands)
        hand = unpack(deal.hands[seat])
        for _ in range(4):
            source = luck.choice([hand, list(ALL_CARDS)])
            cards = tuple(luck.choices(source, k=luck.randint(1, 6)))
            placements = (Placement(cards, luck.choice([None, None, 0, 1])),)
            closed = deal.rules.profile.turn.pile is Pile.CLOSED
            taking = closed and deal.step is Step.DRAW
            move = Take(seat, placements) if taking else LayMelds(seat, placements)
            decided = match.decide(game, move)
            trial = trial_answer(folded(game), seat, placements)
            assert trial["ok"] == (not isinstance(decided, Refusal))
            if isinstance(decided, Refusal):
                assert (trial["code"], trial["clause"], trial["reason"]) == (
                    decided.code, decided.clause, decided.reason,
                )  # fmt: skip
                refused.add(decided.code)
        assert encode(deal.hands) == before
    assert len(refused) > 3, "the trials have found different faults"


def test_before_drawing_melds_are_not_laid_where_the_pile_is_taken_freely():
    game = next(course("buraco-aberto", 1))
    trial = trial_answer(folded(game), game.deal.turn, (Placement(("4H", "5H", "6H")),))
    assert (trial["ok"], trial["code"]) == (False, "wrong-step")
    assert trial["laid"], "what it would be is shown all the same"


def other_hidden_cards(game: match.Game, seat: int, luck: random.Random) -> match.Game:
    """The same for the eyes of this seat: everything that it does not see is dealt anew."""
    deal = game.deal
    places = [*deal.stock, *deal.pile[:-1], *(card for each in deal.reserves for card in each)]
    others = [each for each in range(4) if each != seat]
    for other in others:
        places += unpack(deal.hands[other])
    luck.shuffle(places)
    taken = iter(places)

    def like(cards) -> tuple[str, ...]:
        return tuple(next(taken) for _ in cards)

    stock = like(deal.stock)
    pile = (*like(deal.pile[:-1]), *deal.pile[-1:])
    reserves = tuple(map(like, deal.reserves))
    hands = list(deal.hands)
    for other in others:
        hands[other] = pack(like(unpack(deal.hands[other])))
    changed = replace(deal, stock=stock, pile=pile, reserves=reserves, hands=tuple(hands))
    return replace(game, deal=changed)


def test_neither_list_nor_trial_tells_what_lies_hidden():
    """Whatever the hidden cards are, the answers are the same bytes; trying finds none of them."""
    luck = random.Random(5)
    compared = 0
    for number, game in enumerate(course("buraco-fechado-stbl", 3)):
        deal = game.deal
        for seat in (deal.turn, (deal.turn + 1) % 4):
            # What is left of a hand of few cards after taking the pile is for the move itself to
            # tell: the rules look at it.
            few = len(unpack(deal.hands[seat])) + len(deal.pile) < 8
            if number % 4 or few or deal.waiting[seat]:
                continue
            twin = other_hidden_cards(game, seat, luck)
            assert encode(legal_answer(folded(game), seat)) == encode(
                legal_answer(folded(twin), seat)
            )
            top = deal.pile[-1:]
            hand = unpack(deal.hands[seat])
            for card in ALL_CARDS:
                for tried in (
                    (Placement((card, card, card)),),
                    (Placement((*top, *hand[:2])), Placement((card,) * 3)),
                    (Placement((*top, card)), Placement((card,), 0)),
                ):
                    one = trial_answer(folded(game), seat, tried)
                    assert encode(one) == encode(trial_answer(folded(twin), seat, tried))
                    compared += 1
    assert compared > 1000


def test_with_the_pile_taken_by_the_first_the_rest_comes_from_the_own_hand():
    found = 0
    for seed in range(6):
        for game in course("buraco-fechado-stbl", seed):
            legal = legal_moves(game.deal, game.deal.turn)
            hidden = set(game.deal.pile[:-1]) - set(unpack(game.deal.hands[game.deal.turn]))
            if not legal.using or not hidden:
                continue
            card = min(hidden)
            tried = (legal.using[0], Placement((card, card, card)))
            answer = trial_answer(folded(game), game.deal.turn, tried)
            assert (answer["ok"], answer["code"]) == (False, "not-in-hand")
            assert trial_answer(folded(game), game.deal.turn, tried[:1])["ok"]
            found += 1
    assert found > 3


def test_in_a_pause_nothing_is_listed():
    game = next(course("buraco-aberto", 1))
    paused = match.evolve(game, ev.GamePaused("ruling"))
    answer = legal_answer(folded(paused), game.deal.turn)
    assert not any(answer[name] for name in answer if name != "seq")


# --- on the socket -------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_a_seat_asks_and_tries_and_nothing_changes(table):
    turn = load(table.game.stream).state.deal.turn
    player = table.connect(turn)
    player.say(t="legal", seq=2)
    answer = player.until("legal")
    assert (answer["seq"], answer["draw"], answer["melds"]) == (2, True, [])
    player.move(move="draw")
    player.say(t="try", id="t1", seq=3, place=[{"cards": ["2S", "JK", "4H"]}])
    tried = player.until("tried")
    assert (tried["id"], tried["ok"], tried["seq"]) == ("t1", False, 3)
    assert tried["code"]
    assert tried["clause"]
    assert tried["reason"]
    assert load(table.game.stream).head.seq == 3


@pytest.mark.django_db(transaction=True)
def test_watchers_ask_and_try_nothing(table):
    watcher = table.connect()
    for message in ({"t": "legal", "seq": 2}, {"t": "try", "id": "x", "seq": 2, "place": []}):
        watcher.say(**message)
        assert watcher.until("error")["code"] == "not-seated"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("place", "code"),
    [
        ([], "malformed-move"),
        ([{"cards": []}], "malformed-move"),
        ([{"cards": ["ZZ"]}], "malformed-move"),
        ([{"cards": ["4H"] * 109}], "too-many-cards"),
        ([{"cards": ["4H"]}] * 109, "too-many-cards"),
    ],
)
def test_what_cannot_be_laid_is_not_tried(table, place, code):
    player = table.connect(load(table.game.stream).state.deal.turn)
    player.say(t="try", id="t", seq=2, place=place)
    answer = player.until("error", "tried")
    assert (answer["code"], answer["id"]) == (code, "t")


@pytest.mark.django_db(transaction=True)
def test_out_of_turn_a_trial_tells_nothing_of_any_hand(table):
    seat = (load(table.game.stream).state.deal.turn + 1) % 4
    player = table.connect(seat)
    codes = set()
    for card in ("4H", "KS", "JK"):
        player.say(t="try", id=card, seq=2, place=[{"cards": [card] * 3}])
        codes.add(player.until("tried")["code"])
    assert codes == {"not-your-turn"}
