"""What the embedded judge needs of one note, worked out once however many pairs it stands in."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, NamedTuple

from vaultgraph.candidates.names import is_specific
from vaultgraph.judge.embedded.sections import find_sections
from vaultgraph.text.links import decode_address, is_inside_vault, link_path
from vaultgraph.text.opaque import FILLER, cut_opaque, cut_out
from vaultgraph.text.prose import fold_name, to_nfc

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultgraph.domain.judging import JudgedNote
    from vaultgraph.judge.embedded.sections import Section

_LINK = re.compile(
    r"!?\[\[([^\[\]\n]+)\]\]"
    r"|!?\[([^\[\]\n]{0,500})\]\([ \t]*"
    r"(?:<([^<>\n]{1,500})>|([^()<>\s]{1,500}(?:\([^()\s]{0,200}\)[^()<>\s]{0,200})*))"
    r"(?:[ \t]+\"[^\"\n]{0,500}\")?[ \t]*\)"
)
#: ``![[plan.png]]`` shows a file that is no note.
_ATTACHMENT = re.compile(r"!.*\.(?!md\b)[a-z][a-z0-9]{1,4}(?:[|#\])]|\Z)", re.IGNORECASE)
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,30}://[^\s<>\x00]*")
_COMMENT = re.compile(r"%%.*?%%", re.DOTALL)
_NEWLINE = re.compile(r"\n")
_WORD = re.compile(r"[^\W_]+")
#: Scripts written without spaces: Japanese, Chinese, Korean; two letters count as a word.
_UNSPACED = re.compile("[\u3041-\u30ff\u3400-\u9fff\uac00-\ud7fb]")
#: ``EIP-20``, ``ADR 7``, ``RFC2119``: one name in three spellings.
_NUMBERED = re.compile(r"([^\W\d_]+)[- ]?([0-9]+)")
#: Of a full title that goes on after the note's number: shorter ones are plain words.
_SHORTEST_REST = 9


class LinkPlace(NamedTuple):
    """A link's place in the visible text, and the title it points at, folded."""

    start: int
    end: int
    title: str


class NoteProfile(NamedTuple):
    """One note as the embedded judge sees it."""

    #: What a reader sees: no code, links as their visible text; lines as in the body.
    text: str
    #: The same, lower case and on one line, character for character.
    flat: str
    links: tuple[LinkPlace, ...]
    #: Where each link starts; growing.
    link_starts: tuple[int, ...]
    #: The links by the title they point at.
    links_to: dict[str, tuple[LinkPlace, ...]]
    sections: tuple[Section, ...]
    #: In words; notes in scripts without spaces by the letter, two a word.
    size: float
    #: Of these, the ones outside links.
    own_size: float
    #: Title and aliases, folded.
    names: tuple[str, ...]
    #: Names that stand for the note in running text, each with whether a scan looks for it too.
    wordings: tuple[tuple[str, bool], ...]
    #: Its code, lower case: the parts of lines that ``text`` lacks.
    code: str
    #: Where each of these lines starts, in ``code`` and in ``text``.
    code_lines: tuple[tuple[int, int], ...]

    def links_between(self, start: int, end: int) -> tuple[LinkPlace, ...]:
        """Return the links that start in a stretch of the text."""
        return self.links[
            bisect_left(self.link_starts, start) : bisect_left(self.link_starts, end)
        ]

    def is_in_link(self, start: int, end: int) -> bool:
        """Whether a stretch touches a link's visible text."""
        before = bisect_right(self.link_starts, end - 1) - 1
        return before >= 0 and self.links[before].end > start


def profile_note(note: JudgedNote) -> NoteProfile:
    """Return the profile of a note."""
    whole = to_nfc(note.body)
    body = cut_opaque(whole)
    cut = _cut_lines(whole, body) if body != whole else []
    if "%%" in body:
        body = cut_out(body, [match.span() for match in _COMMENT.finditer(body)])
    text, links = _show_links(body)
    if "://" in text:
        text = _ADDRESS.sub(lambda match: " " * len(match.group()), text)
    links_to: dict[str, list[LinkPlace]] = {}
    for link in links:
        links_to.setdefault(link.title, []).append(link)
    code, code_lines = _place_code(cut, text)
    names = tuple(fold_name(name) for name in (note.title, *note.aliases))
    return NoteProfile(
        text=text,
        flat=_flatten(text),
        links=tuple(links),
        link_starts=tuple(link.start for link in links),
        links_to={title: tuple(places) for title, places in links_to.items()},
        sections=find_sections(text),
        size=(size := _size(text)),
        own_size=size - sum(_size(text[link.start : link.end]) for link in links),
        names=names,
        wordings=_wordings(note),
        code=code,
        code_lines=code_lines,
    )


