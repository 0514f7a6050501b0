"""A note that becomes private after an audit was planned: named nowhere, and still counted."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.kit.audits import audit, drawn_units, folder_of, give_labels, redo, start
from tests.kit.cli import Ran
from tests.kit.terminal import Person
from tests.kit.vaults import write_file, write_vault

if TYPE_CHECKING:
    from pathlib import Path

FILES = {
    f"Plan {word}.md": f"We plan {word}.\n" for word in ("alder", "birch", "cedar", "dogwood")
}
FILES["Plan birch.md"] += "See [[Plan alder]], and Plan alder again.\n"
SECRET = "alder"


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    """An audit of four notes, labelled by two people who agree on none of them."""
    vault = write_vault(tmp_path / "vault", FILES)
    start(
        vault, "plans", "--kind", "staleness", "--size", "4", "--seed", "s",
        "--prediction", "Plan alder is dead.",
    )  # fmt: skip
    give_labels(vault, ["live"] * 4).ok()
    give_labels(vault, ["dead"] * 4, who="second").ok()
    return vault


def by_key(vault: Path) -> None:
    write_file(vault / "Plan alder.md", f"---\nprivate: true\n---\n{FILES['Plan alder.md']}")


def by_configuration(vault: Path) -> None:
    write_file(vault / ".vaultgraph" / "config.toml", '[scope]\nprivate = ["Plan alder.md"]\n')


def by_moving(vault: Path) -> None:
    write_file(vault / "Locked" / "Plan alder.md", FILES["Plan alder.md"])
    (vault / "Plan alder.md").unlink()
    write_file(vault / ".vaultgraph" / "config.toml", '[scope]\nprivate = ["Locked/"]\n')


WAYS = [by_key, by_configuration, by_moving]


def everything_said(vault: Path) -> str:
    """Return all that the report says, on a terminal, as JSON, and in the files it writes."""
    said = [audit(vault, "report", "plans", *more) for more in ((), ("--json",), ("--write",))]
    said += [audit(vault, "verify", "plans"), audit(vault, "list", "--json")]
    said += [audit(vault, "label", "plans", "--as", "third")]
    files = [
        (folder_of(vault) / name).read_text("utf-8") for name in ("report.md", "intervals.svg")
    ]
    return "\n".join([*(ran.out + ran.err for ran in said if isinstance(ran, Ran)), *files])


def test_a_public_note_is_named(vault: Path):
    assert everything_said(vault).count("Plan alder") >= 6


@pytest.mark.parametrize("make_private", WAYS)
def test_it_is_named_nowhere(vault: Path, make_private):
    make_private(vault)
    said = everything_said(vault)
    assert SECRET not in said.casefold()
    assert "prediction: [private] is dead." in said
    assert "differ on Plan birch.md: owner live, second dead" in said


@pytest.mark.parametrize("make_private", WAYS[:2])
def test_it_counts_and_the_report_says_so(vault: Path, make_private):
    before = audit(vault, "report", "plans", "--json").ok().json
    make_private(vault)
    report = audit(vault, "report", "plans", "--json").ok().json
    assert report["deviations"] == [
        "1 of 4 drawn units is about a note that became private: counted, and not named"
    ]
    assert report["estimates"] == before["estimates"]
    differing = [row["unit"] for row in report["agreement"][0]["differing"]]
    assert sorted(differing) == [
        ["Plan birch.md"], ["Plan cedar.md"], ["Plan dogwood.md"], ["[private]"]
    ]  # fmt: skip
    # What was registered stays as it was, or it would not be what was registered.
    assert "is whole" in audit(vault, "verify", "plans").ok().out
    assert redo(folder_of(vault)).returncode == 0


@pytest.mark.parametrize("make_private", WAYS)
def test_whoever_labels_sees_neither_its_name_nor_its_text(vault: Path, make_private):
    make_private(vault)
    with Person(vault, "audit", "label", "plans", "--as", "third") as person:
        for number, unit in enumerate(drawn_units(vault), 1):
            person.sees(f"{number} of 4")
            if unit == "Plan alder.md":
                person.sees("not there any more" if make_private is by_moving else "private now")
            else:
                person.sees(f"We plan {unit.removesuffix('.md').partition(' ')[2]}")
            person.press("1")
        person.sees("All 4 are labelled.").press("q").stops()
        assert SECRET not in person.raw


def test_no_audit_is_locked_with_a_private_note(tmp_path: Path):
    vault = write_vault(tmp_path / "vault", FILES)
    audit(vault, "plan", "plans", "--kind", "staleness", "--size", "2").ok()
    by_key(vault)
    refused = audit(vault, "lock", "plans").fails(3, "1 unit of private notes", "without them")
    assert SECRET not in refused.err
    assert not (folder_of(vault) / "ledger.jsonl").exists()
    audit(vault, "plan", "plans", "--kind", "staleness", "--size", "2").ok()
    audit(vault, "lock", "plans").ok()
    assert SECRET not in (folder_of(vault) / "population.txt").read_text("utf-8")


def test_no_plan_by_hand_lists_a_private_note_or_one_that_is_not_there(tmp_path: Path):
    vault = write_vault(tmp_path / "vault", FILES)
    by_key(vault)
    plan = tmp_path / "plan.toml"

    def planned(*units: object) -> Ran:
        plan.write_text(
            'kind = "custom"\nlabels = ["good", "bad"]\n[[strata]]\nname = "one"\n'
            f"units = {json.dumps(units)}\nsize = 1\n",
            "utf-8",
        )
        ran = audit(vault, "plan", "own", "--from", plan)
        assert isinstance(ran, Ran)
        return ran

    refused = planned("Plan birch.md", ["Plan cedar.md", "Plan alder.md"])
    assert SECRET not in refused.fails(3, "1 unit of private notes").err
    planned("Plan birch.md", "Plan elm.md").fails(
        3, "there is no note Plan elm.md", "with its .md"
    )
    assert not folder_of(vault, "own").exists()
    planned("Plan birch.md").ok()
