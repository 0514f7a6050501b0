"""What ``propose`` shows of its plan, and of what became of it."""

from __future__ import annotations

from difflib import unified_diff
from typing import TYPE_CHECKING, Any

from vaultgraph.flows.writing import not_done
from vaultgraph.proposals.ours import scored_payload

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from vaultgraph.domain.writing import WriteReport
    from vaultgraph.flows.propose import ProposePlan
    from vaultgraph.proposals.decide import Scored
    from vaultgraph.proposals.plan import PlannedNote


def diff_of(planned: PlannedNote, mask: Callable[[str], str], *, around: int = 2) -> list[str]:
    """Return a unified diff of one note's planned edit, with so many lines around it, masked."""
    before, after = (
        [line.removesuffix("\r") for line in text.split("\n")]
        for text in (planned.before, planned.after)
    )
    lines = unified_diff(before, after, planned.note, planned.note, lineterm="", n=around)
    # As one text: a private name may go over two lines.
    return mask("\n".join(lines)).split("\n")


def changed_lines(planned: PlannedNote, mask: Callable[[str], str]) -> list[str]:
    """Return the lines that come and go in one note, each behind its sign, masked."""
    _, _, *lines = diff_of(planned, mask, around=0)
    return [line for line in lines if not line.startswith("@@")]


def propose_document(plan: ProposePlan, report: WriteReport | None) -> dict[str, Any]:
    """Return plan and outcome as ``propose --json`` documents them."""
    unwritten = () if report is None else not_done(report)
    left = {outcome.note for outcome in unwritten}

    def done(rows: Sequence[Scored]) -> list[dict[str, Any]]:
        return [scored_payload(row) for row in rows if row.dependent not in left]

    return {
        "run": None if report is None else report.run,
        "written": None if report is None else len(report.having("written")),
        "proposed": done(plan.proposed),
        "withdrawn": done(plan.withdrawn),
        "skipped": [
            *(row._asdict() for row in plan.decided.skipped),
            *(
                {**row._asdict(), "changed": list(row.changed), "reason": "a note changed since"}
                for row in plan.outdated
            ),
        ],
        "conflicts": [row._asdict() for row in plan.decided.conflicts],
        "middle": [scored_payload(row) for row in plan.decided.middle],
        "refused": [
            *(
                {"path": p.path, "line": p.line, "code": p.code, "text": p.text}
                for p in plan.refused
            ),
            *(
                {"path": outcome.note, "line": 0, "code": outcome.kind, "text": outcome.reason}
                for outcome in unwritten
            ),
        ],
        "held_back": plan.held_back,
        "private": plan.private,
        "gone": plan.gone,
    }
