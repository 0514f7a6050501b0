"""Pairs that a person decided about: no judge is asked about them again."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vaultgraph.domain.survey import Survey


def decided_pairs(survey: Survey) -> frozenset[tuple[int, int]]:
    """Return the pairs of which one note has the other in ``depends-on`` or as rejected.

    The first number is the lower one, as in candidate pairs. Whoever decided about one direction
    has looked at both notes: the other direction is not asked about either.
    """
    return frozenset(
        (min(row.note, row.to), max(row.note, row.to))
        for row in survey.entries
        if row.to is not None and row.in_list != "proposed"
    )
