"""Import a module that imports a module that says it is ready and waits for a line."""

import sys

print(sys.version_info[0], file=sys.stderr)
import stuck_outer  # noqa: E402, F401
