"""Nothing that a viewer may not know changes a byte of what is sent to that viewer.

A deal is played for a while. What a viewer has been told since its start is worked out here, card
by card, with no help of the views. All cards that he cannot know are then dealt out anew among the
places where they lie, and the same moves are played again: each view and each event that he is
sent must come out byte for byte as before. And no card is ever named to him that he may not know.
"""

from collections import Counter
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from games.rules import events as ev
from games.rules.cards import ALL_CARDS, in_order
from games.rules.dealing import sealed
from games.rules.match import decide, evolve, open_game, opened
from games.rules.profile import load_profile
from games.rules.refusals import Refusal
from games.rules.views import audiences, public_event, seat_of, view
from tests.strategies import KINDS_OF_DEAL, deal_from, played

encode = msgspec.json.Encoder(order="sorted").encode
CARDS = frozenset(ALL_CARDS)


class Tokens:
    """Each of the 108 cards as a thing of its own, where it lies, and what a viewer knows of it."""

    def __init__(self, started, seats, audience):
        self.names = []
        self.seats, self.audience, self.viewer = seats, audience, seat_of(audience)
        self.hands = [self._laid(hand) for hand in started.hands]
        self.pile = self._laid(started.pile)
        self.stock = self._laid(started.stock)
        self.reserves = [self._laid(reserve) for reserve in started.reserves]
        self.unseen_by_owner = set()  # seats with a reserve that they may not look at yet
        self.known = set(self.pile)
        self.melded = []
        self._look()

    def _laid(self, cards):
        first = len(self.names)
        self.names += cards
        return list(range(first, len(self.names)))

    def _look(self):
        """What this viewer sees of the hands: his own, or, an official, all of them."""
        for seat, hand in enumerate(self.hands):
            if self.audience == "official" or (
                seat == self.viewer and seat not in self.unseen_by_owner
            ):
                self.known.update(hand)

    def _from_hand(self, seat, cards):
        """The tokens of cards that leave a hand; known ones first, so that most stays hidden."""
        gone = []
        for card in cards:
            having = [token for token in self.hands[seat] if self.names[token] == card]
            token = min(having, key=lambda each: each not in self.known)
            self.hands[seat].remove(token)
            gone.append(token)
        self.known.update(gone)
        return gone

    def happens(self, event):
        match event:
            case ev.CardDrawn():
                self.unseen_by_owner.discard(event.seat)
                self.hands[event.seat].append(self.stock.pop())
            case ev.CardRejected() | ev.Discarded():
                self.pile += self._from_hand(event.seat, [event.card])
                if isinstance(event, ev.Discarded):
                    # A waiting owner looks once his partner, or his one rival, has discarded.
                    self.unseen_by_owner -= {(event.seat + self.seats // 2) % self.seats}
            case ev.PileTaken():
                self.unseen_by_owner.discard(event.seat)
                self.hands[event.seat] += self.pile
                self.pile = []
            case ev.Melded():
                for laid in event.placements:
                    self.melded += self._from_hand(event.seat, laid.cards)
            case ev.ReserveTaken():
                if not event.direct:
                    self.unseen_by_owner.add(event.seat)
                self.hands[event.seat] += self.reserves.pop(0)
            case ev.ReserveBecameStock():
                self.stock += self.reserves.pop(0)
        self._look()

    def known_cards(self):
        return Counter(self.names[token] for token in self.known)


def dealt_again(started, tokens, random):
    """The start of the deal with all that the viewer cannot know in other places."""
    hidden = [token for token in range(len(tokens.names)) if token not in tokens.known]
    names = list(tokens.names)
    cards = [names[token] for token in hidden]
    random.shuffle(cards)
    for token, card in zip(hidden, cards, strict=True):
        names[token] = card
    dealt = iter(names)

    def like(row):
        return tuple(next(dealt) for _ in row)

    hands = tuple(in_order(like(hand)) for hand in started.hands)
    return replace(
        started,
        hands=hands,
        pile=like(started.pile),
        stock=like(started.stock),
        reserves=tuple(like(reserve) for reserve in started.reserves),
    )


def told(game, started, moves, audience):
    """Everything that an audience is sent while these moves are played, or None if one is refused.

    The bytes come in frames: for the start, then for each event its data and the view after it.
    """
    game = evolve(game, started)
    frames = [(encode(public_event(game, sealed(started), audience)), encode(view(game, audience)))]
    happened = []
    for move in moves:
        events = decide(game, move)
        if isinstance(events, Refusal):
            return None
        for event in events:
            game = evolve(game, event)
            happened.append(event)
            data = encode(public_event(game, event, audience))
            frames.append((data, encode(view(game, audience))))
    return game, happened, frames


def named_in(value):
    """Every card that a plain value names, as often as it does."""
    if isinstance(value, str):
        return Counter([value] if value in CARDS else [])
    if isinstance(value, dict):
        parts = list(value.values())
    elif isinstance(value, list):
        parts = value
    else:
        return Counter()
    found = Counter()
    for part in parts:
        found += named_in(part)
    return found


def opening(profile_id, seats):
    profile = load_profile(profile_id)
    holders = ("Carla", "Dino", "Elsa", "Furio")[:seats]
    return opened(open_game(profile, seats, ev.MatchFormat(target=9000), holders, "c0"))


def a_played_deal(profile_id, seats, seed):
    game = opening(profile_id, seats)
    started = deal_from(game.profile, seats, seed)
    game = replace(game, totals=started.totals)
    deal = evolve(game, started).deal
    return game, started, [step.move for step in played(deal, Random(seed))]


def check_secrets(profile_id, seats, seed, rounds):
    """How many times a deal could be dealt anew and played again; each time the bytes are equal."""
    random = Random(seed)
    game, started, moves = a_played_deal(profile_id, seats, seed)
    again = 0
    for audience in audiences(seats):
        for _ in range(rounds):
            prefix = moves[: random.randrange(len(moves))]
            _, events, frames = told(game, started, prefix, audience)
            tokens = Tokens(started, seats, audience)
            for event in events:
                tokens.happens(event)
            other = dealt_again(started, tokens, random)
            replayed = told(game, other, prefix, audience)
            if replayed is None:
                continue  # the move itself told something: a lone card, an equal card held before
            again += other != started
            for number, (before, after) in enumerate(zip(frames, replayed[2], strict=True)):
                assert before == after, (audience, number, events[number - 1 : number])
    return again


each_kind = pytest.mark.parametrize(("profile_id", "seats"), KINDS_OF_DEAL)


@each_kind
def test_what_a_viewer_cannot_know_changes_no_byte(profile_id, seats):
    replayed = sum(check_secrets(profile_id, seats, seed, 2) for seed in range(3))
    # Most of the deals can be played again: the check is not an empty one.
    assert replayed > len(audiences(seats)) * 3 * 2 // 2


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(10))
@each_kind
def test_what_a_viewer_cannot_know_changes_no_byte_in_many_deals(profile_id, seats, chunk):
    for seed in range(1000 + 30 * chunk, 1000 + 30 * (chunk + 1)):
        check_secrets(profile_id, seats, seed, 2)


@each_kind
def test_no_card_is_named_to_whoever_may_not_know_it(profile_id, seats):
    """A canary of 108 birds: each card named in a frame is one that this viewer has been shown."""
    for seed in (20,):
        game, started, moves = a_played_deal(profile_id, seats, seed)
        for audience in audiences(seats):
            tokens = Tokens(started, seats, audience)
            _, events, frames = told(game, started, moves, audience)
            for event, (data, shown) in zip((started, *events), frames, strict=True):
                if event is not started:
                    tokens.happens(event)
                if isinstance(event, ev.DealEnded):
                    break  # now hands may be shown
                known = tokens.known_cards()
                for sent in (data, shown):
                    named = named_in(msgspec.json.decode(sent))
                    # A frame may name a card twice: added to a meld, and in the meld laid out.
                    assert all(known[card] for card in named), (audience, event)
                    if sent is shown:
                        seen = once_each(msgspec.json.decode(shown))
                        assert not seen - known, (audience, event, seen - known)


def once_each(shown):
    """The cards of a view, each thing on the table once."""
    shown = {key: value for key, value in shown.items() if key not in {"first_card", "single"}}
    if "all_hands" in shown:
        shown["hand"] = None
    return named_in(shown)


@each_kind
def test_what_nobody_took_up_stays_hidden_when_the_deal_has_ended(profile_id, seats):
    """Hands may be shown then; the order of the stock and the reserves are still for no one."""
    for seed in range(40, 42):
        game, started, moves = a_played_deal(profile_id, seats, seed)
        for audience in audiences(seats):
            _, events, frames = told(game, started, moves, audience)
            tokens = Tokens(started, seats, audience)
            for event in events:
                tokens.happens(event)
            for hand in tokens.hands:
                tokens.known.update(hand)
            other = dealt_again(started, tokens, Random(seed))
            replayed = told(game, other, moves, audience)
            assert replayed is not None
            assert replayed[2] == frames


@each_kind
def test_dealing_anew_changes_what_is_hidden_and_keeps_what_is_known(profile_id, seats):
    """The checks above compare deals that do differ, by 108 cards again."""
    game, started, moves = a_played_deal(profile_id, seats, 3)
    _, events, _ = told(game, started, moves[:12], "seat-0")
    tokens = Tokens(started, seats, "seat-0")
    for event in events:
        tokens.happens(event)
    other = dealt_again(started, tokens, Random(1))
    assert other.hands[0] == started.hands[0]
    assert other.pile == started.pile
    assert other.stock != started.stock
    assert other.hands[1:] != started.hands[1:]
    everything = [
        Counter(
            [
                *each.stock,
                *each.pile,
                *(card for row in (*each.hands, *each.reserves) for card in row),
            ]
        )
        for each in (started, other)
    ]
    assert everything[0] == everything[1]
    assert sum(everything[0].values()) == 108
