"""Headers that every answer carries. Knows no page and no rule."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase

# Everything comes from us, as files: no inline script or style, no frames around us. 'self' in
# connect-src covers our WebSockets in today's browsers.
RULES = (
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
)


def policy(framed_by: str = "'none'") -> str:
    """The policy of a page that these sites may show in a frame."""
    return "; ".join((*RULES, f"frame-ancestors {framed_by}"))


POLICY = policy()


def content_security_policy(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware that adds the policy to answers that bring none of their own.

    An answer made to be framed says by whom in its attribute `frame_ancestors`.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        framed_by = getattr(response, "frame_ancestors", None)
        own = policy(framed_by) if framed_by else POLICY
        response.headers.setdefault("Content-Security-Policy", own)
        return response

    return middleware
