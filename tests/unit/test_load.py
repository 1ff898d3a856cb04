"""Saved files and folders: what is shown again, and what is refused with one clear message."""

import os
import sys
from pathlib import Path

import pytest

import hangbisect
from hangbisect.errors import SnapshotError
from hangbisect.model import Process, Snapshot, System
from hangbisect.probe import wire

RECORD = "7-1000-65536.flight"


def snapshot() -> Snapshot:
    return Snapshot(
        tool="hangbisect 0",
        system=System(platform="linux", machine="x86_64"),
        root=7,
        blame=7,
        processes=(Process(pid=7, parent=1, argv=("python", "--token", "s3cr3t"), python="3.11"),),
    )


def test_a_saved_snapshot_is_diagnosed_again_with_its_secrets_masked(tmp_path: Path) -> None:
    hangbisect.save(snapshot(), tmp_path / "saved.json")

    diagnosis = hangbisect.load(tmp_path / "saved.json")

    assert diagnosis.verdict == "unknown"
    assert diagnosis.target.argv == ("python", "--token", "<redacted>")
    assert "s3cr3t" not in (tmp_path / "saved.json").read_text()


def test_a_saved_diagnosis_is_read_as_it_was_written(tmp_path: Path) -> None:
    diagnosis = hangbisect.diagnose(snapshot())

    hangbisect.save(diagnosis, tmp_path / "saved.json")

    argv = ("python", "--token", "<redacted>")
    assert hangbisect.load(tmp_path / "saved.json").target.argv == argv


def test_a_folder_with_a_snapshot_is_shown_from_it(tmp_path: Path) -> None:
    hangbisect.save(snapshot(), tmp_path / "snapshot.json")

    assert hangbisect.load(tmp_path).target.pid == 7


@pytest.mark.parametrize("content", [b"", b"x" * 70_000, wire.MAGIC + bytes(70_000)])
def test_a_folder_without_a_whole_record_is_refused(content: bytes, tmp_path: Path) -> None:
    (tmp_path / RECORD).write_bytes(content)

    with pytest.raises(SnapshotError, match="holds no flight record"):
        hangbisect.load(tmp_path)


@pytest.mark.skipif(sys.platform == "win32", reason="needs FIFOs")
@pytest.mark.parametrize("name", ["saved.json", f"folder/{RECORD}", "folder/snapshot.json"])
def test_a_fifo_is_refused_and_not_waited_for(name: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / name)

    with pytest.raises(SnapshotError):
        hangbisect.load(tmp_path / Path(name).parts[0])


def test_what_is_too_large_is_refused_unread(tmp_path: Path) -> None:
    with (tmp_path / "huge.json").open("wb") as file:
        file.truncate(1 << 40)

    with pytest.raises(SnapshotError, match="larger than 256 MiB"):
        hangbisect.load(tmp_path / "huge.json")
