import struct

import pytest

from hangbisect.host.call_code import is_after_call
from hangbisect.host.maps import Mapping, Maps
from hangbisect.host.stackscan import scan

CODE = {
    "call rel32": (b"\x90\x90\xe8\x01\x02\x03\x04", True),
    "call rax": (b"\x90\x90\x90\x90\x90\xff\xd0", True),
    "call r8": (b"\x90\x90\x90\x90\x41\xff\xd0", True),
    "call [rax]": (b"\x90\x90\x90\x90\x90\xff\x10", True),
    "call [rax + 8]": (b"\x90\x90\x90\x90\xff\x50\x08", True),
    "call [rip + 4 bytes]": (b"\x90\xff\x15\x01\x02\x03\x04", True),
    "call [rsp + 8]": (b"\x90\x90\x90\xff\x54\x24\x08", True),
    "jmp rax": (b"\x90\x90\x90\x90\x90\xff\xe0", False),
    "push rax": (b"\x90\x90\x90\x90\x90\x90\x50", False),
    "nothing before": (b"", False),
}


@pytest.mark.parametrize(("code", "expected"), CODE.values(), ids=CODE)
def test_calls_of_x86_64_are_recognised(code: bytes, expected: bool) -> None:
    assert is_after_call(code, 0x1007, "x86_64") is expected


@pytest.mark.parametrize(
    ("word", "address", "expected"),
    [
        (0x94000010, 0x1004, True),
        (0xD63F0100, 0x1004, True),
        (0x94000010, 0x1006, False),
        (0x14000010, 0x1004, False),
    ],
    ids=["bl", "blr x8", "not aligned", "b"],
)
def test_calls_of_aarch64_are_recognised(word: int, address: int, expected: bool) -> None:
    assert is_after_call(struct.pack("<I", word), address, "aarch64") is expected


def test_on_an_unknown_machine_nothing_is_a_call() -> None:
    assert not is_after_call(b"\xe8\0\0\0\0", 5, "s390x")


STACK = Mapping(start=0x9000, end=0xA000, rights="rw-p", offset=0, path="[stack]")
MAPS = Maps(
    mappings=(
        Mapping(start=0x1000, end=0x2000, rights="r-xp", offset=0, path="/lib/a.so"),
        Mapping(start=0x3000, end=0x4000, rights="r-xp", offset=0, path="/lib/b.so (deleted)"),
        Mapping(start=0x5000, end=0x6000, rights="rw-p", offset=0, path="/lib/b.so"),
        Mapping(start=0x7000, end=0x8000, rights="r-xp", offset=0, path="[vdso]"),
        STACK,
    )
)
WORDS = (0x1100, 0x1200, 0, 0x5100, 0x7100, 0x3100, 0x3000, 0x1300, 0x1301)


def read(address: int, size: int) -> bytes:
    if STACK.start <= address < STACK.end:
        words = struct.pack(f"<{len(WORDS)}Q", *WORDS)
        return words[address - STACK.start :][:size]
    is_behind_a_call = (address + size) % 0x100 == 0
    return b"\x90\x90\xe8\0\0\0\0"[-size:] if is_behind_a_call else bytes(size)


def test_return_addresses_name_their_files_innermost_first_and_none_twice_in_a_row() -> None:
    assert scan(MAPS, read, STACK.start, "x86_64") == ("/lib/a.so", "/lib/b.so", "/lib/a.so")


def test_only_the_stack_from_the_pointer_outwards_is_read() -> None:
    assert scan(MAPS, read, STACK.start + 7 * 8, "x86_64") == ("/lib/a.so",)


def test_a_stack_pointer_that_points_nowhere_gives_nothing() -> None:
    assert scan(MAPS, read, 0xDEAD0000, "x86_64") == ()
