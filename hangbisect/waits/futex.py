"""Any other wait on a word in memory: only who shares that memory can end it."""

from hangbisect.model import Thing, Thread, Word
from hangbisect.waits._calls import FUTEXES, futex_evidence, is_call
from hangbisect.waits._index import Index, ref_of
from hangbisect.waits._wait import Wait
from hangbisect.waits._words import others_words

ORDER = 200


def recognise(thread: Thread, index: Index) -> Wait | None:
    """Recognise a futex: a private one ends by a thread of the process, a shared one by anybody."""
    word = thread.call.word if thread.call else None
    if word is None or not is_call(thread, FUTEXES):
        return None
    return _private(thread, word, index) if word.private else _shared(thread, word)


def _private(thread: Thread, word: Word, index: Index) -> Wait:
    others = index.others(thread)
    place = f" of {word.path}" if word.region == "library" and word.path else ""
    return Wait(
        thread=ref_of(thread),
        kind="futex",
        on=Thing(kind="futex", id=f"{word.address:#x}"),
        says=f"waits for a lock or a signal{place}, {others_words(others, index, 'end')}",
        wakers=others,
        evidence=futex_evidence(thread),
    )


def _shared(thread: Thread, word: Word) -> Wait:
    named = word.region == "semaphore"
    what = f"the semaphore {word.path}" if named else "a lock in memory shared with other processes"
    return Wait(
        thread=ref_of(thread),
        kind="semaphore" if named else "shared-futex",
        on=Thing(kind="semaphore" if named else "futex", id=word.path or f"{word.address:#x}"),
        says=f"waits for {what}",
        roots=("outside",),
        evidence=futex_evidence(thread),
    )
