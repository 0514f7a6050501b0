#!/usr/bin/env python3
"""Builds a vault of any size out of real ones: `build_vault.py TARGET --vaults DIR`.

The real vaults (folders or .tar.gz archives of Markdown files) are written again and again,
`copy-1/<vault>/…`, `copy-2/<vault>/…`, until there are enough notes. Every copy of a vault gets
a marker of its own that is added to its titles and aliases and, in its text, to every wikilink,
note path and mention of them. So each copy stays linked as the original is, says nothing about
the others, and a title keeps its number of words. The result depends on the sources alone.
"""

from __future__ import annotations

import argparse
import re
import sys
import tarfile
import urllib.parse
from pathlib import Path
from typing import TYPE_CHECKING

import ahocorasick

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

NOTES = 50_000
LONGEST_NAME = 255  # bytes, on every file system in common use
CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
CJK_DIGITS = "甲乙丙丁戊己庚辛壬癸"
FRONTMATTER = re.compile(r"\A---[ \t]*\n.*?^---[ \t]*$", re.DOTALL | re.MULTILINE)
ALIASES = re.compile(r"^aliases:[ \t]*(?:\S.*|(?:\n[ \t]*-[ \t].*)+)", re.MULTILINE)
ALIAS_LINE = re.compile(r"^[ \t]*-[ \t]+([\"']?)(.*?\S)\1[ \t]*$", re.MULTILINE)
ALIAS_INLINE = re.compile(r"[:\[,][ \t]*([\"']?)([^\"'\[\],\n]*[^\"'\[\],\s])\1")
LINK = re.compile(
    r"(?P<wiki>\[\[)(?P<target>[^\[\]|#\n]+)"
    r"|(?P<markdown>\]\(<?)(?P<path>[^()<>:\n]+)\.md(?=[#)>])"
)


class Marker:
    """What one copy of one vault adds to its names."""

    def __init__(self, serial: int, names: set[str]) -> None:
        self.word = f"Mk{serial}"
        self.sign = "".join(CJK_DIGITS[int(digit)] for digit in str(serial))
        self.names = names
        self.mentions = ahocorasick.Automaton()
        for name in names:
            if " " in name or (CJK.search(name) and len(name) > 3):
                self.mentions.add_word(name, len(name))
        self.mentions.make_automaton()

    def suffix(self, name: str) -> str:
        """Return what makes ``name`` this copy's own without changing its number of words."""
        if CJK.match(name[-1]):
            return self.sign
        return f" {self.word}" if " " in name else self.word

    def rename(self, name: str) -> str:
        """Return the name in this copy; names that no note or alias has stay."""
        return name + self.suffix(name) if name.lower() in self.names else name

    def rename_path(self, path: str) -> str:
        """Return a link's path with the note's name renamed; the folders keep theirs."""
        folder, slash, name = path.rpartition("/")
        ending = ".md" if name.endswith(".md") else ""
        bare = name.removesuffix(".md").rstrip()
        return folder + slash + self.rename(bare) + ending

    def rewrite(self, text: str) -> str:
        """Return a note's text as this copy tells it."""
        head = FRONTMATTER.match(text)
        body_at = head.end() if head else 0
        aliases = ALIASES.sub(self._alias_block, text[:body_at])
        return self._links(aliases, prose=False) + self._links(text[body_at:], prose=True)

    def _alias_block(self, block: re.Match[str]) -> str:
        def renamed(alias: re.Match[str]) -> str:
            at = alias.end(2) - alias.start()
            return alias[0][:at] + self.suffix(alias[2]) + alias[0][at:]

        return _alias_form(block[0]).sub(renamed, block[0])

    def _links(self, text: str, *, prose: bool) -> str:
        out: list[str] = []
        cursor = 0
        for link in LINK.finditer(text):
            between = text[cursor : link.start()]
            out.append(self._mentions(between) if prose else between)
            if link["wiki"]:
                out += ("[[", self.rename_path(link["target"]))
            else:
                path = self.rename_path(urllib.parse.unquote(link["path"]))
                out += (link["markdown"], path.replace(" ", "%20"), ".md")
            cursor = link.end()
        rest = text[cursor:]
        return "".join([*out, self._mentions(rest) if prose else rest])

    def _mentions(self, text: str) -> str:
        lower = text.lower()
        if len(lower) != len(text) or not self.mentions:
            return text
        out: list[str] = []
        cursor = 0
        for last, length in self.mentions.iter_long(lower):
            start, end = last + 1 - length, last + 1
            if not _is_whole_word(lower, start, end):
                continue
            out += (text[cursor:end], self.suffix(text[start:end]))
            cursor = end
        return "".join([*out, text[cursor:]])


