"""A browser at a table as the socket sees one: reads frames, checks that none is missing."""

import json
import time
from contextlib import ExitStack
from typing import Any
from uuid import uuid4

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tests.games.processes import ORIGIN

Frame = dict[str, Any]


class Browser:
    """Keeps the raw text of every frame; `seq` is the last event that it has been told of."""

    def __init__(self, address: str, **options: Any) -> None:
        self._stack = ExitStack()
        self.socket = self._stack.enter_context(
            connect(address, origin=ORIGIN, max_size=None, **options)
        )
        self.frames: list[str] = []
        self.seq = 0
        self.view: Frame = {}
        self.events: list[Frame] = []

    def __enter__(self) -> "Browser":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._stack.close()

    def next(self, seconds: float = 10.0) -> Frame:
        """The next frame, whatever it is; raises `TimeoutError` when none comes."""
        text = self.socket.recv(timeout=seconds)
        assert isinstance(text, str)
        self.frames.append(text)
        frame: Frame = json.loads(text)
        if frame["t"] == "snapshot":
            self.view, self.seq = frame["view"], frame["seq"]
        elif frame["t"] == "events" and frame["to"] > self.seq:
            assert frame["from"] <= self.seq + 1, f"after {self.seq} came {frame['from']}"
            assert [e["seq"] for e in frame["events"]] == [*range(frame["from"], frame["to"] + 1)]
            self.events += [event for event in frame["events"] if event["seq"] > self.seq]
            self.seq = frame["to"]
        return frame

    def until(self, *kinds: str, seconds: float = 10.0) -> Frame:
        """The next frame of one of these kinds."""
        deadline = time.monotonic() + seconds
        while True:
            frame = self.next(max(0.01, deadline - time.monotonic()))
            if frame["t"] in kinds:
                return frame

    def reaches(self, seq: int, seconds: float = 10.0) -> bool:
        """Whether the events up to `seq` arrive in that time."""
        deadline = time.monotonic() + seconds
        while self.seq < seq:
            try:
                self.next(max(0.01, deadline - time.monotonic()))
            except TimeoutError:
                return False
        return True

    def say(self, **message: Any) -> None:
        self.socket.send(json.dumps(message))

    def move_without_news(self, **move: Any) -> Frame:
        """Make a move and wait for the answer only."""
        self.say(t="move", id=uuid4().hex, seq=self.seq, move=move)
        return self.until("ack", "refused", "stale", "error")

    def move(self, *, seq: int | None = None, id: str = "", **move: Any) -> Frame:
        """Make a move and wait for the answer to it, and for what it led to."""
        command = id or uuid4().hex
        self.say(t="move", id=command, seq=self.seq if seq is None else seq, move=move)
        answer = self.until("ack", "refused", "stale", "error")
        assert answer["id"] == command
        if answer["t"] == "ack":
            assert self.reaches(answer["seq"])
        return answer

    def closed_with(self, seconds: float = 10.0) -> int:
        """The code with which the server closes; frames before that are kept."""
        try:
            while True:
                self.next(seconds)
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else 1006
