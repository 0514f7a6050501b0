"""Stale, suspect, at risk and handled: what each of them is, by graphs of letters.

Capital letters are notes; ``"AB"`` is the edge by which A depends on B.
"""

from __future__ import annotations

import pytest

from tests.kit.graphs import accepted, acknowledged, edge, standing
from vaultgraph.domain.dependencies import Edge, Finding
from vaultgraph.domain.notes import Closing, NoteId
from vaultgraph.graph.findings import Standing, find_findings

ENDED = Closing("ended", "status: done", on="2026-02-27")


def found(edges: list[Edge], at: Standing) -> list[tuple[str, str, str]]:
    return [(f.state, "".join(f.path), f.level) for f in find_findings(edges, at)]


def test_a_live_note_that_depends_on_a_closed_one_is_stale():
    edges = [edge("AX"), edge("BX", "judged", 0.8), edge("CX", "proposed"), edge("DX", "pointer")]
    assert found([*edges, edge("AB")], standing("X")) == [
        ("stale", "AX", "confirmed"),
        ("stale", "BX", "judged"),
        ("stale", "CX", "judged"),
        ("stale", "DX", "pointer"),
    ]


def test_a_finding_holds_what_its_edge_and_its_basis_say():
    one = Edge(NoteId("A"), NoteId("X"), "judged", ((3, "wikilink"),), 0.8, "j", "m")
    assert find_findings([one], standing({"X": ENDED})) == (
        Finding(
            NoteId("A"), NoteId("X"), "judged", "stale", ENDED, (NoteId("A"), NoteId("X")),
            ((3, "wikilink"),), 0.8,
        ),
    )  # fmt: skip


def test_a_closed_note_is_not_stale():
    assert found([edge("AX"), edge("BA")], standing("XA")) == [("stale", "BA", "confirmed")]


@pytest.mark.parametrize("level", ["confirmed", "proposed", "judged", "pointer"])
def test_a_successor_may_name_what_it_replaced_at_any_level(level):
    closing = Closing("superseded", "superseded-by", successors=(NoteId("N"),))
    edges = [edge("NX", level), edge("MN")]
    assert found(edges, standing({"X": closing})) == []


def test_a_note_is_suspect_where_its_basis_was_changed_since_it_was_seen():
    seen = {("A", "B"): accepted("B"), ("C", "B"): acknowledged("B"), ("D", "E"): accepted("E")}
    edges = [edge("AB"), edge("CB"), edge("DE"), edge("FB")]
    assert found(edges, standing(changed="B", seen=seen)) == [
        ("suspect", "AB", "confirmed"),
        ("suspect", "CB", "confirmed"),
    ]


def test_what_was_never_seen_or_cannot_be_read_makes_no_suspect():
    seen = {("A", "B"): accepted("B")._replace(basis_hash="")}
    assert found([edge("AB")], standing(changed="B", seen=seen)) == []
    unreadable = standing(seen={("A", "B"): accepted("B")})._replace(hash_of=lambda _: "")
    assert found([edge("AB")], unreadable) == []


def test_a_note_is_at_risk_along_the_shortest_way_and_the_first_by_name():
    edges = [edge(pair) for pair in ("ZX", "BZ", "CZ", "AC", "AB", "DA", "DZ")]
    assert found(edges, standing("X")) == [
        ("stale", "ZX", "confirmed"),
        ("at-risk", "ABZX", "confirmed"),
        ("at-risk", "BZX", "confirmed"),
        ("at-risk", "CZX", "confirmed"),
        ("at-risk", "DZX", "confirmed"),
    ]


def test_risk_passes_no_pointer_and_no_closed_note_and_none_comes_from_a_pointer():
    edges = [edge("ZX", "pointer"), edge("AZ"), edge("YX"), edge("BY", "pointer"), edge("CQ")]
    assert found([*edges, edge("QY")], standing("XQ")) == [
        ("stale", "CQ", "confirmed"),
        ("stale", "YX", "confirmed"),
        ("stale", "ZX", "pointer"),
    ]


