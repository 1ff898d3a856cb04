"""Text about descriptors, mounts and locks."""

import sys

import pytest

from hangbisect.host.fdinfo import FdInfo, Watched, parse_fdinfo
from hangbisect.host.holders import Holding, hides_others
from hangbisect.host.lock_lines import Held, parse_lock, parse_locks
from hangbisect.host.locks import locked_files, locks_on
from hangbisect.host.mounts import device_of, mount_of, parse_mounts
from hangbisect.model import Descriptor, FileLock

if sys.platform == "win32":
    pytest.skip("device numbers are POSIX", allow_module_level=True)

DEVICE = device_of("fe:00", 16)
LOCKS = """\
1: FLOCK  ADVISORY  WRITE 50 fe:00:77 0 EOF
1: -> FLOCK  ADVISORY  WRITE 60 fe:00:77 0 EOF
2: POSIX  ADVISORY  WRITE 51 fe:00:78 0 EOF
3: OFDLCK ADVISORY  READ -1 fe:00:79 0 EOF
4: NEWKIND ADVISORY READ 9 fe:00:80 0 EOF
"""
MOUNTS = """\
24 1 254:0 / / rw,relatime - ext4 /dev/vda rw
25 24 0:40 / /mnt/my\\040data rw shared:3 - nfs4 server:/x rw,hard
26 24 0:41 / /mnt/my\\040data/fast rw - tmpfs tmpfs rw
torn line
"""


def descriptor(pid: int, fd: int, inode: int) -> Descriptor:
    return Descriptor(
        pid=pid, fd=fd, kind="file", target=f"/l/{inode}", inode=inode, device=DEVICE, mode="rw"
    )


def test_fdinfo_tells_mode_mount_position_inode_and_what_is_watched() -> None:
    text = (
        "pos:\t42\nflags:\t02000001\nmnt_id:\t15\nino:\t1030\n"
        "tfd:        4 events:       19 data: 4  pos:0 ino:a1 sdev:9\n"
    )

    assert parse_fdinfo(text) == FdInfo(
        mode="w", mount=15, position=42, inode=1030, watched=(Watched(fd=4, inode=0xA1),)
    )


def test_fdinfo_of_an_older_kernel_has_no_inode() -> None:
    assert parse_fdinfo("pos:\t0\nflags:\t0100002\nmnt_id:\t9\n").inode is None


def test_a_lock_line_in_fdinfo_is_read() -> None:
    info = parse_fdinfo("flags:\t0100002\nlock:\t1: FLOCK  ADVISORY  WRITE 50 fe:00:77 0 EOF\n")

    assert info.locks == (Held(kind="flock", pid=50, device=DEVICE, inode=77),)


def test_who_waits_is_told_from_who_holds() -> None:
    held = parse_locks(LOCKS)

    assert [(each.kind, each.pid, each.waits) for each in held] == [
        ("flock", 50, False),
        ("flock", 60, True),
        ("posix", 51, False),
        ("ofd", -1, False),
    ]


def test_a_torn_lock_line_is_nothing() -> None:
    assert parse_lock("1: FLOCK ADVISORY") is None


def test_the_holders_of_a_flock_are_those_who_have_the_open_file() -> None:
    held = parse_locks(LOCKS)
    rows = [descriptor(60, 3, 77), descriptor(60, 4, 78), descriptor(60, 5, 99)]
    child = Holding(descriptor=descriptor(55, 3, 77), locks=(held[0],))
    reader = Holding(descriptor=descriptor(56, 3, 77))

    locks = tuple(locks_on(locked_files(rows, held), held, [child, reader], alive={51}))

    assert locks == (
        FileLock(kind="flock", path="/l/77", inode=77, device=DEVICE, holders=(55,), waiters=(60,)),
        FileLock(kind="posix", path="/l/78", inode=78, device=DEVICE, holders=(51,)),
    )


def test_a_holder_that_cannot_be_looked_at_is_who_took_the_lock_if_it_lives() -> None:
    held = parse_locks(LOCKS)
    files = {(DEVICE, 77): "/l/77"}

    alive = tuple(locks_on(files, held, (), alive={50}))
    dead = tuple(locks_on(files, held, (), alive=set()))

    assert (alive[0].holders, dead[0].holders) == ((50,), ())


@pytest.mark.parametrize(
    ("path", "filesystem", "remote"),
    [
        pytest.param("/home/x", "ext4", False, id="the root"),
        pytest.param("/mnt/my data/x", "nfs4", True, id="another machine"),
        pytest.param("/mnt/my data/fast/x", "tmpfs", False, id="the innermost wins"),
        pytest.param("/mnt/my database", "ext4", False, id="a name that only begins alike"),
    ],
)
def test_the_mount_of_a_path_is_found_without_touching_it(
    path: str, filesystem: str, remote: bool
) -> None:
    mount = mount_of(path, parse_mounts(MOUNTS))

    assert mount is not None
    assert (mount.filesystem, mount.is_remote) == (filesystem, remote)


@pytest.mark.parametrize(
    ("options", "user", "answer"),
    [
        pytest.param("rw,hidepid=invisible", 1000, True, id="others are not listed"),
        pytest.param("rw,hidepid=2", 1000, True, id="older kernel"),
        pytest.param("rw,hidepid=2", 0, False, id="root sees all"),
        pytest.param("rw", 1000, False, id="all are listed"),
    ],
)
def test_a_proc_that_hides_other_users_is_known(options: str, user: int, answer: bool) -> None:
    mounts = f"30 24 0:21 / /proc rw,nosuid - proc proc {options}\n"

    assert hides_others(mounts, user) is answer
