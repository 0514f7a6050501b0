"""``vaultgraph export``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from vaultgraph.cli.options import Jobs, NoCache
from vaultgraph.cli.output import err, shown
from vaultgraph.cli.wiring import context_of, ledger_of, vault_root
from vaultgraph.cli.written import count
from vaultgraph.errors import UsageError

if TYPE_CHECKING:
    from vaultgraph.flows.export import Export, Scope
    from vaultgraph.graph.exports.formats import Format

_STDOUT = "-"


def export(
    ctx: typer.Context,
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="What to write; its ending says the format: .html .canvas .mmd .md .dot .graphml"
            " .json. - is standard output.",
        ),
    ],
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="NAME",
            help="html, canvas, mermaid, markdown, dot, graphml or json, whatever the ending.",
        ),
    ] = None,
    scope: Annotated[
        str | None,
        typer.Option(
            metavar="WHICH",
            help="stale: what no longer stands, and why (default). pointers: also bare pointers at"
            " closed notes. all: every dependency (default with --note).",
        ),
    ] = None,
    note: Annotated[
        str | None, typer.Option(metavar="NOTE", help="Only around this note.")
    ] = None,
    depth: Annotated[int, typer.Option(min=1, max=50, help="So many steps around the note.")] = 1,
    folder: Annotated[
        str | None, typer.Option(metavar="DIR", help="Only notes below this folder of the vault.")
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Write over a file that vaultgraph did not write.")
    ] = False,
    no_cache: NoCache = False,
    jobs: Jobs = None,
) -> None:
    """Draw what rests on what: a page to explore, a canvas, Mermaid, DOT, GraphML or JSON."""
    from vaultgraph.flows.export import Wanted, find_picture
    from vaultgraph.graph.exports.formats import is_ours

    chosen = _format(file, form)
    wanted_scope = _scope(scope, is_around=note is not None)
    root = vault_root(ctx.obj)
    if file != _STDOUT:
        _refuse_note(root, Path(file))
    context = context_of(ctx, cache=not no_cache, jobs=jobs)
    made = find_picture(context, ledger_of(ctx), Wanted(wanted_scope, note, depth, folder))
    text = _text(chosen, made, root)
    if file == _STDOUT:
        sys.stdout.write(text)
    else:
        from vaultgraph.effects.export_file import write_export

        may_replace = None if force else lambda content: is_ours(chosen, content)
        write_export(Path(file), text.encode("utf-8", "replace"), may_replace)
    _tell(file, made, chosen, text, wanted_scope)


def _format(file: str, name: str | None) -> Format:
    from vaultgraph.graph.exports.formats import FORMATS, SUFFIXES, format_of

    if name is not None:
        for form in FORMATS:
            if name.lower() == form:
                return form
        raise UsageError(f"no format is called {name}", hint=f"there are: {', '.join(FORMATS)}")
    found = format_of(file)
    if found is None:
        what = (
            "standard output has no ending" if file == _STDOUT else f"{file} has no known ending"
        )
        raise UsageError(
            f"{what} that says the format",
            hint=f"end it in {' '.join(SUFFIXES)}, or give --format",
        )
    return found


def _scope(name: str | None, *, is_around: bool) -> Scope:
    from vaultgraph.flows.export import SCOPES

    if name is None:
        return "all" if is_around else "stale"
    for scope in SCOPES:
        if name.lower() == scope:
            return scope
    raise UsageError(f"no scope is called {name}", hint=f"there are: {', '.join(SCOPES)}")


def _refuse_note(root: Path, file: Path) -> None:
    """Raise where the file would become a note of the vault, which would then be read as one."""
    target = file.resolve()
    if target.suffix.lower() == ".md" and target.is_relative_to(root.resolve()):
        raise UsageError(
            f"{file} would be a note of the vault",
            hint="write a .canvas, or a file outside the vault",
        )


def _text(form: Format, made: Export, root: Path) -> str:
    from vaultgraph.flows.export_document import json_text, picture_document
    from vaultgraph.graph.exports.formats import picture_text

    if form == "json":
        return json_text(made)
    if form == "html":
        from vaultgraph.effects.page_files import read_page_parts
        from vaultgraph.graph.exports.html import html_text

        vault = root.resolve().name
        return html_text(made.picture, picture_document(made), read_page_parts(), vault=vault)
    return picture_text(form, made.picture)


def _tell(file: str, made: Export, form: Format, text: str, scope: Scope) -> None:
    """Say what was written, and what a person may have wanted instead."""
    from vaultgraph.graph.exports.mermaid import fits_mermaid

    stream = err()
    picture = made.picture
    where = "standard output" if file == _STDOUT else file
    notes = count(len(picture.nodes), "note")
    dependencies = count(len(picture.edges), "dependency", "dependencies")
    stream.note(f"{shown(where)}: {notes}, {dependencies}")
    if not picture.nodes and scope != "all":
        stream.line("nothing is stale here; --scope all draws every dependency")
    if form in {"mermaid", "markdown"} and not fits_mermaid(picture, text):
        stream.line(
            ("warning: ", "yellow"),
            "Mermaid draws no picture this large; give --folder or --note, or write .html",
            indent=9,
        )
