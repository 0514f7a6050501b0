"""Audits through the real commands: their folders, what was drawn, and labels to give."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING, Any

from tests.kit.cli import run
from tests.kit.vaults import REPOSITORY

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path


def audit(vault: Path, *arguments: str | Path) -> Any:
    return run(vault, "audit", *arguments)


def folder_of(vault: Path, name: str = "plans") -> Path:
    return vault / ".vaultgraph" / "audits" / name


def drawn_units(vault: Path, name: str = "plans") -> list[str]:
    for line in (folder_of(vault, name) / "ledger.jsonl").read_text("utf-8").splitlines():
        entry = json.loads(line)
        if entry["event"] == "drawn":
            return [unit for stratum in entry["payload"]["strata"] for unit in stratum["units"]]
    raise AssertionError("nothing drawn")


def give_labels(
    vault: Path, labels: Sequence[str], who: str = "owner", name: str = "plans"
) -> Any:
    rows = zip(drawn_units(vault, name), labels, strict=False)
    file = vault.parent / f"labels-{who}.jsonl"
    lines = (json.dumps({"unit": unit, "label": label}) for unit, label in rows)
    file.write_text("\n".join(lines), "utf-8")
    return audit(vault, "merge", name, file, "--as", who)


def redo(folder: Path) -> subprocess.CompletedProcess[str]:
    script = REPOSITORY / "scripts" / "verify_audit.sh"
    return subprocess.run([script, folder], capture_output=True, text=True, check=False)


def give_truth(
    vault: Path, label: Callable[[str], str], who: str = "owner", name: str = "plans"
) -> Any:
    """Label every unit drawn by what ``label`` says of it."""
    return give_labels(vault, [label(unit) for unit in drawn_units(vault, name)], who, name)


def start(vault: Path, name: str, *plan: str) -> None:
    """Plan an audit, lock it and draw it."""
    audit(vault, "plan", name, *plan).ok()
    for step in ("lock", "draw"):
        audit(vault, step, name).ok()
