"""Takes machine states of a process for long, and says so at the first one: samples.py PID."""

import sys

from hangbisect.host import Question, states

read = states.read_registers


def read_and_say(*arguments):
    print("ready", flush=True)
    states.read_registers = read
    return read(*arguments)


states.SAMPLES, states.LONGEST, states._IN_ALL = 10**6, 60.0, 60.0
states.read_registers = read_and_say
pid = int(sys.argv[1])
list(states.states(Question(root=pid, threads=((pid, pid),))))
