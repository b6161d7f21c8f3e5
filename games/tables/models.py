"""The rows beside a game's stream: what lists, admin and sweepers ask for.

Projections of events, but for `Shuffle`, which keeps what no event may hold yet. People are opaque
references here; a club is a number of which games know nothing else.
"""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"


def new_public_id() -> str:
    """A name for addresses: 12 characters without look-alikes, not to be guessed."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(12))


def a_day_from_now() -> datetime:
    """Until when an invitation stands that nobody takes up."""
    return timezone.now() + timedelta(days=1)


class Game(models.Model):
    """A match at a table. The primary key is the id of its stream."""

    class Status(models.TextChoices):
        PLAYING = "playing", _("being played")
        BETWEEN = "between", _("between two deals")
        OVER = "over", _("over")

    stream = models.BigIntegerField(primary_key=True)
    public_id = models.CharField(_("opaque id"), max_length=16, unique=True, default=new_public_id)
    club = models.BigIntegerField(null=True, blank=True, db_index=True)
    label = models.CharField(_("label"), max_length=80, blank=True)
    profile_id = models.CharField(max_length=60)
    profile_name = models.CharField(_("rules"), max_length=80)
    profile_digest = models.CharField(max_length=64, db_index=True)
    terms = models.CharField(max_length=12, blank=True)
    """In whose words pages speak of it (`games.rules.profile.Terms`); empty: the reader's own."""
    seats = models.PositiveSmallIntegerField()
    target = models.PositiveIntegerField(default=0)
    deals = models.PositiveIntegerField(default=0)
    status = models.CharField(
        _("state"), max_length=8, choices=Status.choices, default=Status.BETWEEN
    )
    deal_number = models.PositiveIntegerField(default=0)
    totals = models.JSONField(default=list)
    winner = models.PositiveSmallIntegerField(null=True, blank=True)
    clocked = models.BooleanField(default=False)
    delay_seconds = models.PositiveIntegerField(default=0)
    """How far behind the table is what anyone sees who does not sit at it."""
    opened_at = models.DateTimeField(_("opened at"))
    ended_at = models.DateTimeField(null=True, blank=True)
    opening_command = models.CharField(max_length=64, null=True, blank=True, unique=True)
    bot_pace_ms = models.PositiveIntegerField(default=1500)
    bots_due_at = models.DateTimeField(null=True, blank=True)
    """When a bot of this table is to be looked after next; null where none sits or all is over."""

    class Meta:
        verbose_name = _("match")
        verbose_name_plural = _("matches")
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


class Pulse(models.Model):
    """A sign of life of a part of the system, so that no player's time runs while it is away.

    `steady_since`: from when on it has been there without a break.
    """

    part = models.CharField(max_length=16, primary_key=True)
    at = models.DateTimeField()
    steady_since = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.part} at {self.at}"


class Shuffle(models.Model):
    """The secret from which a game's deals are shuffled, sealed with the deployment's key."""

    game = models.OneToOneField(Game, on_delete=models.CASCADE, primary_key=True)
    sealed = models.BinaryField()

    def __str__(self) -> str:
        return f"shuffle of {self.game_id}"


class Invitation(models.Model):
    """A table with friends before it plays: the seats fill one by one, then the game opens.

    `holders`: a list with a reference a seat, null where the seat is free. `profile`: whole, so
    that what was offered is what is played.
    """

    class Status(models.TextChoices):
        OPEN = "open", "open"
        STARTED = "started", "started"
        CANCELLED = "cancelled", "cancelled"
        EXPIRED = "expired", "expired"

    public_id = models.CharField(max_length=16, unique=True, default=new_public_id)
    club = models.BigIntegerField(null=True, blank=True, db_index=True)
    host = models.CharField(max_length=40, db_index=True)
    profile = models.JSONField()
    profile_name = models.CharField(max_length=80)
    holders = models.JSONField()
    target = models.PositiveIntegerField(default=0)
    deals = models.PositiveIntegerField(default=0)
    move_seconds = models.PositiveIntegerField(default=0)
    bank_seconds = models.PositiveIntegerField(default=0)
    delay_seconds = models.PositiveIntegerField(default=0)
    status = models.CharField(max_length=9, choices=Status.choices, default=Status.OPEN)
    game = models.OneToOneField(
        Game, on_delete=models.SET_NULL, null=True, blank=True, related_name="invitation"
    )
    command = models.CharField(max_length=64, null=True, blank=True, unique=True)
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField(default=a_day_from_now)

    class Meta:
        indexes = [
            models.Index(
                fields=["expires_at"],
                name="tables_invitation_open",
                condition=models.Q(status="open"),
            )
        ]

    def __str__(self) -> str:
        return f"invitation {self.public_id} to {self.profile_name}"
