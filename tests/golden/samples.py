"""Diagnoses of every kind that a report must be able to tell."""

from hangbisect.model import (
    Blocker,
    Diagnosis,
    Event,
    Evidence,
    Exit,
    Finding,
    Fix,
    FrameNote,
    Gap,
    Link,
    NativeFrame,
    ProcessNote,
    Step,
    System,
    Target,
    Thing,
    ThreadNote,
    ThreadRef,
)

CWD = "/home/ada/trainer"
MAIN = ThreadRef(pid=123, tid=123)
OTHER = ThreadRef(pid=123, tid=130)


def step(name: str, file: str, line: int, began: float | None = None, **more: object) -> Step:
    return Step(
        pid=123, kind="import", name=name, file=f"{CWD}/{file}", line=line, began=began, **more
    )


def target(*arguments: str, ending: Exit | None = None) -> Target:
    return Target(
        argv=(f"{CWD}/.venv/bin/python", *arguments),
        pid=123,
        python="3.11.7",
        cwd=CWD,
        exit=ending,
        interpreter=f"{CWD}/.venv/bin/python",
        interpreter_reason="the environment .venv beside the script",
    )


CHAIN = (
    step("trainer", "run.py", 3, 0.41),
    step("trainer.kernels", "trainer/__init__.py", 10, 1.2),
    step("fastops", "trainer/kernels.py", 7, 4.9),
)
FASTOPS = step("fastops", "trainer/kernels.py", 7, 4.9, chain=CHAIN)
CYCLE = (
    Link(
        waiter=MAIN,
        on=Thing(kind="join", id="130"),
        holders=(OTHER,),
        says="joins thread 130",
        at=f"{CWD}/trainer/kernels.py:7",
        evidence=("futex 0x7f21 expects 130 in task 123",),
    ),
    Link(
        waiter=OTHER,
        on=Thing(kind="loader-lock", id="0x7f3a"),
        holders=(MAIN,),
        says="waits for the loader lock",
        evidence=("futex 0x7f3a in the dynamic loader, owner 123",),
    ),
)
LOADER = Finding(
    code="HB201",
    name="loader-lock-deadlock",
    certainty="proved",
    summary="The constructor of libfastops.so joins thread 130, which needs the loader lock that "
    "the import of fastops holds.",
    blocker=Blocker(
        kind="library", id=f"{CWD}/trainer/libfastops.so", detail={"needed_by": ["fastops"]}
    ),
    wait_chain=CYCLE,
    end="cycle",
    evidence=(
        Evidence(ref="thread:123", shows="futex 0x7f21 expects 130: a native join of thread 130"),
        Evidence(ref="thread:130", shows="futex 0x7f3a in the dynamic loader, whose owner is 123"),
    ),
    fix=Fix(
        summary="Start the thread after the import, not in the library's constructor.",
        steps=(
            "Import fastops before anything that starts threads.",
            "Report it to the maintainers.",
        ),
    ),
)
STACKS = (
    ThreadNote(
        pid=123,
        tid=123,
        name="python",
        state="S",
        call="futex",
        frames=(
            FrameNote(function="<module>", file=f"{CWD}/run.py", line=3, text="import trainer"),
            FrameNote(function="<module>", file=f"{CWD}/trainer/kernels.py", line=7),
        ),
        native=(
            NativeFrame(library="/lib64/ld-linux-x86-64.so.2", symbol="_dl_init", address=0x7F20),
            NativeFrame(library=f"{CWD}/trainer/libfastops.so", symbol="start_pool()"),
            NativeFrame(library="/lib/libc.so.6", address=0x7F21),
        ),
    ),
    ThreadNote(pid=123, tid=130, state="S", call="futex", libraries=("/lib/libc.so.6",)),
)
TAIL = (
    Event(time=0.02, pid=123, tid=123, what="start", argv=("python", "run.py", "--token", "hf_x1")),
    Event(time=4.9, pid=123, tid=123, what="import", name="fastops", file=f"{CWD}/k.py", line=7),
)
PROVED = Diagnosis(
    tool="hangbisect 0.1.0",
    verdict="hung",
    certainty="proved",
    elapsed=7.31,
    stalled_at=4.92,
    target=target("run.py", "--config", "lora.yaml", "--token", "hf_abcDEF123456789"),
    step=FASTOPS,
    last_completed=step("numpy", "trainer/kernels.py", 6, 1.3),
    wait_chain=CYCLE,
    end="cycle",
    findings=(LOADER,),
    gaps=(Gap(what="native stack of thread 130", why="ptrace was refused", remedy="run as root"),),
    ended=True,
    system=System(platform="linux", machine="x86_64", kernel="6.1.0", libc="glibc 2.36"),
    environment=(("OMP_NUM_THREADS", "8"), ("HF_TOKEN", "hf_abcDEF123456789")),
    threads=STACKS,
    tail=TAIL,
)
UNKNOWN_CAUSE = Diagnosis(
    tool="hangbisect 0.1.0",
    verdict="hung",
    certainty="likely",
    elapsed=305.2,
    stalled_at=5.1,
    target=target("run.py"),
    step=Step(
        pid=123, kind="statement", name='accelerator.wait("naïve ☃")', file=f"{CWD}/run.py", line=14
    ),
    wait_chain=(
        Link(
            waiter=MAIN,
            on=Thing(kind="socket", id="10.0.0.7:29500"),
            holders=None,
            says="reads the socket to 10.0.0.7:29500",
            evidence=("recvfrom on descriptor 7",),
        ),
    ),
    end="outside",
    gaps=tuple(
        Gap(
            what=f"{what} of process 123",
            why="not permitted (Yama)",
            remedy="sudo hangbisect attach 123",
        )
        for what in ("system call", "native stack", "memory", "descriptors", "locals")
    ),
)
BELOW = ThreadRef(pid=140, tid=140)
PROCESSES = Diagnosis(
    tool="hangbisect 0.1.0",
    verdict="hung",
    certainty="likely",
    elapsed=21.0,
    stalled_at=1.0,
    target=target("-m", "trainer", "--api-key=abcdef"),
    step=Step(pid=123, kind="phase", name="waiting for a child", file=f"{CWD}/probe.py", line=5),
    wait_chain=(
        Link(
            waiter=MAIN, on=Thing(kind="child", id="140"), holders=(BELOW,),
            says="waits for process 140",
        ),
        Link(
            waiter=BELOW, on=Thing(kind="file", id="/dev/nvidia0"), holders=None,
            says="is in an ioctl",
        ),
    ),
    end="outside",
    processes=(
        ProcessNote(
            pid=123, parent=1, role="trainer", argv=("python", "-m", "trainer"), hooked=True,
            why_not_hooked=None, state="S", step=None,
        ),
        ProcessNote(
            pid=140, parent=123, role="helper", argv=("/usr/bin/nvidia-smi", "-q"), hooked=False,
            why_not_hooked="it is no Python", state="D", step=None,
        ),
    ),
)  # fmt: skip
BEFORE_PYTHON = Diagnosis(
    tool="hangbisect 0.1.0",
    verdict="hung",
    certainty="likely",
    elapsed=20.0,
    stalled_at=0.0,
    target=target("run.py"),
    step=Step(pid=123, kind="before-python", name=""),
    wait_chain=(),
    end="unknown",
)
SLOW = Diagnosis(
    tool="hangbisect 0.1.0",
    verdict="slow",
    moving=("bytes read", "CPU"),
    certainty=None,
    elapsed=62.0,
    stalled_at=None,
    target=target("run.py"),
    step=step("torch", "run.py", 1, 0.2),
    wait_chain=None,
    end=None,
)
FINISHED = Diagnosis(
    tool="hangbisect 0.1.0",
    verdict="finished",
    certainty=None,
    elapsed=3.21,
    stalled_at=None,
    target=target("run.py", ending=Exit(code=0)),
    step=None,
    wait_chain=None,
    end=None,
)
FAILED = Diagnosis(
    tool="hangbisect 0.1.0",
    verdict="failed",
    certainty=None,
    elapsed=0.8,
    stalled_at=None,
    target=target("run.py", ending=Exit(code=1)),
    step=step("yaml", "run.py", 2),
    wait_chain=None,
    end=None,
)
CRASHED = Diagnosis(
    tool="hangbisect 0.1.0",
    verdict="crashed",
    certainty=None,
    elapsed=12.4,
    stalled_at=None,
    target=target("run.py", ending=Exit(signal="SIGKILL")),
    step=step("torch", "run.py", 1, 0.2),
    last_completed=step("numpy", "run.py", 1, 0.1),
    wait_chain=None,
    end=None,
    findings=(
        Finding(
            code="HB904",
            name="died-silently",
            certainty="likely",
            summary="The process was killed by SIGKILL and could say nothing about it.",
            blocker=Blocker(kind="signal", id="SIGKILL"),
            wait_chain=(),
            end="unknown",
            evidence=(Evidence(ref="process:123", shows="wait status: killed by SIGKILL"),),
        ),
    ),
)
NEVER_STARTED = Diagnosis(
    tool="hangbisect 0.1.0",
    verdict="never-started",
    certainty=None,
    elapsed=0.0,
    stalled_at=None,
    target=Target(argv=(), pid=0, python="", cwd=""),
    step=None,
    wait_chain=None,
    end=None,
)
NOTHING_KNOWN = Diagnosis(
    tool="",
    verdict="unknown",
    certainty=None,
    elapsed=1.0,
    stalled_at=None,
    target=target("run.py"),
    step=None,
    wait_chain=None,
    end=None,
)
SAMPLES = {
    "proved": PROVED,
    "unknown-cause": UNKNOWN_CAUSE,
    "processes": PROCESSES,
    "before-python": BEFORE_PYTHON,
    "slow": SLOW,
    "finished": FINISHED,
    "failed": FAILED,
    "crashed": CRASHED,
    "never-started": NEVER_STARTED,
    "nothing-known": NOTHING_KNOWN,
}
