"""A real browser on one page that may load nothing, and what the page did in it."""

from __future__ import annotations

import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING

from playwright.sync_api import sync_playwright

from tests.kit.drawing import need

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Page

_NAMES = ("chromium", "chromium-browser", "google-chrome")
_FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip


@contextmanager
def opened(path: Path, *, dark: bool = False, width: int = 1400) -> Iterator[Page]:
    """Yield a drawn page; by the end it must have asked for nothing and had no error."""
    found = next(filter(None, map(shutil.which, _NAMES)), None)
    program = need(found, "the page (no Chromium is here)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=_FLAGS)
        try:
            page = browser.new_page(
                color_scheme="dark" if dark else "light",
                viewport={"width": width, "height": 900},
                reduced_motion="reduce",
            )
            asked: list[str] = []
            said: list[str] = []
            page.on("request", lambda request: asked.append(request.url))
            page.on("console", lambda message: said.append(message.text))
            page.on("pageerror", lambda error: said.append(str(error)))
            page.on("dialog", lambda dialog: said.append(dialog.message))
            page.goto(path.as_uri())
            page.wait_for_selector("html[data-ready]", timeout=120_000)
            yield page
            assert asked == [path.as_uri()]
            assert said == []
        finally:
            browser.close()
