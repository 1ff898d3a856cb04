"""What hangbisect asks of an operating system: one Protocol, one file a platform that keeps it."""

from collections.abc import Iterator
from typing import Protocol

from hangbisect.model import Facts, Sample, System
from hangbisect.model._struct import Data


class Question(Data, frozen=True, kw_only=True):
    """Which processes to look at, and what to leave out."""

    root: int
    """The tree: this process and all its descendants (and `extra`)."""
    extra: tuple[int, ...] = ()
    """Further processes that belong to the tree: daemons whose parent is gone."""
    leave_out: tuple[int, ...] = ()
    """Our own processes: neither in the tree nor among the holders of anything."""
    began: float = 0.0
    """CLOCK_MONOTONIC seconds of the target's start: the zero of all times in Facts."""
    inherited: tuple[tuple[int, int], ...] = ()
    """(device, inode) of what the target's descriptors 0, 1, 2 and others were at its start."""
    paths: tuple[str, ...] = ()
    """Paths to say facts about (for `paths`)."""
    lines: tuple[tuple[str, int], ...] = ()
    """(file, line) to read the text of (for `sources`)."""
    functions: tuple[tuple[str, int, str], ...] = ()
    """(file, line, function) to find the qualified name of (for `sources`)."""
    threads: tuple[tuple[int, int], ...] = ()
    """(pid, tid) to listen to (for `beats`), or to take machine states of (for `states`)."""


class Host(Protocol):
    """Facts about processes. All yield what they have at once: a later part may block for ever.

    All of it runs in a helper process with a deadline; nothing here may be called from the front.
    """

    def system(self) -> System:
        """Describe the machine."""

    def sample(self, question: Question) -> Sample:
        """Read cheap counters of the tree. Stops nothing."""

    def facts(self, question: Question) -> Iterator[Facts]:
        """Read processes, threads with their calls, descriptors, sockets and locks. Stops nothing.

        Safest first: stat and status of every process, then calls and words, then descriptors and
        their other ends in other processes, sockets, file locks, then command lines and maps.
        """

    def path_facts(self, question: Question) -> Iterator[Facts]:
        """Say what is known of paths. May block on a dead mount."""

    def builds(self, question: Question) -> Iterator[Facts]:
        """Say how far builders and compilers in the tree have come. May block on a dead mount."""

    def beats(self, question: Question) -> Iterator[Facts]:
        """Listen to the system calls of polling threads for three beats. Stops them shortly."""

    def states(self, question: Question) -> Iterator[Facts]:
        """See whether the machine states of running threads come again. Stops them shortly."""
