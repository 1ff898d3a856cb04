"""Which processes below a command are judged by themselves."""

from hangbisect.watch.family import Being, nested, tree, unit_of, units

SPAWNED = ("python", "-c", "from multiprocessing.spawn import spawn_main", "--multiprocessing-fork")
BEINGS = {
    being.pid: being
    for being in (
        Being(pid=1, began=1, parent=0, argv=("npm", "start")),
        Being(pid=2, began=2, parent=1, python=True, argv=("python", "gui.py"), arguments_at=10),
        Being(pid=3, began=3, parent=2, argv=("sh", "-c", "python run.py")),
        Being(pid=4, began=4, parent=3, python=True, argv=("python", "run.py"), arguments_at=20),
        Being(pid=5, began=5, parent=4, python=True, argv=("python", "run.py"), arguments_at=20),
        Being(pid=6, began=6, parent=4, python=True, argv=SPAWNED, arguments_at=30),
        Being(pid=7, began=7, parent=4, python=True, argv=("python", "run.py"), arguments_at=40),
    )
}


def test_a_fork_and_a_worker_belong_to_their_program_and_a_program_run_again_does_not():
    assert {pid: unit_of(pid, BEINGS) for pid in BEINGS} == {
        1: 0,
        2: 2,
        3: 2,
        4: 4,
        5: 4,
        6: 4,
        7: 7,
    }
    assert units(BEINGS) == (7, 4, 2)
    assert nested(2, BEINGS) == (7, 4)
    assert tree(4, BEINGS) == {4, 5, 6, 7}


def test_a_worker_whose_program_is_gone_is_judged_by_itself():
    left = {6: BEINGS[6]}

    assert unit_of(6, left) == 6
