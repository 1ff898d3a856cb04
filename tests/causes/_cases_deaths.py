"""Hand-made snapshots: ends, silent and other."""

from typing import Any

from _parts import RUN, python, snapshot

from hangbisect.model import (
    Aftermath,
    Ending,
    Fallen,
    KernelWord,
    Leaving,
    Memory,
    Snapshot,
    Step,
    Stream,
)


def _ended(ending: Ending, **process: Any) -> Snapshot:
    return snapshot(processes=(python(state="Z", **process),), ending=ending, occasion="ended")


IMPORTS = Step(pid=100, kind="import", name="fastops", file=RUN, line=3)
LAST = Step(pid=100, kind="import", name="json", file=RUN, line=2)
STANDS = Step(pid=100, kind="statement", name="", file=RUN, line=3)
DUMP = ("Fatal Python error: Segmentation fault", f'  File "{RUN}", line 3 in <module>')
EXTENSION = "/home/user/train/fastops.so"
KILLED = KernelWord(
    pid=100,
    about="memory",
    text="Memory cgroup out of memory: Killed process 100 (python) total-vm:191528kB",
)
FAULT = KernelWord(
    pid=100,
    about="fault",
    text="python[100]: segfault at 10 ip 00007f sp 00007f error 4 in fastops.so[103c,7f000+2000]",
    library="fastops.so",
    offset=0x103C,
)
GROUP = Memory(group="/sys/fs/cgroup/job", limit=200 << 20, kills=1)
LEAVER = "/usr/lib/python3/site-packages/plugin/__init__.py"


def _left(raised: str = LEAVER, *, rest: int = 4, line: int = 3, **fields: Any) -> Ending:
    """End by a sys.exit that was raised in `raised`, inside the script's import at line 3."""
    return Ending(
        code=0,
        finished=True,
        way="exit",
        entry_end="left",
        step=STANDS,
        left=Step(pid=0, kind="import", name="plugin", file=RUN, line=3),
        raised=Step(pid=0, kind="statement", name="OSError", file=raised, line=9),
        aftermath=Aftermath(
            leaving=Leaving(file=RUN, line=line, text="import plugin", rest=rest),
        ),
        **fields,
    )


def _hid(handles: str = "ImportError", code: int = 0, **fields: Any) -> Ending:
    """End by a sys.exit inside an `except` of the script."""
    leaving = {"text": "sys.exit(0)", "is_exit": True, "is_mute": True, "rest": 4, **fields}
    return Ending(
        code=code,
        finished=True,
        way="exit",
        entry_end="left",
        step=STANDS,
        aftermath=Aftermath(leaving=Leaving(file=RUN, line=3, handles=handles, **leaving)),
    )


def _at_once(code: int = 0, *, heirs: tuple[int, ...] = (), **fields: Any) -> Ending:
    """End without Python's own end."""
    leaving = fields.pop("leaving", Leaving(file=RUN, line=0))
    return Ending(
        code=code,
        way="at-once",
        step=STANDS,
        is_rough=True,
        aftermath=Aftermath(leaving=leaving, heirs=heirs),
        **fields,
    )


def _failed(**fields: Any) -> Ending:
    return Ending(
        code=1,
        finished=True,
        way="exit",
        exception=fields.pop("exception", "RuntimeError"),
        step=STANDS,
        **fields,
    )


