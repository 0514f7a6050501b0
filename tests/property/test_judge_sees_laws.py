"""Law 5 from files to the wire: no property and no private note reaches a judge."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.surveys import context
from tests.kit.vaults import write_vault
from vaultgraph.candidates.pairs import candidate_pairs
from vaultgraph.flows.context import masker_of
from vaultgraph.flows.pairs import PairMaker
from vaultgraph.flows.survey import survey_vault
from vaultgraph.judge.pair_text import TextRules, halved_state, pair_state

CANARY = "QXZW"
ENDS = st.sampled_from(["\n", "\r\n"])
STARTS = st.sampled_from(["", "\ufeff"])
PROPERTIES = st.lists(
    st.sampled_from(
        [
            f"status: {CANARY}",
            f"created: 1901-01-01 # {CANARY}",
            f"aliases: [{CANARY} Plan]",
            f"depends-on:\n  - '[[{CANARY}]]'",
            f"superseded-by: '[[{CANARY}]]'",
            f"note: |\n  {CANARY}\n  [[Bridge Plan]]",
            f"{CANARY}: {{a: [b]}}",
            f"broken: [{CANARY}",
            f"# {CANARY}",
        ]
    ),
    max_size=4,
)
PRIVATE = st.sampled_from(
    [
        "---\nprivate: true\n---\n",
        "---\nPrivate: yes\n---\n",
        "---\r\nPRIVATE: 1\r\n---\r\n",
        "\ufeff---\nprivate: anything\n---\n",
        "---\na: b: c\nprivate: true\n---\n",
        "----\nprivate: true\n----\n",
        "---\nx: [\nprivate: on\n",
    ]
)
SPELLINGS = st.lists(
    st.sampled_from(
        [
            "[[Orchid Falcon]]",
            "[[far/Orchid Falcon|her]]",
            "![[orchid falcon#Part]]",
            "[x](far/Orchid%20Falcon.md)",
            "Orchid Falcon",
            "ORCHID  falcon",
            "orchid\nfalcon",
            "Silver Heron",
            "a word",
        ]
    ),
    max_size=6,
)


@st.composite
def notes(draw, link):
    """Return the bytes of a note with properties, a body, a link and mentions."""
    end = draw(ENDS)
    lines = draw(PROPERTIES)
    block = ["---", *lines, "---"] if lines or draw(st.booleans()) else []
    body = [f"It rests on [[{link}]].", *draw(SPELLINGS)]
    return draw(STARTS) + "\n".join([*block, *body]).replace("\n", end)


@settings(max_examples=60)
@given(notes("Bridge Plan"), notes("Launch Day"), PRIVATE, st.integers(50, 900))
def test_no_property_and_no_private_note_is_shown(launch, bridge, private, tokens):
    secret = f"{private}{CANARY} on [[Bridge Plan]] and [[Launch Day]].\n"
    aliased = "---\nprivate: true\naliases: [Silver Heron]\n---\n[[Launch Day]]\n"
    with tempfile.TemporaryDirectory() as folder:
        vault = write_vault(
            Path(folder) / "vault",
            {
                "Launch Day.md": launch,
                "Bridge Plan.md": bridge,
                "far/Orchid Falcon.md": secret,
                "Other.md": aliased,
            },
        )
        opened = context(vault)
        survey = survey_vault(opened.vault, opened.notes, opened.settings)
        pairs = PairMaker(opened, survey)
        found = [pairs.pair(*pair) for pair in candidate_pairs(survey)]
        rules = TextRules(masker_of(survey), tokens)
    # Properties that cannot be read make a note unreadable nowhere: the pair is always there.
    assert [(p.first.note, p.second.note) for p in found if p] == [
        ("Bridge Plan.md", "Launch Day.md")
    ]
    for pair in found:
        assert pair is not None
        for make in (pair_state, halved_state):
            text = json.dumps(make(pair, rules)).lower()
            assert CANARY.lower() not in text
            assert "1901" not in text
            for part in ("orchid", "falcon", "silver", "heron"):
                assert part not in text
