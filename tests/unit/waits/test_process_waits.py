"""Children, stops, kernel waits, file locks, sleeps and polling loops."""

import pytest

from hangbisect.model import (
    Beat,
    Call,
    Descriptor,
    FileLock,
    PathFact,
    Process,
    Thing,
    Thread,
)
from hangbisect.waits import Index
from hangbisect.waits._words import thread_words
from tests.unit.waits.builder import (
    frame,
    futex,
    on,
    process,
    reading,
    ref,
    running,
    sleeping,
    snapshot,
    text,
    thread,
    wait,
    wait_for,
    whole,
)

FAMILY = (process(group=7), process(200, 100, group=7), process(201, 100, group=8))


@pytest.mark.parametrize(
    ("child", "wakers"),
    [
        (200, (whole(200),)),
        (-1, (whole(200), whole(201))),
        (None, (whole(200), whole(201))),
        (0, (whole(200),)),
        (-8, (whole(201),)),
    ],
    ids=["one", "any", "unread", "own group", "other group"],
)
def test_a_wait_for_children_is_ended_by_those_it_is_about(child: int | None, wakers: object):
    rows = (thread(100, wait_for(child)), thread(200, futex(), 200), thread(201, futex(), 201))

    found = wait(*rows, processes=FAMILY)

    assert (found.wakers, found.roots) == (wakers, ())


def test_a_wait_for_any_child_counts_them():
    found = wait(thread(100, wait_for(-1)), processes=FAMILY)

    assert found.says == "waits for any of its 2 child processes"


def test_a_wait_for_a_child_that_has_ended_is_about_to_return():
    found = reading(thread(100, wait_for(200)), processes=(process(), process(200, 100, state="Z")))

    assert (found.hung, found.chain.end) == (False, "running")


@pytest.mark.parametrize(
    ("child", "end", "says"),
    [
        (-1, "running", "waits for a child"),
        (None, "outside", "waits for a child"),
        (555, "outside", "waits for child 555, which is not to be seen"),
    ],
)
def test_a_wait_without_a_visible_child_is_never_dead(child: int | None, end: str, says: str):
    found = reading(thread(100, wait_for(child)))

    assert (found.hung, found.chain.end) == (False, end)
    assert found.waits[ref(100)].says == says


def test_a_child_that_waits_for_nobody_is_to_blame():
    found = reading(
        thread(100, wait_for(200)),
        thread(200, futex(), pid=200),
        processes=(process(python="3.11"), process(200, 100, python="3.11")),
    )

    assert (found.hung, found.alone, found.chain.end) == (True, True, "nobody")
    assert (found.chain.threads, found.blamed) == ((ref(100), ref(200, 200)), ref(200, 200))


def test_a_command_that_is_no_python_has_no_step_so_its_parent_is_to_blame():
    found = reading(
        thread(100, wait_for(200)),
        sleeping(200, 200, interval=100000.0),
        processes=(
            process(python="3.11"),
            process(200, 100, argv=("/bin/sleep", "100000")),
        ),
    )

    assert (found.hung, found.chain.end, found.blamed) == (False, "timer", ref(100))
    assert [link.says for link in found.chain.links] == [
        "waits for child 200 (sleep 100000)",
        "sleeps for 100000 s",
    ]


def test_a_child_lives_if_any_of_its_threads_does():
    found = reading(
        thread(100, wait_for(200)),
        thread(200, on("recvfrom", 1), pid=200),
        running(201, 200),
        processes=(process(), process(200, 100)),
    )

    assert found.dead == frozenset()


def test_a_child_whose_threads_could_not_be_seen_may_live():
    found = reading(thread(100, wait_for(200)), processes=(process(), process(200, 100)))

    assert (found.hung, found.alone, found.chain.end) == (False, False, "unknown")


def test_a_vfork_parent_waits_for_the_child_that_has_not_started_a_program():
    same = {"argv": ("python", "run.py"), "executable": "/bin/python"}
    found = reading(
        thread(100, Call(name="clone3"), state="D"),
        thread(200, Call(name="pause"), pid=200),
        thread(201, futex(), pid=201),
        processes=(process(**same), process(200, 100, **same), process(201, 100)),
    )

    assert found.waits[ref(100)].wakers == (whole(200),)
    assert found.waits[ref(100)].on == Thing(kind="child", id="200")
    assert (found.hung, found.chain.end) == (False, "outside")
    assert found.chain.links[0].says == (
        "waits until its child by vfork, process 200 (python run.py), starts a program"
    )


