from hangbisect.model import Call, Flight, Frame, Local, Span, Step, Thread
from hangbisect.watch.steps import last_step, lines_of, step_of, with_vforked

LIB = "/usr/lib/python3.11/"


def body(file, line):
    return Frame(function="<module>", file=file, line=line)


def importing(name):
    return Frame(
        function="_find_and_load",
        file="<frozen importlib._bootstrap>",
        line=1176,
        locals=(Local(name="name", text=name),),
    )


def call(function, file, line):
    return Frame(function=function, file=file, line=line)


def step(frames, flight=None, texts=None):
    return step_of(7, flight, frames, 7, texts or {}, 100.0)


def places(found):
    return [(s.kind, s.name, s.file, s.line) for s in found.chain]


def test_an_import_that_never_returns_is_the_step():
    found = step([body("/w/run.py", 3), importing("fastops")])

    assert (found.kind, found.name, found.file, found.line) == ("import", "fastops", "/w/run.py", 3)


def test_the_chain_of_imports_leads_to_the_statement():
    frames = [
        body("/w/run.py", 2),
        importing("a"),
        body("/w/a.py", 5),
        call("join", LIB + "threading.py", 1119),
    ]

    found = step(frames, texts={("/w/a.py", 5): "t.join()"})

    assert places(found) == [
        ("import", "a", "/w/run.py", 2),
        ("statement", "t.join()", "/w/a.py", 5),
    ]


def test_a_statement_goes_on_to_the_innermost_line_of_the_users_own_code():
    frames = [
        body("/w/run.py", 90),
        call("main", "/w/run.py", 60),
        call("get", LIB + "queue.py", 171),
    ]

    found = step(frames, texts={("/w/run.py", 90): "main()", ("/w/run.py", 60): "batch = q.get()"})

    assert places(found) == [
        ("statement", "main()", "/w/run.py", 90),
        ("statement", "batch = q.get()", "/w/run.py", 60),
    ]


def test_lines_of_installed_packages_are_not_the_users_step():
    frames = [
        body("/w/run.py", 4),
        call("init_process_group", "/v/lib/python3.11/site-packages/torch/d.py", 9),
    ]

    assert (step(frames).file, step(frames).line) == ("/w/run.py", 4)


def test_an_import_inside_a_function_of_the_user_is_named():
    frames = [body("/w/run.py", 9), call("main", "/w/run.py", 5), importing("torch")]

    assert places(step(frames))[-1] == ("import", "torch", "/w/run.py", 5)


PTH = "/v/lib/x.pth"
IN_PTH = (
    call("main", "<frozen site>", 1),
    Frame(
        function="addpackage",
        file="<frozen site>",
        line=187,
        locals=(Local(name="fullname", text=PTH),),
    ),
    body("<string>", 1),
)


def test_a_pth_line_is_named_by_its_file_and_the_line_that_imports():
    lines = ("# import slow_hook", "import first", "import sys; import slow_hook", "/a/path")
    texts = {(PTH, n): text for n, text in enumerate(lines, 1)}

    found = step([*IN_PTH, importing("slow_hook")], texts=texts)

    assert (found.kind, found.name, found.file, found.line) == ("import", "slow_hook", PTH, 3)


def test_a_statement_of_a_pth_line_is_told_whole():
    texts = {(PTH, 1): "/a/path", (PTH, 2): "import time; time.sleep(1e9)"}

    found = step(IN_PTH, texts=texts)

    assert (found.kind, found.name, found.line) == ("statement", texts[(PTH, 2)], 2)


def test_of_a_pth_file_that_could_not_be_read_the_line_is_the_first():
    assert places(step(IN_PTH)) == [("statement", "", PTH, 1)]
    assert lines_of(IN_PTH)[:2] == ((PTH, 1), (PTH, 2))


def test_without_a_stack_the_record_answers():
    span = Span(kind="import", name="torch", file="/w/run.py", line=1, tid=7, began=101.5)

    found = step((), Flight(pid=7, parent=1, began=100.0, open=(span,)))

    assert found == Step(
        pid=7, kind="import", name="torch", file="/w/run.py", line=1, began=1.5, chain=found.chain
    )


def test_without_a_stack_the_entry_statement_is_the_step_when_no_import_is_open():
    entry = Span(kind="statement", name="", file="/w/run.py", line=12, tid=7, began=103.0)

    found = step(
        (), Flight(pid=7, parent=1, began=100.0, entry=entry), {("/w/run.py", 12): "q.get()"}
    )

    assert (found.kind, found.name, found.line) == ("statement", "q.get()", 12)


def test_before_the_probe_came_up_there_is_no_step_to_name():
    assert step(()).kind == "before-python"


def test_the_last_completed_import_is_told():
    flight = Flight(
        pid=7,
        parent=1,
        began=100.0,
        last=Span(
            kind="import", name="json", file="/w/run.py", line=1, tid=7, began=100.5, ended=100.6
        ),
    )

    assert last_step(7, flight, 100.0) == Step(
        pid=7, kind="import", name="json", file="/w/run.py", line=1, began=0.5
    )


def test_a_child_of_vfork_has_its_parents_step():
    waits = Thread(pid=7, tid=7, state="D", call=Call(name="vfork", child=9))
    parents = step([body("/w/run.py", 3)], texts={("/w/run.py", 3): "spawn()"})

    found = with_vforked({7: parents, 9: step_of(9, None, (), 9, {}, 0.0)}, (waits,))

    assert found[7] == parents
    assert (found[9].pid, found[9].name, found[9].line) == (9, "spawn()", 3)
    assert [link.pid for link in found[9].chain] == [9]


def test_a_forked_child_that_shares_no_memory_keeps_its_own_step():
    waits = Thread(pid=7, tid=7, state="S", call=Call(name="wait4", child=9))
    own = step_of(9, None, (), 9, {}, 0.0)

    assert with_vforked({7: step([body("/w/run.py", 3)]), 9: own}, (waits,))[9] == own


def test_a_function_called_at_exit_is_the_step_once_the_script_is_over():
    entry = Span(kind="statement", name="", file="/w/run.py", line=12, tid=7, began=103.0)
    flight = Flight(pid=7, parent=1, began=100.0, entry=entry)

    found = step([call("flush", "/w/run.py", 4)], flight, {("/w/run.py", 4): "lock.acquire()"})

    assert places(found) == [("statement", "lock.acquire()", "/w/run.py", 4)]


def test_the_end_of_the_interpreter_is_a_phase():
    flight = Flight(pid=7, parent=1, began=100.0)

    found = step([call("_shutdown", LIB + "threading.py", 1590)], flight)

    assert (found.kind, found.name) == ("phase", "the end of the interpreter")
