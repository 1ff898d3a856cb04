"""A static variable within a function in C++: whoever initialises it first ends the others' wait.

The compiler guards it with a word beside it. Its first byte is the C++ ABI's ("initialised"), the
next two are the GNU runtime's: somebody initialises it, and somebody waits for that. The word does
not say who; whose stack goes through the library is pointed at.
"""

from hangbisect.model import Thing, Thread, ThreadRef, Word
from hangbisect.waits._calls import FUTEXES, futex_evidence, is_call
from hangbisect.waits._index import Index, ref_of
from hangbisect.waits._wait import Wait
from hangbisect.waits._words import others_words, thread_words

ORDER = 75
PENDING, WAITED = 0x100, 0x10000
"""Bits of the guard word, little endian: libstdc++, GNU C++ runtime (guard.cc)."""


def recognise(thread: Thread, index: Index) -> Wait | None:
    """Recognise a wait on a library's own variable that reads as a guard which is waited for."""
    word = thread.call.word if thread.call else None
    if word is None or not is_call(thread, FUTEXES) or not _is_guard(word):
        return None
    others = index.others(thread)
    inside = tuple(ref for ref in others if _is_in(word, ref, index))
    holders = inside if len(inside) == 1 else ()
    doing = f"that {thread_words(inside[0], index)} is initialising" if holders else ""
    return Wait(
        thread=ref_of(thread),
        kind="static-guard",
        on=Thing(kind="static-guard", id=word.path),
        says=f"waits for a static variable of {word.path}, "
        + (doing or others_words(others, index, "initialise")),
        holders=holders,
        wakers=others,
        handler="runs",
        evidence=futex_evidence(thread),
    )


def _is_guard(word: Word) -> bool:
    waited = word.expected == PENDING | WAITED and word.values[:1] == (word.expected,)
    return waited and word.private and word.region == "library" and bool(word.path)


def _is_in(word: Word, ref: ThreadRef, index: Index) -> bool:
    """Tell whether a thread's stack goes through the library, and it does not wait there too."""
    row = index.thread(ref)
    if row is None or (row.call and row.call.word and row.call.word.address == word.address):
        return False
    return word.path in row.libraries or any(frame.library == word.path for frame in row.native)
