"""A rank looks for the meeting point at an address where there is none.

## What happens

A process of torch.distributed connects to the store of rank 0, again and again, and fails: it
is refused, or nobody answers. After the time limit of the process group (30 minutes, mostly) it
fails.

## Why

MASTER_ADDR or MASTER_PORT (or `--rdzv-endpoint`, or `init_method`) names another machine or
port than that where rank 0 listens, rank 0 is not up yet, or a firewall is in between.

## How it is recognised

The innermost Python code is that of torch.distributed, and the thread's connects fail (they
were heard between its sleeps) or have no answer; or it sleeps while it still makes the store, and
is connected to none: torch pauses longer after each try, so that a try is rarely seen. If the
address is that of the variables, they are named; if somebody listens there, that process is.

## How it is proved

By a run with the address at which rank 0 really listens, which must pass. Rank 0 may still come
up there, so facts alone make this "likely".

## Fix

Give all ranks the same MASTER_ADDR and MASTER_PORT, those of rank 0, and start rank 0 first.

## References

- https://pytorch.org/docs/stable/distributed.html#environment-variable-initialization
- https://pytorch.org/docs/stable/elastic/run.html
"""

from hangbisect.causes._evidence import frame_row, thread_row
from hangbisect.causes._network import peer_of, port_of
from hangbisect.causes._ranks import caller, meeting, unreached
from hangbisect.causes._rows import from_afar, ref_of, suspects
from hangbisect.causes._rule import Rule
from hangbisect.causes.connect_no_answer import connecting_to
from hangbisect.causes.connection_refused_retry import ERRORS, refused
from hangbisect.model import Blocker, Evidence, Finding, Fix, Snapshot, Thread
from hangbisect.waits import Reading


class RendezvousAddressWrong(Rule):
    """A wait in torch.distributed for a store that is not where it is looked for."""

    code = "HB506"
    name = "rendezvous-address-wrong"
    specificity = 75

    def recognise(self, reading: Reading) -> Finding | None:
        """Look for a thread in torch.distributed whose connects fail or have no answer."""
        for thread in suspects(reading):
            if meeting(reading, thread) is None:
                continue
            address, how = _tried(reading, thread)
            if address:
                return self._found(reading, thread, address, how)
        return None

    def _found(self, reading: Reading, thread: Thread, address: str, how: str) -> Finding:
        source, listener = _source(reading.snapshot, address), peer_of(reading, thread)
        from_ = f" (from {source})" if source else ""
        there = f"; {listener} listens there instead" if listener else ""
        frame = caller(thread)
        rows = [thread_row(reading, thread)]
        rows += [frame_row(reading.snapshot, thread, frame)] if frame else []
        return self.finding(
            from_afar(reading, thread),
            f"The store of rank 0 is looked for at {address}{from_}, where {how}{there}.",
            blocker=Blocker(
                kind="host",
                id=address,
                detail={"from": source or None, "listener": listener or None},
            ),
            evidence=(*rows, Evidence(ref=f"thread:{thread.tid}", shows=f"at {address} {how}")),
            fix=Fix(
                summary="Give all ranks the address and port at which rank 0 listens.",
                steps=(
                    f"Compare {source or 'MASTER_ADDR and MASTER_PORT'} with those of rank 0.",
                    "See on rank 0's machine what listens: ss -ltnp",
                    "Start rank 0 first.",
                ),
            ),
            chain=reading.chain_of(ref_of(thread)),
        )


def _tried(reading: Reading, thread: Thread) -> tuple[str, str]:
    """Return the address that is tried, and how that fails."""
    beats = refused(reading, thread)
    if beats:
        beat = max(beats, key=lambda each: each.count)
        return beat.address or "", f"each time {ERRORS[beat.error]}"
    if address := connecting_to(reading, thread):
        return address, "nobody answers"
    return unreached(reading, thread), "no connection is made, however often it is tried"


def _source(snapshot: Snapshot, address: str) -> str:
    """Say which variables the address comes from, as far as their values are in it."""
    values = dict(snapshot.environment)
    host, _, _ = address.rpartition(":")
    named = []
    if values.get("MASTER_ADDR") in (host.strip("[]"), "localhost"):
        named.append("MASTER_ADDR")
    if values.get("MASTER_PORT") == port_of(address):
        named.append("MASTER_PORT")
    return " and ".join(named)


cause = RendezvousAddressWrong()
