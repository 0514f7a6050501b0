"""Measures the page: its size, when it is first drawn, and the frames while it is moved.

Pictures are generated; each note rests on one or two others. Chromium runs without a window and
without a graphics card, so a person's own will do better. Frames are counted by the page's own
clock (requestAnimationFrame) while the mouse drags the picture over it and back; a screen shows
60 a second. Prints a Markdown table; with --shots it also keeps pictures of what was seen.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from playwright.sync_api import sync_playwright

from scripts.export_support.generated import generated_picture
from vaultgraph.effects.page_files import read_page_parts
from vaultgraph.flows.export_document import picture_parts
from vaultgraph.graph.exports.html import html_text

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

_BROWSERS = ("chromium", "chromium-browser", "google-chrome")
_SECONDS = 3.0
_FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"]
_WATCH = """() => {
  window.frames_seen = [];
  let last = performance.now();
  const tick = (now) => {
    window.frames_seen.push(now - last);
    last = now;
    window.watch = requestAnimationFrame(tick);
  };
  window.watch = requestAnimationFrame(tick);
}"""
_SEEN = "() => { cancelAnimationFrame(window.watch); return window.frames_seen.slice(1); }"
_FIRST_PAINT = "() => performance.getEntriesByName('first-contentful-paint')[0].startTime"


class Frames(NamedTuple):
    """How often the page was drawn while it was moved."""

    each_second: float
    #: Milliseconds; the time of the frame in the middle, and of one in twenty the slowest.
    median: float
    slow: float

    @classmethod
    def of(cls, times: list[float]) -> Frames:
        """Return what the times between frames, in milliseconds, say."""
        ordered = sorted(times)
        return cls(
            1000 * len(times) / sum(times),
            statistics.median(ordered),
            ordered[int(len(ordered) * 0.95)],
        )


def drag(page: Page) -> Frames:
    """Return the frames while the picture is dragged to and fro."""
    box = page.locator("#picture").bounding_box()
    if box is None:
        raise SystemExit("bench_export: the page shows no picture")
    left, middle = box["x"] + 150, box["y"] + box["height"] / 2
    page.mouse.move(left, middle)
    page.mouse.down()
    page.evaluate(_WATCH)
    ends, step = time.monotonic() + _SECONDS, 0
    while time.monotonic() < ends:
        step += 1
        way = abs((step * 8) % 800 - 400)
        page.mouse.move(left + way, middle + way / 4)
    times: list[float] = page.evaluate(_SEEN)
    page.mouse.up()
    return Frames.of(times)


def measure(browser: Browser, notes: int, folder: Path, shots: Path | None) -> None:
    """Print the rows of one picture."""
    picture = generated_picture(notes)
    started = time.process_time()
    document = picture_parts(picture)
    text = html_text(picture, document, read_page_parts(), vault="generated")
    made = time.process_time() - started
    path = folder / f"{notes}.html"
    path.write_text(text, "utf-8")
    page = browser.new_page(viewport={"width": 1400, "height": 900})
    opened = time.monotonic()
    page.goto(path.as_uri())
    page.wait_for_selector("html[data-ready]", timeout=300_000)
    drawn = time.monotonic() - opened
    paint: float = page.evaluate(_FIRST_PAINT) / 1000
    size = path.stat().st_size / 1e6
    told = [f"{size:.1f} MB", f"{made:.1f} s", f"{paint:.1f} s", f"{drawn:.1f} s"]
    title = f"{notes:,} notes, {len(picture.edges):,} dependencies"
    row(title, [*told, *cells(page, shots, f"{notes}-first")])
    started = time.monotonic()
    page.focus("#picture")
    page.keyboard.press("0")
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    whole = time.monotonic() - started
    row("  all of them (`0`)", ["", "", "", f"{whole:.1f} s", *cells(page, shots, f"{notes}-all")])
    page.evaluate(
        "() => window.vaultgraph.cy.zoom({ level: 0.5, renderedPosition: { x: 500, y: 400 } })"
    )
    row("  all of them, at half size", ["", "", "", "", *cells(page, shots, f"{notes}-near")])
    page.close()


def cells(page: Page, shots: Path | None, name: str) -> list[str]:
    """Return the frames as cells of the table, and keep what was seen."""
    if shots is not None:
        page.screenshot(path=shots / f"{name}.png")
    frames = drag(page)
    return [f"{frames.each_second:.0f}", f"{frames.median:.0f} ms", f"{frames.slow:.0f} ms"]


def row(what: str, values: list[str]) -> None:
    print(f"| {what} | {' | '.join(values)} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench_export", description=__doc__)
    parser.add_argument(
        "--notes", type=int, nargs="*", default=[2_000, 13_000], help="notes of each picture"
    )
    parser.add_argument("--shots", type=Path, metavar="DIR", help="keep pictures of the pages")
    options = parser.parse_args()
    program = next(filter(None, map(shutil.which, _BROWSERS)), None)
    if program is None:
        raise SystemExit("bench_export: Chromium is needed (scripts/setup_drawing looks for it)")
    if options.shots is not None:
        options.shots.mkdir(parents=True, exist_ok=True)
    row(
        "picture",
        [
            "size",
            "made in (CPU)",
            "first paint",
            "drawn",
            "frames/s",
            "median frame",
            "slowest 5 %",
        ],
    )
    row("---", ["---"] * 7)
    with (
        tempfile.TemporaryDirectory(prefix="bench_export-") as folder,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=program, args=_FLAGS)
        for notes in options.notes:
            measure(browser, notes, Path(folder), options.shots)
        browser.close()
