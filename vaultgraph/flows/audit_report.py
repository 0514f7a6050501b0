"""``audit report``: what the labels say, with what did not go as registered first."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

from vaultgraph.audit.agreement import Agreement, estimate_agreement
from vaultgraph.audit.estimates import Estimate, estimate_recall, estimate_share
from vaultgraph.audit.intervals import exact_upper
from vaultgraph.audit.registration import UNSURE, Registration
from vaultgraph.audit.rules import Rule, parse_rule
from vaultgraph.flows.audit_counts import StratumCount, count_hits, count_labels
from vaultgraph.flows.audit_sentences import deviations, since_then, words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultgraph.audit.verify import Verified
    from vaultgraph.domain.writing import LedgerEvent
    from vaultgraph.flows.audit_names import AuditNames

#: The label that counts where a rule names none.
_HIT = "depends"
#: What an earlier decision said, by the list it stands in.
_EARLIER = {"accepted": "depends", "rejected": "does-not"}


class Between(NamedTuple):
    """Two labellers, or one and an earlier decision."""

    one: str
    other: str
    agreement: Agreement
    #: (names of the unit's notes, label of one, label of the other), where they differ.
    differing: tuple[tuple[tuple[str, ...], str, str], ...]


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
    verified: Verified,
    made: Registration,
    abandoned: Sequence[tuple[str, str]],
    head: str,
    *,
    names: AuditNames,
    remembered: Sequence[LedgerEvent],
) -> AuditReport:
    """Return the report of a drawn audit.

    ``abandoned`` are the other audits given up, and why; ``remembered`` is the vault's ledger,
    which knows when a dependency was decided.
    """
    history = verified.history
    labeller = history.labellers[0] if history.labellers else ""
    labels = history.labels_of(labeller)
    strata = tuple(
        count_labels(made, name, units, labels) for name, units in history.drawn.items()
    )
    rule = parse_rule(made.rule, made.labels) if made.rule else None
    hits = rule.labels if rule is not None and rule.labels else (_HIT,)
    if _HIT not in made.labels and not (rule and rule.labels):
        hits = tuple(label for label in made.labels if label not in made.excluded)[1:]
    estimates = _estimates(made, strata, hits)
    between = _between(made, verified, labeller, names)
    value = _ruled(rule, estimates, between)
    bound = None
    first = estimates[0]
    if len(made.strata) == 1 and first.value == 0 and first.method != "census":
        bound = exact_upper(0, first.n, made.confidence)
    return AuditReport(
        registration=names.registration(made),
        registration_hash=str((history.locked or {}).get("registration_sha256", "")),
        head=head,
        locked_at=history.locked_at,
        labeller=labeller,
        deviations=(
            *map(names.text, deviations(made, verified, strata, labeller)),
            *since_then(made, verified, labeller, names, remembered),
        ),
        strata=strata,
        estimates=estimates,
        bound=bound,
        between=between,
        rule=rule,
        holds=rule.holds(value.value) if rule and value and value.value is not None else None,
        words=tuple(words(made, rule, value, bound)),
        seconds=tuple(
            line.seconds
            for line in history.labels
            if line.labeller == labeller and line.seconds is not None
        ),
        abandoned_others=tuple((other, names.text(why)) for other, why in abandoned),
    )


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
        rows = count_hits(strata, counted_as, out)
        if made.kind == "recall":
            recall = estimate_recall(rows, made.confidence, made.seed)
            found.append(_named(recall, f"recall{suffix}"))
        found.append(estimate_share(f"{name}{suffix}", rows, made.confidence, made.seed))
    return tuple(found)


def _named(estimate: Estimate, what: str) -> Estimate:
    return Estimate(what, *(getattr(estimate, name) for name in _FIELDS))


_FIELDS = ("value", "low", "high", "n", "population", "confidence", "method")


def _between(
    made: Registration, verified: Verified, labeller: str, names: AuditNames
) -> tuple[Between, ...]:
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
            (names.of(unit), *pair)
            for unit, pair in zip(both, labels, strict=True)
            if pair[0] != pair[1]
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
                    {"unit": list(unit), "one": one, "other": other}
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
