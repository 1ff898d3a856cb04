"""The calls of a process's threads with what their arguments point to, its Python, its arguments.

All of this may block on the memory lock of a sick process.
"""

from collections.abc import Iterator

import msgspec

from hangbisect.host.decode import Scene, decode, is_vfork
from hangbisect.host.rights import refusal
from hangbisect.host.rows import Glance, python_version
from hangbisect.host.scene import Outer, outer_ids, scene_of, with_outer_ids, youngest_child
from hangbisect.host.view import View
from hangbisect.model import Call, Facts, Process


def called(seen: View, pid: int) -> Iterator[Facts]:
    """Describe what the threads of a process wait in, as far as its memory tells."""
    threads = seen.threads[pid]
    if all(each.row.state in "ZX" for each in threads):
        return
    try:
        with scene_of(seen.proc, seen.machine, seen.clocks, threads, _kin(seen, pid)) as scene:
            yield _process(seen, pid, scene)
            ids = outer_ids(_neighbours(seen, pid))
            calls = [(each, _call(seen, each, scene, ids)) for each in threads]
    except PermissionError as error:
        yield Facts(gaps=(refusal(pid, f"memory of process {pid}", str(error)),))
        return
    yield Facts(
        threads=tuple(
            msgspec.structs.replace(each.row, call=call) for each, call in calls if each.row.call
        )
    )


def _process(seen: View, pid: int, scene: Scene) -> Facts:
    maps = scene.place.maps
    version = python_version(tuple(mapping.path for mapping in maps.mappings))
    return Facts(processes=(Process(pid=pid, parent=seen.tree[pid].parent, python=version),))


def _call(seen: View, each: Glance, scene: Scene, ids: Outer) -> Call:
    call = with_outer_ids(decode(each.line, each.row.call or Call(name=""), scene), ids)
    if each.line.arguments and is_vfork(each.line, scene.read):
        child = youngest_child(seen.proc, each.pid, each.tid)
        return msgspec.structs.replace(call, child=child)
    return call


def _neighbours(seen: View, pid: int) -> list[Glance]:
    """List the threads of the tree that live in the same pid namespace: ids repeat in others."""
    ours = seen.proc.link(f"{pid}/ns/pid")
    alike = [other for other in seen.tree if seen.proc.link(f"{other}/ns/pid") == ours]
    return [each for other in alike for each in seen.threads[other]]


def _kin(seen: View, pid: int) -> frozenset[int]:
    """Give the ids of the threads of its ancestors: a fork copied their locks."""
    parent = seen.tree[pid].parent
    kin: set[int] = set()
    while parent in seen.threads:
        kin.update(each.inner for each in seen.threads[parent])
        parent = seen.tree[parent].parent
    return frozenset(kin)
