"""Draws: fixed examples, the laws of tickets, and that pairs are drawn evenly."""

from __future__ import annotations

import subprocess
import tracemalloc
from itertools import combinations, islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultgraph.audit.pair_draw import count_others, draw_pairs, iter_pairs
from vaultgraph.audit.tickets import draw_units, ticket_of
from vaultgraph.audit.units import UnitId, notes_of, parse_unit, unit_line

_UNITS = st.sets(st.text(min_size=1, max_size=12).map(UnitId), max_size=30)
_SEEDS = st.text(min_size=1, max_size=12)


def test_a_ticket_is_what_sha256sum_prints():
    seed, unit = "snow ☃ 🎈", UnitId('Über/A \\ B.md\nC\'s "note".md')
    printed = subprocess.run(
        ["sh", "-c", 'printf \'%s\\n%s\' "$0" "$1" | sha256sum', seed, unit],
        capture_output=True,
        check=True,
    )
    assert printed.stdout.decode().split()[0] == ticket_of(seed, unit)


def test_a_draw_is_this_one_for_ever():
    units = [UnitId(f"Note {number}.md") for number in range(100)]
    assert ticket_of("🎈", units[0]) == (
        "e5c28a263b39ee2293c24c6ddd96a438bed25bcf8865763f12cb7c60690977af"
    )
    assert draw_units("🎈", units, 4) == ("Note 28.md", "Note 18.md", "Note 94.md", "Note 91.md")


@given(units=_UNITS, seed=_SEEDS, size=st.integers(0, 30), more=st.integers(0, 10))
def test_order_does_not_matter_and_a_larger_draw_begins_with_the_smaller(units, seed, size, more):
    drawn = draw_units(seed, sorted(units), size)
    assert draw_units(seed, sorted(units, reverse=True), size) == drawn
    assert draw_units(seed, units, size + more)[: len(drawn)] == drawn
    assert len(drawn) == min(size, len(units))


@given(units=_UNITS, further=st.text(min_size=1).map(UnitId), seed=_SEEDS, size=st.integers(1, 9))
def test_a_further_unit_only_inserts_itself(units, further, seed, size):
    drawn = draw_units(seed, units, size)
    with_it = draw_units(seed, units | {further}, size)
    rest = tuple(unit for unit in with_it if unit != further)
    assert rest == drawn[: len(rest)]


@given(st.text().map(UnitId))
def test_a_unit_is_one_line_and_comes_back(unit):
    line = unit_line(unit)
    assert not {"\n", "\t", "\r"} & set(line)
    assert parse_unit(line) == unit


def test_an_escape_that_is_never_written_is_refused():
    with pytest.raises(ValueError, match="holds"):
        parse_unit("a\\x41")


def test_pairs_that_are_no_candidates_all_come_up_and_no_other():
    notes = [UnitId(f"{letter}.md") for letter in "abcdefgh"]
    every = {f"{one}\n{other}" for one, other in combinations(notes, 2)}
    candidates = {UnitId("a.md\nb.md"), UnitId("c.md\nh.md")}
    drawn = draw_pairs("seed", notes, candidates, 26)
    assert set(drawn) == every - candidates
    assert len(drawn) == 26 == count_others(8, 2)
    assert draw_pairs("seed", notes, candidates, 5) == drawn[:5]
    assert all(first < second for first, second in map(notes_of, drawn))
    with pytest.raises(ValueError, match="27"):
        draw_pairs("seed", notes, candidates, 27)


def test_pairs_are_drawn_evenly():
    # 12 notes: 66 pairs, 66,000 draws, a thousand each expected. The 0.999 quantile of
    # chi-square with 65 degrees of freedom is 105.99 (NIST/SEMATECH e-Handbook 1.3.6.7.4).
    counts = dict.fromkeys(combinations(range(12), 2), 0)
    pairs = iter_pairs("evenly", 12)
    for _ in range(66_000):
        counts[next(pairs)] += 1
    chi_square = sum((seen - 1000) ** 2 / 1000 for seen in counts.values())
    assert 31 < chi_square < 105.99


def test_numbers_that_would_favour_the_first_notes_are_rejected():
    # Of 3 * 2^62 notes the first 2^62 would come up twice as often as the rest.
    notes = 3 << 62
    numbers = [n for pair in islice(iter_pairs("s", notes), 3_000) for n in pair]
    assert sum(n < 1 << 62 for n in numbers) / len(numbers) == pytest.approx(1 / 3, abs=0.03)


def test_a_billion_pairs_take_no_memory():
    notes = [UnitId(f"{number:05}.md") for number in range(50_000)]
    tracemalloc.start()
    drawn = draw_pairs("flat", notes, frozenset(), 300)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(set(drawn)) == 300
    assert count_others(50_000, 0) == 1_249_975_000
    assert peak < 1_000_000
