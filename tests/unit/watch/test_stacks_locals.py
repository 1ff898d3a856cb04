import pytest

from hangbisect.model import Local
from hangbisect.model.code import is_importlib
from hangbisect.watch._locals import is_unread, keep

SCRIPT = "/srv/u/run.py"
IMPORTLIB = "<frozen importlib._bootstrap>"

KEPT = {
    "a lock of _thread": (
        "lock",
        "<_thread.lock at 0x7f00>",
        Local(name="lock", type="_thread.lock", address=0x7F00),
    ),
    "self of any type": (
        "self",
        "<Trainer at 0xab>",
        Local(name="self", type="Trainer", address=0xAB),
    ),
    "a queue": (
        "q",
        "<_queue.SimpleQueue at 0x1>",
        Local(name="q", type="_queue.SimpleQueue", address=1),
    ),
    "a thread": ("t", "<_MainThread at 0x2>", Local(name="t", type="_MainThread", address=2)),
    "a pool": (
        "ex",
        "<ThreadPoolExecutor at 0x3>",
        Local(name="ex", type="ThreadPoolExecutor", address=3),
    ),
    "an absolute path": (
        "path",
        '"/tmp/x/lock"',
        Local(name="path", type="str", text="/tmp/x/lock"),
    ),
    "a path with quotes": (
        "path",
        '"/tmp/a "b" c"',
        Local(name="path", type="str", text='/tmp/a "b" c'),
    ),
    "a path object that shows its path": (
        "path",
        "PosixPath('/tmp/x')",
        Local(name="path", type="str", text="/tmp/x"),
    ),
    "a path that was cut": ("path", '"/tmp/xxxx...', Local(name="path", type="str")),
    "a cut path with its quote": ("path", '"/tmp/xxxx..."', Local(name="path", type="str")),
    "a string that was misread": ("path", '"\x00\x00/tmp"', Local(name="path", type="str")),
    "a file with its name": (
        "f",
        "<_io.TextIOWrapper name='/tmp/f' at 0x5>",
        Local(name="f", type="_io.TextIOWrapper", address=5, text="/tmp/f"),
    ),
}

DROPPED = {
    "a number": "5",
    "nothing": "None",
    "a plain string": '"secret"',
    "a module name outside importlib": '"torch._C"',
    "a relative path": '"a/b"',
    "bytes": 'b"/tmp/x"',
    "a container": '["/tmp/x"]',
    "a dictionary": '{"k": "/tmp/x"}',
    "an object of no interest": "<function at 0x5>",
    "a word that ends like a lock": "<TextBlock at 0x5>",
    "no address": "<Queue>",
}


@pytest.mark.parametrize(("name", "text", "local"), KEPT.values(), ids=KEPT)
def test_what_says_who_waits_for_whom_is_kept(name: str, text: str, local: Local) -> None:
    assert keep({name: text}, SCRIPT) == (local,)


@pytest.mark.parametrize("text", DROPPED.values(), ids=DROPPED)
def test_everything_else_is_dropped(text: str) -> None:
    assert keep({"x": text}, SCRIPT) == ()


def test_a_modules_own_names_are_dropped() -> None:
    assert keep({"__file__": '"/tmp/x.py"', "__cached__": '"/tmp/x.pyc"'}, SCRIPT) == ()


def test_module_names_are_kept_in_importlibs_frames() -> None:
    found = keep({"name": '"torch._C"', "import_": "<function at 0x5>", "n": "5"}, IMPORTLIB)

    assert found == (Local(name="name", type="str", text="torch._C"),)


ASKED = {
    "a pattern": ("re/__init__.py", "pattern", '"^(a+)+$"', ("pattern", "^(a+)+$")),
    "a pattern like a path": ("re.py", "pattern", '"/x/(a+)+"', ("pattern", "/x/(a+)+")),
    "a long pattern": ("re.py", "pattern", f'"{"a" * 900}"', ("pattern", "a" * 200)),
    "a host": ("socket.py", "host", '"hub.example"', ("host", "hub.example")),
    "an address": ("socket.py", "address", '("10.0.0.9", 443)', ("host", "10.0.0.9")),
}
"""In a file of the standard library: a variable, what is printed of it, what is kept."""
UNASKED = {
    "the text that is matched": ("/usr/lib/python3.11/re/__init__.py", "string", '"secret"'),
    "bytes as a pattern": ("/usr/lib/python3.11/re/__init__.py", "pattern", 'b"a+"'),
    "a pattern elsewhere": ("/srv/u/re.py", "pattern", '"a+"'),
    "a host elsewhere": ("/srv/u/socket.py", "host", '"hub.example"'),
    "a login for a host": ("/usr/lib/python3.11/socket.py", "host", '"me:secret@hub"'),
    "a pattern that was misread": ("/usr/lib/python3.11/re.py", "pattern", '"\x00"'),
}


@pytest.mark.parametrize(("file", "name", "text", "kept"), ASKED.values(), ids=ASKED)
def test_what_the_standard_library_was_asked_for_is_kept(
    file: str, name: str, text: str, kept: tuple[str, str]
) -> None:
    found = keep({name: text}, f"/usr/lib/python3.11/{file}")

    assert found == (Local(name=kept[0], type="str", text=kept[1]),)


def test_what_a_rendezvous_of_torch_was_given_is_kept() -> None:
    given = {
        "hostname": '"node1.example"',
        "port": "29500",
        "timeout": "1800",
        "rank": "1",
        "world_size": "-1",
    }

    found = keep(given, "/opt/lib/python3.11/site-packages/torch/distributed/rendezvous.py")

    assert [(local.name, local.text) for local in found] == [
        ("host", "node1.example"),
        ("port", "29500"),
        ("rank", "1"),
    ]
    assert keep(given, SCRIPT) == ()


@pytest.mark.parametrize(("file", "name", "text"), UNASKED.values(), ids=UNASKED)
def test_nothing_else_of_what_it_was_given_is_kept(file: str, name: str, text: str) -> None:
    assert [local.text for local in keep({name: text}, file) if local.text] == []


def test_locals_are_sorted_by_name() -> None:
    found = keep({"b": '"/b"', "a": '"/a"'}, SCRIPT)

    assert [local.name for local in found] == ["a", "b"]


def test_a_string_that_was_not_read_whole_says_so() -> None:
    unread, read = keep({"a": '"/tmp...', "b": '"/b"'}, SCRIPT)

    assert (is_unread(unread), is_unread(read)) == (True, False)


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        (IMPORTLIB, True),
        ("<frozen importlib._bootstrap_external>", True),
        ("/usr/lib/python3.8/importlib/__init__.py", True),
        (r"C:\Python\Lib\importlib\__init__.py", True),
        ("/srv/u/importlib_helpers.py", False),
    ],
)
def test_importlibs_own_files_are_known(file: str, expected: bool) -> None:
    assert is_importlib(file) is expected
