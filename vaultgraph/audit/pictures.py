"""Pictures as SVG, written by hand: the same bytes each time, readable on light and on dark."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultgraph.audit.calibration import Reliability
    from vaultgraph.audit.estimates import Estimate

_STYLE = """<style>
text { font: 13px system-ui, sans-serif; fill: #1f2328 }
.small { font-size: 11px; fill: #59636e }
.line { stroke: #59636e; stroke-width: 1 }
.grid { stroke: #d1d9e0; stroke-width: 1 }
.ideal { stroke: #59636e; stroke-dasharray: 4 4 }
.rule { stroke: #bc4c00; stroke-width: 1.5; stroke-dasharray: 6 3 }
.interval { stroke: #0969da; stroke-width: 2 }
.dot { fill: #0969da }
@media (prefers-color-scheme: dark) {
text { fill: #f0f6fc } .small { fill: #9198a1 }
.line, .ideal { stroke: #9198a1 } .grid { stroke: #3d444d }
.rule { stroke: #f0883e } .interval { stroke: #4493f8 } .dot { fill: #4493f8 }
}
</style>"""
_TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)


def reliability_picture(
    title: str, found: Reliability, cutoff: float | None, confidence: float
) -> str:
    """Return the share of dependencies against the score, by bins; a dot's size is its labels."""
    size, left, top = 360, 56, 40

    def x(score: float) -> float:
        return left + score * size

    def y(share: float) -> float:
        return top + (1 - share) * size

    parts = [_text(left, 22, title)]
    for tick in _TICKS:
        parts += [
            _line("grid", x(tick), y(0), x(tick), y(1)),
            _line("grid", x(0), y(tick), x(1), y(tick)),
            _text(x(tick), y(0) + 16, f"{tick:g}", "small", "middle"),
            _text(x(0) - 6, y(tick) + 4, f"{tick:.0%}", "small", "end"),
        ]
    parts += [
        _line("ideal", x(0), y(0), x(1), y(1)),
        _text(x(0.5), y(0) + 36, "score", anchor="middle"),
    ]
    if cutoff is not None:
        parts += [
            _line("rule", x(cutoff), y(0), x(cutoff), y(1)),
            _text(x(cutoff) - 4, y(1) + 12, f"cutoff {cutoff:g}", "small", "end"),
        ]
    most = max(each.n for each in found.bins)
    for each in found.bins:
        if each.told is None or each.share is None:
            continue
        low, high = each.share_low or 0.0, each.share_high or 0.0
        radius = 3 + 5 * (each.n / most) ** 0.5
        parts += [
            _line("interval", x(each.told), y(low), x(each.told), y(high)),
            _dot(x(each.told), y(each.share), radius, f"{each.k} of {each.n}"),
        ]
    note = f"{found.n} labels; share that depends, with {confidence:.0%} intervals"
    parts.append(_text(left, top + size + 56, note, "small"))
    return _svg(left + size + 24, top + size + 68, parts)


def interval_picture(title: str, rows: Sequence[tuple[Estimate, float | None]]) -> str:
    """Return each estimate as a line below the other, crossed by what a rule asks of it."""
    known = [row for row in rows if row[0].value is not None]
    left, width, height, top = 290, 360, 40, 36
    bottom = top + height * len(known)

    def x(share: float) -> float:
        return left + share * width

    parts = [_text(12, 22, title)]
    for tick in _TICKS:
        parts += [
            _line("grid", x(tick), top, x(tick), bottom),
            _text(x(tick), bottom + 16, f"{tick:.0%}", "small", "middle"),
        ]
    for at, (each, bound) in enumerate(known):
        middle = top + height * (at + 0.5)
        of = f"n = {each.n} of {each.population:,}, {each.confidence:.0%} interval"
        if bound is not None:
            of += f", rule at {bound:g}"
            parts.append(_line("rule", x(bound), middle - 16, x(bound), middle + 16))
        parts += [
            _text(12, middle - 2, each.what),
            _text(12, middle + 13, of, "small"),
            _line("interval", x(each.low or 0.0), middle, x(each.high or 0.0), middle),
            _dot(x(each.value or 0.0), middle, 5, f"{each.value or 0.0:.3f}"),
        ]
    return _svg(left + width + 30, bottom + 30, parts)


def _text(x: float, y: float, text: str, kind: str = "", anchor: str = "start") -> str:
    kind = f' class="{kind}"' if kind else ""
    anchor = f' text-anchor="{anchor}"' if anchor != "start" else ""
    return f'<text x="{x:.1f}" y="{y:.1f}"{kind}{anchor}>{escape(text)}</text>'


def _line(kind: str, x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _dot(x: float, y: float, radius: float, title: str) -> str:
    circle = f'<circle class="dot" cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}">'
    return f"{circle}<title>{escape(title)}</title></circle>"


def _svg(width: float, height: float, parts: Sequence[str]) -> str:
    size = f'width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">'
    return "\n".join([head, _STYLE, *parts, "</svg>", ""])
