"""What each process is to the program."""

import pytest

from hangbisect.model import Process
from hangbisect.watch.roles import rank, roles


def python(pid, parent, *argv, **variables):
    pairs = tuple((name, str(value)) for name, value in variables.items())
    return Process(pid=pid, parent=parent, python="3.11", argv=argv, variables=pairs)


def test_the_processes_of_an_elastic_run_are_named():
    rows = (
        Process(pid=1, parent=0, argv=("bash", "go.sh")),
        python(2, 1, "python", "/ve/bin/torchrun", "--nproc-per-node", "2", "train.py"),
        python(3, 2, "python", "-u", "train.py", RANK=0),
        python(4, 2, "python", "-u", "train.py", RANK=1),
        python(5, 4, "python", "-u", "train.py", RANK=1),
        python(6, 4, "python", "-c", "from multiprocessing.resource_tracker import main", RANK=1),
        Process(pid=7, parent=3, argv=("ninja",)),
    )

    assert roles(rows, {}, loading={5}) == {
        1: "launcher",
        2: "elastic agent",
        3: "rank 0",
        4: "rank 1",
        5: "DataLoader worker",
        6: "resource tracker",
        7: "helper",
    }


def test_a_server_with_a_button_is_a_launcher():
    rows = (
        python(2, 1, "python", "gui.py"),
        python(3, 2, "python", "/ve/bin/accelerate", "launch", "train.py"),
        python(4, 3, "python", "train.py"),
        python(5, 4, "python", "-m", "pip", "list"),
    )

    assert tuple(roles(rows, {}).values()) == ("launcher", "launcher", "trainer", "helper")


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({"RANK": "3", "LOCAL_RANK": "1"}, "3"),
        ({"LOCAL_RANK": "1"}, "1"),
        ({"OMPI_COMM_WORLD_RANK": "2"}, "2"),
        ({"SLURM_PROCID": "1", "SLURM_NTASKS": "4"}, "1"),
        ({"SLURM_PROCID": "0", "SLURM_NTASKS": "1"}, ""),
        ({"RANK": "zero"}, ""),
        ({}, ""),
    ],
)
def test_a_rank_is_told_by_its_variables(variables, expected):
    assert rank(variables) == expected
