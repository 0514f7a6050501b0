"""The report as lines of text: the same on a terminal and, as Markdown, in the audit's folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultgraph.audit.pictures import interval_picture

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vaultgraph.audit.estimates import Estimate
    from vaultgraph.flows.audit_report import AuditReport

PICTURE_FILE = "intervals.svg"


def report_picture(report: AuditReport) -> str:
    """Return every share in the report with its interval, as SVG."""
    shares = [*report.estimates, *(row.agreement.share for row in report.between)]
    made, rule = report.registration, report.rule
    rows = [
        (share, rule.bound if rule is not None and share.what.startswith(rule.what) else None)
        for share in shares
    ]
    return interval_picture(f"Audit {made.name} ({made.kind})", rows)


def report_lines(report: AuditReport) -> Iterator[str]:
    """Yield the lines of the report, deviations first."""
    made = report.registration
    yield f"# Audit {made.name} ({made.kind})"
    yield ""
    yield "## Not as registered"
    yield ""
    yield from _list(report.deviations, "Nothing: all went as registered.")
    yield "## What may be said"
    yield ""
    yield from _list(report.words, "")
    yield "## Estimates"
    yield ""
    yield from _list([estimate_line(estimate) for estimate in report.estimates], "")
    yield "## Labels"
    yield ""
    yield from _list(list(_labels(report)), "")
    if report.between:
        yield "## Agreement"
        yield ""
        yield from _list(list(_agreement(report)), "")
    yield "## Registered"
    yield ""
    yield from _list(list(_registered(report)), "")
    if report.abandoned_others:
        yield "## Audits given up"
        yield ""
        yield from _list([f"{name}: {why}" for name, why in report.abandoned_others], "")
    yield f"Registration: {report.registration_hash}"
    yield ""
    yield f"Head: {report.head}"


def estimate_line(estimate: Estimate) -> str:
    """Return one estimate with its interval, n and population."""
    of = f"n = {estimate.n} of {estimate.population:,} units"
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return f"{estimate.what}: no number ({estimate.method}; {of})"
    number = _shown(estimate, estimate.value)
    low, high = _shown(estimate, estimate.low), _shown(estimate, estimate.high)
    level = f"{estimate.confidence:.0%}"
    return (
        f"{estimate.what} = {number}, {level} interval {low} to {high} ({estimate.method}; {of})"
    )


def _shown(estimate: Estimate, value: float) -> str:
    if estimate.what == "kappa":
        return f"{value:.2f}"
    # Near the ends a whole per cent would hide the difference to nothing and to all.
    return f"{value:.0%}" if 0.05 <= value <= 0.95 or value in (0, 1) else f"{value:.1%}"


def _list(items: tuple[str, ...] | list[str], otherwise: str) -> Iterator[str]:
    for item in items:
        yield f"- {item}"
    if not items:
        yield otherwise
    yield ""


def _labels(report: AuditReport) -> Iterator[str]:
    made = report.registration
    for stratum in report.strata:
        parts = [
            f"{number} {label}{' (excluded)' if label in made.excluded else ''}"
            for label, number in stratum.labels.items()
        ]
        if stratum.open:
            parts.append(f"{stratum.open} without a label")
        name = f"{stratum.name}: " if len(report.strata) > 1 else ""
        yield f"{name}{stratum.size} drawn of {stratum.units:,}: {', '.join(parts)}"
    if report.labeller:
        yield f"labelled by {report.labeller}"


def _agreement(report: AuditReport) -> Iterator[str]:
    for row in report.between:
        yield f"{row.one} and {row.other}: {estimate_line(row.agreement.share)}"
        yield f"{row.one} and {row.other}: {estimate_line(row.agreement.kappa)}"
        for unit, one, other in row.differing:
            yield f"differ on {' / '.join(unit)}: {row.one} {one}, {row.other} {other}"


def _registered(report: AuditReport) -> Iterator[str]:
    made = report.registration
    yield f"prediction: {made.prediction or '(none)'}"
    yield f"population: {made.units:,} units: {made.population}"
    for key, value in made.definition.items():
        yield f"{key}: {value}"
    yield f"rule: {made.rule or '(none)'}"
    yield f"confidence: {made.confidence:.0%}"
    yield f"seed: {made.seed}"
    yield f"ends: {made.ends}"
    yield f"locked: {report.locked_at}"
