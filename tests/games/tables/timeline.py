"""Time in tests: a match whose events happen at given seconds, and a clock that can be put on."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from games.eventstore import chain
from games.eventstore.chain import EMPTY, chained
from games.rules import events as ev
from games.rules import match
from games.rules.legal import legal_moves
from games.rules.match import Game
from games.rules.moves import Discard, Draw
from games.rules.profile import load_profile
from games.rules.shuffle import shuffled_pack
from games.tables.clocks import Clock
from games.tables.folding import Folded, Step, advanced, encoded, paired, start
from games.tables.outcomes import TableError
from tests.games.play import FOUR, hasty

SECOND = 1_000_000


class Timeline:
    """A match in memory; seat 0 begins at second 0. Moments are seconds."""

    def __init__(self, *, move: int, bank: int, seats: int = 4, holders=FOUR) -> None:
        profile = load_profile("buraco-aberto")
        format_ = ev.MatchFormat(0, 3, move, bank)
        self.folded: Folded = start(1, b"")
        opening = match.open_game(profile, seats, format_, tuple(holders[:seats]), "00" * 32)
        self.happens(0, opening)
        pack = shuffled_pack(bytes(64), profile.pack)
        self.happens(0, match.start_deal(self.game, pack, dealer=seats - 1))

    @property
    def game(self) -> Game:
        return self.folded.state

    @property
    def clock(self) -> Clock:
        assert self.folded.clock is not None
        return self.folded.clock

    @property
    def turn(self) -> int:
        assert self.game.deal is not None
        return self.game.deal.turn

    def happens(self, second: float, *events: ev.Event) -> None:
        head = self.folded.head if self.folded.head.seq else EMPTY
        instant = int(second * SECOND)
        stored = chained(1, head, [encoded(event) for event in events], by="p1", instant=instant)
        if self.folded.game is None or isinstance(events[0], ev.DealStarted):
            # The pack is given here, not shuffled from a secret.
            game = (
                match.opened(events[0])
                if isinstance(events[0], ev.GameOpened)
                else match.evolve(self.game, events[0])
            )
            taken = [Step(stored[0], events[0], game)]
        else:
            taken = paired(self.folded, zip(stored, events, strict=True))
        self.folded = advanced(self.folded, taken)

    def move(self, second: float, move) -> None:
        decided = match.decide(self.game, move)
        assert isinstance(decided, list), decided
        self.happens(second, *decided)

    def turn_ends(self, second: float) -> None:
        """Whoever has the turn draws and discards at that second."""
        seat = self.turn
        deal = self.game.deal
        if deal.step.value == "draw":
            self.move(second, Draw(seat))
        self.move(second, Discard(seat, legal_moves(self.game.deal, seat).discards[0]))

    def left(self, second: float) -> int | None:
        return self.clock.left(int(second * SECOND))

    def plays_out(self, second: float, luck) -> None:
        """The deal to its end, all at one moment."""
        while not self.game.between_deals:
            self.move(second, hasty(self.game.deal, luck))


class Clockwork:
    """The clocks of this process: they stand still until they are put on."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.ahead = 0.0
        now, nanoseconds = timezone.now(), time.time_ns()
        patch.setattr(timezone, "now", lambda: now + timedelta(seconds=self.ahead))
        patch.setattr(chain, "time_ns", lambda: nanoseconds + int(self.ahead * 1e9))

    def passes(self, seconds: float) -> None:
        self.ahead += seconds

    def time(self) -> float:
        return timezone.now().timestamp()


def at_once(*jobs: Callable[[], object]) -> list[object]:
    """Run each on a thread and connection of its own, all from one start; what they answered."""
    gate = threading.Barrier(len(jobs))
    answers: list[object] = [None] * len(jobs)

    def run(number, job):
        gate.wait()
        try:
            answers[number] = job()
        except TableError as fault:
            answers[number] = fault
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers
