"""Law 5 for the whole program: every byte that ``judge`` sends, from vaults with canaries.

The samples, and a vault that holds every kind of thing a judge must not see.
"""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING

import pytest

from tests.kit.cli import run, run_program
from tests.kit.judge_server import Heard, Say, judge_server, nouls
from tests.kit.vaults import REPOSITORY, write_vault
from vaultgraph.text.frontmatter import split_note

if TYPE_CHECKING:
    from pathlib import Path

TRUTH = json.loads((REPOSITORY / "samples" / "truth.json").read_text("utf-8"))
YES = Say(
    body=b'{"choices":[{"logprobs":{"content":[{"top_logprobs":'
    b'[{"token":"Yes","logprob":-0.1},{"token":"No","logprob":-2.5}]}]}}]}'
)
TOO_LONG = Say(400, b'{"detail":{"error_type":"max_tokens_exceeded","message":""}}')

#: Every line tells a state, an age or a date of the note or a task. QX… and years below 1950 are
#: canaries.
STAMPS = [
    "status:: QXFIELD",
    "**Status**:: QXBOLD",
    "- status:: QXITEM",
    "> state:: QXQUOTE",
    "phase:: QXPHASE",
    "Text with a [status:: QXBRACKET] in it.",
    "Text with a (resolved-to:: QXPAREN) in it.",
    "Status: QXPLAIN",
    "| Status | QXROW |",
    "It is #status/qxtag now.",
    "created:: 1901-01-01",
    "due:: [[1902-02-02]]",
    "Created: 1903-03-03",
    "*Last updated on 4 April 1904 by QXNAME*",
    "Last modified: 1905/05/05 12:30",
    "Date: 06.06.1906",
    "Written on July 7, 1907",
    "## 1908-08-08",
    "1909-09-09",
    "[[1910-10-10]]",
    "- [ ] order steel 📅 1911-11-11",
    "- [x] survey ✅ 1912-12-12",
    "- [ ] plan ⏳ 1913-01-13 🛫 1914-01-14 \u2795 1915-01-15",
    "- [ ] pay [due:: 1916-01-16]",
    "- [x] paid (completion:: 1917-01-17) @done(1918-01-18)",
    "- [ ] call @{1919-01-19}",
    "- [ ] write due:1920-01-20",
    "SCHEDULED: <1921-01-21 Fri>",
    "This note was last edited on 1922-01-22.",
    "Updated 41 days ago",
    "Reviewed: 42 weeks ago",
]
FRONTMATTER = """---
status: QXSTATUS
created: 1930-01-01
reviewed: 1931-01-01
resolved-to: QXRESOLVED
superseded-by: "[[QXSUCCESSOR]]"
depends-on: ["[[QXBASIS]]"]
depends-on-rejected:
  - "[[QXREJECTED]]"
volatility: QXTIER
tags: [qxtags]
aliases: [QXALIAS Plan]
anything: QXPROPERTY
---
"""
PRIVATE = "QXSECRET is on [[Bridge Plan]].\n"
#: A name, and a text or a place that makes it private.
SECRETS = {
    "qxfolder/Orchid Falcon.md": f"---\nprivate: true\naliases: [Silver Heron]\n---\n{PRIVATE}",
    "qxfolder/Amber Kestrel.md": f"---\nPRIVATE: Yes\n---\n{PRIVATE}",
    "qxfolder/Broken Osprey.md": f"---\na: b: c\nprivate: true\n---\n{PRIVATE}",
    "qxfolder/Nearly Merlin.md": f"----\nprivate: true\n----\n{PRIVATE}",
    "Vault Room/Copper Plover.md": PRIVATE,
    "qxfolder/diary qxglob Curlew.md": PRIVATE,
}
NAMES = [
    *("Orchid Falcon", "Silver Heron", "Amber Kestrel", "Broken Osprey", "Nearly Merlin"),
    *("Copper Plover", "diary qxglob Curlew"),
]
#: Every way of writing of a private note.
SPELLINGS = [
    "Ask {} about it.",
    "See [[{}]], [[{}|her]], [[{}#Part|there]] and ![[{}]].",
    "See [her page]({}.md).",
    "In **{}** and _{}_, {}'s list.",
    "{}",
]
CONTENT = [
    "# Bridge Plan",
    "The bridge opens on 2031-05-06, which the [[Launch Day]] waits for.",
    "Steel comes from the Harbour Office; see [[Gravel Works#Prices|prices]].",
]
FILES = {
    ".vaultgraph/config.toml": (
        '[scope]\nprivate = ["Vault Room/**", "**/diary qxglob*"]\n[status]\nkeys = ["phase"]\n'
    ),
    "qxfolder/Bridge Plan.md": FRONTMATTER
    + "\n\n".join([*CONTENT, *STAMPS, *(s.replace("{}", n) for n in NAMES for s in SPELLINGS)]),
    "qxfolder/Launch Day.md": FRONTMATTER.replace("\n", "\r\n")
    + "\r\n\r\n".join(["Rests on the [[Bridge Plan]] and the QXALIAS Plan.", *STAMPS]),
    "Gravel Works.md": "\ufeff---\nstatus: QXBOM\n---\nSells to the Bridge Plan. "
    "Broken over\nlines: Orchid\nFalcon, orchid  falcon, ORCHID FALCON, Orchid%20Falcon.\n",
    "Harbour Office.md": "".join(f"{line}\n" for line in STAMPS) + "For the Bridge Plan.\n",
    "1940-05-06.md": "QXRECORD met about the [[Bridge Plan]].\n",
    "A report.md": "---\nvaultgraph-report: true\n---\nQXREPORT of the [[Bridge Plan]].\n",
    **SECRETS,
}
ONE_WORD = re.compile(r"qx\w*|rchid|alcon|eron\b|estrel|sprey|merlin|plover", re.IGNORECASE)
YEARS = re.compile("19[0-4][0-9]|[^0-9]4[12] (?:days|weeks)")


