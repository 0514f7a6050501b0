"""Builds what a command needs from what stands on the command line: the only place that does."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vaultgraph.cli.output import err, shown

if TYPE_CHECKING:
    from vaultgraph.effects.decisions_file import DecisionLogs
    from vaultgraph.effects.ledger import Ledger
    from vaultgraph.effects.state_folder import LocalFolders
    from vaultgraph.effects.writer import NoteWriter
    from vaultgraph.flows.context import Context
    from vaultgraph.flows.writing import WritingContext


@dataclass(frozen=True, slots=True)
class GlobalOptions:
    """The options before the command."""

    vault: Path | None


def vault_root(options: GlobalOptions) -> Path:
    """Return the vault's folder; raises ``InputError`` where there is none."""
    from vaultgraph.effects.disk import find_vault

    return find_vault(options.vault, os.environ, Path.cwd())


def open_context(
    options: GlobalOptions, *, cache: bool = True, jobs: int | None = None
) -> Context:
    """Return a vault ready to be read."""
    from vaultgraph.effects.cache_folder import open_cache
    from vaultgraph.effects.config_file import read_settings
    from vaultgraph.effects.disk import DiskVault
    from vaultgraph.effects.note_store import NoteStore
    from vaultgraph.effects.state_folder import local_folders
    from vaultgraph.flows.context import Context

    root = vault_root(options)
    vault = DiskVault(root)
    stream = err()
    folders = local_folders(root)
    _warn_of_open_runs(folders)
    notes = NoteStore(
        vault,
        open_cache=(lambda: open_cache(folders.cache)) if cache else None,
        jobs=jobs,
        warn=lambda text: stream.line(("warning: ", "yellow"), shown(text)),
        progress=stream.note if stream.is_terminal else None,
    )
    return Context(os.fspath(root), vault, notes, read_settings(root))


def _warn_of_open_runs(folders: LocalFolders) -> None:
    """Tell of a run that was cut off: a note may be torn, and a reading command repairs none."""
    if not folders.state.is_dir():
        return
    from vaultgraph.effects.journal import Journal

    if Journal(folders.state).open_names():
        text = "a write run was cut off; vaultgraph runs settles what it left"
        err().line(("warning: ", "yellow"), text)


def context_of(ctx: Any, *, cache: bool = True, jobs: int | None = None) -> Context:  # noqa: ANN401
    """Return what a command's Typer context stands for."""
    return open_context(ctx.obj, cache=cache, jobs=jobs)


def note_writer_of(ctx: Any) -> NoteWriter:  # noqa: ANN401
    """Return the one writer of this vault's notes."""
    from vaultgraph.effects.clock import SystemClock
    from vaultgraph.effects.state_folder import local_folders
    from vaultgraph.effects.writer import NoteWriter

    root = vault_root(ctx.obj)
    return NoteWriter(root, local_folders(root), SystemClock())


def ledger_of(ctx: Any) -> Ledger:  # noqa: ANN401
    """Return this vault's memory."""
    from vaultgraph.effects.clock import SystemClock
    from vaultgraph.effects.ledger import Ledger
    from vaultgraph.effects.state_folder import local_folders

    root = vault_root(ctx.obj)
    return Ledger(root, local_folders(root), SystemClock())


def decision_logs_of(ctx: Any) -> DecisionLogs:  # noqa: ANN401
    """Return what the Templater script logged in this vault, on all devices."""
    from vaultgraph.effects.decisions_file import DecisionLogs

    return DecisionLogs(vault_root(ctx.obj))


def writing_context_of(ctx: Any, *, cache: bool = True) -> WritingContext:  # noqa: ANN401
    """Return what a command's Typer context stands for, ready to write as well.

    What a run that was cut off had left is settled first, so that no torn note is read.
    """
    from vaultgraph.cli.written import print_recovered
    from vaultgraph.effects.own_files import OwnFiles
    from vaultgraph.flows.writing import WritingContext

    writer = note_writer_of(ctx)
    print_recovered(writer.recover())
    reading = context_of(ctx, cache=cache)
    return WritingContext(reading, writer, ledger_of(ctx), OwnFiles(writer.vault))


def looking_context_of(ctx: Any, *, cache: bool = True) -> WritingContext:  # noqa: ANN401
    """Return the vault ready to be looked at: not even what a crash left is settled."""
    from vaultgraph.effects.own_files import OwnFiles
    from vaultgraph.flows.writing import WritingContext

    writer = note_writer_of(ctx)
    return WritingContext(
        context_of(ctx, cache=cache), writer, ledger_of(ctx), OwnFiles(writer.vault)
    )
