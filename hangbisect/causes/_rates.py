"""Say how fast what is slow goes on, since when, and how long it may take: in words.

An estimate is made only where the whole is known; else it is said that it is not.
"""

from collections.abc import Callable

from rich.filesize import decimal

from hangbisect.model import Descriptor, Pace
from hangbisect.waits import Reading

LARGE = 1 << 20
"""Bytes from which on a file is worth an estimate."""
UNKNOWN = "how much is left is not known"


def going_on(reading: Reading) -> str:
    """Say what moves, how fast where that was measured, and since when where that was seen."""
    snapshot = reading.snapshot
    rates = _rates(reading)
    what = ", ".join(rates) if rates else ", ".join(snapshot.moving)
    since = moving_since(reading)
    ago = "" if since is None else seconds(max(snapshot.taken - since, 0.0))
    return f"{what} (moving for {ago})" if ago else what


def moving_since(reading: Reading) -> float | None:
    """Return since when something was seen moving at each look, in seconds from the start."""
    return min((motion.since for motion in reading.snapshot.motions), default=None)


def pace_of(reading: Reading, pid: int) -> Pace:
    """Return how fast a process goes on; all zero where that was not measured."""
    found = (pace for pace in reading.snapshot.paces if pace.pid == pid)
    return next(found, Pace(pid=pid, seconds=0.0))


def total(reading: Reading, count: Callable[[Pace], float]) -> float:
    """Add up a rate of all processes of the tree."""
    return sum(count(pace) for pace in reading.snapshot.paces)


def size(count: float) -> str:
    """Say a number of bytes."""
    return str(decimal(int(count)))


def time_left(amount: float, rate: float) -> str:
    """Estimate how long the rest takes, in words that say how that is known."""
    if rate <= 0:
        return "how long it takes cannot be said yet"
    return f"about {seconds(amount / rate)} more at this rate"


def seconds(length: float) -> str:
    """Say a length of time, rounded as an estimate is."""
    return f"{length:.0f} s" if length < 100 else f"{length / 60:.0f} min"


def file_read(reading: Reading, pid: int) -> Descriptor | None:
    """Return the large file that a process is in the midst of reading, if there is only one."""
    return _only(reading, pid, "r")


def file_written(reading: Reading, pid: int) -> Descriptor | None:
    """Return the file that a process has open for writing, if there is only one but logs."""
    rows = reading.index.descriptors_of(pid)
    files = [row for row in rows if row.kind == "file" and "w" in row.mode and not row.inherited]
    own = [row for row in files if not row.target.endswith((".log", ".dump"))]
    return own[0] if len(own) == 1 else None


def read_words(reading: Reading, row: Descriptor) -> str:
    """Say how far a file has been read, and how long the rest of it takes."""
    position, whole = row.position or 0, row.size or 0
    left = time_left(whole - position, pace_of(reading, row.pid).read)
    return f"{size(position)} of {size(whole)} of {row.target} are read, {left}"


def _only(reading: Reading, pid: int, mode: str) -> Descriptor | None:
    rows = [
        row
        for row in reading.index.descriptors_of(pid)
        if row.kind == "file" and row.mode == mode and not row.inherited and _is_midway(row)
    ]
    return rows[0] if len(rows) == 1 else None


def _is_midway(row: Descriptor) -> bool:
    return row.size is not None and row.size >= LARGE and 0 < (row.position or 0) < row.size


def _rates(reading: Reading) -> tuple[str, ...]:
    cpu, read = total(reading, lambda p: p.cpu), total(reading, lambda p: p.read)
    stored, written = total(reading, lambda p: p.stored), total(reading, lambda p: p.written)
    received, faults = total(reading, lambda p: p.received), total(reading, lambda p: p.faults)
    major = total(reading, lambda p: p.major_faults)
    words = (
        (cpu >= 0.005, f"{cpu * 100:.0f} % of a CPU"),
        (read >= 1, f"{size(read)}/s read"),
        (stored >= 1, f"{size(stored)}/s from storage"),
        (written >= 1, f"{size(written)}/s written"),
        (received >= 1, f"{size(received)}/s received"),
        (faults >= 1, f"{faults:.0f} pages/s made or brought in"),
        (major >= 1, f"{major:.0f} pages/s from storage"),
    )
    return tuple(text for is_worth_it, text in words if is_worth_it)
