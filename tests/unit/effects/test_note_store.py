"""Notes read through the cache: never wrong, whatever happens between two runs or within one."""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from typing import TYPE_CHECKING

import pytest

from vaultgraph.domain.settings import NameSettings, Settings
from vaultgraph.effects.cache_folder import open_cache
from vaultgraph.effects.disk import DiskVault
from vaultgraph.effects.note_store import NoteStore
from vaultgraph.flows.survey import survey_vault

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from vaultgraph.domain.notes import Listing
    from vaultgraph.domain.survey import Survey

FILES = {
    "Rate Limiter.md": "x",
    "Talk.md": "The rate limiter and the cache layer; [[Cache Layer]].",
    "Cache Layer.md": "---\naliases: [The Store]\n---\n",
}


class Bench:
    """A vault, its cache folder, and what was warned of."""

    def __init__(self, vault: Path, cache: Path) -> None:
        self.vault = vault
        self.cache = cache
        self.warned: list[str] = []

    def store(self) -> NoteStore:
        return NoteStore(
            DiskVault(self.vault),
            open_cache=lambda: open_cache(self.cache),
            warn=self.warned.append,
        )

    def survey(self, settings: Settings | None = None, vault: DiskVault | None = None) -> Survey:
        return survey_vault(vault or DiskVault(self.vault), self.store(), settings or Settings())

    def cold(self, settings: Settings | None = None) -> Survey:
        plain = NoteStore(DiskVault(self.vault))
        return survey_vault(DiskVault(self.vault), plain, settings or Settings())

    def kept(self, name: str) -> bytes | None:
        db = sqlite3.connect(self.cache / "survey.sqlite")
        row = db.execute("SELECT data FROM kept WHERE name = ?", (name,)).fetchone()
        db.close()
        return bytes(row[0]) if row else None


@pytest.fixture
def bench(make_vault: Callable[..., Path], tmp_path: Path) -> Bench:
    return Bench(make_vault(FILES), tmp_path / "cache")


