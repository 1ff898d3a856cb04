"""What may be kept of a frame's locals: identities of waitable objects, paths, module names.

The text that stack readers print is the input: `<_thread.lock at 0x7f..>`, `"/abs/path"`, `5`.
Of the standard library's own frames also what it was asked for: the pattern that `re` applies, the
host that `socket` looks up or connects to; and of torch's rendezvous its address and ranks.
Everything else (numbers, plain strings, the text that a
pattern is applied to, containers) is dropped here and goes nowhere.
"""

import re
from collections.abc import Mapping

from hangbisect.model import Local
from hangbisect.model.code import is_importlib, is_regex, standard_path

_OBJECT = re.compile(r"<(?P<type>[^<>]+?)(?P<rest> .*)? at 0x(?P<address>[0-9a-f]+)>?", re.S)
_NAMED = re.compile(r"""name=(['"])(?P<path>/.*?)\1""", re.S)
_PATH = re.compile(r"""(?:[A-Za-z]*Path\()?(?P<quote>['"])(?P<path>/.+)(?P=quote)\)?""", re.S)
_MODULE = re.compile(r"""['"](?P<name>[^\W\d]\w*(?:\.[^\W\d]\w*)*)['"]""")
_CUT = "..."
_HOST = re.compile(r"""\(?['"](?P<host>[A-Za-z0-9](?:[\w.-]{0,251}[A-Za-z0-9])?)['"](?:, \d+\))?""")
"""A host's name or address, alone or with a port; nothing that could carry a login."""
_RENDEZVOUS = "/torch/distributed/rendezvous.py"
_NUMBERS = ("port", "rank", "world_size")
_NUMBER = re.compile(r"[0-9]{1,7}")
_LONGEST_PATTERN = 200
_SYNCHRONISATION = re.compile(
    # The last part of the name of a type: threading, queue, multiprocessing, concurrent.futures,
    # asyncio, subprocess, importlib, filelock and those who name their own alike.
    r"(lock|.*(Lock|Condition|Event|Semaphore|Barrier|Queue|Thread|Timer|ThreadHandle|Future|Task"
    r"|Popen|Process|Connection|Pool|Executor|Baton|LockManager))"
)


def keep(variables: Mapping[str, str], file: str) -> tuple[Local, ...]:
    """Keep of a frame's variables what model.Local allows, sorted by name.

    Args:
        variables: The text of each variable's value, as the stack reader prints it.
        file: The frame's source file: what is kept in frames of the standard library hangs on it.
    """
    importing = is_importlib(file)
    kept = (
        _asked(name, text, file) or _local(name, text, importing=importing)
        for name, text in sorted(variables.items())
    )
    return tuple(local for local in kept if local is not None)


def is_unread(local: Local) -> bool:
    """Tell whether the local is a string that the stack reader could not print whole."""
    return local.type == "str" and local.text is None


def _asked(name: str, text: str, file: str) -> Local | None:
    """Keep the pattern that re was given, and the address that socket or torch was given."""
    if name == "pattern" and is_regex(file) and text[:1] in ("'", '"') and text[1:-1]:
        return _pattern(name, text)
    if name in ("host", "address") and standard_path(file) == "socket.py":
        found = _HOST.fullmatch(text)
        return Local(name="host", type="str", text=found["host"]) if found else None
    if name in ("hostname", *_NUMBERS) and file.replace("\\", "/").endswith(_RENDEZVOUS):
        return _meeting_point(name, text)
    return None


def _meeting_point(name: str, text: str) -> Local | None:
    if name in _NUMBERS:
        return Local(name=name, type="int", text=text) if _NUMBER.fullmatch(text) else None
    found = _HOST.fullmatch(text)
    return Local(name="host", type="str", text=found["host"]) if found else None


def _pattern(name: str, text: str) -> Local | None:
    if not text.isprintable() or text[-1] != text[0]:
        return None
    return Local(name=name, type="str", text=text[1:-1][:_LONGEST_PATTERN])


def _local(name: str, text: str, *, importing: bool) -> Local | None:
    if name.startswith("__") and name.endswith("__"):  # a module's own globals: __file__ and such
        return None
    if found := _OBJECT.match(text):
        return _identity(name, found)
    if _is_damaged(text):
        return Local(name=name, type="str")
    if found := _PATH.fullmatch(text):
        return Local(name=name, type="str", text=found["path"])
    if importing and (found := _MODULE.fullmatch(text)):
        return Local(name=name, type="str", text=found["name"])
    return None


def _is_damaged(text: str) -> bool:
    """Tell whether a string was cut short (a path), or read wrongly (pystack: not ASCII)."""
    cut = text[1:2] == "/" and text.rstrip("'\"").endswith(_CUT)
    return text[:1] in ("'", '"') and (cut or not text.isprintable())


def _identity(name: str, found: re.Match[str]) -> Local | None:
    """Keep `self` and synchronisation objects by address; of a file its name, if it was printed."""
    path = _NAMED.search(found["rest"] or "")
    if path is None and name != "self" and not _is_synchronisation(found["type"]):
        return None
    return Local(
        name=name,
        type=found["type"],
        address=int(found["address"], 16),
        text=path["path"] if path else None,
    )


def _is_synchronisation(type_name: str) -> bool:
    return _SYNCHRONISATION.fullmatch(type_name.rpartition(".")[2]) is not None
