from hangbisect.model import Flight, Frame, Thread
from hangbisect.watch.placed import placed


def thread(*files):
    frames = tuple(Frame(function="f", file=file, line=1) for file in files)
    return Thread(pid=7, tid=7, frames=frames)


def test_a_relative_file_lies_in_the_folder_where_its_process_started():
    flight = Flight(pid=7, parent=1, began=0.0, cwd="/w")

    assert placed([thread("run.py", "/x/a.py", "<string>")], [flight], "/other") == (
        thread("/w/run.py", "/x/a.py", "<string>"),
    )


def test_without_a_record_it_is_the_folder_of_the_target():
    assert placed([thread("./run.py")], [], "/other") == (thread("/other/run.py"),)
