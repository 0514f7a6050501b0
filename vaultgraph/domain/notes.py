"""What is known of one note: its file, what is written in it, and what is wrong with it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple, NewType

NoteId = NewType("NoteId", str)

#: The three lists of entries, by what an entry in them is.
EntryList = Literal["proposed", "accepted", "rejected"]
ENTRY_LISTS: tuple[EntryList, ...] = ("proposed", "accepted", "rejected")

#: How a link is written. A property link carries its key after the colon.
WIKILINK, EMBED, MARKDOWN, PROPERTY = "wikilink", "embed", "markdown", "property"


#: What the file system says of a file: size, mtime_ns, ctime_ns, inode. Equal stamps mean that
#: the content was not changed. The one exception is a file changed within the clock's granularity
#: of being read, which the cache handles by not trusting young stamps.
Stamp = tuple[int, int, int, int]


class VaultFile(NamedTuple):
    """One file Obsidian would list: its id, and where it really lies."""

    #: Vault-relative POSIX path in Unicode form NFC.
    path: str
    #: The vault-relative path as the system spells it; only for opening the file.
    os_path: str
    #: ``None`` for files that are not notes: only their names matter.
    stamp: Stamp | None


class Skip(NamedTuple):
    """A file or folder that is not read, and why, in words."""

    path: str
    reason: str


class Listing(NamedTuple):
    """What lies in the vault, dot folders left out, sorted by path."""

    files: tuple[VaultFile, ...]
    skipped: tuple[Skip, ...]
    #: Folders below the top that hold an Obsidian configuration of their own.
    nested: tuple[str, ...] = ()


class Problem(NamedTuple):
    """What is wrong with one note."""

    path: str
    #: 1-based; 0 where no line can be named.
    line: int
    #: Stable, for scripts: ``bad-yaml``, ``not-utf8`` and so on.
    code: str
    text: str


#: A link as written, not yet known to reach anything: the path part before the first ``#``,
#: never empty; the 1-based line; and ``wikilink``, ``embed``, ``markdown`` or ``property:KEY``.
#: Plain, as hundreds of thousands of them are made, stored and sent.
WrittenLink = tuple[str, int, str]

#: One item of one of the three lists, as written: list, target, line.
Entry = tuple[EntryList, str, int]

#: What is wrong with a note, its path left out: line, code, text.
Fault = tuple[int, str, str]


class NoteFacts(NamedTuple):
    """All that one note says of itself and of others, apart from its text.

    Every field is plain (text, numbers, tuples of them), so that facts can be stored and sent
    between processes as they are.
    """

    #: SHA-256 of the body as it stands in the file; empty where the file could not be opened.
    body_hash: bytes = b""
    #: Whether the note could be read at all.
    is_readable: bool = True
    links: tuple[WrittenLink, ...] = ()
    faults: tuple[Fault, ...] = ()
    aliases: tuple[str, ...] = ()
    #: The status properties, as written: (key, value) each.
    statuses: tuple[tuple[str, str], ...] = ()
    resolved_to: str = ""
    resolved_on: str = ""
    superseded_by: tuple[str, ...] = ()
    archived: bool = False
    reviewed: str = ""
    is_private: bool = False
    is_report: bool = False
    entries: tuple[Entry, ...] = ()


class Name(NamedTuple):
    """One name, folded, and the notes that have it."""

    folded: str
    #: As the first of its owners writes it.
    written: str
    #: Numbers of notes, growing.
    owners: tuple[int, ...]
    #: Whether a mention makes evidence: not ignored, not shared by too many.
    counts: bool


@dataclass(frozen=True, slots=True)
class Closing:
    """How a note closed."""

    how: Literal["superseded", "ended"]
    #: Which sign says so: ``status: done``, ``resolved-to``, ``in Archive/`` and the like.
    sign: str
    #: The owner's own words, or empty.
    words: str = ""
    #: ISO date, or empty.
    on: str = ""
    successors: tuple[NoteId, ...] = field(default=())
