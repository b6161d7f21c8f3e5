"""The names of those who sit at tables. Games know opaque references only; another app names them.

`provide` is called once, when the apps start; without it the references themselves are shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

Provider = Callable[[Iterable[str]], Mapping[str, str]]
_provider: Provider | None = None


def provide(provider: Provider) -> None:
    """Say who knows the names of people (one query for any number of references)."""
    global _provider
    _provider = provider


def names_of(holders: Iterable[str]) -> list[str]:
    """A name a holder, in order; a bot that plays for nobody is named by its reference."""
    holders = list(holders)
    people = [holder.rpartition(":")[2] for holder in holders]
    known = _provider(people) if _provider is not None else {}
    return [known.get(person, holder) for person, holder in zip(people, holders, strict=True)]
