"""What is odd in a vault, kind by kind."""

from __future__ import annotations

import json
import re
import unicodedata
from typing import TYPE_CHECKING, Any

import pytest

from tests.kit.cli import run
from tests.kit.surveys import context
from vaultgraph.errors import InputError
from vaultgraph.flows.doctor import DoctorReport, examine

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path


@pytest.fixture
def doctor(make_vault: Callable[..., Path]) -> Callable[..., DoctorReport]:
    def examined(files: Mapping[str, str | bytes], table: object = None) -> DoctorReport:
        data = None if table is None else json.dumps(table).encode()
        return examine(context(make_vault(files)), data)

    return examined


def test_a_healthy_vault(doctor: Callable[..., DoctorReport]):
    report = doctor({"A.md": "[[B]]", "B.md": "x"})
    for found in (
        report.problems,
        report.ambiguous,
        report.case_twins,
        report.decomposed,
        report.unresolved,
        report.doubtful,
        report.conflict_copies,
        report.likely_copies,
    ):
        assert list(found) == []
    assert report.comparison is None


def test_problems(doctor: Callable[..., DoctorReport]):
    report = doctor(
        {
            "Bad.md": "---\na: b: c\n---\n",
            "Near.md": "----\na: 1\n----\n",
            "Latin.md": b"x\n\xe9",
            "Lost.md": '---\ndepends-on: ["[[Gone]]"]\n---\n',
            "Unquoted.md": "---\ndepends-on: [[Near]]\n---\n",
            "Self.md": "---\ndepends-on-proposed: '[[self|me]]'\n---\n",
            "Both.md": "---\ndepends-on: '[[Near]]'\ndepends-on-rejected:\n  - '[[near]]'\n---\n",
            ".obsidian/app.json": "{",
        }
    )
    assert [(p["path"], p["line"], p["code"]) for p in report.problems] == [
        ("Bad.md", 2, "bad-yaml"),
        ("Both.md", 4, "contradiction"),
        ("Latin.md", 2, "not-utf8"),
        ("Lost.md", 2, "lost-entry"),
        ("Near.md", 1, "near-miss-frontmatter"),
        ("Self.md", 2, "self-entry"),
        ("Unquoted.md", 2, "unquoted-link"),
        ("app.json", 0, "app-settings"),
    ]


def test_shared_names(doctor: Callable[..., DoctorReport]):
    report = doctor(
        {
            "a/Index.md": "",
            "b/index.md": "",
            "Rate Limiter.md": "---\naliases: [The Guard]\n---\n",
            "The Guard.md": "",
        }
    )
    assert report.ambiguous == [
        ("Index", ["a/Index.md", "b/index.md"]),
        ("The Guard", ["Rate Limiter.md", "The Guard.md"]),
    ]


def test_paths_that_differ_only_in_letter_case(
    doctor: Callable[..., DoctorReport], tmp_path: Path
):
    (tmp_path / "Case").write_text("")
    if (tmp_path / "case").exists():
        pytest.skip("this file system does not tell letter cases apart")
    report = doctor({"Note.md": "", "note.md": "", "x/Note.md": ""})
    assert report.case_twins == [["Note.md", "note.md"]]


def test_decomposed_names(doctor: Callable[..., DoctorReport], tmp_path: Path):
    name = unicodedata.normalize("NFD", "Résumé.md")
    report = doctor({name: "", "Über.md": ""})
    if name not in {path.name for path in (tmp_path / "vault").iterdir()}:
        pytest.skip("this file system composes names")
    assert report.decomposed == ["Résumé.md"]


def test_unresolved_links(doctor: Callable[..., DoctorReport]):
    report = doctor({"A.md": "x\n[[Gone]] [[A]]\n[y](y.md)", "B.md": "[[P.png]]", "P.png": ""})
    assert report.unresolved == [("A.md", 2, "Gone"), ("A.md", 3, "y.md")]


def test_doubtful_links(doctor: Callable[..., DoctorReport]):
    report = doctor({"glossary/index.md": "", "x.md": "[[ary/index]]"})
    assert report.doubtful == [
        ("x.md", 1, "ary/index", "only part of a folder's name fits", "glossary/index.md", None)
    ]


def test_conflict_copies_and_likely_ones(doctor: Callable[..., DoctorReport]):
    text = "one two three four five six seven eight nine ten eleven twelve\n"
    report = doctor(
        {
            "Note.md": text,
            "Note (Conflicted copy laptop 202411281430).md": text,
            "Note 2.md": text.replace("twelve", "12"),
            "Note (1).md": f"---\nid: 1\n---\n{text}",
            "Part.md": "alpha beta",
            "Part 2.md": "gamma delta",
            "Chapter 1.md": text,
            "Chapter 2.md": text,
            "Year 2024.md": text,
            "Year.md": text,
        }
    )
    assert report.conflict_copies == ["Note (Conflicted copy laptop 202411281430).md"]
    assert report.likely_copies == [("Note (1).md", "Note.md"), ("Note 2.md", "Note.md")]


