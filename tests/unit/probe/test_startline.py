"""The start-up line: what is masked and what is kept."""

import pytest

from hangbisect.probe import startline

CASES = {
    "an option's value": (["--token", "abc"], ["--token", "***"]),
    "an option's value after =": (["--api-key=abc"], ["--api-key=***"]),
    "an assignment": (["HF_TOKEN=abc"], ["HF_TOKEN=***"]),
    "an option without a value": (["--use-auth", "--lr", "1"], ["--use-auth", "--lr", "1"]),
    "a known token": (["hf_" + "a" * 30], ["***"]),
    "a known token inside": (["x hf_" + "a" * 30], ["x ***"]),
    "a word that only begins like one": (["sk-learn"], ["sk-learn"]),
    "a URL's password": (["http://u:p@host/x"], ["http://***@host/x"]),
    "a URL with an @ in its path": (["http://host/a@b"], ["http://host/a@b"]),
    "ordinary things": (["run.py", "--lr=0.1", "a b"], ["run.py", "--lr=0.1", "a b"]),
}


@pytest.mark.parametrize(("given", "masked"), CASES.values(), ids=CASES)
def test_secrets_are_masked_and_nothing_else(given: list[str], masked: list[str]) -> None:
    assert startline.mask(given) == masked


def test_only_variables_of_the_allow_list_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("RANK", "CUDA_HOME", "TORCH_TOKEN", "WANDB_API_KEY", "HOME"):
        monkeypatch.setenv(name, "1")
    names = {variable.partition("=")[0] for variable in startline.environment()}

    assert {"RANK", "CUDA_HOME"} <= names
    assert not {"TORCH_TOKEN", "WANDB_API_KEY", "HOME"} & names
