"""Pipes, FIFOs, sockets, terminals and all that is polled: who has the other end."""

import pytest

from hangbisect.model import Call, Descriptor, PathFact, Process, Socket, Thing
from tests.unit.waits.builder import (
    futex,
    on,
    pipe,
    process,
    reading,
    ref,
    running,
    sleeping,
    socket_fd,
    thread,
    wait,
    wait_for,
    whole,
)

OUTSIDER = Process(pid=900, parent=1, inside=False, state="S", argv=("/bin/cat",))


def test_a_pipe_whose_write_end_only_its_reader_has_ends_in_nobody():
    found = reading(
        thread(100, on("read", 3)), descriptors=(pipe(3, "r"), pipe(4, "w"), pipe(3, "r", 900))
    )

    assert (found.hung, found.alone, found.chain.end) == (True, True, "nobody")
    assert found.chain.links[0].says == "reads pipe 4711, whose write end only this process holds"
    assert found.chain.links[0].evidence == ("descriptor 3 is pipe:[4711]",)


def test_a_pipe_is_outside_while_an_end_of_it_may_lie_in_a_message():
    message = Descriptor(pid=100, fd=7, kind="socket", target="socket:[8]", inode=8, in_flight=1)

    found = reading(thread(100, on("read", 3)), descriptors=(pipe(3, "r"), pipe(4, "w"), message))

    assert not found.hung


def test_a_pipe_is_outside_while_nobody_tells_what_lies_in_a_message():
    foreign = Socket(inode=900, family="unix", opaque=True)

    found = reading(
        thread(100, on("read", 3)), descriptors=(pipe(3, "r"), pipe(4, "w")), sockets=(foreign,)
    )

    assert not found.hung


def test_a_pipe_may_be_written_by_the_other_threads_of_its_reader():
    found = wait(thread(100, on("read", 3)), running(101), descriptors=(pipe(3, "r"), pipe(4, "w")))

    assert found.wakers == (ref(101),)


def test_a_pipe_without_a_visible_writer_is_outside():
    found = reading(thread(100, on("read", 3)), descriptors=(pipe(3, "r"),))

    assert (found.hung, found.chain.end) == (False, "outside")
    assert found.waits[ref(100)].says == "reads pipe 4711, whose write end nobody in sight holds"


def test_a_pipe_whose_writer_is_outside_the_tree_is_alive_and_ends_outside():
    found = reading(
        thread(100, on("read", 3)),
        descriptors=(pipe(3, "r"), pipe(1, "w", 900)),
        processes=(process(), OUTSIDER),
    )

    assert (found.hung, found.chain.end) == (False, "outside")
    assert found.chain.links[0].holders == (whole(900),)
    assert found.chain.links[0].says == (
        "reads pipe 4711, whose write end process 900 (cat, outside the tree) holds"
    )


def test_an_inherited_pipe_may_have_ends_out_of_sight():
    found = reading(
        thread(100, on("read", 3)), descriptors=(pipe(3, "r", inherited=True), pipe(4, "w"))
    )

    assert (found.hung, found.chain.end) == (False, "outside")


def test_a_full_pipe_and_a_parent_that_waits_for_its_writer_are_a_cycle():
    found = reading(
        thread(100, wait_for(200)),
        thread(200, on("write", 1, writes=True), pid=200),
        processes=(process(python="3.11.7"), process(200, 100)),
        descriptors=(pipe(5, "r"), pipe(1, "w", 200)),
    )

    assert (found.hung, found.alone, found.chain.end) == (True, True, "cycle")
    assert [link.says for link in found.chain.links] == [
        "waits for child 200 (program 200)",
        "writes to pipe 4711, whose read end process 100 (program 100) holds",
    ]
    assert found.blamed == ref(100)


def test_a_pipe_kept_open_by_a_sleeping_grandchild_ends_in_its_timer():
    found = reading(
        thread(100, on("read", 3)),
        sleeping(300, 300),
        thread(301, futex(), pid=301),
        processes=(process(), process(300, 1), process(301, 300), process(302, 300, state="Z")),
        descriptors=(
            *(pipe(3, "r"), pipe(1, "w", 300)),
            *(pipe(1, "w", 301), pipe(1, "w", 302), pipe(4, "w")),
        ),
    )

    assert not found.hung
    assert found.chain.links[0].says == (
        "reads pipe 4711, whose write end process 300 (program 300) and process 301 (program 301) "
        "and 1 more hold"
    )
    assert found.chain.threads == (ref(100), ref(301, 301))


