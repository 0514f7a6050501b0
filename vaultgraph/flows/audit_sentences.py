"""The sentences of a report: what did not go as registered, what may be said, and what may not."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from vaultgraph.audit.later import find_same_sitting, read_decided
from vaultgraph.audit.registration import UNSURE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultgraph.audit.estimates import Estimate
    from vaultgraph.audit.registration import Registration
    from vaultgraph.audit.rules import Rule
    from vaultgraph.audit.verify import Verified
    from vaultgraph.domain.writing import LedgerEvent
    from vaultgraph.flows.audit_counts import StratumCount
    from vaultgraph.flows.audit_names import AuditNames


def deviations(
    made: Registration, verified: Verified, strata: Sequence[StratumCount], labeller: str
) -> list[str]:
    """Return what did not go as registered, as far as the audit's folder tells."""
    history = verified.history
    found: list[str] = []
    open_units = sum(stratum.open for stratum in strata)
    if open_units:
        found.append(f"{open_units} of {made.size} drawn units have no label yet")
    for stratum in strata:
        out = [label for label in (*made.excluded, UNSURE) if stratum.labels.get(label)]
        if out and not any(n for label, n in stratum.labels.items() if label not in out):
            found.append(f"in {stratum.name} no label counts: nothing can be said of it")
    if history.abandoned is not None:
        found.append(f"the audit was abandoned: {history.abandoned}")
    corrections = history.corrections_of(labeller)
    if corrections:
        found.append(f"{corrections} label{'s were' if corrections > 1 else ' was'} corrected")
    return found


def since_then(
    made: Registration,
    verified: Verified,
    labeller: str,
    names: AuditNames,
    remembered: Sequence[LedgerEvent],
) -> list[str]:
    """Return what the vault, and not the audit's folder, knows to be otherwise."""
    found: list[str] = []
    history = verified.history
    if made.kind == "rereview":
        labelled = [
            (line.unit, datetime.fromisoformat(line.at))
            for line in history.labels
            if line.labeller == labeller
        ]
        same = len(find_same_sitting(read_decided(remembered), labelled))
        if same:
            found.append(
                f"{same} of {made.size} were labelled in the sitting in which they were decided,"
                " and not in a later one: there, agreement may be memory"
            )
    private = names.count_private(history.units)
    if private:
        found.append(
            f"{private} of {made.size} drawn units {'is' if private == 1 else 'are'} about a note"
            " that became private: counted, and not named"
        )
    return found


def words(
    made: Registration, rule: Rule | None, value: Estimate | None, bound: float | None
) -> list[str]:
    """Return what may be said, and what may not."""
    if value is None or value.value is None or value.low is None or value.high is None:
        return ["Nothing can be said yet: no label counts."]
    level = f"{made.confidence:.0%}"
    said: list[str] = []
    if value.method == "census":
        said.append("Every unit was looked at: the number is exact, as far as the labels are.")
    elif bound is not None:
        said.append(
            f"None was found in {value.n}. One may say, with {level} confidence, that the share"
            f" is below {bound:.1%}; not that there are none."
        )
    else:
        said.append(
            f"One may say, with {level} confidence, that {value.what} among the"
            f" {value.population:,} units lies from {value.low:.0%} to {value.high:.0%};"
            f" not that it is {value.value:.0%}."
        )
    if rule is not None:
        holds = rule.holds(value.value)
        verdict = "holds" if holds else "does not hold"
        said.append(f"The registered rule, {made.rule}, {verdict} for what was checked.")
        # Where none was found, the one-sided exact bound is what may be said.
        ends = (rule.holds(value.low), rule.holds(value.high if bound is None else bound))
        if all(ends) or not any(ends):
            limit = "whole interval" if bound is None else "upper bound"
            said.append(
                f"The {limit} is on that side: it may be said of all units,"
                f" with {level} confidence."
            )
        else:
            said.append(
                "The interval reaches over the bound: it may be said of the units checked,"
                " not of all units."
            )
    return said
