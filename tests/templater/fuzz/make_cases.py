"""Random notes and edits, and what the Python editor makes of them, as JSON lines.

Run by hand, with how many and a seed, and held against the script by compare.mjs:

    cd tests/templater/fuzz
    ../../../.venv/bin/python make_cases.py 5000 7 | node compare.mjs
"""

from __future__ import annotations

import json
import random
import sys
from typing import Any

from vaultgraph.domain.notes import NoteId
from vaultgraph.text.edits import (
    AddEntry,
    Edit,
    EditRefused,
    MoveEntry,
    RemoveEntry,
    RemoveKey,
    SetScalar,
)
from vaultgraph.text.entry_edit import apply_edits

KEYS = ("depends-on", "depends-on-proposed", "depends-on-rejected")

#: Kinds of neighbouring YAML that an editor could break, each in its own way; ``K`` is a key.
NEIGHBOURS = (
    "K: Plan\n",
    "K: 'it''s'\n",
    'K: "double # not a comment"   # why\n',
    'K: "esc \\" \\\\ \\u00e9"\n',
    "K: 007\n",
    "K: 1.10\n",
    "K: 2024-05-01\n",
    "K: no\n",
    "K:\n",
    "K: \n",
    "K: ~ # c\n",
    "K:\n  - a\n  - b # c\n",
    "K:\n- a\n- b\n",
    "K:\n# c\n- a\n\n- b\n",
    "K: [a,  'b', \"c\"]\n",
    "K: [\n  a,\n  b, # c\n  ]\n",
    "K: {a: 1, b: [x]}\n",
    "K:\n  a: 1\n  depends-on:\n    - x\n",
    "K:\n  - a: 1\n    b: 2\n  - a: 3\n",
    "K: |\n  text\n  # no comment\n  depends-on: x\n",
    "K: >-\n  folded\n  text\n\n  more\n",
    "K: |+\n  text\n\n\n",
    "K: |2-\n    indented\n",
    "K: plain\n  over lines\n",
    "K:\n  plain below\n  over lines\n",
    "K:\n#tight\n  below\n",
    'K: "tight"#comment\n',
    "K: [tight,#comment\n  two]\n",
    'K: "two\n lines"\n',
    'K: "two\nlines"\n',
    "K: [\n  closed,\n  below\n]\n",
    "K: {one: 1,\ntwo: 2}\n",
    "K:\n  sub: 'two\n  lines'\n",
    "K:\n# wide\n  below\n",
    'K: "quoted\n  over lines"\n',
    "K: &K [x]\n",
    "K: !note x\n",
    "# a comment\n",
    "  # an indented comment\n",
    "\n",
    "  \n",
    '"K: quoted key": x\n',
    "'K key': x\n",
    "K 2024: x\n",
    "2024: x\n",
    "? K\n: x\n",
    "&a K: x\n",
    "{K}: x\n",
    "K: 🚀👧 žluťoučký\n",
    "K: {{date}}\n",
    "K: [[Unquoted]]\n",
    "K:\ttab\n",
    "K: a\u2028b\u0085c\n",
    "K: - x\n",
    "K: x: y\n",
    "K: @x\n",
    "K: <% x %>\n",
    "...\n",
    "--- \n",
    "__proto__: x\n",
    "<<: x\n",
    "K: [a, b\n",
    "K: -1\n- x\n",
)

#: Forms of our own lists; ``K`` is the key, ``A`` to ``D`` are names of notes.
LISTS = (
    "K:\n",
    "K: \n",
    "K: ~ # c\n",
    'K: ""\n',
    "K: []\n",
    "K: [ ]\n",
    "K: [ # c\n  ]\n",
    'K: "[[A]]" # c\n',
    'K: "[[A]]"\n',
    "K:\n    '[[A]]'\n",
    "K: # c\n  '[[A]]' # d\n",
    "K:\n  # c\n  ~\n",
    "K: two words\n",
    "K: A\n",
    "K: 12\n",
    'K: ["[[A]]", ]\n',
    'K: ["[[A]]", "[[B]]"]\n',
    'K: ["[[A]]" , "[[B]]" , "[[C]]" ] # c\n',
    "K: [A, B, '[[C]]']\n",
    "K: [A]\n",
    "K: [\n  \"[[A]]\",\n  '[[B]]'\n  ]\n",
    'K: [\n  "[[A]]", # c\n  "[[B]]"\n  ]\n',
    'K:\n  ["[[A]]", "[[B]]"]\n',
    'K:\n  - "[[A]]"\n',
    "K:\n- \"[[A]]\"\n- '[[B|b]]' # d\n",
    'K: # c\n  - "[[A]]"\n  - "[[B#x]]"\n',
    'K:\n  # c\n  - "[[A]]"\n  # d\n',
    'K:\n    - "[[A]]"\n    # c\n\n    - two words\n    # d\n',
    'K:\n  -   "[[A]]"\n  -\n',
    "K:\n  - ~\n  - 7\n  - A\n",
    'K:\n  -\n    "[[A]]"\n  - "[[B]]"\n',
    'K:\n  - # c\n    "[[A]]"\n',
    'K:\n  - "[x](A.md)"\n  - "![[B]]"\n  - "[[C.md]]"\n',
    'K:\n  - "[a [b] c](<A.md>)"\n  - "[a](B.md \\"t\\")"\n  - "[[A]] and [[B]]"\n',
    "K:\n  - [[A]]\n",
    "K:\n  - A: B\n",
    "K:\n  - - A\n",
    "K: {a: b}\n",
    "K:\n  a: b\n",
    "K: &x A\n",
    "K: *x\n",
    "K:\n  - !t A\n",
    "K: |\n  A\n",
    "K:\n  - >-\n    A\n",
    "K: A\n  B\n",
    "K:\n  - A\n    B\n",
    'K:\n  - "A\n    B"\n',
    'K: "[[A]]"#c\n',
    "K: [A,, B]\n",
    "K: ['A': B]\n",
    "K: [? A]\n",
    "K: [A B, C\n  D]\n",
    "K : A\n",
    "K:\n  - A\n - B\n",
    "K:\n - A\n  - B\n",
    "K:\n\t- A\n",
    "K:\n  -\tA\n",
    "K: A \t\n",
    "K: 'A' \t# c\n",
)
NAMES = ("A", "B", "C", "D", "folder/A", 'Say "A"', "It's", "a\\b", "🚀 A", "A, B: {c} & d")
HARD_NAMES = ("A#b", "A|b", "A]", "100%%", " ", "A\tb", "A\nb", "\ud800")
BODIES = ("", "Body.\n", "\nBody without an end", "---\nrule\n---\n", "--- \n", "\ufeff")
VALUES = ("done", "true", "007", "a: b", "x #y", "", "[[A]]", 'say "x"', "it's", "a\tb", "a\nb")
NOISE = "-?:#[]{},&*!|>'\"%@`~ab1é \t\n\r\ufeff\x85\u2028\x07"


