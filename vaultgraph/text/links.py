r"""Links as Obsidian reads them from a note's body, and the prose that is left without them.

What counts as a link was read from the app's own caches: the path ends at the first ``|`` or
``#``; a bar may be escaped inside a table; an embed is a link with ``!``; a Markdown link counts
when its address has no scheme, and is percent-decoded as JavaScript's ``decodeURI`` does;
``[[a|b]]`` in a heading, task or ``%%`` comment counts, in code and HTML comments not.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from vaultgraph.domain.notes import EMBED, MARKDOWN, WIKILINK, WrittenLink
from vaultgraph.text.opaque import FILLER, Span, cut_opaque, cut_out

_WIKILINK = re.compile(r"\[\[([^\[\]\n]+)\]\]")
#: The same, its inside cut before the first ``|`` or ``#``.
_CUT_WIKILINK = re.compile(r"\[\[(?=[^\[\]\n])([^\[\]\n|#]*)([^\[\]\n]*)\]\]")
_BRACKET = re.compile(r"\\.|\[|\]\(|\]|\n[ \t]*\r?\n")
#: What follows ``](``: an address, perhaps in angle brackets, perhaps a title, and ``)``.
_ADDRESS = re.compile(
    r"[ \t]*+(?:<([^<>\n]*+)>|([^\s()<]*+(?:\([^\s()]*+\)[^\s()]*+)*+))"
    r"(?:[ \t\r\n]++(?:\"[^\"\n]{0,999}\"|'[^'\n]{0,999}'|\([^()\n]{0,999}\)))?[ \t]*+\)"
)
#: One of these, and ``decodeURI`` throws: the app then takes the whole address as it is.
_BAD_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")
_ESCAPES = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
#: ``decodeURI`` leaves these encoded: they have a meaning of their own in an address.
_KEPT_ENCODED = frozenset(";/?:@&=+$,#")
_ESCAPED_PUNCTUATION = re.compile(r"\\([!-/:-@\[-`{-~])")
_HTML_TAG = re.compile(r"</?[A-Za-z][^<>\n]*>")
_COMMENT = re.compile(r"%%.*?%%", re.DOTALL)
#: Addresses may hold letters of any script, but end at white space and East Asian punctuation.
_ADDRESS_CHARACTERS = re.compile(
    r"[^\s<>\x00\u3000-\u303f\uff00-\uff0f\uff1a-\uff20\uff3b-\uff40]*"
)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*\Z")


class BodyView(NamedTuple):
    """A body's links, and its prose: the same lines, with all that is not prose cut out."""

    #: Lines are 1-based within the body.
    links: list[WrittenLink]
    prose: str


def link_path(written: str) -> str:
    """Return the path a wikilink's inside points at: up to the first ``|`` or ``#``.

    Where nothing stands before the bar, Obsidian takes the bar and the rest for the name; it
    reaches nothing, and neither does ours.
    """
    bar = written.find("|")
    if bar > 0:
        # In a table the bar is written ``\|``; the backslash belongs to neither side.
        written = written[:bar].removesuffix("\\")
    if "#" in written:
        written = written.partition("#")[0]
    return written.strip() if written.isascii() else written.replace("\u00a0", " ").strip()


def decode_address(address: str) -> str:
    """Return a Markdown address decoded as ``decodeURI`` does; a malformed one stays."""
    if "%" not in address or _BAD_ESCAPE.search(address):
        return address
    try:
        return _ESCAPES.sub(lambda run: _decode_run(run.group()), address)
    except UnicodeDecodeError:
        return address


def _decode_run(run: str) -> str:
    text = bytes.fromhex(run.replace("%", "")).decode()
    return "".join(f"%{ord(c):02X}" if c in _KEPT_ENCODED else c for c in text)


def is_inside_vault(address: str) -> bool:
    """Whether a Markdown address points into the vault, by the app's own test."""
    return address.startswith(("./", "../")) or ":" not in address


def view_body(body: str) -> BodyView:
    """Return the links and the prose of ``body``."""
    text = cut_opaque(body)
    text, links = _cut_wikilinks(text) if "[[" in text else (text, [])
    if "](" in text:
        more, spans = _find_markdown_links(text)
        links = sorted(links + more, key=lambda link: link[1])
        text = cut_out(text, spans)
    return BodyView(links, _cut_addresses(text))


