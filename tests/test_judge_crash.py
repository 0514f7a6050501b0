"""A killed run of a judge loses at most the calls under way, and asks nothing twice."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from tests.kit.judge_kills import JudgeKills

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs signals of POSIX")


@pytest.mark.parametrize("seed", [1, 2])
def test_killed_at_any_moment(tmp_path: Path, seed: int):
    kills = JudgeKills(tmp_path, pairs=400, seed=seed)
    kills.go(6)
    # The test is worth something only if runs were killed on their way.
    assert kills.killed == 6
    assert sum(kills.repeated) > 0
