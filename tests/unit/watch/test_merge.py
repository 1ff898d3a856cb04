from hangbisect.model import Facts, Gap, Process, Thread
from hangbisect.watch.merge import merge, with_stillness


def test_what_a_later_look_says_wins_and_the_rest_is_kept():
    early = Facts(
        processes=(Process(pid=7, parent=1, state="S"),),
        threads=(Thread(pid=7, tid=7, state="S", name="main"),),
    )
    late = Facts(
        processes=(Process(pid=7, parent=1, argv=("python", "run.py")),),
        threads=(Thread(pid=7, tid=7, gil="holds"),),
    )

    merged = merge([early, late])

    assert merged.processes == (Process(pid=7, parent=1, state="S", argv=("python", "run.py")),)
    assert merged.threads == (Thread(pid=7, tid=7, state="S", name="main", gil="holds"),)


def test_equal_gaps_are_told_once():
    gap = Gap(what="stack", why="refused")

    assert merge([Facts(gaps=(gap,)), Facts(gaps=(gap,))]).gaps == (gap,)


def test_stillness_is_marked_by_pid_and_tid():
    threads = (Thread(pid=7, tid=7), Thread(pid=7, tid=8))

    assert with_stillness(threads, frozenset({(7, 8)}), {(7, 8): 2.5}) == (
        Thread(pid=7, tid=7),
        Thread(pid=7, tid=8, still=True, since=2.5),
    )
