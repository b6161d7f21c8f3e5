"""The rules desk: rulings on positions, line by line, with no database (move language, 8)."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from games.rules.positions import answer_line


class Command(BaseCommand):
    help = "Answers positions and moves from standard input, one JSON line each, with rulings."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """None: it reads standard input and writes standard output."""

    def handle(self, *args: Any, **options: Any) -> None:
        lines, rulings = sys.stdin.buffer, sys.stdout.buffer
        for line in lines:
            if line.strip():
                rulings.write(answer_line(line) + b"\n")
                rulings.flush()
