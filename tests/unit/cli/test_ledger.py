"""``ledger verify``: whole chains, broken ones, and torn last lines."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.kit.cli import run
from tests.kit.vaults import tree
from tests.kit.writing import judged, old_vault, propose

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    vault = old_vault(tmp_path / "vault", {"Plan.md": "", "Cache.md": ""})
    judged(vault, ("Plan", "Cache"))
    propose(vault).ok()
    return vault


def ledger(vault: Path) -> Path:
    (path,) = (vault / ".vaultgraph/ledger").iterdir()
    return path


def test_none(tmp_path: Path):
    ran = run(old_vault(tmp_path / "vault", {"A.md": ""}), "ledger", "verify").ok()
    assert ran.out == "0 events, every chain whole\n"


def test_whole(vault: Path):
    before = tree(vault)
    ran = run(vault, "ledger", "verify").ok()
    assert re.fullmatch(r"[0-9a-f]{12}  2 events\n2 events, every chain whole\n", ran.out)
    assert ran.err == ""
    assert tree(vault) == before


def test_as_json(vault: Path):
    document = run(vault, "ledger", "verify", "--json").ok().json
    assert document == {"devices": {ledger(vault).stem: 2}, "events": 2, "problems": []}


def test_an_edited_line(vault: Path):
    path = ledger(vault)
    path.write_text(path.read_text().replace('"first_depends":0.1', '"first_depends":0.9', 1))
    ran = run(vault, "ledger", "verify").calm()
    assert ran.code == 1
    assert ran.err == (
        f"problem  .vaultgraph/ledger/{path.name}:1: line 2 was written after another line than"
        " this; one was edited or removed\n"
    )
    document = run(vault, "ledger", "verify", "--json").json
    assert [(row["line"], row["code"]) for row in document["problems"]] == [(1, "ledger-chain")]


def test_a_removed_line(vault: Path):
    path = ledger(vault)
    path.write_text("".join(path.read_text().splitlines(keepends=True)[1:]))
    ran = run(vault, "ledger", "verify").calm()
    assert (ran.code, "lines before this one were removed" in ran.err) == (1, True)


def test_a_torn_last_line_is_told_and_mended_by_the_next_event(vault: Path):
    path = ledger(vault)
    path.write_bytes(path.read_bytes() + b'{"at":"2026-')
    ran = run(vault, "ledger", "verify").calm()
    assert (ran.code, "a crash cut this line off; it is ignored" in ran.err) == (1, True)
    # Nothing else minds.
    assert propose(vault).ok().json["skipped"][0]["reason"] == "proposed already"
    judged(vault, ("Plan", "Cache", 0.8))
    run(vault, "ledger", "verify").ok()
