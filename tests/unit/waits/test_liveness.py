"""Liveness against its definition: the greatest set without a seed or a waker outside itself."""

from itertools import chain, combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from hangbisect.model import Thread, ThreadRef
from hangbisect.waits import Index, read
from hangbisect.waits._liveness import unmarked
from hangbisect.waits._reading import kinds
from tests.unit.waits.builder import futex, joining, ref, running, snapshot, thread, wait_for

REFS = tuple(ref(tid) for tid in range(6))
GRAPHS = st.fixed_dictionaries({name: st.frozensets(st.sampled_from(REFS)) for name in REFS})
UNHURRIED = settings(deadline=None)
"""A busy machine is no fault of the code."""

SEEDS = st.frozensets(st.sampled_from(REFS))


@UNHURRIED
@given(graph=GRAPHS, seeds=SEEDS)
def test_the_dead_are_the_greatest_set_that_nothing_outside_could_wake(
    graph: dict[ThreadRef, frozenset[ThreadRef]], seeds: frozenset[ThreadRef]
):
    def is_closed(some: frozenset[ThreadRef]) -> bool:
        return not some & seeds and all(graph[one] <= some for one in some)

    subsets = chain.from_iterable(combinations(REFS, size) for size in range(len(REFS) + 1))
    greatest = frozenset().union(*(s for s in map(frozenset, subsets) if is_closed(s)))

    assert unmarked(graph, seeds) == greatest


@UNHURRIED
@given(graph=GRAPHS, seeds=SEEDS, more=SEEDS)
def test_more_seeds_never_make_anything_dead(
    graph: dict[ThreadRef, frozenset[ThreadRef]],
    seeds: frozenset[ThreadRef],
    more: frozenset[ThreadRef],
):
    assert unmarked(graph, seeds | more) <= unmarked(graph, seeds)


def threads() -> st.SearchStrategy[list[Thread]]:
    def one(tid: int) -> st.SearchStrategy[Thread]:
        calls = st.one_of(
            st.just(futex()),
            st.sampled_from(range(100, 105)).map(joining),
            st.just(wait_for(-1)),
        )
        gil = st.sampled_from([None, "waits", "holds"])
        still = st.builds(lambda call, gil: thread(tid, call, gil=gil), calls, gil)
        return still | st.just(running(tid))

    return st.tuples(*(one(tid) for tid in range(100, 104))).map(list)


@UNHURRIED
@given(rows=threads())
def test_a_runnable_thread_more_never_makes_anything_dead(rows: list[Thread]):
    before = read(snapshot(rows))
    after = read(snapshot([*rows, running(110)]))

    assert after.dead <= before.dead
    assert ref(110) in after.marked


@UNHURRIED
@given(rows=threads())
def test_every_chain_comes_to_an_end_that_fits_the_liveness_of_its_start(rows: list[Thread]):
    found = read(snapshot(rows))

    for name in found.waits:
        path = found.chain_of(name)
        assert path.threads[0] == name
        assert len(set(path.threads)) == len(path.threads) == len(path.links)
        if name in found.dead:
            assert path.end in ("cycle", "nobody")


def test_every_kind_has_an_order_of_its_own_and_the_last_knows_all():
    orders = [kind.ORDER for kind in kinds()]

    assert orders == sorted(set(orders))
    assert kinds()[-1].__name__ == "hangbisect.waits.unknown"


def test_the_index_answers_for_rows_that_are_missing():
    index = Index(snapshot([]))

    assert index.process(1) is None
    assert index.thread(ref(0, 7)) is None
    assert index.threads_of(7) == index.live(7) == index.children(7) == ()
    assert index.descriptor(7, 0) is None
    assert index.descriptors_of(7) == index.descriptors_on(0) == index.ends_of(5, "w") == ()
    assert index.socket(0) is index.socket(5) is index.path(None) is index.path("/x") is None
    assert index.locks_on(5) == index.locks_at("/x") == index.locks_awaited_by(7) == ()
    assert index.beats_of(ref(7)) == ()
    assert not index.has_ended(7)
    assert not index.is_inside(7)
