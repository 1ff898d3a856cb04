"""What may be run, and what to say about what may not: decided from the first bytes of the file."""

import os
from collections.abc import Callable
from pathlib import Path
from zipimport import ZipImportError, zipimporter

from hangbisect.errors import TargetError, UsageError

GRAMMAR = "Say `hangbisect run [options] script.py args`, `-m module args` or `-c code args`."
_PROGRAM_STARTS = (b"\x7fELF", b"MZ", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe")
_HEAD = 4096
_MODULES = {
    ("torchrun",): ("torch.distributed.run",),
    ("accelerate", "launch"): ("accelerate.commands.launch",),
    ("deepspeed",): ("deepspeed.launcher.runner",),
    ("pytest",): ("pytest",),
}
"""Programs that are a Python module under another name."""


def check(target: tuple[str, ...], cwd: str, which: Callable[[str], str | None]) -> None:
    """Raise `UsageError` or `TargetError`, with advice, if Python could not run this target.

    `which` finds a program on PATH.
    """
    if not target:
        raise UsageError("there is nothing to run", help=GRAMMAR)
    first = target[0]
    if first == "-":
        return
    if first[:2] in ("-m", "-c"):
        if len(first) == 2 and len(target) < 2:
            what = "module" if first == "-m" else "code"
            raise UsageError(f"{first} needs a {what} after it", help=GRAMMAR)
        return
    _check_path(target, Path(cwd, first), which)


def folder_of(target: tuple[str, ...], cwd: str) -> Path:
    """Return the folder beside which an environment of the target is looked for."""
    first = target[0] if target else "-"
    if first.startswith("-"):
        return Path(cwd)
    path = Path(cwd, first)
    return path if path.is_dir() else path.parent


def is_runnable(name: str, cwd: str) -> bool:
    """Say whether Python could run a file or folder of this name here."""
    try:
        _check_path((name,), Path(cwd, name), lambda _: None)
    except (UsageError, TargetError):
        return False
    return True


def _check_path(target: tuple[str, ...], path: Path, which: Callable[[str], str | None]) -> None:
    name = target[0]
    try:
        if path.is_dir():
            _check_folder(name, path)
        elif path.exists():
            if path.is_file():
                _check_file(target, path)
        elif _is_known(target):
            raise _other_program(target, f"{name} is no script, but a program that starts Python")
        elif os.sep not in name and (program := which(name)) is not None:
            raise _other_program(target, f"{name} is no script here, but a program ({program})")
        else:
            raise TargetError(f"there is no script {name}", help=GRAMMAR)
    except OSError as error:
        raise TargetError(f"cannot read {name}: {error.strerror}") from error


def _check_folder(name: str, path: Path) -> None:
    if not any((path / main).exists() for main in ("__main__.py", "__main__.pyc")):
        raise TargetError(
            f"{name} is a folder without a __main__.py, so Python cannot run it",
            help="Name the script in it, or use `-m PACKAGE` from the folder above.",
        )


def _check_file(target: tuple[str, ...], path: Path) -> None:
    name = target[0]
    with path.open("rb") as file:
        head = file.read(_HEAD)
    if head.startswith(_PROGRAM_STARTS):
        raise _other_program(target, f"{name} is a program, not a Python script")
    if (archive := _archive(path)) is not None:
        if archive.find_spec("__main__") is None:
            raise TargetError(
                f"{name} is an archive without a __main__.py, so Python cannot run it"
            )
    elif head.startswith(b"#!") and not _is_for_python(head):
        interpreter = head[2:80].split(b"\n", 1)[0].decode("utf-8", "replace").strip()
        raise _other_program(target, f"{name} is a script for {interpreter}, not for Python")
    elif b"\0" in head and path.suffix != ".pyc":
        raise TargetError(f"{name} is not Python: it holds null bytes", help=GRAMMAR)


def _is_for_python(head: bytes) -> bool:
    """Say whether a first line names Python, or is pip's for a path too long for a first line."""
    lines = head.split(b"\n", 2)
    return b"python" in lines[0].lower() or (len(lines) > 1 and lines[1].startswith(b"'''exec' "))


def _archive(path: Path) -> zipimporter | None:
    """Open a file as Python itself would to run an archive; None if it is none."""
    try:
        return zipimporter(str(path))
    except ZipImportError:
        return None


def _other_program(target: tuple[str, ...], message: str) -> UsageError:
    return UsageError(message, help=_advice(target))


def _is_known(target: tuple[str, ...]) -> bool:
    return any(target[: len(program)] == program for program in _MODULES)


def _advice(target: tuple[str, ...]) -> str:
    """Say which command does it, or that none does yet."""
    names = (os.path.basename(target[0]), *target[1:])
    for program, module in _MODULES.items():
        if names[: len(program)] == program:
            rest = " ".join(names[len(program) :][:3])
            return f"Say `hangbisect run -m {' '.join(module)} {rest}".rstrip() + " ...`."
    if names[0].startswith("python"):
        return (
            f"Say `hangbisect run --python {target[0]} {' '.join(names[1:2])}".rstrip() + " ...`."
        )
    return (
        "`hangbisect run` starts Python only: a script, `-m module` or `-c code`. Say "
        f"`hangbisect exec -- {target[0]} ...` to watch each Python program that this one starts."
    )
