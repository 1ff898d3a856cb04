"""Files are written whole, privately, and never over another."""

import os
from pathlib import Path

import pytest

from hangbisect.errors import OutputError
from hangbisect.model import private


def test_a_failed_write_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(fd: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)

    with pytest.raises(OutputError, match="No space left"):
        private.write(b"x", tmp_path / "report")
    assert os.listdir(tmp_path) == []


def test_a_file_system_without_links_serves_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    path = tmp_path / "report"

    private.write(b"x", path)

    assert path.read_bytes() == b"x"
    with pytest.raises(OutputError, match="exists already"):
        private.write(b"y", path)
    assert path.read_bytes() == b"x"
    assert os.listdir(tmp_path) == ["report"]


def test_a_dangling_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "report").symlink_to(tmp_path / "elsewhere")

    with pytest.raises(OutputError, match="exists already"):
        private.check_writable(tmp_path / "report")


@pytest.mark.parametrize(
    "name", ["none/report", "file/report", ""], ids=["folder", "file", "itself"]
)
def test_what_cannot_be_written_is_refused_before(name: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(OutputError):
        private.check_writable(tmp_path / name)


def test_the_check_leaves_nothing(tmp_path: Path) -> None:
    private.check_writable(tmp_path / "report")

    assert os.listdir(tmp_path) == []


def test_a_device_is_written_to() -> None:
    private.check_writable(Path(os.devnull))
    private.write(b"x", Path(os.devnull))


def test_a_fifo_without_reader_fails_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")

    with pytest.raises(OutputError, match="No such device"):
        private.write(b"x", tmp_path / "fifo")
