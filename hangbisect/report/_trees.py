"""The chains of a report as trees for a terminal; the middle of a long one is left out."""

from collections.abc import Sequence

from rich.cells import cell_len
from rich.text import Text
from rich.tree import Tree

from hangbisect.model import Diagnosis, Step
from hangbisect.report._chain import Words, steps_of, wait_words
from hangbisect.report._clip import clip, clip_start
from hangbisect.report._limits import Limits
from hangbisect.report._wording import action, duration, place


def step_tree(diagnosis: Diagnosis, limits: Limits, colour: str) -> Tree | None:
    """Draw the chain of imports that led to the step in progress, which has the colour."""
    steps = steps_of(diagnosis)
    if diagnosis.step is None:
        return None
    labels = [_step(step, diagnosis, limits) for step in steps]
    labels[-1].stylize(colour)
    if diagnosis.step.began is not None and limits.asides:
        began = duration(diagnosis.step.began)
        labels[-1].append(f"  (since {began} after the start)", style="dim")
    return _tree(_folded(labels, limits.steps))


def wait_tree(diagnosis: Diagnosis, limits: Limits) -> Tree | None:
    """Draw the wait chain, with how it ends as its last leaf."""
    words = wait_words(diagnosis)
    if not words:
        return None
    labels = [_wait(link, limits) for link in words[:-1]]
    end = words[-1]
    last = Text.assemble((f"{clip(end.who, limits.label)}: " if end.who else "", "bold"), end.says)
    return _tree([*_folded(labels, limits.links), last])


def _step(step: Step, diagnosis: Diagnosis, limits: Limits) -> Text:
    where = clip_start(place(step, diagnosis.target.cwd), limits.label // 2)
    what = clip(action(step), max(limits.label - cell_len(where) - 2, 12))
    return Text(f"{where}  {what}" if where else what)


def _wait(link: Words, limits: Limits) -> Text:
    at = f" (at {clip_start(link.at, limits.label // 2)})" if link.at and limits.asides else ""
    says = clip(f"{link.who} {link.says}", limits.label)
    text = Text(f"{says}{at}")
    text.stylize("bold", 0, min(len(link.who), len(says)))
    return text


def _folded(labels: Sequence[Text], most: int) -> list[Text]:
    """Leave out the middle: where it begins and where it stands say more."""
    left_out = len(labels) - most
    if left_out <= 0:
        return list(labels)
    first = most // 3
    mark = Text(f"... {left_out} more, see --format json", "dim")
    return [*labels[:first], mark, *labels[first + left_out :]]


def _tree(labels: list[Text]) -> Tree:
    """Hang each label below the one before."""
    root = branch = Tree(labels[0], guide_style="dim")
    for label in labels[1:]:
        branch = branch.add(label)
    return root
