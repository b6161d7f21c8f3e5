"""Records: written, read back, and refused at the first thing that is not as it was."""

import io
import random
from collections.abc import Callable
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from games.bots.players import PLAYERS
from games.bots.simulation import Simulation
from games.eventstore.chain import EMPTY, NewEvent, chained, instant_of
from games.eventstore.registry import Registry
from games.rules import events as ev
from games.rules import record as records
from games.rules.dealing import deal_pack, sealed
from games.rules.match import close_deal, evolve, opened
from games.rules.profile import FOUNDING, load_profile, profile_to_builtins
from games.rules.record import (
    GENESIS,
    LONGEST_LINE,
    Fact,
    Fault,
    canonical,
    event_hash,
    header_line,
    lines_in,
    read_record,
    write_record,
)
from games.rules.shuffle import deal_seed, shuffled_pack
from games.rules.verification import verify_record
from games.versions import present_names, versions
from scoring.match import match_winner

KINDS = [(profile, seats) for profile in FOUNDING for seats in (4, 2)]
GAME = "carla-e-dino"


@cache
def facts(profile_id: str, seats: int = 4, deals: int = 1, seed: str = "9") -> tuple[Fact, ...]:
    players = [PLAYERS["sensible"]] * seats
    played = Simulation(load_profile(profile_id), players, seed=seed, number=0, deals=deals)
    return tuple(played.facts())


@cache
def record(profile_id: str, seats: int = 4, deals: int = 1) -> tuple[bytes, ...]:
    return tuple(write_record(GAME, facts(profile_id, seats, deals)))


@cache
def short() -> bytes:
    """A record of a few lines: a match that was broken off soon after its first deal began."""
    played = list(facts("buraco-fechado-stbl"))
    index = index_of(played, ev.Discarded, 1)
    at, by, _ = played[index]
    end = [
        Fact(at, by, ev.DealEnded("ruling", None)),
        Fact(at, by, ev.GameEnded("ruling", None)),
        played[-1],
    ]
    return b"".join(write_record(GAME, [*played[: index + 1], *end]))


def lines_of(text: bytes) -> list[bytes]:
    return text.splitlines(keepends=True)


def fault_of(lines: Any) -> Fault:
    fault = verify_record(lines)
    assert fault is not None, "this record should have a fault"
    assert fault.text
    return fault


def altered(change: Callable[[list[Fact]], None], profile_id: str = "buraco-aberto") -> Fault:
    """The fault of a record whose chain is sound and whose events were changed before."""
    changed = list(facts(profile_id))
    change(changed)
    return fault_of(write_record(GAME, changed))


def index_of(facts: list[Fact], kind: type[ev.Event], number: int = 0) -> int:
    return [i for i, fact in enumerate(facts) if isinstance(fact.event, kind)][number]


def swap(kind: type[ev.Event], number: int = 0, **fields: Any) -> Callable[[list[Fact]], None]:
    """Gives an event other fields."""

    def change(facts: list[Fact]) -> None:
        index = index_of(facts, kind, number)
        facts[index] = facts[index]._replace(event=replace(facts[index].event, **fields))

    return change


# --- sound records --------------------------------------------------------------------------------


@pytest.mark.parametrize(("profile_id", "seats"), KINDS)
def test_the_record_of_a_match_is_sound(profile_id: str, seats: int) -> None:
    assert verify_record(record(profile_id, seats, deals=3)) is None


def test_a_record_that_shows_stock_and_reserves_is_sound_too() -> None:
    """Section 6: a complete record may give stock and reserves."""
    assert b'"reserves"' not in record("buraco-aberto")[2]
    shown = with_data(lambda facts: msgspec.to_builtins(facts[1].event))
    assert b'"reserves"' in shown[2]
    assert verify_record(shown) is None


