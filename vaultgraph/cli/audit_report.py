"""``vaultgraph audit report``: what the sample says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from vaultgraph.cli.audit_parts import Name, audits_of, survey_of
from vaultgraph.cli.options import Json
from vaultgraph.cli.output import err, out, shown

if TYPE_CHECKING:
    from vaultgraph.flows.audits import Audits


def report(
    ctx: typer.Context,
    name: Name,
    write: Annotated[
        bool, typer.Option("--write", help="Also write it as Markdown into the audit's folder.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Say what the labels allow one to say, and what not."""
    from vaultgraph.audit.events import reported_event
    from vaultgraph.audit.verify import REPORT_FILE
    from vaultgraph.flows.audit_names import AuditNames
    from vaultgraph.flows.audit_report import make_report, report_document
    from vaultgraph.flows.audit_report_text import PICTURE_FILE, report_lines, report_picture

    audits = audits_of(ctx)
    verified, made = audits.drawn(name)
    names = AuditNames(survey_of(ctx))
    head = verified.head
    if write:
        head = audits.append(name, [reported_event(len(verified.history.labels))])
    found = make_report(
        verified,
        made,
        _abandoned(audits, name),
        head,
        names=names,
        remembered=audits.ledger.read().events,
    )
    if write:
        picture = f"![Every share with its interval]({PICTURE_FILE})"
        text = "\n".join([*report_lines(found), "", picture, ""])
        for file, content in ((REPORT_FILE, text), (PICTURE_FILE, report_picture(found))):
            audits.kept.write(name, file, content.encode("utf-8", "backslashreplace"))
            err().line(f"written: .vaultgraph/audits/{shown(name)}/{file}")
    if as_json:
        out().json(report_document(found))
        return
    for line in report_lines(found):
        heading = line.startswith("#")
        text = shown(line.lstrip("# ") if heading else line)
        out().line((text, "bold") if heading else text, indent=2)


def _abandoned(audits: Audits, name: str) -> list[tuple[str, str]]:
    """Return the other audits that were given up: whoever reads one should know of them."""
    found = [(other, audits.verify(other).history) for other in audits.kept.names()]
    return [
        (other, history.abandoned)
        for other, history in found
        if other != name and history.abandoned is not None
    ]
