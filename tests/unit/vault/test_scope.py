"""Which files are read as notes, and what each of them is."""

from __future__ import annotations

import pytest

from vaultgraph.domain.notes import Listing, NoteId, Skip, VaultFile
from vaultgraph.domain.settings import AppSettings, ScopeSettings, Settings
from vaultgraph.vault.scope import (
    Scope,
    decide_scope,
    has_date_title,
    is_conflict_copy,
    title_of,
)

STAMP = (1, 2, 3, 4)


def scope(
    *paths: str,
    app: AppSettings | None = None,
    skipped: tuple[Skip, ...] = (),
    **rules: object,
) -> Scope:
    files = tuple(
        VaultFile(path, path, STAMP if path.lower().endswith(".md") else None)
        for path in sorted(paths)
    )
    settings = Settings(scope=ScopeSettings(**rules))  # type: ignore[arg-type]
    return decide_scope(Listing(files, skipped), settings, app or AppSettings())


def read(found: Scope) -> list[str]:
    return [file.path for file in found.notes]


def skipped(found: Scope) -> dict[str, str]:
    return dict(found.skipped)


def test_markdown_files_are_notes_and_others_are_not():
    assert read(scope("a.md", "b.MD", "c.txt", "d.canvas", "e")) == ["a.md", "b.MD"]


@pytest.mark.parametrize(
    "title",
    [
        "Note (Conflicted copy laptop 202411281430)",
        "Note (conflicted copy my phone 202411281430)",
        "Note.sync-conflict-20240112-003022-FUKIKK4",
        "Note.sync-conflict-20240112-003022",
        "Note (host's conflicted copy 2026-01-02)",
        "Note (Ann's MacBook's conflicted copy 2026-01-02)",
    ],
)
def test_conflict_copies_are_left_out(title: str):
    assert is_conflict_copy(title)
    assert skipped(scope(f"f/{title}.md")) == {f"f/{title}.md": "conflict copy"}


@pytest.mark.parametrize(
    "title",
    ["Conflict Resolution", "Sync-conflict handling", "Note (copy)", "Note 2", "A conflicted copy",
     "How to merge a conflicted copy (guide)", "Note.sync-conflict"],
)  # fmt: skip
def test_other_titles_are_no_conflict_copies(title: str):
    assert not is_conflict_copy(title)


@pytest.mark.parametrize(
    "title",
    ["2024-05-01", "2024-05-01 Call with Ann", "20240501", "2024.05.01", "2024_05_01 x",
    "2024 05 01",
     "2024-W05", "2024W05", "2024-Q1", "2024 Q4", "2024-05", "2024-12-31, late",
     "2024-05-01日记"],
)  # fmt: skip
def test_titles_that_begin_with_a_date_are_records(title: str):
    assert has_date_title(title)
    assert scope(f"{title}.md").records == {f"{title}.md"}
    assert scope(f"{title}.md", date_titles=False).records == frozenset()


@pytest.mark.parametrize(
    "title",
    ["2024-13-01", "2024-05-32", "20240501x", "2024-05-01x", "2024 Goals", "2024-05 Review",
     "Call 2024-05-01", "202405", "24-05-01", "20245", "100 Ideas", "1984", "2024", "2024-Q5",
     "1st of May", ""],
)  # fmt: skip
def test_titles_that_do_not(title: str):
    assert not has_date_title(title)


def test_daily_notes_by_the_core_setting():
    app = AppSettings(daily_folder="Journal", daily_format="YYYY/MMMM/Do dddd")
    found = scope(
        "Journal/2024/May/1st Wednesday.md",
        "Journal/2024/mai/2nd jeudi.md",
        "Journal/2024/May/Plan.md",
        "Other/2024/May/1st Wednesday.md",
        app=app,
    )
    assert found.records == {"Journal/2024/May/1st Wednesday.md", "Journal/2024/mai/2nd jeudi.md"}


