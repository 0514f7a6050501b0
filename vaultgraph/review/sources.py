"""Since when each entry stands in its list, and what a judge had said of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultgraph.domain.notes import EntryList, NoteId
from vaultgraph.proposals.ours import PROPOSED, UNWRITTEN
from vaultgraph.review.decisions import DECIDED, RENAMED, Score
from vaultgraph.review.log_lines import read_score
from vaultgraph.review.renames import follow_rename

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from vaultgraph.domain.writing import LedgerEvent
    from vaultgraph.proposals.decide import Directed

_LISTS: Mapping[str, EntryList] = {"accepted": "accepted", "undone": "proposed"}
_KINDS = frozenset({PROPOSED, UNWRITTEN, DECIDED})


class EntrySource(NamedTuple):
    """How an entry came to stand where it does, as far as the ledger knows."""

    in_list: EntryList
    #: ISO date, UTC.
    on: str
    score: Score | None


def read_sources(events: Iterable[LedgerEvent]) -> dict[Directed, EntrySource]:
    """Return the last proposal or acceptance of each pair, under the names that notes have now.

    Events come in time order. The notes are the truth: a source counts only for an entry that
    stands in that list.
    """
    sources: dict[Directed, EntrySource] = {}
    for event in events:
        if event.kind == RENAMED:
            follow_rename(sources, event)
        elif event.kind in _KINDS:
            dependent, basis = event.payload.get("dependent"), event.payload.get("basis")
            if isinstance(dependent, str) and isinstance(basis, str):
                _take(sources, event, (NoteId(dependent), NoteId(basis)))
    return sources


def _take(sources: dict[Directed, EntrySource], event: LedgerEvent, direction: Directed) -> None:
    payload = event.payload
    in_list: EntryList | None = "proposed" if event.kind == PROPOSED else None
    if event.kind == DECIDED:
        in_list = _LISTS.get(str(payload.get("decision")))
    if in_list is None:
        sources.pop(direction, None)
        return
    before = sources.get(direction)
    score = read_score(payload) or (before.score if before is not None else None)
    # A decision from a log of another device was made before it was taken over.
    on = str(payload.get("decided_at") or event.at.isoformat())[:10]
    sources[direction] = EntrySource(in_list, on, score)
