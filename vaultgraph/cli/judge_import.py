"""Takes over verdicts from a person's list or another tool."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultgraph.cli.output import err, out, shown
from vaultgraph.cli.reading import read_given_file
from vaultgraph.cli.written import count

if TYPE_CHECKING:
    from pathlib import Path

    from vaultgraph.flows.writing import WritingContext

_LINES_SHOWN = 20


def import_file(context: WritingContext, path: Path, *, as_json: bool) -> None:
    """Remember the verdicts in a file, and say which lines were not taken over."""
    from vaultgraph.flows.import_verdicts import import_document, import_verdicts

    report = import_verdicts(context, read_given_file(path, "the verdicts"))
    stream = out()
    if as_json:
        stream.json(import_document(report))
        return
    taken = count(len(report.verdicts), "verdict")
    stream.line(f"{taken} taken over, {report.known:,} known already")
    _print_refused(report.refused)


def _print_refused(refused: list[tuple[int, str]]) -> None:
    stream = err()
    if refused:
        stream.line((f"{count(len(refused), 'line')} not taken over", "yellow"))
    for line, text in refused[:_LINES_SHOWN]:
        stream.line(f"  line {line}: {shown(text)}", indent=4)
    if len(refused) > _LINES_SHOWN:
        stream.note(f"  … {len(refused) - _LINES_SHOWN:,} more: --json lists all")