def resolve(target: str) -> str:
    return target.lower().removesuffix(".md") + ".md"


def random_key(chance: random.Random) -> str:
    key = chance.choice(KEYS)
    return chance.choice((key, key, key, key, f'"{key}"', f"'{key}'", key.title(), f"{key} "))


def random_block(chance: random.Random) -> str:
    neighbours = [chance.choice(NEIGHBOURS[:35]) for _ in range(chance.randrange(4))]
    if chance.random() < 0.3:
        neighbours.append(chance.choice(NEIGHBOURS))
    parts = [part.replace("K", f"k{number}") for number, part in enumerate(neighbours)]
    for _ in range(chance.randrange(3)):
        names = chance.sample(NAMES[:4], 4)
        lines = chance.choice(LISTS[: chance.choice((35, len(LISTS)))])
        for old, new in zip("ABCD", names, strict=True):
            lines = lines.replace(old, f"\0{new}")
        parts.append(lines.replace("\0", "").replace("K", random_key(chance)))
    chance.shuffle(parts)
    return "".join(parts)


def random_text(chance: random.Random) -> str:
    block = random_block(chance)
    if chance.random() < 0.1:
        block = "".join(f"  {line}" for line in block.splitlines(keepends=True))
    end = "" if chance.random() < 0.05 else "\n"
    text = f"---\n{block}---{end}{chance.choice(BODIES)}"
    if chance.random() < 0.05:
        text = chance.choice(BODIES) + chance.choice(("", text))
    if chance.random() < 0.15:
        text = text.replace("\n", "\r\n")
    if chance.random() < 0.1:
        text = "\ufeff" + text
    while chance.random() < 0.15:
        at = chance.randrange(len(text) + 1)
        text = text[:at] + chance.choice(NOISE) + text[at + chance.randrange(2) :]
    return text


def random_edit(chance: random.Random) -> tuple[Edit, dict[str, str]]:
    name = chance.choice(NAMES if chance.random() < 0.97 else HARD_NAMES)
    known = chance.choice(NAMES[:4])
    key, other = chance.choice(KEYS), chance.choice((*KEYS, "Depends-On"))
    kind = chance.choice(("add", "remove", "remove", "move", "move", "move", "set", "remove-key"))
    if kind == "add":
        note = resolve(name)
        row = {"op": kind, "key": key, "target": name, "note": note}
        return AddEntry(key, name, NoteId(note)), row
    note = resolve(known)
    if kind == "remove":
        return RemoveEntry(key, NoteId(note)), {"op": kind, "key": key, "note": note}
    if kind == "move":
        row = {"op": kind, "from": key, "to": other, "note": note, "target": known}
        return MoveEntry(key, other, NoteId(note), known), row
    if kind == "set":
        field, value = chance.choice(("status", "k0", "k1")), chance.choice(VALUES)
        return SetScalar(field, value), {"op": kind, "key": field, "value": value}
    return RemoveKey(key), {"op": kind, "key": key}


def outcome_of(text: str, edits: list[Edit], *, drop_empty_block: bool) -> dict[str, Any]:
    try:
        edited = apply_edits(text, edits, resolve, drop_empty_block=drop_empty_block)
    except EditRefused as refused:
        return {"refused": refused.code, "why": refused.text}
    return {"text": edited.text, "created": edited.created_block}


def main() -> None:
    count, seed = int(sys.argv[1]), int(sys.argv[2])
    chance = random.Random(seed)
    for _ in range(count):
        text = random_text(chance)
        pairs = [random_edit(chance) for _ in range(chance.choice((1, 1, 1, 2, 3)))]
        drops = chance.random() < 0.2
        python = outcome_of(text, [edit for edit, _ in pairs], drop_empty_block=drops)
        rows = [row for _, row in pairs]
        case = {"text": text, "edits": rows, "drops": drops, "python": python}
        sys.stdout.write(f"{json.dumps(case)}\n")


if __name__ == "__main__":
    main()
