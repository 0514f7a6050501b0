"""One note's bytes become its facts and its prose."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from vaultgraph.domain.notes import NoteFacts
from vaultgraph.text.frontmatter import NoteText, is_near_miss, split_note
from vaultgraph.text.links import view_body
from vaultgraph.text.prose import to_nfc

if TYPE_CHECKING:
    from vaultgraph.domain.settings import Settings

#: How far down a note without valid frontmatter a ``private:`` line is taken seriously.
_HEAD = 4096
_NOTHING = NoteFacts()


class ReadNote(NamedTuple):
    """A note's facts, and its body with all that is not prose filled."""

    facts: NoteFacts
    prose: str
    #: How many lines of the file precede the body.
    lines_before: int


def body_hash(data: bytes) -> str:
    """Return the hash of a note without its frontmatter: SHA-256, hex; what a verdict is about.

    It does not change when a property does, ours included.
    """
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return sha256(data).hexdigest()
    return sha256(split_note(text).body.encode()).hexdigest()


def unreadable_facts(reason: str, *, code: str = "unreadable") -> NoteFacts:
    """Return the facts of a note that could not be opened."""
    return NoteFacts(is_readable=False, faults=((0, code, reason),))


class NoteReader:
    """Reads notes by one vault's settings. Never raises, whatever the bytes."""

    def __init__(self, settings: Settings) -> None:
        # YAML takes long to import, and who only wants a hash needs none.
        from vaultgraph.vault import properties  # noqa: PLC0415

        self._read_properties = properties.property_reader(settings)

    def read(self, data: bytes) -> ReadNote:
        """Return what a note says."""
        try:
            text = data.decode()
        except UnicodeDecodeError as error:
            return _undecodable(data, error)
        composed = to_nfc(text)
        note = split_note(composed)
        body = note.body
        if note.opening:
            found = self._read_properties(note.block)
            lines_before = note.block.count("\n") + 2
        else:
            found = _without_frontmatter(note)
            lines_before = 0
        links, prose = view_body(body)
        written = body if composed is text else split_note(text).body
        facts = NoteFacts(
            sha256(written.encode()).digest(),
            True,  # noqa: FBT003
            (*found.links, *[(target, line + lines_before, kind) for target, line, kind in links]),
            *found[3:],
        )
        return ReadNote(facts, prose, lines_before)


def _mentions_private_key(text: str) -> bool:
    from vaultgraph.vault import properties  # noqa: PLC0415 - as above

    return properties.mentions_private_key(text)


def _without_frontmatter(note: NoteText) -> NoteFacts:
    if not is_near_miss(note):
        return _NOTHING
    fault = (
        1,
        "near-miss-frontmatter",
        (
            "looks like frontmatter, but Obsidian sees none: the first line must be exactly ---"
            " and a later line exactly ---"
        ),
    )
    return NoteFacts(is_private=_mentions_private_key(note.rest), faults=(fault,))


def _undecodable(data: bytes, error: UnicodeDecodeError) -> ReadNote:
    line = data.count(b"\n", 0, error.start) + 1
    text = f"is not UTF-8: byte {data[error.start]:#04x} cannot be read; save it as UTF-8"
    facts = NoteFacts(
        body_hash=sha256(data).digest(),
        is_readable=False,
        # What cannot be read may still say that it is private, and then its name is no one's.
        is_private=_mentions_private_key(_head_of(data)),
        faults=((line, "not-utf8", text),),
    )
    return ReadNote(facts, "", 0)


def _head_of(data: bytes) -> str:
    """Return the frontmatter of a note in another encoding, as far as it can be made out."""
    # In UTF-16, a zero byte stands beside every letter of ASCII, and a mark before the first.
    text = data.replace(b"\0", b"").decode(errors="replace").lstrip("\ufffd")
    note = split_note(text)
    return note.block if note.opening else text[:_HEAD]
