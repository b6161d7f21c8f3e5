"""Prepared statements on a connection of psycopg, straight through libpq, for the live path.

May import psycopg. Sends and waits; never opens a connection, never decides what an answer means.
"""

import asyncio
from collections.abc import Sequence
from typing import Any

from psycopg import AsyncConnection, OperationalError, errors, pq
from psycopg.adapt import PyFormat, Transformer

_ANSWERED = {pq.ExecStatus.COMMAND_OK, pq.ExecStatus.TUPLES_OK}


class Wire:
    """One connection, watched by the running event loop until it is left.

    A cursor makes itself known to the event loop and takes its leave again with every statement,
    which costs more than a small INSERT does. This one stays. So nothing else may use the
    connection meanwhile, and one statement is under way at a time.
    """

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection
        self._libpq = connection.pgconn
        self._loop = asyncio.get_running_loop()
        self._transformer = Transformer.from_context(connection)
        self._under_way = False
        self._answer: asyncio.Future[pq.abc.PGresult] = self._loop.create_future()
        self._result: pq.abc.PGresult | None = None
        self._socket: int | None = self._libpq.socket
        """Watched by the event loop; None from when it is not, for its number may be another's."""
        self._is_full = False
        self._loop.add_reader(self._socket, self._receive)

    def leave(self) -> None:
        """Let go of the connection; others may use it from here on."""
        self._unwatch()
        if self._under_way:
            # Given up in the middle: what would come now is nobody's answer.
            self._libpq.finish()

    async def run(self, statement: bytes, parameters: Sequence[Any]) -> pq.abc.PGresult:
        """Run a prepared statement by its name. The result's values are binary.

        Raises what psycopg raises: `OperationalError` for a lost connection, or the error's own
        class.
        """
        formats = [PyFormat.BINARY] * len(parameters)
        packed = self._transformer.dump_sequence(parameters, formats)
        self._libpq.send_query_prepared(
            statement, packed, self._transformer.formats, pq.Format.BINARY
        )
        return await self._answered()

    async def _answered(self) -> pq.abc.PGresult:
        self._under_way = True
        self._answer, self._result = self._loop.create_future(), None
        self._flush()
        result = await self._answer
        if result.status in _ANSWERED:
            return result
        raise self._error(result)

    def _flush(self) -> None:
        """Send what is left to send; libpq wants to be asked again where the socket is full."""
        try:
            is_full = bool(self._libpq.flush())
        except OperationalError as error:
            self._lose(error)
            return
        if is_full != self._is_full and self._socket is not None:
            self._is_full = is_full
            if is_full:
                self._loop.add_writer(self._socket, self._flush)
            else:
                self._loop.remove_writer(self._socket)

    def _receive(self) -> None:
        try:
            self._libpq.consume_input()
            while self._under_way and not self._libpq.is_busy():
                if (result := self._libpq.get_result()) is None:
                    self._end(self._result)
                elif self._result is None:
                    self._result = result
        except OperationalError as error:
            self._lose(error)

    def _end(self, result: pq.abc.PGresult | None) -> None:
        self._under_way = False
        if not self._answer.done() and result is not None:
            self._answer.set_result(result)

    def _lose(self, error: OperationalError) -> None:
        self._unwatch()
        if self._under_way and not self._answer.done():
            self._answer.set_exception(error)
        self._under_way = False

    def _unwatch(self) -> None:
        if self._socket is not None:
            self._loop.remove_reader(self._socket)
            self._loop.remove_writer(self._socket)
            self._socket = None

    def _error(self, result: pq.abc.PGresult) -> Exception:
        state = (result.error_field(pq.DiagnosticField.SQLSTATE) or b"").decode()
        words = result.get_error_message(self._connection.info.encoding)
        try:
            kind = errors.lookup(state)
        except KeyError:
            kind = OperationalError
        return kind(words)
