"""What people labelled in audits, for measuring a judge against it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultgraph.audit.units import Population
from vaultgraph.flows.audit_filters import ACCEPTED, PROPOSED

if TYPE_CHECKING:
    from vaultgraph.audit.units import UnitId
    from vaultgraph.flows.audits import Audits

_PAIR_KINDS = frozenset({"precision", "rereview", "recall", "filter"})
_DIRECTED = frozenset({"precision", "rereview"})


class LabelledSample(NamedTuple):
    """The labels of one audit of pairs, and what they were drawn from."""

    audit: str
    kind: str
    #: Whether a unit is dependent and basis; else it asks whether either depends on the other.
    is_directed: bool
    #: Whether a person's decision, and not a score, made a pair part of the population.
    is_of_decisions: bool
    #: The cutoff from which on units were drawn; 0 where all were.
    lowest: float
    seed: str
    #: The population, by stratum.
    strata: dict[str, tuple[UnitId, ...]]
    #: Whether the pair depends, by unit; ``unsure`` says neither.
    labels: dict[UnitId, bool]


def labelled_samples(audits: Audits) -> list[LabelledSample]:
    """Return the labels of every audit that is whole and was not given up, by name.

    The labels are those of whoever labelled first.
    """
    found: list[LabelledSample] = []
    for name in audits.kept.names():
        verified = audits.verify(name)
        made, history = verified.registration, verified.history
        if verified.faults or made is None or made.kind not in _PAIR_KINDS:
            continue
        if history.abandoned is not None or not history.labellers:
            continue
        given = history.labels_of(history.labellers[0])
        source = made.definition.get("source", ACCEPTED)
        found.append(
            LabelledSample(
                audit=name,
                kind=made.kind,
                is_directed=made.kind in _DIRECTED,
                is_of_decisions=made.kind in _DIRECTED and source != PROPOSED,
                lowest=float(made.definition.get("cutoff", 0)) if source == PROPOSED else 0.0,
                seed=made.seed,
                strata=(verified.population or Population({})).units,
                labels={
                    unit: label == "depends"
                    for unit, label in sorted(given.items())
                    if label in {"depends", "does-not"}
                },
            )
        )
    return found
