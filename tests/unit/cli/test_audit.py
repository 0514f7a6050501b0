"""Audits from plan to report through the real commands, and every kind of tampering."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.kit.audits import audit, drawn_units, folder_of, give_labels, redo
from tests.kit.cli import run
from tests.kit.terminal import Person
from tests.kit.vaults import write_vault
from vaultgraph.domain.chain import hash_line

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PLANS = {f"Plans/Plan {number:02}.md": f"We will do thing {number}.\n" for number in range(34)}
OTHERS = {f"Other {number}.md": "Something.\n" for number in range(162)}
KINDS = [
    ("edit a size", "registration.toml", "strata.all.size was 20 when locked and is 10 now"),
    ("change the seed", "registration.toml", "seed was"),
    ("swap a unit", "population.txt", "differs from what was locked"),
    ("delete a line", "ledger.jsonl:5", "edited, deleted or moved"),
    ("reorder lines", "ledger.jsonl:5", "edited, deleted or moved"),
    ("change a label", "ledger.jsonl:6", "edited, deleted or moved"),
]


def locked(root: Path) -> Path:
    """Make the essay's vault: 196 notes, 34 of them plans, 20 drawn."""
    vault = write_vault(root / "vault", {**PLANS, **OTHERS})
    audit(
        vault, "plan", "plans", "--kind", "staleness", "--folder", "Plans", "--size", "20",
        "--seed", "2026 ☃", "--rule", "share(stale, dead) > 0.5", "--prediction", "over half",
    ).ok()  # fmt: skip
    audit(vault, "lock", "plans").ok()
    audit(vault, "draw", "plans").ok()
    return vault


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    """A finished audit: 13 of 20 stale or dead."""
    vault = locked(tmp_path)
    give_labels(vault, ["stale"] * 8 + ["dead"] * 5 + ["live"] * 7).ok()
    return vault


def test_the_essays_numbers(vault: Path):
    report = audit(vault, "report", "plans", "--json").ok().json
    assert report["population"]["units"] == 34
    (share,) = report["estimates"]
    assert (share["what"], share["n"], share["value"]) == ("share(stale, dead)", 20, 0.65)
    assert (round(share["low"], 2), round(share["high"], 2)) == (0.43, 0.82)
    assert report["holds"] is True
    text = audit(vault, "report", "plans").ok().out
    assert "share(stale, dead) = 65%, 95% interval 43% to 82% (Wilson score; n = 20 of 34" in text
    assert "not of all units" in text
    assert text.index("Not as registered") < text.index("What may be said")


def test_no_false_positive_in_twenty_has_an_upper_bound(tmp_path: Path):
    body = "".join(f"[[Basis {number}]]\n" for number in range(60))
    entries = "".join(f'  - "[[Basis {number}]]"\n' for number in range(60))
    files = {f"Basis {number}.md": "True.\n" for number in range(60)}
    files["Plan.md"] = f"---\ndepends-on:\n{entries}---\n{body}"
    vault = write_vault(tmp_path / "vault", files)
    audit(
        vault, "plan", "right", "--kind", "precision", "--size", "20",
        "--rule", "share(does-not) < 0.1",
    ).ok()  # fmt: skip
    for step in ("lock", "draw"):
        audit(vault, step, "right").ok()
    assert drawn_units(vault, "right")[0].startswith("Plan.md\nBasis ")
    give_labels(vault, ["depends"] * 20, name="right").ok()
    report = audit(vault, "report", "right", "--json").ok().json
    assert report["upper_bound"] == pytest.approx(0.139, abs=0.001)
    assert any("below 13.9%; not that there are none" in word for word in report["words"])


def test_the_pairs_that_are_no_candidates(tmp_path: Path):
    # 188 notes make 17,578 pairs; 389 of them are linked.
    files = {f"N{number:03}.md": "" for number in range(188)}
    for link in range(389):
        first, gap = link % 188, link // 188 + 1
        files[f"N{first:03}.md"] += f"[[N{(first + gap) % 188:03}]]\n"
    vault = write_vault(tmp_path / "vault", files)
    audit(vault, "plan", "missed", "--kind", "filter", "--size", "60").ok()
    for step in ("lock", "draw"):
        audit(vault, step, "missed").ok()
    rows = audit(vault, "list", "--json").ok().json["audits"]
    assert rows[0]["units"] == 17_189
    give_labels(vault, ["does-not"] * 60, name="missed").ok()
    report = audit(vault, "report", "missed", "--json").ok().json
    # One minus the sixtieth root of 0.05.
    assert report["upper_bound"] == pytest.approx(0.0487, abs=0.0001)
    assert redo(folder_of(vault, "missed")).returncode == 0


def test_the_shell_redoes_a_draw_and_sees_another(vault: Path):
    assert redo(folder_of(vault)).stdout == "20 units: the draw is the one that the seed gives\n"
    edit(folder_of(vault) / "registration.toml", "2026", "2027")
    assert redo(folder_of(vault)).returncode == 1


def test_odd_names_are_drawn_alike_by_the_shell(tmp_path: Path):
    files = {f'Ünï \\ {n} %s $x `y` "q" 🎈.md': "" for n in range(9)}
    vault = write_vault(tmp_path / "vault", files)
    audit(vault, "plan", "odd", "--kind", "staleness", "--size", "5", "--seed", 'a\\b "c" ☃').ok()
    for step in ("lock", "draw"):
        audit(vault, step, "odd").ok()
    assert redo(folder_of(vault, "odd")).stdout.startswith("5 units: the draw is the one")


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), "utf-8")


def edit_lines(file: Path, change: Callable[[list[str]], None]) -> None:
    lines = file.read_text("utf-8").splitlines(keepends=True)
    change(lines)
    file.write_text("".join(lines), "utf-8")


def tamper(folder: Path, how: str) -> None:
    ledger = folder / "ledger.jsonl"
    match how:
        case "edit a size":
            edit(folder / "registration.toml", "size = 20", "size = 10")
        case "change the seed":
            edit(folder / "registration.toml", "2026", "2027")
        case "swap a unit":
            edit(folder / "population.txt", "Plan 03.md", "Plan 3x.md")
        case "delete a line":
            edit_lines(ledger, lambda lines: lines.__delitem__(4))
        case "reorder lines":
            edit_lines(ledger, lambda lines: lines.insert(5, lines.pop(4)))
        case "change a label":
            edit_lines(
                ledger,
                lambda lines: lines.__setitem__(4, lines[4].replace('"stale"', '"live"')),
            )
        case _:
            raise AssertionError(how)


@pytest.mark.parametrize(("how", "where", "said"), KINDS)
def test_tampering_is_caught_and_named(vault: Path, how: str, where: str, said: str):
    tamper(folder_of(vault), how)
    for command in ("report", "label", "draw"):
        audit(vault, command, "plans").fails(6, where)
    found = audit(vault, "verify", "plans")
    assert found.code == 6
    assert f"{where}: " in found.err
    assert said in found.err


@pytest.mark.parametrize(("how", "where", "said"), KINDS)
def test_a_copied_folder_is_checked_without_its_vault(
    vault: Path, tmp_path: Path, how: str, where: str, said: str
):
    copy = tmp_path / "elsewhere" / "plans"
    shutil.copytree(folder_of(vault), copy)
    assert "plans is whole" in run(None, "audit", "verify", copy).ok().out
    tamper(copy, how)
    found = run(None, "audit", "verify", copy)
    assert found.code == 6
    assert where in found.err
    assert said in found.err


def test_a_shortened_ledger_is_caught_against_a_head_and_never_without(vault: Path):
    head = audit(vault, "verify", "plans", "--json").ok().json["head"]
    edit_lines(folder_of(vault) / "ledger.jsonl", lambda lines: lines.__delitem__(-1))
    found = audit(vault, "verify", "plans")
    assert found.code == 6
    assert "this machine remembers" in found.err
    copy = vault.parent / "copy" / "plans"
    shutil.copytree(folder_of(vault), copy)
    assert "no head was at hand" in run(None, "audit", "verify", copy).ok().err
    assert run(None, "audit", "verify", copy, "--head", head).code == 6


def test_an_older_folder_put_back_is_caught(vault: Path):
    old = vault.parent / "old"
    shutil.copytree(folder_of(vault), old)
    audit(vault, "report", "plans", "--write").ok()
    shutil.rmtree(folder_of(vault))
    shutil.copytree(old, folder_of(vault))
    audit(vault, "report", "plans").fails(6, "ledger.jsonl", "put back to an older one")


