"""The demo's own tables beside those that people lay in its club's name."""

import pytest

from deploy.demo_night import CLUB, prepare_night, progress
from games.rules.profile import load_profile
from games.tables.services import open_table
from tournaments.models import Club

pytestmark = pytest.mark.django_db


def test_a_table_that_people_laid_in_the_clubs_name_does_not_end_the_night() -> None:
    prepare_night(tables=1, speed=1)
    open_table(
        profile=load_profile("buraco-aberto"),
        holders=("bot:sensible", "bot:sensible"),
        by="test",
        club=Club.objects.get(slug=CLUB).pk,
    )
    assert progress() == "table 1: deal 1, 0 – 0"
