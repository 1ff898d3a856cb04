"""Name a command as the one who started it would: after exec, argv may show another program."""

import re
from os.path import basename

from hangbisect.model import Process

ASKED = re.compile(
    r"\b(?:run|call|Popen|check_call|check_output|system|popen|getoutput|getstatusoutput"
    r"|create_subprocess_exec|create_subprocess_shell|spawn\w*|exec\w+)"
    r"\(\s*[\[(]?\s*[fFrRbBuU]{0,2}(['\"])(?P<text>.+?)\1"
)
"""A call that starts a command, with the command as a literal right at its beginning."""

INTERPRETERS = re.compile(r"^(sh|bash|dash|ash|zsh|busybox|python[\d.]*|perl|ruby|node|env)$")


def name_of(process: Process, line: str = "") -> str:
    """Return the command's name: what the source line asked for, else what it runs.

    `line` is the text of the line that started the process, "" if that is not known.
    """
    return asked_for(line) or _script(process) or f"process {process.pid}"


def asked_for(line: str) -> str:
    """Return the name of the command that a source line starts, "" if the line does not say it."""
    found = ASKED.search(line)
    words = found["text"].split() if found else []
    return basename(words[0]) if words and re.match(r"^[\w./+-]+$", words[0]) else ""


def short(process: Process) -> str:
    """Return the command line as it is now, shortened to fit a sentence."""
    words = process.argv or (process.executable or f"process {process.pid}",)
    text = " ".join((basename(words[0]) or words[0], *words[1:]))
    return text if len(text) <= 60 else text[:57] + "..."


def _script(process: Process) -> str:
    if not process.argv:
        return basename(process.executable)
    program, *rest = process.argv
    name = basename(program)
    if not INTERPRETERS.match(name):
        return name
    if rest[:1] == ["-c"] and len(rest) > 1 and not name.startswith("python"):
        return basename(rest[1].split(maxsplit=1)[0]) if rest[1].split() else name
    plain = [word for word in rest[:1] if not word.startswith("-")]
    return basename(plain[0]) if plain else name
