"""``vaultgraph audit label``: one unit, one key, the next unit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from vaultgraph.cli.audit_parts import Name, audits_of
from vaultgraph.cli.output import out, shown
from vaultgraph.cli.wiring import context_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from vaultgraph.cli.reviewing import Screen
    from vaultgraph.flows.audit_label import LabelSitting, UnitView

_HELP = (
    "Every unit gets one label by its digit. It is kept at once; whatever happens,",
    "at most the label on screen is lost. The next sitting goes on from here.",
    "",
    "u  back: the unit before; its next label corrects the one it has, and the",
    "   report counts the correction",
    "q  stop (also Esc)",
    "",
    "Notes scroll: arrow keys, or j and k, by a line; space and b by a page; Home.",
    "",
    "Depends on: if the other note changed or stopped being true, this one would",
    "need updating. Sharing a topic, or naming the other, is not depending.",
    "You see no score and no earlier decision, on purpose.",
)
_MEANINGS = {
    "staleness": "Is what this note plans still so?",
    "recall": "Does either note depend on the other?",
    "filter": "Does either note depend on the other?",
}


def label(
    ctx: typer.Context,
    name: Name,
    labeller: Annotated[str, typer.Option("--as", help="Who labels.")] = "owner",
) -> None:
    """Label the drawn units, blind; the next sitting goes on."""
    from vaultgraph.cli.reviewing import Screen, is_plain_terminal
    from vaultgraph.effects.clock import SystemClock
    from vaultgraph.flows.audit_label import LabelSitting

    audits = audits_of(ctx)
    audits.open_drawn(name)
    sitting = LabelSitting(context_of(ctx), audits, name, labeller, SystemClock())
    screen = Screen(is_plain=is_plain_terminal(), is_blind=True)
    walk = LabelWalk(sitting, screen)
    try:
        with screen.keys() as read_key:
            walk.run(read_key)
    finally:
        sitting.close()
        out().line(f"{sitting.labelled} of {len(sitting.units)} labelled")


class LabelWalk:
    """What each key does."""

    def __init__(self, sitting: LabelSitting, screen: Screen) -> None:
        self._sitting = sitting
        self._screen = screen
        self._message = ""
        self._scroll = 0
        labels = sitting.registration.labels
        self._labels = {str(number): label for number, label in enumerate(labels, 1)}
        keys = "  ".join(f"{key} {label}" for key, label in self._labels.items())
        #: As much as fits: a narrow terminal leaves the other keys to the help.
        self._key_lines = (f"{keys}  u back  q stop  ? help", f"{keys}  u  q  ?")

    def run(self, read_key: Callable[[], str]) -> None:
        """Ask until all units have a label or the labeller stops."""
        from vaultgraph.effects import keys

        view = self._sitting.view()
        while True:
            if view is None:
                lines = (f"All {len(self._sitting.units):,} are labelled.",)
                self._screen.show_lines(lines, self._message, "q done  u back to the last one")
            else:
                self._show(view)
            self._message = ""
            key = read_key()
            if key in {"q", "Q", keys.ESCAPE, keys.END}:
                return
            if self._act(view, key, read_key):
                self._scroll = 0
                view = self._sitting.view()

    def _act(self, view: UnitView | None, key: str, read_key: Callable[[], str]) -> bool:
        """Do what a key says; whether another unit may be next."""
        from vaultgraph.cli.review_pages import page_height
        from vaultgraph.cli.reviewing import scrolled

        if key.lower() == "u":
            if not self._sitting.back():
                self._message = "nothing before this one in this sitting"
            return True
        if view is None:
            return False
        if key in self._labels:
            self._sitting.label(self._labels[key])
            return True
        if key == "?":
            self._screen.show_lines(_HELP, "", "any key goes back")
            read_key()
            return False
        moved = scrolled(self._scroll, key, page_height(self._screen.size))
        if moved is None:
            self._message = "no such key; ? shows what there is"
        else:
            self._scroll = moved
        return False

    def _show(self, view: UnitView) -> None:
        from rich.text import Text

        from vaultgraph.cli.review_pages import cropped, layout

        size, marks = self._screen.size, self._screen.marks
        place = Text(f"{view.number:,} of {view.total:,}", "bold")
        question = Text(_question(self._sitting.registration.kind, view), "bold")
        lines = [cropped(line, size[0], marks) for line in (place, question)]
        lines += layout(view.pages, size, self._scroll, marks)
        whole, short = self._key_lines
        self._screen.show(lines, self._message, whole if len(whole) <= size[0] else short)


def _question(kind: str, view: UnitView) -> str:
    from vaultgraph.vault.scope import title_of

    if kind in _MEANINGS:
        return _MEANINGS[kind]
    names = [shown(title_of(page.note)) for page in view.pages]
    if kind == "custom":
        return " / ".join(names)
    return " depends on ".join(names) + "?"
