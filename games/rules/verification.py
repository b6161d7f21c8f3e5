"""Whether a complete record tells a game that was played by its rules, from the first card on.

Needs the record's lines and nothing else: the revealed seeds give each deal again, every move is
put to the rules again. Pure; imports the rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import msgspec

from games.rules import events as ev
from games.rules import match
from games.rules.match import Game, MatchError
from games.rules.moves import (
    AnyMove,
    Discard,
    Draw,
    LayMelds,
    MalformedMoveError,
    Placement,
    Reject,
    Take,
    check_move,
)
from games.rules.profile import Pile, ProfileError, parse_profile
from games.rules.proposals import answer, ask
from games.rules.record import Fault, Record, RecordError, event_of, read_record
from games.rules.refusals import Refusal
from games.rules.shuffle import ALGORITHM, check, shuffled_pack
from games.rules.state import SIDES, side_of

_SEED = re.compile(r"[0-9a-f]{128}")
_COMMITMENT = re.compile(r"[0-9a-f]{64}")
_MOVES = (ev.CardDrawn, ev.CardRejected, ev.PileTaken, ev.Melded, ev.Discarded)


def verify_record(lines: Iterable[bytes]) -> Fault | None:
    """The first fault of a complete record (lines with their line ends), or None for a sound one.

    First the lines and their chain are checked, then the fields of each event, then the play. A
    redacted record that is sound in its shape has the fault `record-redacted`: the rest of it
    cannot be checked.
    """
    try:
        record = read_record(lines)
        if record.header.view is not None:
            raise RecordError(
                1,
                "record-redacted",
                f"This record is redacted for {record.header.view!r}. Its shape is sound; what was "
                "played can be verified only in the complete record.",
            )
        _Play(record).verify()
    except RecordError as error:
        return error.fault
    return None


class _Play:
    """The events of a record, and the game as far as it has been followed."""

    def __init__(self, record: Record) -> None:
        self.header = record.header
        self.entries = record.entries
        self.events = [event_of(entry) for entry in record.entries]
        self.seeds: dict[int, tuple[int, bytes]] = {}
        """Of each deal: the index of the event that reveals its seed, and the seed."""
        for index, event in enumerate(self.events):
            if isinstance(event, ev.SeedRevealed):
                self.seeds.setdefault(event.deal, (index, _seed(event, self._line(index))))
        self.game: Game = self._opened()

    def verify(self) -> None:
        """Follow the game to its end. Raises `RecordError`."""
        index = 1
        while index < len(self.events):
            try:
                index += self._follow(index)
            except MatchError as fault:
                raise self._fault(index, fault.code, f"This cannot be here: {fault}.") from None
        if not self.game.over:
            raise self._fault(
                len(self.events) - 1, "record-unfinished", "The game has not ended here."
            )

    def _follow(self, index: int) -> int:
        """Check what happens from this event on; answers how many events it took."""
        event, game = self.events[index], self.game
        if isinstance(event, ev.SeedRevealed):
            return self._seed_revealed(index, event)
        if game.over:
            raise self._fault(index, "after-the-end", "The game has ended before this event.")
        if isinstance(event, ev.DealStarted):
            return self._deal_started(index, event)
        if isinstance(event, _MOVES):
            return self._moved(index)
        if isinstance(event, ev.DealEnded) and event.reason in {"time", "ruling"}:
            return self._broken_off(index, event)
        if isinstance(event, ev.GameEnded) and event.reason == "ruling":
            return self._ended_by_ruling(index, event)
        if isinstance(event, ev.Asked):
            return self._expect(index, ask(game, event.seat, event.what))
        if isinstance(event, ev.Answered):
            answered = answer(game, event.seat, event.what, grant=event.grant)
            return self._expect(index, answered)
        return self._happened_around(index, event)

    def _happened_around(self, index: int, event: ev.Event) -> int:
        """What comes from outside the game: who sits there, pauses and clocks."""
        game = self.game
        if isinstance(event, ev.SeatChanged):
            sound = 0 <= event.seat < game.seats and bool(event.holder)
        elif isinstance(event, ev.ClockExpired):
            sound = 0 <= event.seat < game.seats
        elif isinstance(event, ev.ClockCredited):
            sound = event.ms > 0
        elif isinstance(event, ev.GamePaused):
            sound = event.reason == "ruling" and not game.paused
        elif isinstance(event, ev.GameResumed):
            sound = event.reason in {"ruling", "timeout"} and game.paused
        else:
            sound = False
        if not sound:
            name = self.entries[index].type
            raise self._fault(
                index, "event-unfounded", f"Nothing before it leads to this `{name}`."
            )
        self._apply(event)
        return 1

    def _opened(self) -> Game:
        event = self.events[0]
        if not isinstance(event, ev.GameOpened):
            raise self._fault(0, "not-opened", "The first event of a game is `game_opened`.")
        try:
            game = match.opened(event)
            match.open_game(game.profile, game.seats, game.format, game.holders, game.commitment)
        except ProfileError as fault:
            raise self._fault(
                0, "profile-invalid", f"The profile makes no sense: {fault}."
            ) from None
        except MatchError as fault:
            raise self._fault(0, fault.code, f"This game cannot be opened: {fault}.") from None
        if not _COMMITMENT.fullmatch(event.commitment):
            raise self._fault(0, "commitment-malformed", "The commitment is not a SHA-256 in hex.")
        try:
            same = parse_profile(self.header.profile) == game.profile
        except ProfileError:
            same = False
        if not same:
            raise RecordError(
                1, "profile-differs", "The header's profile is not that of `game_opened`."
            )
        return game

    def _seed_revealed(self, index: int, event: ev.SeedRevealed) -> int:
        game = self.game
        if event.algorithm != ALGORITHM:
            raise self._fault(
                index, "algorithm-unknown", f"No shuffle {event.algorithm!r} is known."
            )
        if not check(game.commitment, event.deal, bytes.fromhex(event.seed)):
            raise self._false_seed(index, event.deal)
        begun = event.deal <= game.deal_number
        if not begun or (event.deal == game.deal_number and not game.between_deals):
            raise self._fault(index, "seed-early", f"Deal {event.deal} had not ended yet.")
        return 1

    def _deal_started(self, index: int, event: ev.DealStarted) -> int:
        game = self.game
        if not 0 <= event.dealer < game.seats:
            raise self._fault(index, "deal-differs", f"There is no seat {event.dealer} to deal.")
        if event.deal not in self.seeds:
            raise self._fault(
                index, "seed-missing", f"No `seed_revealed` proves deal {event.deal}."
            )
        revealed, seed = self.seeds[event.deal]
        if not check(game.commitment, event.deal, seed):
            raise self._false_seed(revealed, event.deal)
        dealer = event.dealer if game.deal is None else match.next_dealer(game)
        started = match.start_deal(game, shuffled_pack(seed, game.profile.pack), dealer)
        given = event
        if event.stock is None and event.reserves is None:
            given = msgspec.structs.replace(event, stock=started.stock, reserves=started.reserves)
        if given != started:
            raise self._fault(
                index,
                "deal-differs",
                f"`{_first_difference(given, started)}` is not what the match and the seed of deal "
                f"{started.deal} give.",
            )
        self._apply(started)
        return 1

    def _moved(self, index: int) -> int:
        if self.game.deal is None:
            raise self._fault(index, "deal-not-started", "No deal has been started yet.")
        move = self._move(index)
        open_pile = self.game.profile.turn.pile is Pile.OPEN
        try:
            check_move(move, seats=self.game.seats, open_pile=open_pile)
        except MalformedMoveError as fault:
            raise self._fault(index, "move-malformed", f"This is no move: {fault}.") from None
        decided = match.decide(self.game, move)
        if isinstance(decided, Refusal):
            raise self._fault(
                index,
                "move-refused",
                f"Seat {move.seat} may not do this: {decided.code} ({decided.clause}). "
                f"{decided.reason}",
            )
        return self._expect(index, decided)

    def _move(self, index: int) -> AnyMove:
        """The move that the event at `index`, with the one after it, tells of."""
        event = self.events[index]
        if isinstance(event, ev.CardDrawn):
            return Draw(event.seat)
        if isinstance(event, ev.CardRejected):
            return Reject(event.seat)
        if isinstance(event, ev.Discarded):
            return Discard(event.seat, event.card)
        if isinstance(event, ev.Melded):
            return LayMelds(event.seat, self._placements(event))
        assert isinstance(event, ev.PileTaken)
        if self.game.profile.turn.pile is Pile.OPEN:
            return Take(event.seat)
        melded = self.events[index + 1] if index + 1 < len(self.events) else None
        if not isinstance(melded, ev.Melded) or len(melded.placements) != 1:
            raise self._fault(
                index, "pile-not-used", "The one meld that uses the pile must follow this."
            )
        return Take(event.seat, self._placements(melded))

    def _placements(self, event: ev.Melded) -> tuple[Placement, ...]:
        assert self.game.deal is not None
        number = len(self.game.deal.melds[side_of(event.seat)])
        placements = []
        for laid in event.placements:
            opens = laid.meld == number
            number += opens
            placements.append(
                Placement(laid.cards, None if opens else laid.meld, layout=laid.layout)
            )
        return tuple(placements)

    def _broken_off(self, index: int, event: ev.DealEnded) -> int:
        """A deal ended from outside: scored as it stands, or not at all where a ruling says so."""
        game = self.game
        if game.deal is None or game.between_deals or event.seat is not None:
            raise self._fault(
                index, "event-unfounded", "There is no deal to break off, with no one out."
            )
        self._apply(event)
        following = self.events[index + 1] if index + 1 < len(self.events) else None
        if event.reason == "ruling" and not isinstance(following, ev.DealScored):
            return 1
        assert self.game.deal is not None
        return 1 + self._expect(index + 1, match.close_deal(self.game, self.game.deal))

    def _ended_by_ruling(self, index: int, event: ev.GameEnded) -> int:
        if not self.game.between_deals:
            raise self._fault(index, "deal-not-over", "The deal is still being played.")
        if event.winner is not None and not 0 <= event.winner < SIDES:
            raise self._fault(index, "no-such-side", f"There is no side {event.winner}.")
        self._apply(event)
        return 1

    def _expect(self, index: int, expected: Sequence[ev.Event]) -> int:
        """These events must stand at `index` and after it, word for word."""
        for offset, event in enumerate(expected):
            at = index + offset
            name = ev.TYPE_NAMES[type(event)]
            if at == len(self.events):
                raise self._fault(at - 1, "event-missing", f"After this `{name}` must follow.")
            found = self.events[at]
            if type(found) is not type(event):
                raise self._fault(at, "event-differs", f"Here `{name}` must stand.")
            if found != event:
                field = _first_difference(found, event)
                value = msgspec.json.encode(getattr(event, field)).decode()
                raise self._fault(at, "event-differs", f"`{field}` of `{name}` must be {value}.")
            self._apply(event)
        return len(expected)

    def _apply(self, event: ev.Event) -> None:
        self.game = match.evolve(self.game, event)

    def _line(self, index: int) -> int:
        return self.entries[index].line

    def _fault(self, index: int, code: str, text: str) -> RecordError:
        return RecordError(self._line(index), code, text)

    def _false_seed(self, index: int, deal: int) -> RecordError:
        return self._fault(
            index, "seed-false", f"The seed of deal {deal} is not the one that was committed to."
        )


def _seed(event: ev.SeedRevealed, line: int) -> bytes:
    if not _SEED.fullmatch(event.seed):
        raise RecordError(line, "seed-malformed", "The seed is not 64 bytes in hex.")
    return bytes.fromhex(event.seed)


def _first_difference(one: ev.Event, other: ev.Event) -> str:
    return next(
        name for name in one.__struct_fields__ if getattr(one, name) != getattr(other, name)
    )
