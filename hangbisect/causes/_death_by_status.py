"""What an exit status, with the probe's record, says of an end that nobody was told of. Pure."""

from os.path import basename

from hangbisect.causes._death import (
    Death,
    about_memory,
    aftermath,
    leads,
    memory_rows,
    word_row,
)
from hangbisect.model import Ending, Evidence, Fallen, Leaving, Process

_WENT = {
    "closed": "sys.stderr was closed",
    "null": "sys.stderr led to /dev/null",
    "deleted": "sys.stderr led to a file that was deleted",
}
_PARSERS = ("argparse.py", "optparse.py", "/click/", "/typer/", "/absl/", "/docopt", "/fire/")
"""Code that reads command lines: it leaves by SystemExit when it has said what it had to."""
_ASKS_FOR_WORDS = ("-h", "--help", "--version", "--helpfull")
_A_PERSONS = ("KeyboardInterrupt", "SystemExit", "EOFError", "BrokenPipeError", "GeneratorExit")
"""What a program rightly leaves upon without a word."""


def by_status(ending: Ending, root: Process | None) -> Death | None:
    """Judge an exit with a status. Without a probe inside, an ordinary end cannot be told apart."""
    if ending.exception:
        return _unheard(ending)
    if root is None or not root.hooked or _asked_for_words(root):
        return None
    match ending.way:
        case "at-once":
            return _at_once(ending)
        case "exit":
            return _left_import(ending) or _left_script(ending)
        case "program":
            return _replaced(ending)
    return None


def by_another(ending: Ending) -> Death | None:
    """Blame another process of the tree that died without a word, where the program failed."""
    if not ending.code:
        return None
    fallen = aftermath(ending).fallen
    return _of_another(fallen[0]) if fallen else None


def _unheard(ending: Ending) -> Death | None:
    went = _WENT.get(ending.text_to, "")
    if not went and ending.text_to == "stream" and leads(ending, 2) == "no-reader":
        went = "nobody reads what stderr leads to"
    if not went and not (ending.silent and ending.text_to in ("", "hook")):
        return None
    by_memory = ending.exception == "MemoryError"
    step = ending.step
    return Death(
        certainty="proved" if ending.text_to in _WENT else "likely",
        says=f"failed with {ending.exception}",
        then=", and its text went nowhere",
        kind="limit" if by_memory else "module",
        id="memory" if by_memory else step.name if step and step.name else ending.exception,
        cure=_cure(ending, by_memory=by_memory),
        evidence=(
            Evidence(ref="record", shows=f"uncaught {ending.exception}; {went or 'no stream'}"),
            *(memory_rows(ending) if by_memory else ()),
        ),
    )


def _cure(ending: Ending, *, by_memory: bool) -> str:
    if by_memory:
        return "Use less memory, or raise the limit."
    if ending.text_to in _WENT and leads(ending, 2) not in ("", *_WENT):
        return "Find where the program closes or redirects sys.stderr: there its traceback is lost."
    return "Let stderr go to a file to see the traceback."


def _at_once(ending: Ending) -> Death | None:
    """Judge an end without Python's own: os._exit, or exit() of native code."""
    found = aftermath(ending)
    how = "without Python's own end (os._exit, or exit() of native code)"
    step, leaving = ending.step, found.leaving
    if ending.entry_end == "returned" or (ending.code == 0 and found.heirs):
        return None  # at its very end, or it went on in a child: daemons begin so
    if step is not None and step.kind == "import":
        certain, cure = True, f"Look for an exit call in the import of {step.name}."
    elif ending.code:
        certain, cure = True, "Look for os._exit in the step's code, or a library that calls it."
    else:
        certain = leaving is not None and not leaving.names_exit
        cure = "Look for os._exit in the libraries of the step: the script itself has none."
        if not certain:
            cure = "Look for os._exit in the script, and whether it is meant there."
    return Death(
        certainty="likely" if certain else "possible",
        says=f"left with status {ending.code} {how}",
        kind="module" if step is not None and step.kind == "import" else "process",
        id=step.name if step is not None and step.kind == "import" else "os._exit",
        cure=cure,
        evidence=(
            Evidence(ref="record", shows="Python's own end was not reached, no exception was seen"),
            *_left_rows(leaving),
        ),
    )


