"""Which sections of a basis changed since its dependents were last looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultgraph.flows.writing import files_by_note
from vaultgraph.text.frontmatter import split_note
from vaultgraph.text.prose import to_nfc
from vaultgraph.text.sections import changed_sections

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from vaultgraph.domain.dependencies import Finding, Seen
    from vaultgraph.flows.context import Context
    from vaultgraph.proposals.decide import Directed


def with_sections(
    findings: Iterable[Finding], seen: Mapping[Directed, Seen], context: Context
) -> tuple[Finding, ...]:
    """Return the findings, each suspect with the sections that changed, where that is known."""
    files = files_by_note(context)
    bodies: dict[str, str | None] = {}

    def body_of(finding: Finding) -> str | None:
        basis = finding.basis
        if basis not in bodies:
            try:
                text = context.vault.read_bytes(files[basis]).decode(errors="replace")
            except (KeyError, OSError):
                bodies[basis] = None
            else:
                bodies[basis] = split_note(text).body
        return bodies[basis]

    def named(finding: Finding) -> Finding:
        was = seen[finding.note, finding.basis].sections
        body = body_of(finding) if was else None
        if body is None:
            return finding
        return finding._replace(sections=tuple(map(to_nfc, changed_sections(was, body))))

    return tuple(one if one.state != "suspect" else named(one) for one in findings)
