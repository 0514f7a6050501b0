"""Vaults with proposals that wait, and decisions made in one way or another."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from tests.kit.vaults import write_file
from tests.kit.writing import judged, ledger_events, old_vault, propose
from vaultgraph.cli.wiring import (
    GlobalOptions,
    decision_logs_of,
    note_writer_of,
    writing_context_of,
)
from vaultgraph.effects.clock import SystemClock
from vaultgraph.effects.undo import take_back
from vaultgraph.flows.notice_decisions import Notice, look_for_decisions, notice_decisions
from vaultgraph.flows.review import ReviewOptions, Sitting

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

Pair = tuple[str, str, float]


def waiting_vault(root: Path, files: Mapping[str, str | bytes], *pairs: Pair) -> Path:
    """Make a vault in which ``propose`` has written each pair."""
    vault = old_vault(root, files)
    judged(vault, *pairs)
    done = propose(vault).ok().json
    assert len(done["proposed"]) == len(pairs), done
    return vault


def notice(vault: Path, *, remember: bool = True) -> Notice:
    ctx: Any = SimpleNamespace(obj=GlobalOptions(vault))
    look = notice_decisions if remember else look_for_decisions
    return look(writing_context_of(ctx), decision_logs_of(ctx))


def sit(vault: Path, options: ReviewOptions | None = None) -> Sitting:
    """Begin a sitting as the command does, without its screen."""
    ctx: Any = SimpleNamespace(obj=GlobalOptions(vault))
    context = writing_context_of(ctx)
    writer = note_writer_of(ctx)
    return Sitting(
        context,
        notice_decisions(context, decision_logs_of(ctx)),
        options or ReviewOptions(),
        SystemClock(),
        lambda run: take_back(writer, run),
    )


def log_line(dependent: str, basis: str, decision: str, at: str, **more: Any) -> dict[str, Any]:
    """Return a line as the Templater script writes it."""
    pair = {"dependent": dependent, "basis": basis}
    return {"schema": 1, "at": at, "decision": decision, **pair, **more}


def log(vault: Path, device: str, *lines: dict[str, Any] | str) -> None:
    """Let the Templater script have logged these lines on a device."""
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path = vault / ".vaultgraph" / "decisions" / f"{device}.jsonl"
    write_file(path, "".join(f"{text}\n" for text in texts))


def decided(vault: Path) -> list[dict[str, Any]]:
    """Return the payloads of all decisions in the ledger."""
    return [e["payload"] for e in ledger_events(vault) if e["event"] == "decided"]


def brief(vault: Path) -> list[tuple[str, str, str, str]]:
    """Return dependent, basis, decision and where of all decisions in the ledger."""
    return [(d["dependent"], d["basis"], d["decision"], d["where"]) for d in decided(vault)]
