"""``show``: what one note rests on and what rests on it, as far as wanted."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from vaultgraph.flows.context import masker_of
from vaultgraph.flows.lookup import find_note
from vaultgraph.flows.stale import StaleReport, find_stale
from vaultgraph.flows.stale_report import closing_document, cycle_document, finding_document

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from vaultgraph.domain.dependencies import Edge, Finding
    from vaultgraph.domain.notes import NoteId
    from vaultgraph.domain.writing import KeepsEvents
    from vaultgraph.flows.context import Context


class Branch(NamedTuple):
    """A note one step further, and the edge that leads to it."""

    note: NoteId
    edge: Edge
    #: Its own branches, sorted by note; those of a note that stands elsewhere in the tree, nearer
    #: to its root or before, are not repeated.
    branches: tuple[Branch, ...]
    is_repeated: bool = False


@dataclass(frozen=True, slots=True)
class ShowReport:
    """One note amid what it rests on and what rests on it."""

    note: NoteId
    is_private: bool
    stale: StaleReport
    #: Of the note itself.
    findings: tuple[Finding, ...]
    rests_on: tuple[Branch, ...]
    resting_on_it: tuple[Branch, ...]
    #: As ``note_states`` gives them.
    states: Mapping[NoteId, str]

    def state_of(self, note: NoteId) -> str:
        """Return how a note stands: how it closed, what is found on it first, or ``live``."""
        return self.states.get(note, "live")


def note_states(report: StaleReport) -> dict[NoteId, str]:
    """Return how each note stands that is not just live: how it closed, or what is found first."""
    states: dict[NoteId, str] = {}
    for finding in report.findings:
        if finding.level != "pointer":
            states.setdefault(finding.note, finding.state)
    return states | {note: closing.how for note, closing in report.standing.closings.items()}


def show_note(context: Context, ledger: KeepsEvents, written: str, depth: int) -> ShowReport:
    """Return what a note rests on, and what rests on it, down to ``depth`` steps away.

    Bare pointers are left out.

    Raises:
        InputError: no note, or more than one, is called so.
    """
    stale = find_stale(context, ledger)
    number = find_note(stale.survey, written)
    note = stale.survey.notes[number]
    bases: defaultdict[NoteId, list[Edge]] = defaultdict(list)
    dependents: defaultdict[NoteId, list[Edge]] = defaultdict(list)
    for edge in stale.edges:
        if edge.level != "pointer":
            bases[edge.dependent].append(edge)
            dependents[edge.basis].append(edge)
    return ShowReport(
        note=note,
        is_private=stale.survey.is_private(number),
        stale=stale,
        findings=tuple(f for f in stale.findings if f.note == note and f.level != "pointer"),
        rests_on=_branches(note, bases, lambda edge: edge.basis, depth),
        resting_on_it=_branches(note, dependents, lambda edge: edge.dependent, depth),
        states=note_states(stale),
    )


def _branches(
    root: NoteId,
    edges: Mapping[NoteId, list[Edge]],
    end_of: Callable[[Edge], NoteId],
    depth: int,
) -> tuple[Branch, ...]:
    """Return the tree below a note; each note has its branches once, as near as it comes."""
    steps: dict[NoteId, int] = {root: 0}
    parents: dict[NoteId, NoteId] = {}
    rim = [root]
    for step in range(1, depth + 1):
        following: list[NoteId] = []
        for note in rim:
            for edge in edges.get(note, ()):
                end = end_of(edge)
                if end not in steps:
                    steps[end], parents[end] = step, note
                    following.append(end)
        rim = sorted(following)

    def grow(note: NoteId) -> tuple[Branch, ...]:
        if steps[note] >= depth:
            return ()
        return tuple(
            Branch(end, edge, grow(end))
            if parents.get(end) == note
            else Branch(end, edge, (), is_repeated=bool(edges.get(end)) or end == root)
            for edge in sorted(edges.get(note, ()), key=end_of)
            for end in (end_of(edge),)
        )

    return grow(root)


def show_document(report: ShowReport) -> dict[str, Any]:
    """Return the report as ``show --json`` documents it."""
    mask = masker_of(report.stale.survey).mask
    return {
        "note": report.note,
        "state": report.state_of(report.note),
        "closed": closing_document(report.stale.standing.closings.get(report.note), mask),
        "findings": [finding_document(finding, mask) for finding in report.findings],
        "rests_on": [_branch_document(report, one, "rests_on") for one in report.rests_on],
        "resting_on_it": [
            _branch_document(report, one, "resting_on_it") for one in report.resting_on_it
        ],
        "cycles": [
            cycle_document(cycle) for cycle in report.stale.cycles if report.note in cycle.notes
        ],
    }


def _branch_document(report: ShowReport, branch: Branch, way: str) -> dict[str, Any]:
    edge = branch.edge
    mask = masker_of(report.stale.survey).mask
    return {
        "note": branch.note,
        "state": report.state_of(branch.note),
        "closed": closing_document(report.stale.standing.closings.get(branch.note), mask),
        "level": edge.level,
        "probability": edge.probability,
        "judge": edge.judge or None,
        "model": edge.model or None,
        "on": edge.on or None,
        "evidence": [{"line": line, "kind": kind} for line, kind in edge.evidence],
        "repeated": branch.is_repeated,
        way: [_branch_document(report, one, way) for one in branch.branches],
    }
