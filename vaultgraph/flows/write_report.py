"""``stale --write-note``: the report becomes a note, or takes the place of an earlier report."""

from __future__ import annotations

from pathlib import PurePath, PurePosixPath
from typing import TYPE_CHECKING

from vaultgraph.domain.notes import NoteId
from vaultgraph.domain.writing import PlannedWrite, digest_of
from vaultgraph.errors import InputError, UsageError
from vaultgraph.flows.report_note import report_text
from vaultgraph.flows.writing import notes_listed
from vaultgraph.graph.exports.markdown import link_to
from vaultgraph.text.prose import to_nfc
from vaultgraph.vault.note import NoteReader
from vaultgraph.vault.properties import REPORT_KEY
from vaultgraph.vault.resolve import LinkIndex

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultgraph.domain.dependencies import Finding
    from vaultgraph.flows.context import Context
    from vaultgraph.flows.stale import StaleReport


def plan_report(
    context: Context, report: StaleReport, findings: Sequence[Finding], written: str
) -> PlannedWrite:
    """Return the write that makes the note ``written`` names the report of these findings.

    Raises:
        UsageError: it names no visible note of the vault.
        InputError: there is another note, or one that cannot be read.
    """
    os_path = _path_in_vault(context, written)
    listing = context.vault.list_files()
    note = NoteId(to_nfc(os_path))
    file = notes_listed(listing).get(note)
    # The report's own name counts: a note of that name needs its folder in a link from now on.
    index = LinkIndex(sorted({*(one.path for one in listing.files), note}))
    vault = PurePath(context.root).name
    text = report_text(report, findings, lambda to: link_to(to, note, index, vault))
    # Half a character, as a name on disk may hold, is in no UTF-8.
    new = text.encode(errors="replace")
    if file is None:
        return PlannedWrite(note, os_path, digest_of(b""), new, (REPORT_KEY,), "create")
    try:
        data = context.vault.read_bytes(file)
    except OSError as error:
        raise InputError(
            f"{written} cannot be read: {error.strerror}", hint="name another note"
        ) from None
    if not NoteReader(context.settings).read(data).facts.is_report:
        raise InputError(
            f"{written} is there, and is no report that vaultgraph wrote",
            hint="name another note, or one that is not there yet",
        )
    return PlannedWrite(note, file.os_path, digest_of(data), new, (REPORT_KEY,))


def _path_in_vault(context: Context, written: str) -> str:
    """Return the path of a note, from the top of the vault, with its ending."""
    path = PurePath(written)
    if path.is_absolute():
        try:
            path = path.relative_to(context.root)
        except ValueError:
            path = PurePath("..")
    plain = PurePosixPath(path.as_posix())
    if not plain.name or any(part.startswith(".") for part in plain.parts):
        raise UsageError(
            f"{written} is no visible note of the vault",
            hint="give its path from the top of the vault, such as Reports/Stale.md",
        )
    name = plain.as_posix()
    return name if name.lower().endswith(".md") else f"{name}.md"
