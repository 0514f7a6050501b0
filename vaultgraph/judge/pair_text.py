"""The text of a pair: exactly what a judge that reads text is shown, and nothing else.

    {"A": {"title": …, "text": …}, "B": {"title": …, "text": …}}

One pure function, so that ``judge --show`` and a request cannot differ. ``A`` is always the note
whose id comes first: asked either way round, a pair gives the same bytes. Key order is fixed,
since a model's answer moves with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultgraph.domain.judging import JudgedPair
from vaultgraph.judge.cleaning import clean_body, clean_title
from vaultgraph.judge.excerpt import join_excerpt, size, split_paragraphs
from vaultgraph.judge.masking import has_private_name, mask_stretch
from vaultgraph.text.prose import fold, to_nfc

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultgraph.domain.judging import Answer, JudgedNote
    from vaultgraph.judge.excerpt import Paragraph
    from vaultgraph.vault.privacy import Masker

#: An estimate: no judge publishes its tokenizer.
BYTES_PER_TOKEN = 3.5
DEFAULT_TOKENS_PER_NOTE = 800
#: Two of these and the questions stay below the 30,000 tokens that every hosted server takes, so
#: whatever is asked for, no more is sent.
MOST_TOKENS_PER_NOTE = 14_000

#: Title and text of the two notes, under ``A`` and ``B``.
State = dict[str, dict[str, str]]


class TextRules(NamedTuple):
    """How the text of a pair is made."""

    masker: Masker
    tokens_per_note: int = DEFAULT_TOKENS_PER_NOTE
    #: Names of inline fields that say a status, beside the usual ones.
    status_names: tuple[str, ...] = ()


def in_id_order(pair: JudgedPair) -> JudgedPair:
    """Return the pair with the note first whose id comes first."""
    if pair.first.note <= pair.second.note:
        return pair
    return JudgedPair(pair.second, pair.first, pair.second_lines, pair.first_lines)


def pair_state(pair: JudgedPair, rules: TextRules) -> State:
    """Return what is shown of a pair."""
    limit = int(min(rules.tokens_per_note, MOST_TOKENS_PER_NOTE) * BYTES_PER_TOKEN)
    return _state(pair, rules, limit)


def halved_state(pair: JudgedPair, rules: TextRules) -> State:
    """Return half of what :func:`pair_state` shows, for a judge that found it too long."""
    shown = max(size(note["text"]) for note in pair_state(pair, rules).values())
    return _state(pair, rules, shown // 2)


def _state(pair: JudgedPair, rules: TextRules, limit: int) -> State:
    pair = in_id_order(pair)
    first = _shown(pair.first, pair.second, pair.first_lines, rules, limit)
    second = _shown(pair.second, pair.first, pair.second_lines, rules, limit)
    return {"A": first, "B": second}


def _shown(
    note: JudgedNote, other: JudgedNote, lines: Sequence[int], rules: TextRules, limit: int
) -> dict[str, str]:
    return {
        "title": mask_stretch(clean_title(note.title), rules.masker),
        "text": _excerpt(note, other, lines, rules, limit),
    }


def _excerpt(
    note: JudgedNote, other: JudgedNote, lines: Sequence[int], rules: TextRules, limit: int
) -> str:
    body = to_nfc(_with_clean_heading(note, clean_body(note.body, rules.status_names)))
    paragraphs = split_paragraphs(body)
    texts = [paragraph.text for paragraph in paragraphs]
    # Masked before anything is cut, since half a name is no longer found.
    if has_private_name(body, rules.masker):
        texts = [mask_stretch(text, rules.masker) for text in texts]
    names = [fold(name) for name in (other.title, *other.aliases)]
    marked: dict[int, int] = {}
    for number, (paragraph, text) in enumerate(zip(paragraphs, texts, strict=True)):
        at = _first_within(paragraph, lines)
        if at is not None:
            marked[number] = _focus(text, at, names)
    return join_excerpt(texts, marked, limit)


def _first_within(paragraph: Paragraph, lines: Sequence[int]) -> int | None:
    """Return which line of the paragraph, from 0, is the first that counts as evidence."""
    count = paragraph.text.count("\n") + 1
    within = [line - paragraph.first_line for line in lines]
    return min((line for line in within if 0 <= line < count), default=None)


def _focus(text: str, line: int, names: Sequence[str]) -> int:
    """Return the offset in ``text`` where a name stands on a line or after, else the line's."""
    start = 0
    for _ in range(line):
        # A mask may have taken a line break away.
        start = max(start, text.find("\n", start) + 1)
    folded = fold(text[start:])
    found = [at for at in (folded.find(name) for name in names) if at >= 0]
    return min(len(text), start + min(found, default=0))


def _with_clean_heading(note: JudgedNote, body: str) -> str:
    """Return ``body`` with the date gone from a heading that repeats the title."""
    if clean_title(note.title) == note.title or note.title not in body:
        return body
    lines = body.split("\n")
    for number, line in enumerate(lines):
        if line.strip("# \t\r") == note.title:
            lines[number] = line.replace(note.title, clean_title(note.title))
    return "\n".join(lines)


def texts_of(state: State) -> tuple[str, ...]:
    """Return every text of the notes in ``state``: what no error may repeat."""
    return tuple(text for note in state.values() for text in note.values())


def as_asked(pair: JudgedPair, answer: Answer) -> Answer:
    """Return an answer about ``A`` and ``B`` as one about the pair's first and second."""
    if pair.first.note <= pair.second.note:
        return answer
    return answer._replace(
        first_depends=answer.second_depends, second_depends=answer.first_depends
    )
