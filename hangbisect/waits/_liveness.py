"""Liveness: mark what can act and all that a marked thread could wake; the unmarked are dead."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping

from hangbisect.model import ThreadRef
from hangbisect.waits._index import Index
from hangbisect.waits._wait import Wait

Refs = frozenset[ThreadRef]


def dead_and_marked(waits: Mapping[ThreadRef, Wait], index: Index) -> tuple[Refs, Refs]:
    """Divide the threads of the tree into the dead and the marked ones."""
    wakers = {ref: _expanded(wait.wakers, index) for ref, wait in waits.items()}
    seeds = {
        ref
        for ref, wait in waits.items()
        if acts(wait, index) or any(_is_out_of_sight(waker, index) for waker in wait.wakers)
    }
    able = {ref for ref, wait in waits.items() if wait.signals}
    dead = unmarked(wakers, seeds, able)
    return dead, frozenset(waits) - dead


def unmarked(
    wakers: Mapping[ThreadRef, Collection[ThreadRef]],
    seeds: Iterable[ThreadRef],
    able: Iterable[ThreadRef] = (),
) -> Refs:
    """Return what no seed can reach: the greatest set without a seed or a waker outside it.

    Those that are `able` may wake others without being woken: a handler of a signal runs in them.
    """
    wakes: defaultdict[ThreadRef, list[ThreadRef]] = defaultdict(list)
    for ref, others in wakers.items():
        for other in others:
            wakes[other].append(ref)
    marked = set(seeds)
    todo = [*marked, *able]
    while todo:
        for ref in wakes[todo.pop()]:
            if ref not in marked:
                marked.add(ref)
                todo.append(ref)
    return frozenset(wakers) - marked


def acts(wait: Wait, index: Index) -> bool:
    """Tell whether a thread moves, or waits for something that may come by itself."""
    thread = index.thread(wait.thread)
    moves = thread is None or not (thread.still or wait.renewed)
    return moves or bool(wait.roots)


def is_alone(marked: Refs, waits: Mapping[ThreadRef, Wait], index: Index) -> bool:
    """Tell whether nothing in the tree can act but launchers, which wait for what they launched."""
    launchers = index.snapshot.launchers
    unseen = (
        row.pid
        for row in index.snapshot.processes
        if row.inside and not index.has_ended(row.pid) and not index.live(row.pid)
    )
    alive = {ref.pid for ref in marked if not waits[ref].renewed} | set(unseen)
    return alive <= set(launchers)


def _expanded(wakers: Iterable[ThreadRef], index: Index) -> Refs:
    """Put the threads of a process in the place of the process."""
    return frozenset(
        ref for waker in wakers for ref in ((waker,) if waker.tid else index.live(waker.pid))
    )


def _is_out_of_sight(waker: ThreadRef, index: Index) -> bool:
    """Tell whether a waker is outside the tree, or a process whose threads could not be seen."""
    if not index.is_inside(waker.pid):
        return True
    return waker.tid == 0 and not index.has_ended(waker.pid) and not index.live(waker.pid)