FILES = {
    "A.md": "[[B]] [[B|x]] ![[P.png]] [[A]] [[#h]] [[Gone]]",
    "B.md": '---\ndepends-on: "[[A]]"\n---\n`[[A]]`',
    "P.png": "",
}
SAME = {"A.md": {"B.md": 2, "P.png": 1, "A.md": 2}, "B.md": {"A.md": 1}, "c.canvas": {"A.md": 1}}


def differences(report: DoctorReport) -> list[tuple[Any, ...]]:
    assert report.comparison is not None
    return [(d.note, d.to, d.ours, d.theirs) for d in report.comparison.differences]


def test_no_difference_from_the_app(doctor: Callable[..., DoctorReport]):
    assert differences(doctor(FILES, SAME)) == []


def test_every_difference_is_listed(doctor: Callable[..., DoctorReport]):
    theirs = {"A.md": {"B.md": 1, "Q.md": 1}, "B.md": {"A.md": 2}}
    assert differences(doctor(FILES, theirs)) == [
        ("A.md", "B.md", 2, 1),
        ("A.md", "P.png", 1, 0),
        ("A.md", "Q.md", 0, 1),
        ("B.md", "A.md", 1, 2),
    ]


def test_an_empty_table_differs_in_every_link(doctor: Callable[..., DoctorReport]):
    assert differences(doctor(FILES, {})) == [
        ("A.md", "B.md", 2, 0),
        ("A.md", "P.png", 1, 0),
        ("B.md", "A.md", 1, 0),
    ]


def test_an_entry_without_quotes_is_no_link_to_the_app(doctor: Callable[..., DoctorReport]):
    files = {"A.md": '---\ndepends-on:\n  - [[B]]\n  - "[[B]]"\n---\n', "B.md": ""}
    assert differences(doctor(files, {"A.md": {"B.md": 1}, "B.md": {}})) == []


def test_what_the_app_counts_and_we_do_not_read_is_listed_with_the_reason(
    doctor: Callable[..., DoctorReport],
):
    files = FILES | {
        ".obsidian/templates.json": '{"folder": "Templates"}',
        ".obsidian/app.json": '{"userIgnoreFilters": ["Old/"]}',
        ".vaultgraph/config.toml": '[scope]\nexclude = ["Out"]\nprivate = ["Secret"]\n',
        "Templates/Daily.md": "[[A]]",
        "Old/Gone Plan.md": "[[A]] [[B]]",
        "Out/Draft.md": "",
        "Secret/Diary.md": "[[A]]",
        "A (Conflicted copy laptop 202411281430).md": "[[B]]",
    }
    theirs = SAME | {
        "Templates/Daily.md": {"A.md": 1},
        "Old/Gone Plan.md": {"A.md": 1, "B.md": 1},
        "Out/Draft.md": {},
        "Secret/Diary.md": {"A.md": 1},
        "A (Conflicted copy laptop 202411281430).md": {"B.md": 1},
        "Deleted.md": {"A.md": 3},
    }
    report = doctor(files, theirs)
    assert differences(report) == []
    assert report.comparison is not None
    assert [(row.note, row.reason, row.links) for row in report.comparison.not_read] == [
        ("A (Conflicted copy laptop 202411281430).md", "conflict copy", 1),
        ("Deleted.md", "not in this vault now", 3),
        ("Old/Gone Plan.md", "excluded in Obsidian", 2),
        ("Out/Draft.md", "excluded by config", 0),
        ("Templates/Daily.md", "template folder", 1),
        ("c.canvas", "no Markdown note", 1),
    ]


@pytest.mark.parametrize(
    "data", [b"", b"{", b"[]", b'{"a": 1}', b'{"a": {"b": "c"}}', b"\xff", b"[" * 99999]
)
def test_what_is_no_table(make_vault: Callable[..., Path], data: bytes):
    with pytest.raises(InputError) as caught:
        examine(context(make_vault(FILES)), data)
    assert "resolvedLinks" in (caught.value.hint or "")


def test_a_table_that_cannot_be_read(make_vault: Callable[..., Path], tmp_path: Path):
    vault = make_vault(FILES)
    run(vault, "doctor", "--compare", tmp_path / "none.json").fails(3, "none.json")
    run(vault, "doctor", "--compare", tmp_path).fails(3, str(tmp_path))


def test_everything_is_listed_only_when_asked(make_vault: Callable[..., Path]):
    vault = make_vault({"A.md": "\n".join(f"[[Gone {n}]]" for n in range(30))})
    short, long = run(vault, "doctor").ok(), run(vault, "doctor", "--all").ok()
    assert re.search(r"links that reach nothing.*30|30.*links that reach nothing", short.out)
    assert "20 more" in short.out
    assert "--all" in short.out
    assert "Gone 29" not in short.out
    assert "Gone 29" in long.out
