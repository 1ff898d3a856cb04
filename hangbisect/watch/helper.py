"""What a helper does: perform one look, and send each part home as soon as it is there."""

import contextlib
import gc
import importlib
import os
import signal
import sys
from collections.abc import Callable, Iterator

from hangbisect.host._protocol import Question
from hangbisect.model import Facts, Gap, Sample
from hangbisect.watch import kernel
from hangbisect.watch.ladder import Name
from hangbisect.watch.wire import COMPLETE, Part, write_part

Piece = Facts | Sample


def perform(name: Name, question: Question, out: int) -> None:
    """Perform a look and write its parts to `out`, which is closed at the end.

    A bug in a look costs its answer, not the run: the gap names the error.
    """
    try:
        for piece in _LOOKS[name](question):
            write_part(out, _as_part(piece))
        write_part(out, COMPLETE)
    except BrokenPipeError:
        return  # nobody waits for the answer any more
    except Exception as error:  # noqa: BLE001  # the one broad catch of a look, and it is reported
        _report(out, Gap(what=f"the look {name!r}", why=f"it failed: {_describe(error)}"))
    finally:
        os.close(out)


def become_helper(parent: int, keep: int) -> None:
    """Make a process that was just forked a helper: it dies with its parent and holds nothing.

    An abandoned helper must not keep the user's pipes open, nor the front's link to the keeper; and
    what a library prints is not for the user. So all descriptors but `keep` go.
    """
    if sys.platform != "linux":
        raise NotImplementedError
    kernel.control(kernel.Option.PARENT_DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != parent:  # it died before we asked
        os._exit(0)
    gc.disable()
    let_go_of_descriptors(keep)


def let_go_of_descriptors(*keep: int) -> None:
    """Put /dev/null in the place of descriptors 0, 1 and 2, and close all others but `keep`."""
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(null, fd)
    for fd in [int(name) for name in os.listdir("/proc/self/fd")]:
        if fd > 2 and fd not in keep:
            with contextlib.suppress(OSError):  # the one that listed the folder is closed already
                os.close(fd)


def warm_up(name: Name) -> None:
    """Import what a look needs, once in the process that forks helpers, not in each of them."""
    with contextlib.suppress(ImportError):  # the look itself will say so
        if name in {"glimpse", "stacks", "native", "core"}:
            importlib.import_module("hangbisect.watch.stacks_pystack")
        else:
            from hangbisect.host import this_host

            this_host()


def _sample(question: Question) -> Iterator[Piece]:
    from hangbisect.host import this_host

    yield this_host().sample(question)


def _facts(question: Question) -> Iterator[Piece]:
    from hangbisect.host import this_host

    yield from this_host().facts(question)


def _paths(question: Question) -> Iterator[Piece]:
    from hangbisect.host import this_host

    yield from this_host().path_facts(question)


def _sources(question: Question) -> Iterator[Piece]:
    from hangbisect.watch.sources import sources

    yield from sources(question)


def _builds(question: Question) -> Iterator[Piece]:
    from hangbisect.host import this_host

    yield from this_host().builds(question)


def _beats(question: Question) -> Iterator[Piece]:
    from hangbisect.host import this_host

    yield from this_host().beats(question)


def _states(question: Question) -> Iterator[Piece]:
    from hangbisect.host import this_host

    yield from this_host().states(question)


def _stacks(question: Question) -> Iterator[Piece]:
    from hangbisect.watch.stacks import stacks

    yield from stacks(question, native=False)


def _glimpse(question: Question) -> Iterator[Piece]:
    from hangbisect.watch.glimpse import glimpse

    yield from glimpse(question)


def _native(question: Question) -> Iterator[Piece]:
    from hangbisect.watch.stacks import stacks

    yield from stacks(question, native=True)


def _script(question: Question) -> Iterator[Piece]:
    from hangbisect.watch.script import script

    yield from script(question)


def _core(question: Question) -> Iterator[Piece]:
    from hangbisect.watch.core import core

    yield from core(question)


_LOOKS: dict[Name, Callable[[Question], Iterator[Piece]]] = {
    "sample": _sample,
    "facts": _facts,
    "paths": _paths,
    "sources": _sources,
    "beats": _beats,
    "states": _states,
    "glimpse": _glimpse,
    "stacks": _stacks,
    "native": _native,
    "script": _script,
    "core": _core,
    "builds": _builds,
}


def _as_part(piece: Piece) -> Part:
    return Part(sample=piece) if isinstance(piece, Sample) else Part(facts=piece)


def _report(out: int, gap: Gap) -> None:
    try:
        write_part(out, Part(gap=gap))
        write_part(out, COMPLETE)
    except BrokenPipeError:
        return  # nobody waits for the answer any more


def _describe(error: Exception) -> str:
    """Name the error and where it was raised, as "KeyError: 'x' (linux.py:30)"."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = "" if trace is None else f"{os.path.basename(trace.tb_frame.f_code.co_filename)}"
    line = 0 if trace is None else trace.tb_lineno
    return f"{type(error).__name__}: {error} ({where}:{line})"
