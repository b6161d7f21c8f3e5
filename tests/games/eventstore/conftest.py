"""The test database with commits, for tests whose events other connections must see.

Nothing is emptied afterwards: the database refuses it. Each test opens streams of its own.
"""

from collections.abc import Iterator

import pytest
from django.db import connection
from pytest_django.plugin import DjangoDbBlocker


@pytest.fixture
def committed(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    from games.eventstore.models import Checkpoint  # needs Django to be set up

    with django_db_blocker.unblock():
        yield
        Checkpoint.objects.all().delete()
        connection.close()
