"""``stale --write-note``: a note of the vault that is no part of what it tells of."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from tests.kit.answering import run_and_answer
from tests.kit.cli import run
from tests.kit.pictures import HOSTILE_TITLES
from tests.kit.vaults import write_file
from tests.kit.writing import age, edit, import_lines, notes_bytes, old_vault

if TYPE_CHECKING:
    from pathlib import Path

NEEDS = '---\ndepends-on:\n  - "[[Plan]]"\n---\n'
FILES: dict[str, str | bytes] = {
    "Plan.md": "---\nstatus: done\nresolved-to: We *stay* in [[Porto]].\n---\n",
    "A.md": NEEDS,
    "B.md": '---\ndepends-on: "[[A]]"\n---\n',
    "C.md": "See [[Plan]].",
}


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return old_vault(tmp_path / "vault", FILES)


def written(vault: Path, *options: str, name: str = "Stale.md") -> str:
    run(vault, "stale", "--write-note", name, "--yes", *options).ok()
    return (vault / name).read_text("utf-8")


def test_the_whole_note(vault: Path):
    assert written(vault) == (
        "---\nvaultgraph-report: true\n---\n"
        "Written by `vaultgraph stale --write-note`, which writes it anew: what is added goes.\n"
        "\n**2 live notes point at 1 closed one; 1 really depends on it (1 by your word).**\n"
        "\n1 at risk.\n"
        "\n## Stale\n"
        "\n### [[Plan]]\n"
        "\nended (status: done)\n"
        "\n> We \\*stay\\* in \\[\\[Porto\\]\\].\n"
        "\n- [[A]] (confirmed, depends-on in line 3)\n"
        "\n## At risk: they rest on one of the notes above\n"
        "\n- [[B]] → [[A]] → [[Plan]]\n"
        "\n## Picture\n"
        "\n```mermaid\nflowchart LR\n"
        '    n1["A"]\n    n2(["B"])\n    n3{{"Plan"}}\n'
        "    n1 ==>|confirmed| n3\n    n2 ==>|confirmed| n1\n"
        "    classDef stale fill:#fbdfd8,stroke:#b93a1c,color:#1f2328,stroke-width:3px\n"
        "    class n1 stale\n"
        "    classDef at-risk fill:#fdf8dc,stroke:#a3912a,color:#1f2328,stroke-dasharray:5 3\n"
        "    class n2 at-risk\n"
        "    classDef ended fill:#e2e4e8,stroke:#4d5663,color:#1f2328,stroke-dasharray:5 3\n"
        "    class n3 ended\n"
        "    class n1,n2,n3 internal-link\n```\n"
    )


def test_what_is_listed_is_what_is_written(vault: Path):
    assert "[[C]] (pointer, wikilink in line 1)" in written(vault, "--all")
    shown = run(vault, "stale", "--all", "--write-note", "Stale", "--dry-run").ok().out
    assert shown == (vault / "Stale.md").read_text("utf-8")


def test_twice_is_once_and_a_change_replaces_it(vault: Path):
    written(vault)
    age(vault)
    before = (vault / "Stale.md").stat().st_mtime_ns
    again = run(vault, "stale", "--write-note", "Stale.md", "--yes").ok()
    assert "Stale.md says so already" in again.err
    assert (vault / "Stale.md").stat().st_mtime_ns == before
    edit(vault / "A.md", "nothing")
    assert "[[A]]" not in written(vault)
    run(vault, "undo", "--yes").ok()
    assert "[[A]]" in (vault / "Stale.md").read_text("utf-8")


def test_undo_takes_the_note_away(vault: Path):
    before = notes_bytes(vault)
    written(vault)
    run(vault, "undo", "--yes").ok()
    assert notes_bytes(vault) == before


def test_suspects_with_their_sections_and_what_was_handled(vault: Path):
    write_file(vault / "New.md", "# Price\nOne.\n# `Date`\nTwo.\n")
    write_file(vault / "D.md", "See [[New]].")
    age(vault)
    run(vault, "review", "--accept", "D", "New").ok()
    edit(vault / "New.md", "# Price\nOne.\n# `Date`\nThree.\n")
    edit(vault / "Plan.md", '---\nstatus: superseded\nsuperseded-by: "[[New]]"\n---\n')
    run(vault, "ack", "A", "--yes").ok()
    text = written(vault, "--handled")
    assert (
        "\n### [[New]]\n\nchanged: \\`Date\\`\n"
        "\n- [[D]] (confirmed, depends-on in line 3, wikilink in line 5)\n"
    ) in text
    assert "## Handled: reviewed since\n" in text
    assert "\nsuperseded (status: superseded)\n\nnow: [[New]]\n\n- [[A]] (confirmed" in text
    assert "## Stale" not in text
    assert "[[A]]" not in written(vault)


def test_a_picture_that_mermaid_would_not_draw_is_left_out(tmp_path: Path):
    files = {f"Note {number}.md": NEEDS for number in range(501)}
    vault = old_vault(tmp_path / "vault", {**files, "Plan.md": "---\nstatus: done\n---\n"})
    text = written(vault)
    assert text.endswith("Too large for Mermaid; `vaultgraph export stale.html` draws it.\n")
    assert text.count("- [[Note ") == 501


def test_nothing_is_stale(tmp_path: Path):
    vault = old_vault(tmp_path / "vault", {"A.md": "x"})
    assert written(vault).endswith("goes.\n\n**No live note points at a closed one.**\n")


def test_a_report_is_no_dependent_no_basis_and_no_candidate(vault: Path):
    """Whatever links to it, and whatever its own list says."""
    write_file(vault / "D.md", '---\ndepends-on: "[[The Stale Report]]"\n---\nThe Stale Report')
    age(vault)
    commands = [
        ("scan", "--json"),
        ("stale", "--all", "--json"),
        ("export", "-", "--format", "json", "--scope", "all"),
    ]

    def reports() -> list[Any]:
        found = [run(vault, *command).ok().json for command in commands]
        for document in found:
            document.get("counts", {}).clear()
        found[0] = {key: found[0][key] for key in ("pairs", "mentions")}
        found[1].pop("problems")
        return found

    before = reports()
    written(vault, "--all", name="The Stale Report.md")
    assert reports() == before
    text = (vault / "The Stale Report.md").read_text("utf-8")
    key = "vaultgraph-report: true\n"
    assert key in text
    edit(
        vault / "The Stale Report.md",
        text.replace(key, f'{key}depends-on: "[[Plan]]"\nstatus: done\n'),
    )
    assert reports() == before
    taken = import_lines(
        vault, {"dependent": "The Stale Report", "basis": "Plan", "probability": 0.9}
    )
    taken.ok()
    assert [row["findings"] for row in reports()[1:]] == [row["findings"] for row in before[1:]]


@pytest.mark.parametrize("content", ["", "mine", "---\nvaultgraph-report: false\n---\n", b"\xff"])
def test_another_note_is_never_replaced(vault: Path, content: str | bytes):
    edit(vault / "Mine.md", content)
    before = notes_bytes(vault)
    for name in ("Mine.md", "Mine", os.fspath(vault / "Mine.md")):
        ran = run(vault, "stale", "--write-note", name, "--yes")
        ran = type(ran)(ran.code, ran.out, ran.err[ran.err.index("error: ") :])
        ran.fails(3, "no report that vaultgraph wrote")
    assert notes_bytes(vault) == before


@pytest.mark.parametrize("name", ["../x.md", "/tmp/x.md", ".obsidian/x.md", "", ".", "a/../../x"])
def test_only_a_visible_note_of_the_vault(vault: Path, name: str):
    run(vault, "stale", "--write-note", name, "--yes").fails(2, "no visible note of the vault")


def test_a_folder_that_is_not_there(vault: Path):
    run(vault, "stale", "--write-note", "No/x", "--yes").fails(3, "its folder is not there")


def test_below_a_folder_and_by_its_whole_path(vault: Path):
    (vault / "Reports").mkdir()
    run(vault, "stale", "--write-note", vault / "Reports" / "A.md", "--yes").ok()
    # Another note is called so now; by the app's rule the link still means the one at the top.
    edit(vault / "Reports" / "A.md", (vault / "Reports" / "A.md").read_bytes()[4:])
    links = run(vault, "scan", "--json").ok().json["links"]
    assert {row["to"] for row in links if row["note"] == "Reports/A.md"} == {
        "A.md", "B.md", "Plan.md",
    }  # fmt: skip


def test_the_question_and_the_options_that_need_it(vault: Path):
    run(vault, "stale", "--write-note", "x").fails(2, "no terminal to ask on")
    run(vault, "stale", "--dry-run").fails(2, "--write-note")
    assert not (vault / "x.md").exists()
    no = run_and_answer(vault, "stale", "--write-note", "x", answer="n\n").ok()
    assert no.out.endswith("Write x.md? [y/N] n\nNothing was written.\n")
    assert not (vault / "x.md").exists()
    run_and_answer(vault, "stale", "--write-note", "x", answer="y\n").ok()
    age(vault)
    again = run_and_answer(vault, "stale", "--all", "--write-note", "x", answer="y\n").ok()
    assert "Replace the report in x.md? [y/N] y\n1 note written" in again.out


def test_a_check_writes_and_still_fails(vault: Path):
    ran = run(vault, "stale", "--check", "--json", "--write-note", "Stale", "--yes").calm()
    assert ran.code == 1
    assert ran.json["counts"]["depend"] == 1
    assert (vault / "Stale.md").exists()


def test_links_of_hostile_names_reach_their_notes(tmp_path: Path):
    titles = [*HOSTILE_TITLES, "a|b", "a]b", "[[a]]", "a^b", "50%% off", "a:b", "%41", "c# x"]
    paths = [f"Sub/{title}.md" for title in titles if not {"/", "\\"} & {*title}]
    vault = old_vault(
        tmp_path / "my vault",
        {"Live.md": "x", **dict.fromkeys(paths, "---\nstatus: done\n---\nx")},
    )
    lines = [{"dependent": "Live.md", "basis": path, "probability": 0.9} for path in paths]
    assert import_lines(vault, *lines).ok().json["refused"] == []
    text = written(vault)
    assert text.count("\n### ") == len(paths)
    # Read as a note like any other, its links are what they are to Obsidian.
    edit(vault / "Stale.md", text.replace("vaultgraph-report: true", "a: b"))
    scan = run(vault, "scan", "--json").ok().json
    reached = {row["to"] for row in scan["links"] if row["note"] == "Stale.md"}
    by_address = {path for path in paths if any(sign in path for sign in "#$&")}
    assert reached == {"Live.md", *paths} - by_address
    assert [row for row in scan["unresolved"] if row["note"] == "Stale.md"] == []
    assert text.count("](obsidian://open?vault=my%20vault&file=Sub%2F") == len(by_address)
    assert json.dumps(text)  # no half of a character
