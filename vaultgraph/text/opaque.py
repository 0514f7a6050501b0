"""Stretches of a note's body whose text is not prose: code, HTML comments and mathematics.

Links and mentions in them count for nothing. The rules are CommonMark's
(https://spec.commonmark.org/0.31.2/) as far as Obsidian follows it, plus its ``$…$`` and
``$$…$$``; https://obsidian.md/help/syntax. Every search is linear in the length of the text,
whatever the text: pasted logs and converted PDFs hold hundreds of thousands of brackets.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

#: Takes the place of what is not prose: no letter, no space, found in no note's text.
FILLER = "\x00"

Span = tuple[int, int]

# Every branch begins with a plain character, so that the search skips ahead at full speed.
_TOKEN = re.compile(r"\\[\\`$<~]|``*|~~~~*|<!--|\$\$*")
#: Inline code and mathematics that need no second look: alone, within a line, nothing escaped.
_PLAIN = re.compile(
    r"`(?<![`\\]`)[^`\n]+`(?!`)|\$(?<![$\\]\$)[^\s$`][^$`\n]*(?<![\s\\])\$(?![\w$])"
)
_TICKS = re.compile(r"`+")
_UNQUOTED_LINE = re.compile(r"\n(?![ \t]*>)")
# Where inline code ends at the latest: before a blank line, an item, a heading, a fence, a table
# row, a rule or a comment, and at the end of a heading's own line.
_NEXT_BLOCK = (
    r"[ \t>]*(?:\r?\n|(?:[-*+]|[0-9]{1,9}[.)]|#{1,6})[ \t]|```|~~~|\||<!--"
    r"|(?:-+|=+|\*{3,}|_{3,})[ \t]*(?:\r?\n|\Z))"
)
_QUOTED_BLOCK_END = re.compile(rf"\n(?={_NEXT_BLOCK})")
_BLOCK_END = re.compile(rf"\n(?=[ \t]*>|{_NEXT_BLOCK})")
_HEADING = re.compile(r"[ \t>]*(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t]+)*#{1,6}[ \t]")
_QUOTED = re.compile(r"[ \t]*>")
_FENCE_PREFIX = re.compile(r"[ \t]*(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t]+|>[ \t]*)*\Z")
_INDENTED_AFTER_BLANK = re.compile(r"\n[ \t]*\r?\n(?: {4}| {0,3}\t)[ \t]*[^\s]")
_LIST_LINE = re.compile(r"[ \t]*(?:[-*+]|[0-9]{1,9}[.)]|\[\^[^\]\n]*\]:)(?:[ \t]|\r?\Z)")
_INDENTED_LINE = re.compile(r"(?: {4}| {0,3}\t)")


def cut_out(text: str, spans: Iterable[Span]) -> str:
    """Return ``text`` with a filler and the span's line feeds in place of every span.

    Lines keep their numbers, not their lengths. Spans are sorted; one that lies within another
    is passed over.
    """
    out: list[str] = []
    cursor = 0
    for start, end in spans:
        if end > cursor:
            begin = max(start, cursor)
            out += (text[cursor:begin], FILLER, "\n" * text.count("\n", begin, end))
            cursor = end
    if not out:
        return text
    out.append(text[cursor:])
    return "".join(out)


def cut_opaque(body: str) -> str:
    """Return ``body`` without code, HTML comments and mathematics; lines keep their numbers."""
    if "`" in body or "$" in body or "~~~" in body or "<!--" in body:
        body = _cut_marked(body)
    if body.startswith(("    ", "\t")) or (
        ("\n    " in body or "\t" in body) and _INDENTED_AFTER_BLANK.search(body)
    ):
        body = cut_out(body, _find_indented_code(body))
    return body


def _cut_marked(body: str) -> str:
    """Return ``body`` without what tokens mark; most notes hold only the plainest of them."""
    if "```" not in body and "~~~" not in body and "<!--" not in body:
        cut = _PLAIN.sub(FILLER, body)
        if "`" not in cut and "$" not in cut:
            return cut
    return cut_out(body, _Scanner(body).spans())


class _Scanner:
    """One pass over a body from token to token; each ``_take`` returns where to go on."""

    def __init__(self, body: str) -> None:
        self._body = body
        self._spans: list[Span] = []
        self._ticks: dict[int, list[int]] | None = None
        self._line_end = -1
        self._paragraph_end = -1
        self._quote_end = -1
        self._comment_end = -1
        self._last_token_end = 0
        # No ``$`` before this offset can close anything on its line.
        self._no_dollar_before = 0

    def spans(self) -> list[Span]:
        at = 0
        while token := _TOKEN.search(self._body, at):
            at = self._take(token.start(), token.group())
            self._last_token_end = token.end()
        return self._spans

    def _take(self, start: int, token: str) -> int:
        first = token[0]
        if first == "\\":
            return start + 2
        if first in "`~" and len(token) >= 3:
            fence = self._fence(start, token)
            if fence is not None:
                return self._add(*fence)
        if first == "`":
            return self._inline_code(start, len(token))
        if first == "<":
            return self._comment(start)
        if first == "$":
            return self._math(start, len(token))
        return start + len(token)

    def _add(self, start: int, end: int) -> int:
        self._spans.append((start, end))
        return end

    def _line_start(self, at: int) -> int | None:
        """Return where the line of ``at`` starts, or ``None`` if a token precedes it there."""
        newline = self._body.rfind("\n", self._last_token_end, at)
        return None if newline < 0 and self._last_token_end > 0 else newline + 1

    def _fence(self, start: int, token: str) -> Span | None:
        line_start = self._line_start(start)
        if line_start is None or not _FENCE_PREFIX.match(self._body, line_start, start):
            return None
        line_end = self._find_line_end(start)
        if token[0] == "`" and "`" in self._body[start + len(token) : line_end]:
            return None
        is_quoted = ">" in self._body[line_start:start]
        return (start, self._find_fence_end(token, line_end, is_quoted=is_quoted))

    def _find_fence_end(self, token: str, line_end: int, *, is_quoted: bool) -> int:
        """Return the end of the line that closes a fence, or of the text if none does.

        Inside a quotation the fence ends with it at the latest.
        """
        body, limit = self._body, len(self._body)
        if is_quoted:
            limit = self._find_quote_end(line_end)
        at = body.find(token, line_end, limit)
        while at >= 0:
            line_start = body.rfind("\n", line_end, at) + 1
            newline = body.find("\n", at, limit)
            line_end = limit if newline < 0 else newline
            before, after = body[line_start:at], body[at:line_end].lstrip(token[0])
            if not before.strip(" \t>") and not after.strip():
                return line_end
            at = body.find(token, line_end, limit)
        return limit

    def _find_line_end(self, at: int) -> int:
        if at > self._line_end:
            newline = self._body.find("\n", at)
            self._line_end = len(self._body) if newline < 0 else newline
        return self._line_end

    def _find_quote_end(self, at: int) -> int:
        if at > self._quote_end:
            beyond = _UNQUOTED_LINE.search(self._body, at)
            self._quote_end = beyond.start() if beyond else len(self._body)
        return self._quote_end

    def _find_paragraph_end(self, at: int) -> int:
        body = self._body
        if at > self._paragraph_end:
            line_start = body.rfind("\n", 0, at) + 1
            if _HEADING.match(body, line_start):
                self._paragraph_end = self._find_line_end(at)
            else:
                ends = _QUOTED_BLOCK_END if _QUOTED.match(body, line_start) else _BLOCK_END
                end = ends.search(body, at)
                self._paragraph_end = end.start() if end else len(body)
        return self._paragraph_end

    def _inline_code(self, start: int, ticks: int) -> int:
        if self._ticks is None:
            self._ticks = {}
            for run in _TICKS.finditer(self._body):
                self._ticks.setdefault(run.end() - run.start(), []).append(run.start())
        starts = self._ticks.get(ticks, [])
        after = bisect_left(starts, start + ticks)
        if after < len(starts) and starts[after] < self._find_paragraph_end(start):
            return self._add(start, starts[after] + ticks)
        return start + ticks

    def _comment(self, start: int) -> int:
        # ``<!-->`` is a whole comment by CommonMark, so the end may overlap the opening.
        if self._comment_end < start + 2:
            end = self._body.find("-->", start + 2)
            self._comment_end = end if end >= 0 else len(self._body)
        if self._comment_end < len(self._body):
            return self._add(start, self._comment_end + 3)
        line_start = self._line_start(start)
        if line_start is not None and not self._body[line_start:start].strip():
            return self._add(start, len(self._body))
        return start + 4

    def _math(self, start: int, dollars: int) -> int:
        if dollars >= 2:
            end = self._body.find("$$", start + dollars)
            return self._add(start, end + 2) if end >= 0 else start + dollars
        after = self._body[start + 1 : start + 2]
        if not after.strip() or start < self._no_dollar_before:
            return start + 1
        line_end = self._find_line_end(start)
        at = self._body.find("$", start + 1, line_end)
        while at >= 0:
            if self._closes_math(at):
                return self._add(start, at + 1)
            at = self._body.find("$", at + 1, line_end)
        self._no_dollar_before = line_end
        return start + 1

    def _closes_math(self, at: int) -> bool:
        """Whether the ``$`` at ``at`` can close: prices such as ``$5 or $6`` never do."""
        before, after = self._body[at - 1], self._body[at + 1 : at + 2]
        return not before.isspace() and before != "\\" and not after.isdigit()


def _find_indented_code(body: str) -> list[Span]:
    """Return the lines indented by four or more that are code: those outside lists.

    A list item's continuation is indented as well, and is prose; so once a list has begun,
    nothing is indented code until a line at the margin follows a blank line.
    """
    found: list[Span] = []
    in_list, after_blank = False, True
    for start, end in _lines(body):
        line = body[start:end]
        if not line.strip():
            after_blank = True
        elif _LIST_LINE.match(line):
            in_list, after_blank = True, False
        elif not _INDENTED_LINE.match(line):
            in_list, after_blank = in_list and not after_blank, False
        elif after_blank and not in_list:
            # The flag stays: the next indented line goes on with the chunk.
            found.append((start, end))
    return found


def _lines(body: str) -> Iterator[Span]:
    start = 0
    while start < len(body):
        newline = body.find("\n", start)
        end = len(body) if newline < 0 else newline
        yield start, end
        start = end + 1
