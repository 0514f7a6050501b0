"""The hook that others run before a commit: what it says of itself, and what its command does."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

import yaml

from tests.kit.cli import run_program
from tests.kit.vaults import REPOSITORY
from tests.kit.writing import old_vault

if TYPE_CHECKING:
    from pathlib import Path

HOOKS: list[dict[str, Any]] = yaml.safe_load(
    (REPOSITORY / ".pre-commit-hooks.yaml").read_text("utf-8")
)
(HOOK,) = HOOKS


def run_hook(folder: Path):
    """Run the hook's command as pre-commit does: in a folder, with nothing else to go by."""
    program, *arguments = shlex.split(HOOK["entry"])
    assert program == "vaultgraph"
    return run_program(None, *arguments, cwd=folder).calm()


def test_it_looks_at_the_whole_vault_when_a_note_is_committed():
    assert (HOOK["language"], HOOK["types"], HOOK["pass_filenames"]) == (
        "python", ["markdown"], False,
    )  # fmt: skip


def test_it_fails_on_the_sample_vault(sample_vault: Path):
    ran = run_hook(sample_vault / "Move")
    assert ran.code == 1
    assert "Money/Budget 2026.md" in ran.out


def test_it_passes_where_nothing_is_stale(tmp_path: Path):
    vault = old_vault(tmp_path / "vault", {"A.md": "[[B]]", "B.md": "---\nstatus: done\n---\n"})
    (vault / ".obsidian").mkdir()
    assert run_hook(vault).code == 0


def test_where_there_is_no_vault_it_says_what_to_do(tmp_path: Path):
    run_hook(tmp_path).fails(3, "no vault here", "--vault DIR")
