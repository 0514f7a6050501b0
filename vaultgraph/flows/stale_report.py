"""What ``stale`` says of its findings: narrowed, counted, and as a document."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from vaultgraph.errors import InputError
from vaultgraph.flows.context import masker_of
from vaultgraph.flows.decided_pairs import decided_pairs
from vaultgraph.flows.writing import files_by_note

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import date

    from vaultgraph.domain.dependencies import Cycle, Finding
    from vaultgraph.domain.notes import Closing, NoteId
    from vaultgraph.flows.context import Context
    from vaultgraph.flows.stale import StaleReport


def in_folder(report: StaleReport, folder: str) -> StaleReport:
    """Return the report with the findings on notes below a folder only.

    Raises:
        InputError: there is no note below it.
    """
    below = folder_start(folder)
    if not any(note.startswith(below) for note in report.survey.notes):
        raise InputError(
            f"no note lies below {folder}", hint="give a folder's path, from the top of the vault"
        )
    kept = tuple(finding for finding in report.findings if finding.note.startswith(below))
    return replace(report, findings=kept)


def folder_start(folder: str) -> str:
    """Return what the ids of all notes below a folder begin with."""
    start = folder.replace("\\", "/").strip("/").removeprefix("./")
    return f"{start}/" if start not in {"", "."} else ""


def since(report: StaleReport, day: date, context: Context) -> StaleReport:
    """Return the report with the findings on notes that closed or changed on that day or later.

    A note changed when its file did, by UTC. What closed on a day that nobody knows is left out,
    and counted.
    """
    days = _days(report, context)
    dated = [(finding, days(finding)) for finding in report.findings]
    kept = tuple(finding for finding, on in dated if on >= day.isoformat())
    undated = sum(not on for _, on in dated)
    return replace(report, findings=kept, undated=undated)


def _days(report: StaleReport, context: Context) -> Callable[[Finding], str]:
    changed: dict[NoteId, str] = {}
    files = files_by_note(context)

    def day_of(finding: Finding) -> str:
        basis = finding.path[-1]
        if basis in report.standing.closings:
            return report.standing.closing_day(basis)
        if basis not in changed:
            stamp = files[basis].stamp if basis in files else None
            seconds = stamp[1] / 1e9 if stamp is not None else 0.0
            changed[basis] = datetime.fromtimestamp(seconds, UTC).date().isoformat()
        return changed[basis]

    return day_of


def chosen(report: StaleReport, *, pointers: bool, handled: bool) -> tuple[Finding, ...]:
    """Return the findings to be shown."""
    return tuple(
        finding
        for finding in report.findings
        if (pointers or finding.level != "pointer") and (handled or finding.state != "handled")
    )


class Counts(NamedTuple):
    """Notes, each counted once a line, but for ``handled``."""

    #: Live notes that point at a closed one, in whatever way, and the closed ones.
    notes: int
    bases: int
    #: Of the notes, those that depend on one by a person's or a judge's word.
    depend: int
    #: Of these, those by a person's word, and those of which every such finding is handled.
    confirmed: int
    depend_handled: int
    #: Those that only point, and of these, those with a pair that neither a verdict speaks of now
    #: nor a person decided about.
    pointing: int
    unjudged: int
    suspect: int
    at_risk: int
    #: Findings.
    handled: int


def count_findings(report: StaleReport) -> Counts:
    """Return the one line a person remembers, in numbers."""
    closed = [finding for finding in report.findings if finding.closing is not None]
    known = [finding for finding in closed if finding.level != "pointer"]
    depend = _notes(known)
    pointing = _notes(closed) - depend
    notes = report.survey.notes
    answered = {frozenset((notes[a], notes[b])) for a, b in decided_pairs(report.survey)}
    answered.update(report.judged)
    return Counts(
        notes=len(_notes(closed)),
        bases=len({finding.basis for finding in closed}),
        depend=len(depend),
        confirmed=len(_notes(finding for finding in known if finding.level == "confirmed")),
        depend_handled=len(depend - _notes(f for f in known if f.state != "handled")),
        pointing=len(pointing),
        unjudged=len(
            _notes(
                finding
                for finding in closed
                if finding.note in pointing
                and frozenset((finding.note, finding.basis)) not in answered
            )
        ),
        suspect=len(_notes(f for f in report.findings if f.state == "suspect")),
        at_risk=len(_notes(f for f in report.findings if f.state == "at-risk")),
        handled=sum(finding.state == "handled" for finding in report.findings),
    )


def line_to_remember(counts: Counts) -> str:
    """Return the one line a person remembers, in words."""
    if not counts.notes:
        return "No live note points at a closed one."
    points = "live note points" if counts.notes == 1 else "live notes point"
    ones = "closed one" if counts.bases == 1 else "closed ones"
    return f"{counts.notes:,} {points} at {counts.bases:,} {ones}; {_depend(counts)}"


def _depend(counts: Counts) -> str:
    if not counts.depend:
        return "none is known to depend on one."
    them = "it" if counts.bases == 1 else "them"
    verb = "depends" if counts.depend == 1 else "depend"
    by_judge = counts.depend - counts.confirmed
    by = [
        text
        for number, text in (
            (counts.confirmed, f"{counts.confirmed:,} by your word"),
            (by_judge, f"{by_judge:,} by a judge's"),
        )
        if number
    ]
    handled = f"; {counts.depend_handled:,} handled" if counts.depend_handled else ""
    return f"{counts.depend:,} really {verb} on {them} ({', '.join(by)}{handled})."


def _notes(findings: Iterable[Finding]) -> set[NoteId]:
    return {finding.note for finding in findings}


def stale_document(report: StaleReport, findings: Iterable[Finding]) -> dict[str, Any]:
    """Return the report as ``stale --json`` documents it, with the findings that are shown."""
    mask = masker_of(report.survey).mask
    shown = [finding_document(finding, mask) for finding in findings]
    counts = count_findings(report)
    return {
        "findings": shown,
        "cycles": [cycle_document(cycle) for cycle in report.cycles],
        "counts": {
            "findings": len(shown),
            **counts._asdict(),
            "cycles": len(report.cycles),
            "judged": len(report.judged),
            "rejected": report.rejected,
            "private": report.private,
            "undated": report.undated,
        },
        "problems": report.problems,
    }


def finding_document(finding: Finding, mask: Callable[[str], str]) -> dict[str, Any]:
    """Return one finding in its documented form."""
    return {
        "note": finding.note,
        "basis": finding.basis,
        "level": finding.level,
        "state": finding.state,
        "closed": closing_document(finding.closing, mask),
        "path": list(finding.path),
        "distance": len(finding.path) - 1,
        "probability": finding.probability,
        "sections": [mask(section) for section in finding.sections],
        "evidence": [{"line": line, "kind": kind} for line, kind in finding.evidence],
    }


def closing_document(closing: Closing | None, mask: Callable[[str], str]) -> dict[str, Any] | None:
    """Return how a note closed in its documented form; ``None`` for a live one."""
    if closing is None:
        return None
    return {
        "how": closing.how,
        "sign": closing.sign,
        "words": mask(closing.words) or None,
        "on": closing.on or None,
        "successor": next(iter(closing.successors), None),
    }


def cycle_document(cycle: Cycle) -> dict[str, Any]:
    """Return one ring in its documented form."""
    weakest = cycle.weakest
    return {
        "notes": list(cycle.notes),
        "weakest": {
            "dependent": weakest.dependent,
            "basis": weakest.basis,
            "level": weakest.level,
            "probability": weakest.probability,
        },
    }