def test_the_child_that_a_vfork_is_known_to_have_made_counts_whatever_it_is_called():
    rows = (process(), process(200, 100), process(201, 100))

    found = wait(thread(100, Call(name="vfork", child=201), state="D"), processes=rows)

    assert found.wakers == (whole(201),)


def test_a_vfork_parent_without_a_visible_child_is_outside():
    gone = process(200, 100, argv=("/bin/program", "100"), state="Z")

    found = wait(thread(100, Call(name="vfork"), state="D"), processes=(process(), gone))

    assert (found.roots, found.on.id) == (("outside",), "")


def test_what_the_kernel_holds_is_outside():
    call = Call(name="openat", path="/mnt/frozen/cache.bin")

    found = reading(thread(100, call, state="D"))

    assert (found.hung, found.chain.end) == (False, "outside")
    assert found.waits[ref(100)].on == Thing(kind="path", id="/mnt/frozen/cache.bin")
    assert found.chain.links[0].says == (
        "is held by the kernel in openat of /mnt/frozen/cache.bin, and no signal reaches it"
    )


def test_a_kernel_wait_on_a_descriptor_names_its_file():
    row = Descriptor(pid=100, fd=4, kind="file", target="/mnt/frozen/x", mode="w")

    found = wait(thread(100, on("write", 4), state="D"), descriptors=(row,))

    assert found.says == (
        "is held by the kernel in write of /mnt/frozen/x, and no signal reaches it"
    )


def test_a_kernel_wait_in_an_unreadable_call_says_so_much():
    found = wait(thread(100, state="D"))

    assert (found.kind, found.says) == (
        "uninterruptible",
        "is held by the kernel, and no signal reaches it",
    )


STOPS = [
    ("T", {"stop_signal": 21}, "SIGTTIN", "was stopped by SIGTTIN and not continued"),
    ("T", {}, "signal", "was stopped by a signal and not continued"),
    ("t", {"tracer": 9}, "tracer", "is stopped under process 9 that traces it"),
    ("t", {}, "tracer", "is stopped under a debugger that traces it"),
    ("S", {"frozen": True}, "cgroup", "is frozen: its control group was stopped"),
]


@pytest.mark.parametrize(("state", "fields", "by", "says"), STOPS)
def test_what_is_stopped_goes_on_by_somebody_outside(
    state: str, fields: dict[str, int], by: str, says: str
):
    found = reading(thread(100, futex(), state=state), processes=(process(**fields),))

    assert (found.hung, found.chain.end) == (False, "outside")
    assert found.waits[ref(100)].on == Thing(kind="stop", id=by)
    assert found.chain.links[0].says == says


LOCKED = Descriptor(pid=100, fd=3, kind="file", target="/c/lock", inode=5, device=1, mode="w")


def held(*holders: int, **fields: object) -> FileLock:
    return FileLock(kind="flock", path="/c/lock", inode=5, device=1, holders=holders, **fields)  # type: ignore[arg-type]


def test_a_file_lock_is_ended_by_its_holder():
    outsider = Process(pid=900, parent=1, inside=False, argv=("/bin/holder",))

    found = reading(
        thread(100, on("flock", 3)),
        descriptors=(LOCKED,),
        locks=(held(900),),
        processes=(process(), outsider),
    )

    assert (found.hung, found.chain.end) == (False, "outside")
    assert found.chain.links[0].holders == (whole(900),)
    assert found.waits[ref(100)].on == Thing(kind="file-lock", id="/c/lock")
    assert found.chain.links[0].says == (
        "waits for the lock on /c/lock, held by process 900 (holder, outside the tree)"
    )