def with_data(data_of: Callable[[tuple[Fact, ...]], dict[str, Any]]) -> list[bytes]:
    """A record of buraco aberto with other `data` in its second event, the chain made anew."""
    played = facts("buraco-aberto")
    prev, lines = GENESIS, []
    for seq, (at, by, event) in enumerate(played, start=1):
        data = sealed(event) if isinstance(event, ev.DealStarted) else event
        kind = ev.TYPE_NAMES[type(event)]
        shown = data_of(played) if seq == 2 else data
        fields = {"at": at, "by": by, "data": shown, "seq": seq, "type": kind}
        digest = event_hash(prev, fields)
        lines.append(canonical(fields | {"hash": digest, "prev": prev}) + b"\n")
        prev = digest
    profile = profile_to_builtins(load_profile("buraco-aberto"))
    return [header_line(GAME, profile, head=prev) + b"\n", *lines]


def test_a_record_written_from_the_store_is_the_same_byte_for_byte() -> None:
    """Section 6: one hash for an event, in the store and in a record."""
    head, lines = EMPTY, []
    for at, by, event in facts("buraco-clasico"):
        data = sealed(event) if isinstance(event, ev.DealStarted) else event
        new = NewEvent(ev.TYPE_NAMES[type(event)], canonical(data))
        (stored,) = chained(1, head, [new], by=by, instant=_instant(at))
        lines.append(stored.line(head.hash) + b"\n")
        head = stored.head
    assert lines == list(record("buraco-clasico")[1:])


def _instant(at: str) -> int:
    return instant_of(datetime.fromisoformat(at))


def test_a_match_ended_by_a_ruling_is_sound() -> None:
    assert verify_record(lines_of(short())) is None


def test_a_deal_that_ran_out_of_time_is_scored_as_it_stood() -> None:
    played = list(facts("buraco-fechado-stbl"))[:12]
    game = opened(played[0].event)
    for fact in played[1:]:
        game = evolve(game, fact.event)
    ended = ev.DealEnded("time", None)
    closing = close_deal(game, evolve(game, ended).deal)
    at, by, _ = played[-1]
    sound = [
        *played,
        *(Fact(at, by, e) for e in [ended, *closing]),
        facts("buraco-fechado-stbl")[-1],
    ]
    assert verify_record(write_record(GAME, sound)) is None
    unscored = [fact for fact in sound if not isinstance(fact.event, ev.DealScored)]
    assert fault_of(write_record(GAME, unscored)).code == "event-differs"


def test_what_players_and_officials_do_around_the_game_is_followed() -> None:
    played = list(facts("buraco-clasico"))
    at, by, _ = played[0]
    around = [
        ev.Asked(0, "pause"),
        ev.Answered(1, "pause", True),
        ev.GamePaused("agreed"),
        ev.GameResumed("ruling"),
        ev.SeatChanged(2, "bot:sensible", "away"),
        ev.ClockExpired(1),
        ev.ClockCredited(500, "outage"),
    ]
    played[2:2] = [Fact(at, by, event) for event in around]
    assert verify_record(write_record(GAME, played)) is None
    for wrong in (
        ev.GamePaused("agreed"),
        ev.GameResumed("ruling"),
        ev.SeatChanged(7, "bot:sensible", "away"),
        ev.ClockExpired(-1),
        ev.Answered(1, "pause", True),
        ev.UndoGranted(0, ()),
    ):
        spoilt = [*played[:2], Fact(at, by, wrong), *played[2:]]
        assert fault_of(write_record(GAME, spoilt)).line == 4


# --- one character --------------------------------------------------------------------------------


def other_characters(old: int) -> list[int]:
    """Likely damage: the next bit, another digit, the other case, a blank, a line end, a quote."""
    likely = {old ^ 1, old ^ 0x20, *b'0a" \n'}
    return sorted(likely - {old})


def test_one_changed_character_anywhere_is_found() -> None:
    text = short()
    for position, old in enumerate(text):
        for new in other_characters(old):
            corrupted = text[:position] + bytes([new]) + text[position + 1 :]
            assert verify_record(lines_of_bytes(corrupted)), (position, chr(old), chr(new))


