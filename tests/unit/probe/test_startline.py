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


SHAPES = [
    ["--wandb-key={}"],
    ["--url", "https://me:{}@host/?api_key={}&x=1"],
    ["--url=https://me:a@{}@host/"],
    ["https://{}@host/", "https://host/x?sig={}"],
    ["a https://host/x https://me:{}@host"],
    ["--auth", "Bearer {}"],
    ["--pass", "{}"],
    ["--bearer", "{}"],
    ["--passwd={}"],
    ["--pwd", "{}"],
    ["--credentials", "{}"],
    ["Authorization: Bearer {}"],
    ["-H", "Cookie: {}"],
    ["MYSQL_PWD={}"],
    ['{{"token": "{}"}}'],
    ["db.password: {}"],
    ["-c", "login(token='{}')"],
    ["-c", "os.environ['HF_TOKEN'] = '{}'"],
    ["auth", "{}"],
    ["curl -u me:{} host"],
    ["-u", "me:{}"],
    ["sh -c 'run.py --password {}'"],
]
TOKENS = [
    "hf_CaNaRyCaNaRy1234567890",
    "sk-proj-CaNaRy0123456789abcd",
    "ghp_CaNaRy0123456789CaNaRy0123456789abcd",
    "AKIACANARY0123456789",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJjYW5hcnkifQ.c2lnbmF0dXJl-canary",
    "0123456789abcdef0123456789abcdef0caca0ba",
    "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
]


@pytest.mark.parametrize("shape", SHAPES, ids=" ".join)
@pytest.mark.parametrize("secret", ["hunter2", *TOKENS])
def test_no_named_secret_comes_through(shape: list[str], secret: str) -> None:
    given = [part.format(secret, secret) for part in shape]

    assert secret not in " ".join(startline.mask(["python", "run.py", *given]))


@pytest.mark.parametrize("frame", ["{}", "a {} b", "f('{}')", "x={}", "['{}']"])
@pytest.mark.parametrize("secret", TOKENS)
def test_a_token_is_known_by_its_form(frame: str, secret: str) -> None:
    assert secret not in startline.mask([frame.format(secret)])[0]


@pytest.mark.parametrize(
    "variable",
    [
        "PYTHONX=password=hunter2",
        "XDG_SESSION_COOKIE=hunter2",
        "HF_HUB_CACHE=/x?sig=hunter2",
        "HF_ENDPOINT=https://host/?token=hunter2",
        "HF_ENDPOINT=https://me:hunter2@host",
        "PYTHONPATH=password=hunter2",
    ],
)
def test_no_secret_comes_through_in_a_variable(
    variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, _, value = variable.partition("=")
    monkeypatch.setenv(name, value)

    assert "hunter2" not in " ".join(startline.environment())


def test_only_variables_of_the_allow_list_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("RANK", "CUDA_HOME", "TORCH_TOKEN", "WANDB_API_KEY", "HOME"):
        monkeypatch.setenv(name, "1")
    names = {variable.partition("=")[0] for variable in startline.environment()}

    assert {"RANK", "CUDA_HOME"} <= names
    assert not {"TORCH_TOKEN", "WANDB_API_KEY", "HOME"} & names
