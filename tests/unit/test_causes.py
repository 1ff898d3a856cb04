"""Every cause on its saved snapshots: those that are it, and those that are almost it."""

from pathlib import Path

import pytest

from hangbisect.causes import all_rules, recognise_all
from hangbisect.model import Finding, Snapshot
from hangbisect.model.codec import load
from hangbisect.waits import read

FOLDER = Path(__file__).parents[1] / "causes"
FILES = sorted(FOLDER.glob("*/*.json"))
RULES = {rule.name.replace("-", "_"): rule for rule in all_rules()}

EXPECTED = {
    "import_lock_deadlock/found-join": ("proved", "module", "plugin"),
    "never_signalled/found-queue": ("proved", "lock", "queue.Queue"),
    "never_signalled/found-event-beside-idle-pool": ("proved", "lock", "threading.Event"),
    "never_signalled/found-in-a-command": ("proved", "lock", "threading.Event"),
    "never_signalled/found-barrier-too-few": ("proved", "lock", "threading.Barrier"),
    "never_signalled/found-queue-with-stuck-producer": ("likely", "lock", "queue.Queue"),
    "gil_held_by_native_call/found-init-joins": ("proved", "library", "fastops"),
    "gil_held_by_native_call/found-takes-a-mutex-twice": ("proved", "library", "fastops"),
    "gil_held_by_native_call/found-unnamed-wait": ("likely", "library", "fastops"),
    "loader_lock_deadlock/found-join": ("proved", "library", "fastops"),
    "loader_lock_deadlock/found-without-unwinding": ("likely", "library", "fastops"),
    "loader_lock_deadlock/found-gil-in-opposite-order": ("proved", "library", "fastops"),
    "constructor_blocks/found-condition": ("proved", "library", "fastops"),
    "constructor_blocks/found-transitive-pipe": ("proved", "library", "libtelemetry.so"),
    "constructor_blocks/found-words-on-the-stack": ("likely", "library", "libtelemetry.so"),
    "child_never_exits/found-replaced-by-exec": ("likely", "process", "nvidia-smi"),
    "child_never_exits/found-below-a-shell": ("likely", "process", "nvidia-smi"),
    "child_never_exits/found-reads-its-pipe": ("likely", "process", "git"),
    "child_never_exits/found-copy-by-fork": ("possible", "process", "process 200"),
    "child_never_exits/found-idle-while-something-moves": ("likely", "process", "sleep"),
    "child_never_exits/found-worker": ("possible", "process", "process 200"),
    "stale_lock_file/found-polled": ("likely", "file", "/home/user/.cache/ext/lock"),
    "stale_lock_file/found-exclusive-creation": ("likely", "file", "/home/user/.cache/ext/busy"),
    "stale_lock_file/found-in-locals": ("likely", "file", "/home/user/.cache/ext/lock"),
    "stale_lock_file/found-younger-than-the-wait": ("possible", "file", "ext/lock"),
    "file_lock_held/found-flock": ("likely", "file", "ext/lock"),
    "file_lock_held/found-by-itself": ("proved", "file", "ext/lock"),
    "file_lock_held/found-polled": ("likely", "file", "ext/lock"),
    "file_lock_held/found-holder-unseen": ("possible", "file", "ext/lock"),
    "fifo_without_peer/found-no-writer": ("likely", "file", "control.fifo"),
    "fifo_without_peer/found-no-reader": ("likely", "file", "control.fifo"),
    "prompt_on_stdin/found-input-on-pipe": ("likely", "terminal", "stdin"),
    "prompt_on_stdin/found-terminal": ("likely", "terminal", "stdin"),
    "prompt_on_stdin/found-plain-read": ("possible", "terminal", "stdin"),
    "stopped_by_terminal/found-sigttin": ("likely", "terminal", "/dev/pts/3"),
    "stopped_by_terminal/found-by-call": ("likely", "terminal", "/dev/pts/3"),
    "stopped_by_signal/found-sigstop": ("likely", "signal", "SIGSTOP"),
    "stopped_by_signal/found-tracer": ("likely", "process", "300"),
    "stopped_by_signal/found-frozen": ("likely", "limit", "frozen control group"),
    "died_silently/found-a-worker-out-of-memory": ("likely", "process", "200"),
    "died_silently/found-abort": ("proved", "signal", "SIGABRT"),
    "died_silently/found-became-and-killed": ("likely", "signal", "SIGKILL"),
    "died_silently/found-became": ("possible", "process", "/usr/bin/launch"),
    "died_silently/found-broken-pipe": ("likely", "pipe", "SIGPIPE"),
    "died_silently/found-cpu-time": ("likely", "limit", "CPU time"),
    "died_silently/found-crash-at-the-end": ("proved", "signal", "SIGSEGV"),
    "died_silently/found-crash-by-kernel-log": ("proved", "signal", "SIGSEGV"),
    "died_silently/found-crash-dumped-elsewhere": ("possible", "signal", "SIGSEGV"),
    "died_silently/found-crash-with-core": ("proved", "library", "/home/user/train/fastops.so"),
    "died_silently/found-crash": ("proved", "signal", "SIGSEGV"),
    "died_silently/found-exit-hides-error": ("likely", "module", "run.py:3"),
    "died_silently/found-exit-in-an-import": ("likely", "module", "plugin"),
    "died_silently/found-exit-in-the-last-import": ("possible", "module", "plugin"),
    "died_silently/found-exit-perhaps-told": ("possible", "module", "run.py:3"),
    "died_silently/found-killed": ("likely", "signal", "SIGKILL"),
    "died_silently/found-left-at-once-on-purpose": ("possible", "process", "os._exit"),
    "died_silently/found-left-at-once-with-status": ("likely", "process", "os._exit"),
    "died_silently/found-left-at-once": ("likely", "process", "os._exit"),
    "died_silently/found-left-during-import": ("likely", "module", "fastops"),
    "died_silently/found-lost-a-worker": ("likely", "process", "200"),
    "died_silently/found-out-of-memory-counted": ("likely", "limit", "memory"),
    "died_silently/found-out-of-memory": ("proved", "limit", "memory"),
    "died_silently/found-own-alarm": ("likely", "signal", "SIGALRM"),
    "died_silently/found-pipe-to-head": ("possible", "pipe", "stdout"),
    "died_silently/found-unheard-closed": ("proved", "module", "RuntimeError"),
    "died_silently/found-unheard-exception": ("likely", "module", "fastops"),
    "died_silently/found-unheard-memory-error": ("proved", "limit", "memory"),
    "died_silently/found-unheard-reader-gone": ("likely", "module", "RuntimeError"),
    "connect_no_answer/found-blocking": ("likely", "host", "10.0.0.9:443"),
    "connect_no_answer/found-proxy": ("likely", "host", "10.0.0.9:3128"),
    "connect_no_answer/found-full-queue": ("likely", "host", "127.0.0.1:8080"),
    "connect_no_answer/found-with-a-time-limit": ("likely", "host", "10.0.0.9:443"),
    "peer_silent/found-http": ("likely", "host", "10.0.0.9:80"),
    "peer_silent/found-local-peer": ("likely", "host", "127.0.0.1:8080"),
    "peer_silent/found-own-socket": ("likely", "file", "/run/agent.sock"),
    "peer_silent/found-both-ends-are-its-own": ("likely", "host", "127.0.0.1:8080"),
    "peer_silent/found-in-a-loop": ("likely", "host", "10.0.0.9:443"),
    "name_lookup_no_answer/found-name-server": ("likely", "host", "hub.example"),
    "name_lookup_no_answer/found-unseen-server": ("likely", "host", "hub.example"),
    "connection_refused_retry/found-refused": ("likely", "host", "127.0.0.1:8080"),
    "connection_refused_retry/found-no-way": ("likely", "host", "10.0.0.9:80"),
    "connection_refused_retry/found-unix-socket": ("likely", "file", "/run/agent.sock"),
    "rank_missing/found-alone-of-two": ("likely", "rank", "1"),
    "rank_missing/found-alone-of-eight": ("likely", "rank", "1-7"),
    "rank_missing/found-some-are-there": ("likely", "rank", "unknown"),
    "rank_missing/found-by-what-torch-was-given": ("likely", "rank", "1"),
    "rank_missing/found-stands-elsewhere": ("likely", "rank", "1"),
    "rendezvous_address_wrong/found-refused": ("likely", "host", "10.0.0.9:29500"),
    "rendezvous_address_wrong/found-no-answer": ("likely", "host", "10.0.0.9:29500"),
    "rendezvous_address_wrong/found-between-its-tries": ("likely", "host", "10.0.0.9:29501"),
    "busy_loop/found-in-python": ("likely", "file", "run.py"),
    "busy_loop/found-in-a-library": ("likely", "library", "fastops"),
    "busy_loop/found-by-a-person": ("possible", "file", "run.py"),
    "regex_backtracking/found-frame-of-re": ("likely", "pattern", "^(a+)+$"),
    "regex_backtracking/found-compiled-before": ("likely", "pattern", "VERSION.match"),
    "regex_backtracking/found-by-a-person": ("possible", "pattern", "^(a+)+$"),
    "event_loop_idle/found-coroutine": ("proved", "lock", "coroutine main"),
    "event_loop_idle/found-future": ("proved", "lock", "asyncio future"),
    "event_loop_idle/found-beside-idle-workers": ("proved", "lock", "coroutine main"),
    "event_loop_idle/found-beside-a-stuck-thread": ("likely", "lock", "coroutine main"),
    "event_loop_idle/found-trio": ("likely", "lock", "coroutine main"),
    "static_guard_deadlock/found-gil": ("proved", "library", "fastops"),
    "static_guard_deadlock/found-without-names": ("likely", "library", "fastops"),
    "static_guard_deadlock/found-without-unwinding": ("likely", "library", "fastops"),
    "fork_after_threads/found-pool-of-a-library": ("likely", "library", "libgomp"),
    "fork_after_threads/found-perhaps-started-again": ("possible", "library", "libgomp"),
    "fork_after_threads/found-mutex-of-a-lost-thread": ("proved", "library", "libgomp"),
    "fork_after_threads/found-python-lock": ("likely", "process", "200"),
    "pipe_not_drained/found-parent-waits": ("proved", "pipe", "90"),
    "pipe_not_drained/found-reader-has-another-thread": ("likely", "pipe", "90"),
    "pipe_not_drained/found-own-pipe": ("proved", "pipe", "90"),
    "pipe_not_drained/found-reader-sleeps": ("likely", "pipe", "90"),
    "pipe_not_drained/found-front-end": ("likely", "pipe", "90"),
    "pipe_held_open/found-daemon": ("likely", "pipe", "90"),
    "pipe_held_open/found-read-to-the-end": ("likely", "pipe", "90"),
    "pipe_held_open/found-parent-waits": ("proved", "pipe", "90"),
    "worker_died/found-again-and-again": ("likely", "process", "run.py"),
    "worker_died/found-killed": ("likely", "process", "200"),
    "vfork_child_stuck/found-pauses": ("likely", "library", "fastops"),
    "missing_path_polled/found-given-by-a-variable": ("likely", "file", "rendezvous"),
    "missing_path_polled/found-given-by-an-argument": ("likely", "file", "rendezvous"),
    "missing_path_polled/found-in-locals": ("possible", "file", "rendezvous"),
    "missing_path_polled/found-may-not-be-made": ("likely", "file", "rendezvous"),
    "missing_path_polled/found-a-new-name-each-time": ("likely", "file", "/scratch/run7"),
    "storage_not_answering/found-frozen": ("likely", "mount", "/home/user/cache"),
    "storage_not_answering/found-unknown-mount": ("likely", "file", "model.bin"),
    "storage_not_answering/found-open-file": ("likely", "mount", "/home/user/cache"),
    "storage_not_answering/found-fuse-server": ("likely", "mount", "/home/user/cache"),
    "prompt_in_helper/found-reads-terminal": ("likely", "terminal", "/dev/pts/3"),
    "prompt_in_helper/found-polls-terminal": ("likely", "terminal", "/dev/pts/3"),
    "prompt_in_helper/found-below-other-helpers": ("likely", "terminal", "/dev/tty"),
    "slow_import/found-reads": ("likely", "module", "torch"),
    "slow_import/found-import-with-rates": ("likely", "module", "torch"),
    "slow_import/found-statement-amid-a-file": ("likely", "file", "/data/index.pickle"),
    "slow_import/found-statement-that-pages-in": ("likely", "module", "__main__"),
    "slow_import/found-statement-of-a-module": ("likely", "module", "torch"),
    "compiling/found-compiler": ("likely", "process", "cc1plus"),
    "compiling/found-nothing-built-yet": ("likely", "process", "cc1plus"),
    "compiling/found-with-a-list": ("likely", "process", "cc1plus"),
    "compiling/found-without-a-list": ("likely", "process", "cc1plus"),
    "downloading/found-into-a-file": ("likely", "host", "10.0.0.9:443"),
    "downloading/found-by-other-threads": ("likely", "host", "10.0.0.9:443"),
    "downloading/found-into-a-file-of-full-length": ("likely", "host", "10.0.0.9:443"),
    "downloading/found-with-a-rate": ("likely", "host", "10.0.0.9:443"),
}
"""Certainty, kind of blocker, and a part of its id."""


