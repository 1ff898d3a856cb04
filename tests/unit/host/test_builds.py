import pytest

from hangbisect.host.builds import builds_something, counted, outputs_in
from hangbisect.model import Build

LIST = """\
rule compile
  command = g++ -c $in -o $out

build main.o: compile /src/main.cpp
build cuda$ kernels.cuda.o: compile /src/cuda$ kernels.cu | header.h
build a.o b.o | side.d: compile /src/both.c
build fast.so: link main.o $
    a.o
build all: phony fast.so
default fast.so
"""


def test_outputs_are_all_but_phony_ones():
    assert outputs_in(LIST) == ("main.o", "cuda kernels.cuda.o", "a.o", "b.o", "side.d", "fast.so")


def test_no_list_has_no_outputs():
    assert outputs_in("") == ()


def test_files_of_before_are_there_and_not_built_now():
    ages = (3.0, 3600.0, None, None)

    assert counted(7, "/build", ages, 60.0, is_listed=True) == Build(
        pid=7, folder="/build", built=1, seconds=60.0, missing=2, total=4
    )


def test_without_a_list_nothing_is_known_to_be_missing():
    assert counted(7, "/build", (3.0,), 60.0, is_listed=False) == Build(
        pid=7, folder="/build", built=1, seconds=60.0
    )


@pytest.mark.parametrize(
    ("command", "builds"),
    [
        ("/usr/bin/ninja -v", True),
        ("gcc -c a.c -o a.o", True),
        ("ptxas kernel.ptx -o kernel.cubin", True),
        ("gcc a.o -o a.so", False),
        ("sort -o names.txt", False),
        ("", False),
    ],
)
def test_a_builder_is_ninja_or_writes_an_object(command, builds):
    assert builds_something(command.split()) is builds
