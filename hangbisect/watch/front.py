"""The front's side of the keeper: start the target, ask for looks, hear what happens, end it."""

import os
import signal
import sys
import time
from collections import deque
from types import TracebackType

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
from hangbisect.watch.line import Line
from hangbisect.watch.looker import Looked, Pending
from hangbisect.watch.ready import ready
from hangbisect.watch.signals import Inbox, Received, handling, heritage

_FORK_BOUND = 10.0
"""Seconds for the keeper to fork the target, before that is called a failure."""
_EXEC_BOUND = 5.0
"""Seconds to wait for the target's program to be executed. Then we watch: its disk may hang."""
_ANSWER_BOUND = 2.0
"""Seconds for an answer of the keeper, beyond the time that what was asked for may take."""


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
        self._interrupts = 0
        self._status: int | None = None
        self._target: Member | None = None
        self._inbox: Inbox
        self._line: Line
        self._heir: Heir | None = None
        self._is_open = False
        self._others: frozenset[int] = frozenset()
        self._was_subreaper = False
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
        try:
            self._inbox = Inbox("SIGCONT")
            ours, theirs = wire.link()
            self._line, self._is_open = Line(ours), True
            self.began = time.monotonic()
            self.pid = os.fork()
        except OSError as error:
            raise _not_started(str(error.strerror)) from error
        if self.pid == 0:
            ours.close()
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
        return looker.begin(name, lambda out: self._line.ask(request, out))

    @property
    def wait_status(self) -> int | None:
        """The target's wait status, None while it runs."""
        return self._status

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
        taken = self._line.answer_to(wire.TakeCensus(), wire.Taken, _ANSWER_BOUND)
        if taken is not None:
            return taken.pids
        self._mind_the_line()
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
        request = wire.EndAll(bound=bound)
        ended = self._line.answer_to(request, Ended, bound + _ANSWER_BOUND)
        if ended is None:
            ended = self._be_parent().end(bound, self._happened)
        self._mind_the_line()
        self._settings.put_back()
        return msgspec.structs.replace(ended, status=self._status)

    def close(self) -> None:
        """Let the keeper go, and be as we were before. A target that runs goes on."""
        if not self._is_open:
            return
        self._is_open = False
        kernel.control(kernel.Option.SUBREAPER, int(self._was_subreaper))
        self._line.close()
        if self._heir is not None:
            self._heir.looker.close()
        else:
            self._reap_keeper()
        self._inbox.close()

    def _hear_of_start(self, launch: Launch) -> int:
        forked = self._line.answer(wire.Forked, _FORK_BOUND)
        if forked is None:
            self.close()
            raise _not_started(self._line.why or "the keeper was ended")
        self._target = census.member(forked.pid)
        executed = self._line.answer((wire.Executed, wire.Refused), _EXEC_BOUND)
        if isinstance(executed, wire.Refused):
            self.close()
            program = launch.program or launch.argv[0]
            raise TargetError(f"{program} cannot be started: {os.strerror(executed.error)}")
        return forked.pid

    def _take(self, timeout: float) -> None:
        """Take in what has come from the keeper and by signal; wait at most so long for it."""
        fds = [self._inbox.fd]
        if self._heir is None:
            fds.append(self._line.fd)
        else:
            timeout = min(timeout, terminal.BEAT)
        came = ready(fds, timeout)
        if self._heir is None and self._line.fd in came:
            self._line.hear()
        if self._inbox.fd in came:
            self._take_signals()
        self._mind_the_line()
        if self._heir is not None:
            self._heir.note(self._happened)

    def _mind_the_line(self) -> None:
        """Take over what the keeper told, and its place if it is gone."""
        while self._line.told:
            self._happened(self._line.told.popleft())
        if self._line.is_dead and self._is_open:
            self._be_parent()

    def _happened(self, happening: Happening) -> None:
        if isinstance(happening, Exited):
            self._status = happening.status
        if isinstance(happening, Stopped) and self._heir is not None:
            self._heir.continuer.note(happening.signal)
        self._queue.append(happening)

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
        todo = handling(received)
        if todo == "forward" or (todo == "ask" and not self._line.was_for_the_group(received)):
            self.send(received.signal)
        if received.signal == signal.SIGINT:
            self._interrupts += 1
            how = Interrupted(by_terminal=received.by_terminal, count=self._interrupts)
            self._queue.append(how)
        else:
            self._queue.append(_signalled(received))

    def _be_parent(self) -> Heir:
        """Be the target's parent: as a sub-reaper we get what the keeper leaves."""
        if self._heir is None:
            self._line.is_dead = True
            self._reap_keeper()
            self._heir = Heir(self._target, self._others)
            why = f"it failed: {self._line.why}" if self._line.why else "somebody else ended it"
            gap = Gap(what="the keeper, hangbisect's process that is the target's parent", why=why)
            self._queue.append(KeeperLost(gap=gap))
        return self._heir

    def _reap_keeper(self) -> None:
        """Wait for the keeper to go; end it if it does not. It is our child until it is reaped."""
        if sys.platform == "win32":
            raise NotImplementedError
        if not child.reap_within(self.pid, 1.0):
            os.kill(self.pid, signal.SIGKILL)
            child.reap_within(self.pid, 1.0)


def _not_started(why: str) -> TargetError:
    """Say in a line that the system refused; a traceback that names no such reason is shown."""
    *_, last = why.strip().splitlines()
    _, refused, reason = last.partition("Error: [Errno ")
    return TargetError(
        f"the target could not be started: {reason.partition('] ')[2] if refused else why}",
        "Look at the limits of files and processes (`ulimit -n`, `ulimit -u`), and raise them.",
    )


def _signalled(received: Received) -> Signalled:
    return Signalled(signal=received.signal, by_terminal=received.by_terminal)
