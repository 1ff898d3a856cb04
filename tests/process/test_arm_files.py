"""Arming and disarming: interrupted, repeated, changed, by others, and while the Python starts."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hangbisect.errors import OutputError, UsageError
from hangbisect.follow import arming, hook
from tests.process._armed import FAR, LIMIT, Environment

STARTS = 200
AGAIN = """
import json, random, sys, time
from pathlib import Path
from hangbisect.follow import arming
site = Path(sys.argv[1])
files = {name: text.encode() for name, text in json.loads(sys.stdin.read()).items()}
print("ready", flush=True)
while True:
    arming.write(files, site)
    time.sleep(random.random() / 50)
    arming.remove(site)
    time.sleep(random.random() / 50)
"""


@pytest.fixture
def env(tmp_path: Path) -> Environment:
    return Environment(sys.executable, tmp_path)


def names_in(site: Path) -> list[str]:
    """Name what lies in a folder and below."""
    return sorted(str(path.relative_to(site)) for path in site.rglob("*"))


def old_python(version: str) -> str | None:
    """Find a Python that is too old for the probe, in pyenv's folder."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    return next((str(path) for path in sorted(pyenv.glob(f"{version}.*/bin/python"))), None)


def hangbisect(*arguments: str, state: Path) -> subprocess.CompletedProcess[str]:
    """Run the command with a state folder of the test."""
    return subprocess.run(
        [sys.executable, "-m", "hangbisect", *arguments],
        env={**os.environ, "XDG_STATE_HOME": str(state)},
        cwd=state,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=LIMIT,
    )


def test_disarm_leaves_the_folder_as_it_was(env: Environment) -> None:
    before = names_in(env.site)
    env.arm()
    with env.watched():
        env.ask("pass")

    arming.remove(env.site)

    assert names_in(env.site) == before


def test_arming_twice_writes_once_and_another_scope_replaces_the_first(env: Environment) -> None:
    assert arming.write(env.files(), env.site)
    assert not arming.write(env.files(), env.site)
    assert arming.write(env.files(["run.py"]), env.site)
    assert arming.found_in(env.site) == env.files(["run.py"])


def test_disarming_twice_does_nothing_the_second_time(env: Environment) -> None:
    env.arm()

    assert arming.remove(env.site).removed
    assert arming.remove(env.site) == arming.Disarmed()


@pytest.mark.parametrize("written", [0, 1, 2])
def test_an_arm_that_was_killed_leaves_a_python_that_works(written: int, env: Environment) -> None:
    before = names_in(env.site)
    files = env.files()
    for name in list(files)[:written]:
        (env.site / name).write_bytes(files[name])
    (env.site / f".{hook.PTH}.abcd.tmp").write_bytes(b"import nonsense(")

    with env.watched():
        said = env.ask("print('well')")
    arming.remove(env.site)

    assert said == "well\n"
    assert names_in(env.site) == before


@pytest.mark.parametrize("name", [hook.PTH, hook.MODULE])
def test_a_file_that_somebody_changed_is_named_and_left(name: str, env: Environment) -> None:
    env.arm()
    with open(env.site / name, "a", encoding="ascii") as file:
        file.write("# mine\n")

    with pytest.raises(UsageError, match="somebody changed"):
        env.arm(until=FAR + 1)
    done = arming.remove(env.site)

    assert done.changed == (str(env.site / name),)
    assert list(arming.found_in(env.site)) == [name]
    assert env.ask("print('well')") == "well\n"


@pytest.mark.root
def test_what_another_user_armed_is_not_written_over(env: Environment) -> None:
    env.arm()
    for name in env.files():
        os.chown(env.site / name, 65534, 65534)

    with pytest.raises(UsageError, match="user 65534 has armed"):
        env.arm(["run.py"])

    assert not arming.write(env.files(), env.site)
    assert arming.found_in(env.site) == env.files()


@pytest.mark.skipif(not Path("/sys/kernel").is_dir(), reason="no file system that is read-only")
def test_a_folder_that_cannot_be_written_to_is_told_with_the_next_way(env: Environment) -> None:
    with pytest.raises(OutputError, match="cannot be written to") as caught:
        arming.write(env.files(), Path("/sys/kernel"))

    assert "hangbisect run" in caught.value.help
    assert "--user" in caught.value.help


