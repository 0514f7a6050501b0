"""Candidate pairs and their counts, over surveys of real files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.kit.surveys import survey
from vaultgraph.candidates.pairs import (
    count_pairs,
    evidence_by_pair,
    find_pairs,
    name_shares,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

FILES = {
    "Cache Layer.md": "Feeds the Rate Limiter.\nSee [[Rate Limiter]] and [[Rate Limiter]].\n",
    "Rate Limiter.md": "---\naliases: [The Guard]\n---\nUses the cache layer.\n",
    "Token Store.md": "Behind the guard. ![[Picture.png]] [[Token Store#x]]\n",
    "Alone.md": "Nothing.\n",
    "Picture.png": "x",
    "2024-05-01.md": "The Rate Limiter; [[Cache Layer]].\n",
    "Secret.md": "---\nprivate: true\n---\n[[Cache Layer]] Rate Limiter\n",
    "Report.md": "---\nvaultgraph-report: true\n---\n[[Cache Layer]]\n",
    "Latin.md": b"[[Cache Layer]] \xe9\n",
}


def test_pairs(make_vault: Callable[..., Path]):
    found = survey(make_vault(FILES))
    ids = found.notes

    def named(pairs: set[int]) -> set[tuple[str, str]]:
        return {(ids[a], ids[b]) for a, b in (divmod(pair, len(ids)) for pair in pairs)}

    pairs = find_pairs(found)
    cache_rate = ("Cache Layer.md", "Rate Limiter.md")
    rate_token = ("Rate Limiter.md", "Token Store.md")
    assert named(pairs.linked) == {cache_rate}
    assert named(pairs.mentioned) == {cache_rate, rate_token}
    counts = count_pairs(found, pairs)
    # Four notes can pair: no record, private note, report or unreadable one.
    assert counts.possible == 6
    assert (counts.candidates, counts.linked, counts.mentioned, counts.both) == (2, 1, 2, 1)
    assert pairs.by_kind == {"wikilink": 1, "mention": 2}


def test_a_pair_counts_once_for_each_kind_of_link(make_vault: Callable[..., Path]):
    files = {
        "Up Front.md": "---\nup: '[[Out Back]]'\nnear: '[[Out Back]]'\n---\n[[Out Back]]",
        "Out Back.md": "[[Up Front]] ![[Up Front]] [x](Aside.md)",
        "Aside.md": "",
    }
    pairs = find_pairs(survey(make_vault(files)))
    assert pairs.by_kind == {"embed": 1, "markdown": 1, "property": 1, "wikilink": 1}
    assert len(pairs.linked) == 2


def test_evidence_names_lines_and_kinds(make_vault: Callable[..., Path]):
    found = survey(make_vault(FILES))
    ids = found.notes
    evidence: dict[tuple[str, str], list[tuple[str, int, str, str]]] = {
        (ids[a], ids[b]): [(ids[row.note], row.line, row.kind, row.name) for row in rows]
        for (a, b), rows in evidence_by_pair(found).items()
    }
    assert evidence[("Cache Layer.md", "Rate Limiter.md")] == [
        ("Cache Layer.md", 1, "mention", "Rate Limiter"),
        ("Cache Layer.md", 2, "wikilink", ""),
        ("Cache Layer.md", 2, "wikilink", ""),
        ("Rate Limiter.md", 4, "mention", "Cache Layer"),
    ]
    assert evidence[("Rate Limiter.md", "Token Store.md")] == [
        ("Token Store.md", 1, "mention", "The Guard")
    ]


def test_shares_of_names(make_vault: Callable[..., Path]):
    found = survey(make_vault(FILES))
    shares = {s.name: (s.pairs, s.alone) for s in name_shares(found, find_pairs(found))}
    assert shares == {"The Guard": (1, 1), "Rate Limiter": (1, 0), "Cache Layer": (1, 0)}


def test_the_noisiest_name_comes_first(make_vault: Callable[..., Path]):
    files = {f"N {n} x.md": "Next Steps: Good Idea." for n in range(3)}
    files |= {"Next Steps.md": "", "Good Idea.md": "[[N 0 x]]"}
    found = survey(make_vault(files))
    shares = name_shares(found, find_pairs(found))
    assert [share.name for share in shares] == ["Next Steps", "Good Idea"]
    assert [(share.pairs, share.alone) for share in shares] == [(3, 3), (3, 2)]


def test_a_shared_name_is_evidence_for_each_of_its_notes(make_vault: Callable[..., Path]):
    files = {
        "a/Rate Limiter.md": "",
        "b/Rate Limiter.md": "Rate Limiter",
        "x.md": "the rate limiter",
    }
    found = survey(make_vault(files))
    pairs = {(found.notes[a], found.notes[b]) for a, b in evidence_by_pair(found)}
    # What a note says about its own name is about itself.
    assert pairs == {("a/Rate Limiter.md", "x.md"), ("b/Rate Limiter.md", "x.md")}


def test_a_name_of_four_notes_means_none(make_vault: Callable[..., Path]):
    files = {f"{folder}/Rate Limiter.md": "" for folder in "abcd"} | {"x.md": "the rate limiter"}
    found = survey(make_vault(files))
    assert evidence_by_pair(found) == {}
    assert [(name, len(owners), counts) for name, owners, counts in found.ambiguous] == [
        ("Rate Limiter", 4, False)
    ]


def test_an_empty_vault(make_vault: Callable[..., Path]):
    found = survey(make_vault({}))
    pairs = find_pairs(found)
    assert count_pairs(found, pairs).possible == 0
    assert name_shares(found, pairs) == []
    assert pairs.by_kind == {}
    assert evidence_by_pair(found) == {}
