"""Imports a module that, while it is imported, joins a thread that imports it too."""

import deadlocked_module  # noqa: F401
