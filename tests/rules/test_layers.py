"""Rooms know only what lies below them."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_no_room_knows_a_sibling_or_what_lies_above_it() -> None:
    lint_imports = Path(sys.executable).with_name("lint-imports")

    checked = subprocess.run(
        [str(lint_imports), "--no-cache"], cwd=ROOT, capture_output=True, text=True, timeout=50
    )

    assert checked.returncode == 0, checked.stdout + checked.stderr
