import json  # noqa: F401

import stuck_inner  # noqa: F401
