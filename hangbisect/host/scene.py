"""What must be known of a process to read its calls: maps, memory, C library, its own ids."""

import struct
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager

import msgspec

from hangbisect.host.clocks import Clocks
from hangbisect.host.decode import Scene
from hangbisect.host.fdinfo import parse_fdinfo
from hangbisect.host.layouts import layout_of, libc_of
from hangbisect.host.maps import Maps, file_of, load_maps
from hangbisect.host.memory import memory_of
from hangbisect.host.proc import Proc
from hangbisect.host.rows import Glance
from hangbisect.host.tree import children_of
from hangbisect.host.words import Place
from hangbisect.model import Call

_AUXILIARY = struct.Struct("<QQ")
_AT_BASE = 7
"""getauxval(3): where the program interpreter, that is the dynamic loader, was loaded."""

Outer = Mapping[int, int]
"""The ids that we know threads by, under the ids that the process knows them by."""


@contextmanager
def scene_of(
    proc: Proc, machine: str, clocks: Clocks, threads: Collection[Glance], kin: Collection[int]
) -> Iterator[Scene]:
    """Open a process's memory to decode the calls of its threads.

    Args:
        proc: Where its files are.
        machine: Its kind of processor, as uname says it.
        clocks: The clocks of this look.
        threads: Its threads.
        kin: Ids of the threads of its parent, as far as it may know them.

    Raises:
        PermissionError: Its memory may not be read.
    """
    pid = next(each.pid for each in threads)
    # The first thread may have ended before the others: its folder then tells nothing.
    living = next(each.tid for each in threads if each.row.state not in "ZX")
    folder = f"{pid}/task/{living}"
    with memory_of(proc, pid, living) as read:
        maps = load_maps(proc.peek(f"{folder}/maps"), read)
        place = _place(proc, folder, machine, maps, threads)
        yield Scene(
            place=msgspec.structs.replace(place, kin=frozenset(kin)),
            clocks=clocks,
            read=read,
            folder=lambda fd: proc.link(f"{folder}/cwd" if fd is None else f"{pid}/fd/{fd}"),
            named=lambda fd: parse_fdinfo(proc.peek(f"{pid}/fdinfo/{fd}")).names,
        )


def youngest_child(proc: Proc, pid: int, tid: int) -> int | None:
    """Name the child that a thread made last."""
    children = children_of(proc, pid, tid)
    return children[-1] if children else None


def outer_ids(threads: Collection[Glance]) -> Outer:
    """Map the ids that these threads have in their own namespace to ours; empty if they agree."""
    pairs = {each.inner: each.tid for each in threads}
    return {} if all(inner == outer for inner, outer in pairs.items()) else pairs


def with_outer_ids(call: Call, outer: Outer) -> Call:
    """Put a call's ids of threads and children in our own namespace."""
    if not outer:
        return call
    changes: dict[str, object] = {}
    if call.child is not None and call.child > 0:
        changes["child"] = outer.get(call.child, call.child)
    if call.word is not None:
        changes["word"] = msgspec.structs.replace(
            call.word, owner=_outer(call.word.owner, outer), joins=_outer(call.word.joins, outer)
        )
    return msgspec.structs.replace(call, **changes)


def _outer(inner: int | None, outer: Outer) -> int | None:
    return None if inner is None else outer.get(inner, inner)


def _place(proc: Proc, folder: str, machine: str, maps: Maps, threads: Collection[Glance]) -> Place:
    return Place(
        maps=maps,
        executable=file_of(proc.link(f"{folder}/exe")),
        loader=_loader(proc, folder, maps),
        layout=layout_of(libc_of(image.path for image in maps.images), machine),
        stacks=tuple(each.line.stack for each in threads if each.line.stack),
        tids=frozenset(each.inner for each in threads),
    )


def _loader(proc: Proc, folder: str, maps: Maps) -> str:
    data = proc.read_bytes(f"{folder}/auxv")
    whole = data[: len(data) // _AUXILIARY.size * _AUXILIARY.size]
    base = dict(_AUXILIARY.iter_unpack(whole)).get(_AT_BASE, 0)
    image = maps.image_at(base)
    return "" if image is None else file_of(image.path)