def test_a_fifo_has_a_name_so_somebody_may_yet_write_to_it():
    fifo = {"kind": "fifo", "target": "/run/control", "device": 5}

    found = reading(
        thread(100, on("read", 3)), descriptors=(pipe(3, "rw", **fifo), pipe(3, "w", 900, device=6))
    )

    assert (found.hung, found.chain.end) == (False, "nobody")
    assert found.waits[ref(100)].on == Thing(kind="fifo", id="/run/control")
    assert found.waits[ref(100)].roots == ("outside",)
    assert found.chain.links[0].holders == ()


def test_the_open_of_a_fifo_ends_in_nobody_but_is_not_dead():
    call = Call(name="openat", path="/run/control")

    found = reading(
        thread(100, call), paths=(PathFact(path="/run/control", exists=True, kind="fifo"),)
    )

    assert (found.hung, found.chain.end) == (False, "nobody")
    assert found.chain.links[0].holders == ()
    assert found.waits[ref(100)].kind == "fifo-open"


def test_the_open_of_anything_else_is_unknown():
    call = Call(name="openat", path="/mnt/a")

    found = reading(thread(100, call), paths=(PathFact(path="/mnt/a", exists=True, kind="file"),))

    assert (found.waits[ref(100)].kind, found.chain.end) == ("unknown", "unknown")
    assert found.waits[ref(100)].says == "waits in openat of /mnt/a"


def terminal(fd: int = 0) -> Descriptor:
    return Descriptor(pid=100, fd=fd, kind="terminal", target="/dev/pts/3", mode="rw")


def test_a_prompt_on_a_terminal_waits_for_a_person():
    found = reading(thread(100, on("read", 0)), descriptors=(terminal(),))

    assert (found.hung, found.chain.end) == (False, "person")
    assert found.chain.links[0].says == "reads the terminal /dev/pts/3"
    assert found.chain.links[0].holders is None


def test_output_held_back_by_a_terminal_waits_for_a_person():
    found = wait(thread(100, on("write", 1, writes=True)), descriptors=(terminal(1),))

    assert found.says == "writes to the terminal /dev/pts/3, which takes no more"


def test_a_silent_standard_input_waits_for_a_person_or_somebody_outside():
    found = reading(thread(100, on("read", 0)), descriptors=(pipe(0, "r", inherited=True),))

    assert (found.hung, found.chain.end) == (False, "person")
    assert found.waits[ref(100)].kind == "stdin"
    assert found.waits[ref(100)].roots == ("person", "outside")
    assert found.waits[ref(100)].says == (
        "reads standard input, pipe 4711, whose write end nobody in sight holds"
    )


def test_a_copy_of_standard_input_is_standard_input():
    rows = (pipe(0, "r", inherited=True), pipe(7, "r", inherited=True), pipe(1, "w", 900))

    found = wait(thread(100, on("read", 7)), descriptors=rows, processes=(process(), OUTSIDER))

    assert (found.kind, found.holders) == ("stdin", (whole(900),))


def test_a_childs_standard_input_made_in_the_tree_is_a_pipe():
    found = wait(
        thread(200, on("read", 0), pid=200),
        thread(100, wait_for(200)),
        processes=(process(), process(200, 100)),
        descriptors=(pipe(0, "r", 200), pipe(5, "w", 100)),
    )

    assert (found.kind, found.wakers) == ("pipe", (whole(100),))


def pair(**fields: object) -> tuple[Socket, Socket]:
    left = Socket(inode=11, family="unix", peer=12, timeout=0.0, state="ESTABLISHED", **fields)
    return left, Socket(inode=12, family="unix", peer=11, timeout=0.0)


