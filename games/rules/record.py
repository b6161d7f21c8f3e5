"""Records of games: JSON Lines with a hash chain, written and read (move language, section 7).

Pure: lines of bytes in and out, no file is opened here. Imports the rules' data. What a record's
lines say is not judged here; `verification.py` does that.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from hashlib import sha256
from typing import Any, BinaryIO, NamedTuple, cast

import msgspec

from games.rules import events as ev
from games.rules.dealing import sealed
from games.versions import present_names, versions

FORMAT = "pozzetto/1"
LONGEST_LINE = 1 << 20
"""Bytes of a line at most, its end included; the longest ones are of a few thousand."""
GENESIS = "0" * 64
"""The `prev` of the first event."""
_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", re.ASCII)
_VERSIONS = versions(ev.BY_NAME)
_NAMES = present_names(_VERSIONS)
_sorted_json = msgspec.json.Encoder(order="sorted")


class Fault(msgspec.Struct, frozen=True):
    """The first thing wrong with a record. `line` counts from 1; `code` is stable."""

    line: int
    code: str
    text: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.text} [{self.code}]"


class RecordError(ValueError):
    """A record that is not sound; `fault` says where and why."""

    def __init__(self, line: int, code: str, text: str) -> None:
        self.fault = Fault(line, code, text)
        super().__init__(str(self.fault))


class Fact(NamedTuple):
    """An event, when it happened (UTC, microseconds, as text) and by whom."""

    at: str
    by: str
    event: ev.Event


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Line 1. `head`: hash of the last event; `hash`: that of the header's other fields.

    `view`: the audience for which the record is redacted, None: complete. A redacted record has
    neither a `head` nor hashes of events: by them the cards left out could be guessed.
    """

    format: str
    game: str
    profile: dict[str, Any]
    hash: str
    head: str | None = None
    view: str | None = None


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line with an event; `prev` and `hash` are empty in a redacted record."""

    seq: int
    type: str
    at: str
    by: str
    data: dict[str, Any]
    prev: str = ""
    hash: str = ""

    @property
    def line(self) -> int:
        """The line's number in a sound record: the header is line 1."""
        return self.seq + 1


class Record(NamedTuple):
    """A record whose lines hold together."""

    header: Header
    entries: list[Entry]


def canonical(value: Any) -> bytes:
    """Canonical JSON: sorted keys, no spaces, UTF-8 unescaped."""
    return _sorted_json.encode(value)


def event_hash(prev: str, fields: dict[str, Any]) -> str:
    """The hash of an event, from its fields other than `prev` and `hash` (section 6)."""
    return sha256(prev.encode() + canonical(fields)).hexdigest()


def header_line(
    game: str, profile: dict[str, Any], *, head: str | None = None, view: str | None = None
) -> bytes:
    """Line 1, without its line end: of a complete record with its `head`, else with its `view`."""
    fields: dict[str, Any] = {"format": FORMAT, "game": game, "profile": profile}
    fields |= {"head": head} if view is None else {"view": view}
    return canonical(fields | {"hash": sha256(canonical(fields)).hexdigest()})


def write_record(game: str, facts: Iterable[Fact]) -> list[bytes]:
    """The lines of a complete record, line ends included; the first fact is the game's opening.

    A deal is written sealed, as it was stored: its revealed seed gives the stock and the reserves.
    """
    lines: list[bytes] = []
    profile: dict[str, Any] | None = None
    prev = GENESIS
    for seq, (at, by, event) in enumerate(facts, start=1):
        if profile is None:
            if not isinstance(event, ev.GameOpened):
                raise ValueError("a record starts with the opening of its game")
            profile = event.profile
        if isinstance(event, ev.DealStarted):
            event = sealed(event)
        fields = {"at": at, "by": by, "data": event, "seq": seq, "type": _NAMES[type(event)]}
        digest = event_hash(prev, fields)
        lines.append(canonical(fields | {"hash": digest, "prev": prev}) + b"\n")
        prev = digest
    if profile is None:
        raise ValueError("a record has at least one event")
    return [header_line(game, profile, head=prev) + b"\n", *lines]


def lines_in(file: BinaryIO) -> Iterator[bytes]:
    """The lines of an open file. A longer one than may be comes cut, so that it is refused."""
    while line := file.readline(LONGEST_LINE + 1):
        yield line


