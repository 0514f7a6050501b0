"""The draw by tickets, which anyone can redo with SHA-256 alone.

A unit's ticket is SHA-256 of the seed, a newline and the unit's id, as UTF-8, in hex; the units
with the smallest tickets are drawn. So the order of the population does not matter, a larger
sample begins with the smaller one, and a further unit only inserts itself. (The idea: Rivest,
«Consistent sampling with replacement», 2018, https://arxiv.org/abs/1808.10016.)
"""

from __future__ import annotations

from hashlib import sha256
from heapq import nsmallest
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vaultgraph.audit.units import UnitId


def ticket_of(seed: str, unit: UnitId) -> str:
    """Return a unit's ticket."""
    # A name that is no Unicode keeps its surrogates as UTF-8 would have them.
    return sha256(f"{seed}\n{unit}".encode("utf-8", "surrogatepass")).hexdigest()


def draw_units(seed: str, units: Iterable[UnitId], size: int) -> tuple[UnitId, ...]:
    """Return the ``size`` units with the smallest tickets, smallest first."""
    tickets = nsmallest(size, ((ticket_of(seed, unit), unit) for unit in units))
    return tuple(unit for _, unit in tickets)
