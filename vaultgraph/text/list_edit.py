"""Lists: entries cut out and put in, the others left as they are.

Entries that stay keep their spelling, quotes, comments and place.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vaultgraph.text.block_edit import Property, Splice, ending_before, line_end, line_start
from vaultgraph.text.quoting import quote_text
from vaultgraph.text.value_edit import delete_lines, entry_lines, refuse_comment

if TYPE_CHECKING:
    from collections.abc import Sequence

_DASH = re.compile(r" *-[ \t]*\Z")


@dataclass(frozen=True, slots=True)
class BlockList:
    """One entry a line, behind a dash; comments and blank lines may stand between."""

    prop: Property
    entries: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]

    def rewrite(self, kept: Sequence[bool], added: Sequence[str]) -> list[Splice]:
        """Return what cuts the lines of entries, and puts lines in below the last entry.

        PyYAML lets a list end after the comments and blank lines that follow it, so the last
        entry decides, not the end of the list.
        """
        block = self.prop.block
        splices = [self._cut(number) for number, stays in enumerate(kept) if not stays]
        if added:
            dash = self.prop.value.start_mark.index
            below = line_end(block, self.spans[-1][1])
            eol = ending_before(block, below)
            prefix = block[line_start(block, dash) : dash]
            splices.append(Splice(below, below, entry_lines(prefix, added, eol)))
        return splices

    def _cut(self, number: int) -> Splice:
        block = self.prop.block
        start, end = self.spans[number]
        first = line_start(block, start)
        if not _DASH.match(block, first, start):
            text = "has an entry that is not on the line of its dash; put it there"
            raise self.prop.refusal("odd-entry", text, start)
        return Splice(first, line_end(block, end), "")

    def delete(self) -> list[Splice]:
        """Return what takes out the key and the entries; whole-line comments between them stay."""
        prop = self.prop
        below = line_end(prop.block, prop.colon)
        refuse_comment(prop, prop.colon, below)
        key_line = Splice(line_start(prop.block, prop.key.start_mark.index), below, "")
        return [key_line, *(self._cut(number) for number in range(len(self.entries)))]


@dataclass(frozen=True, slots=True)
class FlowList:
    """``[a, b]``, on one line or over several, without comments inside."""

    prop: Property
    entries: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]

    def rewrite(self, kept: Sequence[bool], added: Sequence[str]) -> list[Splice]:
        """Return what cuts entries with one comma each, and puts others in behind the last."""
        self._refuse_comments()
        new = ", ".join(map(quote_text, added))
        last_kept = max((number for number, stays in enumerate(kept) if stays), default=-1)
        if last_kept < 0:
            return self._refill(new)
        splices = [
            Splice(self.spans[number][0], self.spans[number + 1][0], "")
            for number in range(last_kept)
            if not kept[number]
        ]
        end = self.spans[-1][1]
        splices.append(Splice(self.spans[last_kept][1], end, ""))
        if new:
            comma = self.prop.block.find(",", end, self._closing)
            at, before = (end, ", ") if comma < 0 else (comma + 1, " ")
            splices.append(Splice(at, at, before + new))
        return splices

    @property
    def _opening(self) -> int:
        return self.prop.value.start_mark.index

    @property
    def _closing(self) -> int:
        return self.prop.value.end_mark.index - 1

    def _refill(self, new: str) -> list[Splice]:
        inside = self._opening + 1
        start, end = (self.spans[0][0], self.spans[-1][1]) if self.spans else (inside, inside)
        return [Splice(start, end, new)]

    def _refuse_comments(self) -> None:
        at = self._opening + 1
        for start, end in (*self.spans, (self._closing, self._closing)):
            hash_sign = self.prop.block.find("#", at, start)
            if hash_sign >= 0:
                text = "has a comment between its brackets; move it out"
                raise self.prop.refusal("comment-in-flow-list", text, hash_sign)
            at = end

    def delete(self) -> list[Splice]:
        """Return what takes out the key's lines."""
        self._refuse_comments()
        return delete_lines(self.prop)
