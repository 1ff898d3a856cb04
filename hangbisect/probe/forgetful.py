"""Lets a module's code be called with two arguments that leave no trace (CPython 3.8 to 3.11).

A function made of a module's code runs as the module: its locals are its globals, and there is no
other frame below. The interpreter passes two arguments when it calls, see `entry`; the code deletes
them first, so that `locals()` does not have them.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType

_POP_TOP, _NOP, _BINARY_SUBSCR, _LOAD_CONST, _DELETE_FAST = 1, 9, 25, 100, 126
"""As in Include/opcode.h of 3.8, 3.9, 3.10 and 3.11."""
_NAMES = (".0", ".1")
"""No name that a program could have."""


def without_arguments(code: "CodeType", constant: int) -> "CodeType":
    """Give code that takes two arguments; it forgets them where it reads `constant[...]`.

    Raises:
        ValueError: There is no such place, or it is not as expected.
    """
    if code.co_argcount or code.co_varnames:
        raise ValueError("it was compiled in an unknown way")
    begin, end = _place(code, constant)
    forgets = bytes((_DELETE_FAST, 0, _DELETE_FAST, 1)) + bytes((_NOP, 0)) * (
        (end - begin) // 2 - 2
    )
    return code.replace(
        co_code=code.co_code[:begin] + forgets + code.co_code[end:],
        co_argcount=len(_NAMES),
        co_nlocals=len(_NAMES),
        co_varnames=_NAMES,
    )


def _place(code: "CodeType", constant: int) -> "tuple[int, int]":
    """Find the instructions that load the constant, take an item of it and drop that."""
    instructions = code.co_code
    number = code.co_consts.index(constant)
    for at in range(0, len(instructions) - 6, 2):
        if instructions[at : at + 2] == bytes((_LOAD_CONST, number & 255)):
            end = at + 6
            while end < len(instructions) and instructions[end] == 0:  # 3.11's inline cache
                end += 2
            found = instructions[at + 2], instructions[at + 4], instructions[end]
            if number < 256 and found == (_LOAD_CONST, _BINARY_SUBSCR, _POP_TOP):
                return at, end + 2
    raise ValueError("it was compiled in an unknown way")
