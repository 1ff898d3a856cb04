"""Say who could end which wait, who is dead, and by which chain. Pure: works on a saved snapshot.

A kind of wait is one file here without a leading underscore: ORDER, recognise(thread, index).
"""

from hangbisect.waits._index import Index, ref_of
from hangbisect.waits._reading import Reading, read
from hangbisect.waits._spin import is_in_regex_engine, is_spin
from hangbisect.waits._wait import Chain, Root, Wait

__all__ = [
    "Chain",
    "Index",
    "Reading",
    "Root",
    "Wait",
    "is_in_regex_engine",
    "is_spin",
    "read",
    "ref_of",
]
