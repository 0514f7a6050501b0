"""Each kind of audit from plan to verify, by the real program on real files, with known truth."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from tests.kit.audits import audit, drawn_units, folder_of, give_truth, redo, start
from tests.kit.cli import run, run_program
from tests.kit.terminal import Person
from tests.kit.vaults import write_vault
from tests.kit.writing import import_lines, verdict
from tests.unit.effects.writing_kit import FakeClock
from vaultgraph.domain.notes import NoteId
from vaultgraph.effects.ledger import Ledger
from vaultgraph.effects.state_folder import local_folders
from vaultgraph.review.decisions import decided_event

if TYPE_CHECKING:
    from pathlib import Path

#: Twenty pairs at each score, and how many of them depend.
SCORES = {0.9: 19, 0.6: 8, 0.2: 1}


def depends(unit: str) -> str:
    """Tell the truth, which the names of the notes hold."""
    dependent = next(note for note in unit.split("\n") if note.startswith("Plan"))
    _, score, number = dependent.removesuffix(".md").split(" ")
    return "depends" if int(number) < SCORES[float(score)] else "does-not"


def judged_vault(root: Path) -> Path:
    """Make 60 judged pairs, of which 28 depend, all of them on their basis."""
    pairs = [(f"{score} {number}", score) for score in SCORES for number in range(20)]
    files = {f"Basis {name}.md": "A basis.\n" for name, _ in pairs}
    files |= {f"Plan {name}.md": f"See [[Basis {name}]].\n" for name, _ in pairs}
    vault = write_vault(root / "vault", files)
    lines = (verdict(f"Basis {name}.md", f"Plan {name}.md", 0.05, score) for name, score in pairs)
    import_lines(vault, *lines).ok()
    return vault


def go(vault: Path, name: str, *plan: str) -> None:
    """Plan, lock and draw with the program, each step a process of its own."""
    run_program(vault, "audit", "plan", name, "--seed", "s", *plan).ok()
    run_program(vault, "audit", "lock", name).ok()
    run_program(vault, "audit", "draw", name).ok()


def report_of(vault: Path, name: str) -> Any:
    """Return the report, of an audit that is whole and whose draw the shell agrees with."""
    run_program(vault, "audit", "report", name, "--write").ok()
    assert "is whole" in run_program(vault, "audit", "verify", name).ok().out
    assert redo(folder_of(vault, name)).returncode == 0
    return run_program(vault, "audit", "report", name, "--json").ok().json


def test_recall_of_a_sample(tmp_path: Path):
    vault = judged_vault(tmp_path)
    go(vault, "kept", "--kind", "recall", "--size", "30", "--rule", "recall >= 0.5")
    give_truth(vault, depends, name="kept").ok()
    report = report_of(vault, "kept")
    strata = [(s["name"], s["units"], s["size"]) for s in report["strata"]]
    assert strata == [("kept", 20, 10), ("middle", 20, 10), ("below", 20, 10)]
    hits = [
        sum(depends(unit) == "depends" for unit in drawn_units(vault, "kept")[at : at + 10])
        for at in (0, 10, 20)
    ]
    assert [s["labels"]["depends"] for s in report["strata"]] == hits
    recall, share = report["estimates"]
    # Every stratum has as many units, so the weights cancel.
    assert (recall["what"], recall["value"]) == ("recall", pytest.approx(hits[0] / sum(hits)))
    assert recall["low"] <= 19 / 28 <= recall["high"] < 1
    assert share["value"] == pytest.approx(sum(hits) / 30)
    assert share["low"] <= 28 / 60 <= share["high"]
    assert report["holds"] is (recall["value"] >= 0.5)


def test_recall_of_a_census_is_known(tmp_path: Path):
    vault = judged_vault(tmp_path)
    go(vault, "all", "--kind", "recall", "--size", "60", "--cutoff", "0.5")
    give_truth(vault, depends, name="all").ok()
    report = report_of(vault, "all")
    assert [(s["name"], s["units"]) for s in report["strata"]] == [
        ("kept", 40), ("middle", 0), ("below", 20)
    ][::2]  # fmt: skip
    recall = report["estimates"][0]
    assert recall["value"] == recall["low"] == recall["high"] == pytest.approx(27 / 28)


def test_precision_of_what_the_judge_would_propose(tmp_path: Path):
    vault = judged_vault(tmp_path)
    options = ("--kind", "precision", "--source", "proposed")
    go(vault, "right", *options, "--size", "15", "--rule", "share(depends) > 0.9")
    units = drawn_units(vault, "right")
    assert {unit.split("\n")[0].split(" ")[:2][1] for unit in units} == {"0.9"}
    assert all(unit.startswith("Plan ") for unit in units)
    give_truth(vault, depends, name="right").ok()
    report = report_of(vault, "right")
    assert report["population"]["what"] == "directions judged at 0.7 or above"
    assert (report["population"]["cutoff"], report["population"]["judges"]) == ("0.7", "imported")
    (share,) = report["estimates"]
    hits = sum(depends(unit) == "depends" for unit in units)
    assert (share["n"], share["population"], share["value"]) == (15, 20, hits / 15)
    audit(vault, "plan", "low", *options, "--cutoff", "0.5", "--size", "5").ok()
    assert audit(vault, "list", "--json").ok().json["audits"][0]["units"] == 40
    audit(vault, "plan", "none", *options, "--cutoff", "0.95", "--size", "5").fails(
        3, "nothing to draw from"
    )
    audit(vault, "plan", "none", *options, "--judge", "nobody", "--size", "5").fails(
        3, "nothing to draw from"
    )


#: Twenty accepted dependencies and five rejected ones.
DECIDED = [("depends-on", number) for number in range(20)]
DECIDED += [("depends-on-rejected", number) for number in range(20, 25)]


def decided_vault(root: Path) -> Path:
    files = {f"Basis {number:02}.md": "A basis.\n" for _, number in DECIDED}
    files |= {
        f"Plan {number:02}.md": f'---\n{key}:\n  - "[[Basis {number:02}]]"\n---\nA plan.\n'
        for key, number in DECIDED
    }
    return write_vault(root / "vault", files)


def second_thought(unit: str) -> str:
    """Say what was said before, but for two of the accepted and one of the rejected."""
    number = int(unit.split("\n", maxsplit=1)[0].removesuffix(".md").split(" ")[1])
    return "depends" if (number < 20) is (number not in {3, 17, 22}) else "does-not"


def test_a_rereview_says_how_often_the_reviewer_says_the_same(tmp_path: Path):
    vault = decided_vault(tmp_path)
    options = ("--kind", "rereview", "--source", "decided", "--size", "25")
    go(vault, "again", *options, "--rule", "agreement >= 0.85")
    give_truth(vault, second_thought, name="again").ok()
    report = report_of(vault, "again")
    assert report["deviations"] == []
    (row,) = report["agreement"]
    assert (row["one"], row["other"]) == ("the earlier decision", "owner")
    # 18 and 4 of 25 the same; by chance (20 * 19 + 5 * 6) / 625 = 0.656.
    assert row["share"]["value"] == 0.88
    assert row["kappa"]["value"] == pytest.approx((0.88 - 0.656) / (1 - 0.656))
    assert row["kappa"]["low"] < row["kappa"]["value"] < row["kappa"]["high"]
    differing = {(d["unit"][0], d["one"], d["other"]) for d in row["differing"]}
    assert differing == {
        ("Plan 03.md", "depends", "does-not"),
        ("Plan 17.md", "depends", "does-not"),
        ("Plan 22.md", "does-not", "depends"),
    }
    assert report["holds"] is True


def decide(vault: Path, ago: timedelta) -> None:
    """Let the ledger hold that somebody accepted all twenty, that long ago."""
    directions = [(NoteId(f"Plan {n:02}.md"), NoteId(f"Basis {n:02}.md")) for n in range(20)]
    events = [decided_event(d, "accepted", "terminal", was="proposed") for d in directions]
    clock = FakeClock()
    clock.time -= ago
    Ledger(vault, local_folders(vault), clock).append(events)


def test_a_rereview_waits_for_a_later_sitting(tmp_path: Path):
    vault = decided_vault(tmp_path)
    decide(vault, timedelta(minutes=10))
    start(vault, "again", "--kind", "rereview", "--size", "5")
    run(vault, "audit", "label", "again").fails(
        3, "5 of the 5 drawn dependencies", "not over", "half an hour after the last decision"
    )
    # Labels from a file cannot be kept out, since nobody knows when they were given.
    give_truth(vault, lambda _: "depends", name="again").ok()
    (deviation,) = audit(vault, "report", "again", "--json").ok().json["deviations"]
    assert deviation.startswith("5 of 5 were labelled in the sitting in which they were decided")


def test_a_rereview_of_yesterdays_decisions_is_labelled(tmp_path: Path):
    vault = decided_vault(tmp_path)
    decide(vault, timedelta(days=1))
    start(vault, "again", "--kind", "rereview", "--size", "5")
    with Person(vault, "audit", "label", "again") as person:
        person.sees("1 of 5", "depends on", "1 depends  2 does-not  3 unsure")
        for number in range(2, 6):
            person.press("1").sees(f"{number} of 5")
        person.press("2").sees("All 5 are labelled.").press("q").stops()
    report = audit(vault, "report", "again", "--json").ok().json
    assert report["deviations"] == []
    assert report["agreement"][0]["share"]["value"] == 0.8


def test_staleness_by_tag_and_status(tmp_path: Path):
    files = {
        "Tagged.md": "---\ntags: [plan/move, x]\nstatus: Draft\n---\na\n",
        "Inline.md": "---\nstatus: active\n---\nSomething #plan here.\n",
        "Planet.md": "---\ntags: planet\nstatus: draft\n---\na\n",
        "Code.md": "`#plan` is no tag.\n",
        "Closed.md": "---\ntags: plan\nstatus: done\n---\na\n",
        "Plans/Old.md": "---\ntag: Plan\nstatus: draft\n---\na\n",
    }
    vault = write_vault(tmp_path / "vault", files)

    def population(*options: str) -> list[str]:
        audit(vault, "plan", "p", "--kind", "staleness", "--size", "1", *options).ok()
        text = (folder_of(vault, "p") / "population.txt").read_text("utf-8")
        return [line.partition("\t")[2] for line in text.splitlines()]

    assert population("--tag", "#plan") == ["Inline.md", "Plans/Old.md", "Tagged.md"]
    assert population("--tag", "plan", "--status", "draft") == ["Plans/Old.md", "Tagged.md"]
    assert population("--status", "draft", "--status", "active") == [
        "Inline.md", "Planet.md", "Plans/Old.md", "Tagged.md"
    ]  # fmt: skip
    assert population("--tag", "plan", "--folder", "Plans") == ["Plans/Old.md"]
    text = (folder_of(vault, "p") / "registration.toml").read_text("utf-8")
    assert 'what = "live notes in Plans tagged plan; no records"' in text
    audit(vault, "plan", "p", "--kind", "staleness", "--tag", "none", "--size", "1").fails(
        3, "nothing to draw from", "tagged none"
    )
