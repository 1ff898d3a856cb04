"""No planted secret comes through, in any field and any format; what is no secret stays."""

import msgspec
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from hangbisect.model import (
    Blocker,
    Diagnosis,
    Evidence,
    Experiment,
    Finding,
    Fix,
    Gap,
    Link,
    Local,
    Process,
    ProcessNote,
    Snapshot,
    Step,
    System,
    Target,
    Thing,
    Thread,
    ThreadRef,
    codec,
)
from hangbisect.model.redact import MASK, redact, redact_argv, redact_text
from hangbisect.model.thread import Frame
from hangbisect.report import Style, formats, render
from tests.unit.model_strategies import of

CANARIES = {
    "password": "hunter2hunter2",
    "hugging face": "hf_CaNaRyCaNaRy1234567890",
    "openai": "sk-proj-CaNaRy0123456789abcd",
    "github": "ghp_CaNaRy0123456789CaNaRy0123456789abcd",
    "aws": "AKIACANARY0123456789",
    "jwt": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJjYW5hcnkifQ.c2lnbmF0dXJl-canary",
    "wandb": "0123456789abcdef0123456789abcdef0caca0ba",
}
FRAMES = [
    "--token {}",
    "--api-key={}",
    "HF_TOKEN={}",
    "WANDB_API_KEY={} python run.py",
    "password={}",
    "Authorization: Bearer {}",
    "curl -H 'Authorization: token {}' https://host",
    "https://user:{}@host/path",
    "https://{}@host/path",
    "postgresql://trainer:{}@db:5432/runs",
    "https://host/path?x=1&access_token={}&y=2",
    "https://host/path?X-Amz-Signature={}",
    'login(token="{}")',
    "os.environ['HF_TOKEN'] = '{}'",
    'os.environ.setdefault("API_KEY", "{}")',
    '{{"secret": "{}"}}',
    "dbPassword: {}",
    "client_secret = '{}'",
    "X-Api-Key: {}",
]


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("secret", CANARIES.values(), ids=CANARIES)
def test_a_secret_with_a_telling_name_is_masked(frame: str, secret: str) -> None:
    text = redact_text(frame.format(secret))

    assert secret not in text
    assert MASK in text


@pytest.mark.parametrize("name", [name for name in CANARIES if name not in ("password", "wandb")])
@pytest.mark.parametrize("frame", ["{}", "a {} b", "f('{}')", "/tmp/{}/x", "x={}"])
def test_a_token_is_known_by_its_form(frame: str, name: str) -> None:
    assert CANARIES[name] not in redact_text(frame.format(CANARIES[name]))


