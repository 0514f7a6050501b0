"""What a person sees on a terminal of 80 columns, command by command and error by error.

Each transcript in ``transcripts/`` is the whole of it, with the vault's folder written as VAULT.
To write them again after a change that is meant, and look at the difference as a diff:
``VAULTGRAPH_REFRESH=1 pytest tests/golden/test_transcripts.py``.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING
from unicodedata import east_asian_width

import pytest

from tests.kit.cli import run_in_terminal
from tests.kit.vaults import SAMPLE_VAULT, copy_vault, tree, write_file

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.skipif(os.name == "nt", reason="there are no such terminals there")

STYLE = re.compile(r"\x1b\[[0-9;]*m")
TRANSCRIPTS = Path(__file__).with_name("transcripts")

#: The name of a transcript, and the command that it is of.
COMMANDS: dict[str, tuple[str, ...]] = {
    "scan": ("scan",),
    "stale": ("stale",),
    "stale-all": ("stale", "--all"),
    "stale-check": ("stale", "--check"),
    "show": ("show", "Budget 2026"),
    "show-closed": ("show", "Relocation Plan", "--depth", "2"),
    "origin": ("origin", "Lisbon"),
    "origin-none": ("origin", "Atlantis"),
    "resolve-dry": (
        *("resolve", "Master Résumé", "--to", "Rewritten", "--on", "2026-03-01", "--dry-run"),
    ),
    "doctor": ("doctor",),
    "init": ("init",),
    "init-print": ("init", "--print"),
    "why-pair": ("why", "Move/Apartment Checklist", "relocation plan"),
    "why-mention": ("why", "Reading List", "Relocation Plan"),
    "why-none": ("why", "Furniture to Sell", "Relocation Plan"),
    "why-record": ("why", "2026-03-02", "Apartment Checklist"),
    "audit-list": ("audit", "list"),
    "audit-plan": (
        "audit",
        "plan",
        "ideas",
        "--kind",
        "filter",
        "--width",
        "0.1",
        "--seed",
        "2026",
        "--rule",
        "share(depends) < 0.05",
        "--prediction",
        "Nearly nothing is missed.",
    ),
    "audit-draw": ("audit", "draw", "missed-pairs"),
    "audit-report": ("audit", "report", "missed-pairs"),
    "audit-verify": ("audit", "verify", "missed-pairs"),
    "help-audit": ("audit", "--help"),
    "help-audit-plan": ("audit", "plan", "--help"),
    "help-scan": ("scan", "--help"),
    "help-stale": ("stale", "--help"),
    "help-why": ("why", "--help"),
    "help-show": ("show", "--help"),
    "help-origin": ("origin", "--help"),
    "help-resolve": ("resolve", "--help"),
    "help-ack": ("ack", "--help"),
    "help-doctor": ("doctor", "--help"),
    "help-init": ("init", "--help"),
    "error-no-such-audit": ("audit", "report", "missed"),
    "error-no-such-note": ("why", "Relocation Plam", "Home"),
    "error-ambiguous-note": ("why", "Shortlist", "Home"),
    "error-no-ending": ("resolve", "Home"),
    "error-no-table": ("doctor", "--compare", "VAULT/Home.md"),
    "usage-unknown-option": ("scan", "--unknown"),
    "usage-missing-argument": ("why", "Home"),
}


@pytest.fixture
def vault() -> Iterator[Path]:
    """Return a copy of the sample vault at a short path, so that no line breaks because of it."""
    folder = Path(os.path.realpath(tempfile.mkdtemp(prefix="v")))
    yield copy_vault(SAMPLE_VAULT, folder / "v")
    shutil.rmtree(folder)


def transcript(vault: Path, command: tuple[str, ...], *, given: Path | None = None) -> str:
    before = tree(vault) if vault.is_dir() else {}
    arguments = [argument.replace("VAULT", os.fspath(vault)) for argument in command]
    ran = run_in_terminal(given or vault, *arguments, columns=80, env={"NO_COLOR": "1"})
    lines = [line.rstrip() for line in STYLE.sub("", ran.calm().out).split("\n")]
    shown = "\n".join(lines).replace("python -m vaultgraph", "vaultgraph")
    for folder in (given or vault, vault):
        shown = shown.replace(os.fspath(folder), "VAULT")
    after = tree(vault) if vault.is_dir() else {}
    changed = sorted(path for path in {*before, *after} if before.get(path) != after.get(path))
    told = "".join(f"[changed: {path}]\n" for path in changed)
    return f"$ vaultgraph --vault VAULT {' '.join(command)}\n{shown}[exit {ran.code}]\n{told}"


def _width(line: str) -> int:
    """Return how many columns a line takes: East Asian letters take two."""
    return sum(2 if east_asian_width(character) in "WF" else 1 for character in line)


def check(name: str, shown: str) -> None:
    path = TRANSCRIPTS / f"{name}.txt"
    for line in shown.split("\n"):
        # The configuration that init writes has lines of its own length.
        assert _width(line) <= 80 or line.startswith(("$", "#")), line
    if os.environ.get("VAULTGRAPH_REFRESH"):
        write_file(path, shown)
    assert path.is_file(), "no such transcript yet; see how to write it at the top of this file"
    assert shown == path.read_text("utf-8")


@pytest.mark.parametrize("name", COMMANDS)
def test_transcript(vault: Path, name: str):
    if name == "init":
        (vault / ".vaultgraph" / "config.toml").unlink()
    check(name, transcript(vault, COMMANDS[name]))


def test_a_configuration_that_exists(vault: Path):
    check("error-init-exists", transcript(vault, ("init",)))


def test_a_configuration_with_a_fault(vault: Path):
    write_file(vault / ".vaultgraph" / "config.toml", "[scope]\n\nprivat = []\n")
    check("error-config", transcript(vault, ("scan",)))


def test_an_audit_that_was_tampered_with(vault: Path):
    file = vault / ".vaultgraph" / "audits" / "missed-pairs" / "registration.toml"
    write_file(file, file.read_text("utf-8").replace("size = 60", "size = 50"))
    check("error-audit-tampered", transcript(vault, ("audit", "report", "missed-pairs")))
    check("audit-verify-tampered", transcript(vault, ("audit", "verify", "missed-pairs")))


def test_a_vault_that_is_none(vault: Path):
    check("error-no-vault", transcript(vault, ("scan",), given=vault / "none"))
    check("error-vault-is-a-file", transcript(vault, ("scan",), given=vault / "Home.md"))


def test_an_empty_vault(vault: Path):
    empty = vault.parent / "e"
    empty.mkdir()
    for name in ("scan", "stale", "doctor"):
        check(f"empty-{name}", transcript(empty, (name,)))


def test_every_transcript_is_of_a_test():
    tested = {
        *COMMANDS, "error-audit-tampered", "audit-verify-tampered",
        "error-init-exists", "error-config", "error-no-vault", "error-vault-is-a-file",
        "empty-scan", "empty-stale", "empty-doctor",
    }  # fmt: skip
    assert {path.stem for path in TRANSCRIPTS.glob("*.txt")} == tested
