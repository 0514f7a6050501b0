"""What the commands of ``vaultgraph audit`` have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from vaultgraph.cli.wiring import context_of, ledger_of, vault_root

if TYPE_CHECKING:
    from vaultgraph.domain.survey import Survey
    from vaultgraph.flows.audits import Audits

Name = Annotated[str, typer.Argument(metavar="NAME", help="The audit's name.")]


def audits_of(ctx: Any) -> Audits:  # noqa: ANN401 - Typer vendors click's types
    """Return the audits of this vault."""
    from vaultgraph.effects.audit_folder import AuditFolders
    from vaultgraph.effects.clock import SystemClock
    from vaultgraph.effects.state_folder import local_folders
    from vaultgraph.flows.audits import Audits

    root = vault_root(ctx.obj)
    return Audits(AuditFolders(root, local_folders(root), SystemClock()), ledger_of(ctx))


def survey_of(ctx: Any) -> Survey:  # noqa: ANN401 - likewise
    """Return the vault as it is now."""
    from vaultgraph.flows.survey import survey_vault

    context = context_of(ctx)
    return survey_vault(context.vault, context.notes, context.settings)
