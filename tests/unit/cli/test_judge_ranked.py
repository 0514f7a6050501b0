"""``judge`` with the embedded judge, and ``why``, as a person sees them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.kit.cli import run, run_in_terminal
from tests.kit.judging import BRIDGE, FILES, LAUNCH, PAIRS, STEEL
from tests.kit.vaults import tree, write_file
from tests.kit.writing import ledger_events, notes_bytes, old_vault, propose

if TYPE_CHECKING:
    from pathlib import Path

RANKER = "It ranks, and its scores are no probabilities."


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return old_vault(tmp_path / "vault", FILES)


def test_what_a_first_and_a_second_run_say(vault):
    first = run(vault, "judge").ok()
    assert first.err == ""
    lines = first.out.splitlines()
    assert lines[0] == "embedded judge  3 pairs scored here, 0 had scores; nothing was sent"
    assert lines[1].startswith(RANKER)
    # 20 for a hundred notes are one for four.
    assert (
        ", set by this run: at most 20 proposals for a hundred notes (4 here), none below 0.35\n"
        "1 direction at or above the cutoff (0."
    ) in first.out
    assert " in the middle band (from 0.35)\n" in first.out
    assert lines[-1] == "next: vaultgraph propose"
    counted = [int(line.split()[1]) for line in lines[2:12]]
    assert sum(counted) == 6
    second = run(vault, "judge").ok()
    assert "0 pairs scored here, 3 had scores" in second.out
    assert ", set by an earlier run; --recut sets it anew\n1 direction " in second.out
    assert notes_bytes(vault) == {name: text.encode() for name, text in FILES.items()}


def test_what_is_proposed_are_the_strongest_few_and_no_more_the_second_time(vault):
    run(vault, "judge").ok()
    assert len(propose(vault).ok().json["proposed"]) == 1
    run(vault, "judge").ok()
    assert propose(vault).ok().json["proposed"] == []


def test_the_document(vault):
    document = run(vault, "judge", "--json").ok().json
    assert [(v["first"], v["second"]) for v in document["verdicts"]] == PAIRS
    assert {v["judge"] for v in document["verdicts"]} == {"embedded"}
    assert (document["asked"], document["cached"], document["cost"]) == (3, 0, 0.0)
    assert document["above_cutoff"] == 1
    assert document["middle"] == 0.35
    again = run(vault, "judge", "--json").ok().json
    assert (again["asked"], again["cached"]) == (0, 3)
    assert again["verdicts"] == document["verdicts"]
    fresh = run(vault, "judge", "--json", "--no-cache").ok().json
    assert (fresh["asked"], fresh["verdicts"]) == (3, document["verdicts"])


@pytest.mark.parametrize("arguments", [("--only", "Launch Plan"), ("--limit", "2")])
def test_a_part_of_a_vault_has_no_cutoff_yet(vault, arguments):
    ran = run(vault, "judge", *arguments).ok()
    assert "2 pairs scored here" in ran.out
    assert ("held back by --limit: 1 pair\n" in ran.out) == ("--limit" in arguments)
    assert "No cutoff yet, so nothing was recorded" in ran.out
    assert ran.out.endswith("next: vaultgraph judge, without --only and --limit\n")
    assert ledger_events(vault) == []
    assert propose(vault).ok().json["proposed"] == []


def test_a_dry_run(vault):
    ran = run(vault, "judge", "--dry-run").ok()
    assert ", as this run would set it: " in ran.out
    assert ran.out.endswith("Nothing was recorded.\n")
    assert ledger_events(vault) == []


def test_recut(vault):
    first = run(vault, "judge", "--json").ok().json
    config = vault / ".vaultgraph/config.toml"
    write_file(config, "[judge]\ncap = 100\n")
    assert run(vault, "judge", "--json").ok().json["cutoff"] == first["cutoff"]
    recut = run(vault, "judge", "--recut", "--json").ok().json
    assert recut["cutoff"] == 0.35 < first["cutoff"]
    assert run(vault, "judge", "--json").ok().json["cutoff"] == 0.35


def test_prior_moves_every_score(vault):
    usual = run(vault, "judge", "--json").ok().json["verdicts"]
    rare = run(vault, "judge", "--prior", "0.02", "--json").ok().json["verdicts"]
    for low, high in zip(rare, usual, strict=True):
        assert max(low["first_depends"], low["second_depends"]) < max(
            high["first_depends"], high["second_depends"]
        )
    write_file(vault / ".vaultgraph/config.toml", "[judge]\nprior = 0.02\n")
    assert run(vault, "judge", "--json").ok().json["verdicts"] == rare


def test_a_cutoff_of_another_base_rate_is_told(vault):
    run(vault, "judge").ok()
    told = "It was set for another model or base rate"
    ran = run(vault, "judge", "--prior", "0.02").ok()
    assert told in ran.out
    assert "0 directions at or above the cutoff" in ran.out
    assert "next:" not in ran.out
    assert told not in run(vault, "judge", "--prior", "0.02", "--recut").ok().out
    assert told not in run(vault, "judge", "--prior", "0.02").ok().out


@pytest.mark.parametrize("prior", ["0", "1", "2", "-1"])
def test_a_base_rate_that_is_none(vault, prior):
    assert run(vault, "judge", "--prior", prior).calm().code == 2


def test_a_base_rate_of_one_in_the_configuration(vault):
    write_file(vault / ".vaultgraph/config.toml", "[judge]\nprior = 1.0\n")
    for command in (("judge",), ("why", LAUNCH, BRIDGE), ("judge", "--show", LAUNCH, BRIDGE)):
        run(vault, *command).fails(3, "judge.prior in config.toml: a base rate lies between")


def test_options_that_would_do_nothing(vault):
    for given in (("--model", "m"), ("--price", "1"), ("--concurrency", "2")):
        run(vault, "judge", *given).fails(2, f"the embedded judge has no use for {given[0]}")
    address = ("--judge", "systemone", "--base-url", "http://127.0.0.1:9")
    run(vault, "judge", *address, "--recut").fails(2, "--recut is for the embedded judge alone")


def test_a_vault_without_pairs(tmp_path):
    ran = run(old_vault(tmp_path / "bare", {"A.md": "", "B.md": ""}), "judge").ok()
    assert ran.out.endswith("No pair to score: no note links to another one or names it.\n")


def test_show_and_why_say_what_counted_and_that_it_is_a_ranker(vault):
    shown = run(vault, "judge", "--show", "Launch Plan", "Bridge Plan").ok()
    assert shown.out.startswith("Nothing is sent: ")
    why = run(vault, "why", "Launch Plan", "Bridge Plan").ok()
    assert f"    {LAUNCH}:4  wikilink  " in why.out
    for ran in (shown, why):
        assert f"  {LAUNCH}  depends on  {BRIDGE}\n        + " in ran.out
        assert f"  {BRIDGE}  depends on  {LAUNCH}\n        - never names it" in ran.out
        assert "This judge is a ranker: its scores put pairs in order and are no" in ran.out


def test_why_and_show_as_documents(vault):
    document = run(vault, "why", "Bridge Plan", "Launch Plan", "--json").ok().json
    assert [(row["dependent"], row["basis"]) for row in document["scores"]] == [
        (BRIDGE, LAUNCH),
        (LAUNCH, BRIDGE),
    ]
    assert document["scores"][0]["reasons"] == ["- never names it, though it is named by it"]
    judged = run(vault, "judge", "--json").ok().json["verdicts"][0]
    assert document["scores"][0]["score"] == judged["first_depends"]
    assert document["scores"][1]["score"] == judged["second_depends"]
    shown = run(vault, "judge", "--show", LAUNCH, BRIDGE, "--json").ok().json
    assert shown == {"judge": "embedded", "url": None, "scores": document["scores"]}


def test_why_has_no_scores_where_there_is_no_pair(vault):
    for other in ("Loose Note", "Salary Talks"):
        document = run(vault, "why", LAUNCH, other, "--json").ok().json
        assert (document["pair"], document["scores"]) == (False, [])


def test_why_writes_nothing(vault):
    before = tree(vault)
    run(vault, "why", LAUNCH, STEEL).ok()
    assert tree(vault) == before


def test_fifty_columns(vault):
    ran = run_in_terminal(vault, "judge", columns=50)
    assert ran.code == 0
    plain = [line.replace("\x1b[36m", "").replace("\x1b[0m", "") for line in ran.out.split("\n")]
    bars = [line for line in plain if "█" in line]
    assert bars
    assert all(len(line) <= 50 for line in bars)


def test_a_name_cannot_steer_the_terminal(tmp_path):
    vault = old_vault(
        tmp_path / "hostile", {"A \x1b[2J Plan.md": "See [[B Plan]].\n", "B Plan.md": "x\n"}
    )
    names = ("A \x1b[2J Plan", "B Plan")
    for command in (("why", *names), ("judge", "--show", *names), ("judge",)):
        ran = run(vault, *command).ok()
        assert "\x1b" not in ran.out + ran.err
    assert json.loads(run(vault, "why", *names, "--json").ok().out)["pair"] is True
