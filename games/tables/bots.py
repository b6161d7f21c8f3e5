"""Bots at tables: whose turn it is, they play; when a deal has ended, the next is started.

They choose from their own seat's view and go through the same services as people. A deadline in the
table's row says when they are looked after; whoever sweeps locks the row, so no turn is taken twice
and none is lost when a worker dies.
"""

from __future__ import annotations

import logging
import random
from datetime import timedelta

from django.db import OperationalError, transaction
from django.utils import timezone

from games.bots.players import PLAYERS
from games.bots.seat import seat_view
from games.rules.legal import legal_moves
from games.tables import services
from games.tables.loading import load
from games.tables.models import Game
from games.tables.outcomes import Accepted

log = logging.getLogger(__name__)

LOOK_AGAIN = timedelta(seconds=1)
"""How soon a table is looked at again while a person has the turn."""

LEFT_ALONE = timedelta(minutes=1)
"""How long a table is left alone after its bots failed, so that the others get their turn."""

PAUSE_BETWEEN_DEALS = 5
"""How many moves' time the sheets of a deal stay before a bot starts the next."""

_random = random.SystemRandom()


def play_one_due() -> bool:
    """Let one table's bots do what is due, if there is one; False when nothing is."""
    with transaction.atomic():
        game = (
            Game.objects.select_for_update(skip_locked=True)
            .filter(bots_due_at__lte=timezone.now())
            .order_by("bots_due_at")
            .first()
        )
        if game is None:
            return False
        try:
            with transaction.atomic():
                wait = _attend(game)
        except OperationalError:
            raise  # the database's fault, not the table's
        except Exception:
            log.exception("the bots of table %s failed", game)
            wait = LEFT_ALONE
        due = None if wait is None else timezone.now() + wait
        Game.objects.filter(pk=game.pk).update(bots_due_at=due)
    return True


def next_due_in() -> float | None:
    """Seconds until a table's bots are due; None where no bot waits."""
    due = (
        Game.objects.filter(bots_due_at__isnull=False)
        .order_by("bots_due_at")
        .values_list("bots_due_at", flat=True)
        .first()
    )
    return None if due is None else max(0.0, (due - timezone.now()).total_seconds())


def _attend(game: Game) -> timedelta | None:
    """What is due at a table; answers how long until it is looked at again, None for never."""
    folded = load(game.stream)
    state, pace = folded.state, timedelta(milliseconds=game.bot_pace_ms)
    if state.over or not services.has_bots(state.holders):
        return None
    if state.paused:
        return LOOK_AGAIN
    if state.deal is None or state.deal.ended is not None:
        services.start_next_deal(stream=game.stream, by=_first_bot(state.holders))
        return pace
    deal = state.deal
    holder = state.holders[deal.turn]
    if not holder.startswith(services.BOT):
        return LOOK_AGAIN
    legal = legal_moves(deal, deal.turn)
    kind = holder.split(":")[1]
    move = PLAYERS[kind].choose(seat_view(deal, deal.turn), legal, _random)
    outcome = services.submit_move(stream=game.stream, move=move, by=holder, seq=folded.head.seq)
    if not isinstance(outcome, Accepted):
        # Someone else moved the table on, or the bot erred; either way it is looked at again.
        log.warning("table %s: %s could not play %s: %s", game, holder, move, outcome)
        return LOOK_AGAIN
    after = outcome.folded.state if outcome.folded is not None else state
    if after.over:
        return None
    return pace * PAUSE_BETWEEN_DEALS if after.between_deals else pace


def _first_bot(holders: tuple[str, ...]) -> str:
    return next(holder for holder in holders if holder.startswith(services.BOT))
