"""What the ledger knows of who depends on whom: verdicts that hold, and the past of entries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultgraph.flows.known_verdicts import known_verdicts
from vaultgraph.graph.build import Known, Source
from vaultgraph.proposals.cutoffs import cutoffs_of, read_cutoffs
from vaultgraph.review.history import History, read_history

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultgraph.domain.judging import Verdict
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
    judged: dict[Directed, Source] = {}
    for verdict in verdicts:
        cutoff = cutoffs.get(verdict.judge, usual).cutoff
        for direction, probability in (
            ((verdict.first, verdict.second), verdict.first_depends),
            ((verdict.second, verdict.first), verdict.second_depends),
        ):
            if probability >= cutoff:
                judged[direction] = _source(verdict, probability)
    pairs = frozenset(frozenset((verdict.first, verdict.second)) for verdict in verdicts)
    return Known(judged, _Entries(read_history(events)).source_of), pairs


def _source(verdict: Verdict, probability: float) -> Source:
    return Source(probability, verdict.judge, verdict.model, verdict.at[:10])


class _Entries:
    """What the ledger knows of entries."""

    def __init__(self, history: History) -> None:
        self._history = history

    def source_of(self, direction: Directed, in_list: EntryList) -> Source:
        """Return what a judge said of an entry, and since when it stands in its list."""
        known = self._history.pairs.get(direction)
        score = self._history.score_of(direction)
        on = known.on if known is not None and known.state == in_list else ""
        return Source(on=on) if score is None else Source(*score, on)