CASES = {
    "died_silently/found-crash": _ended(
        Ending(signal="SIGSEGV", core=True, step=IMPORTS, last=LAST, dump=DUMP)
    ),
    "died_silently/found-crash-with-core": _ended(
        Ending(
            signal="SIGSEGV",
            core=True,
            step=IMPORTS,
            dump=DUMP,
            aftermath=Aftermath(
                core="/home/user/train/core.100",
                native=("touch in fastops.so", "perish in fastops.so"),
                library=EXTENSION,
            ),
        )
    ),
    "died_silently/found-crash-by-kernel-log": _ended(
        Ending(signal="SIGSEGV", step=IMPORTS, silent=True, aftermath=Aftermath(words=(FAULT,)))
    ),
    "died_silently/found-crash-at-the-end": _ended(
        Ending(signal="SIGSEGV", entry_end="returned", last=LAST, dump=DUMP)
    ),
    "died_silently/found-crash-dumped-elsewhere": _ended(
        Ending(signal="SIGSEGV", step=IMPORTS, last=LAST, silent=False)
    ),
    "died_silently/found-abort": _ended(Ending(signal="SIGABRT", step=IMPORTS, dump=DUMP)),
    "died_silently/found-out-of-memory": _ended(
        Ending(
            signal="SIGKILL",
            step=IMPORTS,
            out_of_memory=True,
            aftermath=Aftermath(words=(KILLED,), memory=GROUP),
        )
    ),
    "died_silently/found-out-of-memory-counted": _ended(
        Ending(signal="SIGKILL", step=IMPORTS, aftermath=Aftermath(memory=GROUP))
    ),
    "died_silently/found-killed": _ended(
        Ending(
            signal="SIGKILL",
            step=IMPORTS,
            aftermath=Aftermath(
                memory=Memory(group="/sys/fs/cgroup/job", kills=0), is_log_read=True
            ),
        )
    ),
    "died_silently/found-cpu-time": _ended(Ending(signal="SIGXCPU", step=STANDS, is_rough=True)),
    "died_silently/found-own-alarm": _ended(Ending(signal="SIGALRM", step=STANDS)),
    "died_silently/found-broken-pipe": _ended(
        Ending(
            signal="SIGPIPE",
            step=STANDS,
            aftermath=Aftermath(streams=(Stream(fd=1, leads="file"),)),
        )
    ),
    "died_silently/found-pipe-to-head": _ended(
        Ending(
            signal="SIGPIPE",
            step=STANDS,
            aftermath=Aftermath(streams=(Stream(fd=1, leads="no-reader"),)),
        )
    ),
    "died_silently/found-became-and-killed": _ended(
        Ending(signal="SIGKILL", becomes="/usr/bin/sleep")
    ),
    "died_silently/found-became": _ended(Ending(code=1, way="program", becomes="/usr/bin/launch")),
    "died_silently/found-unheard-exception": _ended(
        Ending(code=1, finished=True, exception="RuntimeError", silent=True, step=IMPORTS)
    ),
    "died_silently/found-unheard-closed": _ended(
        _failed(text_to="closed", aftermath=Aftermath(streams=(Stream(fd=2, leads="terminal"),)))
    ),
    "died_silently/found-unheard-memory-error": _ended(
        _failed(
            exception="MemoryError",
            text_to="null",
            aftermath=Aftermath(memory=Memory(address_space=1 << 30)),
        )
    ),
    "died_silently/found-unheard-reader-gone": _ended(
        _failed(text_to="stream", aftermath=Aftermath(streams=(Stream(fd=2, leads="no-reader"),)))
    ),
    "died_silently/found-left-during-import": _ended(
        Ending(code=0, way="at-once", step=IMPORTS, aftermath=Aftermath())
    ),
    "died_silently/found-left-at-once": _ended(_at_once()),
    "died_silently/found-left-at-once-on-purpose": _ended(
        _at_once(leaving=Leaving(file=RUN, line=0, names_exit=True))
    ),
    "died_silently/found-left-at-once-with-status": _ended(_at_once(3)),
    "died_silently/found-exit-in-an-import": _ended(_left()),
    "died_silently/found-exit-in-the-last-import": _ended(_left(rest=0)),
    "died_silently/found-exit-hides-error": _ended(_hid()),
    "died_silently/found-exit-perhaps-told": _ended(_hid(is_mute=False)),
    "died_silently/found-lost-a-worker": _ended(
        _failed(
            text_to="stream",
            aftermath=Aftermath(fallen=(Fallen(pid=200, argv=("python", "w.py"), dump=DUMP),)),
        )
    ),
    "died_silently/found-a-worker-out-of-memory": _ended(
        _failed(text_to="stream", aftermath=Aftermath(fallen=(Fallen(pid=200, words=(KILLED,)),)))
    ),
    "died_silently/not_found-traceback": _ended(
        Ending(code=1, finished=True, exception="RuntimeError", silent=False, step=IMPORTS)
    ),
    "died_silently/not_found-traceback-seen": _ended(
        _failed(text_to="stream", aftermath=Aftermath(streams=(Stream(fd=2, leads="pipe"),)))
    ),
    "died_silently/not_found-own-hook": _ended(_failed(text_to="hook", silent=False)),
    "died_silently/not_found-ended-by-us": _ended(Ending(signal="SIGKILL", by_us=True)),
    "died_silently/not_found-asked": _ended(Ending(signal="SIGTERM", asked=True, step=IMPORTS)),
    "died_silently/not_found-ordinary-end": _ended(
        Ending(code=0, finished=True, way="end", entry_end="returned", last=LAST)
    ),
    "died_silently/not_found-interrupted": _ended(Ending(signal="SIGINT", step=IMPORTS)),
    "died_silently/not_found-daemon": _ended(_at_once(heirs=(200,))),
    "died_silently/not_found-at-once-after-the-script": _ended(_at_once(entry_end="returned")),
    "died_silently/not_found-at-once-without-probe": _ended(_at_once(), hooked=False),
    "died_silently/not_found-other-implementation": _ended(Ending(code=0, step=IMPORTS)),
    "died_silently/not_found-help-in-an-import": _ended(_left(), argv=("python", RUN, "--help")),
    "died_silently/not_found-argparse": _ended(_left("/usr/lib/python3.11/argparse.py")),
    "died_silently/not_found-caught-exit": _ended(_left(line=7)),
    "died_silently/not_found-exit-on-ctrl-c": _ended(_hid("KeyboardInterrupt")),
    "died_silently/not_found-plain-exit": _ended(_hid("")),
    "died_silently/not_found-exit-called-in-except": _ended(_hid(is_exit=False, is_mute=False)),
    "died_silently/not_found-worker-lost-and-done": _ended(
        Ending(
            code=0,
            finished=True,
            way="end",
            aftermath=Aftermath(fallen=(Fallen(pid=200, dump=DUMP),)),
        )
    ),
}
