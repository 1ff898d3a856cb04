from pathlib import Path

import pytest

from hangbisect.host.mounts import Mount
from hangbisect.watch.launch import places, probe_environment


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({}, "/inject"),
        ({"PYTHONPATH": ""}, "/inject"),
        ({"PYTHONPATH": "/a:/b"}, "/inject:/a:/b"),
        ({"PYTHONPATH": "/a:"}, "/inject:/a:"),
    ],
    ids=["unset", "empty", "set", "the user's own last colon stays"],
)
def test_our_folder_comes_first_and_no_colon_is_added_at_the_end(
    before: dict[str, str], after: str
) -> None:
    environment = {"HOME": "/root", **before}

    probed = probe_environment(environment, Path("/record"), Path("/inject"))

    assert probed == {"HOME": "/root", "PYTHONPATH": after, "HANGBISECT_FOLDER": "/record"}


def test_exact_statements_are_asked_for_only_where_wanted() -> None:
    outer = {"HANGBISECT_STATEMENTS": "exact"}

    seen = probe_environment(outer, Path("/record"), Path("/inject"))
    exact = probe_environment({}, Path("/record"), Path("/inject"), "exact")

    assert "HANGBISECT_STATEMENTS" not in seen
    assert exact == {**seen, **outer}


def mounted(**filesystems: str) -> dict[int, Mount]:
    points = {"root": "/", **{name: "/" + name.replace("_", "/") for name in filesystems}}
    kinds = {"root": "ext4", **filesystems}
    return {
        number: Mount(id=number, device=number, point=points[name], filesystem=kinds[name])
        for number, name in enumerate(kinds)
    }


@pytest.mark.parametrize(
    ("environment", "mounts", "expected"),
    [
        ({}, mounted(), ["/tmp", "/var/tmp"]),
        (
            {"XDG_RUNTIME_DIR": "/run/user/7", "TMPDIR": "/scratch"},
            mounted(),
            ["/run/user/7", "/scratch", "/tmp", "/var/tmp"],
        ),
        ({"TMPDIR": "/scratch/me"}, mounted(scratch="nfs4"), ["/tmp", "/var/tmp"]),
        ({"TMPDIR": "/dev/shm/me"}, mounted(), ["/tmp", "/var/tmp"]),
        ({"TMPDIR": "/home/me/tmp", "HOME": "/home/me"}, mounted(), ["/tmp", "/var/tmp"]),
        ({"TMPDIR": "/scratch", "HOME": "/"}, mounted(), ["/scratch", "/tmp", "/var/tmp"]),
        ({"TMPDIR": "tmp"}, mounted(), ["/tmp", "/var/tmp"]),
        ({"TMPDIR": "/x/../dev/shm"}, mounted(tmp="cifs"), ["/var/tmp"]),
    ],
    ids=[
        "nothing said",
        "in order",
        "network",
        "shared memory",
        "home",
        "home is the root",
        "relative",
        "dots, and a network /tmp",
    ],
)
def test_flight_records_go_to_a_local_place(
    environment: dict[str, str], mounts: dict[int, Mount], expected: list[str]
) -> None:
    assert list(places(environment, mounts)) == expected
