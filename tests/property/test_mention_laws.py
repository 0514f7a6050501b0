"""Law 7: mentions found are the mentions a naive search finds,
and none stand where no prose is."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.kit.naive import Sheet, naive_mentions
from tests.property.notes import names, sheets
from vaultgraph.candidates.mentions import Matcher, Probe
from vaultgraph.domain.settings import Settings
from vaultgraph.text.prose import fold_name
from vaultgraph.vault.note import NoteReader


def found_in(text: str, known: list[str]) -> list[tuple[str, int]]:
    note = NoteReader(Settings()).read(text.encode())
    assert note.facts.is_readable
    mentions = Matcher([fold_name(name) for name in known]).find(note.prose)
    return [(known[mention.name], mention.line + note.lines_before) for mention in mentions]


@st.composite
def cases(draw: st.DrawFn) -> tuple[list[str], Sheet]:
    known = draw(names)
    return known, draw(sheets(known))


@given(cases())
def test_what_a_naive_search_finds(case: tuple[list[str], Sheet]):
    known, sheet = case
    assert found_in(sheet.text, known) == naive_mentions(known, sheet)


@given(cases())
def test_line_ends_and_a_byte_order_mark_make_no_difference(case: tuple[list[str], Sheet]):
    known, sheet = case
    plain = found_in(sheet.text, known)
    assert found_in(sheet.text.replace("\n", "\r\n"), known) == plain
    assert found_in(f"\ufeff{sheet.text}", known) == plain
    assert found_in(sheet.text.replace("\n", "\r\n") + "\r\n", known) == plain


@given(cases(), st.randoms(use_true_random=False))
def test_the_order_of_the_names_makes_no_difference(case: tuple[list[str], Sheet], random):
    known, sheet = case
    shuffled = list(known)
    random.shuffle(shuffled)
    assert found_in(sheet.text, shuffled) == found_in(sheet.text, known)


@given(cases())
def test_a_name_that_stands_nowhere_takes_nothing_from_the_others(case: tuple[list[str], Sheet]):
    known, sheet = case
    more = [*known, "zz unheard of", f"{known[0]} zz unheard of"]
    assert found_in(sheet.text, more) == found_in(sheet.text, known)


@given(cases())
def test_no_note_is_passed_over_that_holds_a_name(case: tuple[list[str], Sheet]):
    known, sheet = case
    held = {name for name, _ in found_in(sheet.text, known)}
    for name in known:
        may_find = Probe([fold_name(name)]).may_find
        assert not may_find(b"- 0.")
        assert not may_find("- 0 \u2013.".encode())
        if name in held:
            assert may_find(sheet.text.encode())
    assert not held or Probe([fold_name(name) for name in known]).may_find(sheet.text.encode())
