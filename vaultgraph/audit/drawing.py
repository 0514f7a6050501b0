"""The draw that a registration stands for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultgraph.audit.pair_draw import count_others, draw_pairs
from vaultgraph.audit.tickets import draw_units

if TYPE_CHECKING:
    from vaultgraph.audit.registration import Kind, Registration
    from vaultgraph.audit.units import Population, UnitId

#: In ``filter`` the population file holds what decides which pairs may be drawn.
NOTES, CANDIDATES, OTHERS = "note", "candidate", "non-candidates"


def draw(registration: Registration, population: Population) -> dict[str, tuple[UnitId, ...]]:
    """Return the units drawn in each stratum, in the order they are drawn and shown."""
    if registration.kind == "filter":
        (stratum,) = registration.strata
        candidates = frozenset(population.units.get(CANDIDATES, ()))
        notes = population.units.get(NOTES, ())
        return {stratum.name: draw_pairs(registration.seed, notes, candidates, stratum.size)}
    return {
        stratum.name: draw_units(
            registration.seed, population.units.get(stratum.name, ()), stratum.size
        )
        for stratum in registration.strata
    }


def count_units(kind: Kind, population: Population) -> dict[str, int]:
    """Return how many units each stratum has."""
    if kind == "filter":
        notes = len(population.units.get(NOTES, ()))
        return {OTHERS: count_others(notes, len(population.units.get(CANDIDATES, ())))}
    return {name: len(units) for name, units in population.units.items()}
