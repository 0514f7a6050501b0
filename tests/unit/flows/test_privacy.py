"""A private note is in no output of any command, wherever its name hides in other notes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.kit.cli import Ran, run
from tests.kit.vaults import file_bytes
from tests.kit.writing import age, judged

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PRIVATE = "---\nprivate: true\naliases: [The Exit]\n---\nThe number is 4711 on [[Open Plan]].\n"

#: Private in every way there is, and named in every place there is.
FILES: dict[str, str | bytes] = {
    ".vaultgraph/config.toml": (
        '[scope]\nprivate = ["Vault Room/**"]\nexclude = ["Vault Room/Old", "Outside"]\n'
        '[status]\nkeys = ["status", "state"]\n'
    ),
    ".obsidian/templates.json": '{"folder": "Forms"}',
    ".obsidian/app.json": '{"userIgnoreFilters": ["Attic/"]}',
    "Forms/Therapy Form.md": "---\nprivate: true\naliases: [Couch Sheet]\n---\n",
    "Attic/Debt List.md": "---\nPrivate: yes\n---\n",
    "Attic/Vague Debt.md": b"\xff\xfe---\nprivate: true\n---\n",
    "Outside/Tax Story.md": "----\nprivate: true\n----\n",
    "Outside/Open Story.md": "",
    "Lawsuit (Conflicted copy laptop 202411281430).md": PRIVATE,
    "Salary Talks.md": PRIVATE,
    "体检报告.md": "---\nPrivate: yes\n---\n",
    "Vault Room/Bank Codes.md": "[[Open Plan]]",
    "Vault Room/Old/Gold Bars.md": "x",
    "Vault Room/Gold (Conflicted copy laptop 202411281430).md": "x",
    "Salary Talks (Conflicted copy laptop 202411281430).md": PRIVATE,
    "Broken Health.md": "---\na: b: c\nprivate: true\n---\n",
    "Near Wealth.md": "----\nprivate: true\n----\n",
    "Latin Secret.md": b"---\nprivate: true\n---\n\xe9",
    "Dead Secret.md": "---\nprivate: true\nstatus: done\n---\n[[Old Plan]]",
    "deep/er/Twin.md": "---\nprivate: true\n---\n",
    "deep/or/Twin.md": "",
    "Old Plan.md": (
        "---\nstatus: done\nresolved-to: after the salary  talks\n"
        "resolved-on: the day of [[Salary Talks]]\n"
        'superseded-by: ["[[Salary Talks]]", "[[Open Plan]]"]\n---\n'
    ),
    "Open Plan.md": "See [[Old Plan]] and [[Salary Talks|x]], [y](Salary%20Talks.md), The Exit.\n",
    "Other Plan.md": (
        '---\nstate: until Salary Talks\nSalary Talks: "[[Open Plan]]"\n'
        'depends-on: ["[[Old Plan]]", "[[Salary Talks]]", "[[Bank Codes and more]]"]\n'
        "depends-on-rejected: [[Salary Talks]]\n---\n"
        "Open Plan 体检报告出来了 [[Old Plan]] salary\ttalks [[Salary Talks and]] [[Gold Bars]]\n"
        "[[Broken Health]] [[Near Wealth]] [[Latin Secret]] [[Dead Secret]] [[Twin]] [[er/Twin]]\n"
        "Open Plan, then the Therapy Form, Couch Sheet, [[Debt List]], [[Attic/Vague Debt]],\n"
        "[[Old Plan]] and [[Tax Story]] [[Tax Story and]], Open Plan and the Lawsuit\n"
        "Open Plan, then Gold Bars, Broken Health, NEAR wealth, Latin Secret, Dead Secret.\n"
    ),
}

WORDS = (
    "Salary Talks", "Salary%20Talks", "salary  talks", "salary\ttalks", "The Exit", "4711",
    "体检报告",
    "Bank Codes", "Gold", "Broken Health", "Near Wealth", "Latin Secret", "Dead Secret", "er/Twin",
    "Therapy Form", "Couch Sheet", "Debt", "Tax Story", "Lawsuit (",
)  # fmt: skip

COMMANDS = [
    ("scan",),
    ("scan", "--pairs"),
    ("scan", "--json"),
    ("scan", "--csv"),
    ("stale",),
    ("stale", "--all", "--handled"),
    ("stale", "--all", "--json"),
    ("stale", "--all", "--csv"),
    ("stale", "--cycles"),
    ("stale", "--all", "--handled", "--write-note", "Report", "--dry-run"),
    ("doctor", "--all"),
    ("doctor", "--json"),
    ("init", "--print"),
    ("why", "Open Plan", "Other Plan"),
    ("why", "Open Plan", "Other Plan", "--json"),
    ("why", "Old Plan", "Other Plan"),
    ("why", "Old Plan", "deep/or/Twin"),
    ("why", "Twin", "Open Plan"),
    ("why", "Salary Talk", "Open Plan"),
    ("why", "Gold Bar", "Open Plan"),
    ("origin", "Open Plan", "--all"),
    ("origin", "plan", "--json"),
    ("origin", "then", "--csv"),
    ("origin", "talks", "--json"),
    ("show", "Open Plan", "--depth", "3"),
    ("show", "Open Plan", "--json"),
    ("resolve", "Open Plan", "--to", "Gone", "--dry-run", "--json"),
    ("resolve", "Open Plan", "--to", "Gone", "--dry-run"),
    ("ack", "Open Plan", "--dry-run"),
    ("ack", "Open Plan", "--dry-run", "--json"),
    ("export", "-", "--scope", "all", "--format", "json"),
]


REFUSED = [
    ("why", "Twin", "Open Plan"),
    ("why", "Salary Talk", "Open Plan"),
    ("why", "Gold Bar", "Open Plan"),
]


def clean(ran: Ran, asked: tuple[str, ...] = ()) -> None:
    shown = (ran.calm().out + ran.err).casefold()
    for argument in asked:
        # The words a person types stand in the message that answers them.
        shown = shown.replace(f"is called {argument.casefold()}", "")
    for word in WORDS:
        assert word.casefold() not in shown


@pytest.fixture
def vault(make_vault: Callable[..., Path]) -> Path:
    return make_vault(FILES)


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_in_no_output(vault: Path, command: tuple[str, ...]):
    ran = run(vault, *command)
    # What is asked for by a name that no note, or several, have is refused; all else is answered.
    assert ran.code == (3 if command in REFUSED else 0), ran.err
    assert ran.err if command in REFUSED else ran.out
    clean(ran, command)


def test_not_in_a_comparison_with_the_app(vault: Path, tmp_path: Path):
    table = tmp_path / "resolved.json"
    table.write_text(
        json.dumps(
            {
                "Open Plan.md": {
                    "Vault Room/Bank Codes.md": 3,
                    "Vault Room/Old/Gold Bars.md": 1,
                    "Attic/Debt List.md": 1,
                },
                "Forms/Therapy Form.md": {"Open Plan.md": 1},
                "Salary Talks.md": {"Home.md": 1},
            }
        ),
        "utf-8",
    )
    for form in ((), ("--json",)):
        ran = run(vault, "doctor", "--compare", table, "--all", *form).ok()
        clean(ran)
        assert "[private]" in ran.out


def test_not_in_the_configuration_that_init_writes(vault: Path):
    (vault / ".vaultgraph" / "config.toml").unlink()
    for path in sorted((vault / "Vault Room").rglob("*.md")):
        path.unlink()
    run(vault, "init").ok()
    written = b"".join(file_bytes(vault / ".vaultgraph").values()).decode()
    assert "until" in written
    for word in WORDS:
        assert word.casefold() not in written.casefold()


def test_it_counts_and_nothing_more(vault: Path):
    document = run(vault, "scan", "--json").ok().json
    assert document["counts"]["private"] == 8
    assert document["counts"]["found"] == len([path for path in FILES if path.endswith(".md")])
    assert "[private]" in {row["path"] for row in document["skipped"]}
    ends = {end for pair in document["pairs"] for end in (pair["first"], pair["second"])}
    assert ends == {"Old Plan.md", "Open Plan.md", "Other Plan.md"}


def test_what_is_left_out_is_named_unless_it_says_that_it_is_private(vault: Path):
    for _ in range(2):  # the second run takes it from the cache
        rows = run(vault, "scan", "--json").ok().json["skipped"]
        assert [row["path"] for row in rows if row["path"] != "[private]"] == [
            "Outside/Open Story.md"
        ]
    (vault / "Outside" / "Open Story.md").write_text("---\nprivate: true\n---\n")
    rows = run(vault, "scan", "--json").ok().json["skipped"]
    assert {row["path"] for row in rows} == {"[private]"}


def test_the_evidence_around_it_is_shown_with_the_stretch_masked(vault: Path):
    out = run(vault, "why", "Old Plan", "Open Plan").ok().out
    assert "See [[Old Plan]] and [private], [private], [private]." in out


BROKEN = {
    "ends on the next line": "Rate Limiter waits for the Salary\nTalks to end.",
    "begins on the line before": "Waits for the Salary\nTalks, says Rate Limiter.",
    "quoted": "> Rate Limiter waits for Salary\n> Talks to end.",
    "windows": "Rate Limiter waits for the Salary\r\nTalks to end.\r\n",
    "word by word": "Rate Limiter waits for the **Salary**\n**Talks** to end.",
    "inside the other name": "The Salary\nTalks: Rate\nLimiter too.",
    "over three lines": "Rate Limiter, The\nlong and\nwinding Road: ends.",
}


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_a_private_name_broken_over_lines_is_not_shown_by_half(
    make_vault: Callable[..., Path], text: str
):
    vault = make_vault(
        {
            "Salary Talks.md": PRIVATE,
            "The long and winding Road.md": PRIVATE,
            "Rate Limiter.md": "",
            "Gate.md": f"First line.\n\n{text}",
        }
    )
    run(vault, "propose", "--dry-run").ok()
    for command in (("scan", "--pairs"), ("why", "Gate", "Rate Limiter")):
        shown = run(vault, *command).ok().out
        assert "[private]" in shown
        for word in ("Salary", "Talks", "winding", "Road"):
            assert word not in shown


def test_a_name_broken_over_lines_is_shown_whole_and_its_neighbours_are_not(
    make_vault: Callable[..., Path],
):
    vault = make_vault(
        {"Rate Limiter.md": "", "Gate.md": "Before.\n> behind the *Rate\n> Limiter* it is\nAfter."}
    )
    out = run(vault, "why", "Gate", "Rate Limiter").ok().out
    assert "behind the *Rate Limiter* it is" in out
    assert "Before" not in out
    assert "After" not in out


def test_asked_for_by_its_own_name_it_may_be_shown(vault: Path):
    out = run(vault, "why", "Salary Talks.md", "Open Plan").ok().out
    assert "Salary Talks.md is private" in out
    assert "4711" not in out


def test_not_in_what_is_to_be_proposed(vault: Path):
    age(vault)
    judged(vault, ("Open Plan", "deep/or/Twin"), ("Other Plan", "Open Plan"))
    for options in (("--dry-run",), ("--dry-run", "--json"), ("--yes",)):
        ran = run(vault, "propose", *options).ok()
        assert "Open Plan" in ran.out
        clean(ran)
