"""Words beside a name that say what it is named for. English only: elsewhere none is found.

Each group counts by the share of the sentences with it, so one "such as" in ten is little.
"Based on" and "see" must come shortly before the name: further off they are about other things.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from vaultgraph.judge.embedded.passages import Passage

_CUES = {
    "rests": (
        r"requir\w*|depend(?:s|ed|ent|ency|encies|ing)?|rel(?:y|ies|ied|ying) (?:up)?on"
        r"|prerequisites?|needs?|(?:buil[dt]s?|building) (?:up)?on|based (?:up)?on|extends?"
        r"|on top of|derived from"
    ),
    "example": r"e\.g\.|for example|for instance|such as|including|etc|examples?",
    "compares": (
        r"similar\w*|analog\w+|inspired|akin|familiar|like|unlike|same (?:as|way)|instead of"
        r"|alternativ\w+|whereas|differ\w*|compared|in contrast|rather than|confused?"
        r"|as opposed|conflict\w*|however|but"
    ),
    "hedges": r"other|existing|many|various|several|some|future|could|might|may",
    "replaces": (
        r"replac\w+|supersed\w+|deprecat\w+|obsolet\w+|withdrawn|abandon\w*|reject\w*|former\w*"
        r"|previous\w*|earlier|older|legacy|original\w*"
    ),
    "refers": r"see|refer\w*|cf\.|discuss\w*|related|more (?:information|details)|further",
}
_PATTERNS = {
    name: re.compile(rf"\b(?:{words})(?!\w)", re.IGNORECASE) for name, words in _CUES.items()
}

#: The groups that must stand right before the name, and how far that reaches, in characters.
_NEAR_CUES = ("rests", "refers")
_NEAR = 60

#: A note says outright that it takes the place of the other, or the other its own.
_SUPERSEDES_BEFORE = re.compile(
    r"(?<!not )\b(?:supersedes|replaces|obsoletes|(?:superseded|replaced|obsoleted)(?: by)?"
    r"|(?:deprecated|retired|withdrawn) in favou?r of|successor (?:of|to)|succeeds)"
    r"(?: the)?[\s:*_(\"']{1,4}\Z",
    re.IGNORECASE,
)
_SUPERSEDES_AFTER = re.compile(
    r"[\s*_)\"',]{1,4}(?:(?:is|was|are|were|has been|have been)(?: now| since| hereby| thus)?"
    r" (?:superseded|replaced|obsoleted)|supersedes|replaces|obsoletes) (?:by|this|it)\b",
    re.IGNORECASE,
)
_PART_OF_IT = ("'s", "\u2019s")


class CueShare(NamedTuple):
    """One group of cues in the sentences that point at a note."""

    #: Of the sentences with any of the group's words, 0 to 1.
    share: float
    #: The first of its words that was found, or empty.
    word: str


def cue_names() -> tuple[str, ...]:
    """Return the names of the groups."""
    return tuple(_CUES)


def find_cues(passages: Sequence[Passage]) -> dict[str, CueShare]:
    """Return each group's share of the sentences; 0 where there are none."""
    texts = [passage.text for passage in passages]
    near = [passage.before[-_NEAR:] for passage in passages]
    return {
        name: _share(pattern, near if name in _NEAR_CUES else texts)
        for name, pattern in _PATTERNS.items()
    }


def _share(pattern: re.Pattern[str], texts: Sequence[str]) -> CueShare:
    found = [match.group().lower() for match in map(pattern.search, texts) if match]
    return CueShare(len(found) / len(texts), found[0]) if found else CueShare(0.0, "")


def declares_supersession(passages: Iterable[Passage]) -> bool:
    """Whether a sentence says that one of the two notes takes the other's place.

    "Replaces X's timers" is about a part of X, and is not that.
    """
    return any(
        (_SUPERSEDES_BEFORE.search(p.before) and not p.after.startswith(_PART_OF_IT))
        or _SUPERSEDES_AFTER.match(p.after)
        for p in passages
    )
