"""What the frontmatter of a note says, read as the app reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import frontmatter
import pytest

from vaultgraph.domain.settings import KeySettings, Settings, StatusSettings
from vaultgraph.vault.properties import load_block, obsidian_handler, property_reader

if TYPE_CHECKING:
    from vaultgraph.domain.notes import NoteFacts


def read(block: str, settings: Settings | None = None) -> NoteFacts:
    return property_reader(settings or Settings())(block)


@pytest.mark.parametrize(
    ("value", "is_private"),
    [
        ("true", True),
        ("yes", True),
        ("Yes", True),
        ("on", True),
        ("1", True),
        ("maybe", True),
        ("[]", True),
        ("[false]", True),
        ("{}", True),
        ("a: {b: c}"[3:], True),
        ('"true"', True),
        ("00", True),
        ("false", False),
        ("False", False),
        ("FALSE", False),
        ('"false"', False),
        ("no", False),
        ("NO", False),
        ("off", False),
        ("0", False),
        ("", False),
        ('""', False),
        ("null", False),
        ("~", False),
        ("false # for now", False),
    ],
)
def test_private_is_anything_but_no(value: str, is_private: bool):
    assert read(f"private: {value}\n").is_private is is_private


@pytest.mark.parametrize("key", ["private", "Private", "PRIVATE", '"private"', "'Private'"])
def test_private_counts_in_any_letter_case(key: str):
    assert read(f"{key}: true\n").is_private


@pytest.mark.parametrize(
    "block", ["private: true\nPrivate: false\n", "Private: false\nprivate: true\n"]
)
def test_one_yes_is_enough(block: str):
    assert read(block).is_private


@pytest.mark.parametrize(
    "block",
    [
        "a: b: c\nprivate: true\n",
        "a: [\nprivate: true\n",
        "private: true\nprivate: true\n",
        "a: b: c\n  Private : no\n",
        'a: b: c\n"private": x\n',
        "- a\nprivate: true\n",
        "a: 1\na: 2\nPRIVATE: false\n",
    ],
)
def test_a_broken_block_with_the_key_is_private(block: str):
    facts = read(block)
    assert facts.is_private
    assert [code for _, code, _ in facts.faults] == ["bad-yaml"]


def test_a_broken_block_without_the_key_is_not():
    facts = read("a: b: c\nprivately: true\nnot private: x\n")
    assert not facts.is_private
    assert facts.faults[0][:2] == (2, "bad-yaml")


def test_faults_name_the_line_of_the_file():
    assert read("a: 1\nb: 2\nc: d: e\n").faults[0][0] == 4


@pytest.mark.parametrize(
    ("block", "aliases"),
    [
        ("aliases: [One, Two Words]\n", ("One", "Two Words")),
        ("aliases:\n  - One\n  - Two Words\n", ("One", "Two Words")),
        ("aliases:\n- One\n", ("One",)),
        ("aliases: One, Two\n", ("One, Two",)),
        ("Aliases: One\n", ("One",)),
        ("ALIASES: [One]\n", ("One",)),
        ("aliases:\n", ()),
        ("aliases: ~\n", ()),
        ("aliases: []\n", ()),
        ("aliases: [One, 12, true, null, ~, 1.5]\n", ("One",)),
        ('aliases: ["12", yes]\n', ("12", "yes")),
        ("aliases: 2024-05-01\n", ("2024-05-01",)),
        ("aliases: 12\n", ()),
        ('aliases: ["", "  "]\n', ()),
        ("aliases: {a: b}\n", ()),
        ("aliases: [[One]]\n", ()),
        ('aliases: ["  Two\\tWords "]\n', ("Two Words",)),
        ("alias: One\n", ()),
    ],
)
def test_aliases_are_what_the_app_takes(block: str, aliases: tuple[str, ...]):
    assert read(block).aliases == aliases


def test_links_in_properties_count_with_their_key_and_line():
    facts = read(
        'up: "[[Home]]"\n'
        "related:\n"
        '  - "[[A|first]]"\n'
        "  - plain\n"
        '  - "[b](B.md)"\n'
        "  - '[[C#h]]'\n"
        'text: "see [[D]]"\n'
        "nested: [[E]]\n"
        "number: 12\n"
        "empty:\n"
    )
    assert facts.links == (
        ("Home", 2, "property:up"),
        ("A", 4, "property:related"),
        ("B.md", 6, "property:related"),
        ("C", 7, "property:related"),
    )


def test_our_own_lists_are_no_evidence():
    facts = read(
        'depends-on: "[[A]]"\n'
        "depends-on-proposed:\n"
        '  - "[[B|b]]"\n'
        "  -\n"
        "  - C\n"
        "Depends-On-Rejected: ['[[f/D]]', \"[e](E.md)\"]\n"
    )
    assert facts.links == ()
    assert facts.entries == (
        ("accepted", "A", 2),
        ("proposed", "B", 4),
        ("proposed", "C", 6),
        ("rejected", "f/D", 7),
        ("rejected", "E.md", 7),
    )
    assert facts.faults == ()


@pytest.mark.parametrize(
    ("block", "line"),
    [
        ("depends-on: [[Old Spec]]\n", 2),
        ("depends-on:\n  - [[Old Spec]]\n", 3),
        ('depends-on:\n  - "[[Good]]"\n  - [[Old Spec]]\n', 4),
    ],
)
def test_an_unquoted_link_in_our_lists_is_a_problem_that_names_it(block: str, line: int):
    facts = read(block)
    ((at, code, text),) = facts.faults
    assert (at, code) == (line, "unquoted-link")
    assert '"[[Old Spec]]"' in text
    assert facts.entries[-1] == ("accepted", "Old Spec", line)


@pytest.mark.parametrize(
    ("value", "targets"),
    [
        (" [[New Plan]]", ["[[New Plan]]"]),
        ("\n  - [[New Plan]]", ["[[New Plan]]"]),
        ("\n- [[New Plan, once]]\n- [[B|b]]", ["[[New Plan, once]]", "[[B|b]]"]),
        (' ["[[A]]", [[B]]]', ["[[A]]", "[[B]]"]),
        (" {a: b}", []),
        (" [{a: b}]", []),
        (" [[]]", []),
        (" &a [*a]", []),
        (" &a [[*a, b]]", []),
    ],
)
@pytest.mark.parametrize("key", ["superseded-by", "status", "resolved-to", "depends-on"])
def test_an_unquoted_link_says_what_it_means_and_nothing_odd_is_passed_over(
    key: str, value: str, targets: list[str]
):
    facts = read(f"{key}:{value}\n")
    said = {
        "superseded-by": list(facts.superseded_by),
        "status": [text for _, text in facts.statuses],
        "resolved-to": facts.resolved_to,
        "depends-on": [target for _, target, _ in facts.entries],
    }[key]
    expected: list[str] | str = targets
    if key == "resolved-to":
        expected = ", ".join(targets)
    elif key == "depends-on":
        expected = [target[2:-2].partition("|")[0] for target in targets]
    assert said == expected
    unquoted = [target for target in targets if target != "[[A]]"]
    assert len(facts.faults) == max(len(unquoted), 1)
    assert {code for _, code, _ in facts.faults} == {"unquoted-link" if targets else "odd-entry"}


def test_a_map_in_place_of_our_list_is_a_problem():
    facts = read("a: 1\ndepends-on:\n  x: y\n")
    ((line, code, _),) = facts.faults
    assert code == "odd-entry"
    assert line in {3, 4}


def test_keys_can_have_other_names():
    settings = Settings(
        keys=KeySettings(accepted="Rests On", resolved_to="outcome", superseded_by="next"),
        status=StatusSettings(keys=("State", "phase")),
    )
    facts = read(
        'rests on: "[[A]]"\noutcome: gone\nnext: "[[B]]"\nstate: done\nPhase: x\nstatus: y\n',
        settings,
    )
    assert facts.entries == (("accepted", "A", 2),)
    assert facts.resolved_to == "gone"
    assert facts.superseded_by == ("[[B]]",)
    assert facts.statuses == (("state", "done"), ("Phase", "x"))


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        ("status: done\n", (("status", "done"),)),
        ("Status: [done, x]\n", (("Status", "done"), ("Status", "x"))),
        ("status: yes\n", (("status", "yes"),)),
        ("status:\n", ()),
        ("status: {a: b}\n", ()),
        ("status: 3\n", (("status", "3"),)),
    ],
)
def test_statuses_are_kept_as_written(block: str, expected: tuple[tuple[str, str], ...]):
    assert read(block).statuses == expected


@pytest.mark.parametrize(
    ("value", "is_on"),
    [("true", True), ("yes", True), ("false", False), ("", False), ("[]", False)],
)
def test_archived(value: str, is_on: bool):
    assert read(f"archived: {value}\n").archived is is_on
    assert read(f"vaultgraph-report: {value}\n").is_report is is_on


def test_dates_and_words_stay_text():
    facts = read("resolved-to: 12:30\nresolved-on: 2024-05-01\nreviewed: 2024-13-45\n")
    assert (facts.resolved_to, facts.resolved_on, facts.reviewed) == (
        "12:30",
        "2024-05-01",
        "2024-13-45",
    )


def test_load_block_gives_plain_values():
    assert load_block("off: yes\n2024: [1, {a: ~}]\n") == {"off": "yes", "2024": [1, {"a": None}]}
    assert load_block("") == {}


def test_the_handler_is_one_that_python_frontmatter_takes():
    handler = obsidian_handler()
    text = "---\noff: yes\ndue: 2024-05-01\n---\n\n  Body  \n\n"
    block, body = handler.split(text)
    assert handler.load(block) == {"off": "yes", "due": "2024-05-01"}
    assert body == "\n  Body  \n\n"
    assert handler.detect(text)
    assert not handler.detect("\n---\na: 1\n---\n")
    assert isinstance(handler, frontmatter.default_handlers.BaseHandler)
