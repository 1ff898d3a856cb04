"""Which futex waits a Python kind may claim, and what is common to them."""

from hangbisect.model import Thread
from hangbisect.waits._calls import FUTEXES, is_call


def is_private_futex(thread: Thread) -> bool:
    """Tell whether only threads of the same process can end a thread's wait."""
    call = thread.call
    known = call is not None and call.word is not None and call.word.private
    return known and is_call(thread, FUTEXES)