@pytest.mark.parametrize(
    ("holder", "blamed"),
    [
        pytest.param(sleeping(200, 200), ref(100), id="at work: who waits is asked for the step"),
        pytest.param(thread(200, futex(), pid=200), ref(200, 200), id="stuck itself"),
    ],
)
def test_a_holder_that_is_another_program_is_to_blame_only_if_it_is_stuck(holder, blamed):
    found = reading(
        thread(100, on("flock", 3)),
        holder,
        processes=(process(python="3.11"), process(200, 100, python="3.11")),
        descriptors=(LOCKED,),
        locks=(held(200),),
    )

    assert found.chain.threads == (ref(100), ref(200, 200))
    assert found.blamed == blamed


def test_a_holder_that_is_another_rank_is_to_blame():
    rank = ("/bin/python", "run.py")
    found = reading(
        thread(100, on("flock", 3)),
        sleeping(200, 200),
        processes=(
            process(python="3.11", argv=rank),
            process(200, 1, python="3.11", argv=rank),
        ),
        descriptors=(LOCKED,),
        locks=(held(200),),
    )

    assert found.blamed == ref(200, 200)


def test_a_file_lock_held_by_a_process_of_which_there_is_no_row_is_outside():
    found = reading(thread(100, on("flock", 3)), descriptors=(LOCKED,), locks=(held(900),))

    assert (found.hung, found.chain.end) == (False, "outside")
    assert found.chain.links[0].says.endswith("held by process 900 (outside the tree)")


def test_a_file_lock_that_a_process_holds_itself_is_a_cycle():
    found = reading(thread(100, on("flock", 3)), descriptors=(LOCKED,), locks=(held(100),))

    assert (found.hung, found.alone, found.chain.end) == (True, True, "cycle")
    assert found.chain.links[0].says == "waits for the lock on /c/lock, held by this process itself"


def test_a_file_lock_without_a_visible_holder_is_outside():
    found = wait(thread(100, on("fcntl", 3)), descriptors=(LOCKED,))

    assert (found.roots, found.says) == (("outside",), "waits for the lock on /c/lock")


def test_a_file_lock_is_found_by_its_queue_where_the_descriptor_is_unknown():
    found = wait(thread(100, on("fcntl")), locks=(held(900, waiters=(100,)),))

    assert (found.wakers, found.on.id) == ((whole(900),), "/c/lock")


def test_a_file_lock_of_which_nothing_is_known_is_outside():
    assert wait(thread(100, on("flock", 3))).says == "waits for the lock on a file"


def beat_of(interval: float | None = 0.1, **fields: object) -> Thread:
    call = Call(name="clock_nanosleep", timed=True, interval=interval)
    return thread(100, call, still=False, **fields)


def heard(**fields: object) -> Beat:
    return Beat(pid=100, tid=100, **fields)  # type: ignore[arg-type]


def test_a_polled_path_that_does_not_exist_ends_in_nobody_but_is_not_dead():
    beats = (
        heard(call="clock_nanosleep", count=9),
        heard(call="newfstatat", path="/r/go", error=2, count=3),
        heard(call="openat", path="/etc/x", count=1),
    )

    found = reading(beat_of(), beats=beats)

    assert (found.hung, found.chain.end) == (False, "nobody")
    assert found.waits[ref(100)].on == Thing(kind="path", id="/r/go")
    assert found.waits[ref(100)].roots == ("timer",)
    assert found.chain.links[0].says == (
        "looks again and again for /r/go, which does not exist, and sleeps in between"
    )
    assert found.chain.links[0].evidence == ("newfstatat of /r/go: error 2, 3 times",)


def test_a_connect_that_fails_is_what_is_polled_whatever_else_is_looked_at():
    beats = (
        heard(call="openat", path="/etc/resolv.conf", count=9),
        heard(call="connect", address="10.0.0.9:80", error=111, count=3),
    )

    found = reading(beat_of(), beats=beats)

    assert found.waits[ref(100)].on == Thing(kind="address", id="10.0.0.9:80")


def test_a_polled_path_that_somebody_has_open_or_locked_is_followed_to_him():
    fact = PathFact(path="/r/lock", exists=True, kind="file", openers=(100, 200))

    found = reading(
        beat_of(),
        sleeping(200, 200),
        beats=(heard(call="stat", path="/r/lock"),),
        paths=(fact,),
        locks=(FileLock(kind="flock", path="/r/lock", inode=1, holders=(200,)),),
        processes=(process(), process(200, 100)),
    )

    assert found.waits[ref(100)].holders == (whole(200),)
    assert (found.chain.threads, found.chain.end) == ((ref(100), ref(200, 200)), "timer")
    assert found.chain.links[0].says == (
        "looks again and again at /r/lock, which process 200 (program 200) has open or locked, "
        "and sleeps in between"
    )