def test_a_socket_pair_between_parent_and_child_is_followed():
    found = reading(
        thread(100, on("recvfrom", 3)),
        thread(200, futex(), pid=200),
        processes=(process(), process(200, 100)),
        descriptors=(socket_fd(3, 11), socket_fd(4, 12, 200)),
        sockets=pair(),
    )

    assert (found.hung, found.chain.end) == (True, "nobody")
    assert found.chain.threads == (ref(100), ref(200, 200))
    assert found.chain.links[0].says == (
        "reads the Unix socket 11, whose other end process 200 (program 200) holds"
    )


def test_another_thread_may_shut_a_socket_down():
    found = reading(
        thread(100, on("recvfrom", 3)),
        running(101),
        thread(200, futex(), pid=200),
        processes=(process(), process(200, 100)),
        descriptors=(socket_fd(3, 11), socket_fd(4, 12, 200)),
        sockets=pair(),
    )

    assert found.waits[ref(100)].wakers == (whole(200), ref(101))
    assert not found.hung


@pytest.mark.parametrize(
    "sockets",
    [
        (),
        (Socket(inode=11, family="inet", remote="10.0.0.1:80", timeout=0.0),),
        (Socket(inode=11, family="inet", remote="10.0.0.1:80", peer=99, timeout=0.0),),
    ],
    ids=["no row", "no peer", "peer without a descriptor"],
)
def test_a_socket_whose_peer_is_not_seen_is_outside(sockets: tuple[Socket, ...]):
    found = reading(
        thread(100, on("recvfrom", 3)), descriptors=(socket_fd(3, 11),), sockets=sockets
    )

    assert (found.hung, found.chain.end) == (False, "outside")


def test_a_socket_is_called_by_its_peer():
    row = Socket(inode=11, family="inet", remote="10.0.0.1:80", timeout=0.0)

    found = wait(
        thread(100, on("write", 3, writes=True)), descriptors=(socket_fd(3, 11),), sockets=(row,)
    )

    assert found.on == Thing(kind="socket", id="10.0.0.1:80")
    assert found.says == "writes to the socket to 10.0.0.1:80"


def test_a_socket_whose_time_limit_was_not_read_may_have_one():
    left, right = pair()
    rows = (socket_fd(3, 11), socket_fd(4, 12))
    unread = Socket(inode=11, family="unix", peer=12)

    found = reading(thread(100, on("recvfrom", 3)), descriptors=rows, sockets=(unread, right))
    sure = reading(thread(100, on("recvfrom", 3)), descriptors=rows, sockets=(left, right))

    assert (found.hung, found.chain.end) == (False, "timer")
    assert (sure.hung, sure.chain.end) == (True, "nobody")


def test_an_inherited_socket_may_have_ends_out_of_sight():
    found = wait(
        thread(100, on("recvfrom", 3)),
        descriptors=(socket_fd(3, 11, inherited=True), socket_fd(4, 12)),
        sockets=pair(),
    )

    assert found.roots == ("outside",)


def test_a_server_that_waits_for_a_client_is_alive():
    row = Socket(inode=11, family="inet", state="LISTEN", local="0.0.0.0:8000", timeout=0.0)

    found = reading(thread(100, on("accept4", 3)), descriptors=(socket_fd(3, 11),), sockets=(row,))

    assert (found.hung, found.chain.end) == (False, "outside")
    assert found.waits[ref(100)].kind == "accept"
    assert found.waits[ref(100)].on.id == "0.0.0.0:8000"
    assert found.chain.links[0].says == ("waits for a client at the listening socket 0.0.0.0:8000")


def test_a_connection_to_a_listener_that_does_not_accept_names_the_address():
    row = Socket(inode=11, family="inet", state="LISTEN", local="127.0.0.1:29500")

    found = wait(
        thread(100, on("connect", 5, address="127.0.0.1:29500")),
        thread(200, futex(), pid=200),
        processes=(process(), process(200, 100)),
        descriptors=(socket_fd(3, 11, 200),),
        sockets=(row,),
    )

    assert (found.kind, found.on) == ("connect", Thing(kind="address", id="127.0.0.1:29500"))
    assert (found.wakers, found.roots) == ((whole(200),), ("outside", "timer"))


