"""The rows beside a game's stream: what lists, admin and sweepers ask for.

Projections of events, but for `Shuffle`, which keeps what no event may hold yet. People are opaque
references here; a club is a number of which games know nothing else.
"""

from __future__ import annotations

import secrets

from django.db import models

_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"


def new_public_id() -> str:
    """A name for addresses: 12 characters without look-alikes, not to be guessed."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(12))


class Game(models.Model):
    """A match at a table. The primary key is the id of its stream."""

    class Status(models.TextChoices):
        PLAYING = "playing", "playing"
        BETWEEN = "between", "between deals"
        OVER = "over", "over"

    stream = models.BigIntegerField(primary_key=True)
    public_id = models.CharField(max_length=16, unique=True, default=new_public_id)
    club = models.BigIntegerField(null=True, blank=True, db_index=True)
    label = models.CharField(max_length=80, blank=True)
    profile_id = models.CharField(max_length=60)
    profile_name = models.CharField(max_length=80)
    profile_digest = models.CharField(max_length=64, db_index=True)
    seats = models.PositiveSmallIntegerField()
    target = models.PositiveIntegerField(default=0)
    deals = models.PositiveIntegerField(default=0)
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.BETWEEN)
    deal_number = models.PositiveIntegerField(default=0)
    totals = models.JSONField(default=list)
    winner = models.PositiveSmallIntegerField(null=True, blank=True)
    opened_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)
    opening_command = models.CharField(max_length=64, null=True, blank=True, unique=True)
    bot_pace_ms = models.PositiveIntegerField(default=1500)
    bots_due_at = models.DateTimeField(null=True, blank=True)
    """When a bot of this table is to be looked after next; null where none sits or all is over."""

    class Meta:
        indexes = [
            models.Index(
                fields=["bots_due_at"],
                name="tables_game_bots_due",
                condition=models.Q(bots_due_at__isnull=False),
            ),
            models.Index(fields=["status", "-opened_at"], name="tables_game_live"),
        ]

    def __str__(self) -> str:
        return f"{self.profile_name} {self.public_id}"


class Seat(models.Model):
    """Who sits where: an opaque reference, `p…` for a person and `bot:…` for a bot."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="chairs")
    number = models.PositiveSmallIntegerField()
    holder = models.CharField(max_length=40, db_index=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "number"], name="tables_seat_of_game")
        ]

    def __str__(self) -> str:
        return f"seat {self.number} of {self.game_id}"


class PlayedDeal(models.Model):
    """A deal of a game: where its events lie, and its result once it has one."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="played")
    number = models.PositiveIntegerField()
    first_seq = models.PositiveIntegerField()
    last_seq = models.PositiveIntegerField(null=True, blank=True)
    reason = models.CharField(max_length=12, blank=True)
    went_out = models.PositiveSmallIntegerField(null=True, blank=True)
    sheets = models.JSONField(null=True, blank=True)
    totals = models.JSONField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "number"], name="tables_deal_of_game")
        ]

    def __str__(self) -> str:
        return f"deal {self.number} of {self.game_id}"


class Shuffle(models.Model):
    """The secret from which a game's deals are shuffled, sealed with the deployment's key."""

    game = models.OneToOneField(Game, on_delete=models.CASCADE, primary_key=True)
    sealed = models.BinaryField()

    def __str__(self) -> str:
        return f"shuffle of {self.game_id}"
