"""The processes of the tree, from a /proc of files."""

from pathlib import Path

from hangbisect.host._protocol import Question
from hangbisect.host.proc import Proc
from hangbisect.host.tree import tree_of

FAMILY = {10: 1, 11: 10, 12: 11, 13: 10, 20: 1, 21: 20}
"""Parents by pid."""


def write(root: Path, *, lists: bool) -> Proc:
    """Write a /proc, with or without the lists of children that some kernels keep."""
    if lists:
        (root / "thread-self").mkdir()
        (root / "thread-self" / "children").write_text("")
    for pid, parent in FAMILY.items():
        task = root / str(pid) / "task" / str(pid)
        task.mkdir(parents=True)
        fields = " ".join(["0"] * 20)
        (root / str(pid) / "stat").write_text(f"{pid} (p) S {parent} {fields}")
        if lists:
            children = [str(child) for child, its in FAMILY.items() if its == pid]
            (task / "children").write_text(" ".join(children))
    return Proc(str(root))


def test_all_descendants_and_the_extra_ones_are_found_either_way(tmp_path: Path) -> None:
    question = Question(root=10, extra=(20, 99))
    (tmp_path / "with").mkdir()
    (tmp_path / "without").mkdir()

    found = [
        tuple(tree_of(write(tmp_path / "with", lists=True), question)),
        tuple(tree_of(write(tmp_path / "without", lists=False), question)),
    ]

    assert found == [(10, 20, 11, 13, 21, 12)] * 2


def test_what_is_left_out_is_left_out_with_all_below_it(tmp_path: Path) -> None:
    question = Question(root=10, leave_out=(11,))

    assert tuple(tree_of(write(tmp_path, lists=True), question)) == (10, 13)
