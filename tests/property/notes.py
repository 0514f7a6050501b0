"""Strategies for notes whose prose, links and code are known by the way they are made."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from tests.kit.naive import Sheet, same

if TYPE_CHECKING:
    from collections.abc import Callable

WORDS = (
    "rate", "Limiter", "cache", "a", "plan", "résumé", "Straße", "İpek", "οδος", "c++", "x1",
    "ﬁnal", "中文", "双链", "かな", "한글", "q&a", "(old)", "n'oublie",
)  # fmt: skip
CJK_NAMES = ("双链笔记", "搬家清单中文", "obsidian双链", "かなカナかな", "한글한글")

names = st.lists(
    st.one_of(
        st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join),
        st.sampled_from(CJK_NAMES),
    ),
    min_size=1,
    max_size=6,
    unique_by=same,
)

#: One space, as people write it within a line.
GAPS = (" ", " ", " ", "  ", "\t", "\u00a0", "\u3000")
#: A break that a reader reads over.
SOFT = ("\n", "  \n", "\n  ")
BESIDE = (
    ",", ".", "(", ")", "**", "_", "==", "'s", "\u2019s", "-", "\u2013", "🚀", "👩‍👩‍👧", "·",
    "。", "「", "」", "/", ":",
    "s", "x", "1", "é", "\u0301", "文", "ん", "한", "\u200b", "!", "?", "~", "&", "|",
)  # fmt: skip


def respelled(draw: st.DrawFn, text: str) -> str:
    """Return another spelling of the same text, or the same."""
    changes: list[Callable[[str], str]] = [
        lambda t: t,
        str.upper,
        str.lower,
        str.title,
        lambda t: unicodedata.normalize("NFD", t),
        lambda t: unicodedata.normalize("NFD", t.upper()),
    ]
    return draw(st.sampled_from(changes))(text)


def prose(
    draw: st.DrawFn, sheet: Sheet, known: list[str], before_lines: str, *, breaks: bool
) -> None:
    """Add a line or a paragraph: words, names, marks, and inline stretches that are no prose."""
    gaps = (*GAPS, *SOFT) if breaks else GAPS
    for _ in range(draw(st.integers(1, 6))):
        kind = draw(st.sampled_from(["name", "name", "word", "beside", "other"]))
        # A line begins with a word, or it might be an item, a heading or a table row.
        at_line_start = sheet.text.rpartition("\n")[2].strip(" >") in {"", "-", "#", "[!note]"}
        if kind == "name":
            words = respelled(draw, draw(st.sampled_from(known))).split(" ")
            sheet.add_prose(words[0], before_lines)
            for word in words[1:]:
                sheet.add_prose(draw(st.sampled_from(gaps)) + word, before_lines)
        elif kind == "word" or at_line_start:
            sheet.add_prose(respelled(draw, draw(st.sampled_from(WORDS))), before_lines)
        elif kind == "beside":
            sheet.add_prose(draw(st.sampled_from(BESIDE)), before_lines)
            continue
        else:
            form = draw(st.sampled_from(INLINE))
            inside = draw(st.sampled_from(known))
            # An address begins and ends at a space; two stretches side by side might become one.
            sheet.add_prose(" ")
            sheet.add_other(
                form.replace("@", inside.replace(" ", "+") if "//" in form else inside)
            )
            sheet.add_prose(" ")
            continue
        if draw(st.booleans()):
            sheet.add_prose(draw(st.sampled_from(gaps[: len(GAPS)])), before_lines)


#: Stretches within a line that are no prose; ``@`` stands for a name.
INLINE = (
    "`@`", "`` @ ` @ ``", "[[@]]", "[[Other|@]]", "![[@]]", "[@](other.md)", "![@](x.png)",
    "[@](https://x.org/y)", "https://x.org/y?@=", "<!-- @ -->", "%% @ %%", "$@$ ", '<i title="@">',
    "</i>",
)  # fmt: skip


@st.composite
def sheets(draw: st.DrawFn, known: list[str], *, frontmatter: bool = True) -> Sheet:
    """Return a note that holds some of the ``known`` names, in prose and elsewhere."""
    sheet = Sheet()
    if frontmatter and draw(st.booleans()):
        sheet.add_other(
            "---\ntitle: 'x'\naliases: [known]\n# " + draw(st.sampled_from(known)) + "\n---\n"
        )
    after_list = False
    for number in range(draw(st.integers(1, 5))):
        if number:
            sheet.add_other("\n\n")
        kinds = [
            "paragraph",
            "heading",
            "items",
            "quote",
            "callout",
            "fence",
            "comment",
            "table",
            "formula",
        ]
        # Only after a paragraph is an indented line certainly code; in a list it may be text.
        kinds += [] if after_list or not number else ["indented"]
        kind = draw(st.sampled_from(kinds))
        after_list = kind == "items" or (after_list and kind == "indented")
        block(draw, sheet, known, kind)
    if draw(st.booleans()):
        sheet.add_other("\n")
    return sheet


def block(  # noqa: C901 - one short branch a kind
    draw: st.DrawFn, sheet: Sheet, known: list[str], kind: str
) -> None:
    inside = draw(st.sampled_from(known))
    match kind:
        case "paragraph":
            prose(draw, sheet, known, "", breaks=True)
        case "heading":
            sheet.add_other("# ")
            prose(draw, sheet, known, "", breaks=False)
        case "items":
            for number in range(draw(st.integers(1, 3))):
                sheet.add_other("\n- " if number else "- ")
                prose(draw, sheet, known, "  ", breaks=True)
        case "quote":
            sheet.add_other("> ")
            prose(draw, sheet, known, "> ", breaks=True)
        case "callout":
            sheet.add_other("> [!note] ")
            prose(draw, sheet, known, "", breaks=False)
        case "table":
            for number in range(2):
                sheet.add_other("\n| " if number else "| ")
                prose(draw, sheet, known, "", breaks=False)
                sheet.add_other(" |")
        case "fence":
            fence = draw(st.sampled_from(["```", "````", "~~~", "~~~~~"]))
            sheet.add_other(f"{fence}text\n{inside}\n\n{inside}\n{fence}")
        case "comment":
            opening, closing = draw(st.sampled_from([("<!--", "-->"), ("%%", "%%")]))
            sheet.add_other(f"{opening}\n{inside}\n\n{inside}\n{closing}")
        case "formula":
            sheet.add_other(f"$$\n{inside}\n$$")
        case _:
            sheet.add_other(f"    {inside}\n    {inside}")
