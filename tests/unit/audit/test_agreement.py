"""Agreement and kappa, against statsmodels and numbers worked out by hand."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import cohens_kappa

from vaultgraph.audit.agreement import cohen_kappa, estimate_agreement
from vaultgraph.audit.intervals import wilson

LABELS = ("depends", "does-not", "unsure")
PAIRS = [("y", "y")] * 20 + [("y", "n")] * 5 + [("n", "y")] * 10 + [("n", "n")] * 15


def test_kappa_by_hand():
    # 0.7 agree; chance is 0.5 * 0.6 + 0.5 * 0.4 = 0.5.
    assert cohen_kappa(PAIRS) == pytest.approx(0.4)


@settings(max_examples=100)
@given(st.lists(st.tuples(st.sampled_from(LABELS), st.sampled_from(LABELS)), min_size=1))
def test_kappa_is_that_of_statsmodels(pairs):
    counts = Counter(pairs)
    table = [[counts[one, other] for other in LABELS] for one in LABELS]
    found = cohen_kappa(pairs)
    if len({label for pair in pairs for label in pair}) == 1:
        assert found is None
    else:
        assert found == pytest.approx(cohens_kappa(table, return_results=False), abs=1e-12)


def test_agreement_has_both_intervals():
    found = estimate_agreement(PAIRS, 400, 0.95, "s")
    assert (found.share.value, found.share.n, found.share.population) == (0.7, 50, 400)
    assert (found.share.low, found.share.high) == wilson(35, 50, 0.95)
    # The large-sample interval of this table; a bootstrap of 50 units lies near it.
    table = cohens_kappa([[20, 5], [10, 15]])
    assert found.kappa.low == pytest.approx(table.kappa_low, abs=0.04)
    assert found.kappa.high == pytest.approx(table.kappa_upp, abs=0.04)
    assert found == estimate_agreement(PAIRS, 400, 0.95, "s")


def test_kappa_is_undefined_where_one_label_occurs():
    found = estimate_agreement([("y", "y")] * 9, 9, 0.95, "s").kappa
    assert (found.value, found.low, found.high) == (None, None, None)
    assert found.method == "undefined: one label only occurs"


def test_nothing_to_compare():
    found = estimate_agreement([], 9, 0.95, "s")
    assert found.share.value is found.kappa.value is None
    assert found.share.method == found.kappa.method == "nothing counted"
