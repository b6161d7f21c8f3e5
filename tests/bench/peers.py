"""Which peers are installed here, and what to say of those that are not."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec

from tests.bench.compare import Contender

INSTALL = "uv run --group bench manage.py bench"
_DISTRIBUTIONS = {"pyspiel": "open_spiel", "rest_framework": "djangorestframework"}


def installed(
    module: str, name: str, run: Callable[[], float], *, goal: float | None = None
) -> Contender:
    """A peer that is a Python package: with its version, or as missing."""
    if find_spec(module) is None:
        return Contender(name, None, goal, f"{module} is not installed; run: {INSTALL}")
    return Contender(f"{name} {version_of(module)}", run, goal)


def version_of(module: str) -> str:
    try:
        return version(_DISTRIBUTIONS.get(module, module))
    except PackageNotFoundError:
        return ""


def node() -> str | None:
    """The Node to run boardgame.io with: the system's, or that of the development tools."""
    return shutil.which("node")


def npm() -> str | None:
    return shutil.which("npm")
