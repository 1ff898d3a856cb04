"""The two chains of a report in words: the steps that led there, and who waits for whom."""

from hangbisect.model import Diagnosis, End, Link, Step
from hangbisect.model._struct import Data
from hangbisect.report._wording import clean, path, thread

ENDS: dict[End, str] = {
    "cycle": "that is where the chain began: nobody can go first",
    "nobody": "nobody is left who could end this",
    "person": "a person has to act",
    "outside": "only something outside this program can end this",
    "running": "this one is running",
    "timer": "a timer will end this",
    "unknown": "who could end this was not seen",
}


class Words(Data, frozen=True, kw_only=True):
    """A link of the wait chain, or its end, in words."""

    who: str
    says: str
    at: str = ""
    """Where its code stands, "" if that is not known."""
    is_end: bool = False


def steps_of(diagnosis: Diagnosis) -> tuple[Step, ...]:
    """Return the steps that led to the one in progress, which comes last."""
    step = diagnosis.step
    return () if step is None else (step.chain or (step,))


def chain_of(diagnosis: Diagnosis) -> tuple[Link, ...]:
    """Return the wait chain, of the best finding where the diagnosis has none of its own."""
    if diagnosis.wait_chain:
        return diagnosis.wait_chain
    return diagnosis.findings[0].wait_chain if diagnosis.findings else ()


def wait_words(diagnosis: Diagnosis) -> tuple[Words, ...]:
    """Say the links of the wait chain, and how it ends; () if there is none."""
    links = chain_of(diagnosis)
    if not links:
        return ()
    return (*(_link(link, diagnosis) for link in links), _ending(links[-1], diagnosis))


def _link(link: Link, diagnosis: Diagnosis) -> Words:
    return Words(
        who=thread(link.waiter, diagnosis),
        says=clean(link.says) or f"waits for {clean(link.on.kind)} {clean(link.on.id)}",
        at=path(link.at, diagnosis.target.cwd) if link.at else "",
    )


def _ending(link: Link, diagnosis: Diagnosis) -> Words:
    end = diagnosis.end or (diagnosis.findings[0].end if diagnosis.findings else "unknown")
    shown = [thread(holder, diagnosis) for holder in (link.holders or ())[:3]]
    more = len(link.holders or ()) - len(shown)
    names = ", ".join(shown) + (f" and {more} more" if more > 0 else "")
    return Words(who=names if end in ("cycle", "running") else "", says=ENDS[end], is_end=True)
