"""Write the snapshots of this folder: `python tests/causes/_build.py`.

Each is the smallest set of facts that is a cause, or is almost it. Those that were saved from
real runs (hangbisect run --format snapshot, then tests/causes/_keep.py) stand beside them and are
not written here.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import _cases_native
import _cases_processes
import _cases_python

from hangbisect.model.codec import encode

CASES = {**_cases_python.CASES, **_cases_native.CASES, **_cases_processes.CASES}


def main(folder: Path) -> None:
    """Write every case as <cause>/<name>.json."""
    for name, snapshot in CASES.items():
        path = folder / f"{name}.json"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(encode(snapshot))


if __name__ == "__main__":
    main(Path(__file__).parent)
