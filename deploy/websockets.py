"""uvicorn's WebSocket protocol, with a way out for frames that are ready to be sent.

Imports uvicorn and nothing of ours but a name. Never looks into a frame.
"""

from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

from games.live.hub import EXTENSION


class TableProtocol(WebSocketsSansIOProtocol):
    """One socket. Its scope has the extension `EXTENSION`: the function `write_ready`.

    A frame for a thousand browsers is made into WebSocket bytes once; `send` would do it a thousand
    times, in a task of its own for each.
    """

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if hasattr(self, "scope"):
            extensions: Any = self.scope["extensions"]
            extensions[EXTENSION] = self.write_ready

    def send_receive_event_to_app(self) -> None:
        # uvicorn stops reading for each message until it is taken, which costs two calls of the
        # kernel. One message may wait; a second stops the reading.
        if self.read_paused or not self.queue.empty():
            super().send_receive_event_to_app()
            return
        self.read_paused = True
        super().send_receive_event_to_app()
        self.read_paused = False

    def write_ready(self, wire: bytes) -> int:
        """Write whole frames, in their bytes; answers how many bytes wait for the reader.

        Not before the socket is accepted. What comes while it closes is nobody's any more.
        """
        transport = self.transport
        if not (self.close_sent or transport.is_closing()):
            transport.write(wire)
        return transport.get_write_buffer_size()
