"""What a sample is drawn from: notes, or pairs of notes; and how a unit is written in one line.

A unit's id is a note's id, or two of them joined by a newline: dependent and basis where the pair
has a direction, else in the order of their ids.
"""

from __future__ import annotations

import re
from typing import NamedTuple, NewType

from vaultgraph.domain.notes import NoteId

UnitId = NewType("UnitId", str)

_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_CHARACTERS = {"\\": "\\", "n": "\n", "t": "\t", "r": "\r"}
_ESCAPES = str.maketrans({"\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"})


class Population(NamedTuple):
    """Every unit that may be drawn, by stratum; in ``filter`` what decides which pairs may be."""

    #: Units of each stratum, sorted. In ``filter`` there are two: ``note`` and ``candidate``.
    units: dict[str, tuple[UnitId, ...]]


def pair_unit(first: NoteId, second: NoteId) -> UnitId:
    """Return the id of a pair, in the order given."""
    return UnitId(f"{first}\n{second}")


def notes_of(unit: UnitId) -> tuple[NoteId, ...]:
    """Return the one note, or the two, that a unit is about."""
    return tuple(NoteId(note) for note in unit.split("\n"))


def unit_line(unit: UnitId) -> str:
    r"""Return a unit in one line, as ``printf '%b'`` of any shell reads it back.

    A backslash is doubled; a newline, a tab and a carriage return become ``\n``, ``\t``, ``\r``.
    """
    return unit.translate(_ESCAPES)


def parse_unit(line: str) -> UnitId:
    """Return the unit written in a line; raises ``ValueError`` for an escape we never write."""

    def character(found: re.Match[str]) -> str:
        try:
            return _CHARACTERS[found.group(1)]
        except KeyError:
            raise ValueError(f"holds {found.group()}, which no unit does") from None

    return UnitId(_ESCAPED.sub(character, line))
