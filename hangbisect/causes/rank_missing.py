"""Several processes are to meet, and one of them does not come.

## What happens

The program waits in `init_process_group`, a barrier or a collective of torch.distributed, until
all ranks are there. One was never started, has died, or is stuck at a step of its own.

## Why

WORLD_SIZE was left over from another run, a launcher was not used (`python run.py` in place of
`torchrun`), a rank failed while it was importing, or ranks take different ways through the
code.

## How it is recognised

The innermost Python code is that of torch.distributed, the thread waits there, and it is not
because a connection fails. Its rank and the number of ranks are read from the line that called
and from RANK and WORLD_SIZE. Where the store lives in this process, its clients are counted.

## How it is proved

By a run with all ranks, or with a world size of 1, which must pass. Late ranks look the same,
so facts alone make this "likely".

## Fix

Start all ranks, by `torchrun --nproc-per-node N`. For a single process unset WORLD_SIZE and
RANK or set WORLD_SIZE=1. If a rank is there and stands elsewhere, the cause is where that one
stands.

## References

- https://pytorch.org/docs/stable/distributed.html#torch.distributed.init_process_group
- https://pytorch.org/docs/stable/elastic/run.html
"""

from hangbisect.causes._evidence import frame_row, process_row, thread_row
from hangbisect.causes._ranks import Meeting, caller, is_meeting, meeting, unreached
from hangbisect.causes._rows import from_afar, ref_of, suspects
from hangbisect.causes._rule import Rule
from hangbisect.causes.connect_no_answer import connecting_to
from hangbisect.causes.connection_refused_retry import refused
from hangbisect.model import Blocker, Evidence, Finding, Fix, Process, Thread, ThreadRef
from hangbisect.waits import Reading


class RankMissing(Rule):
    """A wait in torch.distributed for processes that have not come."""

    code = "HB505"
    name = "rank-missing"
    specificity = 75

    def recognise(self, reading: Reading) -> Finding | None:
        """Look for a thread that waits in torch.distributed though its connections are made."""
        for thread in suspects(reading):
            found = meeting(reading, thread)
            if found is not None and found.world != 1 and not _fails(reading, thread):
                return self._found(reading, thread, found)
        return None

    def _found(self, reading: Reading, thread: Thread, found: Meeting) -> Finding:
        missing, stray = missing_ranks(found), _stray(reading, thread)
        frame = caller(thread)
        at = f", whose store is at {found.store}," if found.store else ""
        rows = [thread_row(reading, thread)]
        rows += [frame_row(reading.snapshot, thread, frame)] if frame else []
        return self.finding(
            from_afar(reading, thread),
            f"{_me(found)} waits in {found.function}{at} for {_who(found, missing, stray)}.",
            blocker=Blocker(
                kind="rank",
                id=missing or (f"process {stray.pid}" if stray else "unknown"),
                detail={
                    "rank": found.rank,
                    "world_size": found.world,
                    "others_connected": found.present,
                    "store": found.store or None,
                },
            ),
            evidence=(*rows, _count_row(thread, found), *([process_row(stray)] if stray else [])),
            fix=Fix(
                summary="Start all ranks, or tell this process that it is alone (WORLD_SIZE=1).",
                steps=(
                    "On one machine: torchrun --nproc-per-node N run.py",
                    "For a single process: unset RANK and WORLD_SIZE, or set WORLD_SIZE=1.",
                    "Look at the output of the missing rank: it may have failed before.",
                ),
            ),
            chain=reading.chain_of(ref_of(thread)),
        )


def _fails(reading: Reading, thread: Thread) -> bool:
    """Tell whether it is not even connected: then the address is to blame, not a rank."""
    tried = connecting_to(reading, thread) or unreached(reading, thread)
    return bool(tried or refused(reading, thread))


def missing_ranks(found: Meeting) -> str:
    """Name the ranks that are not there, "" if the facts do not say which."""
    if found.rank is None or found.world is None:
        return ""
    others = [rank for rank in range(found.world) if rank != found.rank]
    if len(others) == 1 and found.present in (None, 0):
        return str(others[0])
    if found.present != 0 or not others:
        return ""
    at_end = found.rank in (0, found.world - 1)
    return f"{others[0]}-{others[-1]}" if at_end else "other than its own"


def _me(found: Meeting) -> str:
    of = f" of {found.world}" if found.world else ""
    return f"Rank {found.rank}{of}" if found.rank is not None else "This process"


def _who(found: Meeting, missing: str, stray: Process | None) -> str:
    if stray is not None:
        step = stray.step
        at = f", which is at {step.name} ({step.file}:{step.line})" if step else ""
        return f"the other ranks: process {stray.pid} has not come{at}"
    if missing:
        several = not missing.isdigit()
        return f"{'ranks' if several else 'rank'} {missing}, which {_never(found, several)}"
    if found.present is not None and found.world is not None:
        return f"the other ranks: {found.present} of {found.world - 1} are connected"
    return "other ranks, which have not come"


def _never(found: Meeting, several: bool) -> str:
    if found.present == 0:
        return "never connected"
    return "have not come" if several else "has not come"


def _stray(reading: Reading, thread: Thread) -> Process | None:
    """Return a Python process of the tree, beside this one, that is not at any meeting."""
    parent = reading.index.process(thread.pid)
    for row in reading.snapshot.processes:
        alike = parent is not None and row.parent == parent.parent and row.pid != thread.pid
        main = reading.index.thread(ThreadRef(pid=row.pid, tid=0))
        if alike and row.inside and row.python and main and main.frames and not is_meeting(main):
            return row
    return None


def _count_row(thread: Thread, found: Meeting) -> Evidence:
    known = [f"rank {found.rank}", f"world size {found.world}"]
    known += [f"{found.present} other clients of its store"] if found.present is not None else []
    shows = ", ".join(text for text in known if "None" not in text) or "its rank is not known"
    return Evidence(ref=f"process:{thread.pid}", shows=shows)


cause = RankMissing()
