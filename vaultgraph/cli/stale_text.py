"""Findings as a person reads them: grouped by what they are about, and the line to remember."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from vaultgraph.cli.output import Output, shown
from vaultgraph.cli.written import count

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vaultgraph.cli.output import Segment
    from vaultgraph.domain.dependencies import Finding, State
    from vaultgraph.domain.notes import Closing
    from vaultgraph.flows.stale import StaleReport
    from vaultgraph.flows.stale_report import Counts
    from vaultgraph.vault.privacy import Masker

_PLACES_SHOWN = 3
_MARK = 13
_LEVEL_STYLES = {"confirmed": "bold yellow", "judged": "yellow", "pointer": "dim"}
_TITLES: dict[State, str] = {
    "suspect": "suspect: what they rest on was changed since they were last looked at",
    "at-risk": "at risk: they rest on one of the notes above",
    "handled": "handled: reviewed since",
}


def print_findings(stream: Output, report: StaleReport, findings: tuple[Finding, ...]) -> None:
    """Print the findings by state, and under each closed or changed note what rests on it."""
    from vaultgraph.flows.context import masker_of

    masker = masker_of(report.survey)
    for state, of_state in groupby(findings, key=lambda finding: finding.state):
        if state in _TITLES:
            stream.line((_TITLES[state], "bold cyan"))
        if state == "at-risk":
            for finding in sorted(of_state, key=lambda one: (len(one.path), one.path)):
                stream.line("  ", *_way(finding), indent=4)
            stream.line("")
            continue
        for _, group in groupby(of_state, key=lambda finding: finding.path[-1]):
            about = list(group)
            _print_about(stream, about[0], masker)
            for finding in about:
                print_finding(stream, finding)
            stream.line("")


def _print_about(stream: Output, finding: Finding, masker: Masker) -> None:
    """Print the note that findings are about: how it closed, or what of it changed."""
    segments: list[Segment] = [(shown(finding.path[-1]), "bold")]
    if finding.closing is not None:
        segments += ["  ", *closed(finding.closing)]
    if finding.sections:
        sections = ", ".join(shown(masker.mask(section)) for section in finding.sections)
        segments += ["  ", (f"changed: {sections}", "magenta")]
    stream.line(*segments, indent=2)
    if finding.closing is not None and finding.closing.words:
        words = shown(masker.mask(finding.closing.words))
        stream.line("  ", (f"“{words}”", "italic"), indent=2)
    if finding.closing is not None and finding.closing.how == "superseded":
        now = ", ".join(map(shown, finding.closing.successors))
        text = "  look whether each still holds" + (f"; now: {now}" if now else "")
        stream.line((text, "green"), indent=2)


def closed(closing: Closing) -> list[Segment]:
    """Return how a note closed: the kind, the sign, and the day where it is known."""
    on = f", {shown(closing.on)}" if closing.on else ""
    style = "yellow" if closing.how == "superseded" else "red"
    return [(f"{closing.how} ({shown(closing.sign)}{on})", style)]


def print_finding(stream: Output, finding: Finding) -> None:
    """Print one dependent, how far it is known to be one, and where it says so."""
    segments: list[Segment] = ["  ", mark_of(finding.level, finding.probability)]
    if len(finding.path) > 2:
        stream.line(*segments, *_way(finding), indent=_MARK + 4)
        return
    segments.append(shown(finding.note))
    places = places_of(finding.evidence)
    if places:
        segments += ["  ", (places, "dim")]
    stream.line(*segments, indent=_MARK + 4)


def mark_of(level: str, probability: float | None) -> Segment:
    """Return how far something is known, in one width."""
    number = f" {probability:.2f}" if level != "confirmed" and probability is not None else ""
    return (f"{level}{number}".ljust(_MARK), _LEVEL_STYLES.get(level, "yellow"))


def places_of(evidence: Iterable[tuple[int, str]]) -> str:
    """Return the first places of a piece of evidence, in words."""
    places = [f"{shown(kind)} in line {line}" for line, kind in evidence]
    more = len(places) - _PLACES_SHOWN
    return ", ".join(places[:_PLACES_SHOWN]) + (f" and {more} more" if more > 0 else "")


def _way(finding: Finding) -> list[Segment]:
    first, *rest = finding.path
    return [shown(first), (" → " + " → ".join(map(shown, rest)), "dim")]


def print_cycles(stream: Output, report: StaleReport) -> None:
    """Print the notes that rest on each other, and the edge of each ring to look at first."""
    for cycle in report.cycles:
        ring = " → ".join(map(shown, (*cycle.notes, cycle.notes[0])))
        stream.line((ring, "bold"), indent=2)
        weakest = cycle.weakest
        stream.line(
            "  least sure: ",
            mark_of(weakest.level, weakest.probability),
            f"{shown(weakest.dependent)} on {shown(weakest.basis)}",
            indent=4,
        )
    stream.line(_rings(report, "") if report.cycles else "No live notes rest on each other.")


def _rings(report: StaleReport, then: str) -> str:
    return f"{count(len(report.cycles), 'ring')} of live notes that rest on each other{then}."


def print_summary(stream: Output, report: StaleReport, findings: tuple[Finding, ...]) -> None:
    """Print the one line to remember, and what was left out of the list."""
    from vaultgraph.flows.stale_report import count_findings, line_to_remember

    counts = count_findings(report)
    stream.line((line_to_remember(counts), "bold"))
    others = [
        (counts.suspect, "suspect"),
        (counts.at_risk, "at risk"),
    ]
    told = ", ".join(f"{number:,} {what}" for number, what in others if number)
    if told:
        stream.line(f"{told}.")
    for note in _left_out(report, counts, {f.level for f in findings}, findings):
        stream.note(note)
    if any(finding.state in ("stale", "suspect") for finding in findings):
        stream.note("Once a note is right again, or stands as it is: vaultgraph ack NOTE.")


def _left_out(
    report: StaleReport, counts: Counts, levels: set[str], findings: tuple[Finding, ...]
) -> list[str]:
    notes = []
    if counts.pointing:
        verb = "points" if counts.pointing == 1 else "point"
        listed = "" if "pointer" in levels else ": --all lists them"
        notes.append(f"{counts.pointing:,} only {verb} at one{listed}.")
    if counts.unjudged and not report.judged:
        notes.append("No judge has been asked which of them depend on it: vaultgraph judge.")
    elif counts.unjudged:
        notes.append(
            f"No verdict speaks of {counts.unjudged:,} of them as they are: vaultgraph judge."
        )
    if counts.handled and not any(finding.state == "handled" for finding in findings):
        notes.append(f"{count(counts.handled, 'finding')} handled: --handled lists them.")
    if report.cycles:
        notes.append(_rings(report, ": --cycles lists them"))
    if report.rejected:
        notes.append(f"Left out: {report.rejected:,} that you rejected (depends-on-rejected).")
    if report.private:
        notes.append(f"Left out: {report.private:,} with a private note.")
    if report.undated:
        notes.append(
            f"Left out: {report.undated:,} of which nobody knows on what day the basis closed."
        )
    return notes
