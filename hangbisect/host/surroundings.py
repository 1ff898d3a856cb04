"""The memory that a thread's registers point to: a loop that counts in memory counts there.

Only memory that is the process's own and has no file or device behind it is read: reading that has
no effects, and waits for nobody.
"""

import struct

from hangbisect.host.maps import Mapping, Maps, Read

SIZE = 64
"""Bytes that are read from each address on: the head of an object, the top of a stack."""


def behind(registers: bytes, maps: Maps, read: Read) -> bytes:
    """Read what the registers that hold addresses of plain memory point to.

    Args:
        registers: General registers, 64 bits each.
        maps: What the process has mapped, as it was a while ago.
        read: Reads its memory.
    """
    found = []
    for (word,) in struct.iter_unpack("<Q", registers):
        mapping = maps.at(word)
        if mapping is not None and _is_plain(mapping):
            found.append(read(word, min(SIZE, mapping.end - word)))
    return b"".join(found)


def _is_plain(mapping: Mapping) -> bool:
    """Tell whether it is private and anonymous: heap, stack, zero-initialised data."""
    has_file = mapping.path != "" and not mapping.path.startswith("[")
    return mapping.rights.startswith("rw") and mapping.rights.endswith("p") and not has_file
