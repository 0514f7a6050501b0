"""``vaultgraph undo`` and ``vaultgraph runs``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from vaultgraph.cli.options import Json
from vaultgraph.cli.output import err, out, shown
from vaultgraph.cli.wiring import note_writer_of, writing_context_of
from vaultgraph.cli.written import (
    count,
    exit_after,
    name_of,
    print_outcomes,
    print_recovered,
)

if TYPE_CHECKING:
    from collections.abc import Collection

    from vaultgraph.domain.notes import NoteId
    from vaultgraph.domain.writing import RunInfo, UndoReport


def undo(
    ctx: typer.Context,
    run: Annotated[
        str | None, typer.Argument(help="A run from 'vaultgraph runs'; default: the last.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Give back what stood in the notes before a write run, where nobody edited since."""
    from vaultgraph.effects.undo import undo as take_back
    from vaultgraph.flows.open_proposals import write_open_proposals
    from vaultgraph.flows.writing import private_notes

    # First of all: with settings that cannot be read nothing is written.
    context = writing_context_of(ctx)
    report = take_back(note_writer_of(ctx), run)
    private = private_notes(context.reading)
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
        when = info.started.astimezone().strftime("%Y-%m-%d %H:%M")
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
