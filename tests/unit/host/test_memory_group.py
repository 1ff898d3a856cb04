"""Which control group limits the memory, from the kernel's texts."""

from pathlib import Path

from hangbisect.host.kernel_log import message
from hangbisect.host.memory_group import Group, group_of, kills, limit


def mount(top: Path, kind: str, root: str = "/") -> str:
    name, _, options = kind.partition(" ")
    return f"35 31 0:32 {root} {top} rw,relatime - {name} {name} rw,{options}\n"


def test_version_2_is_found_with_its_lowest_limit_and_its_kills(tmp_path: Path) -> None:
    inner = tmp_path / "outer" / "inner"
    inner.mkdir(parents=True)
    (inner / "memory.max").write_text("max\n")
    (tmp_path / "outer" / "memory.max").write_text("1048576\n")
    (inner / "memory.events").write_text("low 0\noom 2\noom_kill 1\n")

    group = group_of("0::/outer/inner\n", mount(tmp_path, "cgroup2"))

    assert group == Group(folder=str(inner), top=str(tmp_path), version=2)
    assert (limit(group), kills(group)) == (1048576, 1)


def test_version_1_owns_the_memory_where_both_are_there(tmp_path: Path) -> None:
    (tmp_path / "job").mkdir()
    (tmp_path / "job" / "memory.limit_in_bytes").write_text("9223372036854771712\n")
    (tmp_path / "job" / "memory.oom_control").write_text("under_oom 0\noom_kill 3\n")
    mounts = mount(tmp_path, "cgroup2") + mount(tmp_path, "cgroup memory")

    group = group_of("4:memory:/job\n0::/\n", mounts)

    assert group == Group(folder=str(tmp_path / "job"), top=str(tmp_path), version=1)
    assert (limit(group), kills(group)) == (None, 3)


def test_a_container_sees_its_group_as_the_mount_itself(tmp_path: Path) -> None:
    group = group_of("0::/../elsewhere\n", mount(tmp_path, "cgroup2", "/docker/1"))

    assert group == Group(folder=str(tmp_path), top=str(tmp_path), version=2)


def test_no_group_without_a_mount_or_a_path(tmp_path: Path) -> None:
    assert group_of("0::/a\n", "") is None
    assert group_of("", mount(tmp_path, "cgroup2")) is None
    assert group_of("4:cpu:/a\n", mount(tmp_path, "cgroup memory")) is None


def test_only_the_kernels_own_messages_count() -> None:
    assert message(b"6,1,2,-;Out of memory\n SUBSYSTEM=x\n") == "Out of memory"
    assert message(b"14,1,2,-;Out of memory: a program says so\n") == ""
    assert message(b"nonsense") == ""
