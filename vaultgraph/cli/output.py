"""What reaches the terminal: data on stdout, everything else on stderr, names never raw."""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import sys
from collections.abc import Iterable, Sequence
from typing import Any, TextIO
from unicodedata import category

#: A stretch of text, or one with a style's name.
Segment = str | tuple[str, str]

#: Rows of a JSON document that are made into text at a time.
_ROWS_AT_ONCE = 4_096

#: What JSON lets stand and a terminal obeys, or shows the wrong way round.
_MOVES = re.compile("[\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
_JOINERS = "\u200c\u200d"


def shown(text: str) -> str:
    """Return ``text`` as it may stand in a terminal: control and direction marks are escaped.

    A note's name may hold an escape sequence that would move the cursor, or marks that turn the
    rest of the line around.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        c
        if category(c) not in {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"} or c in _JOINERS
        else c.encode("unicode_escape").decode()
        for c in text
    )


class Output:
    """One of the two streams, with colour only where a person looks at it."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.is_terminal = stream.isatty() and os.environ.get("TERM") != "dumb"
        self._colour = self.is_terminal and not os.environ.get("NO_COLOR")
        self._console: Any = None

    @property
    def width(self) -> int:
        """How many columns there are; a pipe has as many as a line needs."""
        return shutil.get_terminal_size().columns if self.is_terminal else 1_000_000

    def line(self, *segments: Segment, indent: int = 0) -> None:
        """Print one line; on a terminal a long one is folded and its rest indented."""
        if not self._colour and not self.is_terminal:
            text = "".join(s if isinstance(s, str) else s[0] for s in segments)
            self._stream.write(f"{text}\n")
            return
        self._print_folded(segments, indent)

    def _print_folded(self, segments: Sequence[Segment], indent: int) -> None:
        from rich.console import Console
        from rich.text import Text

        if self._console is None:
            self._console = Console(
                file=self._stream, no_color=not self._colour, highlight=False, emoji=False
            )
        text = Text()
        for segment in segments:
            text.append(*((segment,) if isinstance(segment, str) else segment))
        width = self._console.width
        # A narrow terminal gives at most half of itself to the indent.
        indent = min(indent, width // 2)
        first = text.wrap(self._console, width, no_wrap=False)[0]
        rest = text[len(first) :]
        rest = rest[len(rest.plain) - len(rest.plain.lstrip(" ")) :]
        first.rstrip()
        self._console.print(first, soft_wrap=True)
        for part in rest.wrap(self._console, width - indent, no_wrap=False) if rest else ():
            part.rstrip()
            self._console.print(Text(" " * indent).append_text(part), soft_wrap=True)

    def json(self, document: dict[str, Any]) -> None:
        """Print one JSON object."""
        # ``json.dump`` goes through Python for every value; in pieces, no text grows too large.
        as_json = self._safe_json if self.is_terminal else _as_json
        before = "{"
        for key, value in document.items():
            self._stream.write(f"{before}{as_json(key)}:")
            before = ","
            if not isinstance(value, list | tuple) or len(value) <= _ROWS_AT_ONCE:
                self._stream.write(as_json(value))
                continue
            for start in range(0, len(value), _ROWS_AT_ONCE):
                rows = as_json(value[start : start + _ROWS_AT_ONCE])
                self._stream.write(("," if start else "[") + rows[1:-1])
            self._stream.write("]")
        self._stream.write("}\n" if document else "{}\n")

    def _safe_json(self, value: object) -> str:
        """Return the same JSON, what would move a cursor or turn a line around escaped."""
        return _MOVES.sub(_escaped, _as_json(value))

    def csv(self, header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
        """Print rows as CSV (RFC 4180)."""
        writer = csv.writer(self._stream, lineterminator="\n")
        writer.writerow(header)
        if not self.is_terminal:
            writer.writerows(rows)
            return
        for row in rows:
            writer.writerow([shown(cell) if isinstance(cell, str) else cell for cell in row])

    def note(self, text: str) -> None:
        """Print a remark that a person reads once, in a quiet style."""
        self.line((text, "dim"))


def _as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _escaped(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"


def out() -> Output:
    """Return standard output: the data."""
    return Output(sys.stdout)


def err() -> Output:
    """Return standard error: progress, counts, problems."""
    return Output(sys.stderr)
