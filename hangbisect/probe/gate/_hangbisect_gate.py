"""Starts the probe in a process that somebody watches. Written by `hangbisect arm PYTHON`.

`hangbisect disarm PYTHON` removes it; without hangbisect it does nothing and may be deleted.
It must parse on every Python, 2.7 and 3.6 too, and import nothing that is not there already.
What it reads is described in docs/reference/watch-session.md.
"""

import os
import sys

ROOT, PATTERNS, UNTIL = "", (), 0

_PROBE = "_hangbisect_probe"
_MARK = "HANGBISECT_WATCHED"
_HEAD = "hangbisect-session 1"
_MOST = 65536
_ASKED = []


def start():
    """Start the probe if a watch wants this process; never raise.

    In a virtual environment site runs each line twice: the first answer holds.
    """
    try:
        if sys.version_info >= (3, 8) and _PROBE not in sys.modules and not _ASKED:
            _ASKED.append(True)
            _enter()
    except BaseException:
        pass


def _enter():
    if os.environ.get("HANGBISECT_FOLDER"):
        return  # below `hangbisect run`, which has a way in of its own
    if os.getuid() != os.geteuid() or os.getgid() != os.getegid():
        return  # setuid, setgid: such a program trusts nothing of its caller's
    fields = _session()
    folder = fields["folder"]
    if not _is_open(fields) or not (os.environ.get(_MARK) == folder or _is_wanted(fields["for"])):
        return
    # What it starts is watched too, whatever its command line says.
    os.environ[_MARK] = folder
    _load(fields["probe"])
    from _hangbisect_probe import boot

    boot.start(folder, __file__)


def _session():
    """Read the session file; raise if there is none, or one that others could have written."""
    folder = "%s/hangbisect-gate-%d" % (ROOT, os.getuid())
    _check(os.lstat(folder), 0o040000)
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    descriptor = os.open(folder + "/session", flags)
    try:
        _check(os.fstat(descriptor), 0o100000)
        lines = os.read(descriptor, _MOST).decode("utf-8", "surrogateescape").split("\n")
    finally:
        os.close(descriptor)
    if lines[0] != _HEAD:
        raise ValueError(lines[0])
    pairs = [line.partition(" ")[::2] for line in lines[1:]]
    fields = dict(pairs)
    fields["for"] = [value for name, value in pairs if name == "for"]
    return fields


def _check(status, kind):
    """Raise unless it is of that kind, ours or root's, and nobody else may write it."""
    is_ours = status.st_uid in (os.getuid(), 0)
    if status.st_mode & 0o170000 != kind or not is_ours or status.st_mode & 0o022:
        raise ValueError(status)


def _is_open(fields):
    import time

    now = time.time()
    if now >= float(fields["until"]) or (UNTIL and now >= UNTIL):
        return False
    pid, _, began = fields["watcher"].partition(" ")
    return began == "0" or _began(pid) == began


def _began(pid):
    """Give when a process began, in ticks since the machine's start: field 22 of its stat."""
    descriptor = os.open("/proc/%d/stat" % int(pid), os.O_RDONLY | os.O_CLOEXEC)
    try:
        return os.read(descriptor, 4096).rpartition(b")")[2].split()[19].decode()
    finally:
        os.close(descriptor)


def _is_wanted(patterns):
    """Tell whether the command line has one of the watch's patterns, and one of arm's."""
    line = _command_line()
    return all(
        not wanted or any(_holds(line, pattern) for pattern in wanted)
        for wanted in (PATTERNS, patterns)
    )


def _command_line():
    try:
        descriptor = os.open("/proc/self/cmdline", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return " ".join(getattr(sys, "orig_argv", sys.argv))
    try:
        line = os.read(descriptor, _MOST)
    finally:
        os.close(descriptor)
    return line.replace(b"\0", b" ").decode("utf-8", "surrogateescape")


def _holds(line, pattern):
    """Tell whether the parts of a pattern, which `*` separates, stand in the line in order."""
    at = 0
    for part in pattern.split("*"):
        at = line.find(part, at)
        if at < 0:
            return False
        at += len(part)
    return True


def _load(folder):
    """Load the probe's package as inject/sitecustomize.py does: no finder is asked."""
    import _frozen_importlib
    import _frozen_importlib_external

    file = os.path.join(folder, "__init__.py")
    loader = _frozen_importlib_external.SourceFileLoader(_PROBE, file)
    spec = _frozen_importlib.ModuleSpec(_PROBE, loader, origin=file, is_package=True)
    spec.submodule_search_locations.append(folder)
    spec.has_location = True
    package = _frozen_importlib.module_from_spec(spec)
    sys.modules[_PROBE] = package
    try:
        loader.exec_module(package)
    except BaseException:
        del sys.modules[_PROBE]
        raise