@pytest.fixture
def aged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every file look old enough to be trusted: the clock is ten seconds ahead."""
    real = time.time_ns
    monkeypatch.setattr(time, "time_ns", lambda: real() + 10_000_000_000)


def change(path: Path, content: str) -> None:
    """Write a file so that its stamp moves, however coarse the clock of the file system is."""
    before = path.stat() if path.exists() else None
    while True:
        path.write_text(content, "utf-8")
        after = path.stat()
        if before is None or after.st_ctime_ns != before.st_ctime_ns:
            return


@pytest.mark.usefixtures("aged")
def test_an_unchanged_vault_is_not_read_again(bench: Bench, monkeypatch: pytest.MonkeyPatch):
    first = bench.survey()
    monkeypatch.setattr("vaultgraph.effects.note_reader.read_file", None)
    assert bench.survey() == first
    assert bench.warned == []


@pytest.mark.usefixtures("aged")
def test_only_what_changed_is_read_again(bench: Bench, monkeypatch: pytest.MonkeyPatch):
    from vaultgraph.effects import disk
    from vaultgraph.effects import note_reader as reader

    bench.survey()
    change(bench.vault / "Talk.md", "Nothing of it.")
    read: list[str] = []

    def read_file(path: str) -> bytes:
        read.append(path)
        return disk.read_file(path)

    monkeypatch.setattr(reader, "read_file", read_file)
    assert bench.survey() == bench.cold()
    assert set(map(os.path.basename, read[:1])) == {"Talk.md"}
    assert len(read) == 1 + len(FILES)


def test_young_files_are_read_again(bench: Bench):
    bench.survey()
    path = bench.vault / "Talk.md"
    status = path.stat()
    # Same size, and the time of last change put back: only its youth gives it away, if the clock
    # has not ticked meanwhile.
    path.write_text("The rate limiter and the cache layer, [[Rate Limiter]]", "utf-8")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert bench.survey() == bench.cold()


@pytest.mark.usefixtures("aged")
def test_an_edit_of_the_same_size_with_the_time_put_back_is_seen(bench: Bench):
    bench.survey()
    path = bench.vault / "Talk.md"
    status, old = path.stat(), path.read_text("utf-8")
    change(path, old.replace("[[Cache Layer]]", "[[Rate Limit]] "))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert path.stat().st_size == status.st_size
    assert bench.survey() == bench.cold()


@pytest.mark.usefixtures("aged")
@pytest.mark.parametrize(
    "settings",
    [
        Settings(names=NameSettings(minimum_words=1)),
        Settings(names=NameSettings(minimum_words=3)),
        Settings(names=NameSettings(ignore=("rate limiter",))),
    ],
)
def test_other_settings_give_other_results(bench: Bench, settings: Settings):
    assert bench.survey() == bench.cold()
    assert bench.survey(settings) == bench.cold(settings)
    assert bench.survey() == bench.cold()


@pytest.mark.usefixtures("aged")
def test_new_and_gone_names_in_unchanged_notes(bench: Bench):
    bench.survey()
    change(bench.vault / "A Limiter.md", "")
    change(bench.vault / "Limiter and.md", "")
    change(bench.vault / "Rate Limiter and.md", "")
    assert bench.survey() == bench.cold()
    (bench.vault / "Rate Limiter and.md").unlink()
    assert bench.survey() == bench.cold()
    change(bench.vault / "Cache Layer.md", "---\naliases: [Limiter and the]\n---\n")
    assert bench.survey() == bench.cold()
    (bench.vault / "Rate Limiter.md").rename(bench.vault / "Other Thing.md")
    assert bench.survey() == bench.cold()


@pytest.mark.usefixtures("aged")
def test_a_note_that_could_not_be_read_is_tried_again(bench: Bench):
    # A folder that a sync tool moves away for a moment: the notes in it keep their stamps.
    folder, away = bench.vault / "Folder", bench.vault.parent / "away"
    change_in = folder / "Inner Note.md"
    folder.mkdir()
    change(change_in, "[[Cache Layer]]")

    class Moving(DiskVault):
        def list_files(self) -> Listing:
            listing = super().list_files()
            folder.rename(away)
            return listing

    lost = bench.survey(vault=Moving(bench.vault))
    assert [problem.code for problem in lost.problems] == ["unreadable"]
    away.rename(folder)
    assert bench.survey() == bench.cold()
    assert bench.survey().problems == ()


@pytest.mark.usefixtures("aged")
def test_a_note_that_can_never_be_read_is_the_only_one_read_again(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
):
    from vaultgraph.effects import disk
    from vaultgraph.effects import note_reader as reader

    read: list[str] = []

    def read_file(path: str) -> bytes:
        read.append(path.rpartition(os.sep)[2])
        if path.endswith("Talk.md"):
            raise PermissionError(13, "Permission denied")
        return disk.read_file(path)

    monkeypatch.setattr(reader, "read_file", read_file)
    first = bench.survey()
    assert sorted(read) == sorted(FILES)
    assert [problem.code for problem in first.problems] == ["unreadable"]
    read.clear()
    assert bench.survey() == first
    assert read == ["Talk.md"]


@pytest.mark.usefixtures("aged")
@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("Talk.md", "---\nreviewed: 2024-05-01\nstatus: done\n---\n[x](Cache%20Layer.md)"),
        ("Talk.md", "---\nup: '[[Rate Limiter]]'\ndepends-on: ['[[Nowhere]]']\n---\n![[nothing]]"),
        ("Talk.md", "---\na: b: c\n---\nthe store"),
        ("Talk.md", ""),
        ("Rate Limiter.md", "---\nsuperseded-by: '[[Cache Layer]]'\n---\nRate Limiter, the store"),
        # These change what other notes' rows are, so that all is done anew.
        ("Talk.md", "---\naliases: [Rate Limiter]\n---\n"),
        ("Cache Layer.md", "no alias any more"),
        ("Cache Layer.md", "---\naliases: [The Store]\nprivate: true\n---\n"),
        ("Cache Layer.md", "---\naliases: [The Store]\nvaultgraph-report: true\n---\n"),
    ],
)
def test_an_edit_changes_what_it_would_in_a_new_survey(bench: Bench, path: str, content: str):
    before = bench.survey()
    old = (bench.vault / path).read_text("utf-8")
    change(bench.vault / path, content)
    assert bench.survey() == bench.cold()
    assert bench.survey() == bench.cold()
    change(bench.vault / path, old)
    assert bench.survey() == before


@pytest.mark.usefixtures("aged")
def test_two_runs_at_once_do_not_mix_what_they_keep(bench: Bench):
    bench.survey()
    # The first run has read the cache, and goes on after the second has kept other names.
    vault, slow = DiskVault(bench.vault), bench.store()
    listing = vault.list_files()
    files = tuple(file for file in listing.files if file.stamp)
    slow.read(files, Settings())
    change(bench.vault / "A First.md", "The store, a first look.")
    change(bench.vault / "The Rate.md", "x")
    assert bench.survey() == bench.cold()
    names = ("cache layer", "rate limiter", "the store")
    # Notes are sorted: Cache Layer, Rate Limiter, Talk.
    found = slow.find_mentions(names, [(0, 2), (1,), ()])
    assert found == [(), (), ((1, 1), (0, 1))]
    slow.keep(listing, b"some key", bench.cold(), ())
    assert bench.survey() == bench.cold()
    assert bench.warned == []


@pytest.mark.usefixtures("aged")
@pytest.mark.parametrize(
    "name",
    [
        *("survey", "survey-0", "survey-%", "made-with", "paths", "stamps", "unproven", "names"),
        *("facts-of", "shard-%"),
    ],
)
@pytest.mark.parametrize("change_data", ["x'00'", "substr(data, 1, length(data) - 1)", "'x'"])
def test_a_damaged_cache_is_a_warning_and_made_anew(bench: Bench, name: str, change_data: str):
    bench.survey()
    change(bench.vault / "Talk.md", "The store.")
    if name.startswith("survey") or name in ("stamps", "unproven"):
        bench.survey()
    db = sqlite3.connect(bench.cache / "survey.sqlite", isolation_level=None)
    db.execute(f"UPDATE kept SET data = {change_data} WHERE name LIKE ?", (name,))
    db.close()
    if name == "facts-of":
        # Looked at only where more than some notes' text has changed.
        change(bench.vault / "New.md", "")
    assert bench.survey() == bench.cold()
    assert len(bench.warned) == 1
    assert "cache" in bench.warned[0]
    assert bench.survey() == bench.cold()
    assert bench.survey() == bench.cold()
    assert len(bench.warned) == 1
    assert bench.kept("survey") is not None


@pytest.mark.usefixtures("aged")
def test_a_cache_that_holds_something_else_is_a_warning_and_made_anew(bench: Bench):
    from vaultgraph.effects.cache import GENERATION, Cache

    bench.survey()
    cache = Cache(bench.cache / "survey.sqlite")
    odd = [(f"shard-{n}", [("a", "b", "c", "d", "e", "f")]) for n in range(64)]
    cache.put([*odd, ("made-with", b"")], generation=cache.get(GENERATION))
    cache.close()
    assert bench.survey() == bench.cold()
    assert len(bench.warned) == 1
    assert bench.survey() == bench.cold()
    assert len(bench.warned) == 1


@pytest.mark.usefixtures("aged")
def test_a_cache_deleted_meanwhile_loses_nothing(bench: Bench):
    bench.survey()
    shutil.rmtree(bench.cache)
    assert bench.survey() == bench.cold()
    assert bench.survey() == bench.cold()
    assert bench.warned == []


def test_a_file_in_place_of_the_cache_folder_is_a_warning(bench: Bench):
    bench.cache.write_text("in the way")
    assert bench.survey() == bench.cold()
    assert len(bench.warned) == 1
    assert bench.cache.read_text() == "in the way"


def test_without_a_cache_nothing_is_kept(bench: Bench):
    bench.cold()
    assert not bench.cache.exists()


@pytest.mark.usefixtures("aged")
@pytest.mark.parametrize("breaks", [False, True])
def test_a_second_survey_without_a_cache(bench: Bench, breaks: bool):
    store = bench.store() if breaks else NoteStore(DiskVault(bench.vault))

    def survey() -> Survey:
        return survey_vault(DiskVault(bench.vault), store, Settings())

    assert survey() == bench.cold()
    if breaks:
        store._cache.discard()  # type: ignore[union-attr]
        store._cache = None
    assert survey() == bench.cold()
    change(bench.vault / "Above All.md", "The cache layer and the store.")
    assert survey() == bench.cold()
    change(bench.vault / "Talk.md", "Above all, the rate limiter.")
    assert survey() == bench.cold()
    (bench.vault / "Cache Layer.md").unlink()
    assert survey() == bench.cold()
