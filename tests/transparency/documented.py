"""The tests of CPython that end otherwise under the probe, each with the decision behind it."""

DOCUMENTED: dict[str, str] = {
    "test_faulthandler.FaultHandlerTests.test_env_var": (
        "it wants faulthandler.is_enabled() to be false: the probe enables it, into a file of its "
        "own, unless the program did, because a process that cannot be read from outside can then "
        "still be asked for its stack when it is ended (docs/decisions/0001)"
    ),
    "test_subprocess.POSIXProcessTestCase.test_pass_fds_redirected": (
        "its child lists every open descriptor up to the limit, and so sees the one for "
        "faulthandler's dump, at 1000 or above: lower numbers are as bare, and it is closed on exec"
    ),
}
"""End of the test's full name, and why it differs."""
