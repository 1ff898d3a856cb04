"""A native join (pthread_join): the joined thread ends it by ending."""

from hangbisect.model import Thing, Thread, ThreadRef
from hangbisect.waits._calls import futex_evidence
from hangbisect.waits._index import Index, ref_of
from hangbisect.waits._wait import Wait
from hangbisect.waits._words import thread_words

ORDER = 70


def recognise(thread: Thread, index: Index) -> Wait | None:
    """Recognise a futex word that stands for a thread's end.

    The kernel wakes the word of a thread that ends. If there is no such thread any more, the word
    is the copy that a fork made: nobody will ever wake it.
    """
    word = thread.call.word if thread.call else None
    if word is None or word.joins is None:
        return None
    joined = ThreadRef(pid=thread.pid, tid=word.joins)
    known = joined in index.live(thread.pid)
    lost = "" if known else ", which does not exist in this process"
    return Wait(
        thread=ref_of(thread),
        kind="native-join",
        on=Thing(kind="join", id=str(word.joins)),
        says=f"joins {thread_words(joined, index)}{lost}",
        holders=(joined,) if known else (),
        handler="runs",
        evidence=futex_evidence(thread),
    )
