"""Two games that one viewer cannot tell apart: other cards where he does not see them."""

import random

from games.eventstore.chain import EMPTY, chained
from games.rules import events as ev
from games.rules import match
from games.rules.match import Game
from games.rules.moves import AnyMove
from games.rules.profile import load_profile
from games.rules.refusals import Refusal
from games.rules.shuffle import shuffled_pack
from games.rules.views import seat_of
from games.tables.folding import Step, encoded
from tests.games.live.knowledge import Knowledge
from tests.games.play import FOUR, hasty


def _steps(events: list[ev.Event]) -> list[Step]:
    """As they would be stored; the same moments, so that only the cards can differ."""
    steps: list[Step] = []
    game: Game | None = None
    stored = chained(1, EMPTY, [encoded(event) for event in events], by="palba", instant=0)
    for one, event in zip(stored, events, strict=True):
        game = (
            match.opened(event) if isinstance(event, ev.GameOpened) else match.evolve(game, event)
        )
        steps.append(Step(one, event, game))
    return steps


def _played(pack: tuple[str, ...], moves: list[AnyMove] | int) -> tuple[list[Step], list[AnyMove]]:
    profile = load_profile("buraco-fechado-stbl")
    events: list[ev.Event] = [match.open_game(profile, 4, ev.MatchFormat(), FOUR, "00" * 32)]
    game = match.opened(events[0])
    events.append(match.start_deal(game, pack, dealer=0))
    game = match.evolve(game, events[-1])
    luck, made = random.Random(2), []
    for number in range(moves if isinstance(moves, int) else len(moves)):
        move = hasty(game.deal, luck) if isinstance(moves, int) else moves[number]
        decided = match.decide(game, move)
        assert not isinstance(decided, Refusal), decided
        for event in decided:
            game = match.evolve(game, event)
        events += decided
        made.append(move)
    return _steps(events), made


def twin_games(viewer: str, *, moves: int) -> tuple[list[Step], list[Step]]:
    """The same moves twice, over packs that differ in cards which nobody has played so far."""
    profile = load_profile("buraco-fechado-stbl")
    pack = shuffled_pack(bytes(range(64)), profile.pack)
    one, made = _played(pack, moves)
    known = set[str]()
    for seat in {None, seat_of(viewer)}:
        knowledge = Knowledge(seat)
        for step in one:
            known |= knowledge.after(step)
    hidden = [place for place, card in enumerate(pack) if card not in known]
    turned = hidden[1:] + hidden[:1]
    other = list(pack)
    for place, taken_from in zip(hidden, turned, strict=True):
        other[place] = pack[taken_from]
    return one, _played(tuple(other), made)[0]
