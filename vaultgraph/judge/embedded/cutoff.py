"""Which of a vault's scores are strong enough to propose: the strongest few, by rank.

A ranker has no natural threshold, so the first run of a vault sets one, and it then stays: a
second run proposes nothing more, and one new note changes no other's fate.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def choose_cutoff(scores: Iterable[float], *, notes: int, cap: float, floor: float) -> float:
    """Return the lowest score to propose, so that at most ``cap`` per hundred notes reach it.

    It is never below ``floor``. Equal scores are proposed together or not at all, and may leave
    the cap unused. ``notes`` is how many notes take part in pairs.
    """
    strong = sorted((score for score in scores if score >= floor), reverse=True)
    most = math.ceil(notes * cap / 100)
    if len(strong) <= most:
        return floor
    last_out = strong[most]
    kept = [score for score in strong[:most] if score > last_out]
    return kept[-1] if kept else math.nextafter(last_out, math.inf)
