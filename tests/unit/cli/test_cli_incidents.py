"""Where the reports of incidents go."""

import os
from datetime import datetime

import pytest

from hangbisect.cli._incidents import Incidents, plain
from hangbisect.errors import OutputError
from hangbisect.model import Process, Snapshot, System
from hangbisect.session import Outcome, diagnose

NOW = datetime(2026, 3, 1, 12, 30, 5)


def outcome(pid=7):
    row = Process(pid=pid, parent=1, argv=("python", "run.py"), python="3.11", role="rank 1")
    snapshot = Snapshot(
        system=System(platform="linux", machine="x86_64"),
        root=pid,
        occasion="patience",
        quiet_since=1.0,
        taken=9.0,
        processes=(row,),
    )
    return Outcome(diagnosis=diagnose(snapshot), snapshot=snapshot)


def test_each_incident_gets_a_private_folder_with_all_reports(tmp_path, capsys):
    incidents = Incidents(tmp_path / "reports", "npm", "markdown", NOW)

    incidents.tell(outcome())
    incidents.tell(outcome())

    folder = tmp_path / "reports"
    assert sorted(os.listdir(folder)) == ["1-pid7", "2-pid7"]
    names = ["report.json", "report.md", "report.txt", "snapshot.json"]
    assert sorted(os.listdir(folder / "1-pid7")) == names
    modes = {(folder / "1-pid7" / name).stat().st_mode & 0o777 for name in names}
    assert modes == {0o600}
    line, _ = capsys.readouterr().err.splitlines()
    assert line.startswith("hangbisect: process 7 (rank 1) HUNG (likely): ")
    assert line.endswith(f"Report: {folder}/1-pid7/report.txt")


def test_without_a_name_a_folder_is_made_here_at_the_first_incident(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    incidents = Incidents(None, "/usr/bin/npm", "terminal", NOW)
    before = os.listdir(tmp_path)

    incidents.tell(outcome())

    assert before == []
    assert os.listdir(tmp_path) == ["hangbisect-npm-20260301-123005"]


def test_a_folder_that_holds_something_is_refused(tmp_path):
    (tmp_path / "mine").touch()

    with pytest.raises(OutputError, match="holds something already"):
        Incidents(tmp_path, "npm", "terminal", NOW)


def test_an_incident_is_never_written_over_another(tmp_path, capsys):
    folder = tmp_path / "reports"
    incidents = Incidents(folder, "npm", "terminal", NOW)
    (folder / "1-pid7").mkdir()
    (folder / "1-pid7" / "mine").write_text("kept")

    incidents.tell(outcome())

    assert os.listdir(folder) == ["1-pid7"]
    assert os.listdir(folder / "1-pid7") == ["mine"]
    assert "The report is lost: cannot write" in capsys.readouterr().err


def test_a_command_becomes_part_of_a_name():
    assert plain("/opt/my tool/run it.sh") == "run-it.sh"
    assert plain("..") == "command"