def chain_anew(vault: Path, change: Callable[[list[Any]], None]) -> None:
    """Change entries of the ledger, and give every line the hash that then fits."""
    ledger = folder_of(vault) / "ledger.jsonl"
    entries = [json.loads(line) for line in ledger.read_text("utf-8").splitlines()]
    change(entries)
    prev, lines = "0" * 64, []
    for entry in entries:
        entry["prev"] = prev
        lines.append(json.dumps(entry, sort_keys=True, separators=(",", ":")).encode())
        prev = hash_line(lines[-1])
    ledger.write_bytes(b"\n".join([*lines, b""]))


def test_a_chain_made_anew_around_a_changed_label_is_caught_by_a_head(vault: Path):
    chain_anew(vault, lambda entries: entries[4]["payload"].update(label="live"))
    found = audit(vault, "verify", "plans")
    assert found.code == 6
    assert "this machine remembers" in found.err


def test_a_draw_made_up_is_caught_without_a_head(vault: Path):
    def swap(entries: list[Any]) -> None:
        (stratum,) = entries[1]["payload"]["strata"]
        left_out = next(name for name in sorted(PLANS) if name not in stratum["units"])
        was, stratum["units"][0] = stratum["units"][0], left_out
        for entry in entries:
            if entry["payload"].get("unit") == was:
                entry["payload"]["unit"] = left_out

    chain_anew(vault, swap)
    copy = vault.parent / "elsewhere" / "plans"
    shutil.copytree(folder_of(vault), copy)
    found = run(None, "audit", "verify", copy)
    assert found.code == 6
    assert "ledger.jsonl:2: is not the draw that the seed gives" in found.err
    assert redo(copy).returncode == 1


def test_an_unknown_label_in_a_file_is_named_by_its_line(vault: Path):
    give_labels(vault, ["live", "alive"], who="second").fails(
        3, "labels-second.jsonl:2", "'alive'"
    )


def test_two_labellers_are_compared(vault: Path):
    give_labels(vault, ["stale"] * 8 + ["dead"] * 4 + ["live"] * 8, who="second").ok()
    report = audit(vault, "report", "plans", "--json").ok().json
    (row,) = report["agreement"]
    assert (row["one"], row["other"]) == ("owner", "second")
    assert row["share"]["value"] == 0.95
    # Chance: (8*8 + 5*4 + 7*8) / 400 = 0.35; (0.95 - 0.35) / 0.65.
    assert row["kappa"]["value"] == pytest.approx(0.6 / 0.65)
    assert [(d["one"], d["other"]) for d in row["differing"]] == [("dead", "live")]
    # Only the first labeller's labels make the estimate.
    assert report["estimates"][0]["value"] == 0.65


def test_unsure_is_reported_three_ways_and_excluded_leave_n(vault: Path):
    give_labels(vault, ["not-a-plan"] * 2 + ["stale"] * 6 + ["dead"] * 5 + ["live"] * 7).ok()
    report = audit(vault, "report", "plans", "--json").ok().json
    assert report["estimates"][0]["n"] == 18
    assert report["strata"][0]["labels"]["not-a-plan"] == 2
    assert report["deviations"] == ["2 labels were corrected"]


def test_an_abandoned_audit_is_told_of(vault: Path):
    audit(vault, "plan", "second", "--kind", "staleness", "--size", "5").ok()
    audit(vault, "lock", "second").ok()
    audit(vault, "abandon", "second", "--why", "the wrong folder").ok()
    audit(vault, "draw", "second").fails(3, "abandoned")
    report = audit(vault, "report", "plans", "--json").ok().json
    assert report["abandoned"] == [{"audit": "second", "why": "the wrong folder"}]


def test_the_report_of_an_abandoned_audit_can_be_written(vault: Path):
    audit(vault, "abandon", "plans", "--why", "the wrong folder").ok()
    audit(vault, "report", "plans", "--write").ok()
    assert "is whole" in audit(vault, "verify", "plans").ok().out
    report = audit(vault, "report", "plans", "--json").ok().json
    assert report["deviations"] == ["the audit was abandoned: the wrong folder"]
    audit(vault, "abandon", "plans", "--why", "again").fails(3, "was abandoned")
    audit(vault, "label", "plans").fails(3, "was abandoned")


