"""A property with a single value, or none: made a list, given another text, or taken out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from vaultgraph.text.block_edit import Property, Splice, ending_before, line_end, line_start
from vaultgraph.text.quoting import quote_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


@dataclass(frozen=True, slots=True)
class SingleValue:
    """``key:``, ``key: ~`` or ``key: text``, the text perhaps on the next line."""

    prop: Property
    #: The text, where there is one.
    entries: tuple[str, ...]

    def rewrite(self, kept: Sequence[bool], added: Sequence[str]) -> list[Splice]:
        """Return what makes a block list of the value, its comment kept where it is."""
        block = self.prop.block
        start, end = self.prop.span
        below = line_end(block, end)
        eol = ending_before(block, below)
        if "\n" in block[self.prop.colon : start]:
            # On a line of its own the value only wants a dash: a comment above it stays above.
            prefix = block[line_start(block, start) : start]
            first = [] if any(kept) else [quote_text(text) for text in added[:1]]
            turned = Splice(start, end if first else start, "".join(("- ", *first)))
            added = added[len(first) :]
        else:
            prefix = " " * (self.prop.key.start_mark.column + 2)
            stays = any(kept)
            turned = Splice(self.prop.colon, start if stays else end, f"{eol}{prefix}- " * stays)
        return [turned, Splice(below, below, entry_lines(prefix, added, eol))]

    def replace(self, text: str) -> list[Splice]:
        """Return what makes ``text`` the value, a comment behind it kept."""
        block, colon = self.prop.block, self.prop.colon
        start, end = self.prop.span
        if start < end:
            return [Splice(start, end, quote_text(text))]
        rest = block[colon : line_end(block, colon)]
        blanks = 0 if rest.strip() else len(rest) - len(rest.lstrip(" \t"))
        return [Splice(colon, colon + blanks, f" {quote_text(text)}")]

    def delete(self) -> list[Splice]:
        """Return what takes out the property's lines."""
        return delete_lines(self.prop)


def entry_lines(prefix: str, entries: Iterable[str], eol: str) -> str:
    """Return the lines of a block list's ``entries``, the dashes behind ``prefix``."""
    return "".join(f"{prefix}- {quote_text(entry)}{eol}" for entry in entries)


def delete_lines(prop: Property) -> list[Splice]:
    """Return what takes out all lines from the key's to that on which the value ends."""
    start, end = prop.span
    below = line_end(prop.block, end)
    refuse_comment(prop, prop.colon, start)
    refuse_comment(prop, end, below)
    return [Splice(line_start(prop.block, prop.key.start_mark.index), below, "")]


def refuse_comment(prop: Property, start: int, end: int) -> None:
    """Refuse to take out what stands from ``start`` to ``end``, unless it is blank."""
    gap = prop.block[start:end]
    if gap.strip():
        raise prop.refusal(
            "comment-on-key-line",
            "would be taken out, and a comment with it; move the comment to a line above",
            start + len(gap) - len(gap.lstrip()),
        )
