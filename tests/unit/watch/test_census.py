import msgspec

from hangbisect.watch.census import Member, descendants, parse
from hangbisect.watch.terminal import owns_terminal, stopped_with


def process(pid: int, parent: int, state: str = "S", group: int = 1, threads: int = 1) -> Member:
    return Member(
        pid=pid,
        began=pid,
        parent=parent,
        group=group,
        foreground=1,
        command="python",
        state=state,  # type: ignore[arg-type]
        threads=threads,
    )


def test_a_command_may_hold_blanks_and_brackets() -> None:
    line = "42 (a) b (c) T 7 41 41 1026 43 0 0 0 0 0 1 2 0 0 20 0 3 0 987654 0 0"

    member = parse(line)

    assert member == Member(
        pid=42,
        began=987654,
        parent=7,
        group=41,
        foreground=43,
        command="a) b (c",
        state="T",
        threads=3,
    )


def test_descendants_come_after_their_parents_and_nobody_else_comes() -> None:
    table = [process(5, 3), process(3, 2), process(2, 1), process(9, 1), process(4, 2)]

    found = [member.pid for member in descendants(table, (2,))]

    assert found == [2, 3, 4, 5]


def test_what_is_below_a_process_that_is_gone_still_belongs() -> None:
    table = [process(2, 1, "Z"), process(3, 2)]

    assert [member.pid for member in descendants(table, (2,))] == [3]


def test_a_process_whose_first_thread_has_ended_is_not_gone() -> None:
    table = [process(2, 1, "Z", threads=4)]

    assert [member.pid for member in descendants(table, (2,))] == [2]


def test_two_roots_one_below_the_other_are_counted_once() -> None:
    table = [process(2, 1), process(3, 2)]

    assert [member.pid for member in descendants(table, (2, 3, 2))] == [2, 3]


def test_only_the_stopped_ones_of_the_group_are_continued() -> None:
    table = [process(2, 1, "T"), process(3, 1, "S"), process(4, 1, "T", group=9)]

    assert stopped_with(1, table) == (table[0],)


def test_the_foreground_group_owns_the_terminal() -> None:
    member = process(2, 1, group=1)

    assert owns_terminal(member)
    assert not owns_terminal(msgspec.structs.replace(member, foreground=7))
