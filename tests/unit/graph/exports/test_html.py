"""The page, in a real browser: drawn, searched, filtered, walked by keys, and loading nothing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.kit.browser import opened
from tests.kit.pictures import CHECKLIST, PICTURE, PLAN, hostile_picture
from vaultgraph.domain.dependencies import Edge
from vaultgraph.domain.notes import NoteId
from vaultgraph.effects.page_files import read_page_parts
from vaultgraph.flows.export_document import picture_parts
from vaultgraph.graph.exports.html import html_text
from vaultgraph.graph.picture import Picture, picture_of

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

STATE = "() => window.vaultgraph.state()"
CHOSEN = "() => document.getElementById('details-title').textContent"


def write(folder: Path, picture: Picture, vault: str = "vault") -> Path:
    path = folder / "page.html"
    text = html_text(picture, picture_parts(picture), read_page_parts(), vault=vault)
    path.write_text(text, "utf-8")
    return path


@pytest.fixture
def page_file(tmp_path: Path) -> Path:
    return write(tmp_path, PICTURE)


def listed(page: Page) -> list[str]:
    return page.locator("#rows tr td:first-child").all_inner_texts()


def test_every_note_is_drawn_and_every_finding_listed(page_file: Path):
    with opened(page_file) as page:
        drawn = page.evaluate("() => window.vaultgraph.cy.nodes().map((n) => n.id())")
        assert len(drawn) == len(PICTURE.nodes)
        open_notes = {finding.note for finding in PICTURE.findings}
        titles = {node.title for node in PICTURE.nodes if node.note in open_notes}
        assert set(listed(page)) == titles
        assert page.title() == "What rests on what: vault"


def test_search_and_filter(page_file: Path):
    with opened(page_file) as page:
        page.keyboard.press("/")
        page.keyboard.type("CHECKlist")
        assert listed(page) == ["Apartment Checklist"]
        assert "1 notes found" in page.inner_text("#list-title")
        page.keyboard.press("Enter")
        assert page.evaluate(CHOSEN) == "Apartment Checklist"
        page.fill("#query", "no such note")
        assert page.is_visible("#none")
        page.fill("#query", "")
        page.uncheck("input[name=stale]")
        assert "Apartment Checklist" not in listed(page)
        hidden = "() => window.vaultgraph.cy.nodes('.stale').filter(':visible').length"
        assert page.evaluate(hidden) == 0


def test_a_click_shows_the_chain_and_the_evidence(page_file: Path):
    number = [node.note for node in PICTURE.nodes].index(CHECKLIST)
    with opened(page_file) as page:
        where = page.evaluate(
            f"() => window.vaultgraph.cy.getElementById('{number}').renderedPosition()"
        )
        box = page.locator("#picture").bounding_box()
        assert box is not None
        page.mouse.click(box["x"] + where["x"], box["y"] + where["y"])
        page.wait_for_selector("#details:not([hidden])")
        text = page.inner_text("#details")
        assert "Apartment Checklist" in text
        assert "line 3: depends-on" in text
        assert "we stay in Porto" in text
        assert page.locator("#details .chain li").all_inner_texts()[:2] == [
            "Apartment Checklist",
            "Relocation Plan",
        ]
        page.keyboard.press("Escape")
        assert not page.is_visible("#details")


def test_by_keys_alone(page_file: Path):
    numbers = [node.note for node in PICTURE.nodes]
    with opened(page_file) as page:
        for _ in range(40):
            page.keyboard.press("Tab")
            if page.evaluate("() => document.activeElement.id") == "picture":
                break
        else:
            pytest.fail("the picture cannot be reached by Tab")
        page.keyboard.press("ArrowRight")
        first = page.evaluate(STATE)["chosen"]
        assert numbers[first] == PICTURE.findings[0].note
        page.keyboard.press("ArrowRight")
        assert numbers[page.evaluate(STATE)["chosen"]] == PLAN
        page.keyboard.press("Enter")
        assert page.evaluate("() => document.activeElement.id") == "details"
        assert "Relocation Plan" in page.inner_text("#status")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_words_can_be_read_on_their_ground(page_file: Path, *, dark: bool):
    with opened(page_file, dark=dark) as page:
        colours = page.evaluate(
            "() => ['color', 'backgroundColor'].map((x) => getComputedStyle(document.body)[x])"
        )
    text, ground = (_luminance(colour) for colour in colours)
    bright, dim = max(text, ground), min(text, ground)
    # WCAG 2.2, 1.4.6: seven to one.
    assert (bright + 0.05) / (dim + 0.05) >= 7
    assert (ground < text) is dark


def _luminance(colour: str) -> float:
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_a_narrow_window_needs_no_scrolling_aside(page_file: Path):
    with opened(page_file, width=420) as page:
        width = page.evaluate("() => document.documentElement.scrollWidth")
        assert width <= 420
        assert page.locator("#rows tr").first.is_visible()


def test_hostile_names_are_text_and_do_nothing(tmp_path: Path):
    picture = hostile_picture()
    path = write(tmp_path, picture, vault="</script><img src=x onerror=alert(1)>")
    with opened(path) as page:
        assert page.evaluate("() => window.vaultgraph.cy.nodes().length") == len(picture.nodes)
        page.fill("#query", "script")
        page.keyboard.press("Enter")
        assert page.is_visible("#details")
        assert page.locator("img").count() == 0


def test_the_page_is_the_same_whatever_the_order(page_file: Path, tmp_path: Path):
    again = picture_of(
        reversed(PICTURE.edges),
        reversed(PICTURE.findings),
        {node.note: node.closing for node in PICTURE.nodes if node.closing is not None},
        also=[node.note for node in PICTURE.nodes],
    )
    (tmp_path / "other").mkdir()
    assert write(tmp_path / "other", again).read_bytes() == page_file.read_bytes()


def test_thousands_of_notes_begin_where_something_is_wrong(tmp_path: Path):
    notes = [NoteId(f"Note {number:04}.md") for number in range(2_000)]
    edges = [Edge(note, notes[number // 7], "confirmed") for number, note in enumerate(notes[1:])]
    path = write(tmp_path, picture_of([*edges, *PICTURE.edges], PICTURE.findings, {}))
    with opened(path) as page:
        assert page.evaluate("() => window.vaultgraph.state().chosen") is not None
        assert page.evaluate("() => window.vaultgraph.cy.nodes().length") < 200
        page.click("#whole")
        assert page.evaluate("() => window.vaultgraph.cy.nodes().length") >= 2_000
