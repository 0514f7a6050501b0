"""``judge --import`` as a person sees it."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.kit.cli import run
from tests.kit.writing import import_lines, old_vault, verdict

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return old_vault(tmp_path / "vault", {"Plan.md": "", "Cache.md": "", "Token.md": ""})


def test_what_was_taken_over(vault: Path):
    ran = import_lines(vault, verdict("Plan", "Cache", 0.9), as_json=False).ok()
    assert (ran.out, ran.err) == ("1 verdict taken over, 0 known already\n", "")
    lines = (verdict("Plan", "Cache", 0.9), verdict("Token", "Cache", 0.9), "{", {"first": "Plan"})
    ran = import_lines(vault, *lines, as_json=False).ok()
    assert ran.out == "1 verdict taken over, 1 known already\n"
    assert ran.err == (
        "2 lines not taken over\n"
        "  line 3: not JSON\n"
        "  line 4: needs first and second, or dependent and basis, as text\n"
    )


def test_many_refused_lines_are_not_all_shown(vault: Path):
    ran = import_lines(vault, *["nonsense"] * 25, as_json=False).ok()
    assert "  line 20: not JSON\n  … 5 more: --json lists all\n" in ran.err
    assert len(import_lines(vault, *["nonsense"] * 25).json["refused"]) == 25


def test_a_name_cannot_steer_the_terminal(vault: Path):
    ran = import_lines(vault, verdict("\x1b[2J\u202e", "Plan", 0.9), as_json=False).ok()
    assert "no note is called \\x1b[2J\\u202e" in ran.err
    assert "\x1b" not in ran.err


def test_from_standard_input(vault: Path):
    ran = subprocess.run(
        [sys.executable, "-m", "vaultgraph", "--vault", vault, "judge", "--import", "-"],
        input=json.dumps(verdict("Plan", "Cache", 0.9)).encode(),
        capture_output=True,
        check=True,
    )
    assert ran.stdout == b"1 verdict taken over, 0 known already\n"


def test_no_such_file(vault: Path, tmp_path: Path):
    run(vault, "judge", "--import", tmp_path / "none").fails(3, "the verdicts cannot be read")
    run(vault, "judge", "--import", tmp_path).fails(3, "the verdicts cannot be read")
