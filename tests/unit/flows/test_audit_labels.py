"""Labels of all audits, read for calibration."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import TYPE_CHECKING

from tests.kit.cli import run
from tests.kit.vaults import write_vault
from vaultgraph.audit.units import pair_unit
from vaultgraph.cli.audit_parts import audits_of
from vaultgraph.cli.wiring import GlobalOptions
from vaultgraph.domain.notes import NoteId
from vaultgraph.flows.audit_labels import labelled_samples

if TYPE_CHECKING:
    from pathlib import Path


def test_labels_keep_their_direction_and_a_broken_audit_counts_for_nothing(tmp_path: Path):
    vault = write_vault(
        tmp_path / "vault",
        {
            "A.md": "True.\n",
            "B.md": '---\ndepends-on:\n  - "[[A]]"\n---\n[[A]]\n',
            "C.md": "Nothing.\n",
        },
    )
    plans = {"right": ("precision", "1"), "missed": ("filter", "2")}
    for name, (kind, size) in plans.items():
        run(vault, "audit", "plan", name, "--kind", kind, "--size", size).ok()
        run(vault, "audit", "lock", name).ok()
        run(vault, "audit", "draw", name).ok()
    rows = {
        "right": [("B.md", "A.md", "depends")],
        "missed": [("A.md", "C.md", "does-not"), ("B.md", "C.md", "unsure")],
    }
    for name, labels in rows.items():
        file = tmp_path / f"{name}.jsonl"
        lines = [json.dumps({"unit": [one, two], "label": said}) for one, two, said in labels]
        file.write_text("\n".join(lines))
        run(vault, "audit", "merge", name, file, "--as", "owner").ok()
    audits = audits_of(SimpleNamespace(obj=GlobalOptions(vault)))
    a, b, c = NoteId("A.md"), NoteId("B.md"), NoteId("C.md")
    missed, right = labelled_samples(audits)
    assert (right.audit, right.is_directed, right.is_of_decisions) == ("right", True, True)
    assert right.labels == {pair_unit(b, a): True}
    assert right.strata == {"accepted": (pair_unit(b, a),)}
    assert (missed.audit, missed.is_directed, missed.is_of_decisions) == ("missed", False, False)
    assert missed.labels == {pair_unit(a, c): False}
    registration = vault / ".vaultgraph" / "audits" / "missed" / "registration.toml"
    registration.write_text(registration.read_text().replace("size = 2", "size = 1"))
    assert [sample.audit for sample in labelled_samples(audits)] == ["right"]
    run(vault, "audit", "abandon", "right", "--why", "no time").ok()
    assert labelled_samples(audits) == []
