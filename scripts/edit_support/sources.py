"""The notes that edits are tried on: those of real vaults, and generated ones."""

from __future__ import annotations

import random
import tarfile
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tests.kit.generated_notes import generate_note
from vaultgraph.text.prose import to_nfc

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

GENERATED = "generated"
#: What generated notes link to; every one of them is a note of their vault.
NAMES = ("Alpha", "Beta note", "It's Done", 'Say "Hi"', "Ring, R-Module", "🚀 Launch")


@dataclass(frozen=True, slots=True)
class Source:
    """A vault's notes by path, and all its files' paths, for links to be resolved."""

    name: str
    notes: dict[str, bytes] = field(repr=False)
    paths: list[str] = field(repr=False)


def read_vaults(folder: Path) -> Iterator[Source]:
    """Yield the vaults in a folder: its folders and its archives."""
    for path in sorted(folder.iterdir()):
        if path.is_dir():
            files = {
                to_nfc(file.relative_to(path).as_posix()): file.read_bytes()
                for file in path.rglob("*")
                if file.is_file()
            }
            yield _source(path.name, files)
        elif path.name.endswith(".tar.gz"):
            yield _source(path.name.removesuffix(".tar.gz"), _unpacked(path))


def _unpacked(archive: Path) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    with tarfile.open(archive) as tar:
        for member in tar:
            stream = tar.extractfile(member) if member.isfile() else None
            if stream is not None:
                files[to_nfc(member.name.removeprefix("./"))] = stream.read()
    return files


def _source(name: str, files: dict[str, bytes]) -> Source:
    visible = {
        path: data
        for path, data in sorted(files.items())
        if not any(part.startswith(".") for part in path.split("/"))
    }
    notes = {path: data for path, data in visible.items() if path.lower().endswith(".md")}
    return Source(name, notes, list(visible))


def generated(number: int, seed: int, key: str) -> Source:
    """Return so many random notes; one in seven holds something that may be refused."""
    chance = random.Random(seed)  # noqa: S311 - seeded on purpose
    notes = {f"{name}.md": b"A note.\n" for name in NAMES}
    for count in range(number):
        note = generate_note(chance, key, NAMES, hard=0.15)
        notes[f"notes/{count:06}.md"] = note.text.encode()
    return Source(GENERATED, notes, list(notes))
