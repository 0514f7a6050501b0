"""Attention checks for a sitting."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from vaultgraph.cli.judge_parts import embedded_judge
from vaultgraph.cli.output import err
from vaultgraph.cli.written import count
from vaultgraph.flows.attention import choose_checks

if TYPE_CHECKING:
    from vaultgraph.flows.notice_decisions import Notice
    from vaultgraph.flows.writing import WritingContext
    from vaultgraph.review.queue import Item


def choose(context: WritingContext, notice: Notice, wanted: int) -> list[Item]:
    """Return checks that the reviewer cannot foresee; says so where there are fewer."""
    events = context.ledger.read().events
    judge = embedded_judge(context.reading.settings.judge)
    found = choose_checks(context.reading, notice, events, judge, wanted, os.urandom(16).hex())
    if len(found) < wanted:
        err().note(f"{count(len(found), 'attention check')}: no other pair scores so low")
    return found
