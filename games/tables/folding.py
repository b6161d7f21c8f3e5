"""A game folded from its stream, and the cache of folded games.

A folded game is immutable: the state of the rules and the head of the stream it was folded to. The
cache is a hint, the store is the truth: an append states the head, so an old fold is found out.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple, cast

from games.eventstore.chain import EMPTY, Head, NewEvent, StoredEvent
from games.eventstore.registry import Registry
from games.rules import events as ev
from games.rules import match
from games.rules.dealing import deal_pack, sealed
from games.rules.match import Game
from games.rules.shuffle import deal_seed, shuffled_pack
from games.tables.clocks import Clock, advance, new_clock, stopped

MOST_CACHED = 1024

EVENTS = Registry(ev.BY_NAME)


class Folded(NamedTuple):
    """A game at `head`, and its clock. `master`: the secret of its shuffles."""

    stream: int
    head: Head
    game: Game | None
    master: bytes
    clock: Clock | None = None

    @property
    def state(self) -> Game:
        """The game; a stream without its first event has none, which is a fault of ours."""
        if self.game is None:
            raise LookupError(f"stream {self.stream} has no game")
        return self.game


class Step(NamedTuple):
    """An event as stored and as a fact, and the game right after it."""

    stored: StoredEvent
    event: ev.Event
    after: Game


def decoded(stored: StoredEvent) -> ev.Event:
    """The fact that a stored event tells."""
    return cast(ev.Event, EVENTS.decode(stored))


def encoded(event: ev.Event) -> NewEvent:
    """An event as it is stored: a start of a deal without what no one may know yet."""
    if isinstance(event, ev.DealStarted):
        event = sealed(event)
    return EVENTS.encode(event)


def shuffled(game: Game, master: bytes, deal: int) -> tuple[str, ...]:
    """The pack of deal number `deal`, shuffled."""
    return _shuffled(master, deal, game.profile.pack)


@lru_cache(maxsize=4 * MOST_CACHED)
def _shuffled(master: bytes, deal: int, cards: tuple[str, ...]) -> tuple[str, ...]:
    # A seed lies at the end of a long chain of hashes: a replay would walk it for every deal.
    return shuffled_pack(deal_seed(master, deal), cards)


forget_shuffles = _shuffled.cache_clear


def completed(game: Game, master: bytes, started: ev.DealStarted) -> ev.DealStarted:
    """A sealed start of a deal with its stock and reserves again."""
    return deal_pack(
        game.profile,
        game.seats,
        shuffled(game, master, started.deal),
        deal=started.deal,
        dealer=started.dealer,
        totals=started.totals,
    )


def after(game: Game | None, master: bytes, event: ev.Event) -> Game:
    """The game after one event."""
    if isinstance(event, ev.GameOpened):
        return match.opened(event)
    if game is None:
        raise LookupError("the first event of a game is its opening")
    if isinstance(event, ev.DealStarted) and event.stock is None:
        event = completed(game, master, event)
    return match.evolve(game, event)


def start(stream: int, master: bytes) -> Folded:
    """A game of which no event has been read."""
    return Folded(stream, EMPTY, None, master)


def fold(folded: Folded, stored: Sequence[StoredEvent]) -> Folded:
    """The game after more events of its stream: what `steps` and `advanced` come to, only faster.

    Play in a deal that another one has followed leaves nothing behind but its score, so such play
    is passed over, unless the table's clock counts how long it took.
    """
    if not stored:
        return folded
    latest = next((i for i in reversed(range(len(stored))) if stored[i].type in _STARTS), 0)
    game, clock = folded.game, folded.clock
    earlier = stored[:latest]
    if earlier and (game is None or clock is None):
        game, clock = _after(game, clock, folded.master, earlier[0])
        earlier = earlier[1:]
    if clock is not None and not clock.move:
        earlier = [one for one in earlier if one.type not in _PASSED_OVER]
        ends = _ENDS
    else:
        ends = frozenset()
    for one in earlier:
        if game is not None and clock is not None and one.type in ends:
            game, clock = match.without_deal(game), stopped(clock, one.instant)
        else:
            game, clock = _after(game, clock, folded.master, one)
    for one in stored[latest:]:
        game, clock = _after(game, clock, folded.master, one)
    return Folded(folded.stream, stored[-1].head, game, folded.master, clock)


def _after(
    game: Game | None, clock: Clock | None, master: bytes, stored: StoredEvent
) -> tuple[Game, Clock]:
    event = decoded(stored)
    if game is None or type(event) is ev.DealStarted:
        game = after(game, master, event)
    else:
        game = match.evolve(game, event)
    return game, advance(clock or new_clock(game), stored, event, game)


def stored_names(*kinds: type[ev.Event]) -> frozenset[str]:
    """What events of these types are stored as, in all their versions."""
    plain = {ev.TYPE_NAMES[kind] for kind in kinds}
    return frozenset(name for name in EVENTS.stored_names if name.partition("@")[0] in plain)


_STARTS = stored_names(ev.DealStarted)
_ENDS = stored_names(ev.DealEnded)
_PASSED_OVER = stored_names(
    ev.DealStarted,
    ev.CardDrawn,
    ev.CardRejected,
    ev.PileTaken,
    ev.Melded,
    ev.Discarded,
    ev.ReserveTaken,
    ev.ReserveBecameStock,
    ev.UndoGranted,
)


def steps(folded: Folded, stored: Iterable[StoredEvent]) -> list[Step]:
    """The same event by event."""
    return paired(folded, ((one, decoded(one)) for one in stored))


def paired(folded: Folded, events: Iterable[tuple[StoredEvent, ev.Event]]) -> list[Step]:
    """The steps of events that are decoded already."""
    found: list[Step] = []
    game = folded.game
    for one, event in events:
        game = after(game, folded.master, event)
        found.append(Step(one, event, game))
    return found


def advanced(folded: Folded, taken: Sequence[Step]) -> Folded:
    """The game after steps that were taken from where it stands; there is at least one."""
    clock = folded.clock
    for step in taken:
        clock = advance(clock or new_clock(step.after), step.stored, step.event, step.after)
    last = taken[-1]
    return Folded(folded.stream, last.stored.head, last.after, folded.master, clock)


class Cache:
    """The games folded last, at most `MOST_CACHED`; safe to use from several threads."""

    def __init__(self, most: int = MOST_CACHED) -> None:
        self._most = most
        self._games: OrderedDict[int, Folded] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, stream: int) -> Folded | None:
        with self._lock:
            found = self._games.get(stream)
            if found is not None:
                self._games.move_to_end(stream)
            return found

    def put(self, folded: Folded) -> None:
        """Keep a folded game; an older fold never replaces a newer one."""
        with self._lock:
            known = self._games.get(folded.stream)
            if known is None or known.head.seq <= folded.head.seq:
                self._games[folded.stream] = folded
            self._games.move_to_end(folded.stream)
            while len(self._games) > self._most:
                self._games.popitem(last=False)

    def forget(self, stream: int) -> None:
        with self._lock:
            self._games.pop(stream, None)


CACHE = Cache()
