from hangbisect.host.path_facts import variables_for


def environment(**variables):
    return "\0".join(f"{name}={value}" for name, value in variables.items())


def test_a_variable_that_holds_the_path_names_it():
    assert variables_for("/w/peer", environment(PEER="/w/peer", CACHE="/w")) == ("PEER",)


def test_else_a_variable_that_holds_its_folder_does():
    assert variables_for("/w/peer", environment(CACHE="/w/")) == ("CACHE",)


def test_where_the_shell_stands_says_nothing():
    assert variables_for("/w/peer", environment(PWD="/w", HOME="/w")) == ()
