"""Linux: the host that reads /proc."""

import platform
import sys
from collections.abc import Iterator

from hangbisect.host._protocol import Question
from hangbisect.host.path_facts import path_facts
from hangbisect.host.proc import Proc
from hangbisect.host.sampling import sample
from hangbisect.host.survey import survey
from hangbisect.model import Facts, Sample, System


class Linux:
    """Keeps the `Host` protocol on Linux."""

    def __init__(self, proc: Proc | None = None, machine: str = "") -> None:
        """Look through a /proc file system, on the kind of processor that uname names."""
        self._proc = proc or Proc()
        self._machine = machine or platform.machine()

    def system(self) -> System:
        """Describe the machine."""
        return System(
            platform=sys.platform,
            machine=self._machine,
            kernel=platform.release(),
            libc=" ".join(platform.libc_ver()).strip(),
        )

    def sample(self, question: Question) -> Sample:
        """Read cheap counters of the tree. Stops nothing."""
        return sample(self._proc, question)

    def facts(self, question: Question) -> Iterator[Facts]:
        """Read processes, threads, descriptors, sockets and locks. Stops nothing."""
        return survey(self._proc, self._machine, question)

    def path_facts(self, question: Question) -> Iterator[Facts]:
        """Say what is known of paths. May block on a dead mount."""
        return path_facts(self._proc, question)

    def builds(self, question: Question) -> Iterator[Facts]:
        """Say how far builders and compilers in the tree have come. May block on a dead mount."""
        from hangbisect.host import builds

        return builds.builds(self._proc, question)

    def beats(self, question: Question) -> Iterator[Facts]:
        """Listen to the system calls of polling threads for three beats. Stops them shortly."""
        from hangbisect.host import beats

        return beats.beats(question)

    def states(self, question: Question) -> Iterator[Facts]:
        """See whether the machine states of running threads come again. Stops them shortly."""
        from hangbisect.host import states

        return states.states(question)


host = Linux()
