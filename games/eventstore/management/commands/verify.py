"""`manage.py verify`: is every event of the log as it was written, and are all of them there?"""

from argparse import ArgumentParser
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.eventstore.verify import (
    Fault,
    HeadsFileError,
    read_heads,
    verify,
    verify_transaction_ids,
)


class Command(BaseCommand):
    help = (
        "Recompute the hash chain of every stream of events, and name the first fault of each. "
        "Missing last events show only against heads kept elsewhere: write them with "
        "--write-heads, keep the file away from this machine, compare with --heads."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--stream", type=int, help="only this stream")
        parser.add_argument("--heads", type=Path, metavar="FILE", help="compare with these heads")
        parser.add_argument(
            "--write-heads", type=Path, metavar="FILE", help="write the heads, if all is well"
        )

    def handle(
        self,
        *,
        stream: int | None,
        heads: Path | None,
        write_heads: Path | None,
        **_: Any,
    ) -> None:
        if stream is not None and stream < 1:
            raise CommandError("--stream: streams are counted from 1.")
        try:
            faults = self._verify(stream, heads, write_heads)
        except (HeadsFileError, OSError) as error:
            raise CommandError(str(error)) from error
        if faults:
            raise CommandError(f"{_counted(faults, 'fault')} found.")

    def _verify(self, stream: int | None, heads: Path | None, write_heads: Path | None) -> int:
        faults = streams = events = 0
        # Beside its place until it is complete: a bad run must not spoil good heads.
        draft = write_heads.with_name(f"{write_heads.name}.new") if write_heads else None
        with ExitStack() as files:
            known = read_heads(files.enter_context(heads.open())) if heads else iter(())
            written = files.enter_context(draft.open("w")) if draft else None
            for result in verify(stream, known):
                streams += 1
                if isinstance(result, Fault):
                    faults += 1
                    self.stderr.write(str(result))
                    continue
                events += result.head.seq
                if written:
                    written.write(result.line())
        if trouble := verify_transaction_ids():
            faults += 1
            self.stderr.write(trouble)
        if draft and write_heads:
            draft.unlink() if faults else draft.replace(write_heads)
        if stream is not None and not streams:
            raise CommandError(f"stream {stream} has no events.")
        self.stdout.write(f"{_counted(streams, 'stream')}, {_counted(events, 'event')} checked.")
        return faults


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
