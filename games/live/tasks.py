"""Celery's part in live tables: forgetting what was said long ago."""

from __future__ import annotations

from celery import shared_task

from games.live.talk import forget_old_lines


@shared_task(name="live.forget_old_lines")
def forget() -> int:
    """Remove old talk; returns how many lines that was."""
    return forget_old_lines()
