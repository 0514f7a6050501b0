"""The note a person means: by path, title or alias, in any letter case."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from tests.kit.surveys import survey
from vaultgraph.errors import InputError
from vaultgraph.flows.lookup import find_note

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from vaultgraph.domain.survey import Survey

FILES = {
    "Rate Limiter.md": "---\naliases: [The Guard, Twin]\n---\n",
    "a/Shortlist.md": "",
    "b/Shortlist.md": "---\naliases: Twin\n---\n",
    "b/Résumé Straße.md": "",
    "v1.2.md": "",
    "t/Secret Plan.md": "---\nprivate: true\n---\n",
    "s/Secret Plan.md": "---\nprivate: true\n---\n",
}


@pytest.fixture
def found(make_vault: Callable[..., Path]) -> Survey:
    return survey(make_vault(FILES))


@pytest.mark.parametrize(
    ("written", "note"),
    [
        ("Rate Limiter", "Rate Limiter.md"),
        ("rate limiter", "Rate Limiter.md"),
        ("Rate Limiter.md", "Rate Limiter.md"),
        (" /Rate Limiter.md ", "Rate Limiter.md"),
        ("the guard", "Rate Limiter.md"),
        ("a/Shortlist", "a/Shortlist.md"),
        ("B/shortlist.MD", "b/Shortlist.md"),
        ("b\\Shortlist", "b/Shortlist.md"),
        ("RE\u0301SUME\u0301 STRASSE", "b/Résumé Straße.md"),
        ("v1.2", "v1.2.md"),
        ("s/Secret Plan", "s/Secret Plan.md"),
    ],
)
def test_found(found: Survey, written: str, note: str):
    assert found.notes[find_note(found, written)] == note


@pytest.mark.parametrize(
    ("written", "parts", "hint"),
    [
        ("Shortlist", ["2 notes", "a/Shortlist.md, b/Shortlist.md"], "path"),
        ("twin", ["2 notes", "Rate Limiter.md, b/Shortlist.md"], "path"),
        ("Rate Limitr", ["no note is called Rate Limitr"], "did you mean Rate Limiter.md?"),
        ("Entirely Different", ["no note is called"], "scan --json"),
        ("", ["no note"], ""),
    ],
)
def test_not_found(found: Survey, written: str, parts: list[str], hint: str):
    with pytest.raises(InputError) as caught:
        find_note(found, written)
    for part in parts:
        assert part in caught.value.message
    assert hint in (caught.value.hint or "")


def test_private_notes_are_neither_listed_nor_suggested(found: Survey):
    for written in ("Secret Plan", "Secret Pla", "secret plans"):
        with pytest.raises(InputError) as caught:
            find_note(found, written)
        assert "/Secret" not in f"{caught.value.message} {caught.value.hint}"


@pytest.mark.skipif(os.name == "nt", reason="a backslash is a folder's sign there")
def test_an_exact_path_means_its_note_whatever_is_in_it(make_vault: Callable[..., Path]):
    found = survey(make_vault({"a\\b.md": "", "a/b.md": "", " x .md": ""}))
    for note in found.notes:
        assert found.notes[find_note(found, note)] == note
    assert found.notes[find_note(found, "a\\b")] == "a/b.md"
