"""How one note talks about another, as numbers: what the embedded model is trained on.

Five need no language. Neither status, dates nor any property of a note counts.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from vaultgraph.judge.embedded.cues import cue_names, declares_supersession, find_cues
from vaultgraph.judge.embedded.passages import find_passages
from vaultgraph.judge.embedded.pointers import find_pointers

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from vaultgraph.judge.embedded.cues import CueShare
    from vaultgraph.judge.embedded.pointers import Pointer
    from vaultgraph.judge.embedded.profile import NoteProfile

#: In the order of ``Talk.values``. What each says stands in docs/embedded-judge.md.
FEATURES = ("density", "first", "later", "linked", "company", *cue_names())

#: Words added to every note's length, so that one link in a very short note is not much talk.
_EXTRA_WORDS = 100
#: Sentences beyond these are not read; what they say is known by then.
_MOST_POINTERS = 40
#: An index names many notes, each hardly more than once: so many that it can rest on none, or
#: some with few words of its own for each.
_INDEX_TARGETS = 30
_SHORT_INDEX_TARGETS = 8
_SHORT_INDEX_WORDS = 10
_INDEX_MENTIONS = 1.25


class Talk(NamedTuple):
    """How one note talks about another; it does so at least once."""

    values: tuple[float, ...]
    cues: dict[str, CueShare]
    #: How often it links to it or names it, and in how many words.
    pointers: int
    words: int
    is_index: bool
    says_superseded: bool


def read_talk(
    note: NoteProfile,
    other: NoteProfile,
    lines: Collection[int] | None,
    counts: tuple[int, int],
) -> Talk | None:
    """Return how ``note`` talks about ``other``, or ``None`` where it never points at it.

    ``counts`` is how many notes it points at in all, and how often; 0 where nobody has counted.
    """
    pointers = find_pointers(note, other, lines)
    if not pointers:
        return None
    passages = find_passages(note, other, pointers[:_MOST_POINTERS])
    cues = find_cues(passages)
    length, count = max(1, len(note.text)), len(pointers)
    values = (
        math.log1p(1000 * count / (note.size + _EXTRA_WORDS)),
        pointers[0].start / length,
        sum(pointer.start * 3 >= length for pointer in pointers) / count,
        float(any(pointer.is_link for pointer in pointers)),
        math.log1p(sum(passage.companions for passage in passages) / len(passages)),
        *(cues[name].share for name in cue_names()),
    )
    return Talk(
        values=values,
        cues=cues,
        pointers=count,
        words=round(note.size),
        is_index=_is_index(note, pointers, counts),
        says_superseded=declares_supersession(passages),
    )


def _is_index(note: NoteProfile, pointers: Sequence[Pointer], counts: tuple[int, int]) -> bool:
    targets = max(counts[0], len(note.links_to))
    mentions = max(counts[1], len(note.links), len(pointers))
    if mentions >= targets * _INDEX_MENTIONS:
        return False
    if targets >= _INDEX_TARGETS:
        return True
    return targets >= _SHORT_INDEX_TARGETS and note.own_size < targets * _SHORT_INDEX_WORDS
