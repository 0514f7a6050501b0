"""``resolve`` as a person uses it: what is written, what becomes stale, what is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.kit.answering import run_and_answer
from tests.kit.cli import run, run_program
from tests.kit.vaults import tree
from tests.kit.writing import edit, judged, notes_bytes, old_vault, propose

if TYPE_CHECKING:
    from pathlib import Path

PLAN = "---\r\n# mine\r\nstatus: active # for now\r\n---\r\nWe move in June.\r\n"
FILES = {
    "Move Plan.md": PLAN,
    "New Plan.md": "We stay. See [[Move Plan]].\n",
    "a/Twin.md": "",
    "b/Twin.md": "",
    "Flats.md": '---\ndepends-on: "[[Move Plan]]"\n---\n',
    "Boxes.md": '---\ndepends-on: "[[Flats]]"\n---\n',
    "Letter.md": "In June, says the Move Plan.\n",
    "List.md": "- [[Move Plan]]\n",
    "2026-05-01.md": "Wrote the [[Move Plan]].\n",
    "Secret.md": "---\nprivate: true\n---\n[[Move Plan]]\n",
}


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    made = old_vault(tmp_path / "vault", FILES)
    judged(made, ("Letter", "Move Plan"))
    return made


def resolve(vault: Path, *arguments: str, note: str = "Move Plan"):
    return run(vault, "resolve", note, *arguments, "--yes", "--json").ok().json


def becomes(document) -> list[tuple[str, str, str]]:
    return [(row["note"], row["level"], row["state"]) for row in document["becomes"]]


def test_a_plan_ends_in_its_owners_words(vault: Path):
    document = resolve(vault, "--to", 'We stay: "no" more', "--on", "2026-02-27")
    assert (vault / "Move Plan.md").read_bytes().decode() == (
        "---\r\n# mine\r\nstatus: active # for now\r\n"
        "resolved-to: 'We stay: \"no\" more'\r\nresolved-on: 2026-02-27\r\n"
        "---\r\nWe move in June.\r\n"
    )
    assert document["closed"] == {
        "how": "ended", "sign": "resolved-to", "words": 'We stay: "no" more', "on": "2026-02-27",
        "successor": None,
    }  # fmt: skip
    assert document["was"] is None
    assert document["written"] == 1
    assert document["remarks"] == ["status stays active: --status sets it"]
    assert becomes(document) == [
        ("Flats.md", "confirmed", "stale"),
        ("Letter.md", "judged", "stale"),
        ("List.md", "pointer", "stale"),
        ("New Plan.md", "pointer", "stale"),
        ("Boxes.md", "confirmed", "at-risk"),
    ]


def test_what_it_foretells_is_what_stale_says_then(vault: Path):
    propose(vault).ok()
    for more in (
        ["--to", "Never", "--dry-run"],
        ["--superseded-by", "New Plan", "--status", "dropped", "--dry-run"],
        ["--superseded-by", "New Plan", "--status", "dropped", "--yes"],
        ["--to", "Never", "--yes"],
    ):
        before = run(vault, "stale", "--all", "--json").ok().json["findings"]
        told = run(vault, "resolve", "Move Plan", *more, "--json").ok().json
        after = run(vault, "stale", "--all", "--json").ok().json["findings"]
        if "--yes" in more:
            fresh = [row for row in after if (row["note"], row["state"]) not in
                     {(one["note"], one["state"]) for one in before}]  # fmt: skip
            assert told["becomes"] == fresh
            assert all(row["closed"] in (told["closed"], None) for row in after)
        else:
            assert after == before


def test_superseded_by_a_note_that_names_it(vault: Path):
    document = resolve(vault, "--superseded-by", "new plan", "--status", "superseded")
    text = (vault / "Move Plan.md").read_bytes().decode()
    assert "status: superseded # for now\r\n" in text
    assert '\r\nsuperseded-by: "[[New Plan]]"\r\n---\r\n' in text
    assert "resolved-to" not in text
    assert document["closed"]["how"] == "superseded"
    assert document["closed"]["successor"] == "New Plan.md"
    # A successor may name what it replaced.
    assert "New Plan.md" not in {note for note, _, _ in becomes(document)}
    # A second successor stands beside the first.
    again = resolve(vault, "--superseded-by", "a/Twin.md")
    text = (vault / "Move Plan.md").read_bytes().decode()
    assert '\r\nsuperseded-by:\r\n  - "[[New Plan]]"\r\n  - "[[a/Twin]]"\r\n' in text
    assert again["was"]["how"] == "superseded"
    assert ("New Plan.md", "pointer", "stale") not in becomes(again)


def test_undo_gives_back_the_bytes(vault: Path):
    before = notes_bytes(vault)
    resolve(vault, "--to", "Gone", "--status", "dead")
    assert notes_bytes(vault) != before
    run(vault, "undo", "--yes").ok()
    assert notes_bytes(vault) == before


def test_nothing_to_say_anew(vault: Path):
    resolve(vault, "--to", "Gone", "--on", "2026-02-27")
    before = notes_bytes(vault)
    ran = run(vault, "resolve", "Move Plan", "--to", "Gone", "--on", "2026-02-27", "--yes").ok()
    assert ran.out.endswith("It says all that already; nothing was written.\n")
    assert notes_bytes(vault) == before


def test_the_plan_the_question_and_the_diff(vault: Path):
    before = tree(vault)
    ran = run(vault, "resolve", "Move Plan", "--to", "Gone", "--dry-run").ok()
    assert ran.out.startswith("--- Move Plan.md\n+++ Move Plan.md\n")
    assert "\n+resolved-to: Gone\n" in ran.out
    assert (
        "2 live notes resting on it become stale; 2 only point at it; 1 is at risk.\n" in ran.err
    )
    assert tree(vault) == before
    run_program(vault, "resolve", "Move Plan", "--to", "Gone").fails(2, "no terminal to ask on")
    assert notes_bytes(vault) == {k: v for k, v in notes_bytes(vault).items() if k in before}
    asked = run_and_answer(
        vault, "resolve", "Move Plan", "--to", "Gone", "--on", "2026-02-27", answer="n\n"
    )
    assert asked.out == (
        "Move Plan.md  ended (resolved-to, 2026-02-27)\n"
        "  +resolved-to: Gone\n"
        "  +resolved-on: 2026-02-27\n"
        "  confirmed    Flats.md  depends-on in line 2\n"
        "  judged 0.90  Letter.md  mention in line 1\n"
        "  pointer      List.md  wikilink in line 1\n"
        "  pointer      New Plan.md  wikilink in line 1\n"
        "\n"
        "at risk: they rest on one of the notes above\n"
        "  Boxes.md → Flats.md → Move Plan.md\n"
        "\n"
        "2 live notes resting on it become stale; 2 only point at it; 1 is at risk.\n"
        "status stays active: --status sets it\n"
        "Close Move Plan.md? [y/N] n\n"
        "Nothing was written.\n"
    )
    answered = run_and_answer(vault, "resolve", "List", "--to", "Done", answer="y\n")
    assert "Nothing else becomes stale by that.\n" in answered.out
    assert "1 note written; undo: vaultgraph undo 1\n" in answered.out


@pytest.mark.parametrize(
    ("code", "message", "arguments"),
    [
        (2, "nothing says how it ended", ["Move Plan"]),
        (2, "nothing says how it ended", ["Move Plan", "--to", "  ", "--status", "done"]),
        (2, "--on 27.2.2026 is no date", ["Move Plan", "--to", "x", "--on", "27.2.2026"]),
        (3, "no note is called Nowhere", ["Nowhere", "--to", "x"]),
        (3, "2 notes are called Twin", ["Twin", "--to", "x"]),
        (3, "no note is called Nowhere", ["Move Plan", "--superseded-by", "Nowhere"]),
        (3, "cannot be superseded by itself", ["Move Plan", "--superseded-by", "move plan"]),
        (3, "Move Plan.md: ", ["Move Plan", "--to", "one\ntwo"]),
    ],
)
def test_what_it_refuses(vault: Path, code: int, message: str, arguments: list[str]):
    before = notes_bytes(vault)
    run(vault, "resolve", *arguments, "--yes").fails(code, message)
    assert notes_bytes(vault) == before


def test_a_note_that_cannot_be_edited_stays_whole(vault: Path):
    text = "---\nstatus: [a, b]\nresolved-to:\n  - x\n---\n"
    edit(vault / "List.md", text)
    ran = run(vault, "resolve", "List", "--to", "Gone", "--status", "done", "--yes")
    ran.fails(3, "List.md:", "list")
    assert (vault / "List.md").read_text("utf-8") == text


def test_a_status_that_closes_nothing_is_told(vault: Path):
    document = resolve(vault, "--to", "Gone", "--status", "sleeping")
    assert document["remarks"] == [
        "status: sleeping alone closes no note here: see closed in config.toml"
    ]
    assert document["closed"]["sign"] == "resolved-to"


def test_a_private_plan_is_closed_and_named_to_its_owner_alone(vault: Path):
    ran = run(vault, "resolve", "Secret", "--to", "Gone", "--yes").ok()
    assert "It is private: nothing is known to rest on it.\n" in ran.out
    assert b"resolved-to: Gone" in (vault / "Secret.md").read_bytes()
    text = "".join(path.read_text("utf-8") for path in (vault / ".vaultgraph").rglob("*.*"))
    assert "Secret" not in text


def test_a_successor_that_is_private_is_not_named_elsewhere(vault: Path):
    document = resolve(vault, "--to", "Gone", "--superseded-by", "Secret")
    assert document["closed"]["successor"] is None
    assert "Secret" not in run(vault, "stale", "--json").ok().out