def test_a_polled_address_is_outside():
    beats = (heard(call="connect", address="127.0.0.1:29500", error=111),)

    found = reading(beat_of(), beats=beats)

    assert (found.chain.end, found.waits[ref(100)].on.kind) == ("outside", "address")
    assert found.chain.links[0].holders is None


def test_without_beats_the_path_that_a_near_frame_names_is_what_is_polled():
    frames = (
        frame("wait", "/app/baton.py", 9, text("other", "/x"), text("path", "/r/lock")),
        frame("pause", "/app/baton.py", 20),
    )

    found = wait(
        beat_of(frames=frames), paths=(PathFact(path="/r/lock", exists=False, kind="missing"),)
    )

    assert (found.kind, found.on.id) == ("poll-beat", "/r/lock")
    assert found.evidence == ("`path` of wait is /r/lock",)
    assert "which does not exist" in found.says


@pytest.mark.parametrize(
    "row",
    [
        sleeping(100, interval=100.0, still=False),
        sleeping(100, interval=10.0, frames=(frame("f", "/a.py", 1, text("p", "/r/lock")),)),
        beat_of(frames=(frame("f", "/a.py", 1, text("p", "/unknown")),)),
    ],
    ids=["long", "did not move", "no facts"],
)
def test_any_other_sleep_ends_by_itself(row: Thread):
    found = reading(row, paths=(PathFact(path="/r/lock", exists=True),))

    assert (found.waits[ref(100)].kind, found.chain.end) == ("sleep", "timer")


def test_a_poll_of_nothing_is_a_sleep():
    call = Call(name="poll", timed=True, interval=2.5, deadline=8.0)

    found = wait(thread(100, call))

    assert (found.says, found.deadline, found.roots) == ("sleeps for 2.5 s", 8.0, ("timer",))


@pytest.mark.parametrize("row", [thread(100), thread(100, Call(name=""))])
def test_a_call_that_could_not_be_read_is_never_dead(row: Thread):
    found = reading(row)

    assert (found.hung, found.chain.end) == (False, "unknown")
    assert found.chain.links[0].says == "waits, in what could not be read"


def test_a_running_thread_says_where():
    found = reading(running(frames=(frame("work", "/app/run.py", 7),)))

    assert found.chain.end == "running"
    assert found.chain.links[0].says == "runs in work, line 7"


def test_a_long_command_line_is_cut_and_a_nameless_process_has_its_pid_only():
    rows = (
        process(),
        process(200, 100, argv=("/bin/x", "a\nb", "y" * 60)),
        process(201, 100, argv=()),
    )

    long = wait(thread(100, wait_for(200)), processes=rows)
    bare = wait(thread(100, wait_for(201)), processes=rows)

    assert long.says == f"waits for child 200 (x a b {'y' * 31}...)"
    assert bare.says == "waits for child 201"


def test_a_thread_that_is_named_like_the_program_has_no_name_of_its_own():
    rows = [thread(100, name="python"), thread(101, name="python"), thread(102, name="backend")]

    index = Index(snapshot(rows))

    assert thread_words(ref(101), index) == "thread 101"
    assert thread_words(ref(102), index) == "thread 102 (backend)"
    assert thread_words(whole(100), index) == "process 100 (program 100)"


def test_threads_of_a_process_without_a_row_are_left_out():
    found = reading(thread(100, futex()), thread(300, state="T", pid=300), processes=(process(),))

    assert ref(300, 300) not in found.waits


def test_a_loop_that_is_refused_a_path_tries_and_does_not_look():
    beat = Beat(pid=100, tid=100, call="mkdir", path="/ro/cache", error=30, count=3)

    found = wait(sleeping(interval=0.1), beats=(beat,))

    said = "tries again and again to use /ro/cache, is refused, and sleeps in between"
    assert (found.kind, found.says) == ("poll-beat", said)
