"""A lean load generator: one process, one epoll, sockets without a library, no frame decoded.

The same one drives every server, boardgame.io too, so that the client's cost is equal for all. A
move is done when every client at its table has its frame; then the table's next move is sent.
"""

from __future__ import annotations

import base64
import gc
import os
import select
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

_RECEIVED = 1 << 18
HANDSHAKE_SECONDS = 30.0
STALLED_SECONDS = 20.0


class Dialect(Protocol):
    """How one kind of server is talked to."""

    def path(self, table: str, client: int) -> str:
        """Where a client connects; clients are numbered from 0, seats first."""
        ...

    def greetings(self, table: str, client: int) -> Sequence[tuple[bytes, bytes]]:
        """What to send after the handshake (or nothing), and how the frame awaited begins."""
        ...

    def is_view(self, data: bytes, start: int) -> bool:
        """Whether the text frame that starts here tells of a move. Raises if of a fault."""
        ...

    def reply(self, data: bytes, start: int) -> bytes | None:
        """What must be answered to the text frame that starts here."""
        ...


Script = Iterator[tuple[int, bytes]]
"""The moves of a table: which client sends what."""


def text_frame(text: bytes) -> bytes:
    """A client's frame, masked with zeros: legal, and it costs nothing."""
    length = len(text)
    if length < 126:
        return bytes((0x81, 0x80 | length)) + b"\0\0\0\0" + text
    return bytes((0x81, 0xFE)) + length.to_bytes(2, "big") + b"\0\0\0\0" + text


def _header(data: bytes, at: int) -> tuple[int, int] | None:
    """Where the payload of the frame at `at` starts and ends; None: its header is not whole."""
    if len(data) - at < 2:
        return None
    length, start = data[at + 1] & 127, at + 2
    if length == 126:
        length, start = int.from_bytes(data[at + 2 : at + 4], "big"), at + 4
    elif length == 127:
        length, start = int.from_bytes(data[at + 2 : at + 10], "big"), at + 10
    return (start, start + length) if len(data) >= start else None


class _Table:
    def __init__(self, name: str, script: Script) -> None:
        self.name = name
        self.script = script
        self.clients: list[_Client] = []
        self.awaited = 0
        self.sent = 0.0


class _Client:
    def __init__(self, table: _Table, connection: socket.socket, rest: bytes) -> None:
        self.table = table
        self.connection = connection
        self.rest = rest


class LoadGenerator:
    """Clients at tables; use it in `with`."""

    def __init__(self, port: int, dialect: Dialect) -> None:
        self._port = port
        self._dialect = dialect
        self._epoll = select.epoll()
        self._clients: dict[int, _Client] = {}
        self._tables: list[_Table] = []
        self.done = 0
        """Moves that all clients of their table have seen."""
        self.latencies: list[float] = []
        """Of each of these, the seconds from sending it to the last client's frame."""
        self.bytes = 0
        """Received so far, of frames that tell of moves."""

    def __enter__(self) -> LoadGenerator:
        return self

    def __exit__(self, *_: object) -> None:
        for client in self._clients.values():
            client.connection.close()
        self._epoll.close()

    def seat(self, name: str, clients: int, script: Script) -> None:
        """Connect a table's clients."""
        table = _Table(name, script)
        for number in range(clients):
            client = self._connected(table, number)
            table.clients.append(client)
            client.connection.setblocking(False)
            self._clients[client.connection.fileno()] = client
            self._epoll.register(client.connection.fileno(), select.EPOLLIN)
        self._tables.append(table)

    def play(self, *, warm: float, seconds: float, when_warm: Callable[[], None]) -> int:
        """One move in flight at every table; how many are done in the time after the warming up."""
        gc.collect()
        gc.disable()
        try:
            for table in self._tables:
                self._send_next(table)
            self._pump_until(time.perf_counter() + warm)
            when_warm()
            before = self.done
            self.latencies.clear()
            self._pump_until(time.perf_counter() + seconds)
            return self.done - before
        finally:
            gc.enable()

    def _pump_until(self, end: float) -> None:
        progress, seen = time.perf_counter(), self.done
        while (now := time.perf_counter()) < end:
            self._pump()
            if self.done != seen:
                progress, seen = now, self.done
            elif now - progress > STALLED_SECONDS:
                raise RuntimeError("the server under test has stopped answering")

    def _pump(self) -> None:
        for descriptor, _ in self._epoll.poll(0.01):
            client = self._clients[descriptor]
            received = client.connection.recv(_RECEIVED)
            if not received:
                raise RuntimeError(f"the server closed a connection of table {client.table.name}")
            data = client.rest + received if client.rest else received
            at = 0
            while (payload := _header(data, at)) is not None and payload[1] <= len(data):
                self._take(client, data, data[at] & 15, *payload)
                at = payload[1]
            client.rest = data[at:]

    def _take(self, client: _Client, data: bytes, kind: int, start: int, end: int) -> None:
        if kind == 8:
            raise RuntimeError(f"the server closes: {data[start:end]!r}")
        if kind != 1:
            return
        if not self._dialect.is_view(data, start):
            reply = self._dialect.reply(data, start)
            if reply is not None:
                client.connection.send(reply)
            return
        table = client.table
        table.awaited -= 1
        self.bytes += end - start
        if not table.awaited:
            self.done += 1
            self.latencies.append(time.perf_counter() - table.sent)
            self._send_next(table)

    def _send_next(self, table: _Table) -> None:
        client, message = next(table.script)
        table.awaited = len(table.clients)
        table.sent = time.perf_counter()
        table.clients[client].connection.send(message)

    def _connected(self, table: _Table, number: int) -> _Client:
        address = ("127.0.0.1", self._port)
        connection = socket.create_connection(address, HANDSHAKE_SECONDS)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        key = base64.b64encode(os.urandom(16)).decode()
        host = f"127.0.0.1:{self._port}"
        connection.sendall(
            (
                f"GET {self._dialect.path(table.name, number)} HTTP/1.1\r\nHost: {host}\r\n"
                f"Origin: http://{host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
            ).encode()
        )
        data = b""
        while b"\r\n\r\n" not in data:
            data += self._more(connection)
        head, _, rest = data.partition(b"\r\n\r\n")
        if b" 101 " not in head.partition(b"\r\n")[0]:
            raise RuntimeError(f"no WebSocket: {head!r}")
        for greeting, awaited in self._dialect.greetings(table.name, number):
            if greeting:
                connection.sendall(greeting)
            rest = self._await(connection, rest, awaited)
        return _Client(table, connection, rest)

    def _await(self, connection: socket.socket, data: bytes, beginning: bytes) -> bytes:
        while True:
            payload = _header(data, 0)
            if payload is None or payload[1] > len(data):
                data += self._more(connection)
                continue
            found, data = data[payload[0] : payload[1]], data[payload[1] :]
            if found.startswith(beginning):
                return data

    @staticmethod
    def _more(connection: socket.socket) -> bytes:
        received = connection.recv(_RECEIVED)
        if not received:
            raise RuntimeError("the server closed a connection while it was made")
        return received
