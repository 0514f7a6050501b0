"""Candidate pairs as a judge is given them."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

import pytest

from tests.kit.surveys import context
from vaultgraph.domain.notes import NoteId
from vaultgraph.flows.pairs import PairMaker
from vaultgraph.flows.survey import survey_vault

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from vaultgraph.domain.judging import JudgedPair

FILES = {
    "Cache Layer.md": "---\nstatus: active\naliases: [The Store, Hot Shelf]\n---\n\nFast. \n",
    "Rate Limiter.md": (
        "---\r\nup: '[[Cache Layer]]'\r\n---\r\n# Rate Limiter\r\n\r\nstatus:: dead\r\n"
        "Uses the [[cache layer]].\r\nAnd the hot shelf, [[Cache Layer|again]].\r\n"
    ),
    "Bare.md": "See [[Cache Layer]].",
    "Broken.md": b"[[Cache Layer]] \xff",
    "2026-03-04.md": "[[Cache Layer]]",
    "Secret.md": "---\nprivate: true\n---\n[[Cache Layer]]",
}


@pytest.fixture
def make(make_vault: Callable[..., Path]) -> Callable[[str, str], JudgedPair | None]:
    opened = context(make_vault(FILES))
    survey = survey_vault(opened.vault, opened.notes, opened.settings)
    pairs = PairMaker(opened, survey)
    number = {note: at for at, note in enumerate(survey.notes)}
    return lambda first, second: pairs.pair(number[NoteId(first)], number[NoteId(second)])


def test_bodies_titles_aliases_and_lines_within_the_bodies(make):
    pair = make("Cache Layer.md", "Rate Limiter.md")
    first, second = pair.first, pair.second
    assert (first.note, first.title) == ("Cache Layer.md", "Cache Layer")
    assert sorted(first.aliases) == ["hot shelf", "the store"]
    assert (second.title, second.aliases) == ("Rate Limiter", ())
    # The property in line 2 of the file counts as evidence, but is no line of the body.
    assert (pair.first_lines, pair.second_lines) == ((), (4, 5))
    lines = second.body.split("\n")
    assert "cache layer" in lines[3]
    assert "hot shelf" in lines[4]


def test_no_property_and_no_status_field_is_left(make):
    pair = make("Cache Layer.md", "Rate Limiter.md")
    assert "status" not in pair.first.body + pair.second.body
    assert "dead" not in pair.second.body
    assert "aliases" not in pair.first.body


def test_a_note_without_a_block_keeps_its_line_numbers(make):
    assert make("Bare.md", "Cache Layer.md").first_lines == (1,)


def test_the_hash_is_of_the_body_in_the_file(make_vault):
    found = []
    for name, block in (("one", ""), ("two", "---\nstatus: done\n---\n")):
        opened = context(make_vault({"A.md": f"{block}Text of [[B]].\n", "B.md": ""}, name))
        survey = survey_vault(opened.vault, opened.notes, opened.settings)
        pairs = PairMaker(opened, survey)
        judged, pair = pairs.judged(0, 1), pairs.pair(0, 1)
        assert pair is not None
        assert judged == ("A.md", "B.md", pair.first.body_hash, pair.second.body_hash)
        found.append((judged, pairs.looked_at(0, 1)))
    assert found[0] == found[1]
    assert found[0][0][2] == sha256(b"Text of [[B]].\n").hexdigest()


def test_what_is_looked_at_holds_names_and_places(make_vault):
    def looked_at(name: str, files: dict) -> tuple:
        opened = context(make_vault(files, name))
        survey = survey_vault(opened.vault, opened.notes, opened.settings)
        pairs = PairMaker(opened, survey)
        return pairs.judged(0, 1), pairs.looked_at(0, 1)

    files = {"A.md": "Of [[B]], the red shed.\n\nThe red shed.\n", "B.md": "x\n"}
    plain = looked_at("plain", files)
    aliased = looked_at("aliased", {**files, "B.md": "---\naliases: [Red Shed]\n---\nx\n"})
    status = '[status]\nkeys = ["phase"]\n'
    configured = looked_at("configured", {**files, ".vaultgraph/config.toml": status})
    assert plain[0] == aliased[0] == configured[0]
    assert len({plain[1], aliased[1], configured[1]}) == 3


@pytest.mark.parametrize("other", ["2026-03-04.md", "Broken.md", "Secret.md"])
def test_records_unreadable_and_private_notes_make_no_pair(make, other):
    assert make(*sorted(("Cache Layer.md", other))) is None


def test_a_note_that_went_away_makes_no_pair(make_vault):
    vault = make_vault(FILES)
    opened = context(vault)
    survey = survey_vault(opened.vault, opened.notes, opened.settings)
    pairs = PairMaker(opened, survey)
    (vault / "Cache Layer.md").unlink()
    bare, cache = (survey.notes.index(NoteId(f"{name}.md")) for name in ("Bare", "Cache Layer"))
    for look in (pairs.judged, pairs.looked_at, pairs.pair):
        assert look(bare, cache) is None
