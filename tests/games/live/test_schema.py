"""Every frame that real sockets get in a deal is of the type that `games.live.schema` gives it."""

import random
from collections.abc import Callable

import msgspec
import pytest

from games.live import schema
from games.tables.loading import load
from games.tables.models import Game
from tests.games.live.around import Table
from tests.games.play import hasty

pytestmark = pytest.mark.django_db(transaction=True)


def test_every_frame_of_a_deal_on_the_sockets_is_of_its_type(
    game: Game, seat_at: Callable[[Game], Table]
) -> None:
    table = seat_at(game)
    luck = random.Random(9)
    browsers = [table.connect(number) for number in range(4)]
    watching = table.connect()
    seq = load(game.stream).head.seq
    for turn in range(40):
        deal = load(game.stream).state.deal
        player = browsers[deal.turn]
        assert player.reaches(seq)
        player.say(t="legal", seq=seq)
        legal = player.until("legal")
        if legal["melds"]:
            placement = {"cards": legal["melds"][0]["cards"]}
            player.say(t="try", id=f"t{turn}", seq=seq, place=[placement, placement])
            player.until("tried")
        move = hasty(deal, luck)
        plain = {k: v for k, v in msgspec.to_builtins(move).items() if k != "seat"}
        seq = player.move(**plain)["seq"]
    player.move(move="discard", card="JK")
    player.say(t="ask", id="a", what="pause")
    player.say(t="say", id="s", phrase="hello")
    player.until("talk")
    frames = [text for browser in (*browsers, watching) for text in browser.frames]
    kinds = {type(schema.read(text)) for text in frames}
    assert {
        schema.SnapshotFrame,
        schema.EventsFrame,
        schema.LegalFrame,
        schema.TriedFrame,
        schema.TalkFrame,
    } <= kinds