def _name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def _snapshot(path: Path) -> Snapshot:
    document = load(path)
    assert isinstance(document, Snapshot)
    return document


FOUND = [path for path in FILES if path.stem.startswith("found")]
NOT_FOUND = [path for path in FILES if path.stem.startswith("not_found")]


@pytest.mark.parametrize("path", FOUND, ids=_name)
def test_a_found_snapshot_names_its_cause_first(path: Path) -> None:
    rule = RULES[path.parent.name]
    certainty, kind, part = EXPECTED[_name(path)]

    findings, gaps = recognise_all(read(_snapshot(path)), strict=True)

    first = findings[0]
    assert (first.code, first.certainty, first.blocker.kind) == (rule.code, certainty, kind)
    assert part in first.blocker.id
    assert gaps == ()


@pytest.mark.parametrize("path", NOT_FOUND, ids=_name)
def test_a_snapshot_that_is_almost_it_is_not_it(path: Path) -> None:
    rule = RULES[path.parent.name]

    finding = rule.recognise(read(_snapshot(path)))

    assert finding is None


@pytest.mark.parametrize("path", FILES, ids=_name)
def test_every_finding_can_be_checked_and_says_what_to_do(path: Path) -> None:
    findings, _ = recognise_all(read(_snapshot(path)), strict=True)

    for finding in findings:
        _assert_complete(finding)


def _assert_complete(finding: Finding) -> None:
    assert finding.evidence
    assert all(row.ref and row.shows for row in finding.evidence)
    assert finding.fix is not None
    assert finding.fix.steps
    assert finding.summary.endswith(".")
    assert "None" not in finding.summary
    assert finding.code not in finding.summary
    if finding.blocker.kind == "library":
        assert finding.blocker.id.startswith("/")
    if finding.code != "HB904":
        assert finding.wait_chain
