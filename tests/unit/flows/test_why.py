"""Why two notes are a pair, or what came close."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.kit.surveys import context
from vaultgraph.flows.why import WhyReport, explain_pair, why_document
from vaultgraph.judge.embedded.judge import EmbeddedJudge

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

FILES = {
    ".vaultgraph/config.toml": '[names]\nignore = ["Next Steps"]\n',
    "Rate Limiter.md": (
        "---\naliases: [The Guard]\nup: '[[Cache Layer]]'\n---\nUses the cache\nlayer.\n"
    ),
    "Cache Layer.md": "Feeds the guard.\r\n\r\n  ![[Rate Limiter#x|y]] here  \r\n",
    "Rate Limiter Design.md": "",
    "Pipeline.md": "",
    "Next Steps.md": "",
    "Talk.md": (
        "---\ndepends-on-proposed: '[[Pipeline]]'\n---\n\nThe Pipeline and the Next Steps.\n"
        "`Cache Layer` and\nRate Limiter Design. Same Name.\n"
    ),
    "a/Same Name.md": "", "b/Same Name.md": "", "c/Same Name.md": "", "d/Same Name.md": "",
    "2024-05-01.md": "Rate Limiter",
    "Report.md": "---\nvaultgraph-report: true\n---\n[[Pipeline]]",
    "Latin.md": b"\xe9",
    "Alone.md": "",
}  # fmt: skip


@pytest.fixture
def why(make_vault: Callable[..., Path]) -> Callable[[str, str], WhyReport]:
    opened = context(make_vault(FILES))
    return lambda first, second: explain_pair(opened, EmbeddedJudge, first, second)


def test_all_evidence_both_ways_with_its_lines(why: Callable[[str, str], WhyReport]):
    report = why("rate limiter", "Cache Layer")
    assert (report.first, report.second) == ("Cache Layer.md", "Rate Limiter.md")
    assert report.is_pair
    assert report.near == []
    assert [(r.note, r.of, r.line, r.kind, r.name, r.text) for r in report.evidence] == [
        ("Cache Layer.md", "Rate Limiter.md", 1, "mention", "The Guard", "Feeds the guard."),
        ("Cache Layer.md", "Rate Limiter.md", 3, "embed", "", "![[Rate Limiter#x|y]] here"),
        ("Rate Limiter.md", "Cache Layer.md", 3, "property:up", "", "up: '[[Cache Layer]]'"),
        (
            "Rate Limiter.md",
            "Cache Layer.md",
            5,
            "mention",
            "Cache Layer",
            "Uses the cache layer.",
        ),
    ]


def test_the_order_of_the_question_does_not_matter(why: Callable[[str, str], WhyReport]):
    assert why("Cache Layer", "Rate Limiter") == why("Rate Limiter", "Cache Layer")


@pytest.mark.parametrize(
    ("first", "second", "parts"),
    [
        ("Talk", "Pipeline", ["Talk.md:5", '"pipeline"', "2 words", "minimum-words"]),
        ("Talk", "Next Steps", ["Talk.md:5", "ignored in config.toml"]),
        ("Talk", "Cache Layer", ['"cache layer"', "code"]),
        ("Talk", "Rate Limiter", ["Talk.md:7", '"rate limiter"', "longer name"]),
        ("Talk", "a/Same Name", ["4 notes have that name"]),
        ("Talk", "2024-05-01", ["2024-05-01.md is a record"]),
        ("Report", "Pipeline", ["Report.md is a report"]),
        ("Latin", "Pipeline", ["Latin.md cannot be read"]),
        ("Talk", "Talk", ["itself"]),
    ],
)
def test_what_came_close(
    why: Callable[[str, str], WhyReport], first: str, second: str, parts: list[str]
):
    report = why(first, second)
    assert not report.is_pair
    assert report.evidence == []
    said = " ".join(report.near)
    for part in parts:
        assert part in said


def test_an_entry_is_a_decision_and_no_evidence(why: Callable[[str, str], WhyReport]):
    assert any(
        "Talk.md:2" in line and "depends-on-proposed" in line
        for line in why("Talk", "Pipeline").near
    )


def test_nothing_came_close(why: Callable[[str, str], WhyReport]):
    report = why("Alone", "Pipeline")
    assert (report.is_pair, report.near) == (False, [])


def test_the_document(why: Callable[[str, str], WhyReport]):
    document = why_document(why("Cache Layer", "Rate Limiter"))
    assert document["pair"] is True
    assert document["evidence"][0] == {
        "note": "Cache Layer.md",
        "of": "Rate Limiter.md",
        "line": 1,
        "kind": "mention",
        "name": "The Guard",
        "text": "Feeds the guard.",
    }
    assert "name" not in document["evidence"][1]
