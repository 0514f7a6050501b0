"""``origin``: the notes that state something, and which of them the others rest on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from vaultgraph.candidates.mentions import Matcher, Probe
from vaultgraph.domain.survey import PRIVATE, REPORT, UNREADABLE
from vaultgraph.errors import UsageError
from vaultgraph.flows.context import masker_of
from vaultgraph.flows.note_bytes import NoteBytes
from vaultgraph.flows.passages import passage_in
from vaultgraph.flows.show import note_states
from vaultgraph.flows.stale import find_stale
from vaultgraph.flows.stale_report import closing_document
from vaultgraph.graph.origin import Origin, rank_origins
from vaultgraph.text.frontmatter import split_note
from vaultgraph.text.links import view_body
from vaultgraph.text.prose import fold, fold_name, to_nfc
from vaultgraph.vault.scope import title_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from vaultgraph.domain.dependencies import Edge
    from vaultgraph.domain.notes import NoteId
    from vaultgraph.domain.writing import KeepsEvents
    from vaultgraph.flows.context import Context
    from vaultgraph.flows.stale import StaleReport
    from vaultgraph.vault.privacy import Masker

_NOT_SEARCHED = PRIVATE | REPORT | UNREADABLE


class Statement(NamedTuple):
    """Where a note states something."""

    #: Of the file, 1-based, the first one; 0 where the title alone states it.
    line: int
    #: The line's, private names masked; or the title.
    text: str
    #: In how many lines, and once more for the title.
    places: int


@dataclass(frozen=True, slots=True)
class OriginReport:
    """The notes that state something, the one that the others rest on first."""

    #: What was asked for, as written.
    text: str
    ranked: tuple[Origin, ...]
    statements: dict[NoteId, Statement]
    #: Notes that say what was true then: they state it, and rest on nothing.
    records: frozenset[NoteId]
    stale: StaleReport
    #: As ``note_states`` gives them.
    states: Mapping[NoteId, str]
    #: Private notes of the vault, none of which was looked into.
    private: int
    #: Places that a private name takes up, and that so state nothing.
    masked: int

    @property
    def origin(self) -> Origin | None:
        """The note that the others rest on; ``None`` where none comes to another."""
        first = next(iter(self.ranked), None)
        return first if first is not None and first.is_origin else None


def find_origin(context: Context, ledger: KeepsEvents, text: str) -> OriginReport:
    """Return the notes whose prose or title states ``text``, and how they rest on each other.

    It is compared as names are: whole words in any letter case, over line ends, and nothing in
    code, links, comments or frontmatter.

    Raises:
        UsageError: there is nothing to look for.
    """
    wanted = fold_name(text)
    if not any(character.isalnum() for character in wanted):
        raise UsageError(
            "there is no word to look for", hint='give one or more: vaultgraph origin "June 2026"'
        )
    report = find_stale(context, ledger)
    survey = report.survey
    search = _Search(context, masker_of(survey), wanted)
    statements: dict[NoteId, Statement] = {}
    stating: dict[int, NoteId] = {}
    for number, note in enumerate(survey.notes):
        found = None if survey.flags[number] & _NOT_SEARCHED else search.in_note(note)
        if found is not None:
            statements[note] = found
            stating[number] = note
    return OriginReport(
        text=text,
        ranked=rank_origins(statements.keys(), report.edges, _pointers(report, stating)),
        statements=statements,
        records=frozenset(stating[number] for number in stating if survey.is_record(number)),
        stale=report,
        states=note_states(report),
        private=sum(1 for flags in survey.flags if flags & PRIVATE),
        masked=search.masked,
    )


class _Search:
    """Looks for one folded text in note after note.

    Most notes are told by their bytes to hold no word of it; only the others are read with care.
    """

    def __init__(self, context: Context, masker: Masker, wanted: str) -> None:
        self._read = NoteBytes(context.vault).read
        self._masker = masker
        self._wanted = wanted
        self._longest_word = max(wanted.split(), key=len)
        self._probe = Probe([wanted])
        self._matcher = Matcher([wanted])
        self.masked = 0

    def in_note(self, note: NoteId) -> Statement | None:
        """Return where a note states it, if it does; what went away since states nothing."""
        title = title_of(note) if self._longest_word in fold(note) else ""
        in_title = title != "" and bool(self._matcher.find(title))
        try:
            data = self._read(note)
        except OSError:
            return None
        lines = self._lines_in(data) if self._probe.may_find(data) else {}
        if lines:
            line, text = next(iter(lines.items()))
            return Statement(line, text, len(lines) + in_title)
        return Statement(0, title, 1) if in_title else None

    def _lines_in(self, data: bytes) -> dict[int, str]:
        """Return the lines that state it, by number; twice in a line counts once."""
        text = to_nfc(data.decode(errors="replace"))
        note = split_note(text)
        before = note.block.count("\n") + 2 if note.opening else 0
        found = self._matcher.find(view_body(note.body).prose)
        lines = text.split("\n") if found else []
        shown: dict[int, str] = {}
        for number in dict.fromkeys(mention.line + before for mention in found):
            passage = passage_in(lines, number, self._wanted, self._masker)
            if self._wanted in fold_name(passage):
                shown[number] = passage
            else:
                self.masked += 1
        return shown


def _pointers(
    report: StaleReport, stating: Mapping[int, NoteId]
) -> Iterator[tuple[NoteId, NoteId]]:
    """Yield (note, note it links to or names) among those that state it.

    Pairs that a verdict speaks of, or that their owner rejected, are left out: of them more is
    known than that one points at the other.
    """
    survey = report.survey
    rejected = {(row.note, row.to) for row in survey.entries if row.in_list == "rejected"}
    pairs = {
        (row[0], row[1])
        for rows in (survey.links, survey.mentions)
        for row in rows
        if row[0] in stating and row[1] in stating
    }
    for note, to in pairs - rejected:
        pair = stating[note], stating[to]
        if frozenset(pair) not in report.judged:
            yield pair


def origin_document(report: OriginReport) -> dict[str, Any]:
    """Return the report as ``origin --json`` documents it."""
    origin = report.origin
    return {
        "text": report.text,
        "origin": None if origin is None else origin.note,
        "notes": [_row_document(report, row) for row in report.ranked],
        "counts": {
            "notes": len(report.ranked),
            "private": report.private,
            "masked": report.masked,
        },
        "problems": report.stale.problems,
    }


def _row_document(report: OriginReport, row: Origin) -> dict[str, Any]:
    note, statement = row.note, report.statements[row.note]
    mask = masker_of(report.stale.survey).mask
    return {
        "note": note,
        "state": report.states.get(note, "live"),
        "closed": closing_document(report.stale.standing.closings.get(note), mask),
        "record": note in report.records,
        "line": statement.line or None,
        "text": statement.text,
        "places": statement.places,
        "resting_on_it": [_edge_document(edge.dependent, edge) for edge in row.resting],
        "further": row.further,
        "pointing_at_it": list(row.pointing),
        "rests_on": [_edge_document(edge.basis, edge) for edge in row.bases],
    }


def _edge_document(note: NoteId, edge: Edge) -> dict[str, Any]:
    return {
        "note": note,
        "level": edge.level,
        "probability": edge.probability,
        "evidence": [{"line": line, "kind": kind} for line, kind in edge.evidence],
    }
