"""What hangbisect asks an operating system about processes: one file a platform."""

import importlib
import importlib.util
import sys

from hangbisect.host._protocol import Host, Question

__all__ = ["Host", "Question", "this_host"]


def this_host(platform: str = sys.platform) -> Host:
    """Load the host of a platform by its name; where it has no file, the portable one."""
    name = f"{__name__}.{platform}"
    module = importlib.import_module(
        name if importlib.util.find_spec(name) else f"{__name__}.portable"
    )
    host: Host = module.host
    return host