def everything_sent(vault: Path, *first: Say) -> list[Heard]:
    """Return all that both remote judges are sent about a vault; ``first`` is answered first."""
    heard: list[Heard] = []
    for name in ("systemone", "openai"):

        def answer(number: int, body: bytes) -> Say:
            if number < len(first):
                return first[number]
            return YES if b'"messages"' in body else nouls()

        with judge_server(answer=answer) as server:
            address = ["--base-url", server.url, "--model", "m", "--concurrency", "1"]
            run_program(
                vault,
                "judge",
                *("--judge", name, "--json", *address),
                env={"TYPESAFE_API_KEY": "sk-qxkey", "OPENAI_API_KEY": "sk-qxkey"},
            ).ok()
            heard += server.heard
    return heard


def as_text(heard: list[Heard]) -> list[str]:
    # A canary must not hide behind an escape of JSON.
    return [
        f"{h.path}\n{other_headers(h)}\n{json.loads(h.body)}\n{h.body.decode()}" for h in heard
    ]


def other_headers(heard: Heard) -> dict[str, str]:
    """Return the headers without the two whose digits are any: a port and a length."""
    headers = dict(heard.headers)
    assert re.fullmatch(r"127\.0\.0\.1:[0-9]+", headers.pop("Host"))
    assert headers.pop("Content-Length") == str(len(heard.body))
    return headers


@pytest.mark.parametrize("first", [(), (TOO_LONG, TOO_LONG)], ids=["whole", "halved"])
def test_no_canary_is_sent(tmp_path: Path, first: tuple[Say, ...]):
    vault = write_vault(tmp_path / "qxvault", FILES)
    texts = as_text(everything_sent(vault, *first))
    # Bridge and Launch, Gravel, Harbour; one call each, two of a chat's.
    assert len(texts) >= 9
    for text in texts:
        assert sorted(set(ONE_WORD.findall(text)) - {"QXALIAS"}) == []
        assert YEARS.findall(text) == []
        assert ".md" not in text
        assert os.fspath(tmp_path) not in text
    # What is content was sent.
    whole = "".join(texts)
    assert "opens on 2031-05-06, which the [[Launch Day]] waits for" in whole
    assert "[[Gravel Works#Prices|prices]]" in whole
    assert "[private]" in whole


def test_an_alias_is_content_only_where_a_body_says_it(tmp_path: Path):
    vault = write_vault(tmp_path / "qxvault", FILES)
    for text in as_text(everything_sent(vault)):
        assert ("QXALIAS" in text) == ("Rests on the [[Bridge Plan]]" in text)


def test_show_is_as_clean_as_what_is_sent(tmp_path: Path):
    vault = write_vault(tmp_path / "qxvault", FILES)
    for names in (("Bridge Plan", "Launch Day"), ("Bridge Plan", "Gravel Works")):
        for form in ((), ("--json",)):
            ran = run(vault, "judge", "--judge", "systemone", "--show", *names, *form).ok()
            assert set(ONE_WORD.findall(ran.out)) <= {"QXALIAS"}
            assert YEARS.findall(ran.out) == []
    for name in NAMES[:5]:
        refused = run(vault, "judge", "--judge", "systemone", "--show", "Bridge Plan", name)
        refused.fails(3, "these two make no pair")


def test_nothing_private_and_no_property_of_the_samples_is_sent(sample_vault: Path):
    texts = as_text(everything_sent(sample_vault))
    pairs = run(sample_vault, "scan", "--json").ok().json["counts"]["pairs"]
    decided = len({frozenset(row) for rows in TRUTH["declared"].values() for row in rows})
    # One call a pair, two of a chat's; nobody asks about what a person decided.
    assert len(texts) == 3 * (pairs - decided) > 100
    sent = "".join(texts)
    bodies, secrets = "", list[str]()
    values: set[str] = set()
    for path in sorted(sample_vault.rglob("*.md")):
        parts = split_note(path.read_text("utf-8"))
        if "Private" in path.parts or "rivate:" in parts.block:
            secrets += [line for line in parts.body.splitlines() if len(line) > 20]
            secrets.append(path.stem)
            continue
        bodies += parts.body + path.stem
        for line in parts.block.splitlines():
            values.add(line.partition(":")[2].strip(" \"'[]") or line)
    assert len(secrets) > 6
    assert len(values) > 20
    values -= {"true"}  # a word of the wire
    assert [value for value in values if value not in bodies and value in sent] == []
    assert [secret for secret in secrets if secret.lower() in sent.lower()] == []
    assert "abandoned" not in sent
    assert os.fspath(sample_vault) not in sent
    # A body may link by path; no other path is sent.
    paths = [path.relative_to(sample_vault).as_posix() for path in sample_vault.rglob("*.md")]
    assert [path for path in paths if path in sent and path not in bodies] == []
