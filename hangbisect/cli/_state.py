"""Where hangbisect keeps what it has to remember of this user: the XDG state folder."""

import os
from collections.abc import Mapping
from pathlib import Path


def state_folder(environment: Mapping[str, str]) -> Path:
    """Return the folder, which need not exist.

    https://specifications.freedesktop.org/basedir-spec/latest/
    """
    wanted = environment.get("XDG_STATE_HOME", "")
    base = Path(wanted) if os.path.isabs(wanted) else Path.home() / ".local" / "state"
    return base / "hangbisect"
