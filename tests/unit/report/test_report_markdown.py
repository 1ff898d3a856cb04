"""The report for issue trackers: nothing breaks out of its place, and it is never too long."""

import re
import typing

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from msgspec.structs import replace

from hangbisect.model import (
    BlockerKind,
    Certainty,
    Diagnosis,
    End,
    Event,
    Experiment,
    FrameNote,
    Phase,
    ProcessNote,
    State,
    ThreadNote,
    Verdict,
)
from hangbisect.model._walk import rebuild
from hangbisect.model.phase import PhaseSource
from hangbisect.model.process import StepKind
from hangbisect.report import render
from hangbisect.report._escape import prose
from hangbisect.report.markdown import LIMIT
from tests.golden.samples import CHAIN, LOADER, PROVED, SAMPLES
from tests.unit import model_strategies

WORDS = {
    word
    for kind in (Verdict, Certainty, End, BlockerKind, StepKind, State, PhaseSource)
    for word in typing.get_args(kind)
} | {"confirmed", "OMP_NUM_THREADS"}
"""Texts that nobody else chooses: a file with another one is refused, or the variable left out."""
TRIAL = Experiment(
    question="Does it start?", change={"A": "1"}, predicted="goes on", observed=("hung",),
    verdict="confirmed",
)  # fmt: skip
FULL = replace(
    PROVED,
    findings=(replace(LOADER, experiments=(TRIAL,)), LOADER),
    phase_completed=Phase(pid=123, name="arguments parsed", began=0.1, ended=0.2),
    phase_in_progress=Phase(pid=123, name="model loading", began=2.0),
    processes=(
        ProcessNote(
            pid=123, parent=1, role="trainer", argv=("python", "run.py"), hooked=True,
            why_not_hooked=None, state="S", step=CHAIN[0],
        ),
        ProcessNote(
            pid=140, parent=123, role="helper", argv=("git", "pull"), hooked=False,
            why_not_hooked="it is no Python", state="D", step=None,
        ),
    ),
)  # fmt: skip
EVIL = [
    "`",
    "``` ",
    "\n\n# h",
    "\n- x",
    "</details>",
    "<script>alert(1)</script>",
    "<!--",
    "&lt;",
    "|",
    "\\|",
    "[x](y)",
    "![x](y)",
    "**b**",
    "_i_",
    "~~s~~",
    "@octocat",
    "#12",
    "GH-12",
    "org/repo#3",
    "!5",
    "$(x)$",
    ":skull:",
    "https://x.example",
    "www.x.example",
    "me@x.example",
    "deadbeef1",
    "1. ",
    "\u202e",
    "\x1b[2J",
    "\udcff",
    "[^1]",
    "\n```\n",
    "~~~",
    "\t",
    "    ",
    "---",
    "===",
    "- [ ] x",
    "\\",
    "$$",
    "{{x}}",
    "\u2028",
]
TEXTS = st.lists(st.sampled_from(EVIL) | st.text(max_size=4), max_size=4).map("".join)
LINKED = re.compile(
    r"[@#<>|*_`~\[\]\\$&]|://|\bwww\.|\bGH-\d|:\w+:|\b[0-9a-f]{7,}\b|[^\x00-\x7f]*[\u202a-\u202e]"
)
"""What a tracker makes something of, outside of code."""
FOLD = re.compile(r"</?(details|summary|code)>")
PARSER = MarkdownIt("commonmark").enable("table")


def blocks(text: str) -> list[str]:
    """Return the structure of a Markdown text, without its words."""
    return [token.type for token in PARSER.parse(text) if token.type != "inline"]


def written(diagnosis: Diagnosis, evil: str) -> str:
    """Return the report with a text put around each text that a stranger may have chosen."""

    def change(part: object) -> object | None:
        theirs = isinstance(part, str) and part not in WORDS
        return f"{evil}{part}{evil}" if theirs else None

    return render(rebuild(diagnosis, change), "markdown")


@given(TEXTS)
@example("`")
@example("``` ")
@example("|")
@example("</details>\n\n# x")
@example("1.\n")
def test_nothing_in_any_field_breaks_out_of_its_place(evil: str) -> None:
    text = written(FULL, evil)

    tokens = PARSER.parse(text)
    inline = [child for token in tokens for child in token.children or ()]
    assert blocks(text) == blocks(written(FULL, "x"))
    assert {child.type for child in inline} <= {
        "text", "code_inline", "strong_open", "strong_close", "html_inline", "softbreak"
    }  # fmt: skip
    assert {t.content for t in inline if t.type == "html_inline"} <= {"<code>", "</code>"}


@given(TEXTS)
def test_nothing_outside_of_code_means_something_to_a_tracker(evil: str) -> None:
    tokens = PARSER.parse(written(FULL, evil))

    words = [prose for token in tokens if token.type == "inline" for prose in outside_code(token)]
    assert [word for word in words if LINKED.search(word)] == []


def outside_code(token: typing.Any) -> list[str]:
    """Return the texts of an inline token that no code span and no <code> holds."""
    found, inside = [], False
    for child in token.children:
        inside = child.content == "<code>" or (inside and child.content != "</code>")
        if child.type == "text" and not inside:
            found.append(child.content)
    return found


@given(TEXTS)
def test_the_only_tags_are_those_of_the_folds(evil: str) -> None:
    tokens = PARSER.parse(written(FULL, evil))

    raw = "".join(token.content for token in tokens if token.type == "html_block")
    assert "<" not in FOLD.sub("", raw)
    assert ">" not in FOLD.sub("", raw)


