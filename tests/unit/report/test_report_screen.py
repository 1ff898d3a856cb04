"""A hang fits one screen of 80 columns and 40 lines, whatever it is."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from rich.cells import cell_len

from hangbisect import session
from hangbisect.model import (
    Diagnosis,
    Evidence,
    Gap,
    Link,
    Phase,
    ProcessNote,
    Step,
    Thing,
    ThreadRef,
)
from hangbisect.model._walk import rebuild
from hangbisect.report import Style, render
from tests.golden.samples import FASTOPS, LOADER, PROVED, SAMPLES
from tests.unit import model_strategies

SAVED = sorted((Path(__file__).parents[2] / "causes").glob("*/*.json"))
SCREEN = 37
"""Of 40 lines: the others name where the facts are kept, and are the prompt's."""


def long(text: str) -> str:
    """Return text of some hundred characters."""
    return f"{text} " * 60


STEPS = tuple(
    Step(
        pid=123, kind="import", name=f"package.part{n}", file=f"/very/{long('deep')}/{n}.py", line=n
    )
    for n in range(40)
)
LINKS = tuple(
    Link(
        waiter=ThreadRef(pid=n, tid=n),
        on=Thing(kind="lock", id="7"),
        holders=(),
        says=long("waits for"),
        at=f"/srv/{n}.py:3",
    )
    for n in range(30)
)
HUGE = replace(
    PROVED,
    step=replace(FASTOPS, chain=STEPS),
    wait_chain=LINKS,
    findings=(
        replace(
            LOADER,
            summary=long("summary"),
            evidence=tuple(Evidence(ref=f"thread:{n}", shows=long("shows")) for n in range(50)),
        ),
        *(LOADER,) * 7,
    ),
    phase_completed=Phase(pid=123, name=long("imports"), began=0.1, ended=2.0),
    phase_in_progress=Phase(pid=123, name=long("model"), began=2.0),
    gaps=tuple(Gap(what=long(f"what {n}"), why=long(f"why {n}")) for n in range(30)),
    processes=tuple(
        ProcessNote(
            pid=n, parent=1, role="worker", argv=("python", long("x")), hooked=True,
            why_not_hooked=None, state="S", step=None,
        )
        for n in range(1000)
    ),
)  # fmt: skip


def widest(text: str) -> int:
    """Return the columns of the widest line."""
    return max(cell_len(line) for line in text.splitlines())


@pytest.mark.parametrize("name", SAMPLES)
def test_each_sample_fits_one_screen(name: str) -> None:
    text = render(SAMPLES[name], "terminal", Style())

    assert widest(text) <= 80
    assert text.count("\n") <= SCREEN


@pytest.mark.parametrize("path", SAVED, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_each_saved_snapshot_fits_one_screen(path: Path) -> None:
    text = render(session.load(path), "terminal", Style())

    assert widest(text) <= 80
    assert text.count("\n") <= SCREEN


def test_a_huge_hang_fits_one_screen_and_keeps_what_matters() -> None:
    text = render(HUGE, "terminal", Style())

    assert widest(text) <= 80
    assert text.count("\n") <= SCREEN
    assert text.startswith("HUNG (proved): `import fastops`")
    assert "that is where the chain began" in text
    assert "Start the thread after the import" in text
    assert "and 49 more, see --format json" in text
    assert "Processes  1000, see --format json" in text


@pytest.mark.parametrize("width", [40, 41, 60, 79, 80, 100, 120, 200])
@pytest.mark.parametrize("name", [*SAMPLES, "huge"])
def test_no_line_is_wider_than_the_screen(name: str, width: int) -> None:
    diagnosis = SAMPLES.get(name, HUGE)

    texts = [render(diagnosis, "terminal", Style(width=width, ascii=a)) for a in (True, False)]

    assert max(map(widest, texts)) <= width


@given(model_strategies.of(Diagnosis), st.booleans())
def test_any_diagnosis_fits_one_screen(diagnosis: Diagnosis, is_ascii: bool) -> None:
    text = render(diagnosis, "terminal", Style(ascii=is_ascii))

    assert widest(text) <= 80
    assert text.count("\n") <= SCREEN


@pytest.mark.parametrize("filler", ["\n", " \u8a13\u7df4", "\U0001f422", "/", "\x1b"])
def test_long_texts_in_every_place_fit_one_screen(filler: str) -> None:
    some = replace(HUGE, processes=HUGE.processes[:9], gaps=HUGE.gaps[:9])
    everywhere = rebuild(some, lambda part: lengthened(part, filler))

    text = render(everywhere, "terminal", Style())

    assert widest(text) <= 80
    assert text.count("\n") <= SCREEN


def lengthened(part: object, filler: str) -> object | None:
    """Return a long text for a text that is no word of ours."""
    is_word = isinstance(part, str) and part.replace("-", "").isalpha()
    return f"{part}{filler}" * 300 if isinstance(part, str) and not is_word else None
