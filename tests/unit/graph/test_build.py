"""What rests on what: which places, entries and verdicts make an edge, and which make none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.kit.surveys import survey
from vaultgraph.domain.dependencies import Edge
from vaultgraph.domain.notes import NoteId
from vaultgraph.domain.settings import KeySettings
from vaultgraph.graph.build import Built, Known, Source, build_edges

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

CLOSED = "---\nstatus: done\n---\n"
PLAN = NoteId("Old Plan.md")


def built(vault: Path, *judged: tuple[str, str]) -> Built:
    verdicts = {(NoteId(one), NoteId(other)): Source(0.9, "j", "m") for one, other in judged}
    return build_edges(survey(vault), KeySettings(), Known(verdicts))


def brief(vault: Path, *judged: tuple[str, str]) -> list[tuple[str, str, str]]:
    return [edge[:3] for edge in built(vault, *judged).edges]


def test_links_mentions_and_entries_make_edges(make_vault: Callable[..., Path]):
    found = built(
        make_vault(
            {
                "Old Plan.md": CLOSED,
                "Linker.md": "x\n[[Old Plan]] ![[Old Plan]]\n",
                "Namer.md": "The old plan.",
                "Owner.md": '---\ndepends-on: ["[[Old Plan]]"]\nup: "[[Old Plan]]"\n---\n',
                "Proposed.md": '---\ndepends-on-proposed: ["[[Old Plan]]"]\n---\n',
                "Other.md": "[[Linker]]",
            }
        )
    )
    assert [edge[:4] for edge in found.edges] == [
        ("Linker.md", PLAN, "pointer", ((2, "embed"), (2, "wikilink"))),
        ("Namer.md", PLAN, "pointer", ((1, "mention"),)),
        ("Owner.md", PLAN, "confirmed", ((2, "depends-on"), (3, "property:up"))),
        ("Proposed.md", PLAN, "proposed", ((2, "depends-on-proposed"),)),
    ]
    assert (found.rejected, found.private) == (0, 0)


def test_a_pointer_leads_from_a_live_note_to_a_closed_one_and_a_dependency_anywhere(
    make_vault: Callable[..., Path],
):
    needs = '---\ndepends-on: "[[{}]]"\nstatus: {}\n---\n[[{}]]'
    vault = make_vault(
        {
            "Old Plan.md": CLOSED,
            "Live.md": needs.format("Basis", "active", "Old Plan"),
            "Basis.md": "[[Live]]",
            "Ended.md": needs.format("Basis", "done", "Old Plan"),
        }
    )
    assert brief(vault) == [
        ("Ended.md", "Basis.md", "confirmed"),
        ("Live.md", "Basis.md", "confirmed"),
        ("Live.md", "Old Plan.md", "pointer"),
    ]


def test_the_surest_of_what_is_known_counts(make_vault: Callable[..., Path]):
    both = '---\ndepends-on: "[[Basis]]"\ndepends-on-proposed: "[[Basis]]"\n---\n'
    vault = make_vault(
        {
            "Basis.md": "",
            "Both.md": both,
            "Proposed.md": '---\ndepends-on-proposed: "[[Basis]]"\n---\n',
            "Judged.md": "",
        }
    )
    pairs = [(name, "Basis.md") for name in ("Both.md", "Proposed.md", "Judged.md")]
    assert brief(vault, *pairs) == [
        ("Both.md", "Basis.md", "confirmed"),
        ("Judged.md", "Basis.md", "judged"),
        ("Proposed.md", "Basis.md", "proposed"),
    ]


def test_a_verdict_brings_its_score_and_the_lines_that_speak_of_the_basis(
    make_vault: Callable[..., Path],
):
    (edge,) = built(make_vault({"A.md": "\n[[B]]", "B.md": "[[A]]"}), ("A.md", "B.md")).edges
    assert edge == Edge(
        NoteId("A.md"), NoteId("B.md"), "judged", ((2, "wikilink"),), 0.9, "j", "m", ""
    )


@pytest.mark.parametrize("kept", ["", 'depends-on-proposed: "[[Old Plan]]"\n'])
def test_a_rejection_outweighs_all_but_an_acceptance(make_vault: Callable[..., Path], kept: str):
    rejected = 'depends-on-rejected: ["[[old plan|x]]"]\n'
    found = built(
        make_vault(
            {
                "Old Plan.md": CLOSED,
                "No.md": f"---\n{rejected}{kept}---\n[[Old Plan]]",
                "Both.md": f'---\n{rejected}depends-on: "[[Old Plan]]"\n---\n[[Old Plan]]',
            }
        ),
        ("No.md", "Old Plan.md"),
    )
    assert [edge[:3] for edge in found.edges] == [("Both.md", PLAN, "confirmed")]
    assert found.rejected == 1


def test_records_and_reports_depend_on_nothing(make_vault: Callable[..., Path]):
    needs = 'depends-on: "[[Old Plan]]"\n---\n[[Old Plan]] [[Report]]'
    vault = make_vault(
        {
            "Old Plan.md": CLOSED,
            "2024-05-01.md": f"---\n{needs}",
            "Report.md": f"---\nvaultgraph-report: true\nstatus: done\n{needs}",
            "On a report.md": '---\ndepends-on: "[[Report]]"\n---\n',
            "On a record.md": '---\ndepends-on: "[[2024-05-01]]"\n---\n',
        }
    )
    assert brief(vault) == [("On a record.md", "2024-05-01.md", "confirmed")]


def test_private_notes_are_counted_and_not_named(make_vault: Callable[..., Path]):
    found = built(
        make_vault(
            {
                "Old Plan.md": CLOSED,
                "Secret.md": "---\nprivate: true\n---\n[[Old Plan]]",
                "Secret End.md": "---\nprivate: true\nstatus: done\n---\n",
                "Open.md": "[[Secret End]]",
            }
        )
    )
    assert found.edges == ()
    assert found.private == 2


def test_a_note_does_not_rest_on_itself(make_vault: Callable[..., Path]):
    vault = make_vault({"Plan.md": '---\nstatus: done\ndepends-on: "[[Plan]]"\n---\n[[Plan]]'})
    assert brief(vault) == []


def test_an_entry_by_a_bare_name_counts(make_vault: Callable[..., Path]):
    vault = make_vault({"Old Plan.md": CLOSED, "x.md": "---\ndepends-on:\n- Old Plan\n---\n"})
    assert brief(vault) == [("x.md", "Old Plan.md", "confirmed")]


def test_a_verdict_on_a_note_that_is_gone_makes_no_edge(make_vault: Callable[..., Path]):
    assert brief(make_vault({"A.md": ""}), ("A.md", "B.md"), ("B.md", "A.md")) == []
