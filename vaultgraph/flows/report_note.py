"""The stale report as a note of the vault: the line to remember, the findings, and a picture."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from vaultgraph.flows.context import masker_of
from vaultgraph.flows.export import picture_of_findings
from vaultgraph.flows.stale_report import count_findings, line_to_remember
from vaultgraph.graph.exports.markdown import escaped_markdown
from vaultgraph.graph.exports.mermaid import fits_mermaid, mermaid_text
from vaultgraph.vault.properties import REPORT_KEY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from vaultgraph.domain.dependencies import Finding, State
    from vaultgraph.domain.notes import NoteId
    from vaultgraph.flows.stale import StaleReport

_TITLES: dict[State, str] = {
    "stale": "Stale",
    "suspect": "Suspect: what they rest on was changed since they were last looked at",
    "at-risk": "At risk: they rest on one of the notes above",
    "handled": "Handled: reviewed since",
}


def report_text(
    report: StaleReport, findings: Sequence[Finding], link: Callable[[NoteId], str]
) -> str:
    """Return the whole note; the same findings give the same text."""
    return "\n".join(_lines(report, findings, link)) + "\n"


def _lines(
    report: StaleReport, findings: Sequence[Finding], link: Callable[[NoteId], str]
) -> Iterator[str]:
    counts = count_findings(report)
    yield from ("---", f"{REPORT_KEY}: true", "---")
    yield "Written by `vaultgraph stale --write-note`, which writes it anew: what is added goes."
    yield from ("", f"**{line_to_remember(counts)}**")
    others = [(counts.suspect, "suspect"), (counts.at_risk, "at risk")]
    told = ", ".join(f"{number:,} {what}" for number, what in others if number)
    if told:
        yield from ("", f"{told}.")
    mask = masker_of(report.survey).mask
    for state, of_state in groupby(findings, key=lambda finding: finding.state):
        yield from ("", f"## {_TITLES[state]}")
        if state == "at-risk":
            yield ""
            for finding in sorted(of_state, key=lambda one: (len(one.path), one.path)):
                yield f"- {_way(finding, link)}"
            continue
        for _, group in groupby(of_state, key=lambda finding: finding.path[-1]):
            yield from _about(list(group), link, mask)
    yield from _picture(report, findings)


def _about(
    findings: Sequence[Finding], link: Callable[[NoteId], str], mask: Callable[[str], str]
) -> Iterator[str]:
    """Yield the note that findings are about, and what rests on it."""
    first = findings[0]
    yield from ("", f"### {link(first.path[-1])}", "")
    closing = first.closing
    if closing is not None:
        on = f", {closing.on}" if closing.on else ""
        yield f"{closing.how} ({escaped_markdown(mask(f'{closing.sign}{on}'))})"
        if closing.words:
            yield from ("", f"> {escaped_markdown(mask(closing.words))}")
        if closing.successors:
            yield from ("", f"now: {', '.join(map(link, closing.successors))}")
    elif first.sections:
        yield f"changed: {escaped_markdown(mask(', '.join(first.sections)))}"
    else:
        yield "changed"
    yield ""
    for finding in findings:
        if len(finding.path) > 2:
            yield f"- {_way(finding, link)}"
        else:
            yield f"- {link(finding.note)} ({escaped_markdown(mask(_told(finding)))})"


def _told(finding: Finding) -> str:
    level = finding.level
    if level == "judged" and finding.probability is not None:
        level_words = f"{level} {finding.probability:.2f}"
    else:
        level_words = level
    return ", ".join([level_words, *(f"{kind} in line {line}" for line, kind in finding.evidence)])


def _way(finding: Finding, link: Callable[[NoteId], str]) -> str:
    return " → ".join(map(link, finding.path))


def _picture(report: StaleReport, findings: Iterable[Finding]) -> Iterator[str]:
    picture = picture_of_findings(report, findings)
    if not picture.nodes:
        return
    yield from ("", "## Picture", "")
    text = mermaid_text(picture, is_in_note=True)
    if fits_mermaid(picture, text):
        yield from ("```mermaid", text.rstrip("\n"), "```")
    else:
        yield "Too large for Mermaid; `vaultgraph export stale.html` draws it."
