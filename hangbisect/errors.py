"""What can be wrong with a request: one base, few children, each with advice.

Missing evidence is never an exception, it is a `Gap` (hangbisect.model).
"""


class HangbisectError(Exception):
    """Say what is wrong in one line, and what to do about it.

    `str(error)` is the line; `help` is the advice; `status` is the exit status of the command.
    """

    help = "Run `hangbisect --help` to see what can be asked."
    status = 2

    def __init__(self, message: str, help: str | None = None) -> None:  # noqa: A002
        """Keep the message and, where it is better than the class's own, the advice."""
        super().__init__(message)
        if help is not None:
            self.help = help


class UsageError(HangbisectError):
    """The request makes no sense: an option, a target or an interpreter is wrong."""


class TargetError(HangbisectError):
    """The target cannot be started or looked at."""

    help = "Check that the path or the pid is right, and that you may read it."


class SnapshotError(HangbisectError):
    """A saved file is damaged, of another program, or of a newer version."""

    help = (
        "Give a snapshot or a record folder that this version of hangbisect wrote, "
        "or update hangbisect."
    )


class OutputError(HangbisectError):
    """A report cannot be written where it was asked for."""

    help = (
        "Choose a file in a folder that exists and that you may write to; "
        "an existing file is not replaced."
    )


class WatchFailed(Exception):
    """hangbisect failed after its target had started: a bug, and said already.

    `wait_status` is how the target ended, which our fault must not hide.
    """

    def __init__(self, wait_status: int) -> None:
        """Keep the target's wait status."""
        super().__init__(f"the target ended with wait status {wait_status}")
        self.wait_status = wait_status
