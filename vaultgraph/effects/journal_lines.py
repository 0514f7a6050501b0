"""The lines of a run's journal: one before every write into a note, one after it.

The line before holds the old bytes and the new ones; with both, a torn note can be told from an
edited one. A line counts once its newline is there: what a crash left of a last line stood for a
write that had not begun.
"""

from __future__ import annotations

import base64
import json
import zlib
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from vaultgraph.domain.notes import NoteId
from vaultgraph.domain.writing import digest_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vaultgraph.domain.writing import WriteKind

#: How one write ended. ``written``: the note got the new bytes. ``dropped``: it never did.
#: ``restored``: it was torn, and got the old ones back. ``left``: somebody else wrote it.
Ending = Literal["written", "dropped", "restored", "left"]


@dataclass(frozen=True, slots=True)
class Record:
    """One write into one note, as the journal knows it."""

    number: int
    note: NoteId
    os_path: str
    keys: tuple[str, ...]
    old: bytes = field(repr=False)
    new: bytes = field(repr=False)
    #: When the write began, or when it last began to be taken back.
    at: datetime
    #: The name of the file beside the note that was to take its place; empty for writes in place.
    beside: str
    #: ``None`` while nobody knows.
    ending: Ending | None = None
    kind: WriteKind = "change"

    @property
    def left_by_us(self) -> bytes | None:
        """The digest of the bytes that our last write left in the note, if it did."""
        match self.ending:
            case "written":
                return digest_of(self.new)
            case "restored":
                return digest_of(self.old)
            case _:
                return None


def intent_line(record: Record) -> bytes:
    """Return the line that must be on disk before the note is written."""
    return _line(
        {
            "n": record.number,
            "note": record.note,
            "path": record.os_path,
            "keys": record.keys,
            "beside": record.beside,
            "kind": record.kind,
            "at": record.at.isoformat(),
            "old": digest_of(record.old).hex(),
            "new": digest_of(record.new).hex(),
            "old_size": len(record.old),
            # One after the other: the second costs next to nothing, being the first again.
            "bytes": _pack(record.old + record.new),
        }
    )


def taking_back_line(number: int, at: datetime, found: bytes) -> bytes:
    """Return the line that must be on disk before a torn note gets its old bytes back.

    It keeps what was found, should it have been somebody's after all.
    """
    return _line({"n": number, "taking_back": at.isoformat(), "found": _pack(found)})


def ending_line(number: int, ending: Ending) -> bytes:
    """Return the line that says how a write ended."""
    return _line({"n": number, "ending": ending})


def parse_records(journal: bytes) -> list[Record]:
    """Return every write of a journal, in the order they were begun."""
    records: dict[int, Record] = {}
    for entry in _entries(journal):
        number = entry["n"]
        if "bytes" in entry:
            records[number] = _record(entry)
        elif number not in records:
            # Its first line was damaged; without the bytes there is nothing to be settled.
            continue
        elif "taking_back" in entry:
            at = datetime.fromisoformat(entry["taking_back"])
            records[number] = replace(records[number], at=at)
        else:
            records[number] = replace(records[number], ending=entry["ending"])
    return list(records.values())


def _entries(journal: bytes) -> Iterator[dict[str, Any]]:
    for line in journal.split(b"\n")[:-1]:
        try:
            yield json.loads(line)
        except ValueError:
            # What a crash left of a line; the process that recovered has closed it.
            continue


def _record(entry: dict[str, Any]) -> Record:
    both = zlib.decompress(base64.b64decode(entry["bytes"]))
    return Record(
        number=entry["n"],
        note=NoteId(entry["note"]),
        os_path=entry["path"],
        keys=tuple(entry["keys"]),
        old=both[: entry["old_size"]],
        new=both[entry["old_size"] :],
        at=datetime.fromisoformat(entry["at"]),
        beside=entry["beside"],
        # Journals of before notes were made have none.
        kind=entry.get("kind", "change"),
    )


def _pack(content: bytes) -> str:
    return base64.b64encode(zlib.compress(content, 1)).decode("ascii")


def _line(entry: dict[str, object]) -> bytes:
    # ASCII, because a name that is no Unicode comes from the system as lone surrogates.
    text = json.dumps(entry, separators=(",", ":"), sort_keys=True)
    return f"{text}\n".encode("ascii")
