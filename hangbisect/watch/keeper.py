"""The keeper: the process between us and the target. It is the target's parent and forks helpers.

It is our fork, in our process group, and does nothing itself that can block.
"""

import gc
import os
import signal
import socket
import sys
import time
import traceback

import msgspec

from hangbisect.host._protocol import Question
from hangbisect.watch import census, child, ending, helper, kernel, terminal, wire
from hangbisect.watch.census import Member
from hangbisect.watch.happenings import Continued, Exited, Stopped
from hangbisect.watch.helpers import Helpers, Threads
from hangbisect.watch.launch import Launch
from hangbisect.watch.ready import ready
from hangbisect.watch.signals import Heritage, Inbox, above_standard, hand_down

_LOST = 255 << 8
"""The status told of a target that was reaped by a look in a thread: it is not known."""


def keep(link: socket.socket, launch: Launch, heritage: Heritage, *, threads: bool) -> None:
    """Be the keeper, until the front is gone. Run it in a process that was just forked.

    Args:
        link: Our end of `wire.link()`.
        launch: The target.
        heritage: Dispositions and mask that the target gets.
        threads: Look in threads of this process instead of in helpers.
    """
    status = 70
    try:
        _Keeper(link, heritage, Threads if threads else Helpers).serve(launch)
        status = 0
    finally:
        if (error := sys.exc_info()[1]) is not None:
            why = "".join(traceback.format_exception(error))
            wire.tell(link, wire.Broken(why=why[-4000:]))
        os._exit(status)


class _Keeper:
    def __init__(
        self, link: socket.socket, heritage: Heritage, looks: type[Helpers] | type[Threads]
    ) -> None:
        self._link = link
        self._heritage = heritage
        self._front = os.getppid()
        self._looks = looks(self._front)
        self._inbox = Inbox("SIGCHLD")
        self._target = 0
        self._has_ended = False
        self._executing: int | None = None
        self._continuer = terminal.Continuer()

    def serve(self, launch: Launch) -> None:
        if sys.platform != "linux":
            raise NotImplementedError
        kernel.control(kernel.Option.SUBREAPER, 1)
        kernel.name_this("keeper")
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # ignored, children would vanish unseen
        self._start(launch)
        os.chdir("/")  # so that no file system is busy because of us
        self._let_go()
        while self._turn():
            pass
        self._looks.kill_all()
        self._looks.wait(0.2)

    def _start(self, launch: Launch) -> None:
        if sys.platform != "linux":
            raise NotImplementedError
        reading, writing = (above_standard(fd) for fd in os.pipe())
        self._target = os.fork()
        if self._target == 0:
            _become(launch, self._heritage, writing)
        os.close(writing)
        wire.tell(self._link, wire.Forked(pid=self._target))
        self._executing = reading

    def _let_go(self) -> None:
        """Close what we hold of the user's: a pipe ends when the target closes it."""
        helper.let_go_of_descriptors(*self._descriptors())

    def _descriptors(self) -> list[int]:
        ours = [self._link.fileno(), self._inbox.fd]
        return ours if self._executing is None else [*ours, self._executing]

    def _turn(self) -> bool:
        """Wait for something and do it; False when the front is gone."""
        came = ready(self._descriptors(), self._timeout())
        self._looks.kill_late()
        if self._executing in came:
            self._take_execution(self._executing)
        if self._inbox.fd in came:
            self._take_signals()
        self._continuer.mind(self._members)
        return self._link.fileno() not in came or self._serve_front()

    def _timeout(self) -> float | None:
        """Seconds until something is due by time."""
        waits = [terminal.BEAT] if self._continuer.is_on else []
        if (due := self._looks.next_due) is not None:
            waits.append(max(0.0, due - time.monotonic()))
        return min(waits, default=None)

    def _take_execution(self, fd: int) -> None:
        told = os.read(fd, 4)
        os.close(fd)
        self._executing = None
        if told:
            wire.tell(self._link, wire.Refused(error=int.from_bytes(told, "little")))
            return
        wire.tell(self._link, wire.Executed())
        helper.warm_up("sample")
        gc.freeze()  # helpers then share these pages instead of copying them

    def _take_signals(self) -> None:
        if sys.platform != "linux":
            raise NotImplementedError
        for received in self._inbox.read():
            if received.signal == signal.SIGCHLD:
                continue
            self._continuer.note(received.signal)
            if not received.by_terminal:
                wire.tell(self._link, received)
        self._note_target()
        self._looks.reap()
        self._reap_adopted()

    def _note_target(self) -> None:
        if not self._has_ended and not child.note(
            self._target, self._tell, stops=not self._looks.busy
        ):
            self._tell(Exited(pid=self._target, status=_LOST))

    def _tell(self, change: Exited | Stopped | Continued) -> None:
        self._has_ended = isinstance(change, Exited)
        if isinstance(change, Stopped):
            self._continuer.note(change.signal)
        wire.tell(self._link, change)

    def _reap_adopted(self) -> None:
        """Reap what lost its parent below the target and came to us: by pid, helpers left out."""
        if sys.platform != "linux":
            raise NotImplementedError
        if self._looks.busy:
            return  # a look may have a child of its own, whose status it waits for
        for pid in census.children(os.getpid()):
            if pid != self._target and pid not in self._looks.pids:
                child.reap(pid)

    def _serve_front(self) -> bool:
        asked = wire.asked(self._link)
        if asked is None:
            return False
        match asked:
            case wire.LookAt(name=name, question=question), int() as out:
                helper.warm_up(name)
                self._looks.begin(name, self._with_adopted(question), out)
                os.close(out)
            case wire.TakeCensus(), _:
                pids = tuple(process.pid for process in self._members())
                wire.tell(self._link, wire.Taken(pids=pids))
            case wire.TellSignals(), _:
                self._take_signals()
                wire.tell(self._link, wire.SignalsTold())
            case wire.EndAll(bound=bound), _:
                self._looks.kill_all()
                ended = ending.end(self._members, bound)
                self._note_target()
                wire.tell(self._link, ended)
        return True

    def _with_adopted(self, question: Question) -> Question:
        adopted = (pid for pid in self._roots() if pid != self._target)
        return msgspec.structs.replace(question, extra=(*question.extra, *adopted))

    def _roots(self) -> tuple[int, ...]:
        """Whose trees belong to the target: all our children but the helpers."""
        return tuple(p for p in census.children(os.getpid()) if p not in self._looks.pids)

    def _members(self) -> tuple[Member, ...]:
        return census.descendants(census.everyone(), self._roots())


def _become(launch: Launch, heritage: Heritage, failed: int) -> None:
    """Become the target: its own signals, its own descriptors, nothing of ours."""
    error = 0
    try:
        if launch.cwd:
            os.chdir(launch.cwd)
        hand_down(heritage)
        os.execvpe(launch.program or launch.argv[0], launch.argv, launch.environment)
    except OSError as refused:
        error = refused.errno or 0
    finally:
        os.write(failed, error.to_bytes(4, "little"))
        os._exit(127)
