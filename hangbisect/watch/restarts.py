"""Children that die at the same step and are started again, for ever. Pure.

A pool whose workers cannot start makes new processes, bytes and page faults all the time, and no
progress at all.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable

from hangbisect.model import Flight, Loss

ENOUGH = 3
"""So many deaths of the same kind make a loop."""


def doomed(flights: Iterable[Flight]) -> frozenset[int]:
    """Name the processes that only repeat how others like them died, the dead ones included.

    They are alike if one parent started them with one command line. Once `ENOUGH` of them ended
    with the same uncaught exception, those that got no further count as well.
    """
    return frozenset(pid for family in _families(flights) for pid in _repeats(family))


def losses(flights: Iterable[Flight]) -> tuple[Loss, ...]:
    """Say which processes lose their children again and again, by what, and how many so far."""
    found = []
    for family in _families(flights):
        repeats = frozenset(_repeats(family))
        dead = [flight for flight in family if flight.exception]
        if repeats:
            loss = Loss(
                parent=dead[0].parent,
                argv=dead[0].argv,
                exception=dead[0].exception,
                count=len(dead),
                living=tuple(sorted(repeats - {flight.pid for flight in dead})),
            )
            found.append(loss)
    return tuple(found)


def _families(flights: Iterable[Flight]) -> Iterable[list[Flight]]:
    families: dict[Hashable, list[Flight]] = defaultdict(list)
    for flight in flights:
        families[flight.parent, flight.argv].append(flight)
    return families.values()


def _repeats(family: list[Flight]) -> Iterable[int]:
    dead = [flight for flight in family if flight.exception]
    if len(dead) < ENOUGH or len({flight.exception for flight in dead}) > 1:
        return ()
    furthest = max(flight.events for flight in dead)
    return (flight.pid for flight in family if flight.exception or flight.events <= furthest)


def restarters(flights: Iterable[Flight], doomed_pids: frozenset[int]) -> frozenset[int]:
    """Name the processes that start the doomed ones."""
    return frozenset(flight.parent for flight in flights if flight.pid in doomed_pids)