@pytest.mark.timeout(170)
def test_a_python_starts_200_times_while_it_is_armed_disarmed_and_both_are_killed(
    env: Environment,
) -> None:
    texts = json.dumps({name: data.decode() for name, data in env.files().items()})
    outcomes = set()
    with env.watched():
        for _ in range(STARTS // 20):
            with subprocess.Popen(
                [sys.executable, "-c", AGAIN, str(env.site)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            ) as again:
                assert again.stdin is not None
                assert again.stdout is not None
                again.stdin.write(texts)
                again.stdin.close()
                assert again.stdout.readline() == "ready\n"
                for _ in range(20):
                    ran = env.run("-c", "print('well')")
                    outcomes.add((ran.returncode, ran.stdout, ran.stderr))
                again.kill()

    assert outcomes == {(0, "well\n", "")}
    assert 0 < len(env.recorded()) < STARTS
    arming.remove(env.site)
    assert names_in(env.site) == []


@pytest.mark.parametrize("version", ["2.7", "3.6", "3.7"])
def test_a_python_that_is_too_old_sees_nothing(version: str, env: Environment) -> None:
    python = old_python(version)
    if python is None:
        pytest.skip(f"no Python {version}")
    folder = env.work / "site"
    folder.mkdir()
    for name, data in env.files().items():
        (folder / name).write_bytes(data)
    code = (
        f"import site, sys; site.addsitedir({str(folder)!r}); "
        "print('_hangbisect_gate' in sys.modules); "
        "import _hangbisect_gate; print(_hangbisect_gate.start())"
    )

    with env.watched():
        ran = subprocess.run(
            [python, "-B", "-c", code], capture_output=True, text=True, timeout=LIMIT
        )

    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "False\nNone\n", "")
    assert env.recorded() == set()


def test_the_command_says_what_it_wrote_lists_it_and_removes_it(env: Environment) -> None:
    state = env.work

    armed = hangbisect("arm", env.python, "--for", "run.py", "--until", "8h", state=state)
    listed = hangbisect("arm", "--list", state=state)
    disarmed = hangbisect("disarm", env.python, state=state)
    empty = hangbisect("arm", "--list", state=state)

    assert (armed.returncode, armed.stderr) == (0, "")
    assert all(str(env.site / name) in armed.stdout for name in (hook.PTH, hook.MODULE))
    assert f"hangbisect disarm {env.python}" in armed.stdout
    assert listed.stdout.startswith(f"{env.python}: armed, until ")
    assert "`run.py`" in listed.stdout
    assert str(env.site / hook.PTH) in disarmed.stdout
    assert empty.stdout == "Nothing is armed.\n"
    assert names_in(env.site) == []


def test_the_command_disarms_a_python_that_is_broken_by_now(env: Environment) -> None:
    hangbisect("arm", env.python, state=env.work)
    Path(env.python).unlink()
    Path(env.python).write_text("broken", encoding="ascii")
    Path(env.python).chmod(0o755)

    done = hangbisect("disarm", env.python, state=env.work)

    assert (done.returncode, done.stderr) == (0, "")
    assert names_in(env.site) == []


def test_what_is_listed_is_looked_at_anew(env: Environment) -> None:
    hangbisect("arm", env.python, state=env.work)
    (env.site / hook.MODULE).unlink()

    listed = hangbisect("arm", "--list", state=env.work)
    done = hangbisect("disarm", "--all", state=env.work)

    assert f"{env.python}: incomplete" in listed.stdout
    assert done.returncode == 0
    assert names_in(env.site) == []


def test_a_changed_file_gives_another_exit_status(env: Environment) -> None:
    hangbisect("arm", env.python, state=env.work)
    (env.site / hook.PTH).write_text("# mine\n", encoding="ascii")

    done = hangbisect("disarm", env.python, state=env.work)

    assert done.returncode == 1
    assert "Left, because somebody changed it" in done.stdout


def test_with_user_the_own_packages_folder_is_armed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    python = str(Path(sys.base_prefix, "bin", "python3"))

    armed = hangbisect("arm", "--user", python, state=tmp_path)
    listed = hangbisect("arm", "--list", state=tmp_path)
    disarmed = hangbisect("disarm", python, state=tmp_path)

    assert (armed.returncode, armed.stderr) == (0, "")
    assert f"  in {tmp_path / '.local'}" in listed.stdout
    assert disarmed.returncode == 0
    assert list(tmp_path.rglob("*hangbisect_gate*")) == []


def test_an_environment_has_no_packages_folder_of_the_user(env: Environment) -> None:
    refused = hangbisect("arm", "--user", env.python, state=env.work)

    assert refused.returncode == 2
    assert "leave --user out" in refused.stderr
    assert names_in(env.site) == []
