"""``origin`` on vaults of a few notes: what counts as stating, and what is shown of it."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Any, Literal

import pytest

from tests.kit.cli import run
from tests.kit.writing import judged, old_vault

if TYPE_CHECKING:
    from pathlib import Path


def vault_of(tmp_path: Path, files: dict[str, str | bytes]) -> Path:
    return old_vault(tmp_path / "vault", files)


def origin(vault: Path, text: str, *options: str) -> Any:
    return run(vault, "origin", text, "--json", *options).ok().json


def lines(document: Any) -> dict[str, int | None]:
    return {row["note"]: row["line"] for row in document["notes"]}


STATES = {
    "plain": ("We go to Porto.", 1),
    "letter case": ("PORTO", 1),
    "a heading": ("x\n\n# Porto\n", 3),
    "after frontmatter": ("---\nstatus: active\n---\nx\nPorto\n", 5),
    "CRLF": ("x\r\nPorto\r\n", 2),
    "a table": ("| a |\n| - |\n| Porto |\n", 3),
    "beside CJK": ("去Porto吧", 1),
    "a long s is an s": ("Porto\u017f", None),
    "a longer word": ("Portofino", None),
    "code": ("`Porto`", None),
    "a fence": ("```\nPorto\n```\n", None),
    "a comment": ("%%Porto%%", None),
    "a link": ("[[Porto]]", None),
    "a link's text": ("[Porto](x.md)", None),
    "an address": ("https://example.org/Porto", None),
    "frontmatter": ("---\ncity: Porto\n---\n", None),
}


@pytest.mark.parametrize("case", STATES)
def test_what_states_it(tmp_path: Path, case: str):
    content, line = STATES[case]
    vault = vault_of(tmp_path, {"A.md": content, "B.md": "nothing of it"})
    expected = {} if line is None else {"A.md": line}
    assert lines(origin(vault, "Porto")) == expected


def test_a_title_states_it_alone(tmp_path: Path):
    vault = vault_of(tmp_path, {"to Porto.md": "", "Porto/x.md": "", "Portonovo.md": ""})
    (row,) = origin(vault, "porto")["notes"]
    assert (row["note"], row["line"], row["text"], row["places"]) == (
        "to Porto.md", None, "to Porto", 1,
    )  # fmt: skip
    assert "  title: to Porto\n" in run(vault, "origin", "porto").ok().out


def test_several_words_over_a_line_end_and_how_often(tmp_path: Path):
    vault = vault_of(tmp_path, {"1 June.md": "on 1\nJune we go\n\n1  june, 1 June\n\n1\n\nJune"})
    (row,) = origin(vault, "1 June")["notes"]
    assert (row["line"], row["text"], row["places"]) == (1, "on 1 June we go", 3)


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_letters_in_any_composition(tmp_path: Path, form: Literal["NFC", "NFD"]):
    name = unicodedata.normalize(form, "Évora.md")
    text = unicodedata.normalize(form, "nach Évora")
    vault = vault_of(tmp_path, {name: text, "B.md": "Straße"})
    assert lines(origin(vault, "évora")) == {"Évora.md": 1}
    assert lines(origin(vault, unicodedata.normalize("NFD", "ÉVORA"))) == {"Évora.md": 1}
    assert lines(origin(vault, "STRASSE")) == {"B.md": 1}


def test_what_is_no_text_and_what_is_a_report(tmp_path: Path):
    vault = vault_of(
        tmp_path,
        {
            "Latin.md": b"Porto \xe9",
            "Report.md": "---\nvaultgraph-report: true\n---\nPorto [[Plan]]",
            "Plan.md": "Porto",
            "2026-03-01.md": "Porto, says [[Plan]]",
        },
    )
    found = origin(vault, "Porto")
    assert [(row["note"], row["record"]) for row in found["notes"]] == [
        ("Plan.md", False),
        ("2026-03-01.md", True),
    ]
    assert found["notes"][0]["pointing_at_it"] == ["2026-03-01.md"]
    assert [problem["path"] for problem in found["problems"]] == ["Latin.md"]


def test_a_verdict_or_a_rejection_settles_what_a_pointer_may_mean(tmp_path: Path):
    vault = vault_of(
        tmp_path,
        {
            "Plan.md": "Porto",
            "A.md": "Porto [[Plan]]",
            "B.md": "Porto [[Plan]]",
            "C.md": '---\ndepends-on-rejected:\n  - "[[Plan]]"\n---\nPorto [[Plan]]',
            "D.md": "Porto [[Plan]]",
        },
    )
    judged(vault, ("A", "Plan", 0.9), ("B", "Plan", 0.1))
    (first, *_) = origin(vault, "Porto")["notes"]
    assert first["note"] == "Plan.md"
    assert [row["note"] for row in first["resting_on_it"]] == ["A.md"]
    assert first["pointing_at_it"] == ["D.md"]
    shown = run(vault, "origin", "Porto").ok().out
    assert "judged 0.90  A.md  wikilink in line 1\n  pointer      D.md\n" in shown
    assert shown.endswith("1 of the others rests on Plan.md; 1 more only points at it.\n")


def test_none_rests_on_another(tmp_path: Path):
    vault = vault_of(tmp_path, {"A.md": "Porto", "B.md": "Porto"})
    found = origin(vault, "Porto")
    assert found["origin"] is None
    shown = run(vault, "origin", "Porto").ok().out
    assert "2 notes state “Porto”; none of them is known to rest on another.\n" in shown
    assert "vaultgraph judge" in shown
    assert (
        "1 note states “Porto”; no other does."
        in run(vault_of(tmp_path / "one", {"A.md": "Porto"}), "origin", "Porto").ok().out
    )


def test_no_note_states_it(tmp_path: Path):
    vault = vault_of(tmp_path, {"A.md": "x"})
    assert run(vault, "origin", "Porto").ok().out == "No note states “Porto”.\n"
    assert origin(vault, "Porto")["notes"] == []


@pytest.mark.parametrize("text", ["", "  ", "—", "**"])
def test_nothing_to_look_for(tmp_path: Path, text: str):
    run(vault_of(tmp_path, {"A.md": "x"}), "origin", text).fails(2, "there is no word")


def test_a_private_note_states_nothing_and_its_name_is_shown_to_no_one(tmp_path: Path):
    vault = vault_of(
        tmp_path,
        {
            "Porto Talks.md": "---\nprivate: true\n---\nPorto",
            "A.md": "Porto\n\nPorto Talks and Porto\n",
            "B.md": "the Porto Talks",
        },
    )
    found = origin(vault, "Porto")
    assert lines(found) == {"A.md": 1}
    assert found["notes"][0]["places"] == 2
    assert (found["counts"]["private"], found["counts"]["masked"]) == (1, 1)
    for text in ("talks", "Porto Talks", "the Porto"):
        assert origin(vault, text)["notes"] == []
    shown = run(vault, "origin", "Porto").ok().out
    assert "Porto Talks" not in shown
    assert (
        "Left out: 1 place with a private note's name.\nNot searched: 1 private note.\n" in shown
    )


def test_twenty_others_are_listed_or_all(tmp_path: Path):
    vault = vault_of(tmp_path, {f"Note {number:02}.md": "Porto" for number in range(25)})
    shown = run(vault, "origin", "Porto").ok().out
    assert "Note 19.md" in shown
    assert "Note 20.md" not in shown
    assert "  and 5 notes more: --all lists them\n" in shown
    assert "Note 24.md" in run(vault, "origin", "Porto", "--all").ok().out


def test_twenty_that_come_to_it_are_listed_or_all(tmp_path: Path):
    files = {f"Note {number:02}.md": "Porto [[Plan]]" for number in range(25)}
    vault = vault_of(tmp_path, {**files, "Plan.md": "Porto"})
    judged(vault, *((f"Note {number:02}", "Plan") for number in range(15, 18)))
    first = run(vault, "origin", "Porto").ok().out.split("\n\n")[0]
    assert first.count("judged 0.90  Note ") == 3
    assert first.count("pointer      Note ") == 17
    assert first.endswith("Note 19.md\n  and 5 more: --all lists them")
    assert run(vault, "origin", "Porto", "--all").ok().out.count("pointer      Note ") == 22


def test_rows(tmp_path: Path):
    vault = vault_of(
        tmp_path, {"A.md": '---\ndepends-on: "[[B]]"\n---\nPorto, "soon"', "B.md": "Porto"}
    )
    assert run(vault, "origin", "Porto", "--csv").ok().out == (
        "note,state,record,line,text,resting,further,pointing,rests_on\n"
        "B.md,live,,1,Porto,1,0,0,\n"
        'A.md,live,,4,"Porto, ""soon""",0,0,0,B.md\n'
    )
    run(vault, "origin", "Porto", "--csv", "--json").fails(2, "two forms")


def test_a_long_line_is_cut_around_it(tmp_path: Path):
    vault = vault_of(tmp_path, {"A.md": f"{'x ' * 200}Porto{' y' * 200}"})
    (line,) = (one for one in run(vault, "origin", "Porto").ok().out.split("\n") if "  1: " in one)
    assert line.startswith("  1: … x x")
    assert line.endswith("y …")
    assert "Porto" in line
    assert len(line) < 180
