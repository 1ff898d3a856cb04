"""The wait chain: one path from a thread along who could end each wait, to how it ends."""

from collections.abc import Mapping, Sequence

from hangbisect.model import End, Link, Process, Thread, ThreadRef
from hangbisect.model.code import is_standard
from hangbisect.waits._index import Index
from hangbisect.waits._wait import Chain, Wait

Waits = Mapping[ThreadRef, Wait]
BETWEEN_EQUALS = ("socket", "path", "file-lock")
"""Kinds of what another program may hold, or have the other end of, for reasons of its own."""
WORKER = "--multiprocessing-fork"
"""An argument of each process that multiprocessing starts anew."""
AT_WORK = ("timer", "processor")
IDLE = 4
"""Rank of a thread that could end a wait, but of which nothing says that it was to."""
LIVELY = 3


def witness(start: ThreadRef, waits: Waits, dead: frozenset[ThreadRef], index: Index) -> Chain:
    """Follow who could end each wait until a thread comes again, or there is nobody to follow."""
    links: list[Link] = []
    seen: list[ThreadRef] = []
    ref: ThreadRef | None = start
    while ref is not None and ref in waits and ref not in seen:
        seen.append(ref)
        links.append(_link(waits[ref], index))
        ref = _next(waits[ref], seen, waits, dead, index)
    back = ref if ref in seen else None
    if ref is None:
        end = _end_at(waits[seen[-1]], seen[-1] in dead)
    else:
        end = "cycle" if back else _end_beyond(ref, index)
    return Chain(links=tuple(links), end=end, threads=tuple(seen), back_to=back)


def blamed_of(chain: Chain, main: ThreadRef, index: Index) -> ThreadRef:
    """Name the thread whose own wait is the answer: the last one, if a Python process has it.

    A cycle is answered by the thread where it is entered. What a launcher waits for is no answer,
    nor is what a child is just at that will die like all before it.
    """
    passed = _up_to_a_stranger(chain, index)
    if chain.back_to is not None:
        passed = passed[: passed.index(chain.back_to) + 1]
    launchers = index.snapshot.launchers
    own = [ref for ref in passed if ref.pid not in launchers and not index.is_doomed(ref.pid)]
    python = [ref for ref in own if _is_python(index.process(ref.pid))]
    return (python or own or [main])[-1]


def _up_to_a_stranger(chain: Chain, index: Index) -> tuple[ThreadRef, ...]:
    """Leave out a server or a holder that runs or sleeps, and so is not stuck itself.

    A command that is waited for, a worker and another rank are no strangers.
    """
    passed, last = chain.threads, chain.threads[-1:]
    first = next((i for i, ref in enumerate(passed) if last and ref.pid == last[0].pid), 0)
    if not first or chain.links[-1].on.kind not in AT_WORK:
        return passed
    reached = chain.links[first - 1].on.kind in BETWEEN_EQUALS
    return passed[:first] if reached and not _are_kin(passed[first - 1], last[0], index) else passed


def _are_kin(one: ThreadRef, other: ThreadRef, index: Index) -> bool:
    """Tell whether two processes run the same program, or one is a worker of multiprocessing's."""
    rows = [index.process(ref.pid) for ref in (one, other)]
    argvs = {row.argv for row in rows if row is not None}
    return len(argvs) == 1 or any(WORKER in argv for argv in argvs)


def _link(wait: Wait, index: Index) -> Link:
    known = wait.holders or wait.wakers
    nobody = not wait.roots or wait.end == "nobody"
    return Link(
        waiter=wait.thread,
        on=wait.on,
        holders=known if known or nobody else None,
        says=wait.says,
        at=_at(index.thread(wait.thread)),
        evidence=wait.evidence,
    )


def _at(thread: Thread | None) -> str:
    """Say where a thread's innermost frame outside the standard library stands."""
    own = [row for row in thread.frames if not is_standard(row.file)] if thread else []
    return f"{own[-1].file}:{own[-1].line}" if own else ""


def _next(
    wait: Wait, seen: Sequence[ThreadRef], waits: Waits, dead: frozenset[ThreadRef], index: Index
) -> ThreadRef | None:
    """Choose whom to follow: the holders, else the most telling of all who could end the wait."""
    if set(wait.roots) - set(wait.beside):
        return None
    found = [_stand_in(ref, seen, dead, index) for ref in wait.holders or wait.wakers]
    known = [ref for ref in found if ref is not None]
    if not known:
        return None
    if wait.holders or len(wait.wakers) == 1:
        return min(known, key=lambda ref: (ref not in dead, ref.pid == wait.thread.pid, ref))
    rank, _, best = min(
        (_rank(ref, seen, waits, dead, index), ref.pid != ref.tid, ref) for ref in known
    )
    weak = rank == IDLE or (rank == LIVELY and bool(wait.beside))
    return None if weak else best


def _stand_in(
    ref: ThreadRef, seen: Sequence[ThreadRef], dead: frozenset[ThreadRef], index: Index
) -> ThreadRef | None:
    """Name the thread that stands for a process: one that was passed, else its main thread."""
    if index.has_ended(ref.pid):
        return None
    if ref.tid or not index.is_inside(ref.pid):
        return ref
    passed = [other for other in seen if other.pid == ref.pid and other in dead]
    live = index.live(ref.pid)
    main = ThreadRef(pid=ref.pid, tid=ref.pid)
    return (passed or [main if main in live or not live else live[0]])[0]


def _rank(
    ref: ThreadRef,
    seen: Sequence[ThreadRef],
    waits: Waits,
    dead: frozenset[ThreadRef],
    index: Index,
) -> int:
    """Say how telling a possible waker is, 0 most: does its own wait point anywhere?"""
    wait = waits.get(ref)
    if wait is None:
        return LIVELY
    if any(holder in seen for holder in wait.holders):
        return 0
    thread = index.thread(ref)
    firm = bool(wait.holders) or bool(set(wait.roots) - set(wait.beside))
    if firm and thread is not None and thread.frames:
        return 1
    if ref in dead:
        return IDLE
    return 2 if firm else LIVELY


def _end_at(wait: Wait, is_dead: bool) -> End:
    """Say how a chain ends at a wait from which nobody is followed."""
    if wait.end is not None:
        return wait.end
    if is_dead:
        return "nobody"
    return wait.roots[0] if wait.roots else "running"


def _end_beyond(ref: ThreadRef, index: Index) -> End:
    """Say how a chain ends at a thread or process of which no wait is known."""
    return "unknown" if index.is_inside(ref.pid) else "outside"


def _is_python(process: Process | None) -> bool:
    return process is not None and bool(process.python or process.hooked or process.step)