def test_a_connection_whose_address_was_not_read_is_outside():
    found = wait(thread(100, on("connect", 5)))

    assert (found.wakers, found.roots) == ((), ("outside", "timer"))
    assert "could not be read" in found.says


def test_a_connection_to_a_unix_socket_has_no_limit_of_its_own():
    assert wait(thread(100, on("connect", 5, address="/run/x.sock"))).roots == ("outside",)


def other(fd: int, kind: str, **fields: object) -> Descriptor:
    target = f"anon_inode:[{kind}]"
    return Descriptor(pid=100, fd=fd, kind=kind, target=target, inode=9, **fields)  # type: ignore[arg-type]


def test_an_event_loop_with_nothing_but_its_own_self_pipe_is_dead_when_alone():
    rows = (socket_fd(6, 11), socket_fd(7, 12))

    found = reading(thread(100, on("epoll_wait", 6)), descriptors=rows, sockets=pair())

    assert (found.hung, found.alone, found.chain.end) == (True, True, "nobody")
    assert found.chain.links[0].says == (
        "polls the Unix socket 11, whose other end only this process holds"
    )


def test_an_event_loop_may_be_woken_by_the_other_threads():
    rows = (other(5, "epoll", watched=(6,)), socket_fd(6, 11), socket_fd(7, 12))

    found = wait(
        thread(100, on("epoll_wait", 5)), thread(101, futex()), descriptors=rows, sockets=pair()
    )

    assert (found.wakers, found.roots) == ((ref(101),), ())


def test_an_event_loop_with_a_socket_to_the_outside_is_alive():
    rows = (socket_fd(6, 11), socket_fd(7, 12), socket_fd(8, 13))
    remote = Socket(inode=13, family="inet", remote="10.0.0.1:443")

    found = reading(
        thread(100, on("epoll_wait", 6, 8)), descriptors=rows, sockets=(*pair(), remote)
    )

    assert (found.hung, found.chain.end) == (False, "outside")


def test_an_epoll_of_which_nothing_is_known_is_outside():
    found = wait(thread(100, on("epoll_wait", 5)), descriptors=(other(5, "epoll"),))

    assert found.roots == ("outside",)


def test_a_polled_descriptor_without_a_row_is_outside():
    found = wait(thread(100, on("poll", 44)))

    assert (found.roots, found.says) == (("outside",), "polls descriptor 44")


def test_a_poll_of_nothing_without_a_limit_waits_for_a_signal_at_most():
    found = wait(thread(100, on("select")))

    assert (found.roots, found.says) == (("outside",), "waits in select for no descriptor at all")


def test_a_poll_with_a_limit_is_followed_to_the_worker_that_holds_the_other_end():
    call = on("poll", 3, timed=True, deadline=9.0, interval=5.0)

    found = reading(
        thread(100, call),
        thread(200, futex(), pid=200),
        processes=(process(python="3.11"), process(200, 100, python="3.11")),
        descriptors=(pipe(3, "r"), pipe(1, "w", 200)),
    )

    assert (found.hung, found.chain.end) == (False, "nobody")
    assert found.waits[ref(100)].beside == ("timer",)
    assert found.waits[ref(100)].deadline == 9.0
    assert found.blamed == ref(200, 200)


def test_a_poll_of_a_childs_end_is_ended_by_the_child():
    call = on("poll", 3)

    found = wait(
        thread(100, call),
        descriptors=(other(3, "pidfd", names=200),),
        processes=(process(), process(200, 100)),
    )

    assert (found.wakers, found.says) == (
        (whole(200),),
        "polls the end of process 200 (program 200)",
    )


def test_a_poll_of_many_names_three():
    rows = tuple(pipe(fd, "r", inode=fd) for fd in range(3, 9))

    found = wait(thread(100, on("poll", *range(3, 9))), descriptors=rows)

    assert found.says.endswith("whose write end nobody in sight holds or 3 more")
    assert len(found.evidence) == 3


def test_a_polled_write_end_waits_for_its_readers():
    found = wait(
        thread(100, on("poll", 3)),
        processes=(process(), process(200, 100)),
        descriptors=(pipe(3, "w"), pipe(0, "r", 200)),
    )

    assert found.wakers == (whole(200),)


