"""Decisions made elsewhere, noticed by whatever command writes to the ledger next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultgraph.cli.output import err, shown

if TYPE_CHECKING:
    from vaultgraph.flows.notice_decisions import Notice, ReadsDecisionLogs
    from vaultgraph.flows.writing import WritingContext


def noticed(context: WritingContext, logs: ReadsDecisionLogs) -> Notice:
    """Return what was decided elsewhere, remembered where the vault can be written to."""
    from vaultgraph.errors import InputError
    from vaultgraph.flows.notice_decisions import look_for_decisions

    notice = look_for_decisions(context, logs)
    try:
        context.ledger.append(notice.events)
    except InputError as error:
        err().line(("warning: ", "yellow"), shown(f"not remembered: {error.message}"))
    return notice
