"""The two trees of a report: the imports that led to the step, and the wait chain."""

from rich.text import Text
from rich.tree import Tree

from hangbisect.model import Diagnosis, End, Link
from hangbisect.report._wording import action, clean, duration, path, place, thread

_ENDS: dict[End, str] = {
    "cycle": "that is where the chain began: nobody can go first",
    "nobody": "nobody is left who could end this",
    "person": "a person has to act",
    "outside": "only something outside this program can end this",
    "running": "this one is running",
    "timer": "a timer will end this",
    "unknown": "who could end this was not seen",
}


def step_tree(diagnosis: Diagnosis) -> Tree | None:
    """Draw the chain of imports that led to the step in progress."""
    step = diagnosis.step
    if step is None:
        return None
    labels = []
    for link in step.chain or (step,):
        where = place(link, diagnosis.target.cwd)
        labels.append(Text.assemble((f"{where}  " if where else "", "cyan"), action(link)))
    if step.began is not None:
        labels[-1].append(f"  (since {duration(step.began)} after the start)", style="dim")
    return _line(labels)


def wait_tree(diagnosis: Diagnosis) -> Tree | None:
    """Draw the wait chain, with how it ends as its last leaf."""
    links = chain_of(diagnosis)
    if not links:
        return None
    labels = [_label(link, diagnosis) for link in links]
    return _line([*labels, _ending(links[-1], diagnosis)])


def chain_of(diagnosis: Diagnosis) -> tuple[Link, ...]:
    """Return the wait chain, of the best finding where the diagnosis has none of its own."""
    if diagnosis.wait_chain:
        return diagnosis.wait_chain
    return diagnosis.findings[0].wait_chain if diagnosis.findings else ()


def _line(labels: list[Text]) -> Tree:
    """Hang each label below the one before."""
    root = branch = Tree(labels[0], guide_style="dim")
    for label in labels[1:]:
        branch = branch.add(label)
    return root


def _label(link: Link, diagnosis: Diagnosis) -> Text:
    says = clean(link.says) or f"waits for {clean(link.on.kind)} {clean(link.on.id)}"
    at = f" (at {path(link.at, diagnosis.target.cwd)})" if link.at else ""
    return Text.assemble((thread(link.waiter, diagnosis), "bold"), " ", says, (at, "cyan"))


def _ending(link: Link, diagnosis: Diagnosis) -> Text:
    end = diagnosis.end or (diagnosis.findings[0].end if diagnosis.findings else "unknown")
    shown = [thread(holder, diagnosis) for holder in (link.holders or ())[:3]]
    more = len(link.holders or ()) - len(shown)
    names = ", ".join(shown) + (f" and {more} more" if more > 0 else "")
    who = f"{names}: " if end in ("cycle", "running") and names else ""
    return Text.assemble(
        (who, "bold"), (_ENDS[end], "red" if end in ("cycle", "nobody") else "yellow")
    )