def test_a_way_is_as_sure_as_its_least_sure_step():
    edges = [edge("ZX"), edge("BZ", "judged", 0.7), edge("AB")]
    assert found(edges, standing("X"))[1:] == [
        ("at-risk", "ABZX", "judged"),
        ("at-risk", "BZX", "judged"),
    ]


def test_what_is_stale_itself_is_not_at_risk_as_well():
    assert [row[1] for row in found([edge("ZX"), edge("AZ"), edge("AX")], standing("X"))] == [
        "AX",
        "ZX",
    ]


class TestHandled:
    """The last ``ack`` counts; where there is none, ``reviewed:`` from the closing day on."""

    def test_an_ack_of_the_basis_as_it_is(self):
        seen = {("A", "X"): acknowledged("X", "ended")}
        assert found([edge("AX"), edge("BA")], standing("X", seen=seen)) == [
            ("handled", "AX", "confirmed")
        ]

    def test_an_ack_before_it_closed_by_a_status_alone(self):
        seen = {("A", "X"): acknowledged("X", "live")}
        assert found([edge("AX")], standing("X", seen=seen)) == [("stale", "AX", "confirmed")]

    def test_an_ack_before_it_was_rewritten(self):
        at = standing("X", changed="X", seen={("A", "X"): acknowledged("X", "ended")})
        assert found([edge("AX")], at) == [("stale", "AX", "confirmed")]

    def test_an_ack_before_the_dependency_was_known(self):
        seen = {("A", "B"): acknowledged("B")}
        at = standing({"X": ENDED}, seen=seen, reviewed={"A": "2026-12-31"})
        assert found([edge("AX"), edge("AB")], at) == [("stale", "AX", "confirmed")]

    def test_an_acceptance_says_that_there_is_a_dependency_and_not_that_all_is_well(self):
        seen = {("A", "X"): accepted("X")._replace(basis_state="ended")}
        assert found([edge("AX")], standing("X", seen=seen)) == [("stale", "AX", "confirmed")]

    @pytest.mark.parametrize(
        ("reviewed", "state"),
        [
            ("2026-02-26", "stale"),
            ("2026-02-27", "handled"),
            ("[[2026-03-01]]", "handled"),
            ("2026-03-01T08:00", "handled"),
            ("yes", "stale"),
            ("", "stale"),
        ],
    )
    def test_a_reviewed_date(self, reviewed: str, state: str):
        at = standing({"X": ENDED}, reviewed={"A": reviewed})
        assert found([edge("AX")], at) == [(state, "AX", "confirmed")]

    def test_a_reviewed_date_and_the_day_on_which_it_was_first_seen_closed(self):
        at = standing("X", reviewed={"A": "2026-03-01"})
        assert found([edge("AX")], at) == [("stale", "AX", "confirmed")]
        seen = at._replace(first_closed={NoteId("X"): "2026-02-28"})
        assert found([edge("AX")], seen) == [("handled", "AX", "confirmed")]

    def test_a_pointer(self):
        at = standing({"X": ENDED}, reviewed={"A": "2026-03-01"})
        assert found([edge("AX", "pointer")], at) == [("handled", "AX", "pointer")]

    def test_a_note_at_risk(self):
        seen = {("A", "Z"): acknowledged("Z")}
        edges = [edge("ZX"), edge("AZ"), edge("BA")]
        assert found(edges, standing("X", seen=seen)) == [
            ("stale", "ZX", "confirmed"),
            ("handled", "AZX", "confirmed"),
        ]

    def test_what_is_at_risk_by_another_way_is_not_handled(self):
        seen = {("A", "Z"): acknowledged("Z")}
        edges = [edge("ZX"), edge("AZ"), edge("AB"), edge("BZ")]
        assert found(edges, standing("X", seen=seen))[1:] == [
            ("at-risk", "ABZX", "confirmed"),
            ("at-risk", "BZX", "confirmed"),
        ]


def test_a_ring_is_at_risk_as_a_whole_and_ends():
    edges = [edge("AB"), edge("BC"), edge("CA"), edge("CX")]
    assert found(edges, standing("X")) == [
        ("stale", "CX", "confirmed"),
        ("at-risk", "ABCX", "confirmed"),
        ("at-risk", "BCX", "confirmed"),
    ]
    assert found(edges[:3], standing()) == []
