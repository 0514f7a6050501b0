"""One item of the queue as lines of a terminal: two notes beside or above each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.cells import cell_len, chop_cells, set_cell_size
from rich.text import Text

from vaultgraph.cli.output import shown
from vaultgraph.vault.scope import title_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultgraph.flows.review import View
    from vaultgraph.flows.review_items import Page

#: From so many columns on the notes stand side by side.
BESIDE_FROM = 100
#: Lines around the panes: two above, and below them a message and the keys.
_HEAD, _FOOT = 2, 2
#: What is shown above the first marked line.
_CONTEXT = 2
#: A pane smaller than this shows nothing useful; a lower terminal scrolls.
_LOWEST = 3


@dataclass(frozen=True, slots=True)
class Marks:
    """The characters that draw the panes; plain ones where the terminal has no others."""

    bar: str = "▌"
    between: str = "│"
    ellipsis: str = "…"


PLAIN_MARKS = Marks(">", "|", "...")
#: A row of a pane, and whether its line speaks of the other note.
Row = tuple[str, bool]


def layout(pages: Sequence[Page], size: tuple[int, int], scroll: int, marks: Marks) -> list[Text]:
    """Return one note or two as rows of a terminal with ``size`` (columns, lines)."""
    columns, lines = size
    space = lines - _HEAD - _FOOT
    if len(pages) == 1:
        return _pane(pages[0], columns, max(_LOWEST, space - 1), scroll, marks)
    if columns < BESIDE_FROM:
        height = max(_LOWEST, space // 2 - 1)
        return [row for page in pages for row in _pane(page, columns, height, scroll, marks)]
    height = max(_LOWEST, space - 1)
    width = (columns - 3) // 2
    left, right = (_pane(page, width, height, scroll, marks) for page in pages)
    return [
        Text.assemble(one, (f" {marks.between} ", "dim"), other)
        for one, other in zip(left, right, strict=True)
    ]


def page_height(size: tuple[int, int]) -> int:
    """Return by how many rows a page is scrolled."""
    columns, lines = size
    space = lines - _HEAD - _FOOT
    return max(_LOWEST, (space // 2 - 1 if columns < BESIDE_FROM else space - 1) - 1)


def heading(view: View, *, is_blind: bool, width: int, marks: Marks) -> list[Text]:
    """Return the two lines above the panes: where we are, and what is asked."""
    item = view.item
    place = Text.assemble((f"{view.number:,} of {view.total:,}", "bold"))
    if item.score is not None and not is_blind:
        place.append(f"   {item.score.probability:.2f}")
        place.append(f"  {shown(item.score.judge)}", "dim")
    if item.is_skipped:
        place.append("   put off before", "dim")
    question = Text.assemble(
        (shown(title_of(item.dependent)), "bold"),
        " depends on ",
        (shown(title_of(item.basis)), "bold"),
        "?",
    )
    return [cropped(place, width, marks), cropped(question, width, marks)]


def cropped(text: Text, width: int, marks: Marks) -> Text:
    """Return a line that is at most ``width`` cells wide."""
    if cell_len(text.plain) > width:
        text.truncate(width - len(marks.ellipsis))
        text.append(marks.ellipsis)
    return text


def _pane(page: Page, width: int, height: int, scroll: int, marks: Marks) -> list[Text]:
    """Return a heading and exactly ``height`` rows, each ``width`` cells wide."""
    rows = _rows(page, width - 2)
    first = next((number for number, row in enumerate(rows) if row[1]), 0)
    start = max(0, min(first - _CONTEXT + scroll, len(rows) - height))
    name = set_cell_size(shown(page.note), width)
    made = [Text(name, "underline")]
    for text, is_marked in rows[start : start + height]:
        bar = (f"{marks.bar} ", "bold cyan") if is_marked else "  "
        style = "bold" if is_marked else ""
        made.append(Text.assemble(bar, (set_cell_size(text, width - 2), style)))
    made += [Text(" " * width) for _ in range(height + 1 - len(made))]
    return made


def _rows(page: Page, width: int) -> list[Row]:
    rows: list[Row] = []
    if page.above:
        rows.append((f"({page.above:,} lines above are not shown)", False))
    lines = page.lines
    # Blank lines at the top of a body say nothing.
    start = 0 if page.above else next((n for n, line in enumerate(lines) if line.strip()), 0)
    for number, line in enumerate(lines[start:], start):
        is_marked = number in page.marked
        rows += ((part, is_marked) for part in wrap(shown(line.expandtabs(4)), width))
    if page.below:
        rows.append((f"({page.below:,} lines below are not shown)", False))
    return rows


def wrap(line: str, width: int) -> list[str]:
    """Return a line cut into parts of at most ``width`` cells, at blanks where there are some."""
    if cell_len(line) <= width:
        return [line]
    parts: list[str] = []
    part, taken = "", 0
    for word in line.split(" "):
        size = cell_len(word)
        if part and taken + 1 + size <= width:
            part, taken = f"{part} {word}", taken + 1 + size
            continue
        if part:
            parts.append(part)
        *full, part = chop_cells(word, width) if size > width else [word]
        parts += full
        taken = cell_len(part)
    return [*parts, part]