def test_one_lost_or_doubled_character_anywhere_is_found() -> None:
    text = short()
    for position in range(len(text)):
        lost = text[:position] + text[position + 1 :]
        doubled = text[: position + 1] + text[position:]
        assert verify_record(lines_of_bytes(lost)), position
        assert verify_record(lines_of_bytes(doubled)), position


@pytest.mark.parametrize(("profile_id", "seats"), KINDS)
def test_one_changed_character_in_a_long_record_is_found(profile_id: str, seats: int) -> None:
    text = b"".join(record(profile_id, seats, deals=3))
    luck = random.Random(4)
    for _ in range(60):
        position = luck.randrange(len(text))
        new = luck.choice(other_characters(text[position]))
        corrupted = text[:position] + bytes([new]) + text[position + 1 :]
        assert verify_record(lines_of_bytes(corrupted)), position


def lines_of_bytes(text: bytes) -> list[bytes]:
    """The lines as a file gives them: they end with a line feed and with nothing else."""
    lines = text.split(b"\n")
    return [line + b"\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])


# --- the lines ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spoil", "line", "code"),
    [
        (lambda lines: [], 1, "record-empty"),
        (lambda lines: lines[:1], 1, "record-empty"),
        (lambda lines: [b"what is this\n"], 1, "not-json"),
        (lambda lines: [b"[" * 100_000 + b"\n"], 1, "not-json"),
        (lambda lines: [b"\xff\xfe\n"], 1, "not-json"),
        (lambda lines: [b"[1,2]\n"], 1, "not-json"),
        (lambda lines: [b'{"format":"pozzetto/9"}\n'], 1, "format-unknown"),
        (lambda lines: [b'{"format":"pozzetto/1","game":3}\n'], 1, "header-malformed"),
        (lambda lines: [lines[0].replace(b"dino", b"nino"), *lines[1:]], 1, "header-hash-differs"),
        (lambda lines: lines[:-1], 1, "head-differs"),
        (lambda lines: [*lines, lines[-1]], None, "seq-gap"),
        (lambda lines: [*lines, b"\n"], None, "not-json"),
        (lambda lines: [*lines, b"the end"], None, "line-cut"),
        (lambda lines: [*lines[:3], *lines[4:]], 4, "seq-gap"),
        (lambda lines: [lines[0], lines[1].replace(b":", b": ", 1)], 2, "not-canonical"),
        (lambda lines: [lines[0], b'{"seq":1}\n'], 2, "event-malformed"),
        (lambda lines: [lines[0], lines[1].replace(b'"by"', b'"from"')], 2, "not-canonical"),
        (lambda lines: [lines[0], lines[1].replace(b"01T2", b"01T1")], 2, "hash-differs"),
    ],
)  # fmt: skip
def test_lines_that_do_not_hold_together_are_named(
    spoil: Callable[[list[bytes]], list[bytes]], line: int | None, code: str
) -> None:
    lines = lines_of(short())
    spoilt = spoil(lines)
    assert (fault_of(spoilt).line, fault_of(spoilt).code) == (line or len(spoilt), code)


def test_lines_exchanged_between_two_records_are_found() -> None:
    ours = list(record("buraco-aberto"))
    ours[2] = write_record(GAME, facts("buraco-aberto", seed="8"))[2]
    assert (fault_of(ours).line, fault_of(ours).code) == (3, "prev-differs")


def test_a_moment_must_be_one() -> None:
    changed = list(facts("buraco-aberto"))
    changed[2] = changed[2]._replace(at="2026-02-30T20:00:00.000000Z")
    fault = fault_of(write_record(GAME, changed))
    assert (fault.line, fault.code) == (4, "at-malformed")


def test_somebody_must_have_done_it() -> None:
    changed = list(facts("buraco-aberto"))
    changed[2] = changed[2]._replace(by="")
    assert fault_of(write_record(GAME, changed)).code == "by-missing"