@pytest.mark.parametrize(
    ("kind", "roots"),
    [
        ("timerfd", ("timer",)),
        ("signalfd", ("outside",)),
        ("inotify", ("outside",)),
        ("device", ("outside",)),
        ("pidfd", ("outside",)),
    ],
)
def test_any_other_descriptor_has_its_own_root(kind: str, roots: tuple[str, ...]):
    found = wait(thread(100, on("read", 3)), descriptors=(other(3, kind),))

    assert (found.kind, found.roots) == (kind, roots)


def test_an_eventfd_is_written_by_threads_of_the_process_or_by_who_has_one_too():
    copy = Descriptor(pid=200, fd=8, kind="eventfd", target="anon_inode:[eventfd]", inode=9)

    found = wait(
        thread(100, on("read", 3)),
        thread(101, futex()),
        processes=(process(), process(200, 100)),
        descriptors=(other(3, "eventfd"), copy),
    )

    assert found.holders == (ref(101),)
    assert set(found.wakers) == {ref(101), whole(200)}


def test_an_eventfd_that_only_this_process_is_seen_to_have_is_alive():
    found = reading(
        thread(100, on("epoll_wait", 5)),
        descriptors=(other(3, "eventfd"), other(5, "epoll", watched=(3,))),
    )

    assert (found.hung, found.waits[ref(100)].beside) == (False, ("outside",))


def test_an_inherited_eventfd_is_outside():
    found = wait(thread(100, on("read", 3)), descriptors=(other(3, "eventfd", inherited=True),))

    assert found.roots == ("outside",)


def test_an_epoll_that_watches_something_unseen_is_outside():
    rows = (other(5, "epoll", watched=(6, -1)), socket_fd(6, 11), socket_fd(7, 12))

    found = wait(thread(100, on("epoll_wait", 5)), descriptors=rows, sockets=pair())

    assert found.roots == ("outside",)


def test_an_epoll_that_watches_nothing_is_outside():
    found = wait(thread(100, on("read", 5)), descriptors=(other(5, "epoll"),))

    assert (found.kind, found.roots) == ("epoll", ("outside",))


def test_a_standard_input_that_is_a_socket_may_be_written_from_outside():
    found = wait(thread(100, on("read", 0)), descriptors=(socket_fd(0, 11, inherited=True),))

    assert (found.kind, found.roots) == ("stdin", ("person", "outside"))


def test_a_datagram_socket_of_the_network_hears_anybody():
    row = Socket(inode=11, family="inet", type="datagram", peer=12, timeout=0.0)

    found = wait(
        thread(100, on("recvfrom", 3)),
        descriptors=(socket_fd(3, 11), socket_fd(4, 12)),
        sockets=(row,),
    )

    assert found.roots == ("outside",)


def test_a_file_as_standard_input_is_no_person():
    row = Descriptor(pid=100, fd=0, kind="file", target="/data/in", inode=4, inherited=True)

    found = wait(thread(100, on("read", 0)), descriptors=(row,))

    assert (found.kind, found.roots) == ("file", ("outside",))


def test_the_end_of_a_process_of_which_there_is_no_row_is_outside():
    found = wait(thread(100, on("poll", 3)), descriptors=(other(3, "pidfd", names=555),))

    assert found.roots == ("outside",)


def test_an_eventfd_that_somebody_outside_may_share_is_alive():
    copy = Descriptor(pid=900, fd=8, kind="eventfd", target="anon_inode:[eventfd]", inode=9)
    other_copy = Descriptor(pid=200, fd=8, kind="eventfd", target=copy.target, inode=9)

    found = reading(
        thread(100, on("read", 3)),
        thread(200, futex(), pid=200),
        descriptors=(other(3, "eventfd"), copy, other_copy),
        processes=(process(), process(200, 100), OUTSIDER),
    )

    assert (found.hung, found.chain.end) == (False, "outside")


def test_a_polled_terminal_waits_for_a_person():
    found = wait(thread(100, on("poll", 0)), descriptors=(terminal(),))

    assert (found.roots, found.says) == (("person",), "polls the terminal /dev/pts/3")
