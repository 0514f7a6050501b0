from __future__ import annotations

import pytest

from tests.kit.pictures import PICTURE, hostile_picture
from vaultgraph.graph.exports.mermaid import (
    MAXIMUM_EDGES,
    escaped,
    fits_mermaid,
    mermaid_text,
)
from vaultgraph.graph.picture import Picture, picture_of

EXPECTED = """\
flowchart LR
    n1["Apartment Checklist<br/>stale"]
    n2(["Furniture to Sell<br/>at risk"])
    n3{{"Relocation Plan<br/>ended 2026-03-10#58; we stay in Porto"}}
    n4["Cover Letter<br/>handled"]
    n5[["Portfolio Plan<br/>superseded 2026-02-01"]]
    n6["Portfolio"]
    n7("Quote Template<br/>suspect")
    n8["Rates"]
    n1 ==>|confirmed| n3
    n2 -->|judged 0.93| n1
    n4 -->|proposed 0.81| n5
    n7 ==>|confirmed| n8
    n8 -.->|pointer| n6
    n5 -.->|became| n6
    classDef stale fill:#fbdfd8,stroke:#b93a1c,color:#1f2328,stroke-width:3px
    class n1 stale
    classDef suspect fill:#fcecc5,stroke:#9a6700,color:#1f2328,stroke-width:3px
    class n7 suspect
    classDef at-risk fill:#fdf8dc,stroke:#a3912a,color:#1f2328,stroke-dasharray:5 3
    class n2 at-risk
    classDef superseded fill:#e6e3f7,stroke:#6150b0,color:#1f2328
    class n5 superseded
    classDef ended fill:#e2e4e8,stroke:#4d5663,color:#1f2328,stroke-dasharray:5 3
    class n3 ended
    classDef handled fill:#dcefe3,stroke:#2b7a4b,color:#1f2328
    class n4 handled
    classDef live fill:#ffffff,stroke:#8a93a0,color:#1f2328
    class n6,n8 live
"""


def test_a_flowchart_says_who_rests_on_whom_and_how_that_is_known():
    assert mermaid_text(PICTURE) == EXPECTED


def test_in_a_note_the_labels_are_bare_titles_that_obsidian_links():
    lines = mermaid_text(PICTURE, is_in_note=True).splitlines()
    assert lines[1:5] == [
        '    n1["Apartment Checklist"]',
        '    n2(["Furniture to Sell"])',
        '    n3{{"Relocation Plan"}}',
        '    n4["Cover Letter"]',
    ]
    assert lines[-1] == "    class n1,n2,n3,n4,n5,n6,n7,n8 internal-link"


def test_nothing_to_draw_is_a_flowchart_too():
    assert mermaid_text(Picture((), (), (), ())) == "flowchart LR\n"
    assert mermaid_text(Picture((), (), (), ()), is_in_note=True) == "flowchart LR\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Budget 2026 (draft), v1.2", "Budget 2026 (draft), v1.2"),
        ("1. first", "1#46; first"),
        ("- second", "#45; second"),
        ('a "b" #35; <i>&amp;', "a #34;b#34; #35;35#59; #60;i#62;#38;amp#59;"),
        ("a\nb\u2028c", "a\ufffdb\ufffdc"),
        ("   ", " "),
        ("帮 😀 שלום", "帮 😀 שלום"),
    ],
)
def test_a_label_is_shown_as_it_is(text: str, expected: str):
    assert escaped(text) == expected


def test_every_line_of_a_hostile_picture_is_one_of_ours():
    lines = mermaid_text(hostile_picture()).splitlines()
    assert lines[0] == "flowchart LR"
    assert all(line.startswith(("    n", "    class ", "    classDef ")) for line in lines[1:])


def test_what_mermaid_would_refuse_is_known():
    one = PICTURE.edges[0]
    just = picture_of([one] * MAXIMUM_EDGES, (), {})
    assert fits_mermaid(just, mermaid_text(just))
    more = picture_of([one] * (MAXIMUM_EDGES + 1), (), {})
    assert not fits_mermaid(more, mermaid_text(more))
    assert not fits_mermaid(PICTURE, "x" * 50_001)
