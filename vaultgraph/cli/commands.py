"""The commands, and where each is; one is imported when it is run, or when all are listed."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import typer

from vaultgraph.cli.boundary import BoundaryGroup

#: In the order in which they are listed: the module of each below ``vaultgraph.cli``, where its
#: name there is not the module's own.
COMMANDS: dict[str, str] = {
    "init": "init",
    "scan": "scan",
    "why": "why",
    "judge": "judge",
    "propose": "propose",
    "review": "review",
    "stale": "stale",
    "show": "show",
    "origin": "origin",
    "export": "export",
    "resolve": "resolve",
    "ack": "ack",
    "undo": "undo",
    "runs": "undo",
    "calibrate": "calibrate",
    "doctor": "doctor",
    "audit": "audit",
    "ledger": "ledger",
    "obsidian": "obsidian",
}


class _Commands(dict[str, Any]):
    """The commands by name; each is made when it is first asked for.

    To import them all and to read what each takes costs a quarter of a short run.
    """

    def __init__(self) -> None:
        super().__init__(dict.fromkeys(COMMANDS))

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401 - Typer vendors click's types
        made = super().__getitem__(name)
        if made is None:
            made = self[name] = _make(name)
        return made

    def get(self, name: str, default: Any = None) -> Any:  # noqa: ANN401
        if name not in self:
            return default
        return self[name]

    def values(self) -> Any:  # noqa: ANN401
        self._make_all()
        return super().values()

    def items(self) -> Any:  # noqa: ANN401
        self._make_all()
        return super().items()

    def _make_all(self) -> None:
        for name in self:
            self[name]


def _make(name: str) -> Any:  # noqa: ANN401
    found = getattr(import_module(f"vaultgraph.cli.{COMMANDS[name]}"), name)
    alone = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False)
    if isinstance(found, typer.Typer):
        alone.add_typer(found, name=name)
    else:
        alone.command(name=name)(found)
    return typer.main.get_group(alone).commands[name]


class CommandGroup(BoundaryGroup):
    """All commands."""

    def __init__(self, **options: Any) -> None:  # noqa: ANN401
        super().__init__(**options)
        self.commands = _Commands()