@pytest.mark.parametrize(
    "text",
    [
        "/usr/lib/python3.11/tokenize.py",
        "/opt/venv/lib/python3.11/site-packages/tokenizers/tokenizers.abi3.so",
        "/home/ada/.cache/huggingface/token",
        "build id 0123456789abcdef0123456789abcdef01234567",
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "pid 4242 waits for the lock /tmp/auth.lock",
        "tokenizer = AutoTokenizer.from_pretrained('gpt2')",
        "import secrets",
        "max_tokens=4096",
        "key=len",
        "for key, value in items:",
        "token = get_token()",
        "token=args.token",
        "token: str | None = None",
        "tokenizer.pad_token = tokenizer.eos_token",
        "sk-learn-contrib-packages-extra",
        "task-0123456789abcdef0123",
        "ssh://git@github.com/org/repo",
        "127.0.0.1:29500",
        "pipe:[4711]",
        "--lr 3e-4 --seed 7",
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    assert redact_text(text) == text


@pytest.mark.parametrize(
    ("argv", "masked"),
    [
        (("x", "--token", "abc", "--lr", "3"), ("x", "--token", MASK, "--lr", "3")),
        (("x", "--hub_token=abc"), ("x", f"--hub_token={MASK}")),
        (("x", "--password", "--lr", "3"), ("x", "--password", "--lr", "3")),
        (("PASSWORD=abc def", "x"), (f"PASSWORD={MASK}", "x")),
        (
            ("wandb", "login", "--relogin", CANARIES["wandb"]),
            ("wandb", "login", "--relogin", MASK),
        ),
        (("x", "--token-file", "/run/secrets/a"), ("x", "--token-file", "/run/secrets/a")),
    ],
)
def test_arguments_are_masked(argv: tuple[str, ...], masked: tuple[str, ...]) -> None:
    assert redact_argv(argv) == masked


OPTIONS = ["auth", "pass", "bearer", "passwd", "pwd", "credential", "credentials", "wandb-key"]


@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.parametrize("secret", CANARIES.values(), ids=CANARIES)
def test_the_value_of_a_telling_option_is_masked(option: str, secret: str) -> None:
    shapes = [
        (f"--{option}", secret),
        (f"--{option}", f"Bearer {secret}"),
        (f"--{option}={secret}",),
        (f"run.py --{option} {secret} --lr 3",),
        (f"run.py --{option}={secret} --lr 3",),
        (f"run.py --{option} 'Bearer {secret}'",),
    ]

    for shape in shapes:
        assert secret not in " ".join(redact_argv(shape))


@pytest.mark.parametrize("secret", CANARIES.values(), ids=CANARIES)
@pytest.mark.parametrize(
    "url",
    [
        "https://me:{}@host/?api_key={}&x=1",
        "--url=https://me:{}@host/?api_key={}&x=1",
        "https://me:a@{}@host/",
        "https://host/?x=https://me:{}@host&token={}",
    ],
)
def test_a_url_as_an_argument_loses_login_and_query(url: str, secret: str) -> None:
    argument = url.format(secret, secret)

    assert secret not in " ".join(redact_argv(("--url", argument)))


@pytest.mark.parametrize("option", ["--passes=3", "--compass=n", "--key=name", "--author=ada"])
def test_an_option_that_only_sounds_alike_stays(option: str) -> None:
    name, _, value = option.partition("=")

    assert redact_argv((option, name, value)) == (option, name, value)


def test_a_key_after_login_is_masked() -> None:
    assert redact_text(f"wandb login {CANARIES['wandb']}") == f"wandb login {MASK}"


def test_only_variables_of_the_allow_list_are_kept() -> None:
    kept = (("PYTHONPATH", "/a"), ("OMP_NUM_THREADS", "4"), ("HTTPS_PROXY", "http://u:p@proxy:1"))
    dropped = (("HF_TOKEN", "x"), ("MY_SETTING", "y"), ("PIP_PASSWORD", "z"), ("AWS_REGION", "r"))
    snapshot = Snapshot(system=SYSTEM, root=1, environment=kept + dropped)

    environment = redact(snapshot).environment

    assert environment == (*kept[:2], ("HTTPS_PROXY", f"http://{MASK}@proxy:1"))


SYSTEM = System(platform="linux", machine="x86_64")
MAIN = ThreadRef(pid=1, tid=1)


def planted(secret: str) -> Diagnosis:
    """Return a diagnosis with the secret in every place that holds text."""
    said = f"password={secret}"
    step = Step(pid=1, kind="statement", name=f"login(token='{secret}')", file="/run.py", line=1)
    link = Link(
        waiter=MAIN, on=Thing(kind="socket", id=said), holders=None, says=said, evidence=(said,)
    )
    return Diagnosis(
        tool="hangbisect 0.1.0",
        verdict="hung",
        certainty="likely",
        elapsed=1.0,
        stalled_at=0.5,
        target=Target(
            argv=("python", "--token", secret), pid=1, python="3.11", cwd=f"/x?token={secret}"
        ),
        step=step,
        last_completed=step,
        wait_chain=(link,),
        end="outside",
        findings=(
            Finding(
                code="HB502",
                name="peer-silent",
                certainty="likely",
                summary=f"https://{secret}@host does not answer",
                blocker=Blocker(kind="host", id=said, detail={"HF_TOKEN": secret, "argv": [said]}),
                wait_chain=(link,),
                end="outside",
                evidence=(Evidence(ref=said, shows=said),),
                experiments=(
                    Experiment(
                        question=said, change={"API_KEY": secret}, predicted=said, observed=(said,),
                        verdict="confirmed",
                    ),
                ),
                fix=Fix(summary=said, steps=(said,), change={"SECRET": secret}),
            ),
        ),
        processes=(
            ProcessNote(
                pid=1, parent=0, role="", argv=("x", f"--api-key={secret}"), hooked=False,
                why_not_hooked=said, state="S", step=step,
            ),
            ProcessNote(
                pid=2, parent=1, role="", argv=("x", "--secret", secret), hooked=True,
                why_not_hooked=None, state="S", step=None,
            ),
        ),
        gaps=(Gap(what=said, why=said, remedy=said),),
    )  # fmt: skip


@pytest.mark.parametrize("secret", CANARIES.values(), ids=CANARIES)
@pytest.mark.parametrize("kind", formats())
def test_no_canary_is_in_a_report_of_any_format(kind: str, secret: str) -> None:
    assert secret not in render(planted(secret), kind, Style(width=500))


@pytest.mark.parametrize("secret", CANARIES.values(), ids=CANARIES)
def test_no_canary_is_in_a_saved_file(secret: str) -> None:
    snapshot = Snapshot(
        system=SYSTEM,
        root=1,
        environment=(("HF_TOKEN", secret), ("HTTP_PROXY", f"http://a:{secret}@b")),
        processes=(Process(pid=1, parent=0, argv=("python", "-c", f"x(password='{secret}')")),),
        threads=(
            Thread(
                pid=1,
                tid=1,
                frames=(
                    Frame(
                        function="f",
                        file="/x.py",
                        line=1,
                        locals=(Local(name="p", text=f"/a?key={secret}"),),
                    ),
                ),
            ),
        ),
        sources=(("/run.py", 3, f"TOKEN = '{secret}'"),),
    )

    for document in (snapshot, planted(secret)):
        assert secret.encode() not in codec.encode(redact(document))


@given(st.text())
def test_redacting_text_twice_changes_nothing_more(text: str) -> None:
    assert redact_text(redact_text(text)) == redact_text(text)


PIECES = [
    "token",
    "password",
    "=",
    ": ",
    " ",
    "'",
    '"',
    "--",
    "https://",
    "@",
    "/",
    "?",
    "&",
    "hf_",
    "sk-",
    "login ",
]


@given(
    st.lists(st.sampled_from([*PIECES, *CANARIES.values(), MASK, "x", "[", "]", "("]), max_size=12)
)
def test_redacting_what_looks_like_secrets_twice_changes_nothing_more(pieces: list[str]) -> None:
    once = redact_text("".join(pieces))

    assert redact_text(once) == once


@settings(max_examples=40, phases=[Phase.generate])
@given(of(Snapshot) | of(Diagnosis))
def test_a_redacted_document_stays_as_it_is(document: Snapshot | Diagnosis) -> None:
    once = redact(document)

    assert redact(once) == once
    assert codec.decode(codec.encode(once)) == once


@pytest.mark.parametrize(
    "text", ["-" * 20_000, "token" * 8_000, "a=" * 10_000, "://" * 10_000, "'\\" * 10_000]
)
@pytest.mark.timeout(10)
def test_a_hostile_text_takes_no_long_time(text: str) -> None:
    redact_text(text)


def test_the_rest_of_a_document_is_untouched() -> None:
    diagnosis = msgspec.structs.replace(
        planted("x"),
        findings=(),
        processes=(),
        gaps=(),
        step=None,
        last_completed=None,
        wait_chain=(),
    )
    plain = msgspec.structs.replace(
        diagnosis, target=Target(argv=("python", "run.py"), pid=1, python="3.11", cwd="/srv")
    )

    assert redact(plain) == plain
