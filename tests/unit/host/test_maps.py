"""/proc/PID/maps, and how far a loaded file reaches."""

import struct

from hangbisect.host.maps import Image, Mapping, load_maps, parse_maps
from tests.unit.host._memory import memory

TEXT = """\
7f0000000000-7f0000001000 r--p 00000000 fe:00 100 /opt/a lib/libx.so
7f0000001000-7f0000002000 r-xp 00001000 fe:00 100 /opt/a lib/libx.so
7f0000002000-7f0000003000 rw-p 00002000 fe:00 100 /opt/a lib/libx.so
7f0000003000-7f0000009000 rw-p 00000000 00:00 0
7f0000010000-7f0000011000 rw-s 00000000 00:01 5 /dev/shm/sem.work (deleted)
"""


def elf(*segments: tuple[int, int]) -> bytes:
    """Build an ELF header with loadable segments of (address, size)."""
    header = struct.pack(
        "<16sHHIQQQIHHH", b"\x7fELF\x02", 3, 62, 1, 0, 64, 0, 0, 64, 56, len(segments)
    )
    table = b"".join(
        struct.pack("<IIQQQQQQ", 1, 6, at, at, at, size, size, 4096) for at, size in segments
    )
    return header.ljust(64, b"\0") + table


def test_a_path_keeps_its_spaces() -> None:
    first = parse_maps(TEXT)[0]

    assert first == Mapping(
        start=0x7F0000000000,
        end=0x7F0000001000,
        rights="r--p",
        offset=0,
        path="/opt/a lib/libx.so",
    )


def test_zero_initialised_data_belongs_to_its_library_and_no_more() -> None:
    read = memory({0x7F0000000000: elf((0, 0x1000), (0x1000, 0x1000), (0x2000, 0x2800))})

    maps = load_maps(TEXT, read)

    assert maps.images == (
        Image(path="/opt/a lib/libx.so", start=0x7F0000000000, end=0x7F0000004800),
    )
    assert maps.image_at(0x7F0000004700) == maps.images[0]
    assert maps.image_at(0x7F0000004900) is None


def test_without_the_header_a_library_ends_with_its_file() -> None:
    maps = load_maps(TEXT, memory({}))

    assert [image.end for image in maps.images] == [0x7F0000003000]


def test_an_address_between_mappings_is_in_none() -> None:
    maps = load_maps(TEXT, memory({}))

    assert maps.at(0x7F000000A000) is None
    assert maps.at(0x10) is None


def test_torn_lines_are_left_out() -> None:
    assert parse_maps("7f00-7f01 r--p") == ()
