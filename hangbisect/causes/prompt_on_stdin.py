"""The program asks a question on standard input, and nobody answers.

## What happens

Python code reads from standard input (`input`, `getpass`, a prompt of a library), which is a
terminal where nobody types or a pipe on which nothing comes.

## Why

A library deep inside asks for a confirmation or a token. Under a launcher, in a notebook or in a
container the question is not seen, or there is no one to answer.

## How it is recognised

The thread is blocked reading descriptor 0 (or a terminal) below Python code, and no library's
native code stands in between: native code that reads descriptor 0 while it is loaded is a fault
of that library, not a question.

## How it is proved

By a run with standard input from /dev/null, which must fail at once (EOFError), or with the
answer fed in. A person may answer at any time, so facts alone make this "likely", and "possible"
for a plain read of a pipe, since programs read data that way by design.

## Fix

Give the answer beforehand, by the option or variable that the library has for it. Or redirect
standard input from /dev/null: the question then fails with an error instead of waiting.

## References

- https://docs.python.org/3/library/functions.html#input
"""

import re

from hangbisect.causes._evidence import call_row, frame_row, thread_row
from hangbisect.causes._rows import (
    from_afar,
    is_standard,
    own_frame,
    ref_of,
    source_of,
    standard_tail,
    suspects,
    where,
)
from hangbisect.causes._rule import Rule
from hangbisect.causes._stack import guilty, loads_library
from hangbisect.model import Blocker, Certainty, Descriptor, Evidence, Finding, Fix, Thread
from hangbisect.waits import Reading

READS = ("read", "readv")
POLLS = ("poll", "ppoll", "select", "pselect6")
EDITORS = re.compile(r"/lib(readline|edit|ncursesw?|tinfow?)\.so")
"""Libraries that edit a line for Python's input(): they read in the program's name."""
ASKS = re.compile(r"\binput\(|getpass|prompt|confirm|\.ask\(|questionary|\.readline\(")
QUESTION = re.compile(r"\b(?:input|getpass|prompt|confirm|ask)\(\s*[fFrR]?(['\"])(?P<text>.+?)\1")
ASKERS = ("/getpass.py", "/cmd.py", "/pdb.py", "/bdb.py", "/code.py")


class PromptOnStdin(Rule):
    """A read of standard input by Python code."""

    code = "HB601"
    name = "prompt-on-stdin"
    specificity = 50

    def recognise(self, reading: Reading) -> Finding | None:
        """Look for a thread that reads descriptor 0 or a terminal for Python."""
        for thread in suspects(reading):
            source = _source(reading, thread)
            if source is not None and _is_python(reading, thread):
                return self._found(reading, thread, source)
        return None

    def _found(self, reading: Reading, thread: Thread, source: Descriptor) -> Finding:
        question = _question(reading, thread)
        asks = f'asks "{question}" and waits' if question else "waits"
        name = "stdin" if source.fd == 0 else source.target
        frame = own_frame(thread)
        rows = [thread_row(reading, thread), call_row(thread)]
        rows += [frame_row(reading.snapshot, thread, frame)] if frame else []
        return self.finding(
            _certainty(reading, thread, source),
            f"{where(thread)} {asks} for an answer on {name} ({_nature(source)}), where nothing "
            "comes.",
            blocker=Blocker(
                kind="terminal",
                id=name,
                detail={"prompt": question or None, "kind": source.kind, "target": source.target},
            ),
            evidence=(
                *rows,
                Evidence(
                    ref=f"descriptor:{thread.pid}:{source.fd}",
                    shows=f"is {_nature(source)} ({source.target})",
                ),
            ),
            fix=Fix(
                summary="Answer beforehand, by the option or variable that the asking code has.",
                steps=(
                    "Look at the line that asks for the option that skips the question.",
                    "Or run with </dev/null: it then fails with EOFError instead of waiting.",
                ),
                change={"stdin": "/dev/null"},
            ),
            chain=reading.chain_of(ref_of(thread)),
        )


def _source(reading: Reading, thread: Thread) -> Descriptor | None:
    """Return the descriptor that is read: 0 whatever it is, or a terminal."""
    call = thread.call
    if call is None or call.timed or thread.state in ("T", "t"):
        return None
    if call.name not in READS + POLLS or call.writes:
        return None
    for fd in (call.descriptors or call.arguments[:1])[:2]:
        row = reading.index.descriptor(thread.pid, fd)
        if row is not None and _can_ask(row, fd):
            return row
    return None


def _can_ask(row: Descriptor, fd: int) -> bool:
    return row.kind == "terminal" or (fd == 0 and row.kind in ("pipe", "fifo", "socket", "other"))


def _is_python(reading: Reading, thread: Thread) -> bool:
    """Tell whether it is Python code that reads, not a library while it is loaded or called."""
    if not thread.frames or loads_library(thread):
        return False
    library = guilty(thread, reading.index.process(thread.pid))
    return library is None or bool(EDITORS.search(library.library))


def _question(reading: Reading, thread: Thread) -> str:
    """Return the question as it stands in the source, "" if it is not written out there."""
    for frame in reversed([f for f in thread.frames if not is_standard(f)][-3:]):
        if found := QUESTION.search(source_of(reading.snapshot, frame)):
            return found["text"].strip()
    return ""


def _certainty(reading: Reading, thread: Thread, source: Descriptor) -> Certainty:
    frame = own_frame(thread)
    text = source_of(reading.snapshot, frame) if frame else ""
    asker = any(f.file.endswith(ASKERS) for f in standard_tail(thread)[:2])
    asks = asker or source.kind == "terminal" or bool(ASKS.search(text))
    return from_afar(reading, thread) if asks else "possible"


def _nature(source: Descriptor) -> str:
    return {"terminal": "a terminal", "pipe": "a pipe", "fifo": "a named pipe"}.get(
        source.kind, f"a {source.kind}"
    )


cause = PromptOnStdin()
