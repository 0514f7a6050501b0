"""``judge --import``: verdicts from a person's list or another tool."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from vaultgraph.errors import InputError
from vaultgraph.flows.lookup import find_note
from vaultgraph.flows.survey import survey_vault
from vaultgraph.flows.writing import WritingContext, body_hashes
from vaultgraph.proposals.verdicts import (
    ImportedVerdict,
    current_verdicts,
    ordered_verdict,
    parse_imported,
    read_verdict,
    verdict_event,
)

if TYPE_CHECKING:
    from vaultgraph.domain.judging import Verdict
    from vaultgraph.domain.notes import NoteId
    from vaultgraph.domain.survey import Survey


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What was taken over from a file of verdicts."""

    verdicts: list[Verdict]
    #: Lines that said what the ledger knew already.
    known: int
    #: (line, why) for each line that was not taken over.
    refused: list[tuple[int, str]]


class _Line(NamedTuple):
    """A line that can be taken over: its number, what it says, and the notes it means."""

    number: int
    imported: ImportedVerdict
    first: NoteId
    second: NoteId


def import_verdicts(context: WritingContext, data: bytes) -> ImportReport:
    """Remember the verdicts in ``data``, JSON lines, each about the notes as they are now.

    Of several lines about one pair the last one counts, and the others are named.

    Raises:
        InputError: ``data`` is not UTF-8.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError("the verdicts are not UTF-8", hint="save the file as UTF-8") from None
    reading = context.reading
    survey = survey_vault(reading.vault, reading.notes, reading.settings)
    lines, refused = _read_lines(survey, text)
    notes = {note for line in lines for note in (line.first, line.second)}
    hashes = body_hashes(survey, notes)
    latest: dict[tuple[NoteId, NoteId], tuple[int, Verdict]] = {}
    known = 0
    for line in lines:
        if not {line.first, line.second} <= hashes.keys():
            refused.append((line.number, "one of the notes cannot be read any more"))
            continue
        verdict = ordered_verdict(line.imported, line.first, line.second, hashes)
        pair = (verdict.first, verdict.second)
        if pair in latest and latest[pair][1] == verdict:
            known += 1
            continue
        if pair in latest:
            text = f"line {line.number} says otherwise of the same pair; the last one counts"
            refused.append((latest[pair][0], text))
        latest[pair] = (line.number, verdict)
    verdicts = [verdict for _, verdict in latest.values()]
    new = _unknown(context, verdicts, hashes)
    context.ledger.append([verdict_event(verdict) for verdict in new])
    return ImportReport(new, known + len(verdicts) - len(new), sorted(refused))


def _read_lines(survey: Survey, text: str) -> tuple[list[_Line], list[tuple[int, str]]]:
    found: list[_Line] = []
    refused: list[tuple[int, str]] = []
    # Not ``splitlines``: a name may hold one of the other characters that Unicode ends lines at.
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            imported = parse_imported(json.loads(line))
            found.append(_Line(number, imported, *_notes(survey, imported)))
        except InputError as error:
            refused.append((number, error.message))
        except (ValueError, RecursionError) as error:
            is_json = not isinstance(error, json.JSONDecodeError | RecursionError)
            refused.append((number, str(error) if is_json else "not JSON"))
    return found, refused


def _notes(survey: Survey, imported: ImportedVerdict) -> tuple[NoteId, NoteId]:
    numbers = (find_note(survey, imported.first), find_note(survey, imported.second))
    if numbers[0] == numbers[1]:
        raise InputError("both notes are the same")
    for number in numbers:
        if survey.is_private(number):
            raise InputError("a private note makes no pair")
        if not survey.can_pair(number):
            raise InputError(
                f"{survey.notes[number]} makes no pair: a record, report or unreadable"
            )
    return survey.notes[numbers[0]], survey.notes[numbers[1]]


def _unknown(
    context: WritingContext, verdicts: list[Verdict], hashes: dict[NoteId, str]
) -> list[Verdict]:
    """Return the verdicts that the ledger does not hold already as the latest of their pair."""
    read = (read_verdict(event) for event in context.ledger.read().events)
    known = current_verdicts((verdict for verdict in read if verdict is not None), hashes).valid
    latest = {verdict._replace(at="") for verdict in known}
    return [verdict for verdict in verdicts if verdict not in latest]


def import_document(report: ImportReport) -> dict[str, Any]:
    """Return the report as ``judge --import --json`` documents it."""
    return {
        "verdicts": [
            {
                "first": verdict.first,
                "second": verdict.second,
                "first_depends": verdict.first_depends,
                "second_depends": verdict.second_depends,
                "judge": verdict.judge,
                "model": verdict.model,
                "questions": verdict.questions,
            }
            for verdict in report.verdicts
        ],
        "known": report.known,
        "refused": [{"line": line, "text": text} for line, text in report.refused],
    }