def test_a_written_report_holds_its_head(vault: Path):
    audit(vault, "report", "plans", "--write").ok()
    text = (folder_of(vault) / "report.md").read_text("utf-8")
    assert f"Head: {audit(vault, 'verify', 'plans', '--json').ok().json['head']}" in text


def test_nothing_is_drawn_or_labelled_before_its_time(tmp_path: Path):
    vault = write_vault(tmp_path / "vault", PLANS)
    audit(vault, "draw", "plans").fails(3, "there is no audit plans")
    audit(vault, "plan", "plans", "--kind", "staleness", "--size", "5").ok()
    audit(vault, "draw", "plans").fails(3, "not locked")
    audit(vault, "lock", "plans").ok()
    audit(vault, "label", "plans").fails(3, "nothing is drawn")
    audit(vault, "plan", "plans", "--kind", "staleness", "--size", "5").fails(3, "is locked")
    audit(vault, "plan", "p", "--kind", "staleness", "--size", "500").fails(3, "500")
    audit(vault, "plan", "../p", "--kind", "staleness", "--size", "5").fails(2)


def test_private_notes_and_records_are_never_units(tmp_path: Path):
    files = {**PLANS, "Secret.md": "---\nprivate: true\n---\nx\n", "2026-01-01.md": "Today.\n"}
    vault = write_vault(tmp_path / "vault", files)
    audit(vault, "plan", "all", "--kind", "staleness", "--size", "5").ok()
    audit(vault, "plan", "pairs", "--kind", "filter", "--size", "5").ok()
    for name in ("all", "pairs"):
        text = (folder_of(vault, name) / "population.txt").read_text("utf-8")
        assert text.count("\n") == 34
        assert "Secret" not in text
        assert "2026-01-01" not in text


def test_a_plan_from_a_file(tmp_path: Path):
    vault = write_vault(tmp_path / "vault", PLANS)
    plan = tmp_path / "plan.toml"
    plan.write_text(
        'kind = "custom"\nseed = "s"\nlabels = ["good", "bad"]\nrule = "share(bad) < 0.5"\n'
        '[[strata]]\nname = "one"\nunits = ["Plans/Plan 01.md", "Plans/Plan 02.md"]\nsize = 2\n'
    )
    audit(vault, "plan", "own", "--from", plan).ok()
    for step in ("lock", "draw"):
        audit(vault, step, "own").ok()
    give_labels(vault, ["good", "bad"], name="own").ok()
    report = audit(vault, "report", "own", "--json").ok().json
    assert report["estimates"][0]["method"] == "census"
    plan.write_text('kind = "staleness"\nsise = 3\n')
    audit(vault, "plan", "other", "--from", plan).fails(3, "plan.toml", "sise is not known")


@pytest.mark.parametrize(
    ("options", "code", "parts"),
    [
        (("--kind", "nope"), 2, ("there is no kind nope", "--kind staleness|")),
        (("--kind", "staleness"), 2, ("how many units", "--size or --width")),
        (("--kind", "staleness", "--size", "5", "--width", "0.2"), 2, ("both given",)),
        (("--kind", "staleness", "--width", "2"), 2, ("between 0 and 1",)),
        (
            ("--kind", "staleness", "--size", "5", "--confidence", "95"),
            3,
            ("plan: confidence",),
        ),
        (("--kind", "staleness", "--size", "5", "--source", "proposed"), 2, ("knows no source",)),
        (("--kind", "precision", "--size", "5", "--source", "x"), 2, ("accepted or proposed",)),
        (("--kind", "precision", "--size", "5", "--folder", "x"), 2, ("knows no folders",)),
        (("--kind", "precision", "--size", "5", "--cutoff", "0.5"), 2, ("--source proposed",)),
        (("--kind", "filter", "--size", "5", "--judge", "x"), 2, ("knows no judge",)),
        (("--kind", "staleness", "--size", "5", "--seed", "\udcff"), 3, ("seed must be text",)),
        (
            ("--kind", "staleness", "--size", "5", "--prediction", "\udcff"),
            3,
            ("must be text",),
        ),
        (("--kind", "staleness", "--size", "5", "--folder", "\udcff"), 3, ("nothing to draw",)),
        (
            ("--kind", "staleness", "--size", "5", "--rule", "share(x) > 0.5"),
            3,
            ("x is no",),
        ),
        (("--from", "no-such.toml"), 3, ("error: the plan cannot be read: no-such.toml",)),
    ],
)
def test_a_plan_that_cannot_be_is_refused_in_one_line(
    tmp_path: Path, options: tuple[str, ...], code: int, parts: tuple[str, ...]
):
    vault = write_vault(tmp_path / "vault", PLANS)
    audit(vault, "plan", "p", *options).fails(code, *parts)
    assert not folder_of(vault, "p").exists()


