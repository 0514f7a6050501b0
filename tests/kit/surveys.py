"""Surveys of small vaults, made by the real flow over real files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultgraph.cli.wiring import GlobalOptions, open_context
from vaultgraph.flows.survey import survey_vault

if TYPE_CHECKING:
    from pathlib import Path

    from vaultgraph.domain.survey import Survey
    from vaultgraph.flows.context import Context


def context(vault: Path) -> Context:
    """Return a vault ready to be read, without a cache."""
    return open_context(GlobalOptions(vault), cache=False)


def survey(vault: Path) -> Survey:
    """Return the survey of a vault as it is now."""
    opened = context(vault)
    return survey_vault(opened.vault, opened.notes, opened.settings)
