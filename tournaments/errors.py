"""How services refuse: a stable code, and what is wrong with which field. Imports Django's text only."""

from collections.abc import Sequence

from django.utils.functional import Promise


class Refused(Exception):
    """A service changed nothing.

    `code` is stable and for programs; `problems` are for people: (field, message) pairs, the field
    being empty where the fault lies in no single one.
    """

    def __init__(self, code: str, problems: Sequence[tuple[str, str | Promise]]) -> None:
        self.code = code
        self.problems = tuple(problems)
        super().__init__(code)

    def __str__(self) -> str:
        said = "; ".join(
            f"{field}: {message}" if field else str(message) for field, message in self.problems
        )
        return f"{self.code}: {said}"


def refusal(code: str, message: str | Promise, *, field: str = "") -> Refused:
    """A refusal with one problem."""
    return Refused(code, [(field, message)])