def test_a_redacted_record_is_said_to_be_no_proof() -> None:
    """Section 7: only a complete record can be verified."""
    profile = profile_to_builtins(load_profile("buraco-aberto"))
    lines = [header_line(GAME, profile, view="public") + b"\n"]
    for seq, (at, by, event) in enumerate(facts("buraco-aberto")[:6], start=1):
        data = {"seat": 0} if isinstance(event, ev.CardDrawn) else event
        kind = ev.TYPE_NAMES[type(event)]
        fields = {"at": at, "by": by, "data": data, "seq": seq, "type": kind}
        lines.append(canonical(fields) + b"\n")
    assert fault_of(lines).code == "record-redacted"
    assert fault_of([*lines[:3], *lines[4:]]).code == "seq-gap"


def test_a_record_is_read_back_as_it_was_written() -> None:
    read = read_record(record("buraco-aberto"))
    assert read.header.game == GAME
    assert [entry.seq for entry in read.entries] == list(range(1, len(read.entries) + 1))
    assert read.entries[0].type == "game_opened"


# --- the play, in records whose chain is sound ----------------------------------------------------


def without(kind: type[ev.Event], number: int = 0) -> Callable[[list[Fact]], None]:
    def change(facts: list[Fact]) -> None:
        del facts[index_of(facts, kind, number)]

    return change


def repeated(kind: type[ev.Event], number: int = 0) -> Callable[[list[Fact]], None]:
    def change(facts: list[Fact]) -> None:
        index = index_of(facts, kind, number)
        facts.insert(index + 1, facts[index])

    return change


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (without(ev.GameOpened), None),
        (repeated(ev.GameOpened), "event-unfounded"),
        (swap(ev.GameOpened, seats=3), "seats-not-played"),
        (swap(ev.GameOpened, holders=("Carla",)), "seats-not-filled"),
        (swap(ev.GameOpened, commitment="so"), "commitment-malformed"),
        (swap(ev.GameOpened, commitment="0" * 64), "seed-false"),
        (swap(ev.GameOpened, profile={"id": "none"}), "profile-invalid"),
        (swap(ev.DealStarted, dealer=9), "deal-differs"),
        (swap(ev.DealStarted, deal=2), "seed-missing"),
        (swap(ev.DealStarted, totals=(0, 5)), "deal-differs"),
        (swap(ev.DealStarted, minimum=(75, 0)), "deal-differs"),
        (swap(ev.DealStarted, pile=("JK",)), "deal-differs"),
        (repeated(ev.DealStarted), "deal-not-over"),
        (without(ev.DealStarted), "deal-not-started"),
        (swap(ev.CardDrawn, card="JK"), "event-differs"),
        (swap(ev.CardDrawn, seat=7), "move-malformed"),
        (repeated(ev.CardDrawn), "move-refused"),
        (swap(ev.Discarded, card="XX"), "move-malformed"),
        (swap(ev.Discarded, shown="JK"), "event-differs"),
        (without(ev.Discarded), "move-refused"),
        (swap(ev.Melded, placements=()), "move-malformed"),
        (without(ev.DealEnded), "event-differs"),
        (swap(ev.DealScored, totals=(1, 2)), "event-differs"),
        (without(ev.DealScored), "event-differs"),
        (swap(ev.GameEnded, winner=5), "no-such-side"),
        (without(ev.GameEnded), "record-unfinished"),
        (repeated(ev.GameEnded), "after-the-end"),
        (without(ev.SeedRevealed), "seed-missing"),
        (swap(ev.SeedRevealed, seed="0" * 128), "seed-false"),
        (swap(ev.SeedRevealed, seed="now"), "seed-malformed"),
        (swap(ev.SeedRevealed, deal=2), "seed-missing"),
        (swap(ev.SeedRevealed, algorithm="mine/1"), "algorithm-unknown"),
    ],
)
def test_a_game_that_was_not_played_so_is_refused(
    change: Callable[[list[Fact]], None], code: str | None
) -> None:
    if code is None:
        with pytest.raises(ValueError, match="opening"):
            altered(change)
    else:
        assert altered(change).code == code


