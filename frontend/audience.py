"""For whom an address is: every view says so, and a test walks the addresses to see that it does.

Imports Django only. It declares and does not enforce: who may come in is the view's own work.
"""

from collections.abc import Callable
from enum import Enum
from typing import Any, TypeVar

from django.http import HttpResponse

View = TypeVar("View", bound=Callable[..., Any])


class Audience(Enum):
    """The widest circle that a page is made for."""

    EVERYONE = "everyone"
    """No account needed; shows only what a spectator in the room may see."""
    MEMBER = "member"
    DIRECTOR = "director"
    OFFICER = "officer"


def made_for(audience: Audience) -> Callable[[View], View]:
    """Declare the audience of a view."""

    def declare(view: View) -> View:
        view.audience = audience  # type: ignore[attr-defined]
        return view

    return declare


def audience_of(view: Callable[..., Any]) -> Audience | None:
    """The declared audience, None where a view has not said."""
    return getattr(view, "audience", None)


def personal(response: HttpResponse) -> HttpResponse:
    """An answer for one reader alone: nothing between us and this browser keeps it."""
    response.headers["Cache-Control"] = "private, no-store"
    return response