def _cut_lines(whole: str, cut: str) -> list[tuple[int, str]]:
    """Return what each line of a body lost to the cut, with the line's number from 0."""
    lines = enumerate(zip(whole.split("\n"), cut.split("\n"), strict=True))
    return [(number, _lost(before, after)) for number, (before, after) in lines if before != after]


def _lost(before: str, after: str) -> str:
    """Return what a line lost: a filler stands for it, or it ends what began on another line."""
    first, *others = after.split(FILLER)
    if not others:
        return before.removesuffix(after)
    parts: list[str] = []
    at = len(first)
    for piece in others[:-1]:
        end = max(at, before.find(piece, at))
        parts.append(before[at:end])
        at = end + len(piece)
    parts.append(before[at : max(at, len(before) - len(others[-1]))])
    return FILLER.join(parts)


def _place_code(
    cut: Sequence[tuple[int, str]], text: str
) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Return what was cut as one text, and where its lines start there and in ``text``."""
    if not cut:
        return "", ()
    starts = [0, *(match.end() for match in _NEWLINE.finditer(text))]
    places: list[tuple[int, int]] = []
    at = 0
    for number, line in cut:
        places.append((at, starts[number]))
        at += len(line) + 1
    return _flatten("\n".join(line for _, line in cut)), tuple(places)


def _show_links(body: str) -> tuple[str, list[LinkPlace]]:
    """Return ``body`` with every link as its visible text, and the links in it."""
    parts: list[str] = []
    links: list[LinkPlace] = []
    at, length = 0, 0
    for match in _LINK.finditer(body):
        path, visible = _read_link(match)
        if not path:
            continue
        before = body[at : match.start()]
        start = length + len(before)
        parts += (before, visible)
        length = start + len(visible)
        links.append(LinkPlace(start, length, _title_at(path)))
        at = match.end()
    parts.append(body[at:])
    return "".join(parts), links


def _read_link(match: re.Match[str]) -> tuple[str, str]:
    """Return a link's path, empty where it leads out of the vault, and its visible text."""
    inside, text, bracketed, bare = match.groups()
    if _ATTACHMENT.match(match.group()):
        return "", ""
    if inside is not None:
        path, bar = link_path(inside), inside.find("|")
        return path, inside[bar + 1 :] if bar > 0 else inside
    address = bracketed or bare
    if not is_inside_vault(address):
        return "", text
    return decode_address(address).partition("#")[0], text


def _title_at(path: str) -> str:
    name = path.rpartition("/")[2]
    return fold_name(name[:-3] if name.lower().endswith(".md") else name)


def _flatten(text: str) -> str:
    # The one letter whose lower case is two characters.
    return text.replace("\u0130", "I").lower().replace("\n", " ").replace("\t", " ")


def _size(text: str) -> float:
    words = len(_WORD.findall(text))
    return float(words) if text.isascii() else words + len(_UNSPACED.findall(text)) / 2


def _wordings(note: JudgedNote) -> tuple[tuple[str, bool], ...]:
    """Return what to look for in running text, the longest first."""
    found: dict[str, bool] = {}
    title = _flatten(" ".join(note.title.split()))
    for name in (note.title, *note.aliases):
        flat = _flatten(" ".join(to_nfc(name).split()))
        numbered = _NUMBERED.fullmatch(flat)
        if numbered:
            letters, digits = numbered.groups()
            found |= {f"{letters}{between}{digits}": False for between in ("-", " ", "")}
            rest = title[len(flat) :].strip(" -\u2013\u2014:.") if title.startswith(flat) else ""
            if len(rest) >= _SHORTEST_REST and " " in rest:
                found.setdefault(rest, False)
        elif is_specific(flat, 2):
            found[flat] = True
    return tuple(sorted(found.items(), key=lambda item: (-len(item[0]), item[0])))
