"""Which variables lead to a path, and what is mounted where."""

from hangbisect.host.mounts import mount_of, parse_mounts
from hangbisect.host.path_facts import variables_for

ENVIRON = "HOME=/home/user\0PEER=/scratch/peer\0URL=file:///scratch/peer\0DIR=/scratch/\0EMPTY=\0"
MOUNTS = (
    "25 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
    "31 25 0:45 / /home/user/my\\040data rw - nfs4 nas:/export rw,hard\n"
    "torn"
)


def test_variables_that_hold_the_path_itself_are_named():
    assert variables_for("/scratch/peer", ENVIRON) == ("PEER", "URL")


def test_variables_that_hold_its_folder_are_named_where_none_holds_the_path():
    assert variables_for("/scratch/other", ENVIRON) == ("DIR",)


def test_no_variable_leads_to_a_path_elsewhere_or_to_what_lies_at_the_root():
    assert variables_for("/tmp/x", ENVIRON) == ()
    assert variables_for("/x", "ROOT=/\0NONE=\0") == ()


def test_a_path_is_mounted_from_the_source_that_mountinfo_names():
    found = mount_of("/home/user/my data/set.bin", parse_mounts(MOUNTS))

    assert found is not None
    assert (found.point, found.filesystem, found.source) == (
        "/home/user/my data",
        "nfs4",
        "nas:/export",
    )
