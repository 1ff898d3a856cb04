"""Keep a saved snapshot as a test: `python tests/causes/_keep.py SAVED cause_name/found-what`.

The snapshot is redacted once more. It is printed what is found in it now; look at the file before
it is committed, and add its certainty and blocker to EXPECTED in tests/unit/test_causes.py.
"""

import sys
from pathlib import Path

from hangbisect.causes import recognise_all
from hangbisect.model import Snapshot
from hangbisect.model.codec import encode, load
from hangbisect.model.redact import redact
from hangbisect.waits import read


def main(saved: Path, name: str) -> int:
    """Write the snapshot beside the others, and say what is found in it."""
    document = load(saved)
    if not isinstance(document, Snapshot):
        sys.stderr.write(f"{saved} holds no snapshot\n")
        return 2
    target = Path(__file__).parent / f"{name}.json"
    target.parent.mkdir(exist_ok=True)
    target.write_bytes(encode(redact(document)))
    for finding in recognise_all(read(document), strict=True)[0]:
        print(finding.code, finding.certainty, finding.blocker.kind, finding.blocker.id)
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2]))
