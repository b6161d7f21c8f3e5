"""What the tests of clubs and people share. Models are imported late: pytest reads this first."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from django.test import Client

    from tests.cast import Cast


@pytest.fixture
def cast(db: None) -> Cast:
    from tests.cast import make_cast

    return make_cast()


@pytest.fixture
def sign_in(cast: Cast) -> Callable[[str], Client]:
    """A browser in which one of the cast is signed in."""
    from django.test import Client

    def signed_in(name: str) -> Client:
        client = Client()
        client.force_login(cast.accounts[name])
        return client

    return signed_in
