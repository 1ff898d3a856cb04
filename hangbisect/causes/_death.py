"""How a program died, in words: what the facts of an end say, and what to blame. Pure."""

from hangbisect.model import (
    Aftermath,
    BlockerKind,
    Certainty,
    Ending,
    Evidence,
    KernelWord,
    Stream,
)
from hangbisect.model._struct import Data

MIB = 1 << 20
LEADS = {
    "null": "/dev/null",
    "closed": "nowhere: it is closed",
    "deleted": "a file that was deleted",
    "no-reader": "a pipe that nobody reads any more",
}
"""Where a stream leads that nobody reads, in words."""
_NAMES = {1: "stdout", 2: "stderr"}


class Death(Data, frozen=True, kw_only=True):
    """How it ended, in words, and what to blame."""

    certainty: Certainty
    says: str
    """What the program did: it goes on "The program ..."."""
    at: str = ""
    """Where, in words, if not in its step."""
    then: str = ""
    """What follows the place."""
    unknown: str = ""
    """What cannot be known of it, a whole sentence."""
    kind: BlockerKind
    id: str
    cure: str
    evidence: tuple[Evidence, ...] = ()


def aftermath(ending: Ending) -> Aftermath:
    """Return what was found about an end; nothing, where it was not looked for."""
    return ending.aftermath or Aftermath()


def about_memory(words: tuple[KernelWord, ...]) -> KernelWord | None:
    """Return the kernel's line that says it killed for want of memory."""
    return next((word for word in words if word.about == "memory"), None)


def word_row(word: KernelWord) -> Evidence:
    """Quote the kernel."""
    return Evidence(ref="kernel log", shows=word.text)


def memory_rows(ending: Ending) -> tuple[Evidence, ...]:
    """Say what the kernel counted, and which limits there were."""
    memory = aftermath(ending).memory
    if memory is None:
        return ()
    rows = []
    if memory.kills:
        shows = f"processes killed for want of memory in this run: {memory.kills}"
        rows.append(Evidence(ref=memory.group, shows=shows))
    if memory.limit is not None:
        shows = f"memory is limited to {memory.limit // MIB} MiB"
        rows.append(Evidence(ref=memory.group, shows=shows))
    if memory.address_space is not None:
        shows = f"the address space is limited to {memory.address_space // MIB} MiB (ulimit -v)"
        rows.append(Evidence(ref="limit", shows=shows))
    return tuple(rows)


def stream_rows(ending: Ending) -> tuple[Evidence, ...]:
    """Say which of stdout and stderr led nowhere."""
    rows = aftermath(ending).streams
    if not rows and ending.silent:
        return (Evidence(ref="descriptor:1,2", shows="stdout and stderr lead nowhere"),)
    return tuple(
        Evidence(ref=f"descriptor:{row.fd}", shows=f"{_NAMES[row.fd]} led to {LEADS[row.leads]}")
        for row in rows
        if row.leads in LEADS and row.fd in _NAMES
    )


def leads(ending: Ending, fd: int) -> str:
    """Return where a standard stream led; "" if that is not known."""
    rows: tuple[Stream, ...] = aftermath(ending).streams
    return next((row.leads for row in rows if row.fd == fd), "")
