"""The causes that can be named, one file each; a new one is one new file here.

A cause reads a `Reading` (who waits for what, who is dead) and says whether it is its own kind of
hang.
"""

from hangbisect.causes._rule import Rule, all_rules, explain, recognise_all

__all__ = ["Rule", "all_rules", "explain", "recognise_all"]
