"""Names that only POSIX or Linux has are used in few files, each of them on this list."""

import ast
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "hangbisect"

ALLOWED = frozenset(
    {
        "follow/arming.py",
        "follow/gate.py",
        "host/borrow.py",
        "host/clocks.py",
        "host/holders.py",
        "host/memory_group.py",
        "host/ptrace.py",
        "host/rights.py",
        "probe/gate/_hangbisect_gate.py",
        "watch/child.py",
        "watch/ending.py",
        "watch/exits.py",
        "watch/front.py",
        "watch/helper.py",
        "watch/helpers.py",
        "watch/keeper.py",
        "watch/release.py",
        "watch/signals.py",
        "watch/terminal.py",
        "watch/wire.py",
    }
)
"""Files, relative to the package, that may use such names: they guard them by platform."""

MODULES = frozenset({"fcntl", "grp", "posix", "pty", "pwd", "resource", "termios", "tty"})
OF_OS = """
    chown fchown fork forkpty geteuid getgid getpgid getpgrp getpriority getsid getuid killpg
    memfd_create mkfifo nice openpty pidfd_open posix_fallocate posix_spawn posix_spawnp
    register_at_fork sched_getaffinity setpgid setpriority setsid tcgetpgrp tcsetpgrp uname wait
    wait3 wait4 waitid P_ALL P_PID P_PIDFD WNOHANG WUNTRACED WCONTINUED WEXITED WIFCONTINUED
    WIFEXITED WIFSIGNALED WIFSTOPPED WEXITSTATUS WSTOPSIG WTERMSIG
"""
OF_SIGNAL = """
    SIGALRM SIGCHLD SIGCONT SIGHUP SIGKILL SIGPIPE SIGPROF SIGQUIT SIGSTOP SIGTSTP SIGTTIN SIGTTOU
    SIGUSR1 SIGUSR2 SIGVTALRM SIGWINCH SIGXCPU ITIMER_REAL SIG_BLOCK SIG_SETMASK SIG_UNBLOCK alarm
    pause pidfd_send_signal pthread_kill pthread_sigmask setitimer siginterrupt sigpending
    sigtimedwait sigwait sigwaitinfo
"""
OF_SOCKET = "AF_UNIX SCM_RIGHTS recv_fds send_fds"
OF_TIME = "CLOCK_MONOTONIC CLOCK_REALTIME clock_gettime"
NAMES = {
    "os": frozenset(OF_OS.split()),
    "signal": frozenset(OF_SIGNAL.split()),
    "socket": frozenset(OF_SOCKET.split()),
    "time": frozenset(OF_TIME.split()),
}


def posix_names(tree: ast.AST) -> set[str]:
    """Return the POSIX-only names that a file imports or reads as an attribute of their module."""
    found: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Import():
                found |= {alias.name for alias in node.names if alias.name in MODULES}
            case ast.ImportFrom(module=str(module)):
                found |= {module} & MODULES
                names = NAMES.get(module, frozenset())
                found |= {f"{module}.{alias.name}" for alias in node.names if alias.name in names}
            case ast.Attribute(value=ast.Name(id=module), attr=name) if name in NAMES.get(
                module, ()
            ):
                found.add(f"{module}.{name}")
    return found


def users() -> dict[str, list[str]]:
    """Return the files of the package that use such names, and which."""
    return {
        path.relative_to(PACKAGE).as_posix(): sorted(names)
        for path in sorted(PACKAGE.rglob("*.py"))
        if (names := posix_names(ast.parse(path.read_text(encoding="utf-8"))))
    }


def test_posix_names_stand_only_in_the_files_that_are_listed() -> None:
    unlisted = {file: names for file, names in users().items() if file not in ALLOWED}

    assert not unlisted, "use a listed file, or add this one to ALLOWED with its guard"


def test_the_list_names_no_file_that_does_without() -> None:
    assert sorted(ALLOWED - set(users())) == []


def test_a_posix_name_is_found_however_it_is_imported() -> None:
    source = "import fcntl\nfrom os import fork, path\nimport signal\nsignal.SIGKILL\nos.getpid()\n"

    assert posix_names(ast.parse(source)) == {"fcntl", "os.fork", "signal.SIGKILL"}
