"""What a run will take, said before it begins: calls, tokens, dollars, minutes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultgraph.judge.pair_text import BYTES_PER_TOKEN

if TYPE_CHECKING:
    from collections.abc import Sequence

#: What servers add to a request: the documentation's examples count about 280 input tokens for
#: one tiny question.
_TOKENS_PER_CALL = 250
#: Reported latencies are 0.07 to 0.5 s; a small model on a laptop takes seconds.
_SECONDS_PER_CALL = {False: 0.3, True: 3.0}


class Estimate(NamedTuple):
    """What a run will take; everything but ``calls`` is a guess."""

    calls: int
    tokens: int
    #: In US dollars; ``None`` where no price is known.
    cost: float | None
    minutes: float


def estimate_tokens(request_bytes: int) -> int:
    """Return about how many input tokens a request counts as."""
    return int(request_bytes / BYTES_PER_TOKEN) + _TOKENS_PER_CALL


def cost_of(tokens: int, price: float | None) -> float | None:
    """Return what input tokens cost in US dollars, at ``price`` for a million."""
    return None if price is None else tokens * price / 1_000_000


def estimate_run(
    pairs: int,
    sampled: Sequence[Sequence[bytes]],
    *,
    price: float | None,
    concurrency: int,
    is_local: bool,
) -> Estimate:
    """Return what asking about ``pairs`` pairs will take, from the requests of a few of them."""
    if not pairs or not sampled:
        return Estimate(0, 0, cost_of(0, price), 0.0)
    calls_per_pair = sum(map(len, sampled)) / len(sampled)
    tokens_per_pair = sum(
        estimate_tokens(len(body)) for bodies in sampled for body in bodies
    ) / len(sampled)
    calls, tokens = round(pairs * calls_per_pair), round(pairs * tokens_per_pair)
    seconds = calls * _SECONDS_PER_CALL[is_local] / max(1, min(concurrency, calls))
    return Estimate(calls, tokens, cost_of(tokens, price), seconds / 60)
