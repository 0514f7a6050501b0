"""``export``: what rests on what as a picture, in a format that other programs read."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from vaultgraph.errors import InputError
from vaultgraph.flows.context import masker_of, public_notes
from vaultgraph.flows.lookup import find_note
from vaultgraph.flows.stale import StaleReport, find_stale
from vaultgraph.flows.stale_report import folder_start, in_folder
from vaultgraph.graph.picture import Picture, edges_around, picture_of, stale_edges

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vaultgraph.domain.dependencies import Edge, Finding
    from vaultgraph.domain.notes import Closing, NoteId
    from vaultgraph.domain.survey import Survey
    from vaultgraph.domain.writing import KeepsEvents
    from vaultgraph.flows.context import Context

#: ``stale``: each finding's way from its note to what is closed or changed. ``pointers``: also the
#: bare pointers at closed notes. ``all``: every dependency there is, and all of these.
Scope = Literal["stale", "pointers", "all"]
SCOPES: tuple[Scope, ...] = get_args(Scope)


class Wanted(NamedTuple):
    """Which part of the vault is to be drawn."""

    scope: Scope = "stale"
    #: A note as its owner writes it, and how many steps around it; ``None`` is the whole scope.
    note: str | None = None
    depth: int = 1
    folder: str | None = None


@dataclass(frozen=True, slots=True)
class Export:
    """A picture, and the report that it was made from."""

    picture: Picture
    report: StaleReport


def find_picture(context: Context, ledger: KeepsEvents, wanted: Wanted) -> Export:
    """Return the picture of a part of a vault; no private note is in it.

    Raises:
        InputError: no note, or more than one, is called so; it is private; or nothing lies below
            the folder.
    """
    report = find_stale(context, ledger)
    every = report.edges
    if wanted.folder is not None:
        report = in_folder(report, wanted.folder)
        below = folder_start(wanted.folder)
        every = tuple(edge for edge in every if edge.dependent.startswith(below))
    findings = [finding for finding in report.findings if _belongs(finding, wanted.scope)]
    ways = stale_edges(report.edges, findings)
    edges = _together(every, ways) if wanted.scope == "all" else ways
    also: tuple[NoteId, ...] = ()
    if wanted.note is not None:
        also = (_public_note(report.survey, wanted.note),)
        edges = edges_around(edges, also[0], wanted.depth)
        near = {*also, *(end for edge in edges for end in (edge.dependent, edge.basis))}
        findings = [finding for finding in findings if finding.note in near]
        # Why a note is at risk may lie further away than was asked for; it is drawn all the same.
        edges = _together(edges, stale_edges(report.edges, findings))
    return Export(_picture(report, edges, findings, also), report)


def picture_of_findings(report: StaleReport, findings: Iterable[Finding]) -> Picture:
    """Return each finding's way from its note to what is closed or changed."""
    kept = list(findings)
    return _picture(report, stale_edges(report.edges, kept), kept)


def _picture(
    report: StaleReport,
    edges: Iterable[Edge],
    findings: Iterable[Finding],
    also: Iterable[NoteId] = (),
) -> Picture:
    mask = masker_of(report.survey).mask
    return picture_of(edges, findings, _public_closings(report), also=also, mask=mask)


def _belongs(finding: Finding, scope: Scope) -> bool:
    if scope == "all":
        return True
    return finding.state != "handled" and (scope == "pointers" or finding.level != "pointer")


def _together(edges: Iterable[Edge], more: Iterable[Edge]) -> list[Edge]:
    """Return all edges, each once."""
    return list({(edge.dependent, edge.basis): edge for edge in (*edges, *more)}.values())


def _public_note(survey: Survey, written: str) -> NoteId:
    number = find_note(survey, written)
    if survey.is_private(number):
        raise InputError(
            "a private note is drawn in no picture", hint="vaultgraph show shows it to you alone"
        )
    return survey.notes[number]


def _public_closings(report: StaleReport) -> dict[NoteId, Closing]:
    """Return how notes closed, without any word of a private one."""
    public = set(public_notes(report.survey))
    return {
        note: replace(closing, successors=tuple(s for s in closing.successors if s in public))
        for note, closing in report.standing.closings.items()
        if note in public
    }
