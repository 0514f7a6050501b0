"""What our editor makes of a note: an entry added, and removed again, each held to the laws."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import yaml

from vaultgraph.domain.notes import NoteId, Problem, VaultFile
from vaultgraph.proposals.plan import Add, PlannedNote, Remove, plan_note
from vaultgraph.text.quoting import is_linkable
from vaultgraph.vault.resolve import LinkIndex

if TYPE_CHECKING:
    from scripts.edit_support.sources import Source

_BLOCK = re.compile("\ufeff?---\r?\n(.*?)^---(?=\r?\n|\\Z)", re.DOTALL | re.MULTILINE)


class Attempt(NamedTuple):
    """One note that an entry was added to."""

    path: str
    before: str
    after: str
    #: What the list must read as afterwards: the entries before, and the new one.
    expected: list[str]


@dataclass(slots=True)
class Tally:
    """What came of all notes of one source; every note is in exactly one of the counts."""

    notes: int = 0
    with_frontmatter: int = 0
    #: There was an entry for that basis already.
    there_already: int = 0
    identical: int = 0
    #: Law 2 names them: the list was an empty value, a single value, had a trailing comma.
    exceptions: Counter[str] = field(default_factory=Counter)
    refused_add: Counter[str] = field(default_factory=Counter)
    refused_remove: Counter[str] = field(default_factory=Counter)
    #: A byte outside our key's lines changed, or bytes did not come back that should have.
    broken: list[str] = field(default_factory=list)
    examples: dict[str, str] = field(default_factory=dict)
    attempts: list[Attempt] = field(default_factory=list, repr=False)

    @property
    def exact(self) -> int:
        """The notes that were edited, all other bytes untouched."""
        return self.identical + self.exceptions.total() + self.refused_remove.total()


class Bases:
    """A basis for every note: the next one in the vault that a link can name."""

    def __init__(self, source: Source) -> None:
        self.index = LinkIndex(source.paths)
        self._notes = [NoteId(path) for path in source.notes]
        fit = [note for note in self._notes if is_linkable(note)]
        self._fit = [note for note in fit[:2000] if self.index.link_text(note, "") is not None]

    def of(self, number: int) -> NoteId:
        """Return the basis for the note of that number."""
        note = self._notes[number]
        candidates = (self._fit[(number + step) % len(self._fit)] for step in range(3))
        return next(basis for basis in candidates if basis != note)


def try_all(source: Source, key: str) -> Tally:
    """Return what comes of adding an entry to every note, and removing it again."""
    tally, bases = Tally(), Bases(source)
    for number, (path, data) in enumerate(source.notes.items()):
        _try(tally, bases, path, data, key, bases.of(number))
    return tally


def _try(tally: Tally, bases: Bases, path: str, data: bytes, key: str, basis: NoteId) -> None:
    tally.notes += 1
    block = block_of(data)
    tally.with_frontmatter += block is not None
    file = VaultFile(path, path, (0, 0, 0, 0))
    added = plan_note(file, data, [Add(key, basis)], bases.index)
    if added is None:
        tally.there_already += 1
        return
    if isinstance(added, Problem):
        tally.refused_add[added.code] += 1
        tally.examples.setdefault(added.code, added.text)
        return
    if not _others_untouched(data, added, key):
        tally.broken.append(f"{path}: other bytes changed")
        return
    texts = entries_of(block or "", key)
    link = bases.index.link_text(basis, path)
    tally.attempts.append(Attempt(path, added.before, added.after, [*texts, f"[[{link}]]"]))
    removed = plan_note(
        file,
        added.write.new,
        [Remove(key, basis)],
        bases.index,
        drop_empty_block=added.created_block,
    )
    exception = exception_of(block or "", key)
    if isinstance(removed, Problem):
        tally.refused_remove[removed.code] += 1
        tally.examples.setdefault(removed.code, removed.text)
        if not exception:
            tally.broken.append(f"{path}: cannot be taken back: {removed.code}")
    elif removed is not None and removed.write.new == data:
        tally.identical += 1
    elif removed is not None and exception and entries_of(removed.after, key, whole=True) == texts:
        tally.exceptions[exception] += 1
    else:
        tally.broken.append(f"{path}: the bytes did not come back")


def block_of(data: bytes) -> str | None:
    """Return the YAML between the fences, found without the program's help."""
    found = _BLOCK.match(data.decode(errors="replace"))
    return None if found is None else found[1]


def properties_of(block: str) -> list[tuple[yaml.ScalarNode, yaml.Node]]:
    """Return a block's properties as nodes; none where it is not valid."""
    # YAML 1.1, which this reads, ends lines at these, too.
    text = block.translate(dict.fromkeys((0x85, 0x2028, 0x2029), "?"))
    try:
        root = yaml.compose(text, Loader=yaml.CSafeLoader)
    except yaml.YAMLError:
        return []
    return root.value if isinstance(root, yaml.MappingNode) else []


def entries_of(text: str, key: str, *, whole: bool = False) -> list[str]:
    """Return the texts in a list, of a block or of a whole note."""
    block = block_of(text.encode()) if whole else text
    for name, value in properties_of(block or ""):
        if str(name.value).lower() == key:
            items = value.value if isinstance(value, yaml.SequenceNode) else [value]
            return [item.value for item in items if not _is_empty(item)]
    return []


def _is_empty(node: yaml.Node) -> bool:
    return isinstance(node, yaml.ScalarNode) and (
        node.value == "" or (not node.style and node.value in {"~", "null", "Null", "NULL"})
    )


def exception_of(block: str, key: str) -> str:
    """Return which of law 2's exceptions a list is, if any."""
    for name, value in properties_of(block):
        if str(name.value).lower() != key:
            continue
        if isinstance(value, yaml.SequenceNode):
            if not value.value:
                return "empty value"
            last = block[value.value[-1].end_mark.index : value.end_mark.index]
            return "trailing comma" if value.flow_style and "," in last else ""
        return "empty value" if _is_empty(value) else "single value"
    return ""


def _others_untouched(data: bytes, added: PlannedNote, key: str) -> bool:
    """Whether nothing but our property's lines, or a new block, differs."""
    new = added.write.new
    if added.created_block:
        mark = b"\xef\xbb\xbf" if data.startswith(b"\xef\xbb\xbf") else b""
        return new.startswith(mark) and new.endswith(data[len(mark) :])
    start, end = _common(data, new)
    # What remains in the middle of the old text is what was replaced: part of our own property.
    replaced = data[start : len(data) - end]
    if not replaced:
        return True
    before = data.decode()[: len(data[:start].decode(errors="ignore"))]
    keys = re.findall(r"""^["']?([\w-]+)["']? *:""", before + replaced.decode(), re.MULTILINE)
    return bool(keys) and keys[-1].lower() == key


def _common(old: bytes, new: bytes) -> tuple[int, int]:
    """Return how many bytes two texts have in common at their start, and then at their end."""
    most = min(len(old), len(new))
    start = next((at for at in range(most) if old[at] != new[at]), most)
    left = most - start
    end = next((at for at in range(left) if old[-1 - at] != new[-1 - at]), left)
    return start, end
