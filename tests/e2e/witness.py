"""Keeps all that reaches one browser, and searches it for cards that its audience cannot know.

Frames both ways, answers, addresses, what stands in the page, what a screen reader is told. What
may be known comes from the complete events (`Knowledge`), not from the code that hides cards.
"""

import json
import re
import time
from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from playwright.sync_api import APIResponse, Page, Request, Response, WebSocket

from games.rules.cards import ALL_CARDS
from games.tables.folding import Step
from tests.games.live.knowledge import CARD, Knowledge, leaks

_CARD = r"([A23456789TJQK][SHDC]|JK)\b"
_PICTURE = re.compile(rf"href=\"[^\"]*#{_CARD}")
_IN_PAGE = re.compile(rf"(?:#|data-card=\"|card-){_CARD}")
_RANKS = {
    "A": "ace", "2": "two", "3": "three", "4": "four", "5": "five", "6": "six", "7": "seven",
    "8": "eight", "9": "nine", "T": "ten", "J": "jack", "Q": "queen", "K": "king",
}  # fmt: skip
_SUITS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
_STANDS_FOR = re.compile(r"\bas \w+ of \w+")
"""Of a wild: a card that it is not."""


def spoken(card: str) -> str:
    return "joker" if card == "JK" else f"{_RANKS[card[0]]} of {_SUITS[card[1]]}"


def named_in(text: str) -> set[str]:
    """The cards that JSON or a page names."""
    return set(CARD.findall(text)) | set(_IN_PAGE.findall(text))


LAG_SECONDS = 2


class Answer(NamedTuple):
    at: float
    address: str
    text: str


class Look(NamedTuple):
    """At a page: its HTML, and what a screen reader finds in it."""

    at: float
    html: str
    heard: str


class Known(NamedTuple):
    """What an audience may know by a moment: all it was ever shown, and what lies open now.

    A page may lag a little: what lay open `LAG_SECONDS` ago still counts as now.
    """

    ever: set[str]
    now: Counter[str]


class Witness:
    """`seat`: whose eyes, None for the public; `delay`: how many seconds behind those are."""

    def __init__(self, seat: int | None, delay: float = 0) -> None:
        self.seat = seat
        self.delay = 0 if seat is not None else delay
        self.frames: list[tuple[float, str]] = []
        self.sent: list[tuple[float, str]] = []
        self.addresses: list[str] = []
        self.looks: list[Look] = []
        self.answers: list[Answer] = []

    def listen(self, page: Page) -> None:
        page.on("websocket", self._socket)
        page.on("request", lambda request: self.addresses.append(request.url))
        page.on("requestfinished", self._finished)

    def look(self, page: Page) -> None:
        html, heard = page.content(), page.locator("body").aria_snapshot()
        self.looks.append(Look(time.time(), html, heard))

    def fetch(self, page: Page, path: str) -> None:
        """Ask for a file as a curious one would."""
        self._answered(page.request.get(path))

    def told(self) -> dict[int, str]:
        """What frames told, by the event after which they told it."""
        found: dict[int, str] = {}
        for _, text in self.frames:
            frame = json.loads(text)
            for event in frame.get("events", ()):
                found[event["seq"]] = found.get(event["seq"], "") + json.dumps(event)
            if "seq" in frame and frame["t"] != "ack":
                found[frame["seq"]] = found.get(frame["seq"], "") + text
        return found

    def _socket(self, socket: WebSocket) -> None:
        self.addresses.append(socket.url)
        socket.on("framereceived", lambda text: self.frames.append((time.time(), str(text))))
        socket.on("framesent", lambda text: self.sent.append((time.time(), str(text))))

    def _finished(self, request: Request) -> None:
        response = request.response()
        if not response or "/static/" in request.url or 300 <= response.status < 400:
            return  # the same for everybody, or it only leads elsewhere
        if response.headers.get("content-length") != "0":
            self._answered(response)

    def _answered(self, response: Response | APIResponse) -> None:
        self.answers.append(Answer(time.time(), response.url, response.text()))


def moment(step: Step) -> float:
    """When it happened, as `time.time` counts."""
    return datetime.fromisoformat(step.stored.at).timestamp()


class Truth:
    """All that happened, and so what may be known."""

    def __init__(self, steps: list[Step]) -> None:
        self._steps = steps

    def known(self, witness: Witness, at: float) -> Known:
        """To this witness at that time."""
        knowledge, ever = Knowledge(witness.seat), set[str]()
        last, lately = Counter[str](), Counter[str]()
        for step in self._steps:
            ago = at - witness.delay - moment(step)
            if ago < 0:
                break
            ever |= knowledge.after(step)
            if ago < LAG_SECONDS:
                lately |= last
            last = knowledge.shown()
        return Known(ever, lately | last)

    def faults(self, witness: Witness, *, is_over_at: float) -> list[str]:
        """What reached this witness of cards that it could not know; best nothing."""
        return [
            *leaks(self._steps, witness.seat, witness.told()),
            *(f"in an address: {each}" for each in witness.addresses if named_in(each)),
            *(
                f"sent: {text}"
                for at, text in witness.sent
                if named_in(text) - self.known(witness, at).ever
            ),
            *self._early(witness),
            *(
                f"answer of {address}: {sorted(hidden)}"
                for at, address, text in witness.answers
                if at - witness.delay < is_over_at
                and (hidden := named_in(text) - self.known(witness, at).ever)
            ),
            *(fault for look in witness.looks for fault in self._seen(witness, look)),
        ]

    def _early(self, witness: Witness) -> Iterable[str]:
        happened = {step.stored.seq: moment(step) for step in self._steps}
        for at, text in witness.frames:
            for event in json.loads(text).get("events", ()):
                if at < happened[event["seq"]] + witness.delay:
                    yield f"event {event['seq']} came early"

    def _seen(self, witness: Witness, look: Look) -> Iterable[str]:
        known = self.known(witness, look.at)
        if hidden := named_in(look.html) - known.ever:
            yield f"in the page: {sorted(hidden)}"
        if more := Counter(_PICTURE.findall(look.html)) - known.now:
            yield f"drawn though it does not lie open: {dict(more)}"
        heard = _STANDS_FOR.sub("", look.heard)
        for card in set(ALL_CARDS) - known.ever:
            if re.search(rf"\b{spoken(card)}\b", heard, re.IGNORECASE):
                yield f"told aloud: {card}"
