"""Obsidian's own rule for what a link reaches, with the examples its write-ups give."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultgraph.vault.resolve import LinkIndex

FILES = [
    "Note.md",
    "a/Note.md",
    "a/b/Note.md",
    "zz/Note.md",
    "a/Only.md",
    "img/Figure 1.png",
    "v1.2 Release Notes.md",
    "B.H. Liddell Hart.md",
    "deep/er/Index.md",
    "glossary/index.md",
    "ary/x/index.md",
    "proj/x.md",
    "projects/Plan.md",
    "other/Plan.md",
    "o/Plan.md",
    "Board.canvas",
    "ΟΔΟΣ.md",
    "100%.md",
    "Résumé.md",
]

#: Link, note it stands in, path it reaches.
REACHES = {
    "bare and unique": ("Only", "x.md", "a/Only.md"),
    "letter case": ("oNLY", "x.md", "a/Only.md"),
    "with the suffix": ("Only.md", "x.md", "a/Only.md"),
    "no alias, title or fuzzy match": ("Onl", "x.md", None),
    "root wins for a bare name": ("Note", "zz/y.md", "Note.md"),
    "path from the root": ("a/b/Note", "zz/y.md", "a/b/Note.md"),
    "leading slash": ("/a/Note", "zz/y.md", "a/Note.md"),
    "leading slash, not exact": ("/b/Note", "a/y.md", None),
    "end of a path": ("b/Note", "zz/y.md", "a/b/Note.md"),
    "own folder": ("Plan", "other/y.md", "other/Plan.md"),
    "shortest path else": ("Plan", "zz/y.md", "o/Plan.md"),
    "raw start of the folder": ("Plan", "proj/x.md", "projects/Plan.md"),
    "raw end of the path": ("ary/index", "y.md", "glossary/index.md"),
    "relative, down": ("./Only", "a/y.md", "a/Only.md"),
    "relative, up": ("../Note", "a/b/y.md", "a/Note.md"),
    "relative, up and down": ("../zz/Note", "a/y.md", "zz/Note.md"),
    "dot dot after dot": ("./../Note", "a/b/y.md", "a/Note.md"),
    "another kind of file": ("Figure 1.png", "y.md", "img/Figure 1.png"),
    "another kind without suffix": ("Figure 1", "y.md", None),
    "canvas": ("Board.canvas", "y.md", "Board.canvas"),
    "canvas without suffix": ("Board", "y.md", None),
    "dots in the name": ("v1.2 Release Notes", "y.md", "v1.2 Release Notes.md"),
    "initials": ("B.H. Liddell Hart", "y.md", "B.H. Liddell Hart.md"),
    "per cent": ("100%", "y.md", "100%.md"),
    "final sigma": ("ΟΔΟΣ", "y.md", "ΟΔΟΣ.md"),
    "accents": ("résumé", "y.md", "Résumé.md"),
    "folder": ("a", "y.md", None),
    "nothing there": ("Nothing", "y.md", None),
    "too far up": ("../../../Note", "a/y.md", None),
}


@pytest.mark.parametrize(("link", "note", "path"), REACHES.values(), ids=REACHES)
def test_what_a_link_reaches(link: str, note: str, path: str | None):
    index = LinkIndex(sorted(FILES))
    assert index.resolve(link, note) == path
    # Asked again, it is the same: what is known is kept.
    assert index.resolve(link, note) == path


def test_a_tie_goes_to_the_first_in_the_index():
    assert LinkIndex(["aa/N.md", "bb/N.md"]).resolve("N", "x/y.md") == "aa/N.md"


def test_the_subtree_of_the_note_comes_before_a_shorter_path():
    index = LinkIndex(["b/Design.md", "zzzz/deep/er/Design.md"])
    assert index.resolve("Design", "zzzz/Start.md") == "zzzz/deep/er/Design.md"
    assert index.resolve("Design", "Start.md") == "b/Design.md"


def test_same_name_lists_all_that_could_be_meant():
    index = LinkIndex(sorted(FILES))
    assert set(index.same_name("x/Note")) == {"Note.md", "a/Note.md", "a/b/Note.md", "zz/Note.md"}
    assert list(index.same_name("Nothing")) == []


def test_doubt_where_two_files_fit_equally_well():
    doubt = LinkIndex(["aa/N.md", "bb/N.md"]).doubtful("N", "x/y.md")
    assert doubt is not None
    assert (doubt.reached, doubt.other) == ("aa/N.md", "bb/N.md")


def test_doubt_where_only_part_of_a_folders_name_fits():
    doubt = LinkIndex(["glossary/index.md", "index.md"]).doubtful("ary/index", "y.md")
    assert doubt is not None
    assert (doubt.reached, doubt.other) == ("glossary/index.md", None)
    near = LinkIndex(["o/Plan.md", "projects/Plan.md"]).doubtful("Plan", "proj/x.md")
    assert near is not None
    assert (near.reached, near.other) == ("projects/Plan.md", "o/Plan.md")


@pytest.mark.parametrize("link", ["Only", "Note", "a/Note", "Nothing", "./Only"])
def test_no_doubt_where_all_is_clear(link: str):
    assert LinkIndex(sorted(FILES)).doubtful(link, "a/y.md") is None


def by_the_book(  # noqa: C901 - as the source has it
    link: str, source: str, paths: list[str]
) -> str | None:
    """The rule as the write-ups give it, word for word and slow."""
    folder = source.lower().rpartition("/")[0]

    def named(name: str) -> list[str]:
        return [path for path in paths if path.lower().rpartition("/")[2] == name]

    n = link.lower()
    c = named(n.rpartition("/")[2]) if "." in n.rpartition("/")[2] else []
    if not c:
        n = (link + ".md").lower()
        c = named(n.rpartition("/")[2])
    if not c:
        return None
    if "/" not in n and len(c) == 1:
        return c[0]
    if n.startswith(("./", "../")):
        parts = folder.split("/") if folder else []
        for part in n.split("/"):
            if part == "..":
                parts = parts[:-1]
            elif part != ".":
                parts.append(part)
        n = "/".join(parts)
        for path in c:
            if path.lower() == n:
                return path
    begins_at_root = link.startswith("/")
    n = n.removeprefix("/")
    for path in c:
        if path.lower() == n:
            return path
    if begins_at_root:
        return None
    near = [p for p in c if p.lower().endswith(n) and p.lower().startswith(folder)]
    far = [p for p in c if p.lower().endswith(n) and not p.lower().startswith(folder)]
    ordered = sorted(near, key=len) + sorted(far, key=len)
    return ordered[0] if ordered else None


PART = st.sampled_from(["a", "A", "ab", "b", "x.y", "Σ", "é"])
PATH = st.lists(PART, min_size=1, max_size=3).map("/".join)
FILE = st.tuples(PATH, st.sampled_from([".md", ".md", ".md", ".png", ".MD"])).map("".join)
LINK = st.tuples(
    st.sampled_from(["", "", "", "/", "./", "../", "./../", "../../"]),
    PATH,
    st.sampled_from(["", "", "", ".md", ".png", ".x"]),
).map("".join)


@given(st.lists(FILE, unique=True, max_size=12), st.lists(st.tuples(LINK, FILE), max_size=6))
def test_the_rule_by_the_book(paths: list[str], questions: list[tuple[str, str]]):
    index = LinkIndex(sorted(paths))
    for link, source in questions:
        if link.count("../") > source.count("/"):
            continue  # nobody has measured a link that leaves the vault
        assert index.resolve(link, source) == by_the_book(link, source, sorted(paths))
