"""From bytes to facts and prose, whatever the bytes."""

from __future__ import annotations

import hashlib

import pytest

from vaultgraph.domain.settings import Settings
from vaultgraph.vault.note import NoteReader, ReadNote, body_hash, unreadable_facts


def read(content: str | bytes) -> ReadNote:
    return NoteReader(Settings()).read(content.encode() if isinstance(content, str) else content)


def codes(note: ReadNote) -> list[str]:
    return [code for _, code, _ in note.facts.faults]


def test_lines_count_in_the_file():
    note = read('---\nup: "[[A]]"\n---\n\nSee [[B]].\n')
    assert note.facts.links == (("A", 2, "property:up"), ("B", 5, "wikilink"))
    assert note.lines_before == 3


def test_lines_with_crlf_and_a_byte_order_mark():
    note = read('\ufeff---\r\nup: "[[A]]"\r\n---\r\n\r\nSee [[B]].\r\n')
    assert note.facts.links == (("A", 2, "property:up"), ("B", 5, "wikilink"))


def test_without_frontmatter():
    note = read("See [[B]].")
    assert (note.facts.links, note.lines_before) == ((("B", 1, "wikilink"),), 0)


def test_an_empty_block():
    note = read("---\n---\n[[B]]")
    assert note.facts.links == (("B", 3, "wikilink"),)
    assert codes(note) == []


def test_bad_yaml_is_a_problem_and_the_body_still_counts():
    note = read("---\na: b: c\n---\n[[B]]")
    assert codes(note) == ["bad-yaml"]
    assert note.facts.faults[0][0] == 2
    assert note.facts.links == (("B", 4, "wikilink"),)
    assert note.facts.is_readable


def test_a_near_miss_is_a_problem_and_all_of_it_body():
    note = read("----\nstatus: done\n----\n[[B]]")
    assert codes(note) == ["near-miss-frontmatter"]
    assert note.facts.statuses == ()
    assert note.facts.links == (("B", 4, "wikilink"),)


@pytest.mark.parametrize(
    "content",
    [
        "----\nprivate: true\n----\n",
        "\n---\nprivate: false\n---\n",
        "--- \nPrivate: x\n---\n",
        "---\nprivate: true\n",
        "---\rprivate: true\r---\r",
        "---\r\nprivate: true\r\n",
        "---\nprivate: true\n...\n",
        "---\na: b: c\n'private': true\n---\n",
        b"---\nprivate: true\n---\nCaf\xe9\n",
        b"---\nx: \xe9\nPRIVATE : yes\n---\n",
        b"---\n" + b"a: b # comment\n" * 1000 + b"private: true\n---\nCaf\xe9\n",
        "---\nprivate: true\n---\n".encode("utf-16"),
    ],
)
def test_privacy_fails_closed(content: str | bytes):
    assert read(content).facts.is_private


@pytest.mark.parametrize(
    "content",
    [
        "private: true\n",
        "# private: x\n",
        "---\nb: 1\n---\nprivate: true\n",
        "Text\nprivate: yes\n",
    ],
)
def test_a_line_in_a_body_is_no_key(content: str):
    assert not read(content).facts.is_private


def test_bytes_that_are_not_utf8_are_a_problem_with_a_line():
    note = read(b"one\ntwo\nCaf\xe9 au lait [[B]]\n")
    ((line, code, text),) = note.facts.faults
    assert (line, code) == (3, "not-utf8")
    assert "0xe9" in text
    assert not note.facts.is_readable
    assert note.facts.links == ()
    assert note.prose == ""


def test_the_body_hash_leaves_frontmatter_out_and_is_of_the_bytes_as_written():
    assert read(b"\xff").facts.body_hash == hashlib.sha256(b"\xff").digest()
    assert read("a").facts.body_hash == hashlib.sha256(b"a").digest()
    assert read("---\nstatus: done\n---\na").facts.body_hash == hashlib.sha256(b"a").digest()
    decomposed = "cafe\u0301"
    assert read(decomposed).facts.body_hash == hashlib.sha256(decomposed.encode()).digest()
    assert read(decomposed).facts.body_hash.hex() == body_hash(decomposed.encode())


def test_a_note_that_could_not_be_opened():
    facts = unreadable_facts("cannot be read: gone")
    assert not facts.is_readable
    assert facts.faults == ((0, "unreadable", "cannot be read: gone"),)


def test_links_and_prose_are_nfc():
    note = read("[[Re\u0301sume\u0301]] U\u0308ber")
    assert note.facts.links == (("Résumé", 1, "wikilink"),)
    assert "Über" in note.prose


def test_a_lone_surrogate_is_not_utf8():
    assert codes(read("\ud800".encode("utf-8", "surrogatepass"))) == ["not-utf8"]
