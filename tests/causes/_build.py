"""Write the snapshots of this folder: `python tests/causes/_build.py`.

Each is the smallest set of facts that is a cause, or is almost it. Those that were saved from
real runs (hangbisect run --format snapshot, then tests/causes/_keep.py) stand beside them and are
not written here.
"""

import sys
from importlib import import_module
from pathlib import Path

from hangbisect.model.codec import encode


def main(folder: Path) -> None:
    """Write every case of every `_cases_*.py` as <cause>/<name>.json."""
    sys.path.insert(0, str(folder))
    for module in sorted(folder.glob("_cases_*.py")):
        for name, snapshot in import_module(module.stem).CASES.items():
            path = folder / f"{name}.json"
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(encode(snapshot))


if __name__ == "__main__":
    main(Path(__file__).parent)
