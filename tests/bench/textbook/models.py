"""The textbook's rows: a table, and its events with a JSON column."""

from django.db import models


class Table(models.Model):
    name = models.SlugField(unique=True)
    master = models.BinaryField()

    class Meta:
        app_label = "textbook"

    def __str__(self) -> str:
        return self.name


class Event(models.Model):
    table = models.ForeignKey(Table, on_delete=models.CASCADE)
    version = models.IntegerField()
    type = models.CharField(max_length=40)
    by = models.CharField(max_length=40)
    data = models.JSONField()
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        app_label = "textbook"
        constraints = [
            models.UniqueConstraint(fields=["table", "version"], name="textbook_version")
        ]

    def __str__(self) -> str:
        return f"{self.type} {self.version}"
