"""Machine states: which parts of the registers count, what lies behind them, and the counting."""

import struct

import pytest

from hangbisect.host.maps import Mapping, Maps
from hangbisect.host.registers import areas_of, pick
from hangbisect.host.states import count
from hangbisect.host.surroundings import SIZE, behind
from hangbisect.model import Repeat
from tests.unit.host._memory import memory

HEAP, STACK, CODE, FILE, SHARED, DEVICE = (0x10000 * n for n in range(1, 7))


def mapping(start: int, rights: str, path: str = "") -> Mapping:
    return Mapping(start=start, end=start + 0x1000, rights=rights, offset=0, path=path)


MAPS = Maps(
    mappings=(
        mapping(HEAP, "rw-p", "[heap]"),
        mapping(STACK, "rw-p"),
        mapping(CODE, "r-xp"),
        mapping(FILE, "rw-p", "/lib/libx.so"),
        mapping(SHARED, "rw-s"),
        mapping(DEVICE, "rw-s", "/dev/gpu0"),
    )
)


def registers(*words: int) -> bytes:
    return struct.pack(f"<{len(words)}Q", *words)


@pytest.mark.parametrize(
    ("seen", "expected"),
    [
        ((), (0, 0, 0)),
        ((b"a",), (1, 1, 1)),
        ((b"a", b"b", b"a", b"b"), (4, 2, 0)),
        ((b"a", b"b", b"a", b"c"), (4, 3, 1)),
        ((b"a", b"b", b"c", b"d", b"d"), (5, 4, 2)),
    ],
    ids=["none", "one", "the same again", "one new", "an odd number"],
)
def test_states_are_counted_and_those_that_came_late(
    seen: tuple[bytes, ...], expected: tuple[int, int, int]
) -> None:
    samples, states, fresh = expected

    assert count(1, 2, seen) == Repeat(pid=1, tid=2, samples=samples, states=states, fresh=fresh)


@pytest.mark.parametrize(("machine", "size"), [("x86_64", 17 * 8), ("aarch64", 33 * 8)])
def test_the_general_registers_come_first_and_are_whole_words(machine: str, size: int) -> None:
    general, floating = areas_of(machine)

    assert len(pick(bytes(general.size), general)) == size
    assert max(end for _, end in floating.parts) <= floating.size


def test_flags_and_kernel_words_are_no_part_of_a_state() -> None:
    general, _ = areas_of("x86_64")
    words = list(range(27))

    kept = struct.unpack("<17Q", pick(registers(*words), general))

    assert kept == (*range(15), 16, 19)


def test_the_registers_of_an_unknown_processor_are_not_known() -> None:
    assert areas_of("sparc64") == ()


def test_memory_behind_registers_is_read_where_they_point_to_it() -> None:
    read = memory({HEAP: bytes(range(256)), STACK: b"s" * 256})

    found = behind(registers(7, HEAP + 8, STACK, 2**64 - 1), MAPS, read)

    assert found == bytes(range(8, 8 + SIZE)) + b"s" * SIZE


def test_memory_is_read_to_the_end_of_its_mapping_only() -> None:
    read = memory({HEAP: bytes(0x2000)})

    assert behind(registers(HEAP + 0x1000 - 5), MAPS, read) == bytes(5)


@pytest.mark.parametrize("address", [CODE, FILE, SHARED, DEVICE], ids=hex)
def test_memory_with_something_behind_it_is_not_touched(address: int) -> None:
    read = memory({address: b"x" * 256})

    assert behind(registers(address), MAPS, read) == b""
