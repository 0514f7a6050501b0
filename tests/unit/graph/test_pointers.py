"""Live notes that point at closed ones, and what is left out of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.kit.surveys import survey
from vaultgraph.graph.pointers import Pointers, find_pointers

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

CLOSED = "---\nstatus: done\n---\n"


def pointers(vault: Path) -> Pointers:
    return find_pointers(survey(vault), "depends-on")


def test_links_mentions_and_entries_point(make_vault: Callable[..., Path]):
    found = pointers(
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
    assert [(p.note, p.basis, p.level, p.evidence) for p in found.found] == [
        ("Owner.md", "Old Plan.md", "confirmed", ((2, "depends-on"), (3, "property:up"))),
        ("Linker.md", "Old Plan.md", "pointer", ((2, "embed"), (2, "wikilink"))),
        ("Namer.md", "Old Plan.md", "pointer", ((1, "mention"),)),
    ]
    assert (found.rejected, found.private) == (0, 0)


def test_closed_notes_records_and_reports_do_not_go_stale(make_vault: Callable[..., Path]):
    found = pointers(
        make_vault(
            {
                "Old Plan.md": CLOSED,
                "Older Plan.md": f"{CLOSED}[[Old Plan]]",
                "2024-05-01.md": "[[Old Plan]]",
                "Report.md": "---\nvaultgraph-report: true\n---\n[[Old Plan]]",
                "Archive/Note.md": "[[Old Plan]]",
            }
        )
    )
    assert found.found == ()


def test_a_successor_may_name_what_it_replaced(make_vault: Callable[..., Path]):
    found = pointers(
        make_vault(
            {
                "Old Plan.md": '---\nsuperseded-by: ["[[New Plan]]"]\n---\n',
                "New Plan.md": "Replaces [[Old Plan]].",
                "Third.md": "[[Old Plan]]",
            }
        )
    )
    assert [p.note for p in found.found] == ["Third.md"]
    assert found.found[0].closing.successors == ("New Plan.md",)


def test_a_rejection_silences_a_pointer_and_not_a_dependency(make_vault: Callable[..., Path]):
    rejected = 'depends-on-rejected: ["[[old plan|x]]"]\n'
    found = pointers(
        make_vault(
            {
                "Old Plan.md": CLOSED,
                "No.md": f"---\n{rejected}---\n[[Old Plan]]",
                "Both.md": f'---\n{rejected}depends-on: "[[Old Plan]]"\n---\n[[Old Plan]]',
            }
        )
    )
    assert [(p.note, p.level) for p in found.found] == [("Both.md", "confirmed")]
    assert found.rejected == 1


def test_private_notes_are_counted_and_not_named(make_vault: Callable[..., Path]):
    found = pointers(
        make_vault(
            {
                "Old Plan.md": CLOSED,
                "Secret.md": "---\nprivate: true\n---\n[[Old Plan]]",
                "Secret End.md": "---\nprivate: true\nstatus: done\n---\n",
                "Open.md": "[[Secret End]]",
            }
        )
    )
    assert found.found == ()
    assert found.private == 2


def test_they_are_sorted_by_basis_and_then_the_confirmed_first(make_vault: Callable[..., Path]):
    files = {f"{name} Plan.md": CLOSED for name in ("B", "A")}
    files |= {
        "z.md": '---\ndepends-on: "[[A Plan]]"\n---\n[[B Plan]]',
        "a.md": "[[A Plan]] [[B Plan]]",
    }
    assert [(p.basis, p.note) for p in pointers(make_vault(files)).found] == [
        ("A Plan.md", "z.md"),
        ("A Plan.md", "a.md"),
        ("B Plan.md", "a.md"),
        ("B Plan.md", "z.md"),
    ]


def test_an_entry_by_a_bare_name_counts(make_vault: Callable[..., Path]):
    found = pointers(
        make_vault({"Old Plan.md": CLOSED, "x.md": "---\ndepends-on:\n- Old Plan\n---\n"})
    )
    assert [(p.note, p.level) for p in found.found] == [("x.md", "confirmed")]