def test_daily_notes_at_the_root_and_with_words_in_the_format():
    app = AppSettings(daily_folder="", daily_format="[Day] D.M.YY")
    found = scope("Day 1.5.24.md", "Day 12.11.24.md", "Day one.md", "x/Day 1.5.24.md", app=app)
    assert found.records == {"Day 1.5.24.md", "Day 12.11.24.md"}


def test_no_daily_setting_no_daily_notes():
    assert scope("Journal/Day one.md").records == frozenset()


def test_record_globs():
    assert scope("Log/a.md", "b.md", records=("log/**",)).records == {"Log/a.md"}


def test_template_folders_are_left_out_and_their_names_are_no_patterns():
    app = AppSettings(template_folders=("T [x]*", "Vorlagen/Neu"))
    found = scope("T [x]*/a.md", "T x1/b.md", "vorlagen/neu/c.md", "Vorlagen/d.md", app=app)
    assert skipped(found) == {
        "T [x]*/a.md": "template folder",
        "vorlagen/neu/c.md": "template folder",
    }


def test_obsidians_excluded_files():
    app = AppSettings(ignore_filters=("Clip", "/draft\\d+/", "a.b/", ""))
    found = scope("Clippings/a.md", "x/DRAFT12.md", "x/Clip.md", "A.B/c.md", "axb/c.md", app=app)
    assert skipped(found) == {
        "Clippings/a.md": "excluded in Obsidian",
        "x/DRAFT12.md": "excluded in Obsidian",
        "A.B/c.md": "excluded in Obsidian",
    }
    assert found.problems == ()


def test_a_filter_python_cannot_read_is_a_problem_and_hides_nothing():
    found = scope("a.md", app=AppSettings(ignore_filters=("/(?<n>a)/", "//", "/")))
    assert read(found) == ["a.md"]
    ((path, _, code, text),) = found.problems
    assert (path, code) == ("app.json", "ignore-filter")
    assert "(?<n>a)" in text


def test_include_and_exclude():
    found = scope("N/a.md", "N/Old/b.md", "c.md", include=("N",), exclude=("N/Old",))
    assert read(found) == ["N/a.md"]
    assert skipped(found) == {"N/Old/b.md": "excluded by config", "c.md": "not included by config"}


def test_archives_are_folders():
    found = scope(
        "Archive/a.md", "x/archives/b.md", "4 Archive/c.md", "Archive.md", "x/Archived notes.md"
    )
    assert found.archived == {"Archive/a.md", "x/archives/b.md", "4 Archive/c.md"}


def test_a_note_with_the_name_of_an_archive_is_in_none():
    found = scope("Archive ideas.md", "Archive 2020/a.md", archives=("Archive*",))
    assert found.archived == {"Archive 2020/a.md"}


def test_private_by_glob():
    found = scope("Private/a.md", "b.md", private=("Private/**",))
    assert found.private == {"Private/a.md"}
    assert read(found) == ["Private/a.md", "b.md"]


def test_a_private_name_stands_nowhere_even_where_the_note_is_left_out():
    found = scope(
        "Private/a.md",
        "Private/Talks.sync-conflict-20240112-003022-ABC.md",
        private=("Private/**",),
        exclude=("Private",),
        skipped=(
            Skip("Private/Linked.md", "link to a file"),
            Skip("Private/loop", "link to a folder"),
            Skip("Open.md", "link to a file"),
        ),
    )
    shown = " ".join(path for path, _ in found.skipped)
    for name in ("Private/a", "Talks", "Linked", "loop"):
        assert name not in shown
    assert "Open.md" in shown
    assert len(found.skipped) == 5


def test_unreadable_settings_of_the_app_are_problems():
    found = scope("a.md", app=AppSettings(unreadable=(("app.json", "is broken"),)))
    assert [(p.path, p.code) for p in found.problems] == [("app.json", "app-settings")]


@pytest.mark.parametrize(
    ("path", "title"),
    [
        ("a/Rate Limiter.md", "Rate Limiter"),
        ("X.MD", "X"),
        ("v1.2 Notes.md", "v1.2 Notes"),
        ("x", "x"),
    ],
)
def test_titles(path: str, title: str):
    assert title_of(NoteId(path)) == title