def test_the_hands_must_be_those_that_the_seed_deals() -> None:
    def exchange(facts: list[Fact]) -> None:
        started = facts[1].event
        assert isinstance(started, ev.DealStarted)
        hands = (started.hands[1], started.hands[0], *started.hands[2:])
        facts[1] = facts[1]._replace(event=replace(started, hands=hands))

    fault = altered(exchange)
    assert (fault.line, fault.code) == (3, "deal-differs")
    assert "hands" in fault.text


def test_a_deal_from_another_seed_is_refused() -> None:
    """Everything that follows from the cards may fit; the commitment does not."""

    def cheat(facts: list[Fact]) -> None:
        profile = load_profile("buraco-aberto")
        seed = deal_seed(b"\x07" * 64, 1)
        started = facts[1].event
        assert isinstance(started, ev.DealStarted)
        other = deal_pack(
            profile,
            4,
            shuffled_pack(seed, profile.pack),
            deal=1,
            dealer=started.dealer,
            totals=(0, 0),
        )
        facts[1] = facts[1]._replace(event=other)
        swap(ev.SeedRevealed, seed=seed.hex())(facts)

    fault = altered(cheat)
    assert fault.code == "seed-false"
    assert fault.line == len(facts("buraco-aberto")) + 1


def test_stock_that_is_shown_must_be_that_of_the_seed() -> None:
    def reversed_stock(facts: tuple[Fact, ...]) -> dict[str, Any]:
        shown: dict[str, Any] = msgspec.to_builtins(facts[1].event)
        return shown | {"stock": shown["stock"][::-1]}

    assert fault_of(with_data(reversed_stock)).code == "deal-differs"


def test_a_seed_is_not_revealed_while_its_deal_is_played() -> None:
    def early(facts: list[Fact]) -> None:
        facts.insert(4, facts.pop())

    assert altered(early).code == "seed-early"


def test_an_unknown_field_is_refused() -> None:
    surprising = with_data(lambda facts: msgspec.to_builtins(facts[1].event) | {"surprise": 1})
    fault = fault_of(surprising)
    assert (fault.line, fault.code) == (3, "event-malformed")
    assert "surprise" in fault.text


def test_an_unknown_event_is_refused() -> None:
    written = write_record(GAME, facts("buraco-aberto"))
    last = msgspec.json.decode(written[-1])
    fields = {name: last[name] for name in ("at", "by", "data", "seq")} | {"type": "card_eaten"}
    digest = event_hash(last["prev"], fields)
    header = header_line(GAME, msgspec.json.decode(written[0])["profile"], head=digest)
    line = canonical(fields | {"hash": digest, "prev": last["prev"]})
    fault = fault_of([header + b"\n", *written[1:-1], line + b"\n"])
    assert (fault.line, fault.code) == (len(written), "event-unknown")


def rewritten(written: list[bytes], change: Callable[[dict[str, Any]], None]) -> list[bytes]:
    """The record with its events changed and chained anew."""
    lines, prev = [], GENESIS
    for line in written[1:]:
        fields = msgspec.json.decode(line)
        del fields["hash"], fields["prev"]
        change(fields)
        digest = event_hash(prev, fields)
        lines.append(canonical(fields | {"hash": digest, "prev": prev}) + b"\n")
        prev = digest
    return [
        header_line(GAME, msgspec.json.decode(written[0])["profile"], head=prev) + b"\n",
        *lines,
    ]


