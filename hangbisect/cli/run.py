"""`hangbisect run`: run a target, watch it, and say what it waits for if it is stuck."""

import os
import shutil
import sys
from pathlib import Path
from typing import Literal

import click

from hangbisect import session
from hangbisect.cli._group import TargetCommand
from hangbisect.cli._look import environment
from hangbisect.cli._options import FILE, SECONDS, notice_option, report_options
from hangbisect.cli._output import keep_apart
from hangbisect.cli._places import interpreter
from hangbisect.cli._reporter import Reporter
from hangbisect.cli._status import UNKNOWN, Meaning, OnHang, exit_status
from hangbisect.cli._stream import is_terminal
from hangbisect.cli._target import check, folder_of
from hangbisect.errors import WatchFailed


@click.command(
    "run",
    cls=TargetCommand,
    options_metavar="[OPTIONS] [--] (SCRIPT | -m MODULE | -c CODE) [ARGS]...",
)
@click.option(
    "--python",
    metavar="EXE",
    help="The target's interpreter, with its options if any: 'python3.12 -X dev'.",
)
@notice_option
@click.option(
    "--patience",
    type=SECONDS,
    default=300.0,
    show_default=True,
    metavar="S",
    help="Seconds without progress after which what is not proved is called hung.",
)
@click.option(
    "--on-hang",
    type=click.Choice(["proved", "end", "keep"]),
    default="proved",
    show_default=True,
    help="End what is proved to hang, all that is called hung, or nothing.",
)
@click.option(
    "--within", type=SECONDS, metavar="S", help="Call the start-up slow after this many seconds."
)
@click.option(
    "--statements",
    type=click.Choice(["seen", "exact"]),
    default="seen",
    show_default=True,
    help="Below Python 3.12: time the script's statements as they are seen in passing, or each.",
)
@click.option(
    "--exit-code",
    "meaning",
    type=click.Choice(["child", "verdict", "bisect"]),
    default="child",
    show_default=True,
    help="The target's own (124 if hung and ended), the verdict's, or an answer for `git bisect`.",
)
@report_options
@click.option("--log", type=FILE, metavar="FILE", help="Log each import as it happens.")
@click.option("-v", "--verbose", is_flag=True, help="Repeat the log on standard error.")
def command(
    target: tuple[str, ...],
    python: str | None,
    notice: float,
    patience: float,
    on_hang: OnHang,
    within: float | None,
    statements: Literal["seen", "exact"],
    meaning: Meaning,
    format_name: str | None,
    output: Path | None,
    log: Path | None,
    verbose: bool,
) -> int:
    """Run a Python program and watch it: a script, folder or archive, `-m MODULE` or `-c CODE`.

    What stands after the target belongs to the target. The report of a hang goes to standard error.
    """
    variables, cwd = environment(), _working_directory()
    check(target, cwd, lambda name: shutil.which(name, path=variables.get("PATH")))
    choice, executable = interpreter(python, folder_of(target, cwd), variables, cwd)
    keep_apart(log, output)
    reporter = Reporter(format_name, output, variables)
    request = session.RunRequest(
        argv=(executable, *choice.argv[1:], *target),
        cwd=cwd,
        environment=variables,
        interpreter=executable,
        interpreter_reason=choice.reason,
        notice=notice,
        patience=patience,
        on_hang=on_hang,
        within=within,
        statements=statements,
        log=log,
        verbose=verbose,
        status_line=is_terminal(sys.stderr) and not verbose,
    )
    return _run(request, reporter, meaning)


def _run(request: session.RunRequest, reporter: Reporter, meaning: Meaning) -> int:
    try:
        outcome = session.run(request, tell=lambda outcome: reporter.tell(outcome.diagnosis))
    except WatchFailed:
        if meaning == "child":
            raise
        return UNKNOWN
    reporter.close(outcome.diagnosis, outcome.folder)
    return _end(outcome, meaning)


def _end(outcome: session.Outcome, meaning: Meaning) -> int:
    verdict = outcome.diagnosis.verdict
    # We end what is called hung, or what a person gave up, also before anything could be called so.
    interrupted = verdict != "hung" or outcome.snapshot.occasion == "interrupted"
    status = exit_status(verdict, meaning, ended=outcome.ended_by_us, interrupted=interrupted)
    if status is None and outcome.wait_status is not None:
        session.exit_like(outcome.wait_status)
    return status or 0


def _working_directory() -> str:
    try:
        return os.getcwd()
    except OSError:
        return ""  # it was removed; Python itself runs there all the same
