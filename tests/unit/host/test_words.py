"""Futex words: whose memory, whose mutex, whose end."""

import struct

import msgspec
import pytest

from hangbisect.host.layouts import layout_of, libc_of
from hangbisect.host.maps import Image, Mapping, Maps, Read
from hangbisect.host.words import Place, Wait, read_word, region_of
from hangbisect.model import Word
from hangbisect.model.thread import Region
from tests.unit.host._memory import memory, words

LIBRARY, LOADER, LIBC, PYTHON = (
    "/lib/x.so",
    "/lib/ld.so.2",
    "/lib/libc.so.6",
    "/lib/libpython3.11.so.1.0",
)
AT = 0x50000
ME, OTHER, PARENTS = 100, 101, 90


def mapping(start: int, path: str = "", rights: str = "rw-p") -> Mapping:
    return Mapping(start=start, end=start + 0x1000, rights=rights, offset=0, path=path)


MAPS = Maps(
    mappings=(
        mapping(0x10000, LIBRARY),
        mapping(0x20000, LOADER),
        mapping(0x30000, LIBC),
        mapping(0x40000, PYTHON),
        mapping(AT),
        mapping(0x60000, "[heap]"),
        mapping(0x70000),
        mapping(0x80000, "/dev/shm/sem.mp-1 (deleted)", "rw-s"),
        mapping(0x90000, "/dev/zero (deleted)", "rw-s"),
    ),
    images=(
        Image(path=LIBRARY, start=0x10000, end=0x11000),
        Image(path=LOADER, start=0x20000, end=0x21000),
        Image(path=LIBC, start=0x30000, end=0x31000),
        Image(path=PYTHON, start=0x40000, end=0x41000),
    ),
)
PLACE = Place(
    maps=MAPS,
    executable="/usr/bin/python3.11",
    loader=LOADER,
    layout=layout_of("glibc", "x86_64"),
    stacks=(0x70800,),
    tids=frozenset({ME, OTHER}),
    kin=frozenset({PARENTS}),
)
MUSL = msgspec.structs.replace(PLACE, layout=layout_of("musl", "x86_64"))


def word(wait: Wait, *values: int, place: Place = PLACE, before: bytes = b"") -> Word:
    read: Read = memory({AT - len(before): before + words(*values)})
    return read_word(wait, place, read)


def locked(expected: int = 2, *, private: bool = True) -> Wait:
    return Wait(address=AT, expected=expected, private=private)


@pytest.mark.parametrize(
    ("address", "region", "path"),
    [
        pytest.param(0x10010, "library", LIBRARY, id="a library"),
        pytest.param(0x20010, "loader", LOADER, id="the loader"),
        pytest.param(0x30010, "libc", LIBC, id="the C library"),
        pytest.param(0x40010, "interpreter", PYTHON, id="the interpreter"),
        pytest.param(AT, "anonymous", "", id="anonymous"),
        pytest.param(0x60010, "heap", "", id="the heap"),
        pytest.param(0x70010, "stack", "", id="the stack of a thread"),
        pytest.param(0x80010, "semaphore", "/dev/shm/sem.mp-1", id="a named semaphore"),
        pytest.param(0x90010, "shared", "/dev/zero", id="shared memory"),
        pytest.param(0x12345678, "unknown", "", id="not mapped"),
    ],
)
def test_an_address_is_classified(address: int, region: Region, path: str) -> None:
    assert region_of(address, PLACE) == (region, path)


def test_a_static_executable_is_the_interpreter_only_without_the_library() -> None:
    program = "/usr/bin/python3.11"
    image = Image(path=program, start=0x10000, end=0x11000)
    alone = Maps(mappings=(mapping(0x10000, program),), images=(image,))
    both = Maps(mappings=MAPS.mappings, images=(image, *MAPS.images[1:]))

    assert region_of(0x10010, msgspec.structs.replace(PLACE, maps=alone))[0] == "interpreter"
    assert region_of(0x10010, msgspec.structs.replace(PLACE, maps=both))[0] == "library"


def test_the_loader_that_is_the_c_library_has_no_region_of_its_own() -> None:
    musl = "/lib/ld-musl-x86_64.so.1"
    image = Image(path=musl, start=0x10000, end=0x11000)
    maps = Maps(mappings=(mapping(0x10000, musl),), images=(image,))
    place = msgspec.structs.replace(PLACE, maps=maps, loader=musl)

    assert region_of(0x10010, place) == ("libc", musl)


