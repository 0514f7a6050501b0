"""Files made to break a reader: huge, endless, looping, unreadable, changing under its hands."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING

import pytest

from tests.kit.cli import OBEY_MODES, run, run_program
from tests.kit.vaults import write_file
from vaultgraph.domain.settings import Settings
from vaultgraph.effects.disk import DiskVault
from vaultgraph.effects.note_store import NoteStore
from vaultgraph.flows.survey import survey_vault

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from vaultgraph.domain.notes import Listing

NORMAL = {"Cache Layer.md": "", "Fine.md": "[[Cache Layer]]"}


@pytest.mark.parametrize(
    ("unit", "times"),
    [("word and more words here\n", 2_000_000), ("x", 50_000_000)],
    ids=["short lines", "one long line"],
)
def test_a_note_of_50_megabytes(make_vault: Callable[..., Path], unit: str, times: int):
    text = unit * times + "\n[[Fine]] Cache Layer\n"
    vault = make_vault({**NORMAL, "Huge.md": text.encode()})
    del text
    document = run_program(vault, "scan", "--json").ok().json
    assert {(row["note"], row["to"]) for row in document["links"]} >= {
        ("Fine.md", "Cache Layer.md"),
        ("Huge.md", "Fine.md"),
    }
    assert ("Huge.md", "Cache Layer.md") in {
        (row["note"], row["of"]) for row in document["mentions"]
    }


def test_a_name_a_hundred_thousand_times_on_one_line_is_shown_once(
    make_vault: Callable[..., Path],
):
    vault = make_vault({"Cache Layer.md": "", "Full.md": "The Cache Layer again. " * 100_000})
    for command in (("scan", "--pairs"), ("why", "Full", "Cache Layer")):
        ran = run_program(vault, *command).ok()
        assert ran.out.count("Full.md:1  mention") == 1


def test_a_million_brackets_on_one_line(make_vault: Callable[..., Path]):
    vault = make_vault(
        {
            **NORMAL,
            "Open.md": "[" * 1_000_000 + " [[Fine]]",
            "Both.md": "[]" * 500_000 + " [[Fine]]",
            "Half.md": "[[a|" * 250_000 + " [[Fine]]",
            "Round.md": "](" * 500_000 + " [[Fine]]",
            "Ticks.md": "` `` ``` " * 100_000 + "\n\n[[Fine]]",
            "Dollars.md": "$ a$b $$" * 100_000 + "\n\n[[Fine]]",
            "Quotes.md": ">" * 1_000_000 + " [[Fine]]",
            "Front.md": "---\nk: " + "[" * 1_000_000 + "\n---\n[[Fine]]",
            "Keys.md": "---\n" + "".join(f"k{n}: v\n" for n in range(50_000)) + "---\n[[Fine]]",
        }
    )
    start = time.monotonic()
    document = run_program(vault, "scan", "--json").ok().json
    assert time.monotonic() - start < 60
    found = {row["note"] for row in document["links"] if row["to"] == "Fine.md"}
    assert {
        "Open.md",
        "Both.md",
        "Half.md",
        "Round.md",
        "Ticks.md",
        "Quotes.md",
        "Front.md",
        "Keys.md",
    } <= found
    assert [row["path"] for row in document["problems"]] == ["Front.md"]


def test_a_thousand_aliases_and_as_many_mentions(make_vault: Callable[..., Path]):
    aliases = [f"Name Number {n}" for n in range(1000)]
    vault = make_vault(
        {
            "Many.md": "---\naliases:\n"
            + "".join(f"  - {alias}\n" for alias in aliases)
            + "---\n",
            "Log.md": "".join(f"{alias}, again\n" for alias in aliases) * 10,
        }
    )
    start = time.monotonic()
    document = run_program(vault, "scan", "--json").ok().json
    assert run_program(vault, "scan", "--pairs").ok().out.count("mention") >= 10_000
    assert time.monotonic() - start < 60
    assert document["counts"]["mentions"] == 10_000


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_links_that_loop(make_vault: Callable[..., Path]):
    vault = make_vault({**NORMAL, "a/b/Deep Note.md": "[[Fine]]"})
    (vault / "a" / "loop").symlink_to("..")
    (vault / "a" / "b" / "self").symlink_to("self")
    (vault / "ring").symlink_to("gnir")
    (vault / "gnir").symlink_to("ring")
    (vault / "note.md").symlink_to("note.md")
    (vault / "too long.md").symlink_to("x" * 4000)
    document = run(vault, "scan", "--json").ok().json
    assert document["notes"] == ["Cache Layer.md", "Fine.md", "a/b/Deep Note.md"]
    assert {"a/loop", "note.md", "too long.md"} <= {row["path"] for row in document["skipped"]}


@pytest.mark.skipif(os.name == "nt", reason="files have no such mode there")
def test_a_note_and_a_folder_that_may_not_be_read(make_vault: Callable[..., Path]):
    vault = make_vault({**NORMAL, "Locked.md": "x", "shut/In.md": "x"})
    (vault / "Locked.md").chmod(0)
    (vault / "shut").chmod(0)
    try:
        ran = run_program(vault, "scan", prelude=OBEY_MODES).ok()
        document = run_program(vault, "scan", "--json", prelude=OBEY_MODES).ok().json
    finally:
        (vault / "shut").chmod(0o755)
    assert "Locked.md: cannot be read: Permission denied" in ran.err
    counts = document["counts"]
    assert (counts["found"], counts["read"], counts["unreadable"]) == (3, 2, 1)
    assert {"path": "shut", "reason": "folder cannot be read: Permission denied"} in document[
        "skipped"
    ]
    assert [(row["path"], row["code"]) for row in document["problems"]] == [
        ("Locked.md", "unreadable")
    ]


def test_a_note_that_goes_between_listing_and_reading(make_vault: Callable[..., Path]):
    vault = make_vault({**NORMAL, "Going Away.md": "x"})

    class Vanishing(DiskVault):
        def list_files(self) -> Listing:
            listing = super().list_files()
            (vault / "Going Away.md").unlink()
            return listing

    disk = Vanishing(vault)
    survey = survey_vault(disk, NoteStore(disk), Settings())
    assert [(p.path, p.code) for p in survey.problems] == [("Going Away.md", "unreadable")]
    assert len(survey.links) == 1


def test_a_note_that_becomes_a_folder_between_listing_and_reading(make_vault: Callable[..., Path]):
    vault = make_vault({**NORMAL, "Odd.md": "x"})

    class Changing(DiskVault):
        def list_files(self) -> Listing:
            listing = super().list_files()
            (vault / "Odd.md").unlink()
            (vault / "Odd.md").mkdir()
            return listing

    disk = Changing(vault)
    survey = survey_vault(disk, NoteStore(disk), Settings())
    assert [(p.path, p.code) for p in survey.problems] == [("Odd.md", "unreadable")]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no such files there")
def test_a_pipe_called_a_note_is_not_waited_for(make_vault: Callable[..., Path]):
    vault = make_vault(NORMAL)
    os.mkfifo(vault / "Pipe.md")
    document = run_program(vault, "scan", "--json").ok().json
    assert "Pipe.md" in {row["path"] for row in document["skipped"]}


def test_folders_as_deep_as_the_system_allows(make_vault: Callable[..., Path]):
    vault = make_vault(NORMAL)
    deep = "/".join(["d" * 20] * 60)
    write_file(vault / deep / "Deep Note.md", "[[Fine]]")
    assert f"{deep}/Deep Note.md" in run(vault, "scan", "--json").ok().json["notes"]


def test_a_vault_of_nothing_but_problems(make_vault: Callable[..., Path]):
    vault = make_vault({f"Bad {n}.md": b"\xff" for n in range(30)})
    ran = run(vault, "scan").ok()
    assert "30 found = 0 read + 30 unreadable" in ran.out
    assert "30 problems" in ran.err
    assert "20 more" in ran.err


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("scan", "0 candidates of 0 possible"),
        ("stale", "No live note points at a closed one."),
        ("doctor", "none: problems in notes"),
        ("init", "no note in this vault has a status yet"),
    ],
)
def test_an_empty_vault(make_vault: Callable[..., Path], command: str, said: str):
    for vault in (make_vault({}), make_vault({".obsidian/app.json": "{}"}, name="fresh")):
        ran = run(vault, command).ok()
        assert said in ran.out + ran.err


@pytest.mark.parametrize("command", ["scan", "stale", "doctor", "init"])
def test_a_vault_that_is_none(tmp_path: Path, command: str):
    (tmp_path / "file").write_text("")
    run(tmp_path / "none", command).fails(3, os.fspath(tmp_path / "none"))
    run(tmp_path / "file", command).fails(3, "not a folder")
    run(tmp_path / "file" / "below", command).fails(3)
    if sys.platform != "win32":
        (tmp_path / "link").symlink_to("link")
        run(tmp_path / "link", command).fails(3)
    run(tmp_path / ("x" * 5000), command).fails(3)


@pytest.mark.skipif(os.name == "nt", reason="folders have no such mode there")
def test_a_vault_that_may_not_be_read(make_vault: Callable[..., Path]):
    vault = make_vault(NORMAL)
    vault.chmod(0)
    try:
        run_program(vault, "scan", prelude=OBEY_MODES).fails(
            3, "cannot be read", "Permission denied"
        )
    finally:
        vault.chmod(0o755)


def test_broken_settings_of_the_app(make_vault: Callable[..., Path]):
    vault = make_vault(
        {
            **NORMAL,
            ".obsidian/app.json": b"\xff\xfe",
            ".obsidian/templates.json": "[" * 100_000,
            ".obsidian/daily-notes.json": '{"folder": {"a": 1}, "format": 7}',
            ".obsidian/plugins/templater-obsidian/data.json/x": "",
        }
    )
    ran = run(vault, "scan").ok()
    assert "app.json" in ran.err
    assert "templates.json" in ran.err
