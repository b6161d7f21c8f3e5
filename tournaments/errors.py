"""How services refuse: a stable code, and what is wrong with which field."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise


class ServiceError(Exception):
    """A service changed nothing.

    `code` is stable and for programs; `problems` are for people: (field, message) pairs, the field
    being empty where the fault lies in no single one.
    """

    def __init__(self, code: str, problems: Sequence[tuple[str, str | StrPromise]]) -> None:
        self.code = code
        self.problems = tuple(problems)
        super().__init__(code)

    def __str__(self) -> str:
        said = "; ".join(
            f"{field}: {message}" if field else str(message) for field, message in self.problems
        )
        return f"{self.code}: {said}"


def refusal(code: str, message: str | StrPromise, *, field: str = "") -> ServiceError:
    """A refusal with one problem."""
    return ServiceError(code, [(field, message)])
