"""Read a snapshot: what every thread waits for, who is dead, and whether the target is hung."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from types import ModuleType

from hangbisect.discover import modules_in
from hangbisect.model import Snapshot, Thread, ThreadRef
from hangbisect.waits._beside import with_beside
from hangbisect.waits._chains import blamed_of, witness
from hangbisect.waits._index import ENDED, Index, ref_of
from hangbisect.waits._liveness import dead_and_marked, is_alone
from hangbisect.waits._wait import Chain, Wait


@dataclass(frozen=True)
class Reading:
    """What follows from a snapshot about who can still act."""

    snapshot: Snapshot
    index: Index
    waits: Mapping[ThreadRef, Wait]
    """The wait of every thread of the tree that has not ended."""
    dead: frozenset[ThreadRef]
    """Threads that nothing alive could ever wake."""
    marked: frozenset[ThreadRef]
    """Threads of the tree that run, or that something alive could wake."""
    main: ThreadRef
    """The main thread of the process that is judged."""
    hung: bool
    """That main thread is dead."""
    alone: bool
    """Nothing else in the tree is marked, launchers apart: then hung is proved."""
    chain: Chain
    """The witness path from `main`."""
    blamed: ThreadRef
    """The thread whose own wait, and whose process's step, is the answer."""
    _chains: dict[ThreadRef, Chain] = field(default_factory=dict, repr=False, compare=False)

    def chain_of(self, ref: ThreadRef) -> Chain:
        """Return the witness path from any thread; tid 0 means the process's main thread."""
        start = ThreadRef(pid=ref.pid, tid=ref.tid or ref.pid)
        if start not in self._chains:
            self._chains[start] = witness(start, self.waits, self.dead, self.index)
        return self._chains[start]


def read(snapshot: Snapshot) -> Reading:
    """Say of every thread what it waits for, and of the target whether it is hung."""
    index = Index(snapshot)
    waits = waits_of(index)
    dead, marked = dead_and_marked(waits, index)
    pid = snapshot.blame or snapshot.root
    main = ThreadRef(pid=pid, tid=pid)
    chain = witness(main, waits, dead, index)
    return Reading(
        snapshot=snapshot,
        index=index,
        waits=waits,
        dead=dead,
        marked=marked,
        main=main,
        hung=main in dead,
        alone=is_alone(marked, waits, index),
        chain=chain,
        blamed=blamed_of(chain, main, index),
    )


@cache
def kinds() -> tuple[ModuleType, ...]:
    """Return the modules that each know one kind of wait, in the order in which they are asked."""
    return tuple(sorted(modules_in(import_module("hangbisect.waits")), key=_order))


def waits_of(index: Index) -> Mapping[ThreadRef, Wait]:
    """Say what each thread of the tree waits for."""
    asked = kinds()
    return {
        ref_of(thread): wait_of(thread, index, asked)
        for thread in index.snapshot.threads
        if index.is_inside(thread.pid) and thread.state not in ENDED
    }


def wait_of(thread: Thread, index: Index, asked: tuple[ModuleType, ...]) -> Wait:
    """Take the word of the first kind that recognises the thread's wait; the last knows all."""
    found = next(wait for kind in asked if (wait := kind.recognise(thread, index)) is not None)
    assert isinstance(found, Wait), "a kind of wait returns a Wait or None"
    return with_beside(found, thread, index)


def _order(kind: ModuleType) -> int:
    order = kind.ORDER
    assert isinstance(order, int), f"{kind.__name__}.ORDER is not an int"
    return order
