"""The front's side of the keeper: start the target, ask for looks, hear what happens, end it."""

import os
import select
import signal
import sys
import time
from collections import deque
from types import TracebackType
from typing import TypeVar

import msgspec

from hangbisect.errors import TargetError
from hangbisect.host._protocol import Question
from hangbisect.model import Gap
from hangbisect.watch import census, child, ending, keeper, kernel, looker, terminal, wire
from hangbisect.watch.census import Member
from hangbisect.watch.ending import Ended
from hangbisect.watch.happenings import (
    Exited,
    Happening,
    Interrupted,
    KeeperLost,
    Resumed,
    Signalled,
    Stopped,
)
from hangbisect.watch.heir import Heir
from hangbisect.watch.helpers import must_be_ancestor
from hangbisect.watch.ladder import Name
from hangbisect.watch.launch import Launch, inherited
from hangbisect.watch.looker import Looked, Pending
from hangbisect.watch.signals import Inbox, Received, handling, heritage

_FORK_BOUND = 10.0
"""Seconds for the keeper to fork the target, before that is called a failure."""
_EXEC_BOUND = 5.0
"""Seconds to wait for the target's program to be executed. Then we watch: its disk may hang."""
_ANSWER_BOUND = 2.0
"""Seconds for an answer of the keeper, beyond the time that what was asked for may take."""
_WITNESS_BOUND = 0.03
"""Seconds for the keeper to say that a signal came to it as well."""

T = TypeVar("T", bound=wire.Report)


