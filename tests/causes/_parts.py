"""Rows for hand-made snapshots: one process 100 with the main thread 100, unless said otherwise."""

from typing import Any

from hangbisect.model import (
    Call,
    Frame,
    Local,
    NativeFrame,
    Process,
    Snapshot,
    System,
    Thread,
    Word,
)

LIB = "/usr/lib/python3.11/"
LIBC = "/usr/lib/x86_64-linux-gnu/libc.so.6"
LOADER = "/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2"
LIBPYTHON = "/usr/lib/x86_64-linux-gnu/libpython3.11.so.1.0"
IMPORTLIB = "<frozen importlib._bootstrap>"
RUN = "/home/user/train/run.py"


def snapshot(*, processes: tuple[Process, ...] = (), **tables: Any) -> Snapshot:
    """A snapshot of a tree whose root is 100."""
    return Snapshot(
        tool="hangbisect (hand-made)",
        system=System(platform="linux", machine="x86_64", kernel="6.1", libc="glibc 2.36"),
        root=100,
        blame=100,
        taken=30.0,
        quiet_since=2.0,
        occasion=tables.pop("occasion", "patience"),
        cwd="/home/user/train",
        processes=processes or (python(),),
        **tables,
    )


def python(pid: int = 100, parent: int = 1, **fields: Any) -> Process:
    """A Python process with the probe in it."""
    usual: dict[str, Any] = {
        "argv": ("python", "run.py"),
        "executable": "/usr/bin/python3.11",
        "state": "S",
        "python": "3.11.7",
        "hooked": True,
    }
    return Process(pid=pid, parent=parent, **{**usual, **fields})


def thread(tid: int = 100, call: Call | None = None, *frames: Frame, **fields: Any) -> Thread:
    """A thread that did not move between two looks."""
    usual: dict[str, Any] = {"pid": 100, "state": "S", "still": True}
    return Thread(tid=tid, call=call, frames=frames, **{**usual, **fields})


def frame(function: str, file: str, line: int, *variables: Local) -> Frame:
    return Frame(function=function, file=file, line=line, locals=variables)


def body(line: int, file: str = RUN, *variables: Local) -> Frame:
    """The body of a module."""
    return frame("<module>", file, line, *variables)


def named(name: str, text: str) -> Local:
    return Local(name=name, type="str", text=text)


def thing(name: str, type_name: str, address: int) -> Local:
    return Local(name=name, type=type_name, address=address)


def importing(module: str) -> tuple[Frame, ...]:
    """The frames of an import that runs a module's body."""
    return (
        frame("_find_and_load", IMPORTLIB, 1176, named("name", module)),
        frame("_find_and_load_unlocked", IMPORTLIB, 1147, named("name", module)),
        frame("_load_unlocked", IMPORTLIB, 690),
        frame("_call_with_frames_removed", IMPORTLIB, 241),
    )


def creating(module: str) -> tuple[Frame, ...]:
    """The frames of an import that loads an extension module."""
    return (
        *importing(module)[:2],
        frame("module_from_spec", IMPORTLIB, 573),
        frame("ExtensionFileLoader.create_module", "<frozen importlib._bootstrap_external>", 1233),
        frame("_call_with_frames_removed", IMPORTLIB, 241),
    )


def futex(address: int = 0x5500, expected: int = 0, **word: Any) -> Call:
    """An untimed wait on a word that only this process has."""
    usual: dict[str, Any] = {"private": True, "region": "heap", "values": (expected, 1, 0, 0)}
    return Call(
        name="futex",
        arguments=(address, 128, expected),
        word=Word(address=address, expected=expected, **{**usual, **word}),
    )


def gil() -> Call:
    """A wait for the GIL: 5 ms on the interpreter's own words."""
    word = Word(address=0x7F00, expected=0, private=True, region="interpreter", path=LIBPYTHON)
    return Call(name="futex", arguments=(0x7F00, 137), timed=True, interval=0.005, word=word)


def native(*libraries: str) -> tuple[NativeFrame, ...]:
    """A native stack; the libraries are given innermost first."""
    return tuple(NativeFrame(library=library) for library in reversed(libraries))


def read(fd: int) -> Call:
    return Call(name="read", arguments=(fd, 0x7FFC, 4096), descriptors=(fd,))


def sleep(interval: float = 0.1) -> Call:
    return Call(name="clock_nanosleep", arguments=(1, 1), timed=True, interval=interval)
