"""A line between a browser and a server, which goes dead as a phone's does in a tunnel."""

import socket
import threading
from contextlib import suppress

from tests.games.processes import free_port


class Line:
    """Passes bytes on in both directions, and holds them while a direction is cut.

    Nobody is told of a cut: connections stay open and new ones can be made, but nothing arrives.
    What was held arrives late, once the line is mended.
    """

    def __init__(self, server: int) -> None:
        self.port = free_port()
        self._server = server
        self.up, self.down = threading.Event(), threading.Event()
        self._sockets: list[socket.socket] = []
        self._listening = socket.create_server(("127.0.0.1", self.port))
        self.mend()
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self, *, up: bool = True, down: bool = True) -> None:
        """`up`: what the browser says; `down`: what the server says."""
        if up:
            self.up.clear()
        if down:
            self.down.clear()

    def mend(self) -> None:
        self.up.set()
        self.down.set()

    def close(self) -> None:
        self.mend()
        for each in (self._listening, *self._sockets):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                browser, _ = self._listening.accept()
                try:
                    server = socket.create_connection(("127.0.0.1", self._server))
                except OSError:
                    browser.close()
                    continue
                self._sockets += (browser, server)
                for source, sink, passes in (
                    (browser, server, self.up),
                    (server, browser, self.down),
                ):
                    threading.Thread(
                        target=self._pass_on, args=(source, sink, passes), daemon=True
                    ).start()

    @staticmethod
    def _pass_on(source: socket.socket, sink: socket.socket, passes: threading.Event) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                passes.wait()
                sink.sendall(data)
        for each in (source, sink):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
