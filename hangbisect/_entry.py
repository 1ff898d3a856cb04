"""The way in: keep what the user's variables and folders offer Python out of hangbisect itself.

A project may hold a types.py or a click.py on PYTHONPATH: those are for the target, which gets the
environment whole. Nothing but `sys` and `os` is imported before the way is clear.
"""

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


def main(*, by_module: bool = False) -> "NoReturn":
    """Run the command in an interpreter that imports nothing of the target's.

    `by_module`: we were started by `python -m`, which adds the working folder to where it imports
    from.
    """
    if not sys.flags.isolated and (by_module or _has_variables()) and sys.platform != "win32":
        # On Windows the shell would not wait for what replaces us.
        options = ["-I", "-B"] if sys.dont_write_bytecode else ["-I"]
        command = [sys.executable, *options, os.path.abspath(__file__), *sys.argv[1:]]
        os.execve(sys.executable, command, os.environ)
    from hangbisect.cli import main

    main()


def _has_variables() -> bool:
    """Tell whether there are variables that Python itself may have heeded."""
    return any(name.startswith("PYTHON") for name in os.environ)


if __name__ == "__main__":
    # Started by itself above: our folder may be one that only PYTHONPATH named.
    sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    main()
