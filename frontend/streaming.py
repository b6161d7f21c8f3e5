"""Long answers line by line, so that none of them is ever in memory whole.

May import Django. Knows nothing of what the lines say.
"""

from collections.abc import AsyncIterator, Iterator
from itertools import islice

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, StreamingHttpResponse

LINES_AT_ONCE = 500


def streamed(
    request: HttpRequest, lines: Iterator[bytes], content_type: str
) -> StreamingHttpResponse:
    """An answer of these lines, made as they are sent; each gets its line end.

    They are made in the request's own thread, where its database connection is.
    """
    parts = _parts(lines)
    # Django would put what an asynchronous server is to send into a list first, were it not so.
    sent = _from_thread(parts) if isinstance(request, ASGIRequest) else parts
    return StreamingHttpResponse(sent, content_type=content_type)


def _parts(lines: Iterator[bytes]) -> Iterator[bytes]:
    while some := list(islice(lines, LINES_AT_ONCE)):
        yield b"\n".join(some) + b"\n"


async def _from_thread(parts: Iterator[bytes]) -> AsyncIterator[bytes]:
    take = sync_to_async(lambda: next(parts, b""))
    while part := await take():
        yield part
