"""What the kernel's log says of deaths."""

import pytest

from hangbisect.model import KernelWord
from hangbisect.watch.kernel_words import kernel_words

GROUP = (
    "Memory cgroup out of memory: Killed process 28139 (python3) total-vm:191528kB, "
    "anon-rss:176896kB, file-rss:5920kB, shmem-rss:0kB, UID:0 pgtables:412kB oom_score_adj:0"
)
MACHINE = "Out of memory: Killed process 7 (python) total-vm:9kB, anon-rss:8kB"
OLD = "Killed process 7 (python) total-vm:9kB, anon-rss:8kB, file-rss:0kB"
SEGFAULT = (
    "python[17301]: segfault at 10 ip 00007fd35176a03c sp 00007fd35103cde0 error 4 in "
    "libpython3.13.so.1.0[16a03c,7fd351686000+2ac000] likely on CPU 1 (core 1, socket 0)"
)
OLD_SEGFAULT = "python[5]: segfault at 10 ip 00007f000103c0 sp 00 error 4 in a.so[7f00010000+2ac00]"
TRAP = "traps: python[5] trap invalid opcode ip:7f0103c sp:7f error:0 in avx.so[3c,7f01000+1000]"


@pytest.mark.parametrize("line", [GROUP, MACHINE, OLD])
def test_a_kill_for_want_of_memory_names_the_process(line: str) -> None:
    pid = 28139 if line is GROUP else 7

    assert kernel_words([line]) == (KernelWord(pid=pid, about="memory", text=line),)


@pytest.mark.parametrize(
    ("line", "pid", "library", "offset"),
    [
        (SEGFAULT, 17301, "libpython3.13.so.1.0", 0x16A03C),
        (OLD_SEGFAULT, 5, "a.so", 0x3C0),
        (TRAP, 5, "avx.so", 0x3C),
        ("python[5]: segfault at 0 ip 00 sp 00 error 14 likely on CPU 0", 5, "", None),
    ],
)
def test_a_fault_names_the_library_and_where_in_it(
    line: str, pid: int, library: str, offset: int | None
) -> None:
    expected = KernelWord(pid=pid, about="fault", text=line, library=library, offset=offset)

    assert kernel_words([line]) == (expected,)


def test_other_lines_say_nothing_of_a_death() -> None:
    lines = (
        "",
        "python (28861): drop_caches: 1",
        "oom-kill:constraint=CONSTRAINT_MEMCG,task=python3,pid=28139,uid=0",
        "Code: f6 0f 84 9f 00 00 00 55 53 48 89 f3",
    )

    assert kernel_words(lines) == ()
