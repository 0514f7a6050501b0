"""A sitting in a terminal: one item, one key, the next item."""

from __future__ import annotations

import os
import shutil
import sys
from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.control import Control
from rich.segment import ControlType
from rich.text import Text

from vaultgraph.cli.output import err, out, shown
from vaultgraph.cli.review_pages import (
    PLAIN_MARKS,
    Marks,
    heading,
    layout,
    page_height,
)
from vaultgraph.cli.written import count
from vaultgraph.effects import keys
from vaultgraph.flows.attention import words_of
from vaultgraph.vault.scope import title_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from vaultgraph.flows.review import Sitting, View
    from vaultgraph.flows.review_decider import Outcome

_KEYS = "a accept  r reject  s skip  u undo  q stop  ? help"
_SCROLLING = "  arrows, space scroll"
_HELP = (
    "a  accept: the dependent rests on the basis; the entry moves to depends-on",
    "r  reject: it does not; it is never proposed again",
    "s  skip: decide later; it comes last in the next sitting",
    "u  take the last decision back, byte for byte",
    "q  stop (also Esc): what was decided stays, the next sitting goes on from here",
    "",
    "Both notes scroll: arrow keys, or j and k, by a line; space and b by a page;",
    "Home goes back to the lines that speak of the other note.",
    "",
    "Rests on: if the basis changed or stopped being true, the dependent would",
    "need updating. Sharing a topic, or naming the other, is not depending.",
)
_TYPED = 3
_SAID = {"accepted": "accepted", "rejected": "rejected", "undone": "taken back"}


class Screen:
    """The whole terminal, drawn anew for each key; plain lines where it cannot be addressed."""

    def __init__(self, *, is_plain: bool, is_blind: bool) -> None:
        self._is_plain = is_plain
        self._is_blind = is_blind
        is_unicode = (sys.stdout.encoding or "").lower().replace("-", "").startswith("utf")
        self.marks = Marks() if is_unicode else PLAIN_MARKS
        self._console = Console(
            file=sys.stdout,
            no_color=bool(os.environ.get("NO_COLOR")) or is_plain,
            highlight=False,
            emoji=False,
            markup=False,
            soft_wrap=True,
        )

    @property
    def size(self) -> tuple[int, int]:
        """Columns and lines, asked anew: a window may have been resized."""
        size = shutil.get_terminal_size()
        # Where nothing is drawn over, the line typed and its end take room as well.
        return size.columns, size.lines - (_TYPED if self._is_plain else 0)

    @contextmanager
    def open(self) -> Iterator[None]:
        """Take the terminal over, and give back what it showed before."""
        if self._is_plain:
            yield
            return
        self._console.set_alt_screen(True)
        self._console.show_cursor(False)
        try:
            yield
        finally:
            self._console.show_cursor(True)
            self._console.set_alt_screen(False)

    @contextmanager
    def keys(self) -> Iterator[Callable[[], str]]:
        """Take the terminal over, and give what reads a key."""
        if self._is_plain:
            yield keys.line_keys(sys.stdin)
            return
        with self.open(), keys.single_keys(sys.stdin) as read_key:
            yield read_key

    def show_item(self, view: View, scroll: int, message: str) -> None:
        """Show one item, what became of the last one, and the keys."""
        columns, _ = size = self.size
        lines = heading(view, is_blind=self._is_blind, width=columns, marks=self.marks)
        lines += layout((view.dependent, view.basis), size, scroll, self.marks)
        self.show(
            lines, message, _KEYS if columns < len(_KEYS + _SCROLLING) else _KEYS + _SCROLLING
        )

    def show_lines(self, lines: tuple[str, ...], message: str, key_line: str) -> None:
        """Show a few lines of our own."""
        self.show([Text(line) for line in lines], message, key_line)

    def show(self, lines: list[Text], message: str, key_line: str) -> None:
        """Show lines from the top down, and below them a message and the keys."""
        columns, height = self.size
        fill = 0 if self._is_plain else max(0, height - 2 - len(lines))
        lines = [*lines, *(Text() for _ in range(fill))]
        last = [Text(shown(message), "yellow"), Text(key_line, "dim")]
        for line in last:
            line.truncate(columns - 1)
        with self._console as console:
            if not self._is_plain:
                console.control(Control.home())
            for line in lines:
                self._put(line, "\n")
            self._put(last[0], "\n")
            # No line end behind the last line: the screen would scroll.
            self._put(last[1], "\n" if self._is_plain else "")

    def _put(self, line: Text, end: str) -> None:
        self._console.print(line, end="")
        if not self._is_plain:
            self._console.control(Control((ControlType.ERASE_IN_LINE, 0)))
        self._console.print(end, end="")


