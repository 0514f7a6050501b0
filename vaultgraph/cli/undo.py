"""``vaultgraph undo`` and ``vaultgraph runs``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from vaultgraph.cli.asking import confirmed
from vaultgraph.cli.options import Json
from vaultgraph.cli.output import Output, err, out, shown
from vaultgraph.cli.wiring import context_of, note_writer_of, writing_context_of
from vaultgraph.cli.written import (
    count,
    exit_after,
    name_of,
    print_outcomes,
    print_recovered,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from vaultgraph.domain.notes import NoteId
    from vaultgraph.domain.writing import RunInfo, UndoPlan, UndoReport

_NOTES_SHOWN = 20


def undo(
    ctx: typer.Context,
    run: Annotated[
        str | None, typer.Argument(help="A run from 'vaultgraph runs'; default: the last.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be given back, and write nothing.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    as_json: Json = False,
) -> None:
    """Give back what stood in the notes before a write run, where nobody edited since."""
    from vaultgraph.effects.undo import plan_undo
    from vaultgraph.effects.undo import undo as take_back
    from vaultgraph.flows.open_proposals import write_open_proposals
    from vaultgraph.flows.writing import private_notes

    writer = note_writer_of(ctx)
    if dry_run:
        private = private_notes(context_of(ctx))
        plan = plan_undo(writer, run)
        if as_json:
            out().json(_plan_document(plan, private))
        else:
            _print_plan(out(), plan, private)
        return
    # First of all: with settings that cannot be read nothing is written.
    context = writing_context_of(ctx)
    plan = plan_undo(writer, run)
    private = private_notes(context.reading)
    if not yes:
        # The plan is not part of the one object that ``--json`` prints.
        stream = err() if as_json else out()
        _print_plan(stream, plan, private)
        question = f"Give back {count(len(plan.restorable), 'note')}?"
        if plan.restorable and not confirmed(question, yes=False):
            stream.line("Nothing was written.")
            return
    report = take_back(writer, plan.run.run)
    # By its own bytes of before, a note may be private again.
    private |= private_notes(context_of(ctx))
    stream = out()
    if as_json:
        stream.json(_undo_document(report, private))
    else:
        stream.line(f"run {report.undone} is taken back")
        print_outcomes(stream, report.writing, private)
        if report.edited_since:
            err().note("Notes that were edited since keep what they hold.")
    write_open_proposals(context)
    exit_after(report.writing)


def _print_plan(stream: Output, plan: UndoPlan, private: Collection[NoteId]) -> None:
    run = plan.run
    stream.line(
        (f"run {run.run}", "bold"),
        f" ({shown(run.command)}, {_local(run.started)}):"
        f" {count(len(plan.restorable), 'note')} would hold again what stood there before",
        indent=2,
    )
    _print_names(stream, plan.restorable, private)
    if plan.edited_since:
        number = count(len(plan.edited_since), "note")
        stream.line((f"{number} edited since, left alone", "yellow"), indent=2)
        _print_names(stream, plan.edited_since, private)


def _print_names(stream: Output, notes: Sequence[NoteId], private: Collection[NoteId]) -> None:
    for note in notes[:_NOTES_SHOWN]:
        stream.line(f"  {shown(name_of(note, private))}", indent=4)
    if len(notes) > _NOTES_SHOWN:
        stream.note(f"  … {count(len(notes) - _NOTES_SHOWN, 'more note')}")


def _plan_document(plan: UndoPlan, private: Collection[NoteId]) -> dict[str, Any]:
    return {
        "undone": plan.run.run,
        "run": None,
        "restored": [name_of(note, private) for note in plan.restorable],
        "edited_since": [name_of(note, private) for note in plan.edited_since],
        "refused": [],
    }


def _local(when: datetime) -> str:
    return when.astimezone().strftime("%Y-%m-%d %H:%M")


def _undo_document(report: UndoReport, private: Collection[NoteId]) -> dict[str, Any]:
    def name(note: NoteId) -> str:
        return name_of(note, private)

    return {
        "undone": report.undone,
        "run": report.writing.run,
        "restored": [name(note) for note in report.restored],
        "edited_since": [name(note) for note in report.edited_since],
        "refused": [
            {"path": name(o.note), "line": 0, "code": o.kind, "text": o.reason}
            for o in report.writing.outcomes
            if o.kind in {"refused", "busy"}
        ],
    }


def runs(
    ctx: typer.Context,
    prune: Annotated[
        bool, typer.Option("--prune", help="Drop the kept bytes of old runs; they stay listed.")
    ] = False,
    days: Annotated[int, typer.Option(min=0, help="With --prune: older than so many days.")] = 90,
    as_json: Json = False,
) -> None:
    """List the runs that wrote to notes, newest last."""
    from vaultgraph.effects.undo import list_runs
    from vaultgraph.effects.undo import prune as drop

    writer = note_writer_of(ctx)
    stream = out()
    if prune:
        pruned = drop(writer.folders, writer.clock, older_than_days=days)
        if as_json:
            stream.json({"pruned": list(pruned.runs), "freed_bytes": pruned.freed})
            return
        stream.line(f"{count(len(pruned.runs), 'run')} pruned, {pruned.freed:,} bytes freed")
        return
    print_recovered(writer.recover())
    listed = list_runs(writer.folders)
    if as_json:
        stream.json({"runs": [_document(info) for info in listed]})
        return
    for info in listed:
        when = _local(info.started)
        stream.line(
            (f"{info.run:>6}", "bold"),
            f"  {when}  {count(info.written, 'note'):>11}  {shown(info.command)}",
            ("".join(f"  {remark}" for remark in _remarks(info)), "dim"),
            indent=8,
        )
    if not listed:
        stream.line("No run has written to a note of this vault from this machine.")


def _remarks(info: RunInfo) -> list[str]:
    return [
        words
        for is_so, words in (
            (info.is_undone, "undone"),
            (info.undoes is not None, f"takes back {info.undoes}"),
            (info.was_cut_off, "was cut off"),
            (info.is_pruned, "pruned, cannot be undone"),
        )
        if is_so
    ]


def _document(info: RunInfo) -> dict[str, Any]:
    return {
        "run": info.run,
        "command": info.command,
        "started": info.started.isoformat(),
        "finished": info.finished.isoformat() if info.finished else None,
        "device": info.device,
        "undoes": info.undoes,
        "written": info.written,
        "pruned": info.is_pruned,
        "cut_off": info.was_cut_off,
        "undone": info.is_undone,
    }