def _alias_form(block: str) -> re.Pattern[str]:
    return ALIAS_LINE if "\n" in block else ALIAS_INLINE


def _is_whole_word(text: str, start: int, end: int) -> bool:
    """Whether neither neighbour continues the word; beside CJK characters no word goes on."""
    before = text[start - 1 : start] if start else ""
    after = text[end : end + 1]
    opens = not before.isalnum() or bool(CJK.match(before) or CJK.match(text[start]))
    return opens and (not after.isalnum() or bool(CJK.match(after) or CJK.match(text[end - 1])))


def read_source(source: Path) -> dict[str, str]:
    """Return the Markdown files of a folder or archive by relative path, sorted."""
    if source.is_dir():
        found = {
            path.relative_to(source).as_posix(): path.read_bytes() for path in source.rglob("*.md")
        }
    else:
        with tarfile.open(source) as archive:
            found = {
                member.name.removeprefix("./"): file.read()
                for member in archive
                if member.name.endswith(".md") and (file := archive.extractfile(member))
            }
    return {path: found[path].decode("utf-8", "replace") for path in sorted(found)}


def names_of(notes: Mapping[str, str]) -> set[str]:
    """Return every title and alias of the notes, in lower case."""
    names = {path.rpartition("/")[2].removesuffix(".md").lower() for path in notes}
    for text in notes.values():
        head = FRONTMATTER.match(text)
        for block in ALIASES.finditer(head[0]) if head else ():
            form = _alias_form(block[0])
            names |= {alias[2].lower() for alias in form.finditer(block[0])}
    return names


def copies(sources: Mapping[str, Mapping[str, str]], count: int) -> Iterator[tuple[str, str]]:
    """Yield path and text of ``count`` notes, copy after copy."""
    left, serial, copy = count, 0, 0
    while left:
        copy += 1
        for vault, everything in sources.items():
            notes = dict(list(everything.items())[:left])
            serial += 1
            left -= len(notes)
            marker = Marker(serial, names_of(notes))
            for path, text in notes.items():
                new_path = marker.rename_path(path)
                name = new_path.rpartition("/")[2]
                fits = len(name.encode()) <= LONGEST_NAME
                place = f"copy-{copy}/{vault}/{new_path if fits else path}"
                yield place, marker.rewrite(text)


def build(target: Path, sources: list[Path], count: int = NOTES) -> int:
    """Write ``count`` notes below ``target``, which must not exist; the largest vault first."""
    vaults = {source.name.removesuffix(".tar.gz"): read_source(source) for source in sources}
    by_size = sorted(vaults.items(), key=lambda vault: (-len(vault[1]), vault[0]))
    if not any(vaults.values()):
        raise SystemExit("build_vault: no Markdown files in " + ", ".join(map(str, sources)))
    written = 0
    for path, text in copies(dict(by_size), count):
        note = target / path
        note.parent.mkdir(parents=True, exist_ok=True)
        with note.open("x", encoding="utf-8", newline="") as file:
            file.write(text)
        written += 1
    return written


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n", maxsplit=1)[0])
    parser.add_argument("target", type=Path, help="a folder that does not exist yet")
    parser.add_argument("--vaults", type=Path, help="a folder of archives: every *.tar.gz in it")
    parser.add_argument("--vault", type=Path, action="append", default=[], help="one more vault")
    parser.add_argument("--notes", type=int, default=NOTES)
    options = parser.parse_args(arguments)
    sources = sorted(options.vaults.glob("*.tar.gz")) if options.vaults else []
    sources += options.vault
    if not sources or options.target.exists():
        parser.error("give --vaults or --vault, and a target that does not exist")
    print(f"{build(options.target, sources, options.notes)} notes", file=sys.stderr)


if __name__ == "__main__":
    main()
