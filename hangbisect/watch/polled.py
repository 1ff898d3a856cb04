"""What the looks that stop a target are for: polling threads, their paths, native code. Pure."""

import re

from hangbisect.model import Facts, Thread

LONGEST_BEAT = 30.0
"""A sleep longer than this is no beat of a polling loop."""

PLAIN = re.compile(
    r"/(ld-|ld\.so|libc[.-]|libpthread|libdl|libm[.-]|libstdc\+\+|libgcc_s|libpython|python[\d.]*$|\[)"
    r"|/lib-dynload/|^\["
)
"""Libraries that are on every stack: they say nothing about who blocks."""


def wants_native(facts: Facts) -> bool:
    """Tell whether native stacks would say more: foreign code is on a stack that can be read."""
    if any(thread.state in "DTt" for thread in facts.threads):
        return False
    return any(not PLAIN.search(path) for thread in facts.threads for path in thread.libraries)


def polling_threads(facts: Facts) -> tuple[tuple[int, int], ...]:
    """Name the main threads of the tree that wait in short timed sleeps, again and again."""
    inside = {process.pid for process in facts.processes if process.inside}
    return tuple(
        (t.pid, t.tid) for t in facts.threads if t.pid in inside and t.pid == t.tid and _sleeps(t)
    )


def running_threads(facts: Facts) -> tuple[tuple[int, int], ...]:
    """Name the threads of the tree that run."""
    inside = {process.pid for process in facts.processes if process.inside}
    return tuple((t.pid, t.tid) for t in facts.threads if t.pid in inside and t.state == "R")


def polled_paths(facts: Facts) -> tuple[str, ...]:
    """Name the paths that blocked calls, beats and the frames of polling threads speak of."""
    paths = [t.call.path for t in facts.threads if t.call and t.call.path]
    paths += [beat.path for beat in facts.beats if beat.path]
    paths += [lock.path for lock in facts.locks if lock.path]
    paths += _held_at(facts)
    for thread in facts.threads:
        if _sleeps(thread):
            paths += [
                v.text
                for f in thread.frames[-4:]
                for v in f.locals
                if v.text and v.text.startswith("/")
            ]
    return tuple(dict.fromkeys(paths))[:64]


def _held_at(facts: Facts) -> list[str]:
    """Name the files on whose descriptors threads are held by the kernel."""
    held = {
        (t.pid, fd) for t in facts.threads if t.state == "D" and t.call for fd in t.call.descriptors
    }
    rows = [row for row in facts.descriptors if row.kind in ("file", "directory")]
    return [row.target for row in rows if (row.pid, row.fd) in held and row.target.startswith("/")]


def _sleeps(thread: Thread) -> bool:
    call = thread.call
    return bool(call and call.timed and (call.interval is None or call.interval <= LONGEST_BEAT))
