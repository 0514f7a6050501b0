"""Code and comments as an independent Markdown parser (markdown-it) sees them."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from vaultgraph.text.opaque import cut_opaque

WORD = re.compile(r"w\d+w")
COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)

#: Words are numbered, so that each can be found again on both sides.
INLINE = (
    "@", "@ @", "`@`", "`` @ ` @ ``", "``@``", "` @", "@ `", "*@*", "**@** @", "<!-- @ -->",
    "<!-- @ --> @",
    "\\`@\\`", "[@](x.md)", "@\\", "`@\\`", "~~@~~", "@ & @", "<b>@</b>", "\\<!-- @ -->",
)  # fmt: skip
BLOCKS = (
    "{}", "# {}", "- {}", "- {}\n- {}", "1. {}\n2. {}", "> {}", "> {}\n> {}", "```\n@ `@`\n```",
    "~~~\n@\n```\n@\n~~~", "````md\n```\n@\n```\n````", "``` @\n@\n```", "   ```\n   @\n   ```",
    "> ```\n> @\n> ```", "> ```\n> @\n\n{}", "- {}\n  ```\n  @\n  ```\n- {}", "    @",
    "    @\n\n    @", "\t@",
    "@ {}\n    @", "<!-- @\n\n@ -->", "<!--\n@\n-->", "- {}\n\n  {}", "```@``` {}",
    "{}\n```\n@\n```", "* {}",
    "| {} | {} |\n|---|---|\n| {} | {} |", "{}\n{}",
)  # fmt: skip
#: Takes all that follows, and so stands last.
UNCLOSED = ("```\n@", "~~~\n@\n\n`@", "<!-- @\n\n@")


@st.composite
def bodies(draw: st.DrawFn) -> str:
    parts: list[str] = []
    in_list = False
    for _ in range(draw(st.integers(1, 6))):
        block = draw(st.sampled_from(BLOCKS))
        # Whether an indented line after a list is code depends on how far its items reach; ours
        # takes it for the item's text, on purpose.
        if in_list and block.startswith(("    ", "\t")):
            block = "{}"
        in_list = block.startswith(("- ", "* ", "1. ")) or (in_list and block.startswith("   "))
        # A lone tick in a cell is text, however many follow in other cells; ours pairs them up.
        forms = [
            form for form in INLINE if form not in {"` @", "@ `"} or not block.startswith("|")
        ]
        pieces = block.split("{}")
        filled = pieces[0]
        for piece in pieces[1:]:
            filled += draw(st.sampled_from(forms)) + piece
        parts.append(filled)
    if draw(st.booleans()):
        parts.append(draw(st.sampled_from(UNCLOSED)))
    number = iter(range(10_000))
    return re.sub("@", lambda _: f"w{next(number)}w", "\n\n".join(parts))


def hidden_by_markdown_it(body: str) -> set[str]:
    """Return the words in code or in HTML comments."""
    found: set[str] = set()

    def walk(tokens: list) -> None:
        for token in tokens:
            if token.type in {"code_inline", "code_block", "fence"}:
                found.update(WORD.findall(token.content))
                found.update(WORD.findall(token.info or ""))
            elif token.type in {"html_block", "html_inline"}:
                for comment in COMMENT.findall(token.content):
                    found.update(WORD.findall(comment))
            if token.children:
                walk(token.children)

    walk(MarkdownIt("commonmark").enable("table").parse(body))
    return found


@settings(max_examples=300)
@given(bodies())
def test_the_same_words_are_hidden(body: str):
    words = set(WORD.findall(body))
    ours = words - set(WORD.findall(cut_opaque(body)))
    assert ours == hidden_by_markdown_it(body)
