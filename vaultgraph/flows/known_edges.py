"""What the ledger knows of who depends on whom: verdicts that hold, and the past of entries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultgraph.flows.known_verdicts import known_verdicts
from vaultgraph.graph.build import Known, Source
from vaultgraph.proposals.cutoffs import cutoffs_of, read_cutoffs
from vaultgraph.review.sources import EntrySource, read_sources

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from vaultgraph.domain.notes import EntryList, NoteId
    from vaultgraph.domain.settings import Settings
    from vaultgraph.domain.survey import Survey
    from vaultgraph.domain.writing import LedgerEvent
    from vaultgraph.proposals.decide import Directed


def known_edges(
    settings: Settings, survey: Survey, events: Sequence[LedgerEvent]
) -> tuple[Known, frozenset[frozenset[NoteId]]]:
    """Return what is known of dependencies, and the pairs that have a verdict that holds now."""
    verdicts = known_verdicts(survey, events).valid
    cutoffs, usual = read_cutoffs(events), cutoffs_of(settings)
    scored: dict[Directed, Source] = {}
    judged: dict[Directed, Source] = {}
    for verdict in verdicts:
        cutoff = cutoffs.get(verdict.judge, usual).cutoff
        for direction, probability in (
            ((verdict.first, verdict.second), verdict.first_depends),
            ((verdict.second, verdict.first), verdict.second_depends),
        ):
            source = Source(probability, verdict.judge, verdict.model, verdict.at[:10])
            scored[direction] = source
            if probability >= cutoff:
                judged[direction] = source
    pairs = frozenset([frozenset((verdict.first, verdict.second)) for verdict in verdicts])
    return Known(judged, _Entries(scored, read_sources(events)).source_of), pairs


class _Entries:
    """What the ledger knows of entries."""

    def __init__(
        self, scored: Mapping[Directed, Source], sources: Mapping[Directed, EntrySource]
    ) -> None:
        self._scored = scored
        self._sources = sources

    def source_of(self, direction: Directed, in_list: EntryList) -> Source:
        """Return what a judge says of an entry, or had said, and since when it stands there."""
        source = self._sources.get(direction)
        if source is not None and source.in_list != in_list:
            source = None
        on = source.on if source is not None else ""
        scored = self._scored.get(direction)
        if scored is not None:
            return scored._replace(on=on)
        if source is None or source.score is None:
            return Source(on=on)
        return Source(*source.score, on)
