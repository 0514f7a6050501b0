"""What a size buys."""

from __future__ import annotations

import pytest

from vaultgraph.audit.intervals import exact_upper
from vaultgraph.audit.sample_size import size_for_bound, size_for_width, width_of


def test_twenty_labels_near_two_thirds_are_38_points_wide():
    assert width_of(0.65, 20, 0.95) == pytest.approx(0.386, abs=0.001)


@pytest.mark.parametrize(("bound", "n"), [(0.01, 299), (0.05, 59), (0.15, 19), (0.001, 2995)])
def test_no_hit_in_n_bounds_the_share(bound, n):
    # 1 - 0.05^(1/n) <= bound; tables of zero-failure tests hold these n.
    assert size_for_bound(bound, 0.95) == n
    assert exact_upper(0, n, 0.95) <= bound < exact_upper(0, n - 1, 0.95)


@pytest.mark.parametrize("width", [0.5, 0.2, 0.1, 0.02])
@pytest.mark.parametrize("share", [0.5, 0.1])
def test_a_width_is_reached_and_not_with_one_less(width, share):
    n = size_for_width(width, 0.95, share)
    assert width_of(share, n, 0.95) <= width < width_of(share, n - 1, 0.95)


def test_twenty_points_take_93():
    # Wilson at one half: z^2 (1 / width^2 - 1), 92.2.
    assert size_for_width(0.2, 0.95) == 93
