"""What kind of section a place in a note lies in, by the words of the headings above it.

English headings only. Where none can be told, a section is of no kind, and that counts for
nothing either way.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

#: What a document is about; what led to it and what else there is; where to read on.
MATTER, ASIDE, SOURCES, UNKNOWN = "matter", "aside", "sources", ""

_HEADING = re.compile(r"^(#{1,6})[ \t]+(.*)$", re.MULTILINE)
_KINDS = {
    SOURCES: (
        r"references?|see also|links|further reading|bibliograph\w*|footnotes?|citations?|related"
        r"|acknowledge?ments?|credits|sources?|resources|backlinks|appendix|history|changelog"
        r"|revision"
    ),
    ASIDE: (
        r"rationale|alternatives?|discussion|considered|prior art|previous|comparison|criticism"
        r"|objections?|rejected|deferred|open (?:issues|questions)|faq|drawbacks?|backwards?"
        r"|compatib\w*|migration|tests?|security|privacy|considerations?"
        r"|reference implementation|examples?|future|limitations?|caveats|notes?|motivation"
        r"|introduction|background|context|problem|why|use.?cases?|goals?|scope"
    ),
    MATTER: (
        r"abstract|summary|overview|tl;?dr|description|specification|implementation|design"
        r"|decision|solution|interfaces?|requirements?|method\w*|definitions?|details?|usage"
        r"|proposal|protocol|semantics|syntax|parameters?|dependenc\w+|terminology|schema"
        r"|glossary|plan|tasks?|steps?"
    ),
}
_PATTERNS = {
    kind: re.compile(rf"\b(?:{words})\b", re.IGNORECASE) for kind, words in _KINDS.items()
}


class Section(NamedTuple):
    """From one heading to the next, whatever their levels."""

    start: int
    #: What the outermost heading over it says that says anything.
    kind: str


def find_sections(text: str) -> tuple[Section, ...]:
    """Return the sections of a text; the first begins it, and is of no kind."""
    found = [Section(0, UNKNOWN)]
    above: list[tuple[int, str]] = []
    for heading in _HEADING.finditer(text):
        level = len(heading.group(1))
        while above and above[-1][0] >= level:
            above.pop()
        kind = (above[-1][1] if above else UNKNOWN) or _kind(heading.group(2))
        above.append((level, kind))
        found.append(Section(heading.start(), kind))
    return tuple(found)


def _kind(heading: str) -> str:
    for kind, pattern in _PATTERNS.items():
        if pattern.search(heading):
            return kind
    return UNKNOWN


def section_at(sections: Sequence[Section], place: int) -> Section:
    """Return the section that a place in the text lies in."""
    return sections[bisect_right(sections, place, key=itemgetter(0)) - 1]
