"""Links and text in a note that we write, held against our own reader of notes."""

from __future__ import annotations

import pytest

from tests.kit.pictures import HOSTILE_TITLES
from vaultgraph.domain.notes import NoteId
from vaultgraph.graph.exports.markdown import escaped_markdown, link_to
from vaultgraph.text.links import view_body
from vaultgraph.vault.resolve import LinkIndex

SOURCE = "Reports/Stale.md"
ODD = ("a|b", "a]b", "[[a]]", "a^b", "50%% off", "a%20b", "a:b", "%41", "a(b)c", "a?b=c", "a.md")


def link(path: str, *others: str, source: str = SOURCE) -> str:
    return link_to(NoteId(path), source, LinkIndex(sorted({path, source, *others})), "my vault")


@pytest.mark.parametrize(
    ("path", "others", "written"),
    [
        ("Plan.md", (), "[[Plan]]"),
        ("Move/Plan.md", (), "[[Plan]]"),
        ("Move/Plan.md", ("Work/Plan.md",), "[[Move/Plan|Plan]]"),
        ("Move/Stale.md", (), "[[Move/Stale|Stale]]"),
        ("Move/a|b.md", (), r"[a\|b](../Move/a%7Cb.md)"),
        ("a]b.md", (), r"[a\]b](../a%5Db.md)"),
        ("Reports/a]b c.md", (), r"[a\]b c](./a%5Db%20c.md)"),
        ("Reports/c`d:e.md", (), r"[c\`d:e](./c%60d:e.md)"),
        ("C#/x.md", (), "[[x]]"),
        ("c# x.md", (), r"[c\# x](obsidian://open?vault=my%20vault&file=c%23%20x.md)"),
        ("it's $1 $.md", (), r"[it's \$1 \$](obsidian://open?vault=my%20vault&file=it%27s%20%241%20%24.md)"),
    ],
)  # fmt: skip
def test_how_a_link_is_written(path: str, others: tuple[str, ...], written: str):
    assert link(path, *others) == written


@pytest.mark.parametrize("title", [*HOSTILE_TITLES, *ODD])
@pytest.mark.parametrize("source", [SOURCE, "Stale.md"])
def test_every_link_reaches_its_note_and_nothing_is_left_of_the_line(title: str, source: str):
    path = f"Sub/{title}.md" if "/" not in title else f"{title}.md"
    written = link(path, source=source)
    line = f"- {written} → {written} (judged 0.90)"
    if "obsidian://" in written:
        assert any(character in path for character in "#$&")
        return
    view = view_body(line)
    index = LinkIndex([path, source])
    assert [index.resolve(target, source) for target, _, _ in view.links] == [path, path]
    assert view.prose.replace("\x00", "") == "-  →  (judged 0.90)"


@pytest.mark.parametrize("text", ["a `b` $c$ %%e%% [[f]] #g ==h== |i| \\j &amp; ~~k~~ !l ^m"])
def test_text_is_shown_as_it_is(text: str):
    view = view_body(escaped_markdown(text))
    assert view.links == []
    assert view.prose.replace("\\", "") == text.replace("\\", "")


def test_text_stays_on_its_line():
    assert escaped_markdown("one\n\n# two\u2028three\x1b") == r"one \# two three" + "\ufffd"
