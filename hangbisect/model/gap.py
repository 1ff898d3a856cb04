"""What could not be seen, and how a thread is named."""

from hangbisect.model._struct import Data


class Gap(Data, frozen=True, kw_only=True):
    """Evidence that could not be had: what, why, and what would make it possible."""

    what: str
    why: str
    remedy: str = ""


class ThreadRef(Data, frozen=True, order=True, kw_only=True):
    """Names a thread. `tid` 0 means the process as a whole."""

    pid: int
    tid: int
