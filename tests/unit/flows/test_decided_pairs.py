"""What a person decided about is asked of no judge again, whatever became of its notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.kit.cli import run
from tests.kit.judge_server import judge_server, nouls
from tests.kit.judging import BRIDGE, FILES, LAUNCH, PAIRS, STEEL
from tests.kit.writing import edit, ledger_events, old_vault, propose

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.kit.cli import Ran
    from tests.kit.judge_server import JudgeServer

#: Launch depends on bridge, bridge and launch on steel.
ANSWERS = (nouls(0.1, 0.9), nouls(0.9, 0.1), nouls(0.9, 0.1))


@pytest.fixture
def server() -> Iterator[JudgeServer]:
    with judge_server(*ANSWERS) as running:
        yield running


@pytest.fixture
def vault(tmp_path: Path, server: JudgeServer) -> Path:
    """Return a vault of three proposals: one accepted, one rejected by hand, one that waits."""
    vault = old_vault(tmp_path / "vault", FILES)
    judge(vault, server).ok()
    assert len(propose(vault).ok().json["proposed"]) == 3
    run(vault, "review", "--accept", LAUNCH, BRIDGE).ok()
    text = (vault / BRIDGE).read_text("utf-8")
    edit(vault / BRIDGE, text.replace("depends-on-proposed", "depends-on-rejected"))
    return vault


def judge(vault: Path, server: JudgeServer, *arguments: str, model: str = "jev-test") -> Ran:
    given = ("--judge", "systemone", "--base-url", server.url, "--model", model)
    return run(vault, "judge", *given, "--concurrency", "1", *arguments)


def change_all(vault: Path) -> None:
    """Let no verdict hold any more."""
    for name in (BRIDGE, LAUNCH, STEEL):
        edit(vault / name, (vault / name).read_text("utf-8") + "Changed since.\n")


def judged_pairs(vault: Path) -> list[tuple[str, str]]:
    rows = [row["payload"] for row in ledger_events(vault) if row["event"] == "verdict"]
    return [(row["first"], row["second"]) for row in rows]


def test_a_changed_note_is_asked_about_only_where_nobody_decided(vault, server):
    change_all(vault)
    ran = judge(vault, server).ok()
    assert ran.err.startswith("1 pair to ask, 0 have verdicts; jev-test at ")
    assert "\n2 pairs already decided\n" in ran.err
    assert judged_pairs(vault) == [*PAIRS, (LAUNCH, STEEL)]
    assert len(server.heard) == 4


def test_nor_does_another_model_ask(vault, server):
    document = judge(vault, server, "--json", model="jev-other").ok().json
    assert (document["asked"], document["cached"], document["decided"]) == (1, 0, 2)
    assert [(v["first"], v["second"]) for v in document["verdicts"]] == [(LAUNCH, STEEL)]


def test_only_and_dry_run_count_the_decided(vault, server):
    change_all(vault)
    given = ("--only", BRIDGE, "--dry-run", "--json")
    document = judge(vault, server, *given).ok().json
    assert (document["pairs"], document["cached"], document["decided"]) == (0, 0, 2)
    assert len(server.heard) == 3


def test_propose_does_not_ask_for_a_verdict_nobody_will_give(vault):
    change_all(vault)
    skipped = propose(vault).ok().json["skipped"]
    assert [(row["first"], row["second"]) for row in skipped] == [(LAUNCH, STEEL)]


def test_reset_makes_the_pair_askable_again(vault, server):
    change_all(vault)
    run(vault, "review", "--reset", BRIDGE, STEEL).ok()
    ran = judge(vault, server).ok()
    assert "\n1 pair already decided\n" in ran.err
    assert judged_pairs(vault) == [*PAIRS, (BRIDGE, STEEL), (LAUNCH, STEEL)]
    again = propose(vault).ok().json["proposed"]
    assert [(row["dependent"], row["basis"]) for row in again] == [(BRIDGE, STEEL)]


def test_the_embedded_judge_leaves_them_out_too(vault):
    document = run(vault, "judge", "--json").ok().json
    assert [(v["first"], v["second"]) for v in document["verdicts"]] == [(LAUNCH, STEEL)]
    assert document["decided"] == 2
    run(vault, "review", "--reject", LAUNCH, STEEL).ok()
    ran = run(vault, "judge").ok()
    assert ran.out.startswith("embedded judge  0 pairs scored here, 0 had scores")
    assert ran.out.endswith("\n3 pairs already decided\n")


def test_stale_does_not_miss_a_verdict_on_them(tmp_path: Path):
    files = {
        "Live.md": "Points at [[Closed]].\n",
        "Closed.md": "---\nstatus: done\n---\nRested on [[Live]].\n",
    }
    vault = old_vault(tmp_path / "other", files)
    assert run(vault, "stale", "--json").ok().json["counts"]["unjudged"] == 1
    run(vault, "review", "--accept", "Closed", "Live").ok()
    counts = run(vault, "stale", "--json").ok().json["counts"]
    assert (counts["pointing"], counts["unjudged"]) == (1, 0)
