"""How one note talks about another, as numbers: what the embedded model is trained on.

The first five need no language. Neither status, dates nor any property of a note counts.
"""

from __future__ import annotations

import math
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from vaultgraph.judge.embedded.cues import cue_names, declares_supersession, find_cues
from vaultgraph.judge.embedded.passages import find_passages
from vaultgraph.judge.embedded.pointers import find_pointers
from vaultgraph.judge.embedded.sections import ASIDE, MATTER, SOURCES, section_at

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from vaultgraph.judge.embedded.cues import CueShare
    from vaultgraph.judge.embedded.pointers import Pointer
    from vaultgraph.judge.embedded.profile import NoteProfile

#: In the order of ``Talk.values``. What each says stands in docs/embedded-judge.md.
FEATURES = (
    "density", "linked", "first", "sections", "company",
    "matter", "asides", "sources", *cue_names(),
)  # fmt: skip

#: Words added to every note's length, so that one link in a very short note is not much talk.
_EXTRA_WORDS = 100
#: Sentences beyond these are not read; what they say is known by then.
_MOST_POINTERS = 40
#: An index names each of so many notes hardly more than once; a short one has, besides, only so
#: many words of its own for each.
_INDEX_TARGETS = 30
_SHORT_INDEX_TARGETS = 8
_SHORT_INDEX_WORDS = 10
_INDEX_MENTIONS = 1.25


class IndexKind(Enum):
    """Whether a note is an index: a list of other notes."""

    NO = "no"
    #: A short list, nearly without words of its own.
    SHORT = "short"
    #: So many notes that it can hardly rest on any.
    LONG = "long"


class Talk(NamedTuple):
    """How one note talks about another; it does so at least once."""

    #: By ``FEATURES``.
    values: tuple[float, ...]
    cues: dict[str, CueShare]
    #: How often it links to it or names it, how often it links, in how many words and sections.
    pointers: int
    links: int
    words: int
    sections: int
    index_kind: IndexKind
    says_superseded: bool


def read_talk(note: NoteProfile, other: NoteProfile, lines: Collection[int] | None) -> Talk | None:
    """Return how ``note`` talks about ``other``, or ``None`` where it never points at it."""
    pointers = find_pointers(note, other, lines)
    if not pointers:
        return None
    passages = find_passages(note, other, pointers[:_MOST_POINTERS])
    cues = find_cues(passages)
    count = len(pointers)
    links = sum(pointer.is_link for pointer in pointers)
    sections = [section_at(note.sections, pointer.start) for pointer in pointers]
    values = (
        math.log1p(1000 * count / (note.size + _EXTRA_WORDS)),
        float(links > 0),
        pointers[0].start / max(1, len(note.text)),
        math.log1p(len(set(sections))),
        math.log1p(sum(passage.companions for passage in passages) / max(1, len(passages))),
        sum(section.kind == MATTER for section in sections) / count,
        float(all(section.kind in (ASIDE, SOURCES) for section in sections)),
        sum(section.kind == SOURCES for section in sections) / count,
        *(cues[name].share for name in cue_names()),
    )
    return Talk(
        values=values,
        cues=cues,
        pointers=count,
        links=links,
        words=round(note.size),
        sections=len(set(sections)),
        index_kind=_index_kind(note, pointers),
        says_superseded=declares_supersession(passages),
    )


def _index_kind(note: NoteProfile, pointers: Sequence[Pointer]) -> IndexKind:
    targets, mentions = len(note.links_to), max(len(note.links), len(pointers))
    if mentions >= targets * _INDEX_MENTIONS:
        return IndexKind.NO
    if targets >= _INDEX_TARGETS:
        return IndexKind.LONG
    is_list = targets >= _SHORT_INDEX_TARGETS and note.own_size < targets * _SHORT_INDEX_WORDS
    return IndexKind.SHORT if is_list else IndexKind.NO
