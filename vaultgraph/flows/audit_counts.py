"""How the units of each stratum were labelled."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from vaultgraph.audit.estimates import Counted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from vaultgraph.audit.registration import Registration
    from vaultgraph.audit.units import UnitId


class StratumCount(NamedTuple):
    """One stratum: what was drawn, and how it was labelled."""

    name: str
    units: int
    size: int
    labels: Mapping[str, int]
    open: int


def count_labels(
    made: Registration, name: str, units: Sequence[UnitId], labels: Mapping[UnitId, str]
) -> StratumCount:
    """Return how a stratum was labelled."""
    counted = Counter(labels[unit] for unit in units if unit in labels)
    size = next(stratum for stratum in made.strata if stratum.name == name)
    in_order = {label: counted[label] for label in made.labels}
    return StratumCount(name, size.units, len(units), in_order, len(units) - counted.total())


def count_hits(
    strata: Sequence[StratumCount], hits: Sequence[str], out: Sequence[str]
) -> list[Counted]:
    """Return the strata for an estimate: ``hits`` count for it, labels in ``out`` not at all."""
    rows: list[Counted] = []
    for stratum in strata:
        n = sum(number for label, number in stratum.labels.items() if label not in out)
        k = sum(number for label, number in stratum.labels.items() if label in hits)
        is_census = stratum.size == stratum.units and not stratum.open
        excluded = sum(stratum.labels.values()) - n
        rows.append(Counted(stratum.name, stratum.units, n, k, is_census, excluded))
    return rows
