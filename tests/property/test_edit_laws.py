"""Laws 1 and 2 of the design, for any frontmatter around the lists that are edited."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from hypothesis import example, given, settings
from hypothesis import strategies as st

from vaultgraph.domain.notes import NoteId
from vaultgraph.text.edits import (
    AddEntry,
    Edit,
    EditedText,
    EditRefused,
    MoveEntry,
    RemoveEntry,
    RemoveKey,
    SetScalar,
)
from vaultgraph.text.entry_edit import apply_edits
from vaultgraph.text.frontmatter import split_note

if TYPE_CHECKING:
    from collections.abc import Sequence

KEY = "depends-on"
OTHER = "depends-on-proposed"

#: Kinds of neighbouring YAML, in the sense that an editor could break each in its own way.
#: ``K`` is a key of its own, ``J`` another.
NEIGHBOURS = (
    "K: Plan\n",
    "K: 'single'\n",
    'K: "double # not a comment"   # why\n',
    "K: 007\nJ: 1.10\n",
    "K: 2024-05-01\nJ: 12:30\n",
    "K: no\nJ: Yes\n",
    "K:\nJ: ~\n",
    "K: \n",
    "K:\n  - a\n  - b # c\n",
    "K:\n- a\n- b\n",
    "K: [a,  'b', \"c\"]\n",
    "K: [\n  a,\n  b, # c\n  ]\n",
    "K: {a: 1, b: [x]}\n",
    "K:\n  a: 1\n  b:\n    - x\n",
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
    '"K: quoted key": x\n',
    "K 2024: x\n",
    "K: 🚀👩‍👩‍👧 žluťoučký\n",
    "K: {{date}}\n",
    "K: [[Unquoted]]\n",
    "K:\n  ? J\n  : x\n",
    f"K: {'a long line ' * 20}\n",
    "K:\ttab\n",
    'K: "[[A|a]]"\n',
    "K: a\u2028b\u0085c\n",
    "depends: x\ndepends-on-x: y\n",
)

#: Forms of our own list without ``A``: the lines, and whether adding and then removing an entry
#: gives back the bytes. The exceptions are those of law 2.
LISTS = (
    ("", True),
    ("K:\n", False),
    ("K: ~ # c\n", False),
    ('K: ""\n', False),
    ("K: []\n", False),
    ('K: "[[B]]" # c\n', False),
    ("K:\n    '[[B]]'\n", False),
    ("K: two words\n", False),
    ('K: ["[[B]]", ]\n', False),
    ('K:\n  - "[[B]]"\n', True),
    ("K: # c\n- \"[[B]]\"\n- '[[C|c]]' # d\n", True),
    ('K:\n  # c\n  - "[[B]]"\n  # d\n', True),
    ('K:\n    - "[[B]]"\n    # c\n\n    - two words\n    # d\n', True),
    ('K:\n  -   "[[B]]"\n  -\n', True),
    ('K:\n  -\n    "[[B]]"\n', True),
    ('K: ["[[B]]"]\n', True),
    ('K: [ "[[B]]",  "[[C#x]]" ] # c\n', True),
    ("K: [\n  \"[[B]]\",\n  '[[C]]'\n  ]\n", True),
)
KEYS = (KEY, f'"{KEY}"', "Depends-On", f"{KEY} ")
BODIES = ("", "Body.\n", "\nBody without an end", "---\nrule\n---\n", "```\n---\na: b\n---\n```\n")
NAMES = (
    "A",
    "folder/A",
    'Say "A"',
    "It's A",
    "a\\A",
    "🚀 A",
    "A, B: {c} & d",
)


class Sample(NamedTuple):
    """A note, and whether adding to its list and removing again gives back its bytes."""

    text: str
    is_exact: bool


def resolve(target: str) -> str:
    return target.lower().removesuffix(".md") + ".md"


@st.composite
def samples(draw: st.DrawFn) -> Sample:
    kinds = st.lists(st.sampled_from(NEIGHBOURS), max_size=4)
    lines, is_exact = draw(st.sampled_from(LISTS))
    parts = [*draw(kinds), lines.replace("K", draw(st.sampled_from(KEYS))), *draw(kinds)]
    block = "".join(
        part.replace("K", f"k{number}").replace("J", f"j{number}") if part in NEIGHBOURS else part
        for number, part in enumerate(parts)
    )
    if block.count("depends-on-x") > 1:
        block = block.replace("depends: x\ndepends-on-x: y\n", "")
    body = draw(st.sampled_from(BODIES))
    if not block and draw(st.booleans()):
        text = body.lstrip("-")
    else:
        text = f"---\n{block}---" + (f"\n{body}" if body or draw(st.booleans()) else "")
    if draw(st.booleans()):
        text = text.replace("\n", "\r\n")
    return Sample(draw(st.sampled_from(("", "\ufeff"))) + text, is_exact)


names = st.sampled_from(NAMES)
keys = st.sampled_from((KEY, OTHER, "status"))
notes = st.sampled_from(("A", "B", "C")).map(lambda name: NoteId(resolve(name)))
edits: st.SearchStrategy[Edit] = st.one_of(
    st.builds(lambda key, name: AddEntry(key, name, NoteId(resolve(name))), keys, names),
    st.builds(RemoveEntry, keys, notes),
    st.builds(
        lambda source, to, name: MoveEntry(source, to, NoteId(resolve(name)), name),
        keys,
        keys,
        st.sampled_from(("A", "B", "C")),
    ),
    st.builds(SetScalar, st.just("state"), st.text(max_size=8)),
    st.builds(RemoveKey, keys),
)


def other_lines(text: str, edited: set[str]) -> list[str]:
    """Return the lines of a note that are not those of a property in ``edited``.

    A plain line scanner: it knows nothing of the editor. Blank lines and comments between the
    lines of a property are nobody's.
    """
    note = split_note(text)
    others = [note.bom]
    is_ours = False
    for line in note.block.splitlines(keepends=True) if note.has_frontmatter else ():
        key = re.match(r"""["']?([A-Za-z][\w-]*)["']? *:""", line)
        if key:
            is_ours = key[1].lower() in edited
        is_part = key is not None or line[:1] in {" ", "-", "]"}
        if not line.strip() or line.lstrip().startswith("#") or not (is_ours and is_part):
            others.append(line)
            is_ours = is_ours and (not line.strip() or line.lstrip().startswith("#"))
    return [*others, note.body]


def attempt(
    text: str, wanted: Sequence[Edit], *, drop_empty_block: bool = False
) -> EditedText | EditRefused:
    try:
        return apply_edits(text, wanted, resolve, drop_empty_block=drop_empty_block)
    except EditRefused as refused:
        return refused


def add(text: str, name: str) -> str:
    return apply_edits(text, [AddEntry(KEY, name, NoteId(resolve(name)))], resolve).text


@settings(max_examples=400, deadline=None)
@given(samples(), names)
def test_add_changes_only_our_lines(sample, name):
    after = add(sample.text, name)
    assert after != sample.text
    assert other_lines(after, {KEY}) == other_lines(sample.text, {KEY})


@settings(max_examples=400, deadline=None)
@given(samples(), names)
def test_add_twice_is_add_once(sample, name):
    once = add(sample.text, name)
    assert add(once, name) is once


@settings(max_examples=400, deadline=None)
@given(samples(), names)
def test_add_then_remove_gives_back_the_bytes(sample, name):
    is_new_block = not split_note(sample.text).has_frontmatter
    back = [RemoveEntry(KEY, NoteId(resolve(name)))]
    after = attempt(add(sample.text, name), back, drop_empty_block=is_new_block)
    if isinstance(after, EditRefused):
        # A list that was empty goes with its key, and that can be in a neighbour's way.
        assert (sample.is_exact, after.code) in {
            (False, "comment-on-key-line"),
            (False, "verify-failed"),
        }
    else:
        assert after.text == sample.text or not sample.is_exact
        assert other_lines(after.text, {KEY}) == other_lines(sample.text, {KEY})


@settings(max_examples=400, deadline=None)
@given(samples(), st.lists(edits, max_size=4))
def test_any_edits_change_only_the_lines_of_their_keys(sample, wanted):
    after = attempt(sample.text, wanted)
    if isinstance(after, EditedText):
        edited = {KEY, OTHER, "status", "state"}
        assert other_lines(after.text, edited) == other_lines(sample.text, edited)


pieces = st.one_of(
    st.sampled_from("-?:#[]{},&*!|>'\"\\%@`~ab1é🚀 \t\n\r\ufeff\x85\u2028\x07\x00"),
    st.sampled_from(("--- ", "... ", "- ", ": ", " # ", "&a ", "*a ", "!t ", "!!map ", "? ")),
    st.sampled_from(("<<", "<%", "b: c", "[[A]]", "null", "# ", "#x", '"[[B]]"')),
    st.sampled_from(("\n---\n", "\r\n", "\n  ", "|+\n", ">-\n", '"[[A]]"', f"{KEY}:", f"{KEY}: ")),
    st.sampled_from((f'\n{KEY}:\n  - "[[A]]"\n', f"\n{KEY}: [A, ]\n", f"{KEY.upper()}:\n- A")),
)
texts = st.one_of(
    st.text(max_size=60),
    st.lists(pieces, max_size=20).map("".join),
    st.lists(pieces, max_size=20).map(lambda parts: f"---\n{''.join(parts)}\n---\nBody.\n"),
)


@settings(max_examples=1000, deadline=None)
@given(texts, st.lists(edits, max_size=3))
@example(f"---\n{'[' * 5000}\n---\n", [RemoveKey("a")])
@example(f"---\na: {'- ' * 5000}\n---\n", [RemoveKey("a")])
@example("---\na: &a [*a]\n---\n", [SetScalar("state", "x")])
def test_any_text_is_edited_or_refused(text, wanted):
    after = attempt(text, wanted)
    if isinstance(after, EditRefused):
        assert 0 <= after.line <= text.count("\n") + text.count("\r") + 1
        assert after.text
        return
    before, again = split_note(text), split_note(after.text)
    assert (again.bom, again.body) == (before.bom, before.body)
    assert after.created_block == (not before.has_frontmatter and after.text != text)
    assert attempt(after.text, wanted[-1:]) == (after.text, False)
