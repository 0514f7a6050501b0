"""``scan``: what lies in a vault, and which pairs of notes have evidence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from vaultgraph.candidates.pairs import (
    Evidence,
    NameShare,
    PairCounts,
    count_pairs,
    evidence_by_pair,
    find_pairs,
    name_shares,
)
from vaultgraph.domain.survey import PRIVATE, Survey
from vaultgraph.flows.context import (
    Context,
    count_notes,
    masker_of,
    public_notes,
    shown_problems,
    shown_skips,
)
from vaultgraph.flows.survey import survey_vault
from vaultgraph.graph.build import build_edges
from vaultgraph.graph.findings import points_at_closed

if TYPE_CHECKING:
    from vaultgraph.domain.notes import NoteId


@dataclass(frozen=True, slots=True)
class ScanReport:
    """A survey, counted."""

    root: str
    survey: Survey
    notes: dict[str, int]
    pairs: PairCounts
    #: Pairs by the kind of their evidence.
    kinds: dict[str, int]
    #: The names that make most pairs alone first.
    names: list[NameShare]
    #: Live notes that point at closed ones, and the closed ones they point at.
    pointing: int
    pointed_at: int


def scan(context: Context) -> ScanReport:
    """Return what a scan of the vault finds."""
    survey = survey_vault(context.vault, context.notes, context.settings)
    closings = {survey.notes[number]: closing for number, closing in survey.closings.items()}
    edges = build_edges(survey, context.settings.keys).edges
    pointing = [edge for edge in edges if points_at_closed(edge, closings)]
    pairs = find_pairs(survey)
    return ScanReport(
        root=context.root,
        survey=survey,
        notes=count_notes(survey),
        pairs=count_pairs(survey, pairs),
        kinds=pairs.by_kind,
        names=name_shares(survey, pairs),
        pointing=len({edge.dependent for edge in pointing}),
        pointed_at=len({edge.basis for edge in pointing}),
    )


@dataclass(frozen=True, slots=True)
class Pair:
    """A candidate pair with its evidence."""

    first: NoteId
    second: NoteId
    evidence: list[Evidence]


def list_pairs(report: ScanReport) -> list[Pair]:
    """Return every candidate pair, sorted."""
    notes = report.survey.notes
    return [
        Pair(notes[first], notes[second], evidence)
        for (first, second), evidence in evidence_by_pair(report.survey).items()
    ]


def evidence_document(survey: Survey, row: Evidence) -> dict[str, Any]:
    """Return one piece of evidence in its documented form."""
    document: dict[str, Any] = {
        "note": survey.notes[row.note],
        "of": survey.notes[row.of],
        "line": row.line,
        "kind": row.kind,
    }
    return {**document, "name": row.name} if row.name else document


def scan_document(report: ScanReport) -> dict[str, Any]:
    """Return the report as ``scan --json`` documents it."""
    survey = report.survey
    notes, flags = survey.notes, survey.flags
    mask = masker_of(survey).mask
    links = [
        {"note": notes[link.note], "to": notes[link.to], "line": link.line, "kind": link.kind}
        for link in survey.iter_links()
        if not (flags[link.note] | flags[link.to]) & PRIVATE
    ]
    unresolved = [
        {"note": notes[note], "target": mask(target), "line": line}
        for note, target, line in survey.unresolved
        if not flags[note] & PRIVATE
    ]
    mentions = [
        {
            "note": notes[row.note],
            "of": notes[row.of],
            "name": survey.names[row.name],
            "line": row.line,
        }
        for row in survey.iter_mentions()
    ]
    return {
        "vault": report.root,
        "notes": public_notes(survey),
        "skipped": [{"path": s.path, "reason": s.reason} for s in shown_skips(survey)],
        "links": links,
        "unresolved": unresolved,
        "mentions": mentions,
        "pairs": [
            {
                "first": pair.first,
                "second": pair.second,
                "evidence": [evidence_document(survey, row) for row in pair.evidence],
            }
            for pair in list_pairs(report)
        ],
        "problems": shown_problems(survey),
        "counts": {
            **report.notes,
            "pairs_possible": report.pairs.possible,
            "pairs": report.pairs.candidates,
            "pairs_linked": report.pairs.linked,
            "pairs_mentioned": report.pairs.mentioned,
            "pairs_both": report.pairs.both,
            "pairs_by_kind": report.kinds,
            "links": len(links),
            "unresolved": len(unresolved),
            "mentions": len(mentions),
            "problems": len(survey.problems),
            "live_pointing_at_closed": report.pointing,
            "closed_pointed_at": report.pointed_at,
        },
        "names": [
            {"name": share.name, "pairs": share.pairs, "alone": share.alone}
            for share in report.names
        ],
    }
