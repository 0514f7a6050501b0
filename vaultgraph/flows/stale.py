"""``stale``: live notes that rest on closed or changed ones, and how far that is known."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from vaultgraph.flows.context import Context, shown_problems
from vaultgraph.flows.survey import survey_vault
from vaultgraph.graph.build import Known, build_edges
from vaultgraph.graph.cycles import find_cycles
from vaultgraph.graph.findings import Standing, find_findings

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from typing import Any

    from vaultgraph.domain.dependencies import Cycle, Edge, Finding, Seen
    from vaultgraph.domain.notes import NoteId, Problem
    from vaultgraph.domain.survey import Survey
    from vaultgraph.domain.writing import KeepsEvents, LedgerReading
    from vaultgraph.proposals.decide import Directed


@dataclass(frozen=True, slots=True)
class StaleReport:
    """What rests on what in a vault, and every finding on it, handled ones included."""

    root: str
    survey: Survey
    #: Sorted by dependent and basis; bare pointers only from live notes to closed ones.
    edges: tuple[Edge, ...]
    #: In all states and levels, by state, the closed or changed note, level and dependent.
    findings: tuple[Finding, ...]
    cycles: tuple[Cycle, ...]
    standing: Standing = field(repr=False)
    #: Pairs with a verdict that holds now, either way round.
    judged: Collection[frozenset[NoteId]]
    #: Pairs that would count, had their owner not rejected them.
    rejected: int
    #: Pairs with a private note: counted, never named.
    private: int
    #: What is wrong with the ledger.
    ledger_problems: tuple[Problem, ...] = ()
    #: Findings that ``since`` left out because it is not known when the basis closed.
    undated: int = 0

    @property
    def open(self) -> tuple[Finding, ...]:
        """What a person should look at: stale or suspect, and more than a bare pointer."""
        return tuple(
            finding
            for finding in self.findings
            if finding.state in ("stale", "suspect") and finding.level != "pointer"
        )

    @property
    def problems(self) -> list[dict[str, Any]]:
        """The problems of the vault and of its ledger, as documented."""
        ledger = [problem._asdict() for problem in self.ledger_problems]
        return [*shown_problems(self.survey), *ledger]


def find_stale(context: Context, ledger: KeepsEvents) -> StaleReport:
    """Return what rests on what, and which of it no longer stands as it did."""
    survey = survey_vault(context.vault, context.notes, context.settings)
    report = stale_in(survey, ledger.read(), context)
    seen = report.standing.seen
    changed = [one for one in report.findings if one.state == "suspect"]
    if not any(seen[one.note, one.basis].sections for one in changed):
        return report
    # What reads notes takes long to import, and few runs have a suspect.
    from vaultgraph.flows.changed_sections import with_sections  # noqa: PLC0415

    return replace(report, findings=with_sections(report.findings, seen, context))


def stale_in(survey: Survey, reading: LedgerReading, context: Context) -> StaleReport:
    """Return what ``find_stale`` does for a survey; no suspect says which sections changed."""
    known = Known()
    judged: frozenset[frozenset[NoteId]] = frozenset()
    seen: Mapping[Directed, Seen] = {}
    first_closed: Mapping[NoteId, str] = {}
    reviewed = survey.reviewed_notes()
    if reading.events:
        # A vault without a ledger needs none of it.
        from vaultgraph.flows.known_edges import known_edges  # noqa: PLC0415
        from vaultgraph.review.closings import read_first_closed  # noqa: PLC0415
        from vaultgraph.review.seen import read_seen  # noqa: PLC0415

        known, judged = known_edges(context.settings, survey, reading.events)
        seen = read_seen(reading.events, reviewed)
        first_closed = read_first_closed(reading.events)
    built = build_edges(survey, context.settings.keys, known)
    notes = survey.notes
    standing = Standing(
        closings={notes[number]: closing for number, closing in survey.closings.items()},
        hash_of=survey.hash_of,
        reviewed=reviewed,
        seen=seen,
        first_closed=first_closed,
    )
    findings = find_findings(built.edges, standing)
    return StaleReport(
        root=context.root,
        survey=survey,
        edges=built.edges,
        findings=findings,
        cycles=find_cycles(built.edges, standing.closings),
        standing=standing,
        judged=judged,
        rejected=built.rejected,
        private=built.private,
        ledger_problems=reading.problems,
    )
