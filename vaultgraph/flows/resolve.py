"""``resolve``: a plan is closed in its owner's words, and what rested on it is named at once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from vaultgraph.domain.notes import Closing, NoteId
from vaultgraph.errors import ConflictError, InputError
from vaultgraph.flows.context import masker_of
from vaultgraph.flows.lookup import find_note
from vaultgraph.flows.note_plans import CONFLICT, NotePlanner
from vaultgraph.flows.stale import stale_in
from vaultgraph.flows.stale_report import closing_document, finding_document
from vaultgraph.flows.survey import survey_vault
from vaultgraph.flows.writing import files_by_note
from vaultgraph.proposals.plan import Add, Change, PlannedNote, SetText
from vaultgraph.vault.closing import closing_rule, status_word
from vaultgraph.vault.note import NoteReader
from vaultgraph.vault.resolve import LinkIndex

if TYPE_CHECKING:
    from datetime import date

    from vaultgraph.domain.dependencies import Finding
    from vaultgraph.domain.notes import NoteFacts
    from vaultgraph.domain.survey import Survey
    from vaultgraph.domain.writing import WriteReport
    from vaultgraph.flows.stale import StaleReport
    from vaultgraph.flows.writing import WritingContext

COMMAND = "resolve"


class Ending(NamedTuple):
    """How a plan ended, as its owner gave it on the command line."""

    #: The owner's words; empty where none were given.
    to: str
    on: date
    superseded_by: str | None = None
    status: str | None = None


@dataclass(frozen=True, slots=True)
class ResolvePlan:
    """How a note is to be closed, and what that makes of the others."""

    note: NoteId
    is_private: bool
    #: ``None`` where the note says all that already.
    planned: PlannedNote | None
    #: How it will be closed; and how it was.
    closing: Closing
    was: Closing | None
    #: Findings there will be and are not yet, in all states but handled.
    becomes: tuple[Finding, ...]
    #: As things will stand.
    stale: StaleReport
    #: What the owner may have meant otherwise.
    remarks: tuple[str, ...]


def plan_resolve(context: WritingContext, name: str, ending: Ending) -> ResolvePlan:
    """Return how to close the note called ``name``.

    Raises:
        InputError: a name means no note, or several; or the note cannot be edited safely.
        ConflictError: the note was changed meanwhile.
    """
    reading = context.reading
    # Listed first: whatever is touched from here on is not written.
    files = files_by_note(reading)
    survey = survey_vault(reading.vault, reading.notes, reading.settings)
    number = find_note(survey, name)
    note = survey.notes[number]
    successor = None
    if ending.superseded_by is not None:
        successor = survey.notes[find_note(survey, ending.superseded_by)]
        if successor == note:
            raise InputError(
                f"{note} cannot be superseded by itself", hint="name the note that took its place"
            )
    reader = NoteReader(reading.settings)
    try:
        facts = reader.read(reading.vault.read_bytes(files[note])).facts
    except OSError as error:
        raise InputError(
            f"{note} cannot be read: {error.strerror}", hint="close it once it can be read"
        ) from None
    index = LinkIndex(file.path for file in reading.vault.list_files().files)
    changes = _changes(context, note, facts, ending, successor, index)
    plans = NotePlanner(reading, files, [note]).plan({note: changes}, ())
    for problem in plans.refused:
        line = f":{problem.line}" if problem.line else ""
        text = f"{note}{line}: {problem.text}"
        if problem.code == CONFLICT:
            raise ConflictError(text, hint="nothing was written")
        raise InputError(text, hint="nothing was written; close it in the app instead")
    planned = plans.notes[0] if plans.notes else None
    after = facts if planned is None else reader.read(planned.after.encode()).facts
    closing = _closing(context, note, after, index, survey)
    was = survey.closings.get(number)
    ledger = context.ledger.read()
    before = stale_in(survey, ledger, reading)
    stale = stale_in(_with_closing(survey, number, closing), ledger, reading)
    known = {(one.note, one.path[-1], one.level, one.state) for one in before.findings}
    becomes = tuple(
        one
        for one in stale.findings
        if one.state != "handled" and (one.note, one.path[-1], one.level, one.state) not in known
    )
    return ResolvePlan(
        note=note,
        is_private=survey.is_private(number),
        planned=planned,
        closing=closing,
        was=was,
        becomes=becomes,
        stale=stale,
        remarks=tuple(_remarks(context, facts, ending)),
    )


def _changes(
    context: WritingContext,
    note: NoteId,
    facts: NoteFacts,
    ending: Ending,
    successor: NoteId | None,
    index: LinkIndex,
) -> list[Change]:
    keys = context.reading.settings.keys
    changes: list[Change] = []
    if ending.status is not None:
        changes.append(SetText(_status_key(context, facts), ending.status))
    if ending.to:
        changes.append(SetText(keys.resolved_to, ending.to))
    changes.append(SetText(keys.resolved_on, ending.on.isoformat()))
    if successor is not None:
        target = index.link_text(successor, note)
        if facts.superseded_by or target is None:
            # What stands there stays: a plan may live on in several notes.
            changes.append(Add(keys.superseded_by, successor))
        else:
            changes.append(SetText(keys.superseded_by, f"[[{target}]]"))
    return changes


def _status_key(context: WritingContext, facts: NoteFacts) -> str:
    return facts.statuses[0][0] if facts.statuses else context.reading.settings.status.keys[0]


def _closing(
    context: WritingContext, note: NoteId, facts: NoteFacts, index: LinkIndex, survey: Survey
) -> Closing:
    """Return how the note will be closed."""

    def reached(target: str, source: NoteId) -> NoteId | None:
        path = index.resolve(target, source)
        number = None if path is None else survey.number_of(NoteId(path))
        # A private successor may not be named, so it counts as not given.
        return None if number is None or survey.is_private(number) else survey.notes[number]

    closing = closing_rule(context.reading.settings, reached)(note, facts, False)  # noqa: FBT003
    if closing is None:
        raise InputError(
            "with that the note would not be closed",
            hint="say how it ended with --to, or name its successor with --superseded-by",
        )
    return closing


def _with_closing(survey: Survey, number: int, closing: Closing) -> Survey:
    """Return the survey as it would be with a note closed."""
    return replace(survey, closings={**survey.closings, number: closing})


def _remarks(context: WritingContext, facts: NoteFacts, ending: Ending) -> list[str]:
    status = context.reading.settings.status
    closed = {status_word(value) for value in (*status.closed, *status.superseded)}
    key = _status_key(context, facts)
    if ending.status is not None:
        if status_word(ending.status) not in closed:
            return [f"{key}: {ending.status} alone closes no note here: see closed in config.toml"]
        return []
    live = [value for _, value in facts.statuses if status_word(value) not in closed]
    return [f"{key} stays {value}: --status sets it" for value in live[:1]]


def resolve_document(plan: ResolvePlan, report: WriteReport | None) -> dict[str, Any]:
    """Return plan and outcome as ``resolve --json`` documents them."""
    mask = masker_of(plan.stale.survey).mask
    return {
        "note": plan.note,
        "run": None if report is None else report.run,
        "written": None if report is None else len(report.having("written")),
        "was": closing_document(plan.was, mask),
        "closed": closing_document(plan.closing, mask),
        "becomes": [finding_document(finding, mask) for finding in plan.becomes],
        "remarks": list(plan.remarks),
    }