def event_of(entry: Entry) -> ev.Event:
    """The fact that a line tells, whatever version it was written in. Raises `RecordError`."""
    version = _VERSIONS.get(entry.type)
    if version is None:
        raise RecordError(
            entry.line,
            "event-unknown",
            f"There is no event type {entry.type!r} (written by a newer program?).",
        )
    try:
        return cast(ev.Event, version.read(entry.data))
    except msgspec.ValidationError as fault:
        raise RecordError(
            entry.line, "event-malformed", f"`data` of `{entry.type}` is malformed: {fault}."
        ) from None


def read_record(lines: Iterable[bytes]) -> Record:
    """The record in these lines (line ends included), its chain checked. Raises `RecordError`.

    A redacted record has no chain; of it only the shape and the order are checked.
    """
    header: Header | None = None
    entries: list[Entry] = []
    prev = GENESIS
    for number, line in enumerate(lines, start=1):
        plain = _plain(number, line)
        if header is None:
            header = _header(plain)
            continue
        entry = _entry(number, plain, prev, complete=header.view is None)
        entries.append(entry)
        prev = entry.hash
    if header is None:
        raise RecordError(1, "record-empty", "There is nothing in this record.")
    if not entries:
        raise RecordError(1, "record-empty", "The record has a header and no event.")
    if header.view is None and header.head != prev:
        raise RecordError(
            1,
            "head-differs",
            "The header's `head` is not the hash of the last event: lines are missing at the end, "
            "or were added.",
        )
    return Record(header, entries)


def _plain(number: int, line: bytes) -> dict[str, Any]:
    if len(line) > LONGEST_LINE:
        raise RecordError(
            number,
            "line-too-long",
            f"The line has more than {LONGEST_LINE} bytes: no record's has.",
        )
    if not line.endswith(b"\n"):
        raise RecordError(number, "line-cut", "The line does not end: the record is cut off.")
    body = line[:-1]
    try:
        plain = msgspec.json.decode(body)
        same = canonical(plain) == body
    except (ValueError, OverflowError, RecursionError) as fault:
        text = str(fault).removeprefix("JSON is malformed: ")
        raise RecordError(number, "not-json", f"This is no JSON: {text}.") from None
    if not isinstance(plain, dict):
        raise RecordError(number, "not-json", "The line is not a JSON object.")
    if not same:
        raise RecordError(
            number,
            "not-canonical",
            "The line is not canonical JSON (sorted keys, each once, no spaces, UTF-8 unescaped).",
        )
    return plain


def _header(plain: dict[str, Any]) -> Header:
    if plain.get("format") != FORMAT:
        raise RecordError(1, "format-unknown", f"The header does not say format {FORMAT!r}.")
    try:
        header = msgspec.convert(plain, Header)
    except msgspec.ValidationError as fault:
        raise RecordError(1, "header-malformed", f"The header is malformed: {fault}.") from None
    if not header.game:
        raise RecordError(1, "header-malformed", "The header names no game.")
    fields = {name: value for name, value in plain.items() if name != "hash"}
    if sha256(canonical(fields)).hexdigest() != header.hash:
        raise RecordError(1, "header-hash-differs", "The header is not what its `hash` says.")
    return header


def _entry(number: int, plain: dict[str, Any], prev: str, *, complete: bool) -> Entry:
    try:
        entry = msgspec.convert(plain, Entry)
    except msgspec.ValidationError as fault:
        raise RecordError(number, "event-malformed", f"The event is malformed: {fault}.") from None
    if entry.seq != number - 1:
        raise RecordError(
            number, "seq-gap", f"`seq` is {entry.seq} where {number - 1} should follow."
        )
    if complete:
        if entry.prev != prev:
            raise RecordError(
                number, "prev-differs", "`prev` is not the hash of the event before (or 64 zeros)."
            )
        fields = {name: value for name, value in plain.items() if name not in {"prev", "hash"}}
        if event_hash(prev, fields) != entry.hash:
            raise RecordError(number, "hash-differs", "The event is not what its `hash` says.")
    if not _is_instant(entry.at):
        raise RecordError(
            number, "at-malformed", f"`at` is {entry.at!r}, not a moment in UTC with microseconds."
        )
    if not entry.by:
        raise RecordError(number, "by-missing", "`by` names no one.")
    return entry


def _is_instant(text: str) -> bool:
    if not _INSTANT.fullmatch(text):
        return False
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True
