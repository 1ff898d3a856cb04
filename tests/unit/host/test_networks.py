"""Sockets: text of /proc/net, the kernel's answers, and which ends belong together."""

import struct

import pytest

from hangbisect.host.netlink import INET, UNIX, Found, parse_internet, parse_unix
from hangbisect.host.networks import (
    LISTEN,
    Network,
    parse_internet_text,
    parse_unix_text,
    serves,
    with_peers,
)
from hangbisect.host.sockets import sockets_of
from hangbisect.model import Socket

ESTABLISHED, SYN_SENT, CLOSE_WAIT = 1, 2, 8


def tcp(inode: int, local: str, remote: str, state: int = ESTABLISHED) -> Found:
    return Found(inode=inode, family=INET, type=1, state=state, local=local, remote=remote)


def peers(*sockets: Found) -> dict[int, int | None]:
    return {each.inode: each.peer for each in with_peers(sockets)}


SERVER = tcp(9, "0.0.0.0:80", "0.0.0.0:0", LISTEN)


@pytest.mark.parametrize(
    ("other", "client", "peer"),
    [
        pytest.param(tcp(2, "127.0.0.1:80", "127.0.0.1:5"), ESTABLISHED, 2, id="accepted"),
        pytest.param(tcp(0, "127.0.0.1:80", "127.0.0.1:5"), ESTABLISHED, 9, id="not yet accepted"),
        pytest.param(tcp(0, "127.0.0.1:80", "127.0.0.1:5", 5), CLOSE_WAIT, None, id="closed"),
        pytest.param(tcp(3, "127.0.0.1:81", "127.0.0.1:5"), SYN_SENT, 9, id="queue is full"),
        pytest.param(tcp(3, "127.0.0.1:81", "127.0.0.1:5"), ESTABLISHED, None, id="elsewhere"),
    ],
)
def test_the_other_end_of_a_connection_on_this_machine(
    other: Found, client: int, peer: int | None
) -> None:
    seen = peers(tcp(1, "127.0.0.1:5", "127.0.0.1:80", client), other, SERVER)

    assert seen[1] == peer


def test_a_datagram_goes_to_whoever_is_bound_there() -> None:
    client = Found(
        inode=1, family=INET, type=2, state=1, local="127.0.0.1:5", remote="127.0.0.1:53"
    )
    server = Found(inode=2, family=INET, type=2, state=7, local="127.0.0.1:53", remote="0.0.0.0:0")

    assert peers(client, server)[1] == 2


def test_an_unaccepted_unix_connection_belongs_to_the_listening_socket() -> None:
    client = Found(inode=1, family=UNIX, type=1, state=1)
    server = Found(inode=2, family=UNIX, type=1, state=LISTEN, local="/run/x", pending=(1,))

    assert peers(client, server) == {1: 2, 2: None}


@pytest.mark.parametrize(
    ("local", "address", "answer"),
    [
        pytest.param("0.0.0.0:80", "127.0.0.1:80", True, id="any address"),
        pytest.param("[::]:80", "127.0.0.1:80", True, id="any address of both kinds"),
        pytest.param("10.0.0.1:80", "127.0.0.1:80", False, id="another address"),
        pytest.param("0.0.0.0:80", "127.0.0.1:81", False, id="another port"),
    ],
)
def test_who_listens_at_an_address(local: str, address: str, answer: bool) -> None:
    assert serves(tcp(1, local, "0.0.0.0:0", LISTEN), address) is answer


def test_the_text_of_tcp_is_read() -> None:
    text = (
        "  sl  local_address rem_address   st tx_queue rx_queue tr tm retrnsmt uid timeout ino\n"
        "   0: 0100007F:1F90 0100007F:0050 01 00000000:00000000 00:00000000 00000000 0 0 4242 1 x\n"
    )

    (found,) = parse_internet_text(text, INET, 1)

    assert found == tcp(4242, "127.0.0.1:8080", "127.0.0.1:80")


def test_the_text_of_unix_is_read() -> None:
    text = (
        "Num       RefCount Protocol Flags    Type St Inode Path\n"
        "0000: 00000002 00000000 00010000 0001 01 77 /run/a b\n"
        "0000: 00000003 00000000 00000000 0001 03 78\n"
    )

    assert tuple(parse_unix_text(text)) == (
        Found(inode=77, family=UNIX, type=1, state=LISTEN, local="/run/a b"),
        Found(inode=78, family=UNIX, type=1, state=1),
    )


def test_an_answer_about_tcp_is_read_with_its_counters() -> None:
    info = bytes(120) + struct.pack("=QQ", 10, 20)
    message = (
        bytes([INET, 1, 0, 0])
        + struct.pack("!HH", 8080, 80)
        + bytes([127, 0, 0, 1]).ljust(16, b"\0")
        + bytes([127, 0, 0, 1]).ljust(16, b"\0")
        + struct.pack("=IIIIIIII", 0, 0, 0, 0, 0, 0, 0, 4242)
        + struct.pack("=HH", 4 + len(info), 2)
        + info
    )

    found = parse_internet(message, 1)

    assert found is not None
    assert (found.inode, found.local, found.sent, found.received) == (
        4242,
        "127.0.0.1:8080",
        10,
        20,
    )


def test_an_answer_about_a_unix_socket_names_its_peer_and_who_waits() -> None:
    message = struct.pack("=BBBBIII", UNIX, 1, LISTEN, 0, 77, 0, 0)
    message += struct.pack("=HH8s", 12, 0, b"/run/x\0\0")
    message += struct.pack("=HHI", 8, 2, 78)
    message += struct.pack("=HHII", 12, 3, 80, 81)

    assert parse_unix(message) == Found(
        inode=77, family=UNIX, type=1, state=LISTEN, local="/run/x", peer=78, pending=(80, 81)
    )


def test_a_torn_answer_is_nothing() -> None:
    assert (parse_internet(b"\2", 1), parse_unix(b"\1")) == (None, None)


def test_the_peer_outside_comes_along_and_an_unknown_socket_is_other() -> None:
    near, far = tcp(1, "127.0.0.1:5", "127.0.0.1:80"), tcp(2, "127.0.0.1:80", "127.0.0.1:5")
    network = Network(sockets=with_peers((near, far)))

    rows = tuple(sockets_of((1, 3), network))

    assert rows == (
        Socket(
            inode=1,
            family="inet",
            state="ESTABLISHED",
            local="127.0.0.1:5",
            remote="127.0.0.1:80",
            peer=2,
        ),
        Socket(
            inode=2,
            family="inet",
            state="ESTABLISHED",
            local="127.0.0.1:80",
            remote="127.0.0.1:5",
            peer=1,
        ),
        Socket(inode=3, family="other", type="other"),
    )


def test_a_unix_socket_is_called_after_its_peer() -> None:
    client = Found(inode=1, family=UNIX, type=1, state=1, peer=2)
    server = Found(inode=2, family=UNIX, type=1, state=LISTEN, local="/run/agent.sock")

    near, far = sockets_of((1,), Network(sockets=(client, server)))

    assert (near.remote, far.local) == ("/run/agent.sock", "/run/agent.sock")
