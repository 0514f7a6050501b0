"""``vaultgraph audit``: the steps of an audit that only need its folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from vaultgraph.cli.audit_label import label
from vaultgraph.cli.audit_parts import Name, audits_of, survey_of
from vaultgraph.cli.audit_plan import plan
from vaultgraph.cli.audit_report import report
from vaultgraph.cli.options import Json
from vaultgraph.cli.output import err, out, shown
from vaultgraph.cli.reading import read_given_file
from vaultgraph.cli.written import count
from vaultgraph.errors import InputError, IntegrityError

if TYPE_CHECKING:
    from vaultgraph.audit.verify import Verified

audit = typer.Typer(
    help="Samples drawn by a rule fixed beforehand: how far to trust what the vault says."
)


@audit.callback()
def prepare() -> None:
    """Measure with a sample that was fixed before anybody looked."""


audit.command()(plan)


@audit.command()
def lock(ctx: typer.Context, name: Name) -> None:
    """Fix a registration: from now on every change of it shows."""
    from vaultgraph.flows.audit_names import AuditNames

    head = audits_of(ctx).lock(name, AuditNames(survey_of(ctx)))
    out().line((f"locked {shown(name)}", "green"), f"; head {head}")
    err().line(f"next: vaultgraph audit draw {shown(name)}")


@audit.command()
def draw(ctx: typer.Context, name: Name) -> None:
    """Draw the sample by its seed; drawn again it is the same."""
    drawn = audits_of(ctx).draw(name)
    for stratum, units in drawn.items():
        out().line(f"{shown(stratum)}: {count(len(units), 'unit')} drawn")
    err().line(f"next: vaultgraph audit label {shown(name)}")


audit.command()(label)
audit.command()(report)


@audit.command()
def merge(
    ctx: typer.Context,
    name: Name,
    file: Annotated[
        Path, typer.Argument(help="JSON lines with unit and label, or another copy's ledger.")
    ],
    labeller: Annotated[str, typer.Option("--as", help="Who gave these labels.")],
) -> None:
    """Take labels from a file, of another person or from elsewhere."""
    content = read_given_file(file, "the label file")
    merged = audits_of(ctx).merge(name, content, labeller, str(file))
    known = f", {merged.known} known already" if merged.known else ""
    out().line(f"{count(merged.taken, 'label')} of {shown(labeller)} taken{known}")


@audit.command()
def abandon(
    ctx: typer.Context,
    name: Name,
    why: Annotated[str, typer.Option(help="The reason, which every later report shows.")],
) -> None:
    """Give an audit up, for everybody to see."""
    audits_of(ctx).abandon(name, why)
    out().line(f"abandoned {shown(name)}: {shown(why)}")


@audit.command()
def verify(
    ctx: typer.Context,
    name: Annotated[
        str, typer.Argument(metavar="NAME|FOLDER", help="An audit, or a copy of one.")
    ],
    head: Annotated[
        str | None, typer.Option(metavar="HASH", help="A head noted elsewhere.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Check an audit against its lock; exits with 6 if it differs."""
    verified = _verified(ctx, name, head)
    if as_json:
        out().json(_verify_document(verified))
    else:
        for fault in verified.faults:
            err().line(
                ("differs  ", "bold red"), f"{shown(fault.where)}: {shown(fault.text)}", indent=9
            )
        _print_whole(verified)
    if verified.faults:
        raise typer.Exit(IntegrityError.exit_code)


def _verified(ctx: typer.Context, name: str, head: str | None) -> Verified:
    from vaultgraph.audit.verify import Head, verify_audit
    from vaultgraph.effects.audit_folder import read_folder
    from vaultgraph.flows.audits import is_audit_name

    heads = (Head("--head", head.strip().lower()),) if head else ()
    if not is_audit_name(name) and Path(name).is_dir():
        files = read_folder(Path(name))
        if all(part is None for part in files[1:]):
            raise InputError(f"{name} is no audit's folder", hint="it holds registration.toml")
        return verify_audit(files, heads)
    return audits_of(ctx).verify(name, *heads)


def _print_whole(verified: Verified) -> None:
    history = verified.history
    if not verified.faults:
        steps = (
            f"{count(len(verified.chain.lines), 'line')}, {count(len(history.labels), 'label')}"
        )
        state = "" if history.locked else "; not locked yet, so nothing is fixed"
        out().line((f"{shown(verified.name)} is whole", "green"), f": {steps}{state}")
    out().line(f"head {verified.head}")
    if verified.heads:
        where = ", ".join(head.where for head in verified.heads)
        err().line(f"compared with the head in: {shown(where)}")
    else:
        err().line(
            "no head was at hand: a folder put back to an earlier state of itself would pass;"
            " give --head HASH"
        )


def _verify_document(verified: Verified) -> dict[str, Any]:
    return {
        "audit": verified.name,
        "whole": not verified.faults,
        "locked": verified.history.locked is not None,
        "head": verified.head,
        "compared": [head._asdict() for head in verified.heads],
        "faults": [fault._asdict() for fault in verified.faults],
    }


@audit.command(name="list")
def list_audits(ctx: typer.Context, as_json: Json = False) -> None:
    """List the audits, how far each is, and whether it is whole."""
    audits = audits_of(ctx)
    rows = [_row(audits.verify(name)) for name in audits.kept.names()]
    if as_json:
        out().json({"audits": rows})
        return
    for row in rows:
        state = "differs from its lock" if row["faults"] else row["state"]
        out().line(
            f"{shown(row['audit'])}  {row['kind'] or '?'}  {row['labels']} of {row['size']}"
            f" labelled  {state}"
        )
    if not rows:
        err().line("No audit yet; vaultgraph audit plan makes one.")


def _row(verified: Verified) -> dict[str, Any]:
    history, made = verified.history, verified.registration
    first = history.labellers[0] if history.labellers else ""
    if history.abandoned is not None:
        state = "abandoned"
    elif history.drawn:
        state = "drawn"
    else:
        state = "locked" if history.locked else "planned"
    labels = len(history.labels_of(first))
    if state == "drawn" and labels == len(history.units):
        state = "labelled"
    return {
        "audit": verified.name,
        "kind": made.kind if made else None,
        "state": state,
        "labels": labels,
        "size": made.size if made else 0,
        "units": made.units if made else 0,
        "head": verified.head,
        "why": history.abandoned,
        "faults": len(verified.faults),
    }
