"""What is said at tables. No event of a game: it is kept for a while, then forgotten."""

from __future__ import annotations

from django.db import models
from django.utils import timezone


class Line(models.Model):
    """Something said, by a seat or by someone who watches."""

    class Room(models.TextChoices):
        TABLE = "table", "table"
        WATCHERS = "watchers", "watchers"

    stream = models.BigIntegerField()
    room = models.CharField(max_length=8, choices=Room.choices)
    seat = models.PositiveSmallIntegerField(null=True, blank=True)
    author = models.CharField(max_length=40, blank=True)
    phrase = models.CharField(max_length=24, blank=True)
    text = models.CharField(max_length=200, blank=True)
    at = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        indexes = [models.Index(fields=["stream", "-id"], name="live_line_of_table")]

    def __str__(self) -> str:
        return f"line {self.pk} at {self.stream}"
