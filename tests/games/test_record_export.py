"""`manage.py record export`: from the store to a file that verifies, once all may be seen."""

import io
import random
import sys
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.core.management import CommandError, call_command

from games.bots.players import PLAYERS
from games.bots.seat import seat_view
from games.rules.legal import legal_moves
from games.rules.profile import load_profile
from games.rules.verification import verify_record
from games.tables import services
from games.tables.loading import load
from games.tables.models import Game

pytestmark = pytest.mark.django_db

FOUR = ["pcarla", "pelsa", "pdino", "palba"]


def opened(profile: str) -> Game:
    return services.open_table(
        profile=load_profile(profile), holders=FOUR, by="palba", bot_pace=timedelta(0)
    )


def played(game: Game, moves: int) -> None:
    luck = random.Random(2)
    for _ in range(moves):
        folded = load(game.stream)
        deal = folded.state.deal
        if folded.state.over or deal is None:
            return
        legal = legal_moves(deal, deal.turn)
        move = PLAYERS["sensible"].choose(seat_view(deal, deal.turn), legal, luck)
        services.submit_move(stream=game.stream, move=move, by=FOUR[deal.turn], seq=folded.head.seq)


def exported(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> list[bytes]:
    """What the command writes to standard output, as lines."""
    out = io.BytesIO()
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", SimpleNamespace(buffer=out))
        call_command("record", "export", *arguments)
    return out.getvalue().splitlines(keepends=True)


def test_a_finished_match_is_exported_complete(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    game = opened("buraco-fechado-stbl")
    played(game, moves=2_000)
    lines = exported(monkeypatch, game.public_id)
    assert load(game.stream).state.over
    assert verify_record(lines) is None


def test_a_match_ended_by_the_director_is_exported_complete(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = opened("burraco-italiano")
    played(game, moves=9)
    services.end_match(stream=game.stream, by="palba")
    assert verify_record(exported(monkeypatch, game.public_id)) is None


@pytest.mark.parametrize("audience", ["public", "seat-1"])
def test_a_running_match_is_exported_redacted(
    monkeypatch: pytest.MonkeyPatch, audience: str
) -> None:
    game = opened("buraco-aberto")
    played(game, moves=9)
    fault = verify_record(exported(monkeypatch, game.public_id, "--audience", audience))
    assert fault is not None
    assert fault.code == "record-redacted"
    assert audience in fault.text


@pytest.mark.parametrize("audience", ["seat-4", "seat-9", "everyone"])
def test_an_audience_that_is_none_is_refused(
    monkeypatch: pytest.MonkeyPatch, audience: str
) -> None:
    game = opened("buraco-aberto")
    with pytest.raises(CommandError) as refused:
        exported(monkeypatch, game.public_id, "--audience", audience)
    assert refused.value.returncode == 2


def test_a_game_that_is_not_there_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CommandError) as refused:
        exported(monkeypatch, "nowhere")
    assert "[no-such-table]" in str(refused.value)
