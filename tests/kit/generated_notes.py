"""Random notes around a list of entries: neighbouring YAML, forms of the list, line endings.

Everything is drawn from one ``random.Random``, so that a seed gives the same notes everywhere, and
Hypothesis can draw them too.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

#: Kinds of neighbouring YAML, in the sense that an editor could break each in its own way.
#: ``K`` is a key of its own, ``J`` another.
NEIGHBOURS = (
    "K: Plan\n",
    "K: 'it''s'\n",
    'K: "double # not a comment"   # why\n',
    'K: "esc \\" \\\\ \\u00e9"\n',
    "K: 007\nJ: 1.10\n",
    "K: 2024-05-01\nJ: 12:30\n",
    "K: no\nJ: Yes\n",
    "K:\nJ: ~\n",
    "K: \n",
    "K: 12345678901234567890\n",
    "K:   aligned\nJ:  x\n",
    "K:\n  - a\n  - b # c\n",
    "K:\n- a\n- b\n",
    "K:\n# c\n- a\n\n- b\n",
    "K: [a,  'b', \"c\"]\n",
    "K: [\n  a,\n  b, # c\n  ]\n",
    "K: {a: 1, b: [x]}\n",
    "K:\n  a: 1\n  b:\n    - x\n",
    "K:\n  a: 1\n  depends-on-proposed:\n    - x\n",
    "K:\n  - a: 1\n    b: 2\n  - a: 3\n",
    "K: |\n  text\n  # no comment\n  ---\n",
    "K: >-\n  folded\n  text\n\n  more\n",
    "K: |+\n  text\n\n\n",
    "K: |2-\n    indented\n",
    "K: plain\n  over lines\n",
    'K: "quoted\n  over lines"\n',
    "K: &K [x]\nJ: *K\n",
    "K: &K {a: 1}\nJ:\n  <<: *K\n  b: 2\n",
    "K: !note x\n",
    "# a comment\n",
    "  # an indented comment\n",
    "\n",
    "  \n",
    '"K: quoted key": x\n',
    "K 2024: x\n",
    "2024: x\n",
    "off: x\n",
    "K: 🚀👩‍👩‍👧 žluťoučký\n",
    "K: {{date}}\n",
    "K: [[Unquoted]]\n",
    f"K: {'a long line ' * 20}\n",
    "K:\ttab\n",
    'K: "[[A|a]]"\n',
    "K: a\u2028b\u0085c\n",
    "K: ''\n",
    "tags: [x,y]\naliases: ['Z']\n",
)
#: What Obsidian cannot read either, or what is not safe to edit.
HARD_NEIGHBOURS = (
    "K: a: b\n",
    "K: *x\n",
    "\tK: x\n",
    "K: @x\n",
    "K: <% tp.file.title %>\n",
    "...\n",
    "--- \n",
    "? K\n: x\n",
    "K: [a, b\n",
    "K: a\rJ: b\n",
    "&x K: x\n",
)

#: Forms of a list, and which of law 2's exceptions each is, if any. ``K`` is its key; ``A`` and
#: ``B`` are names of notes.
FORMS = (
    ("", ""),
    ("", ""),
    ("K:\n", "empty value"),
    ("K: ~ # c\n", "empty value"),
    ('K: ""\n', "empty value"),
    ("K: []\n", "empty value"),
    ('K: "[[A]]"\n', "single value"),
    ("K: '[[A|a]]' # c\n", "single value"),
    ("K:\n    '[[A]]'\n", "single value"),
    ("K: A\n", "single value"),
    ('K: ["[[A]]", ]\n', "trailing comma"),
    ('K:\n  - "[[A]]"\n', ""),
    ("K: # c\n- \"[[A]]\"\n- '[[B|b]]' # d\n", ""),
    ('K:\n  # c\n  - "[[A]]"\n  # d\n', ""),
    ('K:\n    - "[[A.md]]"\n    # c\n\n    - two words\n    # d\n', ""),
    ('K:\n  -   "[[A]]"\n  -\n', ""),
    ('K:\n  -\n    "[[A]]"\n', ""),
    ("K: ['[[A]]']\n", ""),
    ('K: [ "[[A]]",  "[[B#x]]" ] # c\n', ""),
    ("K: [\n  \"[[A]]\",\n  '[[B]]'\n  ]\n", ""),
)
HARD_FORMS = (
    ("K:\n  - [[A]]\n", ""),
    ("K: [[A]]\n", ""),
    ("K: {a: b}\n", ""),
    ("K: &x A\n", ""),
    ("K: |\n  A\n", ""),
    ('K: [\n  "[[A]]", # c\n  ]\n', ""),
    ("K: A\n  B\n", ""),
    ('K: "[[A]]"\nU: "[[B]]"\n', ""),
)
#: What only looks like frontmatter, or is none that can be edited by lines; ``@`` is the block.
HARD_WHOLES = (
    "\n---\n@---\n",
    "----\n@----\n",
    "---\n@\nNo end.\n",
    '---\n{"k": "v"}\n---\n',
    "---\njust a text\n---\n",
    "---\n@--- \nk: v\n---\n",
)
BODIES = (
    "",
    "Body.\n",
    "\nBody without an end",
    "---\nrule\n---\n",
    "```\n---\na: b\n---\n```\n",
    "# Heading  \n\nText\twith [[A]] and trailing blanks  \n\n\n",
)


class GeneratedNote(NamedTuple):
    """A note, and what is known of it by the way it was made."""

    text: str
    #: Which of law 2's exceptions its list is, if any.
    exception: str
    #: Whether something is in it that an editor may refuse.
    is_hard: bool


def generate_note(
    chance: random.Random, key: str, names: Sequence[str], *, hard: float = 0.0
) -> GeneratedNote:
    """Return a note with a list ``key`` of some form, which may hold some of ``names``."""
    trouble = chance.choice(("form", "neighbour", "whole")) if chance.random() < hard else ""
    form, exception = chance.choice(HARD_FORMS if trouble == "form" else FORMS)
    first, second = chance.sample(names, 2) if len(names) > 1 else (names[0], names[0])
    spelled = chance.choice((key, key, key, f'"{key}"', key.title(), f"{key} "))
    form = _filled(form, {"A": first, "B": second, "K": spelled, "U": key.upper()})
    parts = [_neighbour(chance, number) for number in range(chance.randrange(5))]
    if trouble == "neighbour":
        parts.append(chance.choice(HARD_NEIGHBOURS).replace("K", "h0").replace("J", "h1"))
    parts.insert(chance.randrange(len(parts) + 1), form)
    if len([part for part in parts if part.startswith(("tags:", "2024:", "off:"))]) > 1:
        parts = [part for part in parts if not part.startswith(("tags:", "2024:", "off:"))]
    block, body = "".join(parts), chance.choice(BODIES)
    if not block and chance.random() < 0.7:
        text, exception = body.lstrip("-"), ""
    else:
        end = f"\n{body}" if body or chance.random() < 0.5 else ""
        text = f"---\n{block}---{end}"
    if trouble == "whole":
        text, exception = chance.choice(HARD_WHOLES).replace("@", block), ""
    if chance.random() < 0.3:
        text = text.replace("\n", "\r\n")
    if chance.random() < 0.1:
        text = "\ufeff" + text
    return GeneratedNote(text, exception, bool(trouble))


def _filled(form: str, values: dict[str, str]) -> str:
    """Return a form with its signs replaced, names escaped as the quotes around them ask."""

    def fill(found: re.Match[str]) -> str:
        value = values[found[3]]
        if found[1]:
            value = value.replace(found[1], "''" if found[1] == "'" else '\\"')
        return f"{found[1]}{found[2]}{value}"

    return re.sub(r"(['\"]?)(!?\[*)([ABKU])", fill, form)


def _neighbour(chance: random.Random, number: int) -> str:
    part = chance.choice(NEIGHBOURS)
    return part.replace("K", f"k{number}").replace("J", f"j{number}")
