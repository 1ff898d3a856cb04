"""What is said between front and keeper (packets), and what a helper sends home (frames)."""

import contextlib
import os
import socket
import sys
from collections.abc import Iterator

import msgspec

from hangbisect.host._protocol import Question
from hangbisect.model import Facts, Gap, Sample
from hangbisect.model._struct import Data
from hangbisect.watch.ending import Ended
from hangbisect.watch.happenings import Continued, Exited, Stopped
from hangbisect.watch.ladder import Name
from hangbisect.watch.signals import Received, above_standard

PACKET_SIZE = 1 << 18
"""A packet never reaches the kernel's default limit for one (net.core.wmem_default, 208 KiB)."""
_LENGTH = 4


class LookAt(Data, frozen=True, kw_only=True, tag=True):
    """Front to keeper: perform a look. The descriptor to write the parts to comes with it."""

    name: Name
    question: Question


class TakeCensus(Data, frozen=True, kw_only=True, tag=True):
    """Front to keeper: who belongs to the target?"""


class EndAll(Data, frozen=True, kw_only=True, tag=True):
    """Front to keeper: end the target and all that belongs to it."""

    bound: float


class TellSignals(Data, frozen=True, kw_only=True, tag=True):
    """Front to keeper: tell the signals that came to you, then `SignalsTold`."""


Request = LookAt | TakeCensus | EndAll | TellSignals


class Forked(Data, frozen=True, kw_only=True, tag=True):
    """Keeper to front: the target has a pid; its program is not executed yet."""

    pid: int


class Executed(Data, frozen=True, kw_only=True, tag=True):
    """Keeper to front: the target's program runs."""


class Refused(Data, frozen=True, kw_only=True, tag=True):
    """Keeper to front: the target's program could not be executed."""

    error: int
    """errno."""


class Taken(Data, frozen=True, kw_only=True, tag=True):
    """Keeper to front: the census, parents before their children."""

    pids: tuple[int, ...]


class SignalsTold(Data, frozen=True, kw_only=True, tag=True):
    """Keeper to front: each signal that came to me so far has been told."""


class Broken(Data, frozen=True, kw_only=True, tag=True):
    """Keeper to front: a bug of ours ends the keeper."""

    why: str


Told = Forked | Executed | Refused | Taken | SignalsTold | Ended
"""Answers, and what the start waits for."""
Report = Told | Exited | Stopped | Continued | Received | Broken
_requests = msgspec.msgpack.Decoder(Request)
_reports = msgspec.msgpack.Decoder(Report)
_encoder = msgspec.msgpack.Encoder()


def link() -> tuple[socket.socket, socket.socket]:
    """Make the two ends that join front and keeper: packets, in order, and an end that is seen."""
    if sys.platform != "linux":
        raise NotImplementedError
    ends = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours, theirs = (socket.socket(fileno=above_standard(end.detach())) for end in ends)
    return ours, theirs


def ask(end: socket.socket, request: Request, fd: int | None = None) -> None:
    """Send a request to the keeper, and with it a descriptor.

    Raises:
        OSError: The keeper is gone, or the request is too large for a packet.
    """
    if sys.platform != "linux":
        raise NotImplementedError
    socket.send_fds(end, [_encoder.encode(request)], [] if fd is None else [fd])


def asked(end: socket.socket) -> tuple[Request, int | None] | None:
    """Receive a request; None if the front is gone."""
    if sys.platform != "linux":
        raise NotImplementedError
    packet, fds, _, _ = socket.recv_fds(end, PACKET_SIZE, 1)
    if not packet:
        return None
    for fd in fds:
        os.set_inheritable(fd, False)
    return _requests.decode(packet), fds[0] if fds else None


def tell(end: socket.socket, report: Report) -> None:
    """Send a report to the front; one that is gone is met when its end is read."""
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        end.send(_encoder.encode(report))


def told(end: socket.socket) -> Report | None:
    """Receive a report; None if the keeper is gone."""
    try:
        packet = end.recv(PACKET_SIZE)
    except ConnectionResetError:
        return None
    return _reports.decode(packet) if packet else None


class Part(Data, frozen=True, kw_only=True):
    """One piece of what a look brings home. An empty one says that the look is complete."""

    facts: Facts | None = None
    sample: Sample | None = None
    gap: Gap | None = None


_parts = msgspec.msgpack.Decoder(Part)
COMPLETE = Part()


def write_part(fd: int, part: Part) -> None:
    """Write a frame: its length, then the part."""
    body = _encoder.encode(part)
    frame = memoryview(len(body).to_bytes(_LENGTH, "little") + body)
    while frame:
        frame = frame[os.write(fd, frame) :]


class PartReader:
    """Puts frames together from bytes as they come."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> Iterator[Part]:
        """Yield the parts that are complete now."""
        self._buffer += data
        while (part := self._next()) is not None:
            yield part

    def _next(self) -> Part | None:
        end = _LENGTH + int.from_bytes(self._buffer[:_LENGTH], "little")
        if len(self._buffer) < max(end, _LENGTH):
            return None
        body = bytes(self._buffer[_LENGTH:end])
        del self._buffer[:end]
        return _parts.decode(body)
