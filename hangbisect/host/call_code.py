"""How a call instruction looks just before the address that it returns to: x86-64 and aarch64."""

LONGEST = 7
"""Bytes of the longest call instruction that is recognised."""

_DIRECT = 0xE8
_INDIRECT = 0xFF
_INDIRECT_SIZES = (2, 3, 4, 6, 7)
_BRANCH_WITH_LINK = 0b100101
_BRANCH_WITH_LINK_TO_REGISTER = 0xD63F0000


def is_after_call(code: bytes, address: int, machine: str) -> bool:
    """Tell whether code that ends at an address ends in a call.

    Args:
        code: Up to `LONGEST` bytes that lie before the address.
        address: Where the call would return to.
        machine: As `uname -m` says; on any other than the two known ones nothing is a call.
    """
    match machine:
        case "x86_64":
            return code[-5:-4] == bytes([_DIRECT]) or any(
                _is_indirect(code[-size:], size) for size in _INDIRECT_SIZES
            )
        case "aarch64":
            return address % 4 == 0 and _is_branch(code[-4:])
        case _:
            return False


def _is_indirect(code: bytes, size: int) -> bool:
    """Tell whether the bytes are one `call r/m64`: opcode FF /2 (Intel SDM, volume 2, CALL)."""
    if len(code) != size or code[0] != _INDIRECT or (code[1] >> 3) & 7 != 2:
        return False
    mode, register = code[1] >> 6, code[1] & 7
    with_index = 1 if register == 4 and mode != 3 else 0  # one more byte: scale, index, base
    displacement = {0: 4 if register == 5 else 0, 1: 1, 2: 4, 3: 0}[mode]
    return size == 2 + with_index + displacement


def _is_branch(code: bytes) -> bool:
    """Tell whether the bytes are `bl` or `blr` (Arm ARM, C6.2)."""
    word = int.from_bytes(code, "little")
    return len(code) == 4 and (
        word >> 26 == _BRANCH_WITH_LINK or word & 0xFFFFFC1F == _BRANCH_WITH_LINK_TO_REGISTER
    )
