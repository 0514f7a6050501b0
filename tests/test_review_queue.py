"""500 proposals over 300 notes, reviewed in Obsidian's way and in a terminal: the same bytes."""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from tests.kit.cli import run
from tests.kit.queues import (
    BY_HAND,
    NOTES,
    PROPOSED_BY_US,
    Queue,
    make_queue_vault,
    walk_in_node,
    walk_in_terminal,
)
from tests.kit.vaults import copy_vault
from tests.kit.writing import notes_bytes

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are POSIX")


def fates(vault: Path) -> dict[str, int]:
    status = run(vault, "review", "--status", "--json").ok().json
    return {k: status[k] for k in ("proposed", "accepted", "rejected", "waiting", "vanished")}


def test_both_sides_end_alike_however_often_they_are_killed(tmp_path: Path):
    queue = make_queue_vault(tmp_path / "start")
    assert (PROPOSED_BY_US + BY_HAND, NOTES) == (500, 300) == (len(queue.answers), 300)
    final = Counter(steps[-1] for n, steps in queue.answers.items() if n[:4] == "Note")
    expected = {
        "proposed": 500,
        "accepted": final["a"],
        "rejected": final["r"],
        "waiting": final["s"] + BY_HAND,
        "vanished": 0,
    }
    before = notes_bytes(queue.vault)

    def copy(name: str) -> Queue:
        return Queue(copy_vault(queue.vault, tmp_path / name), queue.answers)

    plan = tmp_path / "plan.json"
    in_node = copy("node")
    told = walk_in_node(in_node, plan)
    assert sum("(comment-on-key-line)" in text for text in told) == BY_HAND
    after = notes_bytes(in_node.vault)
    assert fates(in_node.vault) == expected
    assert after.keys() == before.keys()
    untouched = {name for name in after if name.startswith(("Old", "Home", "Unsafe"))}
    assert {name for name in after if after[name] == before[name]} > untouched

    in_terminal = copy("terminal")
    walk_in_terminal(in_terminal)
    assert notes_bytes(in_terminal.vault) == after
    assert fates(in_terminal.vault) == expected

    killed_in_node = copy("node-killed")
    for dies_after, at in ((160, "question"), (120, "log")):
        walk_in_node(killed_in_node, plan, dies_after=dies_after, at=at)
        assert notes_bytes(killed_in_node.vault) != after
    walk_in_node(killed_in_node, plan)
    assert notes_bytes(killed_in_node.vault) == after
    assert fates(killed_in_node.vault) == expected

    killed_in_terminal = copy("terminal-killed")
    for dies_after, waits in ((160, True), (120, False)):
        walk_in_terminal(killed_in_terminal, dies_after=dies_after, waits=waits)
        assert notes_bytes(killed_in_terminal.vault) != after
    walk_in_terminal(killed_in_terminal)
    assert notes_bytes(killed_in_terminal.vault) == after
    assert fates(killed_in_terminal.vault) == expected