@given(model_strategies.of(Diagnosis))
def test_any_diagnosis_gives_a_report_below_the_limit(diagnosis: Diagnosis) -> None:
    text = render(diagnosis, "markdown")

    assert len(text) <= LIMIT
    assert text.startswith("# ")
    assert text.endswith("\n")


@pytest.mark.parametrize("name", SAMPLES)
def test_a_report_has_no_character_that_hides_or_reorders(name: str) -> None:
    text = written(SAMPLES[name], "\u202e\x1b[2J\u200b\x00\r")

    assert re.search(r"[\x00-\x09\x0b-\x1f\u200b\u202e]", text) is None


def test_a_name_that_is_not_utf_8_is_shown_as_an_escape() -> None:
    text = written(FULL, "\udcff")

    assert "\\udcff" in text
    text.encode()


def test_secrets_are_masked_in_the_stacks_and_the_record_too() -> None:
    token = "hf_abcDEF123456789"
    frame = FrameNote(function="main", file="/srv/run.py", line=1, text=f'login(token="{token}")')
    event = Event(time=1.0, pid=1, tid=1, what="start", argv=("run.py", "--token", token))
    variables = (("HF_HOME", f"https://me:{token}@x.example"), ("HF_TOKEN", token))
    diagnosis = replace(
        FULL,
        threads=(ThreadNote(pid=123, tid=123, frames=(frame,)),),
        tail=(event,),
        environment=variables,
    )

    text = render(diagnosis, "markdown")

    assert token not in text
    assert text.count("<redacted>") >= 3


def huge(processes: int, threads: int, frames: int) -> Diagnosis:
    """Return the diagnosis of a tree with that many processes, the blamed one last."""
    notes = tuple(
        ThreadNote(
            pid=1000 + pid,
            tid=1000 + pid + tid,
            frames=tuple(
                FrameNote(
                    function=f"f{tid}", file=f"/srv/package/{n}.py", line=n, text=f"step({n})"
                )
                for n in range(frames)
            ),
        )
        for pid in range(processes)
        for tid in range(threads)
    )
    tree = tuple(
        ProcessNote(
            pid=1000 + pid, parent=123, role="worker", argv=("python", "-c", "x" * 50), hooked=True,
            why_not_hooked=None, state="S", step=None,
        )
        for pid in range(processes)
    )  # fmt: skip
    return replace(PROVED, threads=(*notes, *PROVED.threads), processes=(*tree, *FULL.processes))


def test_a_huge_report_is_cut_keeps_what_matters_and_says_what_is_missing() -> None:
    text = render(huge(1000, 2, 30), "markdown")

    assert 50_000 < len(text) <= LIMIT
    assert blocks(text).count("html_block") % 2 == 0
    assert text.index("Stacks of process 123 ") < text.index("Stacks of process 1000 ")
    assert "`_dl_init`" in text or "_dl_init" in text
    assert re.search(r"\*\*Cut\*\* to stay below 60,000 characters. Left out: .* of stacks", text)
    assert "the stacks of 9" in text
    assert text.count("<details>") == text.count("</details>")


def test_a_deep_stack_shows_both_its_ends() -> None:
    text = render(huge(1, 1, 5000), "markdown")

    assert '/0.py", line 0,' in text
    assert '/4999.py", line 4999,' in text
    assert "... 4950 frames ..." in text


def test_threads_that_stand_at_one_place_are_shown_once() -> None:
    diagnosis = huge(1, 1, 2)
    note = diagnosis.threads[0]
    pool = tuple(replace(note, tid=2000 + n) for n in range(12))

    text = render(replace(diagnosis, threads=pool), "markdown")

    assert text.count('/1.py", line 1') == 1
    assert "threads 2001, 2002, 2003, 2004, 2005, 2006, 2007, 2008 and 3 more stand at" in text


def test_a_list_that_is_cut_says_so_in_its_place_and_at_the_end() -> None:
    best = LOADER
    many = tuple(
        replace(item, shows=f"{item.shows} {n}") for n in range(500) for item in best.evidence
    )

    text = render(replace(FULL, findings=(replace(best, evidence=many),)), "markdown")

    assert re.search(r"\n\.\.\. and \d+ more, left out here\.\n\n## What to do", text)
    assert re.search(r'Left out: \d+ lines of "Why"\. The whole is in the JSON report', text)


def test_what_fits_is_not_called_cut() -> None:
    assert "Cut" not in render(FULL, "markdown")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("joins thread 130, which waits.", "joins thread 130, which waits."),
        ("the lock of libfoo.so (see run.py:3).", "the lock of `libfoo.so` (see `run.py:3`)."),
        ("in f() at x: queue.Queue().get()", "in `f()` at x: `queue.Queue().get()`"),
        ('or g("spawn"); in a loader: c="spawn".', 'or `g("spawn")`; in a loader: `c="spawn"`.'),
        ("ask @bob about #12, GH-12", "ask `@bob` about `#12`, `GH-12`"),
        ("the lock `A b`, a`b", "the lock `A b`, ``a`b``"),
        ("1. first", "`1.` first"),
        ("```", "```` ``` ````"),
        (" ", "(nothing)"),
    ],
)
def test_only_plain_words_stay_outside_of_code(text: str, expected: str) -> None:
    assert prose(text) == expected
