"""The rules desk: lines a second through `manage.py position`, and without the command around it.

The lines are the golden cases, over and over. The command's figure has its start in it.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager

from games.rules.positions import answer_line
from tests.bench.compare import Comparison, Contender
from tests.bench.machine import ROOT

VECTORS = ROOT / "tests" / "golden" / "vectors"
LINES_A_SECOND = 2000
_LINES_FOR_A_SECOND = 15000
"""How many lines the command is given for each second that a measurement may take."""


@contextmanager
def comparisons(seconds: float) -> Iterator[list[Comparison]]:
    lines = [
        line
        for path in sorted(VECTORS.glob("*.jsonl"))
        for line in path.read_bytes().splitlines()
        if line.strip()
    ]
    yield [
        Comparison(
            key="position/command",
            title="manage.py position, its start included",
            unit="lines/s",
            ours=Contender("Pozzetto", lambda: _command(lines, seconds)),
            goal=LINES_A_SECOND,
        ),
        Comparison(
            key="position/library",
            title="the same rulings in the process",
            unit="lines/s",
            ours=Contender("Pozzetto", lambda: _library(lines, seconds)),
        ),
    ]


def _command(lines: list[bytes], seconds: float) -> float:
    times = max(1, round(_LINES_FOR_A_SECOND * seconds / len(lines)))
    with tempfile.TemporaryFile() as questions, tempfile.TemporaryFile() as rulings:
        questions.write(b"\n".join(lines * times) + b"\n")
        questions.seek(0)
        began = time.perf_counter()
        subprocess.run(
            [sys.executable, "manage.py", "position"],
            stdin=questions,
            stdout=rulings,
            cwd=ROOT,
            check=True,
        )
        spent = time.perf_counter() - began
        rulings.seek(0)
        answered = sum(1 for _ in rulings)
    if answered != times * len(lines):
        raise AssertionError(f"{times * len(lines)} lines, {answered} rulings")
    return answered / spent


def _library(lines: list[bytes], seconds: float) -> float:
    answered, began = 0, time.process_time()
    while (spent := time.process_time() - began) < seconds or not answered:
        for line in lines:
            answer_line(line)
        answered += len(lines)
    return answered / spent
