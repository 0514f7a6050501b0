"""Pictures of what the program shows on a real pseudo-terminal, as SVG that loads nothing."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from rich.ansi import AnsiDecoder
from rich.console import Console
from rich.terminal_theme import TerminalTheme

if TYPE_CHECKING:
    from tests.kit.terminal import Grid

#: Background, text, and the eight colours of a terminal: black, red, green, yellow, …, white.
THEMES = {
    "light": TerminalTheme(
        (252, 252, 252),
        (40, 44, 52),
        [
            *((40, 44, 52), (196, 43, 56), (54, 128, 48), (148, 98, 0)),
            *((22, 99, 190), (134, 46, 156), (0, 118, 134), (110, 114, 124)),
        ],
    ),
    "dark": TerminalTheme(
        (24, 26, 31),
        (208, 211, 218),
        [
            *((72, 77, 89), (224, 108, 117), (152, 195, 121), (229, 192, 123)),
            *((97, 175, 239), (198, 120, 221), (86, 182, 194), (208, 211, 218)),
        ],
    ),
}
#: Rich's own form, without its fonts from elsewhere.
_FORM = """\
<svg viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font: {char_height}px/{line_height}px ui-monospace, SFMono-Regular, Menlo, \
Consolas, "DejaVu Sans Mono", monospace; white-space: pre }}
.{unique_id}-title {{ font: bold 18px sans-serif }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal">
<rect width="{terminal_width}" height="{terminal_height}" />
</clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""


def picture_of(grid: Grid, title: str, theme: str) -> bytes:
    """Return what the terminal shows, in light or dark colours."""
    console = Console(
        width=grid.columns,
        record=True,
        file=io.StringIO(),
        color_system="truecolor",
        force_terminal=True,
    )
    for line in AnsiDecoder().decode(grid.ansi):
        console.print(line, soft_wrap=True)
    svg = console.export_svg(
        title=title, theme=THEMES[theme], code_format=_FORM, unique_id="terminal"
    )
    return svg.encode()
