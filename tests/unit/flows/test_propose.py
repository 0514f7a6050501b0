"""``propose``: what is written for which verdict, what is not, and that it says so."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from tests.kit.cli import run
from tests.kit.vaults import write_file
from tests.kit.writing import (
    ACCEPTED,
    PROPOSED,
    REJECTED,
    age,
    edit,
    import_lines,
    judged,
    ledger_events,
    notes_bytes,
    old_vault,
    propose,
    verdict,
    writing_context,
)
from vaultgraph.flows.propose import ProposeOptions, carry_out, plan_proposals

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from vaultgraph.domain.notes import VaultFile

HEAD = "---\ntitle: 'x' # mine\n---\n"
FILES: dict[str, str | bytes] = {
    "Plan.md": HEAD + "Use the [[Cache Layer]].\n",
    "Cache Layer.md": "Fast.\n",
    "Token Store.md": "Safe.\n",
    "notes/Budget.md": HEAD + "Money.\n",
}
LINE = '  - "[[Cache Layer]]"\n'


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return old_vault(tmp_path / "vault", FILES)


def make(tmp_path: Path, **files: str | bytes) -> Path:
    named = {f"{name.replace('_', ' ')}.md": content for name, content in files.items()}
    return old_vault(tmp_path / "vault", {**FILES, **named})


def rows(report: dict[str, Any], table: str) -> list[tuple[str, str]]:
    return [(row["dependent"], row["basis"]) for row in report[table]]


def test_an_entry_and_not_a_byte_more(vault: Path):
    judged(vault, ("Plan", "Cache Layer", 0.92))
    before = notes_bytes(vault)
    report = propose(vault).ok().json
    assert report == {
        "run": "1",
        "written": 1,
        "proposed": [
            {
                "dependent": "Plan.md",
                "basis": "Cache Layer.md",
                "probability": 0.92,
                "judge": "imported",
                "model": "",
            }
        ],
        "withdrawn": [],
        "skipped": [],
        "conflicts": [],
        "middle": [],
        "refused": [],
        "held_back": 0,
        "private": 0,
        "gone": 0,
    }
    after = notes_bytes(vault)
    assert after.pop("Plan.md").decode() == (
        f"---\ntitle: 'x' # mine\n{PROPOSED}:\n{LINE}---\nUse the [[Cache Layer]].\n"
    )
    before.pop("Plan.md")
    assert after == before


def test_several_entries_of_a_note_come_strongest_first(vault: Path):
    judged(vault, ("Plan", "Cache Layer", 0.8), ("Plan", "Token Store", 0.9))
    propose(vault).ok()
    assert f'{PROPOSED}:\n  - "[[Token Store]]"\n{LINE}' in (vault / "Plan.md").read_text()


def test_again_changes_nothing(vault: Path):
    judged(vault, ("Plan", "Cache Layer"), ("Budget", "Plan"))
    propose(vault).ok()
    before = notes_bytes(vault)
    again = propose(vault).ok().json
    assert (again["run"], again["written"], again["proposed"]) == (None, None, [])
    assert [row["reason"] for row in again["skipped"]] == ["proposed already"] * 2
    assert notes_bytes(vault) == before


SPELLINGS = (
    '"[[Cache Layer]]"',
    "'[[cache layer|fast]]'",
    '"[[Cache Layer.md#Why]]"',
    '"![[Cache Layer]]"',
    '"[the cache](Cache%20Layer.md)"',
    '"[[./Cache Layer]]"',
    "Cache Layer",
)


@pytest.mark.parametrize("entry", SPELLINGS)
@pytest.mark.parametrize(
    ("key", "reason"),
    [
        (ACCEPTED, "accepted already"),
        (REJECTED, "rejected by its owner"),
        ("Depends-On-Rejected", "rejected by its owner"),
        (PROPOSED, "proposed already"),
    ],
)
def test_what_stands_is_not_proposed_however_it_is_spelled(tmp_path, key, reason, entry):
    vault = make(tmp_path, Plan=f"---\n{key}:\n  - {entry}\n---\n")
    judged(vault, ("Plan", "Cache Layer"))
    before = notes_bytes(vault)
    report = propose(vault).ok().json
    expected = {"dependent": "Plan.md", "basis": "Cache Layer.md"}
    assert report["skipped"] == [{**expected, "probability": 0.9, "reason": reason}]
    assert notes_bytes(vault) == before


def test_middle_and_conflicts_are_listed_and_not_written(tmp_path: Path):
    vault = make(tmp_path, Cache_Layer=f'---\n{ACCEPTED}: "[[Token Store]]"\n---\n')
    import_lines(
        vault,
        verdict("Plan", "Cache Layer", 0.55, 0.45),
        verdict("Budget", "Plan", 0.9, 0.8),
        verdict("Token Store", "Cache Layer", 0.9),
    )
    before = notes_bytes(vault)
    report = propose(vault).ok().json
    assert [(row["dependent"], row["probability"]) for row in report["middle"]] == [
        ("Plan.md", 0.55),
        ("Cache Layer.md", 0.45),
    ]
    assert report["conflicts"] == [
        {
            "first": "Cache Layer.md",
            "second": "Token Store.md",
            "first_depends": 0.1,
            "second_depends": 0.9,
            "reason": "the reverse was accepted",
        },
        {
            "first": "Plan.md",
            "second": "notes/Budget.md",
            "first_depends": 0.8,
            "second_depends": 0.9,
            "reason": "each seems to depend on the other",
        },
    ]
    assert notes_bytes(vault) == before


def test_the_settings_cutoffs(vault: Path):
    write_file(vault / ".vaultgraph/config.toml", "[proposals]\ncutoff = 0.5\nmiddle = 0.2\n")
    judged(vault, ("Plan", "Cache Layer", 0.5), ("Plan", "Token Store", 0.3))
    report = propose(vault).ok().json
    assert rows(report, "proposed") == [("Plan.md", "Cache Layer.md")]
    assert rows(report, "middle") == [("Plan.md", "Token Store.md")]


def test_the_settings_keys(vault: Path):
    write_file(vault / ".vaultgraph/config.toml", '[keys]\nproposed = "rests-on?"\n')
    judged(vault, ("Plan", "Cache Layer"))
    propose(vault).ok()
    assert f"rests-on?:\n{LINE}---\n" in (vault / "Plan.md").read_text()
    assert propose(vault).ok().json["skipped"][0]["reason"] == "proposed already"


class TestOutdated:
    def test_a_note_that_changed_is_named(self, vault: Path):
        judged(vault, ("Plan", "Cache Layer"))
        edit(vault / "Plan.md", HEAD + "Another plan.\n")
        before = notes_bytes(vault)
        report = propose(vault).ok().json
        assert report["skipped"] == [
            {
                "first": "Cache Layer.md",
                "second": "Plan.md",
                "changed": ["Plan.md"],
                "reason": "a note changed since",
            }
        ]
        assert notes_bytes(vault) == before

    def test_a_property_is_no_change(self, vault: Path):
        judged(vault, ("Plan", "Cache Layer"))
        edit(vault / "Plan.md", "---\nother: y\n---\nUse the [[Cache Layer]].\n")
        assert propose(vault).ok().json["written"] == 1

    def test_changed_back(self, vault: Path):
        judged(vault, ("Plan", "Cache Layer"))
        edit(vault / "Plan.md", "Other.\n")
        judged(vault, ("Plan", "Cache Layer", 0.1))
        edit(vault / "Plan.md", FILES["Plan.md"])
        assert rows(propose(vault).ok().json, "proposed") == [("Plan.md", "Cache Layer.md")]

    def test_a_note_that_is_gone_is_only_counted(self, vault: Path):
        judged(vault, ("Plan", "Cache Layer"), ("Budget", "Token Store"))
        (vault / "Cache Layer.md").unlink()
        write_file(vault / ".vaultgraph/config.toml", '[scope]\nexclude = ["notes"]\n')
        ran = propose(vault).ok()
        assert (ran.json["gone"], ran.json["skipped"], ran.json["written"]) == (2, [], None)
        assert "Budget" not in ran.out


class TestNotesThatTakeNoPart:
    def test_records_reports_and_unreadable_ones(self, vault: Path):
        judged(vault, ("Plan", "Cache Layer"), ("Budget", "Plan"), ("Token Store", "Plan"))
        (vault / "Cache Layer.md").rename(vault / "2026-11-30.md")
        settings = '[scope]\nrecords = ["notes/**"]\n'
        write_file(vault / ".vaultgraph/config.toml", settings)
        edit(vault / "Token Store.md", "---\nvaultgraph-report: true\n---\nSafe.\n")
        before = notes_bytes(vault)
        report = propose(vault).ok().json
        assert [(row["dependent"], row["reason"]) for row in report["skipped"]] == [
            ("Token Store.md", "a report makes no pair"),
            ("notes/Budget.md", "a record makes no pair"),
        ]
        assert notes_bytes(vault) == before

    @pytest.mark.parametrize("other", ["Plan", "Budget"])
    def test_private_ones_are_counted_and_not_named(self, vault: Path, other: str):
        judged(vault, (other, "Cache Layer"), ("Cache Layer", "Token Store", 0.5))
        # One of them a record as well: that must not be what is told.
        write_file(vault / ".vaultgraph/config.toml", '[scope]\nrecords = ["notes/**"]\n')
        edit(vault / "Cache Layer.md", "---\nprivate: true\n---\nFast.\n")
        for arguments in (("--json",), ()):
            ran = run(vault, "propose", "--yes", *arguments).ok()
            assert "Cache" not in ran.out + ran.err
        assert propose(vault).json["private"] == 1
        assert b"Cache" not in (vault / ".vaultgraph/proposals.json").read_bytes()

    def test_private_and_changed_since(self, vault: Path):
        judged(vault, ("Plan", "Cache Layer"))
        edit(vault / "Cache Layer.md", "---\nprivate: true\n---\nSlow.\n")
        ran = propose(vault).ok()
        assert "Cache" not in ran.out + ran.err
        assert ran.json["skipped"] == []


class TestWithdrawnByALaterVerdict:
    def test_ours(self, vault: Path):
        before = notes_bytes(vault)
        judged(vault, ("Plan", "Cache Layer"))
        propose(vault).ok()
        judged(vault, ("Plan", "Cache Layer", 0.3))
        report = propose(vault).ok().json
        assert rows(report, "withdrawn") == [("Plan.md", "Cache Layer.md")]
        assert report["withdrawn"][0]["probability"] == 0.3
        assert notes_bytes(vault) == before
        assert propose(vault).json["withdrawn"] == []

    def test_into_the_middle(self, vault: Path):
        judged(vault, ("Plan", "Cache Layer"))
        propose(vault).ok()
        judged(vault, ("Plan", "Cache Layer", 0.5))
        assert rows(propose(vault).ok().json, "withdrawn") == [("Plan.md", "Cache Layer.md")]
        assert rows(propose(vault).ok().json, "middle") == [("Plan.md", "Cache Layer.md")]

    def test_not_what_a_person_put_there(self, tmp_path: Path):
        vault = make(tmp_path, Plan=f"---\n{PROPOSED}:\n{LINE}---\n")
        judged(vault, ("Plan", "Cache Layer", 0.2))
        before = notes_bytes(vault)
        report = propose(vault).ok().json
        assert (report["withdrawn"], report["written"]) == ([], None)
        assert notes_bytes(vault) == before

    def test_not_what_a_person_has_reviewed(self, vault: Path):
        judged(vault, ("Plan", "Cache Layer"))
        propose(vault).ok()
        edit(vault / "Plan.md", (vault / "Plan.md").read_text().replace(PROPOSED, ACCEPTED))
        judged(vault, ("Plan", "Cache Layer", 0.2))
        before = notes_bytes(vault)
        assert propose(vault).ok().json["withdrawn"] == []
        assert notes_bytes(vault) == before

    def test_whatever_its_owner_made_of_the_spelling(self, vault: Path):
        judged(vault, ("Plan", "Cache Layer"))
        propose(vault).ok()
        text = (vault / "Plan.md").read_text()
        edit(vault / "Plan.md", text.replace('"[[Cache Layer]]"', "'[[cache layer|c]]' # hm"))
        judged(vault, ("Plan", "Cache Layer", 0.2))
        propose(vault).ok()
        assert (vault / "Plan.md").read_text() == FILES["Plan.md"]


class TestWithdraw:
    def test_everything_of_ours_and_nothing_else(self, tmp_path: Path):
        theirs = f'---\n{PROPOSED}:\n  - "[[Budget]]"\n---\nUse it.\n'
        vault = make(tmp_path, Plan=theirs)
        before = notes_bytes(vault)
        judged(vault, ("Plan", "Cache Layer"), ("Budget", "Token Store"))
        propose(vault).ok()
        report = propose(vault, "--withdraw").ok().json
        assert rows(report, "withdrawn") == [
            ("Plan.md", "Cache Layer.md"),
            ("notes/Budget.md", "Token Store.md"),
        ]
        assert report["skipped"] == [
            {
                "dependent": "Plan.md",
                "basis": "notes/Budget.md",
                "probability": 0.0,
                "reason": "not proposed by us",
            }
        ]
        assert report["proposed"] == report["middle"] == []
        assert notes_bytes(vault) == before
        # A second time there is nothing left; and only asked for does it come back.
        assert propose(vault, "--withdraw").ok().json["withdrawn"] == []
        assert len(propose(vault).ok().json["proposed"]) == 2

    def test_reviewed_ones_stay(self, vault: Path):
        judged(vault, ("Plan", "Cache Layer"), ("Plan", "Token Store", 0.8))
        propose(vault).ok()
        text = (vault / "Plan.md").read_text()
        edit(
            vault / "Plan.md",
            text.replace(LINE, "").replace(HEAD[:-4], f"---\n{REJECTED}:\n{LINE}"),
        )
        propose(vault, "--withdraw").ok()
        assert (vault / "Plan.md").read_text() == (
            f"---\n{REJECTED}:\n{LINE}---\nUse the [[Cache Layer]].\n"
        )

    @pytest.mark.parametrize("block", ["", "---\n---\n"])
    @pytest.mark.parametrize("entries", [1, 2])
    def test_a_block_goes_only_if_we_made_it(self, tmp_path, block, entries):
        vault = make(tmp_path, Plan=f"{block}Use it.\n")
        before = notes_bytes(vault)
        for basis in ("Cache Layer", "Token Store")[:entries]:
            judged(vault, ("Plan", basis))
            propose(vault).ok()
        propose(vault, "--withdraw").ok()
        assert notes_bytes(vault) == before

    def test_a_block_made_anew_by_its_owner_stays(self, tmp_path: Path):
        vault = make(tmp_path, Plan="Use it.\n")
        judged(vault, ("Plan", "Cache Layer"))
        propose(vault).ok()
        run(vault, "undo", "--yes").ok()
        edit(vault / "Plan.md", "---\n---\nUse it.\n")
        propose(vault).ok()
        propose(vault, "--withdraw").ok()
        assert (vault / "Plan.md").read_text() == "---\n---\nUse it.\n"

    def test_after_the_withdrawal_was_undone(self, tmp_path: Path):
        vault = make(tmp_path, Plan="Use it.\n")
        judged(vault, ("Plan", "Cache Layer"))
        propose(vault).ok()
        proposed = notes_bytes(vault)
        propose(vault, "--withdraw").ok()
        run(vault, "undo", "--yes").ok()
        assert notes_bytes(vault) == proposed
        # Whoever takes a withdrawal back means the entry to stay, but not against a second one.
        judged(vault, ("Plan", "Cache Layer", 0.2))
        assert propose(vault).ok().json["withdrawn"] == []
        propose(vault, "--withdraw").ok()
        assert (vault / "Plan.md").read_text() == "Use it.\n"

    def test_what_another_device_proposed(self, vault: Path):
        before = notes_bytes(vault)
        judged(vault, ("Plan", "Cache Layer"))
        propose(vault).ok()
        (ledger,) = (vault / ".vaultgraph/ledger").iterdir()
        text = ledger.read_text().replace(ledger.stem, "0123456789ab")
        # A chain of its own device; what it hashes to does not matter here.
        (ledger.parent / "0123456789ab.jsonl").write_text(text)
        ledger.unlink()
        propose(vault, "--withdraw").ok()
        assert notes_bytes(vault) == before

    def test_private_notes_are_only_counted(self, vault: Path):
        judged(
            vault, ("Plan", "Cache Layer"), ("Budget", "Cache Layer"), ("Budget", "Token Store")
        )
        propose(vault).ok()
        text = (vault / "Plan.md").read_text()
        edit(vault / "Plan.md", text.replace("title:", "private: true\ntitle:"))
        private = (vault / "Plan.md").read_bytes()
        ran = propose(vault, "--withdraw").ok()
        assert ran.json["private"] == 1
        assert len(ran.json["withdrawn"]) == 2
        assert "Plan" not in ran.out + ran.err
        assert (vault / "Plan.md").read_bytes() == private

    def test_a_refused_note_is_listed(self, vault: Path):
        judged(vault, ("Plan", "Cache Layer"), ("Budget", "Cache Layer"))
        propose(vault).ok()
        text = (vault / "Plan.md").read_text()
        edit(vault / "Plan.md", text.replace(f"{PROPOSED}:", f"{PROPOSED}: # why"))
        report = propose(vault, "--withdraw").ok().json
        assert rows(report, "withdrawn") == [("notes/Budget.md", "Cache Layer.md")]
        (refused,) = report["refused"]
        assert (refused["path"], refused["line"], refused["code"]) == (
            "Plan.md",
            3,
            "comment-on-key-line",
        )


class TestLimitAndOnly:
    PAIRS = (
        ("Plan", "Cache Layer", 0.8),
        ("Budget", "Plan", 0.95),
        ("Token Store", "Plan", 0.9),
    )

    @pytest.mark.parametrize(("limit", "written"), [(0, 0), (1, 1), (2, 2), (3, 3), (9, 3)])
    def test_the_strongest(self, vault: Path, limit: int, written: int):
        judged(vault, *self.PAIRS)
        report = propose(vault, "--limit", str(limit)).ok().json
        strongest = [
            ("notes/Budget.md", "Plan.md"),
            ("Token Store.md", "Plan.md"),
            ("Plan.md", "Cache Layer.md"),
        ]
        assert rows(report, "proposed") == strongest[:written]
        assert report["held_back"] == 3 - written

    def test_run_after_run_until_all_are_there(self, vault: Path):
        judged(vault, *self.PAIRS)
        left = [propose(vault, "--limit", "1").ok().json["held_back"] for _ in range(4)]
        assert left == [2, 1, 0, 0]

    def test_refused_notes_do_not_stand_in_the_way(self, vault: Path):
        judged(vault, *self.PAIRS)
        edit(vault / "notes/Budget.md", "---\na: b: c\n---\nMoney.\n")
        report = propose(vault, "--limit", "1").ok().json
        assert rows(report, "proposed") == [("Token Store.md", "Plan.md")]
        assert [row["path"] for row in report["refused"]] == ["notes/Budget.md"]
        assert report["held_back"] == 1

    def test_withdrawals_need_no_limit(self, vault: Path):
        judged(vault, *self.PAIRS)
        propose(vault).ok()
        judged(vault, *((*pair[:2], 0.2) for pair in self.PAIRS))
        assert len(propose(vault, "--limit", "0").ok().json["withdrawn"]) == 3

    @pytest.mark.parametrize("name", ["Plan", "plan.md"])
    def test_only(self, vault: Path, name: str):
        judged(vault, *self.PAIRS)
        report = propose(vault, "--only", name).ok().json
        assert rows(report, "proposed") == [("Plan.md", "Cache Layer.md")]
        assert report["held_back"] == 0
        report = propose(vault, "--only", name, "--withdraw").ok().json
        assert rows(report, "withdrawn") == [("Plan.md", "Cache Layer.md")]

    def test_only_lists_only_what_is_about_it(self, vault: Path):
        judged(vault, ("Budget", "Token Store", 0.5), ("Plan", "Token Store", 0.6))
        report = propose(vault, "--only", "Plan").ok().json
        assert rows(report, "middle") == [("Plan.md", "Token Store.md")]

    def test_only_for_no_note(self, vault: Path):
        run(vault, "propose", "--only", "Nowhere").fails(3, "no note is called Nowhere")


class TestRefused:
    def test_named_with_line_and_reason_and_the_others_written(self, tmp_path: Path):
        vault = make(tmp_path, Broken="---\na: 1\nb: *x\n---\n")
        judged(vault, ("Broken", "Plan"), ("Budget", "Plan"))
        broken = (vault / "Broken.md").read_bytes()
        report = propose(vault).ok().json
        assert rows(report, "proposed") == [("notes/Budget.md", "Plan.md")]
        (refused,) = report["refused"]
        assert (refused["path"], refused["line"], refused["code"]) == ("Broken.md", 3, "bad-yaml")
        assert "correct that line" in refused["text"]
        assert (vault / "Broken.md").read_bytes() == broken

    def test_a_basis_that_no_link_can_name_keeps_only_itself_out(self, tmp_path: Path):
        vault = old_vault(tmp_path / "vault", {**FILES, "C# Notes.md": ""})
        judged(vault, ("Plan", "C# Notes", 0.99), ("Plan", "Cache Layer"), ("Budget", "C# Notes"))
        report = propose(vault).ok().json
        assert rows(report, "proposed") == [("Plan.md", "Cache Layer.md")]
        assert [(row["path"], row["code"]) for row in report["refused"]] == [
            ("Plan.md", "unlinkable-name"),
            ("notes/Budget.md", "unlinkable-name"),
        ]
        assert all("C# Notes" in row["text"] for row in report["refused"])
        assert "C#" not in (vault / "Plan.md").read_text()

    def test_a_read_only_note(self, vault: Path):
        judged(vault, ("Plan", "Cache Layer"), ("Budget", "Cache Layer"))
        (vault / "Plan.md").chmod(0o444)
        report = propose(vault).ok().json
        assert rows(report, "proposed") == [("notes/Budget.md", "Cache Layer.md")]
        assert report["refused"] == [
            {"path": "Plan.md", "line": 0, "code": "refused", "text": "read-only"}
        ]
        # It was announced in the ledger, and taken back there.
        kinds = [(e["event"], e["payload"].get("dependent")) for e in ledger_events(vault)]
        assert kinds[2:] == [
            ("proposed", "Plan.md"),
            ("proposed", "notes/Budget.md"),
            ("unwritten", "Plan.md"),
        ]

    def test_a_note_that_somebody_is_typing_in(self, vault: Path, monkeypatch):
        from vaultgraph.effects import write_run

        monkeypatch.setattr(write_run, "PATIENCE_SECONDS", 0.0)
        judged(vault, ("Plan", "Cache Layer"), ("Budget", "Cache Layer"))
        os.utime(vault / "Plan.md")
        report = propose(vault).ok().json
        assert rows(report, "proposed") == [("notes/Budget.md", "Cache Layer.md")]
        assert [row["code"] for row in report["refused"]] == ["busy"]


class Meddler:
    """A vault in which somebody edits when a note is read for the last time before planning."""

    def __init__(self, vault: Any, note: str, edit: Callable[[], None]) -> None:
        self._vault, self._note, self._edit = vault, note, edit

    def __getattr__(self, name: str) -> Any:
        return getattr(self._vault, name)

    def read_bytes(self, file: VaultFile) -> bytes:
        if file.path == self._note:
            self._edit()
        data: bytes = self._vault.read_bytes(file)
        return data


class TestChangedMeanwhile:
    def test_between_the_survey_and_the_plan(self, vault: Path):
        """Its owner has just rejected what is about to be proposed."""
        judged(vault, ("Plan", "Cache Layer"), ("Budget", "Cache Layer"))
        rejected = f'---\n{REJECTED}: "[[Cache Layer]]"\n---\nUse the [[Cache Layer]].\n'
        context = writing_context(vault)
        meddler = Meddler(
            context.reading.vault, "Plan.md", lambda: edit(vault / "Plan.md", rejected)
        )
        context = replace(context, reading=replace(context.reading, vault=meddler))
        plan = plan_proposals(context, ProposeOptions())
        assert plan.has_conflict
        assert [(problem.path, problem.code) for problem in plan.refused] == [
            ("Plan.md", "conflict")
        ]
        assert [row.dependent for row in plan.proposed] == ["notes/Budget.md"]
        carry_out(context, plan, "propose")
        assert (vault / "Plan.md").read_text() == rejected

    def test_between_the_plan_and_the_write(self, vault: Path):
        judged(vault, ("Plan", "Cache Layer"), ("Budget", "Cache Layer"))
        context = writing_context(vault)
        plan = plan_proposals(context, ProposeOptions())
        edit(vault / "Plan.md", "Mine.\n")
        report = carry_out(context, plan, "propose")
        assert [(o.note, o.kind) for o in report.outcomes] == [
            ("Plan.md", "conflict"),
            ("notes/Budget.md", "written"),
        ]
        assert (vault / "Plan.md").read_text() == "Mine.\n"
        assert ledger_events(vault)[-1]["event"] == "unwritten"

    def test_deleted(self, vault: Path):
        judged(vault, ("Plan", "Cache Layer"))
        context = writing_context(vault)
        plan = plan_proposals(context, ProposeOptions())
        (vault / "Plan.md").unlink()
        report = carry_out(context, plan, "propose")
        assert [(o.kind, o.reason) for o in report.outcomes] == [("conflict", "no longer there")]
        assert not (vault / "Plan.md").exists()


class TestLedger:
    def test_claimed_before_the_first_note_is_touched(self, vault: Path, monkeypatch):
        from vaultgraph.effects.writer import NoteWriter

        judged(vault, ("Plan", "Cache Layer"))
        context = writing_context(vault)
        plan = plan_proposals(context, ProposeOptions())
        before = notes_bytes(vault)

        def die(*_: Any, **__: Any) -> None:
            assert ledger_events(vault)[-1]["event"] == "proposed"
            assert notes_bytes(vault) == before
            raise KeyboardInterrupt

        monkeypatch.setattr(NoteWriter, "write", die)
        with pytest.raises(KeyboardInterrupt):
            carry_out(context, plan, "propose")

    def test_a_ledger_that_cannot_be_kept_means_no_note_is_written(self, vault: Path):
        judged(vault, ("Plan", "Cache Layer"))
        context = writing_context(vault)
        plan = plan_proposals(context, ProposeOptions())
        before = notes_bytes(vault)
        shutil.rmtree(vault / ".vaultgraph")
        write_file(vault / ".vaultgraph/ledger", "in the way")
        from vaultgraph.errors import InputError

        with pytest.raises(InputError, match=r"^the ledger cannot be written"):
            carry_out(context, plan, "propose")
        assert notes_bytes(vault) == before

    def test_a_vault_that_is_locked(self, vault: Path):
        from vaultgraph.effects.lock import VaultLockedError, vault_lock

        judged(vault, ("Plan", "Cache Layer"))
        context = writing_context(vault)
        plan = plan_proposals(context, ProposeOptions())
        before = notes_bytes(vault)
        folders = context.writer.folders  # type: ignore[attr-defined]
        folders.make_state()
        with vault_lock(folders.lock), pytest.raises(VaultLockedError):
            carry_out(context, plan, "propose")
        assert notes_bytes(vault) == before
        assert [event["event"] for event in ledger_events(vault)][1:] == ["proposed", "unwritten"]
        propose(vault).ok()

    def test_what_is_remembered(self, vault: Path):
        judged(vault, ("Plan", "Cache Layer", 0.8), ("Cache Layer", "Token Store"))
        propose(vault).ok()
        judged(vault, ("Plan", "Cache Layer", 0.2))
        propose(vault).ok()
        events = [event for event in ledger_events(vault) if event["event"] != "verdict"]
        row = {"dependent": "Plan.md", "basis": "Cache Layer.md", "judge": "imported", "model": ""}
        other = {**row, "dependent": "Cache Layer.md", "basis": "Token Store.md"}
        assert [(event["event"], event["payload"]) for event in events] == [
            ("proposed", {**other, "probability": 0.9, "created_block": True}),
            ("proposed", {**row, "probability": 0.8, "created_block": False}),
            ("withdrawn", {**row, "probability": 0.2, "run": "2"}),
        ]
        text = (next((vault / ".vaultgraph/ledger").iterdir())).read_text()
        assert "Use the" not in text
        run(vault, "ledger", "verify").ok()


def test_the_judge_never_writes_a_dependency(vault: Path):
    names = ("Plan", "Cache Layer", "Token Store", "Budget")
    judged(vault, *((a, b) for a in names for b in names if a < b))
    propose(vault).ok()
    for path, data in notes_bytes(vault).items():
        keys = {line.split(":")[0] for line in data.decode().splitlines() if ":" in line}
        assert keys <= {"title", PROPOSED}, path


def test_an_nfd_file_name(tmp_path: Path):
    vault = old_vault(tmp_path / "vault", {**FILES, "Cafe\u0301 Re\u0301sume\u0301.md": "x\n"})
    judged(vault, ("Caf\u00e9 R\u00e9sum\u00e9", "Plan"))
    judged(vault, ("Budget", "Caf\u00e9 R\u00e9sum\u00e9"))
    assert propose(vault).ok().json["written"] == 2
    text = (vault / "Cafe\u0301 Re\u0301sume\u0301.md").read_text("utf-8")
    assert text == f'---\n{PROPOSED}:\n  - "[[Plan]]"\n---\nx\n'
    assert '"[[Caf\u00e9 R\u00e9sum\u00e9]]"' in (vault / "notes/Budget.md").read_text("utf-8")
    assert propose(vault).ok().json["written"] is None


def test_json_is_one_object(vault: Path):
    judged(vault, ("Plan", "Cache Layer"))
    ran = propose(vault).ok()
    assert ran.out.count("\n") == 1
    assert json.loads(ran.out)
    age(vault)
