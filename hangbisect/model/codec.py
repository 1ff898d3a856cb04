"""Save and load documents: one JSON object with a header that names the format and its version.

A file from a stranger is data: its size is bounded, its types are checked, nothing is executed.
Numbers without a JSON form (infinity) become null and are refused when read.
"""

import stat
from pathlib import Path

import msgspec

from hangbisect.errors import SnapshotError
from hangbisect.model import private
from hangbisect.model._walk import rebuild
from hangbisect.model.diagnosis import Diagnosis
from hangbisect.model.snapshot import Snapshot

SCHEMA = 1
"""The version of the format that this hangbisect writes; older ones are read too."""
LIMIT = 256 * 1024 * 1024
"""The largest file that is read, in bytes."""

_TYPES: dict[str, type[Snapshot] | type[Diagnosis]] = {
    "hangbisect-snapshot": Snapshot,
    "hangbisect-diagnosis": Diagnosis,
}


class _Header(msgspec.Struct, kw_only=True):
    format: str
    schema: int
    document: msgspec.Raw = msgspec.Raw(b"{}")


def encode(document: Snapshot | Diagnosis) -> bytes:
    """Return the document as one line of JSON with its header."""
    name = next(name for name, kind in _TYPES.items() if isinstance(document, kind))
    try:
        body = msgspec.json.encode(document)
    except UnicodeEncodeError:  # file names and arguments that are not valid UTF-8
        body = msgspec.json.encode(rebuild(document, _escape_surrogates))
    header = _Header(format=name, schema=SCHEMA, document=msgspec.Raw(body))
    return msgspec.json.encode(header) + b"\n"


def decode(data: bytes, name: str = "this file") -> Snapshot | Diagnosis:
    """Return the document, or raise `SnapshotError`; `name` is what the message calls the file."""
    try:
        header = msgspec.json.decode(data, type=_Header)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise SnapshotError(
            f"{name} is not a file of hangbisect, or is damaged: {error}"
        ) from error
    kind = _TYPES.get(header.format)
    if kind is None:
        raise SnapshotError(f"{name} holds {header.format[:60]!r}, which hangbisect does not know")
    if header.schema > SCHEMA:
        raise SnapshotError(
            f"{name} is of a newer hangbisect (format {header.schema}, this reads {SCHEMA})",
            help="Update hangbisect: pip install --upgrade hangbisect",
        )
    try:
        return msgspec.json.decode(header.document, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise SnapshotError(f"{name} is damaged: {error}") from error


def save(document: Snapshot | Diagnosis, path: Path, *, replace: bool = False) -> None:
    """Write the document to a private file (0600), whole or not at all.

    Raises `OutputError` if it cannot be written, or if the file exists and `replace` is not set.
    The text is written as it is: pass it through `redact` first.
    """
    private.write(encode(document), path, replace=replace)


def load(path: Path) -> Snapshot | Diagnosis:
    """Read a saved document, or raise `SnapshotError`."""
    try:
        data = _read(path)
    except OSError as error:
        raise SnapshotError(f"cannot read {path}: {error.strerror}") from error
    return decode(data, str(path))


def _read(path: Path) -> bytes:
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        raise SnapshotError(f"{path} is not an ordinary file")
    if status.st_size > LIMIT:
        raise SnapshotError(f"{path} is larger than {LIMIT // 2**20} MiB")
    with path.open("rb") as file:
        return file.read(LIMIT)


def _escape_surrogates(part: object) -> object | None:
    return part.encode("utf-8", "backslashreplace").decode() if isinstance(part, str) else None
