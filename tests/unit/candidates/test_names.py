"""Which names count: from two words on, or four CJK characters, and shared by three at most."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from vaultgraph.candidates.names import collect_names, is_specific
from vaultgraph.domain.settings import NameSettings

if TYPE_CHECKING:
    from vaultgraph.domain.notes import Name


def names(
    titles: list[str], aliases: dict[int, list[str]] | None = None, **settings: object
) -> dict[str, Name]:
    found = collect_names(titles, aliases or {}, NameSettings(**settings))  # type: ignore[arg-type]
    return {name.folded: name for name in found.names}


@pytest.mark.parametrize(
    ("folded", "counts"),
    [
        ("pipeline", False),
        ("rate limiter", True),
        ("a b", True),
        ("rate-limiter", False),
        ("搬家清单", True),
        ("搬家单", False),
        ("日记 一", True),
        ("obsidian双链", True),
        ("abc中", True),
        ("한국어의", True),
        ("ab中", False),
        ("résumé", False),
    ],
)
def test_two_words_or_four_characters(folded: str, counts: bool):
    assert is_specific(folded, 2) is counts


@pytest.mark.parametrize(
    ("minimum", "folded", "counts"),
    [
        (1, "pipeline", True),
        (3, "rate limiter", False),
        (3, "a rate limiter", True),
        (3, "搬家清单", True),
    ],
)
def test_the_minimum_can_be_set(minimum: int, folded: str, counts: bool):
    assert is_specific(folded, minimum) is counts


def test_titles_and_aliases_are_names():
    found = names(["Rate Limiter", "Home"], {1: ["Front Door", "Start"]})
    assert {folded: name.owners for folded, name in found.items()} == {
        "rate limiter": (0,),
        "front door": (1,),
    }
    assert found["front door"].written == "Front Door"


def test_spellings_are_one_name():
    found = names(["Rate Limiter", "x/RATE  limiter"[2:], "a"], {2: ["rate\u00a0limiter"]})
    assert found["rate limiter"].owners == (0, 1, 2)
    assert found["rate limiter"].written == "Rate Limiter"


def test_a_note_that_has_a_name_twice_has_it_once():
    assert names(["Rate Limiter"], {0: ["rate limiter", "Rate Limiter"]})[
        "rate limiter"
    ].owners == (0,)


def test_three_may_share_a_name_and_four_may_not():
    assert names(["A B"] * 3)["a b"].counts
    shared = names(["A B"] * 4)["a b"]
    assert not shared.counts
    assert shared.owners == (0, 1, 2, 3)


def test_ambiguous_names_are_listed():
    found = collect_names(["A B", "A B", "C D"], {2: ["A B"], 1: ["E F"]}, NameSettings())
    assert [name.folded for name in found.ambiguous()] == ["a b"]


def test_ignored_names_make_no_evidence_in_any_spelling():
    found = names(["Next Steps", "Plan Résumé"], ignore=("next  STEPS", "PLAN RE\u0301SUME\u0301"))
    assert [name.counts for name in found.values()] == [False, False]


def test_names_are_sorted():
    found = collect_names(["B b", "A a", "C c"], {}, NameSettings())
    assert [name.folded for name in found.names] == ["a a", "b b", "c c"]