def _left_import(ending: Ending) -> Death | None:
    """Judge sys.exit in the code of a module that the script imports."""
    left, raised = ending.left, ending.raised
    leaving = aftermath(ending).leaving
    if left is None or raised is None or any(part in raised.file for part in _PARSERS):
        return None
    if leaving is not None and (left.file, left.line) != (leaving.file, leaving.line):
        return None  # the script caught that one, and went on
    handled = f" while it handled {raised.name}" if raised.name else ""
    sure = leaving is not None and leaving.rest > 0 and raised.name not in _A_PERSONS
    return Death(
        certainty="likely" if sure and (ending.code == 0 or raised.name) else "possible",
        says=f"left with status {ending.code} by sys.exit{handled}",
        at=f"inside the import of {left.name}",
        kind="module",
        id=left.name,
        cure=f"Look at {raised.file}:{raised.line}, where it leaves instead of raising an error.",
        evidence=(
            Evidence(ref="record", shows=f"SystemExit from {raised.file}:{raised.line}{handled}"),
            *_left_rows(leaving),
        ),
    )


def _left_script(ending: Ending) -> Death | None:
    """Judge sys.exit in the script itself: only within an `except` does it hide something."""
    leaving = aftermath(ending).leaving
    if leaving is None or not leaving.handles or not leaving.is_exit:
        return None
    if all(name.strip("( )") in _A_PERSONS for name in leaving.handles.split(",")):
        return None
    place = f"{leaving.file}:{leaving.line}"
    return Death(
        certainty="likely" if leaving.is_mute else "possible",
        says=f"left with status {ending.code} by sys.exit inside `except {leaving.handles}`",
        at=f"at {basename(leaving.file)}:{leaving.line}",
        then=", which hides that error"
        if leaving.is_mute
        else "; whether it said why is not known",
        kind="module",
        id=place,
        cure=f"Print the error at {place} before it leaves, or let it go on (raise).",
        evidence=_left_rows(leaving),
    )


def _replaced(ending: Ending) -> Death:
    """Say what exec put in the program's place: its end is that program's."""
    return Death(
        certainty="possible",
        says=f"became {ending.becomes} by exec, and that ended with status {ending.code}",
        kind="process",
        id=ending.becomes,
        cure=f"Look at {ending.becomes}: nothing of the program itself is left to look at.",
        evidence=(Evidence(ref="record", shows=f"exec of {ending.becomes} was its last event"),),
    )


def _of_another(fallen: Fallen) -> Death:
    word = about_memory(fallen.words)
    how = "was killed by the kernel for want of memory" if word else "died of a fatal signal"
    dump = (Evidence(ref=f"faulthandler:{fallen.pid}", shows=line) for line in fallen.dump[:4])
    return Death(
        certainty="likely",
        says="failed",
        then=f", after its process {fallen.pid} {how}",
        kind="process",
        id=str(fallen.pid),
        cure="Use less memory in each worker, or fewer workers."
        if word
        else "Run what that process does alone, and update or report the library it names.",
        evidence=(*map(word_row, fallen.words), *dump),
    )


def _left_rows(leaving: Leaving | None) -> tuple[Evidence, ...]:
    if leaving is None or not leaving.text:
        return ()
    rest = f"; what followed was not run: {leaving.rest}" if leaving.rest else ""
    shows = f"the script was left at `{leaving.text}`{rest}"
    return (Evidence(ref=f"{leaving.file}:{leaving.line}", shows=shows),)


def _asked_for_words(root: Process) -> bool:
    """Tell whether it was asked for its help or version: it then leaves when it has said it."""
    return any(word in _ASKS_FOR_WORDS for word in root.argv[1:])
