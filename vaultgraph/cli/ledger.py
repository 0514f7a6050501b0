"""``vaultgraph ledger``."""

from __future__ import annotations

from collections import Counter

import typer

from vaultgraph.cli.options import Json
from vaultgraph.cli.output import err, out, shown
from vaultgraph.cli.wiring import ledger_of
from vaultgraph.cli.written import count
from vaultgraph.errors import EXIT_FINDINGS

ledger = typer.Typer(help="The vault's memory of what was judged, proposed and written.")


@ledger.command()
def verify(ctx: typer.Context, as_json: Json = False) -> None:
    """Check every device's hash chain; exits with 1 where one is broken."""
    reading = ledger_of(ctx).read()
    devices = Counter(event.device for event in reading.events)
    stream = out()
    if as_json:
        stream.json(
            {
                "devices": dict(sorted(devices.items())),
                "events": len(reading.events),
                "problems": [problem._asdict() for problem in reading.problems],
            }
        )
    else:
        for device, number in sorted(devices.items()):
            stream.line(f"{shown(device)}  {count(number, 'event')}")
        for problem in reading.problems:
            line = f":{problem.line}" if problem.line else ""
            err().line(
                ("problem  ", "yellow"), f"{shown(problem.path)}{line}: {shown(problem.text)}"
            )
        if not reading.problems:
            stream.line((f"{count(len(reading.events), 'event')}, every chain whole", "green"))
    if reading.problems:
        raise typer.Exit(EXIT_FINDINGS)


@ledger.callback()
def prepare() -> None:
    """Look into the vault's memory."""
