"""Build an extension of many files, one compiler at a time, until the time is over."""

import os
import shutil
import subprocess
import sys
import time

SOURCE = "\n".join(
    f"int f{i}(int *x) {{ int s = 0; for (int i = 0; i < {i}; i++) s += x[i] * {i}; return s; }}"
    for i in range(800)
)
FILES = 40
end = time.monotonic() + float(sys.argv[2])
folder = os.path.join(sys.argv[3], "build")


def build():
    rules = ["rule cc\n command = gcc -O2 -c $in -o $out\n"]
    os.makedirs(folder)
    for i in range(FILES):
        with open(f"{folder}/part{i}.c", "w") as file:
            file.write(SOURCE)
        rules.append(f"build part{i}.o: cc part{i}.c\n")
    with open(f"{folder}/build.ninja", "w") as file:
        file.write("\n".join(rules))
    command = ["ninja", "-j", "1"]
    ninja = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL)
    while ninja.poll() is None and time.monotonic() < end:
        time.sleep(0.05)
    ninja.terminate()
    ninja.wait()
    shutil.rmtree(folder)


while time.monotonic() < end:
    build()
