"""`manage.py record`: writes out the record of a game, or verifies one (move language, section 7).

Verifying needs no database and no trust: the file alone is checked.
"""

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.rules.record import lines_in
from games.rules.verification import verify_record

BAD_INPUT = 2


class Command(BaseCommand):
    help = "Exports a game's record, or verifies the record in a file."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
        export = actions.add_parser("export", help="write a game's record to standard output")
        export.add_argument("game", help="the game's name, as in its address")
        export.add_argument(
            "--audience",
            default="public",
            help="whose view, while the game is not over: public (default), seat-0, official …",
        )
        verify = actions.add_parser(
            "verify", help="check a complete record; exit status 1: a fault"
        )
        verify.add_argument("file", type=Path)

    def handle(self, *args: Any, action: str, **options: Any) -> None:
        if action == "export":
            self._export(options["game"], options["audience"])
        else:
            self._verify(options["file"])

    def _verify(self, path: Path) -> None:
        try:
            with path.open("rb") as file:
                fault = verify_record(lines_in(file))
        except OSError as error:
            raise CommandError(
                f"{path}: {error.strerror}. [file-unreadable]", returncode=BAD_INPUT
            ) from None
        if fault is not None:
            raise CommandError(f"{path}, {fault}")
        self.stdout.write(f"{path}: sound. Chain, shuffles, moves and scores hold.")

    def _export(self, game: str, audience: str) -> None:
        # Tables need a database, which verifying must do without.
        from games.tables.outcomes import TableError
        from games.tables.selectors import export_record

        try:
            lines = list(export_record(game, audience))
        except TableError as error:
            raise CommandError(f"{error}. [{error.code}]", returncode=BAD_INPUT) from None
        out = sys.stdout.buffer
        for line in lines:
            out.write(line + b"\n")
        out.flush()
