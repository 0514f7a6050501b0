"""Path patterns as the configuration describes them."""

from __future__ import annotations

import unicodedata

import pytest

from vaultgraph.vault.globs import path_matcher

MATCHES = {
    "a folder covers all below": ("Archive", ["Archive/a.md", "archive/b/c.md", "Archive"],
    ["x/Archive/a.md", "Archives/a.md"]),
    "stars for all below": ("Private/**", ["Private/a.md", "private/b/c.md"], ["Private.md",
    "x/Private/a.md"]),
    "at any depth": ("**/archive", ["Archive/a.md", "x/y/ARCHIVE/a.md"], ["x/archived/a.md"]),
    "files of a folder": ("Notes/*.md", ["Notes/a.md"], ["Notes/b/a.md", "Notes/a.txt"]),
    "one star stays in a part": ("*/Log", ["a/Log/x.md"], ["a/b/Log/x.md", "Log/x.md"]),
    "question mark": ("a?.md", ["ab.md"], ["a.md", "a/.md", "abc.md"]),
    "characters": ("[0-9]*archive", ["4 Archive/x.md", "99archive"], ["a archive", "4/archive"]),
    "not these characters": ("[!a]x.md", ["bx.md"], ["ax.md", "/x.md"]),
    "dots and signs are themselves": ("a.b+(c)$.md", ["a.b+(c)$.md"], ["axb+(c)$.md"]),
    "an open bracket is itself": ("a[b", ["a[b/x.md"], ["ab"]),
    "slashes at the ends": ("/Archive/", ["Archive/a.md"], ["x/Archive/a.md"]),
    "a dot before the slash": ("./Archive/**", ["Archive/a.md"], ["x/Archive/a.md"]),
    "stars in the middle": ("a/**/z.md", ["a/z.md", "a/b/c/z.md"], ["b/a/z.md"]),
    "spaces around": ("  Archive  ", ["Archive/a.md"], []),
    "accents": ("Résumés/**", ["Résumés/a.md", "RÉSUMÉS/a.md"], ["Resumes/a.md"]),
}  # fmt: skip


@pytest.mark.parametrize(("glob", "hits", "misses"), MATCHES.values(), ids=MATCHES)
def test_what_a_glob_matches(glob: str, hits: list[str], misses: list[str]):
    matches = path_matcher([glob])
    assert [path for path in hits if not matches(path)] == []
    assert [path for path in misses if matches(path)] == []


def test_a_glob_in_decomposed_letters_matches_too():
    # Paths are NFC; an editor on another system may have written the configuration otherwise.
    assert path_matcher([unicodedata.normalize("NFD", "Privé/**")])("Privé/a.md")


@pytest.mark.parametrize("globs", [[], [""], ["  "]])
def test_no_glob_matches_nothing(globs: list[str]):
    assert not path_matcher(globs)("a.md")


def test_any_of_several():
    matches = path_matcher(["a", "b/*.md"])
    assert matches("a/x.md")
    assert matches("b/x.md")
    assert not matches("c/x.md")
