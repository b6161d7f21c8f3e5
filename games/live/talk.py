"""Talk at tables: preset phrases for players, words among those who watch.

At a club's table players have presets only, so that partners cannot talk about their cards. Never
an event; forgotten after `KEPT`.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.utils import timezone

from games.live.messages import MessageError, Say
from games.live.models import Line
from games.live.names import names_of
from games.tables.models import Game

PHRASES = frozenset(
    (
        "hello", "thanks", "well-played", "good-luck", "sorry", "one-moment", "back-again",
        "good-game", "bravo", "smile", "laugh", "applause", "surprise", "think",
    )
)  # fmt: skip
LONGEST_TEXT = 200
MOST_RECALLED = 20
MOST_IN_A_WHILE, WHILE = 40, timedelta(seconds=10)
"""How much is said in one room, by however many."""
KEPT = timedelta(days=30)


def say(*, stream: int, seat: int | None, person: str, said: Say) -> tuple[str, dict[str, Any]]:
    """Keep what was said; the room and the frame that tells it. Raises `MessageError`."""
    text = " ".join((said.text or "").split())
    if bool(said.phrase) == bool(text):
        raise MessageError("nothing-said", "say a phrase or a text")
    if said.phrase and said.phrase not in PHRASES:
        raise MessageError("no-such-phrase", f"there is no phrase {said.phrase!r}")
    if len(text) > LONGEST_TEXT:
        raise MessageError("text-too-long", f"say it in {LONGEST_TEXT} characters")
    if not text.isprintable():
        raise MessageError("text-unprintable", "that text holds characters that cannot be shown")
    club = Game.objects.filter(pk=stream).values_list("club", flat=True).first()
    if text and seat is not None and club is not None:
        raise MessageError("presets-only", "at a club's table players say phrases only")
    room = Line.Room.WATCHERS if seat is None else Line.Room.TABLE
    lately = Line.objects.filter(stream=stream, room=room, at__gt=timezone.now() - WHILE)
    if lately.count() >= MOST_IN_A_WHILE:
        raise MessageError("talks-too-fast", "too much is said here just now")
    line = Line.objects.create(
        stream=stream,
        room=room,
        seat=seat,
        author=person,
        phrase=said.phrase or "",
        text=text,
    )
    return line.room, _frame(line, names_of([person])[0] if person else None)


def recalled(stream: int, rooms: tuple[str, ...]) -> list[dict[str, Any]]:
    """The last things said in these rooms, oldest first, as frames."""
    lines = list(
        Line.objects.filter(stream=stream, room__in=rooms).order_by("-id")[:MOST_RECALLED]
    )[::-1]
    names = names_of(line.author for line in lines)
    return [
        _frame(line, name if line.author else None) for line, name in zip(lines, names, strict=True)
    ]


def forget_old_lines() -> int:
    """Remove what is older than `KEPT`; returns how many lines that was."""
    removed, _ = Line.objects.filter(at__lt=timezone.now() - KEPT).delete()
    return removed


def _frame(line: Line, name: str | None) -> dict[str, Any]:
    return {
        "t": "talk",
        "room": line.room,
        "from": line.author or None,
        "name": name,
        "seat": line.seat,
        "phrase": line.phrase or None,
        "text": line.text or None,
        "at": line.at.isoformat().replace("+00:00", "Z"),
    }
