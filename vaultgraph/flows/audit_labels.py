"""The pairs that people labelled in audits, for measuring a judge against them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultgraph.audit.units import notes_of

if TYPE_CHECKING:
    from vaultgraph.domain.notes import NoteId
    from vaultgraph.flows.audits import Audits

_PAIR_KINDS = frozenset({"precision", "rereview", "recall", "filter"})
_DIRECTED = frozenset({"precision", "rereview"})


class LabelledPair(NamedTuple):
    """What a person said of one pair, ``first`` < ``second`` by id; ``None``: was not asked."""

    first: NoteId
    second: NoteId
    first_depends: bool | None
    second_depends: bool | None
    #: Whether one of them depends on the other, whichever; all that ``recall`` and ``filter`` ask.
    either: bool | None
    #: The audit's name.
    source: str


def labelled_pairs(audits: Audits) -> list[LabelledPair]:
    """Return the labels of every audit that is whole and was not given up; no ``unsure``."""
    found: list[LabelledPair] = []
    for name in audits.kept.names():
        verified = audits.verify(name)
        made, history = verified.registration, verified.history
        if verified.faults or made is None or made.kind not in _PAIR_KINDS:
            continue
        if history.abandoned is not None or not history.labellers:
            continue
        for unit, label in sorted(history.labels_of(history.labellers[0]).items()):
            if label in {"depends", "does-not"}:
                dependent, basis = notes_of(unit)
                is_directed = made.kind in _DIRECTED
                found.append(
                    _pair(dependent, basis, name, depends=label == "depends", directed=is_directed)
                )
    return found


def _pair(
    dependent: NoteId, basis: NoteId, source: str, *, depends: bool, directed: bool
) -> LabelledPair:
    first, second = sorted((dependent, basis))
    if not directed:
        # No dependency at all is one in neither direction.
        each = None if depends else False
        return LabelledPair(first, second, each, each, depends, source)
    either = True if depends else None
    if dependent == first:
        return LabelledPair(first, second, depends, None, either, source)
    return LabelledPair(first, second, None, depends, either, source)
