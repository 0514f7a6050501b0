#!/usr/bin/env python3
"""The yardstick of `scripts/bench_scan`: the least work that finds candidate pairs in a vault.

Reads every note once, cuts frontmatter and code, resolves wikilinks by file name, and looks for
whole-word titles of two or more words in one Aho-Corasick pass. No cache, aliases, Markdown
links, scope rules or evidence; written to be fast, in one process, so that a ratio to it says
what those cost.
"""

from __future__ import annotations

import json
import os
import re
import sys

import ahocorasick

INLINE_CODE = re.compile(r"`(?:`[^\n]*?``|[^`\n]+`)")
CHUNK = 1 << 16
LINK = re.compile(r"\[\[([^\[\]|#\n]+)")


def walk(folder: str) -> list[os.DirEntry[str]]:
    """Return every Markdown file below ``folder`` that no dot folder holds."""
    notes: list[os.DirEntry[str]] = []
    folders = [folder]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.name.endswith(".md"):
                    notes.append(entry)
                elif entry.name[0] != "." and entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
    return notes


def read_body(path: str) -> str:
    """Return the note without its frontmatter and code."""
    file = os.open(path, os.O_RDONLY)  # half the cost of a file object, for files this small
    source = os.read(file, CHUNK)
    while len(source) % CHUNK == 0 and (more := os.read(file, CHUNK)):
        source += more
    os.close(file)
    text = source.decode("utf-8", "replace")
    if text.startswith("---") and (end := text.find("\n---", 3)) > 0:
        text = text[end + 4 :]
    if "~~~" in text:
        text = text.replace("~~~", "```")
    if "```" in text:
        text = " ".join(text.split("```")[::2])  # what stands outside pairs of fences
    return INLINE_CODE.sub(" ", text) if "`" in text else text


def main(vault: str) -> None:
    notes = walk(vault)
    names = {note.name[:-3].lower(): index for index, note in enumerate(notes)}
    titles = ahocorasick.Automaton()
    for name, index in names.items():
        if " " in name:
            titles.add_word(name, (len(name), index))
    titles.make_automaton()
    links, linked, mentioned = 0, set(), set()
    for source, note in enumerate(notes):
        plain_and_targets = LINK.split(read_body(note.path).lower())
        text = " ".join(plain_and_targets[::2])
        for target in plain_and_targets[1::2]:
            links += 1
            found = names.get(target.rpartition("/")[2].strip().removesuffix(".md"), source)
            if found != source:
                linked.add((source, found) if source < found else (found, source))
        last = len(text) - 1
        for end, (length, found) in titles.iter(text) if len(titles) else ():
            if (
                found != source
                and (end == last or not text[end + 1].isalnum())
                and (end < length or not text[end - length].isalnum())
            ):
                mentioned.add((source, found) if source < found else (found, source))
    counts = {"notes": len(notes), "names": len(titles), "wikilinks": links}
    counts |= {"linked": len(linked), "mentioned": len(mentioned)}
    print(json.dumps(counts | {"pairs": len(linked | mentioned)}))


if __name__ == "__main__":
    main(sys.argv[1])
