"""A server that waits for somebody to ask stands still as it should."""

import pytest

from hangbisect.model import (
    Call,
    Descriptor,
    Frame,
    Process,
    Snapshot,
    Socket,
    Step,
    System,
    Thread,
)
from hangbisect.watch.serving import serves


def snapshot(*, frames, step="statement", state="LISTEN", tid=8):
    return Snapshot(
        system=System(platform="linux", machine="x86_64"),
        root=7,
        processes=(Process(pid=7, parent=1, python="3.11", step=Step(pid=7, kind=step, name="x")),),
        threads=(
            Thread(pid=7, tid=tid, call=Call(name="epoll_wait", descriptors=(3,)), frames=frames),
        ),
        descriptors=(
            Descriptor(pid=7, fd=3, kind="socket", mode="rw", inode=99, target="socket:[99]"),
        ),
        sockets=(Socket(inode=99, family="inet", type="stream", state=state),),
    )


PYTHON = (Frame(function="select", file="/lib/selectors.py", line=1),)


def test_a_thread_that_waits_for_connections_serves():
    assert serves(snapshot(frames=PYTHON))


@pytest.mark.parametrize(
    "others",
    [
        {"frames": ()},
        {"frames": PYTHON, "step": "import"},
        {"frames": PYTHON, "state": "ESTABLISHED"},
    ],
    ids=["a native thread", "within an import", "a connection"],
)
def test_what_only_holds_a_socket_does_not_serve(others):
    assert not serves(snapshot(**others))
