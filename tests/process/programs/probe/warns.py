"""Import a module that warns about its importer."""

import warnings

warnings.simplefilter("always")
import warner  # noqa: E402, F401
