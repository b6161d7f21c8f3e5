"""A table the textbook way: DRF validates, the ORM keeps, `group_send` tells.

The rules are ours, and the state is kept in memory between moves as ours is: what is compared is
the way of a move around them.
"""

from __future__ import annotations

from typing import Any

import msgspec
from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncJsonWebsocketConsumer
from django.db import transaction
from rest_framework import serializers

from games.rules import events as ev
from games.rules import match
from games.rules.match import Game
from games.rules.moves import parse_move
from games.rules.profile import Pile
from games.rules.refusals import Refusal
from games.rules.views import audiences, public_event
from games.tables.folding import after, shuffled
from tests.bench.textbook.models import Event, Table

GAMES: dict[str, tuple[Table, Game, int]] = {}
"""Table, game and last version, by the table's name."""


class MessageSerializer(serializers.Serializer[dict[str, Any]]):
    t = serializers.ChoiceField(choices=["move", "next"])
    id = serializers.CharField(max_length=64)
    seq = serializers.IntegerField(min_value=0, required=False)
    move = serializers.DictField(required=False)


class TableConsumer(AsyncJsonWebsocketConsumer):
    async def connect(self) -> None:
        self.table = self.scope["url_route"]["kwargs"]["table"]
        self.audience = self.scope["url_route"]["kwargs"]["audience"]
        await self.channel_layer.group_add(self.table, self.channel_name)
        await self.accept()
        await self.send_json({"t": "hello"})

    async def disconnect(self, code: int) -> None:
        await self.channel_layer.group_discard(self.table, self.channel_name)

    async def receive_json(self, content: Any, **kwargs: Any) -> None:
        serializer = MessageSerializer(data=content)
        if not serializer.is_valid():
            await self.send_json({"t": "error", "reason": serializer.errors})
            return
        seat = int(self.audience.removeprefix("seat-"))
        answer, frames = await database_sync_to_async(play)(
            self.table, seat, serializer.validated_data
        )
        await self.send_json(answer)
        if frames:
            message = {"type": "table.events", "frames": frames}
            await self.channel_layer.group_send(self.table, message)

    async def table_events(self, event: dict[str, Any]) -> None:
        await self.send_json(event["frames"][self.audience])


def play(
    name: str, seat: int, message: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Carry a message out: the answer to who sent it, and a frame an audience."""
    table, game, version = GAMES.get(name) or folded(name)
    if message["t"] == "next":
        pack = shuffled(game, bytes(table.master), game.deal_number + 1)
        decided: list[ev.Event] | Refusal = [match.start_deal(game, pack, match.next_dealer(game))]
    elif message["seq"] != version:
        return {"t": "stale", "seq": version}, {}
    else:
        open_pile = game.profile.turn.pile is Pile.OPEN
        raw = {"seat": seat, **message["move"]}
        decided = match.decide(game, parse_move(raw, seats=game.seats, open_pile=open_pile))
    if isinstance(decided, Refusal):
        return {"t": "refused", "code": decided.code, "reason": decided.reason}, {}
    everyone = audiences(game.seats)
    shown: dict[str, list[dict[str, Any]]] = {audience: [] for audience in everyone}
    with transaction.atomic():
        for event in decided:
            game = after(game, bytes(table.master), event)
            version += 1
            kind = ev.TYPE_NAMES[type(event)]
            row = Event.objects.create(
                table=table,
                version=version,
                type=kind,
                by=f"p{seat}",
                data=msgspec.to_builtins(event),
            )
            about = {"seq": version, "type": kind, "at": row.at.isoformat(), "by": row.by}
            for audience in everyone:
                shown[audience].append({**about, "data": public_event(game, event, audience)})
    GAMES[name] = (table, game, version)
    first = version - len(decided) + 1
    frames = {
        audience: {"t": "events", "from": first, "to": version, "events": events}
        for audience, events in shown.items()
    }
    return {"t": "ack", "id": message["id"], "seq": version}, frames


def folded(name: str) -> tuple[Table, Game, int]:
    """The game from its rows."""
    table = Table.objects.get(name=name)
    game, version = None, 0
    for row in Event.objects.filter(table=table).order_by("version"):
        event = msgspec.convert(row.data, ev.BY_NAME[row.type])
        game, version = after(game, bytes(table.master), event), row.version
    if game is None:
        raise LookupError(f"table {name} has no events")
    return table, game, version
