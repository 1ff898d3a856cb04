"""Exit statuses of `hangbisect run`, and whether there is anything to say: pure decisions."""

from typing import Literal

from hangbisect.model import Diagnosis, Verdict

Meaning = Literal["child", "verdict", "bisect"]
OnHang = Literal["proved", "end", "keep"]

HUNG_AND_ENDED = 124
"""As `timeout` has it."""
INTERRUPTED = 130
UNKNOWN = 125
_VERDICTS: dict[Verdict, int] = {
    "finished": 0,
    "hung": 1,
    "slow": 3,
    "failed": 4,
    "crashed": 5,
    "never-started": 6,
    "unknown": UNKNOWN,
}
_BISECT: dict[Verdict, int] = {"finished": 0, "hung": 1}
_ASKED_TO_END = ("SIGINT", "SIGTERM", "SIGHUP", "SIGPIPE", "SIGQUIT")


def exit_status(
    verdict: Verdict, meaning: Meaning, *, ended: bool, interrupted: bool
) -> int | None:
    """Return the exit status; None is the target's own, to be ended in the same way.

    Args:
        verdict: What the report says.
        meaning: What `--exit-code` asks for.
        ended: hangbisect ended the target.
        interrupted: It did so because a person asked for it (Ctrl-C).
    """
    match meaning:
        case "verdict":
            return _VERDICTS[verdict]
        case "bisect":
            return _BISECT.get(verdict, UNKNOWN)
        case "child":
            if not ended:
                return None
            return INTERRUPTED if interrupted else HUNG_AND_ENDED


def is_worth_saying(diagnosis: Diagnosis) -> bool:
    """Say whether a person wants the report unasked: not of a run that ended in an ordinary way."""
    if any(finding.certainty != "possible" for finding in diagnosis.findings):
        return True
    match diagnosis.verdict:
        case "finished" | "failed":
            return False
        case "crashed":
            ending = diagnosis.target.exit
            return ending is None or ending.signal not in _ASKED_TO_END
        case _:
            return True