@pytest.fixture
def a_later_discard(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if a first version of `discarded` had named its card `thrown`."""

    def upcast(data: dict[str, Any]) -> dict[str, Any]:
        return {"seat": data["seat"], "card": data["thrown"]}

    monkeypatch.setattr(ev.Discarded, "upcast_v1_v2", staticmethod(upcast), raising=False)
    monkeypatch.setattr(records, "_VERSIONS", versions(ev.BY_NAME))
    monkeypatch.setattr(records, "_NAMES", present_names(versions(ev.BY_NAME)))


def in_the_first_version(fields: dict[str, Any]) -> None:
    if fields["type"] == "discarded@2":
        fields["type"] = "discarded"
        fields["data"] = {"seat": fields["data"]["seat"], "thrown": fields["data"]["card"]}


@pytest.mark.usefixtures("a_later_discard")
def test_a_record_of_events_of_several_versions_is_sound() -> None:
    written = write_record(GAME, facts("buraco-aberto"))
    assert b'"type":"discarded@2"' in b"".join(written)
    assert verify_record(written) is None
    older = rewritten(written, in_the_first_version)
    assert b"thrown" in b"".join(older)
    assert verify_record(older) is None
    # Registered names are the store's: what it has written is what a record holds.
    assert Registry(ev.BY_NAME).encode(ev.Discarded(0, "KS")).type == "discarded@2"


@pytest.mark.usefixtures("a_later_discard")
def test_an_older_version_that_lacks_what_leads_up_from_it_is_named() -> None:
    def spoilt(fields: dict[str, Any]) -> None:
        in_the_first_version(fields)
        fields["data"].pop("thrown", None)

    fault = fault_of(rewritten(write_record(GAME, facts("buraco-aberto")), spoilt))
    assert fault.code == "event-malformed"
    assert "thrown" in fault.text


def test_a_version_from_the_future_is_refused() -> None:
    def later(fields: dict[str, Any]) -> None:
        if fields["type"] == "discarded":
            fields["type"] = "discarded@2"

    fault = fault_of(rewritten(write_record(GAME, facts("buraco-aberto")), later))
    assert fault.code == "event-unknown"


def test_a_line_that_does_not_end_is_not_read_to_its_end() -> None:
    with Path("/dev/zero").open("rb") as endless:
        fault = fault_of(lines_in(endless))
    assert (fault.line, fault.code) == (1, "line-too-long")
    long = io.BytesIO(b"".join(record("buraco-aberto")) + b" " * 2 * LONGEST_LINE + b"\n")
    assert fault_of(lines_in(long)).code == "line-too-long"


def test_a_sheet_with_one_point_more_is_refused() -> None:
    def generous(facts: list[Fact]) -> None:
        index = index_of(facts, ev.DealScored)
        scored = facts[index].event
        assert isinstance(scored, ev.DealScored)
        more = replace(scored.sheets[0], total=scored.sheets[0].total + 5)
        facts[index] = facts[index]._replace(event=replace(scored, sheets=(more, scored.sheets[1])))

    fault = altered(generous)
    assert fault.code == "event-differs"
    assert "sheets" in fault.text


def test_a_closed_pile_taken_without_use_is_refused() -> None:
    """S4-33."""

    def greedy(facts: list[Fact]) -> None:
        following = index_of(facts, ev.PileTaken) + 1
        while isinstance(facts[following].event, ev.Melded):
            del facts[following]

    assert altered(greedy, "buraco-fechado-stbl").code == "pile-not-used"


def test_a_move_against_the_rules_is_named_with_its_clause() -> None:
    def twice(facts: list[Fact]) -> None:
        index = index_of(facts, ev.CardDrawn)
        facts.insert(index + 1, facts[index])

    fault = altered(twice)
    assert "wrong-step" in fault.text
    assert "S3-15" in fault.text


def test_the_winner_of_a_finished_match_must_be_right() -> None:
    played = list(facts("buraco-fechado-stbl"))
    index = index_of(played, ev.GameEnded)
    ended = played[index].event
    scored = played[index - 1].event
    assert isinstance(ended, ev.GameEnded)
    assert isinstance(scored, ev.DealScored)
    assert ended.winner == match_winner(scored.totals, 0)
    wrong = 1 - (ended.winner or 0)
    assert altered(swap(ev.GameEnded, winner=wrong), "buraco-fechado-stbl").code == "event-differs"
