"""Documents survive being saved, and files from strangers are refused with advice."""

import os
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings

from hangbisect.errors import OutputError, SnapshotError
from hangbisect.model import Diagnosis, Process, Snapshot, System, codec
from tests.unit.model_strategies import of

SYSTEM = System(platform="linux", machine="x86_64")
SMALL = Snapshot(system=SYSTEM, root=1)


@settings(max_examples=40, phases=[Phase.generate])
@given(of(Snapshot) | of(Diagnosis))
def test_a_document_comes_back_as_it_was(document: Snapshot | Diagnosis) -> None:
    assert codec.decode(codec.encode(document)) == document


def test_a_saved_file_is_private_and_loads(tmp_path: Path) -> None:
    path = tmp_path / "snapshot.json"

    codec.save(SMALL, path)

    assert codec.load(path) == SMALL
    assert path.stat().st_mode & 0o777 == 0o600
    assert os.listdir(tmp_path) == ["snapshot.json"]


def test_the_header_names_format_and_version() -> None:
    assert codec.encode(SMALL).startswith(
        b'{"format":"hangbisect-snapshot","schema":1,"document":{'
    )


def test_an_existing_file_is_kept_unless_told(tmp_path: Path) -> None:
    path = tmp_path / "snapshot.json"
    path.write_text("mine")

    with pytest.raises(OutputError, match="exists already"):
        codec.save(SMALL, path)
    assert path.read_text() == "mine"
    codec.save(SMALL, path, replace=True)
    assert codec.load(path) == SMALL


def test_an_argument_that_is_not_utf8_is_kept_readable() -> None:
    odd = Snapshot(system=SYSTEM, root=1, processes=(Process(pid=1, parent=0, argv=("a\udcff",)),))

    again = codec.decode(codec.encode(odd))

    assert isinstance(again, Snapshot)
    assert again.processes[0].argv == ("a\\udcff",)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "is not a file of hangbisect"),
        (b"\x80\x04\x95", "is not a file of hangbisect"),
        (b"[1, 2]", "is not a file of hangbisect"),
        (b'{"name": "x"}', "is not a file of hangbisect"),
        (b"[" * 100_000, "is not a file of hangbisect"),
        (b'{"format": "other-tool", "schema": 1}', "holds 'other-tool'"),
        (b'{"format": "hangbisect-snapshot", "schema": 99}', "is of a newer hangbisect"),
        (
            b'{"format": "hangbisect-snapshot", "schema": 1, "document": {"root": "x"}}',
            "is damaged",
        ),
        (b'{"format": "hangbisect-snapshot", "schema": 1}', "is damaged"),
        (codec.encode(SMALL)[:-9], "is not a file of hangbisect"),
    ],
    ids=["empty", "pickle", "list", "foreign", "deep", "format", "newer", "type", "hollow", "torn"],
)
def test_what_is_no_document_is_refused(data: bytes, says: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(data)

    with pytest.raises(SnapshotError, match=says) as caught:
        codec.load(path)

    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.help


def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "huge"
    with path.open("wb") as file:
        file.truncate(codec.LIMIT + 1)

    with pytest.raises(SnapshotError, match="larger than 256 MiB"):
        codec.load(path)


def test_a_fifo_is_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "fifo"
    os.mkfifo(path)

    with pytest.raises(SnapshotError, match="not an ordinary file"):
        codec.load(path)


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(SnapshotError, match="No such file"):
        codec.load(tmp_path / "none")
