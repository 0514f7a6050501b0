"""Documents with dependencies that their authors declared, as a vault and labelled rows.

A corpus is a folder, or a ``.tar.gz`` of one, with ``vault/*.md`` and ``labels.jsonl``: one row an
ordered pair: ``a``, ``b``, ``label``; ``direction``, unless ``a`` names ``b``; ``a_lists_any``,
unless the author of ``a`` declared something; ``split`` and ``split_a``, where there is a split.
"""

from __future__ import annotations

import json
import re
import tarfile
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from vaultgraph.candidates.mentions import Matcher
from vaultgraph.candidates.names import collect_names
from vaultgraph.domain.judging import JudgedNote, JudgedPair
from vaultgraph.domain.notes import NoteId
from vaultgraph.domain.settings import NameSettings, Settings
from vaultgraph.text.frontmatter import split_note
from vaultgraph.text.links import view_body
from vaultgraph.text.prose import fold_name, to_nfc
from vaultgraph.vault.note import NoteReader

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

_FENCE = re.compile(r"^(```+|~~~+)[^\n]*\n.*?(?:^\1[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
_BLANK = re.compile(r"\n[ \t]*\n")
_HEADING = re.compile(r"#{1,6} ")


class Row(NamedTuple):
    """One directed question, and the author's answer."""

    dependent: str
    basis: str
    label: bool
    #: Whether the dependent links to or names the basis in its text.
    is_forward: bool
    #: Whether the dependent's author declared any dependency.
    lists: bool
    #: Whether the dependent is live and the basis closed.
    is_live_to_closed: bool
    #: Whether both notes, and whether the dependent, belong to the train part.
    is_train: bool
    is_train_dependent: bool
    #: Whether neither note belongs to it.
    is_strict: bool


@dataclass(frozen=True)
class Corpus:
    """Notes by title, the rows over them, and what a scan finds in their text."""

    name: str
    notes: Mapping[str, JudgedNote]
    rows: tuple[Row, ...]
    #: Of each note: the notes it points at, each with the lines.
    lines: Mapping[str, Mapping[str, tuple[int, ...]]] = field(repr=False)

    def pair(self, one: str, other: str) -> JudgedPair:
        """Return the pair of two notes, in the order of their ids."""
        first, second = sorted((one, other), key=lambda title: self.notes[title].note)
        return JudgedPair(
            self.notes[first],
            self.notes[second],
            self.lines[first].get(second, ()),
            self.lines[second].get(first, ()),
        )

    def shortened(self) -> Corpus:
        """Return the corpus with each note cut down to the paragraphs that link to another.

        They are as long as personal notes, though not in their style.
        """
        bodies = {title: _linking_paragraphs(note.body) for title, note in self.notes.items()}
        aliases = {title: note.aliases for title, note in self.notes.items()}
        return _build(self.name, aliases, bodies, self.rows)


def read_corpora(folder: Path) -> list[Corpus]:
    """Return every corpus in a folder, by name; a folder wins over an archive of it."""
    found: dict[str, Corpus] = {}
    for path in sorted(folder.iterdir()):
        if (path / "labels.jsonl").is_file():
            found[path.name] = _corpus(path.name, _files_in_folder(path))
    for path in sorted(folder.glob("*.tar.gz")):
        name = path.name.removesuffix(".tar.gz")
        if name not in found:
            found[name] = _corpus(name, _files_in_archive(path))
    return [found[name] for name in sorted(found)]


def _files_in_folder(folder: Path) -> dict[str, str]:
    paths = [folder / "labels.jsonl", *sorted((folder / "vault").glob("*.md"))]
    return {str(path.relative_to(folder)): path.read_text("utf-8") for path in paths}


def _files_in_archive(archive: Path) -> dict[str, str]:
    files: dict[str, str] = {}
    with tarfile.open(archive) as tar:
        for member in tar:
            _, _, name = member.name.removeprefix("./").partition("/")
            content = tar.extractfile(member) if member.isfile() else None
            is_wanted = name == "labels.jsonl" or re.fullmatch(r"vault/[^/]+\.md", name)
            if content and is_wanted:
                files[name] = content.read().decode("utf-8")
    return files


def _corpus(name: str, files: Mapping[str, str]) -> Corpus:
    reader = NoteReader(Settings())
    aliases, bodies = {}, {}
    for path in sorted(files):
        title = path.removeprefix("vault/").removesuffix(".md")
        if path.endswith(".md") and title != "README":
            aliases[title] = reader.read(files[path].encode()).facts.aliases
            bodies[title] = split_note(to_nfc(files[path])).body
    lines = files["labels.jsonl"].splitlines()
    return _build(name, aliases, bodies, tuple(_row(line) for line in lines))


def _row(line: str) -> Row:
    row = json.loads(line)
    part = row.get("split", "test")
    return Row(
        dependent=row["a"],
        basis=row["b"],
        label=bool(row["label"]),
        is_forward=row.get("direction") != "backward",
        lists=bool(row.get("a_lists_any", True)),
        is_live_to_closed=bool(row.get("live_to_closed")),
        is_train=part == "train",
        is_train_dependent=row.get("split_a", "test") == "train",
        is_strict=part == "test",
    )


def _build(
    name: str,
    aliases: Mapping[str, tuple[str, ...]],
    bodies: Mapping[str, str],
    rows: tuple[Row, ...],
) -> Corpus:
    notes = {
        title: JudgedNote(NoteId(f"{title}.md"), title, aliases[title], body, "")
        for title, body in bodies.items()
    }
    lines: dict[str, dict[str, tuple[int, ...]]] = {}
    for title, pointed in _scan(notes):
        found: defaultdict[str, list[int]] = defaultdict(list)
        for other, line in pointed:
            found[other].append(line)
        lines[title] = {other: tuple(sorted(set(at))) for other, at in found.items()}
    return Corpus(name, notes, rows, lines)


def _scan(notes: Mapping[str, JudgedNote]) -> Iterator[tuple[str, list[tuple[str, int]]]]:
    """Yield each note with all links and mentions in it, as vaultgraph's own scan finds them."""
    titles = list(notes)
    by_name = {fold_name(title): title for title in titles}
    names = collect_names(
        titles,
        {number: notes[title].aliases for number, title in enumerate(titles)},
        NameSettings(),
    ).names
    own: defaultdict[int, set[int]] = defaultdict(set)
    for number, name in enumerate(names):
        for owner in name.owners:
            own[owner].add(number)
    matcher = Matcher([name.folded for name in names])
    for number, title in enumerate(titles):
        view = view_body(notes[title].body)
        links = [(by_name.get(fold_name(target), title), line) for target, line, _ in view.links]
        mentions = [
            (titles[owner], mention.line)
            for mention in matcher.find(view.prose, own[number])
            if names[mention.name].counts
            for owner in names[mention.name].owners
        ]
        yield title, [place for place in (*links, *mentions) if place[0] != title]


def _linking_paragraphs(body: str) -> str:
    paragraphs = [
        "\n".join(line for line in paragraph.split("\n") if not _HEADING.match(line))
        for paragraph in _BLANK.split(_FENCE.sub("", body))
    ]
    return "\n\n".join(paragraph for paragraph in paragraphs if "[[" in paragraph)
