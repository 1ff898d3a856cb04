import io

from hangbisect.model import Event
from hangbisect.watch.log import Log, log_line, plain


def test_a_line_names_time_pid_event_module_and_place():
    event = Event(time=101.25, pid=7, tid=7, what="import", name="torch", file="/w/run.py", line=3)

    line = log_line(event, zero=100.0, wall=1_700_000_000.0)

    assert line.endswith(".250 7 import torch (/w/run.py:3)")


def test_what_is_not_plain_ascii_is_escaped():
    assert plain("a\nb\x1b[2Jé") == "a\\nb\\x1b[2J\\xe9"


def test_a_log_that_cannot_be_written_is_a_warning(tmp_path):
    warnings = []

    log = Log(tmp_path / "missing" / "x.log", None, warnings.append)
    log.write("line")
    log.close()

    assert len(warnings) == 1


def test_lines_reach_the_file_at_once_and_stderr_too(tmp_path):
    echo = io.StringIO()
    log = Log(tmp_path / "x.log", echo, lambda text: None)

    log.write("line")

    assert (tmp_path / "x.log").read_text() == "line\n"
    assert echo.getvalue() == "line\n"
    log.close()


def test_a_new_log_is_private(tmp_path):
    log = Log(tmp_path / "x.log", None, lambda text: None)
    log.close()

    assert (tmp_path / "x.log").stat().st_mode & 0o077 == 0


def test_a_start_names_the_command_with_its_secrets_masked():
    event = Event(time=1.0, pid=7, tid=7, what="start", argv=("run.py", "--token", "s3cr3t", "a b"))

    line = log_line(event, zero=0.0, wall=0.0)

    assert line.endswith(" 7 start run.py --token <redacted> 'a b'")


def test_a_place_without_a_line_is_a_file():
    event = Event(time=1.0, pid=7, tid=7, what="create", name="_x", file="/w/_x.so")

    assert log_line(event, zero=0.0, wall=0.0).endswith(" 7 create _x (/w/_x.so)")
