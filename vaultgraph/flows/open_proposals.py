"""``.vaultgraph/proposals.json``: what a reviewer is shown beside each open proposal."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from vaultgraph.domain.notes import ENTRY_LISTS, PROPERTY
from vaultgraph.domain.survey import PRIVATE
from vaultgraph.flows.context import masker_of
from vaultgraph.flows.passages import NoteTexts
from vaultgraph.flows.survey import survey_vault
from vaultgraph.proposals.verdicts import read_verdict
from vaultgraph.text.prose import fold
from vaultgraph.vault.scope import title_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vaultgraph.domain.judging import Verdict
    from vaultgraph.domain.notes import NoteId
    from vaultgraph.domain.survey import Survey
    from vaultgraph.flows.context import Context
    from vaultgraph.flows.writing import WritingContext

PROPOSALS_FILE = "proposals.json"
SCHEMA = 1
_LONGEST = 240
#: A full stop inside a number or an address ends nothing; the wide ones need no blank.
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[\u3002\uff01\uff1f])\s*(?=\S)")


def write_open_proposals(context: WritingContext) -> None:
    """Bring ``proposals.json`` up to date with what stands in the notes.

    Raises:
        InputError: it cannot be written.
    """
    reading = context.reading
    survey = survey_vault(reading.vault, reading.notes, reading.settings)
    latest: dict[tuple[NoteId, NoteId], Verdict] = {}
    for event in context.ledger.read().events:
        verdict = read_verdict(event)
        if verdict is not None:
            latest[verdict.first, verdict.second] = verdict
    document = open_proposals_document(reading, survey, latest)
    text = json.dumps(document, ensure_ascii=False, indent=1, sort_keys=True)
    context.own_files.replace(PROPOSALS_FILE, f"{text}\n".encode())


def open_proposals_document(
    context: Context, survey: Survey, latest: Mapping[tuple[NoteId, NoteId], Verdict]
) -> dict[str, Any]:
    """Return every open proposal with its probability and the sentence that speaks for it."""
    keys = context.settings.keys
    sentences = _Sentences(context, survey)
    rows: list[dict[str, Any]] = []
    for entry in survey.entries:
        is_public = entry.to is not None and not (
            (survey.flags[entry.note] | survey.flags[entry.to]) & PRIVATE
        )
        if entry.in_list != "proposed" or entry.to is None or not is_public:
            continue
        dependent, basis = survey.notes[entry.note], survey.notes[entry.to]
        row: dict[str, Any] = {"dependent": dependent, "basis": basis}
        row |= _score(latest, dependent, basis)
        row |= sentences.find(entry.note, entry.to)
        rows.append(row)
    rows.sort(key=lambda row: (-row.get("probability", 0.0), row["dependent"], row["basis"]))
    return {
        "schema": SCHEMA,
        "keys": {entries: keys.of_list(entries) for entries in ENTRY_LISTS},
        "proposals": rows,
    }


def _score(
    latest: Mapping[tuple[NoteId, NoteId], Verdict], dependent: NoteId, basis: NoteId
) -> dict[str, Any]:
    verdict = latest.get((min(dependent, basis), max(dependent, basis)))
    if verdict is None:
        return {}
    is_first = verdict.first == dependent
    probability = verdict.first_depends if is_first else verdict.second_depends
    return {"probability": probability, "judge": verdict.judge, "model": verdict.model}


class _Sentences:
    """The evidence between notes, as sentences."""

    def __init__(self, context: Context, survey: Survey) -> None:
        self._survey = survey
        self._texts = NoteTexts(context, masker_of(survey))
        #: The first line of each note about each other, and the name it uses. A property says
        #: less than any line of the body.
        self._places: dict[tuple[int, int], tuple[bool, int, str]] = {}
        for link in survey.iter_links():
            is_property = link.kind.startswith(f"{PROPERTY}:")
            title = title_of(survey.notes[link.to])
            self._remember(link.note, link.to, (is_property, link.line, title))
        for row in survey.iter_mentions():
            self._remember(row.note, row.of, (False, row.line, survey.names[row.name]))

    def _remember(self, note: int, of: int, place: tuple[bool, int, str]) -> None:
        self._places[note, of] = min(place, self._places.get((note, of), place))

    def find(self, dependent: int, basis: int) -> dict[str, Any]:
        """Return the first place where the dependent speaks of the basis, else the reverse."""
        for note, of in ((dependent, basis), (basis, dependent)):
            if (note, of) in self._places:
                _, line, name = self._places[note, of]
                where = self._survey.notes[note]
                # Masked before it is cut: a cut name is still half of a name.
                sentence = sentence_about(self._texts.passage(where, line, name), name)
                return {"evidence": sentence, "evidence_note": where, "evidence_line": line}
        return {}


def sentence_about(line: str, name: str) -> str:
    """Return the sentence of a line that holds ``name``, or the line's beginning."""
    sentences = [part for part in _SENTENCE_END.split(line) if part.strip()]
    wanted = fold(name)
    chosen = next((part for part in sentences if wanted in fold(part)), line)
    chosen = chosen.strip()
    return chosen if len(chosen) <= _LONGEST else f"{chosen[:_LONGEST].rstrip()}…"
