"""The types of the page's scripts hold: `tsc` reads their JSDoc, and the types of the frames."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

CHECKER = Path(__file__).parents[2] / "frontend" / "tools" / "types"
COMPILER = CHECKER / "node_modules" / "typescript" / "bin" / "tsc"
NODE = shutil.which("node")
NOT_OURS = "../../static/frontend/vendor/"

# On a machine of one's own the compiler is optional; the gate has installed it.
pytestmark = pytest.mark.skipif(
    (NODE is None or not COMPILER.exists()) and not os.environ.get("CI"),
    reason="no type checker here: npm ci --prefix frontend/tools/types brings one",
)


def test_the_types_of_the_scripts_hold() -> None:
    done = subprocess.run(
        [str(NODE), str(COMPILER), "--project", str(CHECKER), "--pretty", "false"],
        cwd=CHECKER,
        capture_output=True,
        text=True,
        timeout=120,
    )
    faults = [line for line in done.stdout.splitlines() if line and not line.startswith(" ")]
    assert [line for line in faults if not line.startswith(NOT_OURS)] == []
    assert done.returncode == (2 if faults else 0), done.stderr
