"""The finished audit in the sample vault: whole, redrawn by a shell, labelled by the truth."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.kit.cli import run
from tests.kit.vaults import REPOSITORY, SAMPLE_VAULT

AUDIT = SAMPLE_VAULT / ".vaultgraph" / "audits" / "missed-pairs"


def test_it_is_whole():
    found = run(None, "audit", "verify", AUDIT, "--json").ok().json
    assert found["whole"]
    assert [head["where"] for head in found["compared"]] == ["report.md"]


@pytest.mark.skipif(sys.platform == "win32", reason="a POSIX shell")
def test_the_shell_redoes_its_draw():
    script = REPOSITORY / "scripts" / "verify_audit.sh"
    ran = subprocess.run([script, AUDIT], capture_output=True, text=True, check=False)
    assert ran.stdout == "60 units: the draw is the one that the seed gives\n"


def test_its_labels_are_those_of_the_truth():
    truth = json.loads((REPOSITORY / "samples" / "truth.json").read_text("utf-8"))
    depends = {frozenset((d["dependent"], d["basis"])) for d in truth["dependencies"]}
    pairs = {frozenset(pair) for pair in truth["pairs"]}
    lines = (AUDIT / "ledger.jsonl").read_text("utf-8").splitlines()
    given = [entry["payload"] for entry in map(json.loads, lines) if entry["event"] == "labelled"]
    assert len({payload["unit"] for payload in given}) == 60
    for payload in given:
        unit = frozenset(payload["unit"].split("\n"))
        assert unit not in pairs
        assert payload["label"] == ("depends" if unit in depends else "does-not")
