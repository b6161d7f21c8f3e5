"""The tables of the store that Django should know of. The events' own table has no model.

Events and streams are written by `store` and `aio` alone. Django neither creates `Stream`'s table
nor empties it (`managed = False`): the migration makes it together with the triggers that refuse
any change, and a test database's flush, which is a TRUNCATE, passes it by.
"""

from django.db import models
from django.db.models.functions import Now


class Stream(models.Model):
    """A sequence of events: a game, a tournament."""

    id = models.AutoField(primary_key=True)
    kind = models.TextField()
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        managed = False

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"


class Checkpoint(models.Model):
    """How far a follower has come: the last event it has handled, in the order it sees them."""

    follower = models.TextField(primary_key=True)
    txid = models.BigIntegerField(default=0)
    stream = models.BigIntegerField(default=0)
    seq = models.IntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.follower} at {self.txid}/{self.stream}/{self.seq}"