def hold(sitting: Sitting, *, is_blind: bool) -> None:
    """Walk the queue until its end or until the reviewer stops; then say what came of it."""
    screen = Screen(is_plain=is_plain_terminal(), is_blind=is_blind)
    walk = Walk(sitting, screen)
    try:
        with screen.keys() as read_key:
            walk.run(read_key)
    finally:
        walk.print_summary()


def is_plain_terminal() -> bool:
    """Whether there is a terminal that cannot be addressed, or none at all."""
    is_dumb = os.environ.get("TERM", "dumb") == "dumb" and sys.platform != "win32"
    return is_dumb or not sys.stdin.isatty()


class Walk:
    """What each key does."""

    def __init__(self, sitting: Sitting, screen: Screen) -> None:
        self._sitting = sitting
        self._screen = screen
        self._message = ""
        self._scroll = 0
        #: What a reviewer should still know when the screen is gone.
        self._told: list[str] = []

    def run(self, read_key: Callable[[], str]) -> None:
        """Ask until the reviewer stops, or nothing is left to take back or decide."""
        view = self._sitting.view()
        while view is not None or self._sitting.decided or self._sitting.checked:
            if view is None:
                lines = (f"All {len(self._sitting.queue):,} seen.",)
                self._screen.show_lines(lines, self._message, "q done  u undo the last decision")
            else:
                self._screen.show_item(view, self._scroll, self._message)
            key = read_key()
            if key in {"q", "Q", keys.ESCAPE, keys.END}:
                return
            if self._act(view, key, read_key):
                self._scroll = 0
                view = self._sitting.view()

    def _act(self, view: View | None, key: str, read_key: Callable[[], str]) -> bool:
        """Do what a key says; whether another item may be next."""
        if key.lower() == "u":
            outcome = self._sitting.undo()
            self._tell(outcome)
            return True
        if view is None:
            return False
        if key.lower() in {"a", "r"}:
            self._tell(self._sitting.decide("accepted" if key.lower() == "a" else "rejected"))
            return True
        if key.lower() == "s":
            self._sitting.skip()
            self._message = f"put off: {_name(view.item.dependent, view.item.basis)}"
            return True
        if key == "?":
            self._screen.show_lines(_HELP, "", "any key goes back")
            read_key()
        else:
            self._move(key)
        return False

    def _move(self, key: str) -> None:
        moved = scrolled(self._scroll, key, page_height(self._screen.size))
        if moved is not None:
            self._scroll = moved
        else:
            self._message = "no such key; ? shows what there is"

    def _tell(self, outcome: Outcome | None) -> None:
        if outcome is None:
            self._message = "nothing to take back yet"
            return
        name = _name(outcome.item.dependent, outcome.item.basis)
        if outcome.kind == "done" and outcome.decision in _SAID:
            self._message = f"{_SAID[outcome.decision]}: {name}"
            return
        self._message = f"left as it is: {name}: {why_not(outcome)}"
        self._told.append(self._message)

    def print_summary(self) -> None:
        """Print what was decided, and what could not be written."""
        counted = Counter(self._sitting.decided)
        for line in self._told:
            err().line(shown(line), indent=2)
        out().line(
            f"{counted['accepted']:,} accepted, {counted['rejected']:,} rejected,"
            f" of {count(self._sitting.proposals, 'proposal')}"
        )
        if self._sitting.checked:
            accepted = self._sitting.checked.count("accepted")
            out().line(f"{words_of(accepted, len(self._sitting.checked))}.", indent=2)


def scrolled(scroll: int, key: str, page: int) -> int | None:
    """Return where a key scrolls to; ``None`` where it is no scrolling key."""
    steps = {
        keys.DOWN: 1,
        "j": 1,
        keys.UP: -1,
        "k": -1,
        " ": page,
        keys.PAGE_DOWN: page,
        "b": -page,
        keys.PAGE_UP: -page,
        keys.HOME: -scroll,
    }
    return scroll + steps[key] if key in steps else None


def why_not(outcome: Outcome) -> str:
    """Return why a decision was not written."""
    if outcome.problem is not None:
        line = f" (line {outcome.problem.line})" if outcome.problem.line else ""
        return f"{outcome.problem.text}{line}"
    if outcome.kind == "gone":
        return "the entry, or one of the notes, is not there any more"
    return "there is nothing to change"


def _name(dependent: str, basis: str) -> str:
    return f"{title_of(dependent)} depends on {title_of(basis)}"
