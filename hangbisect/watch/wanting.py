"""What a collection of facts is for, from what the clocks and the counters know by then. Pure."""

from hangbisect.model.snapshot import Occasion
from hangbisect.watch.clocks import Clocks
from hangbisect.watch.movement import Movements
from hangbisect.watch.paces import Paces
from hangbisect.watch.scene import Wanted


def wanted(
    occasion: Occasion,
    now: float,
    zero: float,
    known: tuple[Clocks, Movements],
    *,
    thorough: bool,
    spin: bool,
) -> Wanted:
    """Say what is wanted; rates only where the question is why it takes so long.

    `zero` is the second on CLOCK_MONOTONIC that counts as 0.
    """
    clocks, movements = known
    rates = movements.paces if occasion == "within" else Paces()
    return Wanted(
        occasion=occasion,
        now=now,
        quiet_since=clocks.effort_since if spin else clocks.quiet_since,
        thorough=thorough,
        spin=spin,
        calm=movements.calm,
        motions=rates.motions(now, zero),
        rates_from=rates.before,
    )
