"""Law 6: parsing never raises on any bytes, and what is found is read or told as a problem."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.kit.cli import run
from tests.kit.vaults import write_file
from vaultgraph.candidates.mentions import Matcher
from vaultgraph.domain.settings import Settings
from vaultgraph.text.links import view_body
from vaultgraph.vault.app_settings import SETTINGS_FILES, parse_app_settings
from vaultgraph.vault.note import NoteReader, body_hash

#: What notes are made of, so that pieces meet in ways that nobody thought of.
PIECES = st.sampled_from(
    [
        "---\n", "---", "--- \n", "----\n", "\n", "\r\n", "\r", "\ufeff", " ", "    ", "\t",
        "> ", "- ",
        "1. ", "# ", "| ", "a: 1\n", "private: true\n", "aliases: [a b]\n", "depends-on:\n",
        '  - "[[A]]"\n',
        "status: done\n", "[[", "]]", "[", "]", "![[", "](", ")", "|", "#", "^", "`", "``",
        "```\n", "~~~\n",
        "$", "$$", "%%", "<!--", "-->", "<a ", ">", "\\", "://", "https://x", "%20", "%", "é",
        "e\u0301",
        "中文", "🚀", "\x00", "\x1b[31m", "\u2028", "\u202e", "word", "Two Words", "&", "*",
        "!!str", "{{", "}}",
        "'", '"', ": ", "@", "\ud7ff", "\U0010ffff",
    ]
)  # fmt: skip
TEXTS = st.one_of(st.lists(PIECES, max_size=40).map("".join), st.text(max_size=200))
BYTES = st.one_of(
    st.binary(max_size=300),
    TEXTS.map(str.encode),
    TEXTS.map(lambda text: text.encode("utf-16")),
    st.tuples(TEXTS, st.binary(max_size=4), TEXTS).map(
        lambda parts: parts[0].encode() + parts[1] + parts[2].encode()
    ),
)


@settings(max_examples=400)
@given(BYTES)
@example(b"")
@example(b"---\n" * 3)
@example(b"---\na: &a [*a]\nb: *a\n---\n")
@example(b"---\n? {a: b}\n: c\n---\n")
@example(b"---\n? [a]\n: c\n---\n")
@example(b"---\nstatus: &x done\nresolved-to: *x\n---\n")
@example(b"---\n- private: true\n---\n")
@example(b"---\naliases: !!binary x\n---\n")
@example(b"---\nk: " + b"[" * 2000 + b"\n---\n")
@example("[[\ud7ff]]".encode())
def test_any_bytes_are_a_note_or_a_problem(data: bytes):
    note = NoteReader(Settings()).read(data)
    assert note.facts.is_readable or note.facts.faults
    lines = data.count(b"\n") + 1
    for line, code, text in note.facts.faults:
        assert 0 <= line <= lines
        assert code
        assert text
        assert "\n" not in text
    for target, line, kind in note.facts.links:
        assert target
        assert 1 <= line <= lines
        assert kind.partition(":")[0] in {"wikilink", "embed", "markdown", "property"}
    for _, _, line in note.facts.entries:
        assert 1 <= line <= lines
    for mention in Matcher(["two words", "word", "中文"]).find(note.prose):
        assert 1 <= mention.line + note.lines_before <= lines
    assert NoteReader(Settings()).read(data) == note
    assert len(body_hash(data)) == 64


@settings(max_examples=300)
@given(TEXTS)
def test_any_body_keeps_its_lines(body: str):
    view = view_body(body)
    assert view.prose.count("\n") == body.count("\n")


@given(TEXTS, TEXTS)
def test_the_body_hash_is_of_the_body_alone(block: str, body: str):
    def hash_of(properties: str) -> str:
        return body_hash(f"---\n{properties}\n---\n{body}".encode())

    if not any(line == "---" for line in block.replace("\r\n", "\n").split("\n")):
        assert hash_of(block) == hash_of("a: 1")
    assert hash_of("a: 1") != body_hash(f"---\na: 1\n---\n{body}x".encode())


@given(
    st.dictionaries(
        st.sampled_from(SETTINGS_FILES), st.one_of(st.binary(max_size=50), TEXTS.map(str.encode))
    )
)
def test_any_settings_of_the_app_are_read(files: dict[str, bytes]):
    parsed = parse_app_settings(files)
    assert {name for name, _ in parsed.unreadable} <= set(files)


@settings(max_examples=25)
@given(
    st.dictionaries(
        st.sampled_from(
            ["A.md", "Two Words.md", "b/Note.md", "b/c/2024-05-01.md", "Archive/x.md", "B.MD"]
        ),
        BYTES,
        max_size=6,
    )
)
def test_what_is_found_is_read_or_told(files: dict[str, bytes]):
    with tempfile.TemporaryDirectory() as folder:
        for path, data in files.items():
            write_file(Path(folder) / path, data)
        document = run(Path(folder), "scan", "--json", "--no-cache").ok().json
        counts = document["counts"]
        assert counts["found"] == len(files)
        assert counts["found"] == counts["read"] + counts["unreadable"] + counts["skipped"]
        told = {
            row["path"]
            for row in document["problems"]
            if row["code"] in {"not-utf8", "unreadable"}
        }
        # What cannot be read and may be private is counted, and not named.
        assert len(told) <= counts["unreadable"] <= len(told) + counts["private"]
        for command in ("stale", "doctor"):
            run(Path(folder), command, "--json", "--no-cache").ok()