@pytest.mark.parametrize(
    ("wait", "values", "owner"),
    [
        pytest.param(locked(), (2, 1, OTHER, 1, 1), OTHER, id="recursive mutex"),
        pytest.param(locked(), (2, 0, ME, 1, 0), ME, id="its own"),
        pytest.param(locked(), (2, 0, PARENTS, 1, 0), PARENTS, id="owner stayed in the parent"),
        pytest.param(locked(), (2, 0, 77, 1, 0), None, id="owner is no thread"),
        pytest.param(locked(), (2, 0, OTHER, 0, 0), None, id="nobody uses it"),
        pytest.param(locked(), (2, 0, OTHER, 1, 9), None, id="no kind of mutex"),
        pytest.param(locked(), (2, 0, OTHER, 1, 0x80), None, id="shared kind, private wait"),
        pytest.param(locked(private=False), (2, 0, OTHER, 1, 0x80), OTHER, id="shared mutex"),
        pytest.param(locked(), (0, 0, OTHER, 1, 0), None, id="changed meanwhile"),
        pytest.param(locked(0), (0, 0, OTHER, 1, 0), None, id="condition variable"),
        pytest.param(locked(8), (8, 0, OTHER, 1, 0), None, id="barrier"),
        pytest.param(locked(2), (2, 2), None, id="cut off"),
        pytest.param(locked(0x80000065), (0x80000065, 0, OTHER, 1, 0x10), OTHER, id="robust mutex"),
    ],
)
def test_only_a_mutex_has_an_owner(wait: Wait, values: tuple[int, ...], owner: int | None) -> None:
    assert word(wait, *values).owner == owner


def test_a_lock_with_priority_inheritance_names_its_owner_on_any_library() -> None:
    place = msgspec.structs.replace(PLACE, layout=None)
    wait = Wait(address=AT, expected=0, private=True, inherits=True)

    assert word(wait, 0x80000000 | OTHER, place=place).owner == OTHER


@pytest.mark.parametrize(
    ("kind", "value", "owner"),
    [
        pytest.param(1, 0x80000000 | OTHER, OTHER, id="recursive"),
        pytest.param(0, 0x80000010, None, id="a normal one does not say"),
        pytest.param(1, 0x80000000 | 77, None, id="owner is no thread"),
    ],
)
def test_a_mutex_of_musl_holds_its_owner_in_its_word(
    kind: int, value: int, owner: int | None
) -> None:
    seen = word(locked(value), value, 1, place=MUSL, before=words(kind))

    assert seen.owner == owner


@pytest.mark.parametrize(
    ("wait", "value", "joins"),
    [
        pytest.param(locked(OTHER, private=False), OTHER, OTHER, id="join"),
        pytest.param(locked(OTHER, private=True), OTHER, None, id="private: no join"),
        pytest.param(locked(OTHER, private=False), 0, None, id="it has just ended"),
        pytest.param(locked(77, private=False), 77, None, id="no thread of ours"),
    ],
)
def test_a_join_waits_for_the_word_of_a_thread(wait: Wait, value: int, joins: int | None) -> None:
    assert word(wait, value).joins == joins


def test_a_thread_that_is_no_more_is_known_by_its_descriptor() -> None:
    start = AT - 720
    descriptor = bytes(16) + struct.pack("<Q", start) + bytes(720 - 24)

    seen = word(locked(77, private=False), 77, before=descriptor)

    assert seen.joins == 77


def test_nothing_is_claimed_for_an_unknown_library() -> None:
    place = msgspec.structs.replace(PLACE, layout=None)

    seen = word(locked(), 2, 1, OTHER, 1, 1, place=place)

    assert (seen.owner, seen.joins, seen.values[:3]) == (None, None, (2, 1, OTHER))


def test_the_flag_or_the_mapping_makes_a_word_private() -> None:
    shared = Wait(address=0x90010, expected=0, private=False)

    assert word(locked(private=False), 2).private
    assert not read_word(shared, PLACE, memory({})).private


@pytest.mark.parametrize(
    ("paths", "libc"),
    [
        pytest.param(["/lib/libc.so.6", "/lib/ld.so"], "glibc", id="glibc"),
        pytest.param(["/lib/libc-2.31.so"], "glibc", id="older glibc"),
        pytest.param(["/lib/ld-musl-x86_64.so.1"], "musl", id="musl"),
        pytest.param(["/bin/static"], "", id="none"),
        pytest.param(["/lib/libc.so.6", "/lib/ld-musl-x86_64.so.1"], "", id="both"),
    ],
)
def test_the_c_library_is_told_by_what_is_mapped(paths: list[str], libc: str) -> None:
    assert libc_of(paths) == libc
