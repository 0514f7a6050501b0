"""Builds what a command needs from what stands on the command line: the only place that does."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vaultgraph.cli.output import err, shown

if TYPE_CHECKING:
    from vaultgraph.flows.context import Context


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
    notes = NoteStore(
        vault,
        open_cache=(lambda: open_cache(local_folders(root).cache)) if cache else None,
        jobs=jobs,
        warn=lambda text: stream.line(("warning: ", "yellow"), shown(text)),
        progress=stream.note if stream.is_terminal else None,
    )
    return Context(os.fspath(root), vault, notes, read_settings(root))


def context_of(ctx: Any, *, cache: bool = True, jobs: int | None = None) -> Context:  # noqa: ANN401
    """Return what a command's Typer context stands for."""
    return open_context(ctx.obj, cache=cache, jobs=jobs)