class Keeper:
    """The keeper, as the front sees it. Make it early: it notes what we were started with."""

    def __init__(self, *, in_threads: bool | None = None) -> None:
        """Note signals, descriptors and terminal as they are.

        Args:
            in_threads: Look in threads of the keeper, not in helpers. None: if the kernel wants it.
        """
        self._heritage = heritage()
        self._settings = terminal.Settings()
        self._in_threads = must_be_ancestor() if in_threads is None else in_threads
        self._queue: deque[Happening] = deque()
        self._witnessed: list[Received] = []
        self._interrupts = 0
        self._status: int | None = None
        self._why = ""
        self._heir: Heir | None = None
        self._is_open = False
        self._target: Member | None = None
        self.inherited = inherited()
        """(device, inode) of the descriptors that the target gets."""
        self.pid = 0
        """pid of the keeper's process."""
        self.began = 0.0
        """When the target was started, in seconds on CLOCK_MONOTONIC."""

    def __enter__(self) -> "Keeper":
        """Return itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close it."""
        self.close()

    def start(self, launch: Launch) -> int:
        """Fork the keeper, let it start the target, and return the target's pid.

        Raises:
            TargetError: The program cannot be executed.
        """
        if sys.platform != "linux":
            raise NotImplementedError
        self._was_subreaper = kernel.is_subreaper()
        kernel.control(kernel.Option.SUBREAPER, 1)
        self._others = frozenset(census.children(os.getpid()))
        self._inbox = Inbox(signal.SIGCONT)
        self._link, theirs = wire.link()
        self._is_open = True
        self.began = time.monotonic()
        self.pid = os.fork()
        if self.pid == 0:
            self._link.close()
            keeper.keep(theirs, launch, self._heritage, threads=self._in_threads)
        theirs.close()
        return self._hear_of_start(launch)

    def look(self, name: Name, question: Question) -> Looked:
        """Look, and come back at the look's deadline with what was seen until then."""
        pending = self.look_soon(name, question)
        if isinstance(pending, Looked):
            return pending
        while (looked := pending.poll(1.0)) is None:
            continue
        return looked

    def look_soon(self, name: Name, question: Question) -> Pending | Looked:
        """Begin a look; poll what is returned, unless it is an answer already."""
        if self._heir is not None:
            return self._heir.looker.look(name, question)
        request = wire.LookAt(name=name, question=question)
        return looker.begin(name, lambda out: wire.ask(self._link, request, out))

    def wait(self, timeout: float) -> tuple[Happening, ...]:
        """Return what happened; wait for something at most `timeout` seconds."""
        until = time.monotonic() + timeout
        self._take(0.0)
        while not self._queue and (left := until - time.monotonic()) > 0:
            self._take(left)
        happenings = tuple(self._queue)
        self._queue.clear()
        return happenings

    def census(self) -> tuple[int, ...]:
        """Return the target and all its descendants, daemonised ones too, parents first."""
        if self._heir is None and self._ask(wire.TakeCensus()):
            taken = self._answer(wire.Taken, _ANSWER_BOUND)
            if taken is not None:
                return taken.pids
        if self._heir is not None:
            return tuple(process.pid for process in self._heir.members())
        roots = [] if self._target is None else [self._target.pid]
        return tuple(process.pid for process in census.descendants(census.everyone(), roots))

    def send(self, number: int) -> None:
        """Send a signal to the target."""
        if self._target is not None:
            ending.send(self._target, number)

    def end(self, bound: float = ending.BOUND) -> Ended:
        """End the target and all that belongs to it, within about `bound` seconds."""
        if not self._is_open:
            return Ended()
        ended = self._end_by_keeper(bound)
        if ended is None:
            self._lose_keeper()
        if ended is None and self._heir is not None:
            ended = ending.end(self._heir.members, bound)
            self._heir.note(self._happened)
        self._settings.put_back()
        return msgspec.structs.replace(ended or Ended(), status=self._status)

    def close(self) -> None:
        """Let the keeper go, and be as we were before. A target that runs goes on."""
        if sys.platform != "linux":
            raise NotImplementedError
        if not self._is_open:
            return
        self._is_open = False
        kernel.control(kernel.Option.SUBREAPER, int(self._was_subreaper))
        self._link.close()
        if self._heir is not None:
            self._heir.looker.close()
        else:
            self._reap_keeper()
        self._inbox.close()

    def _hear_of_start(self, launch: Launch) -> int:
        forked = self._answer(wire.Forked, _FORK_BOUND)
        if forked is None:
            why = self._why or "the keeper was ended"
            self.close()
            raise TargetError(f"the target could not be started: {why}")
        self._target = census.member(forked.pid)
        executed = self._answer((wire.Executed, wire.Refused), _EXEC_BOUND)
        if isinstance(executed, wire.Refused):
            self.close()
            program = launch.program or launch.argv[0]
            raise TargetError(f"{program} cannot be started: {os.strerror(executed.error)}")
        return forked.pid

    def _take(self, timeout: float) -> None:
        """Take in what has come from the keeper and by signal; wait at most so long for it."""
        if sys.platform != "linux":
            raise NotImplementedError
        poller = select.poll()
        poller.register(self._inbox.fd, select.POLLIN)
        if self._heir is None:
            poller.register(self._link, select.POLLIN)
        else:
            timeout = min(timeout, terminal.BEAT)
        ready = {fd for fd, _ in poller.poll(timeout * 1000)}
        if self._heir is None and self._link.fileno() in ready:
            self._hear()
        if self._inbox.fd in ready:
            self._take_signals()
        if self._heir is not None:
            self._heir.note(self._happened)

    def _hear(self) -> wire.Report | None:
        """Take in one report of the keeper, and return it; None if the keeper is gone."""
        report = wire.told(self._link)
        match report:
            case None:
                self._lose_keeper()
            case Received():
                self._witnessed = [*self._witnessed[-20:], report]
            case wire.Broken(why=why):
                self._why = why
            case wire.Forked() | wire.Executed() | wire.Refused() | wire.Taken() | Ended():
                pass  # the answer to what somebody waits for, or came too late for them
            case _:
                self._happened(report)
        return report

    def _happened(self, happening: Happening) -> None:
        if isinstance(happening, Exited):
            self._status = happening.status
        if isinstance(happening, Stopped) and self._heir is not None:
            self._heir.continuer.note(happening.signal)
        self._queue.append(happening)

    def _ask(self, request: wire.Request) -> bool:
        try:
            wire.ask(self._link, request)
        except OSError:  # it is gone
            return False
        return True

    def _answer(self, kind: type[T] | tuple[type[T], ...], bound: float) -> T | None:
        """Wait for a report of a kind, at most so many seconds."""
        poller = select.poll()
        poller.register(self._link, select.POLLIN)
        until = time.monotonic() + bound
        while self._heir is None and (left := until - time.monotonic()) > 0:
            if poller.poll(left * 1000):
                report = self._hear()
                if isinstance(report, kind):
                    return report
        return None

    def _take_signals(self) -> None:
        if sys.platform != "linux":
            raise NotImplementedError
        for received in self._inbox.read():
            if received.signal == signal.SIGCONT:
                self._queue.append(Resumed())
            elif received.signal not in {signal.SIGTTIN, signal.SIGTTOU}:
                self._take_signal(received)
            elif self._heir is not None:
                self._heir.continuer.note(received.signal)

    def _take_signal(self, received: Received) -> None:
        if sys.platform != "linux":
            raise NotImplementedError
        todo = handling(received)
        if todo == "forward" or (todo == "ask" and not self._was_for_the_group(received)):
            self.send(received.signal)
        if received.signal == signal.SIGINT:
            self._interrupts += 1
            how = Interrupted(by_terminal=received.by_terminal, count=self._interrupts)
            self._queue.append(how)
        else:
            self._queue.append(_signalled(received))

    def _was_for_the_group(self, received: Received) -> bool:
        """Tell whether the keeper got the same: then the sender meant the group, the target too."""
        until = time.monotonic() + _WITNESS_BOUND
        while received not in self._witnessed:
            if self._answer(Received, until - time.monotonic()) is None:
                return False
        self._witnessed.remove(received)
        return True

    def _end_by_keeper(self, bound: float) -> Ended | None:
        if self._heir is None and self._ask(wire.EndAll(bound=bound)):
            return self._answer(Ended, bound + _ANSWER_BOUND)
        return None

    def _lose_keeper(self) -> None:
        """Be the target's parent: as a sub-reaper we get what the keeper leaves."""
        if self._heir is not None:
            return
        self._reap_keeper()
        self._heir = Heir(self._target, self._others)
        why = f"it failed: {self._why}" if self._why else "it was ended by somebody else"
        gap = Gap(what="the keeper, hangbisect's process that is the target's parent", why=why)
        self._queue.append(KeeperLost(gap=gap))

    def _reap_keeper(self) -> None:
        """Wait for the keeper to go; end it if it does not. It is our child until it is reaped."""
        if sys.platform != "linux":
            raise NotImplementedError
        if not child.reap_within(self.pid, 1.0):
            os.kill(self.pid, signal.SIGKILL)
            child.reap_within(self.pid, 1.0)


def _signalled(received: Received) -> Signalled:
    return Signalled(signal=received.signal, by_terminal=received.by_terminal)
