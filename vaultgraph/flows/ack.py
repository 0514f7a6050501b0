"""``ack``: the owner looked at notes, and they stand with what they rest on as it is now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from vaultgraph.errors import InputError
from vaultgraph.flows.lookup import find_note
from vaultgraph.flows.note_plans import NotePlanner, NotePlans
from vaultgraph.flows.notice_bases import BasisReader
from vaultgraph.flows.stale import find_stale
from vaultgraph.flows.writing import files_by_note, not_done
from vaultgraph.proposals.plan import SetText
from vaultgraph.review.seen import acked_event

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date

    from vaultgraph.domain.dependencies import Edge, Finding
    from vaultgraph.domain.notes import NoteId, VaultFile
    from vaultgraph.domain.writing import WriteReport
    from vaultgraph.flows.stale import StaleReport
    from vaultgraph.flows.writing import WritingContext

COMMAND = "ack"


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """One note that was looked at."""

    note: NoteId
    #: What it rests on and is looked at for, closed notes that it only points at among them.
    edges: tuple[Edge, ...]
    #: What is open on it for one of these, and will be handled.
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class AckPlan:
    """What is to be written and remembered."""

    #: ISO date.
    on: str
    notes: tuple[Acknowledged, ...]
    plans: NotePlans
    #: As things stood before.
    stale: StaleReport
    files: Mapping[NoteId, VaultFile]


def plan_ack(
    context: WritingContext, names: Sequence[str], basis: str | None, today: date
) -> AckPlan:
    """Return what it takes to acknowledge the notes called ``names``, for one basis or for all.

    Raises:
        InputError: a name means no note, or several; or the note does not rest on the basis.
    """
    # Listed first: whatever is touched from here on is not written.
    files = files_by_note(context.reading)
    stale = find_stale(context.reading, context.ledger)
    survey = stale.survey
    numbers = list(dict.fromkeys(find_note(survey, name) for name in names))
    only = None if basis is None else survey.notes[find_note(survey, basis)]
    notes: list[Acknowledged] = []
    for number in numbers:
        note = survey.notes[number]
        edges = tuple(
            edge
            for edge in stale.edges
            if edge.dependent == note and (only is None or edge.basis == only)
        )
        if only is not None and not edges:
            raise InputError(
                f"{note} does not rest on {only}, as far as is known",
                hint=f"see what it rests on: vaultgraph show '{note}'",
            )
        bases = {edge.basis for edge in edges}
        findings = tuple(
            finding
            for finding in stale.findings
            if finding.note == note and finding.basis in bases and finding.state != "handled"
        )
        notes.append(Acknowledged(note, edges, findings))
    day = today.isoformat()
    change = SetText(context.reading.settings.keys.reviewed, day)
    chosen = {one.note for one in notes}
    planner = NotePlanner(context.reading, files, chosen)
    plans = planner.plan({note: [change] for note in chosen}, ())
    return AckPlan(day, tuple(notes), plans, stale, files)


def acknowledge(context: WritingContext, plan: AckPlan) -> WriteReport | None:
    """Write ``reviewed:`` and remember what each basis is; ``None`` where no note changes.

    The ledger comes second: where a crash comes between, the note is acknowledged once more.
    """
    report = None
    writes = [planned.write for planned in plan.plans.notes]
    if writes:
        report = context.writer.write(writes, command=COMMAND)
    left = {problem.path for problem in plan.plans.refused}
    left.update(outcome.note for outcome in (not_done(report) if report is not None else ()))
    bases = BasisReader(context.reading, plan.stale.survey, plan.files)
    events = []
    for one in plan.notes:
        seen = [bases.read(edge.basis) for edge in one.edges]
        if seen and one.note not in left:
            events.append(acked_event(one.note, [found for found in seen if found], plan.on))
    context.ledger.append(events)
    return report


def ack_document(plan: AckPlan, report: WriteReport | None) -> dict[str, Any]:
    """Return plan and outcome as ``ack --json`` documents them."""
    unwritten = () if report is None else not_done(report)
    left = {problem.path for problem in plan.plans.refused} | {one.note for one in unwritten}
    return {
        "run": None if report is None else report.run,
        "on": plan.on,
        "acknowledged": [
            {
                "note": one.note,
                "bases": [edge.basis for edge in one.edges],
                "findings": [
                    {"basis": finding.basis, "level": finding.level, "state": finding.state}
                    for finding in one.findings
                ],
            }
            for one in plan.notes
            if one.note not in left
        ],
        "refused": [
            *(problem._asdict() for problem in plan.plans.refused),
            *(
                {"path": one.note, "line": 0, "code": one.kind, "text": one.reason}
                for one in unwritten
            ),
        ],
    }