def _is_escaped(text: str, at: int) -> bool:
    """Whether the character at ``at`` has an odd number of backslashes before it."""
    start = at
    while start > 0 and text[start - 1] == "\\":
        start -= 1
    return (at - start) % 2 == 1


def _cut_wikilinks(text: str) -> tuple[str, list[WrittenLink]]:
    """Return ``text`` without its wikilinks, and the wikilinks."""
    # What stands before a link, its path, the rest of its inside; and so on to the end.
    parts = _CUT_WIKILINK.split(text)
    befores, paths, rests = parts[:-1:3], parts[1::3], parts[2::3]
    parts[1::3] = [FILLER] * len(paths)
    parts[2::3] = [""] * len(paths)
    links: list[WrittenLink] = []
    line = 1
    for number, path in enumerate(paths):
        before = befores[number]
        line += before.count("\n")
        mark = before[-1:]
        if mark == "\\" and _is_escaped(before, len(before)):
            parts[3 * number + 1] = f"[[{path}{rests[number]}]]"
            continue
        if not path or path[-1] == "\\" or not path.isascii():
            path = link_path(path + rests[number])  # noqa: PLW2901 - the same, with more care
        else:
            path = path.strip()  # noqa: PLW2901
        if path:
            is_embed = mark == "!" and not _is_escaped(before, len(before) - 1)
            links.append((path, line, EMBED if is_embed else WIKILINK))
    return "".join(parts), links


def _find_markdown_links(text: str) -> tuple[list[WrittenLink], list[Span]]:
    links: list[WrittenLink] = []
    spans: list[Span] = []
    opened: list[int] = []
    at, counted, line = 0, 0, 1
    while match := _BRACKET.search(text, at):
        mark, start, at = match.group(), match.start(), match.end()
        if mark == "[":
            opened.append(start)
        elif mark == "]" and opened:
            opened.pop()
        elif mark[0] == "\n":
            opened.clear()
        elif mark == "](" and opened:
            first = opened.pop()
            address = _ADDRESS.match(text, at)
            if address is None:
                continue
            at = address.end()
            is_embed = text[first - 1 : first] == "!" and not _is_escaped(text, first - 1)
            spans.append((first - is_embed, at))
            path = _markdown_path(address.group(1) or address.group(2) or "")
            if path:
                kind = EMBED if is_embed else MARKDOWN
                line += text.count("\n", counted, start)
                counted = start
                links.append((path, line, kind))
    # A picture inside a link's text closes first.
    return links, sorted(spans)


def _markdown_path(address: str) -> str:
    if not address or not is_inside_vault(address) or FILLER in address:
        return ""
    address = _ESCAPED_PUNCTUATION.sub(r"\1", address)
    return decode_address(address).partition("#")[0].replace("\u00a0", " ").strip()


def _cut_addresses(text: str) -> str:
    """Return ``text`` with bare addresses, HTML tags and ``%%`` comments cut out."""
    if "%%" in text:
        text = cut_out(text, [match.span() for match in _COMMENT.finditer(text)])
    if "://" in text:
        text = cut_out(text, _find_addresses(text))
    if "<" in text:
        text = cut_out(text, [match.span() for match in _HTML_TAG.finditer(text)])
    return text


def _find_addresses(text: str) -> list[Span]:
    spans: list[Span] = []
    at = text.find("://")
    while at >= 0:
        # No registered scheme is longer than this; the bound keeps hostile text linear.
        scheme = _SCHEME.search(text, max(0, at - 40), at)
        rest = _ADDRESS_CHARACTERS.match(text, at)
        end = rest.end() if rest else at + 3
        if scheme:
            spans.append((scheme.start(), end))
        at = text.find("://", max(end, at + 3))
    return spans


def link_value(value: str) -> str | None:
    """Return the path a property's text points at, or ``None`` where it is not a link.

    The whole value must be one link: ``[[Note]]``, or since Obsidian 1.11 ``[text](note.md)``.
    """
    value = value.strip()
    if value.startswith(("[[", "![[")):
        match = _WIKILINK.fullmatch(value.removeprefix("!"))
        return (link_path(match.group(1)) or None) if match else None
    if value.startswith("[") and value.endswith(")") and "](" in value:
        links, spans = _find_markdown_links(value)
        if len(links) == 1 and spans == [(0, len(value))]:
            return links[0][0]
    return None
