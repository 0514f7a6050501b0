"""``audit report``: what the labels say, with what did not go as registered first."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

from vaultgraph.audit.agreement import Agreement, estimate_agreement
from vaultgraph.audit.estimates import Counted, Estimate, estimate_recall, estimate_share
from vaultgraph.audit.intervals import exact_upper
from vaultgraph.audit.registration import UNSURE, Registration
from vaultgraph.audit.rules import Rule, parse_rule
from vaultgraph.audit.units import notes_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from vaultgraph.audit.units import UnitId
    from vaultgraph.audit.verify import Verified

#: The label that counts where a rule names none.
_HIT = "depends"
#: What an earlier decision said, by the list it stands in.
_EARLIER = {"accepted": "depends", "rejected": "does-not"}


class StratumCount(NamedTuple):
    """One stratum: what was drawn, and how it was labelled."""

    name: str
    units: int
    size: int
    labels: Mapping[str, int]
    open: int


class Between(NamedTuple):
    """Two labellers, or one and an earlier decision."""

    one: str
    other: str
    agreement: Agreement
    #: (unit, label of one, label of the other), where they differ.
    differing: tuple[tuple[UnitId, str, str], ...]


@dataclass(frozen=True, slots=True)
class AuditReport:
    """All that an audit allows one to say."""

    registration: Registration
    registration_hash: str
    head: str
    locked_at: str
    labeller: str
    deviations: tuple[str, ...]
    strata: tuple[StratumCount, ...]
    estimates: tuple[Estimate, ...]
    #: An upper bound where nothing was found: (share, one-sided confidence).
    bound: float | None
    between: tuple[Between, ...]
    rule: Rule | None
    #: Whether the rule holds for the point estimate; ``None`` where there is none.
    holds: bool | None
    words: tuple[str, ...]
    seconds: tuple[float, ...]
    abandoned_others: tuple[tuple[str, str], ...]


def make_report(
    verified: Verified, made: Registration, abandoned: Sequence[tuple[str, str]], head: str
) -> AuditReport:
    """Return the report of a drawn audit; ``abandoned`` are the other audits given up, and why."""
    history = verified.history
    labeller = history.labellers[0] if history.labellers else ""
    labels = history.labels_of(labeller)
    strata = tuple(_count(made, name, units, labels) for name, units in history.drawn.items())
    rule = parse_rule(made.rule, made.labels) if made.rule else None
    hits = rule.labels if rule is not None and rule.labels else (_HIT,)
    if _HIT not in made.labels and not (rule and rule.labels):
        hits = tuple(label for label in made.labels if label not in made.excluded)[1:]
    estimates = _estimates(made, strata, hits)
    between = _between(made, verified, labeller)
    value = _ruled(rule, estimates, between)
    bound = None
    first = estimates[0]
    if len(made.strata) == 1 and first.value == 0 and first.method != "census":
        bound = exact_upper(0, first.n, made.confidence)
    return AuditReport(
        registration=made,
        registration_hash=str((history.locked or {}).get("registration_sha256", "")),
        head=head,
        locked_at=history.locked_at,
        labeller=labeller,
        deviations=tuple(_deviations(made, verified, strata, labeller)),
        strata=strata,
        estimates=estimates,
        bound=bound,
        between=between,
        rule=rule,
        holds=rule.holds(value.value) if rule and value and value.value is not None else None,
        words=tuple(_words(made, rule, value, bound)),
        seconds=tuple(
            line.seconds
            for line in history.labels
            if line.labeller == labeller and line.seconds is not None
        ),
        abandoned_others=tuple(abandoned),
    )


def _count(
    made: Registration, name: str, units: Sequence[UnitId], labels: Mapping[UnitId, str]
) -> StratumCount:
    counted = Counter(labels[unit] for unit in units if unit in labels)
    size = next(stratum for stratum in made.strata if stratum.name == name)
    in_order = {label: counted[label] for label in made.labels}
    return StratumCount(name, size.units, len(units), in_order, len(units) - counted.total())


def _counted(
    strata: Sequence[StratumCount], hits: Sequence[str], out: Sequence[str]
) -> list[Counted]:
    rows: list[Counted] = []
    for stratum in strata:
        n = sum(number for label, number in stratum.labels.items() if label not in out)
        k = sum(number for label, number in stratum.labels.items() if label in hits)
        is_census = stratum.size == stratum.units and not stratum.open
        excluded = sum(stratum.labels.values()) - n
        rows.append(Counted(stratum.name, stratum.units, n, k, is_census, excluded))
    return rows


def _estimates(
    made: Registration, strata: Sequence[StratumCount], hits: tuple[str, ...]
) -> tuple[Estimate, ...]:
    """Return the estimates; an ``unsure`` is left out, counted for, and counted against."""
    has_unsure = any(stratum.labels.get(UNSURE) for stratum in strata)
    ways = [("", hits, (*made.excluded, UNSURE))]
    if has_unsure:
        ways = [
            (", unsure left out", hits, (*made.excluded, UNSURE)),
            (", unsure counted for", (*hits, UNSURE), made.excluded),
            (", unsure counted against", hits, made.excluded),
        ]
    found: list[Estimate] = []
    name = f"share({', '.join(hits)})"
    for suffix, counted_as, out in ways:
        rows = _counted(strata, counted_as, out)
        if made.kind == "recall":
            recall = estimate_recall(rows, made.confidence, made.seed)
            found.append(_named(recall, f"recall{suffix}"))
        found.append(estimate_share(f"{name}{suffix}", rows, made.confidence, made.seed))
    return tuple(found)


def _named(estimate: Estimate, what: str) -> Estimate:
    return Estimate(what, *(getattr(estimate, name) for name in _FIELDS))


_FIELDS = ("value", "low", "high", "n", "population", "confidence", "method")


def _between(made: Registration, verified: Verified, labeller: str) -> tuple[Between, ...]:
    history = verified.history
    given = {name: history.labels_of(name) for name in history.labellers}
    pairs = [(labeller, other) for other in history.labellers if other != labeller]
    pairs += combinations([name for name in history.labellers if name != labeller], 2)
    if made.kind == "rereview" and labeller:
        earlier = {
            unit: _EARLIER[name]
            for name, units in history.drawn.items()
            for unit in units
            if name in _EARLIER
        }
        given["the earlier decision"] = earlier
        pairs.insert(0, ("the earlier decision", labeller))
    rows: list[Between] = []
    for one, other in pairs:
        both = [u for u in history.units if u in given[one] and u in given[other]]
        labels = [(given[one][unit], given[other][unit]) for unit in both]
        counted = [pair for pair in labels if not {*made.excluded, UNSURE} & set(pair)]
        if made.kind != "rereview":
            counted = labels
        agreement = estimate_agreement(counted, made.units, made.confidence, made.seed)
        differing = tuple(
            (unit, *pair) for unit, pair in zip(both, labels, strict=True) if pair[0] != pair[1]
        )
        rows.append(Between(one, other, agreement, differing))
    return tuple(rows)


def _ruled(
    rule: Rule | None, estimates: Sequence[Estimate], between: Sequence[Between]
) -> Estimate | None:
    """Return the estimate that the rule, or a reader, asks for first."""
    if rule is not None and rule.what in ("agreement", "kappa"):
        if not between:
            return None
        first = between[0].agreement
        return first.share if rule.what == "agreement" else first.kappa
    if rule is not None:
        return next((e for e in estimates if e.what.startswith(rule.what)), None)
    return estimates[0]


def _deviations(
    made: Registration, verified: Verified, strata: Sequence[StratumCount], labeller: str
) -> list[str]:
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


def _words(
    made: Registration, rule: Rule | None, value: Estimate | None, bound: float | None
) -> list[str]:
    """Return what may be said, and what may not."""
    if value is None or value.value is None or value.low is None or value.high is None:
        return ["Nothing can be said yet: no label counts."]
    level = f"{made.confidence:.0%}"
    words: list[str] = []
    if value.method == "census":
        words.append("Every unit was looked at: the number is exact, as far as the labels are.")
    elif bound is not None:
        words.append(
            f"None was found in {value.n}. One may say, with {level} confidence, that the share"
            f" is below {bound:.1%}; not that there are none."
        )
    else:
        words.append(
            f"One may say, with {level} confidence, that {value.what} among the"
            f" {value.population:,} units lies from {value.low:.0%} to {value.high:.0%};"
            f" not that it is {value.value:.0%}."
        )
    if rule is not None:
        holds = rule.holds(value.value)
        verdict = "holds" if holds else "does not hold"
        words.append(f"The registered rule, {made.rule}, {verdict} for what was checked.")
        # Where none was found, the one-sided exact bound is what may be said.
        ends = (rule.holds(value.low), rule.holds(value.high if bound is None else bound))
        if all(ends) or not any(ends):
            limit = "whole interval" if bound is None else "upper bound"
            words.append(
                f"The {limit} is on that side: it may be said of all units,"
                f" with {level} confidence."
            )
        else:
            words.append(
                "The interval reaches over the bound: it may be said of the units checked,"
                " not of all units."
            )
    return words


def report_document(report: AuditReport) -> dict[str, Any]:
    """Return the report as ``audit report --json`` documents it."""
    made = report.registration
    return {
        "audit": made.name,
        "kind": made.kind,
        "prediction": made.prediction,
        "registration": report.registration_hash,
        "head": report.head,
        "locked": report.locked_at,
        "labeller": report.labeller,
        "deviations": list(report.deviations),
        "population": {"what": made.population, "units": made.units, **made.definition},
        "strata": [{**s._asdict(), "labels": dict(s.labels)} for s in report.strata],
        "estimates": [estimate_document(estimate) for estimate in report.estimates],
        "upper_bound": report.bound,
        "rule": made.rule or None,
        "holds": report.holds,
        "words": list(report.words),
        "agreement": [
            {
                "one": row.one,
                "other": row.other,
                "share": estimate_document(row.agreement.share),
                "kappa": estimate_document(row.agreement.kappa),
                "differing": [
                    {"unit": list(notes_of(unit)), "one": one, "other": other}
                    for unit, one, other in row.differing
                ],
            }
            for row in report.between
        ],
        "median_seconds": _median(report.seconds),
        "abandoned": [{"audit": name, "why": why} for name, why in report.abandoned_others],
    }


def estimate_document(estimate: Estimate) -> dict[str, Any]:
    """Return one estimate with all that belongs to it."""
    return {"what": estimate.what, **{name: getattr(estimate, name) for name in _FIELDS}}


def _median(seconds: Sequence[float]) -> float | None:
    ordered = sorted(seconds)
    if not ordered:
        return None
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2
