"""Climb the ladder of looks.

Passive looks come first; whether a thread was still is judged by two samples around them, and only
then comes what stops the target, if it was allowed at all.
"""

from collections.abc import Callable, Sequence

import msgspec

from hangbisect.host import Question
from hangbisect.host.builds import builds_something
from hangbisect.model import Facts, Sample, Thread
from hangbisect.model._struct import Data
from hangbisect.watch.ladder import Name
from hangbisect.watch.looker import Looked
from hangbisect.watch.merge import merge
from hangbisect.watch.milestones import functions_of
from hangbisect.watch.polled import polled_paths, polling_threads, running_threads, wants_native
from hangbisect.watch.progress import moved, still_threads
from hangbisect.watch.steps import lines_of

Looks = Callable[[Name, Question], Looked]
AGAIN = 3
"""How often facts are asked for again when a sleeper was met awake."""


class Passive(Data, frozen=True, kw_only=True):
    """What was seen without stopping anything, between two samples."""

    parts: tuple[Facts, ...]
    before: Sample | None
    after: Sample | None

    @property
    def still(self) -> frozenset[tuple[int, int]]:
        """Threads that did not move between the two samples."""
        if self.before is None or self.after is None:
            return frozenset()
        return still_threads(self.before, self.after)

    @property
    def moving(self) -> tuple[str, ...]:
        """What moved between the two samples."""
        if self.before is None or self.after is None:
            return ()
        return moved(self.before, self.after)

    def since(self, calm: Sample | None, zero: float) -> dict[tuple[int, int], float]:
        """Say of each thread that is in the call in which `calm` found it, when that was."""
        if calm is None or self.before is None:
            return {}
        return dict.fromkeys(still_threads(calm, self.before), calm.time - zero)


def passive(look: Looks, question: Question) -> Passive:
    """Look without stopping anything."""
    before, gaps_before = _sample(look, question)
    parts = _parts(look("facts", question))
    for _ in range(AGAIN):
        if not caught_awake(parts, before):
            break
        parts = _parts(look("facts", question))
    parts += _parts(look("stacks", question))
    after, gaps_after = _sample(look, question)
    return Passive(parts=(*gaps_before, *parts, *gaps_after), before=before, after=after)


def caught_awake(parts: Sequence[Facts], before: Sample | None) -> bool:
    """Tell whether a main thread that slept a moment ago was met while it ran.

    A loop that polls many times a second is met so now and then, and its wait is not seen.
    """
    pulses = before.threads if before else ()
    asleep = {(t.pid, t.tid) for t in pulses if t.pid == t.tid and t.state == "S"}
    threads = [thread for part in parts for thread in part.threads]
    return any(t.state == "R" or _runs(t) for t in threads if (t.pid, t.tid) in asleep)


def _runs(thread: Thread) -> bool:
    return thread.call is not None and thread.call.name == "running"


def _sample(look: Looks, question: Question) -> tuple[Sample | None, list[Facts]]:
    looked = look("sample", question)
    samples = [part for part in looked.parts if isinstance(part, Sample)]
    return (samples[-1] if samples else None), ([Facts(gaps=(looked.gap,))] if looked.gap else [])


def _parts(looked: Looked) -> list[Facts]:
    parts = [part for part in looked.parts if isinstance(part, Facts)]
    return [*parts, Facts(gaps=(looked.gap,))] if looked.gap else parts


def texts(look: Looks, question: Question, threads: Sequence[Thread]) -> list[Facts]:
    """Read the source lines that these stacks speak of, and the names that may tell a phase."""
    lines = tuple(dict.fromkeys(line for thread in threads for line in lines_of(thread.frames)))
    functions = functions_of(threads)
    if not lines and not functions:
        return []
    return _parts(
        look("sources", msgspec.structs.replace(question, lines=lines, functions=functions))
    )


def paths(look: Looks, question: Question, facts: Facts) -> list[Facts]:
    """Ask about the paths that calls, beats and frames speak of."""
    named = polled_paths(facts)
    return _parts(look("paths", msgspec.structs.replace(question, paths=named))) if named else []


def builds(look: Looks, question: Question, facts: Facts) -> list[Facts]:
    """Ask how far what is built has come, where something is."""
    if not any(row.inside and builds_something(row.argv) for row in facts.processes):
        return []
    return _parts(look("builds", question))


def thorough(look: Looks, question: Question, facts: Facts, *, spin: bool) -> list[Facts]:
    """Stop what may be stopped: listen to those that poll or run, then read native stacks."""
    found: list[Facts] = []
    if threads := polling_threads(facts):
        found += _parts(look("beats", msgspec.structs.replace(question, threads=threads)))
        found += paths(look, question, merge([facts, *found]))
    if spin and (threads := running_threads(facts)):
        found += _parts(look("states", msgspec.structs.replace(question, threads=threads)))
    if spin or wants_native(facts):
        found += _parts(look("native", question))
    return found