def test_what_the_shell_hands_over_as_bytes_is_refused_or_kept(vault: Path):
    audit(vault, "abandon", "plans", "--why", "a \udcff").calm()
    audit(vault, "verify", "plans").ok()


def test_a_folder_that_is_no_audits_is_named(tmp_path: Path):
    run(None, "audit", "verify", tmp_path).fails(3, "is no audit's folder", "registration.toml")


terminal = pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are POSIX")


@terminal
@pytest.mark.parametrize("columns", [80, 140])
def test_labelling_is_one_key_a_unit_with_a_way_back(tmp_path: Path, columns: int):
    vault = locked(tmp_path)
    with Person(vault, "audit", "label", "plans", columns=columns) as person:
        person.sees("1 of 20", "We will do thing", "1 live  2 stale  3 dead  4 not-a-plan")
        person.press("2").sees("2 of 20").press("3").sees("3 of 20")
        person.press("u").sees("2 of 20").press("1").sees("3 of 20")
        person.press("?").sees("at most the label on screen is lost").press(" ").sees("3 of 20")
        person.press("q").sees("2 of 20 labelled").stops()
    lines = (folder_of(vault) / "ledger.jsonl").read_text("utf-8").splitlines()[2:]
    given = [json.loads(line)["payload"] for line in lines]
    assert [payload["label"] for payload in given] == ["stale", "dead", "live"]
    assert [payload["unit"] for payload in given] == [
        *drawn_units(vault)[:2],
        drawn_units(vault)[1],
    ]


@terminal
def test_a_narrow_terminal_still_tells_every_key(tmp_path: Path):
    vault = locked(tmp_path)
    with Person(vault, "audit", "label", "plans", columns=50) as person:
        person.sees("1 of 20", "1 live  2 stale  3 dead  4 not-a-plan  u  q  ?")
        assert max(map(len, person.grid.text.split("\n"))) <= 50
        person.press("q").sees("0 of 20 labelled").stops()
    assert '"label"' not in (folder_of(vault) / "ledger.jsonl").read_text("utf-8")


@terminal
def test_killed_it_loses_at_most_the_label_on_screen(tmp_path: Path):
    vault = locked(tmp_path)
    with Person(vault, "audit", "label", "plans") as person:
        person.sees("1 of 20")
        for number in range(2, 8):
            person.press("1").sees(f"{number} of 20")
        os.kill(person.process.pid, signal.SIGKILL)
        person.process.wait()
    assert "6 labels" in audit(vault, "verify", "plans").ok().out
    with Person(vault, "audit", "label", "plans") as person:
        person.sees("7 of 20").press("q").stops()


@terminal
def test_a_plan_is_asked_for_on_a_terminal(tmp_path: Path):
    vault = write_vault(tmp_path / "vault", PLANS)
    with Person(vault, "audit", "plan", "guided") as person:
        person.sees("what share of plan notes is out of date", "Which kind?")
        person.press("staleness\n").sees("Only notes in which folder?").press("Plans\n")
        person.sees("What do you expect?").press("half\n")
        person.sees("What is to be decided, as share(stale, dead) > 0.5?")
        person.press("share(dead) > 0.2\n").sees("all: 34 units", "How many to draw").press("20\n")
        person.sees("95% interval 43% to 82%", "vaultgraph audit lock").stops()
    text = (folder_of(vault, "guided") / "registration.toml").read_text("utf-8")
    for line in ('prediction = "half"', 'rule = "share(dead) > 0.2"', 'folders = "Plans"'):
        assert line in text
