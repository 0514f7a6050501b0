"""Vaults that are written to: notes old enough, verdicts given, and what the ledger remembers."""

from __future__ import annotations

import json
import os
import time
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from tests.kit.cli import Ran, run
from tests.kit.vaults import file_bytes, write_file, write_vault
from vaultgraph.cli.wiring import GlobalOptions, writing_context_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from vaultgraph.flows.writing import WritingContext

PROPOSED, ACCEPTED, REJECTED = "depends-on-proposed", "depends-on", "depends-on-rejected"


def age(vault: Path, seconds: float = 3600) -> None:
    """Make every note look untouched for that long, so that no write waits for it."""
    then = time.time() - seconds
    for path in vault.rglob("*.md"):
        if path.is_file() and not path.is_symlink():
            os.utime(path, (then, then))


def old_vault(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """Make a vault of these files, all of them old."""
    vault = write_vault(root, files)
    age(vault)
    return vault


def edit(path: Path, content: str | bytes, *, age_of: float = 3600) -> None:
    """Edit a note as its owner would, some time ago."""
    write_file(path, content)
    then = time.time() - age_of
    os.utime(path, (then, then))


def verdict(first: str, second: str, first_depends: float, second_depends: float = 0.1) -> dict:
    return {
        "first": first,
        "second": second,
        "first_depends": first_depends,
        "second_depends": second_depends,
    }


def import_lines(vault: Path, *lines: str | dict[str, Any], as_json: bool = True) -> Ran:
    """Run ``judge --import`` with these lines."""
    path = vault.parent / "verdicts.jsonl"
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("".join(f"{text}\n" for text in texts), "utf-8")
    return run(vault, "judge", "--import", path, *(["--json"] if as_json else []))


def judged(vault: Path, *pairs: tuple[str, str] | tuple[str, str, float]) -> None:
    """Let the ledger hold that each first note depends on its second one."""
    lines = [verdict(pair[0], pair[1], pair[2] if len(pair) > 2 else 0.9) for pair in pairs]
    taken = import_lines(vault, *lines).ok().json
    assert taken["refused"] == []


def propose(vault: Path, *arguments: str) -> Ran:
    """Run ``propose --yes --json`` with further arguments."""
    return run(vault, "propose", "--yes", "--json", *arguments)


def writing_context(vault: Path) -> WritingContext:
    """Return what the program's own wiring makes for a writing command."""
    return writing_context_of(SimpleNamespace(obj=GlobalOptions(vault)), cache=False)


def notes_bytes(vault: Path) -> dict[str, bytes]:
    """Return the bytes of everything in a vault that is not ours."""
    found = file_bytes(vault)
    return {path: data for path, data in found.items() if not path.startswith(".vaultgraph/")}


def ledger_events(vault: Path) -> list[dict[str, Any]]:
    """Return the events of all devices, file by file."""
    return [
        json.loads(line)
        for path in sorted((vault / ".vaultgraph" / "ledger").glob("*.jsonl"))
        for line in path.read_text("utf-8").splitlines()
    ]


def open_proposals(vault: Path) -> dict[str, Any]:
    """Return what ``proposals.json`` holds."""
    document: dict[str, Any] = json.loads((vault / ".vaultgraph" / "proposals.json").read_bytes())
    return document
