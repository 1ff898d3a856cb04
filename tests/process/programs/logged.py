"""Hangs in an import, after some that went well."""

import colorsys  # noqa: F401
import wave  # noqa: F401

import deadlocked_module  # noqa: F401
