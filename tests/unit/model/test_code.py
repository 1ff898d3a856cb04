"""Whose code a file is, on any machine."""

import pytest

from hangbisect.model.code import is_installed, is_own, is_standard, standard_path

STANDARD = {
    "/usr/lib/python3.11/queue.py": "queue.py",
    "/usr/lib64/python3.9/asyncio/tasks.py": "asyncio/tasks.py",
    "/home/me/.pyenv/versions/3.8.18/lib/python3.8/threading.py": "threading.py",
    "/opt/conda/envs/a/lib/python3.13t/queue.py": "queue.py",
    "/Library/Frameworks/Python.framework/Versions/3.12/lib/python3.12/queue.py": "queue.py",
    "/opt/py/lib/python311.zip/queue.py": "queue.py",
    "/opt/pypy/lib/pypy3.10/queue.py": "queue.py",
    r"C:\Python312\Lib\concurrent\futures\_base.py": "concurrent/futures/_base.py",
}
INSTALLED = (
    "/usr/lib/python3/dist-packages/queue.py",
    "/v/lib/python3.11/site-packages/queue.py",
    "/v/lib/python3.11/site-packages/kept/lib/python3.11/queue.py",
    r"C:\v\Lib\site-packages\queue.py",
)
OWN = (
    "/srv/app/queue.py",
    "/srv/app/lib/queue.py",
    "/srv/Lib/threading.py",
    "/srv/python3.11/queue.py",
    r"C:\app\queue.py",
    "queue.py",
    "<string>",
    "<stdin>",
)


@pytest.mark.parametrize(("file", "path"), STANDARD.items(), ids=STANDARD)
def test_a_file_of_the_standard_library_is_known_by_its_folder(file: str, path: str) -> None:
    assert standard_path(file) == path
    assert (is_standard(file), is_installed(file), is_own(file)) == (True, False, False)


@pytest.mark.parametrize("file", INSTALLED)
def test_an_installed_package_is_neither_the_standard_library_nor_the_users(file: str) -> None:
    assert (is_standard(file), is_installed(file), is_own(file)) == (False, True, False)


@pytest.mark.parametrize("file", OWN)
def test_what_only_has_the_name_of_a_standard_module_is_the_users(file: str) -> None:
    assert (is_standard(file), is_installed(file), is_own(file)) == (False, False, True)


def test_frozen_code_is_pythons_own() -> None:
    assert (is_standard("<frozen runpy>"), is_own("<frozen runpy>")) == (True, False)


def test_no_file_is_nobodys() -> None:
    assert (is_standard(""), is_installed(""), is_own("")) == (False, False, False)
