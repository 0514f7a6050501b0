from __future__ import annotations

import pytest

from vaultgraph.judge.masking import has_private_name, mask_stretch
from vaultgraph.vault.privacy import MASK, Masker

MASKER = Masker(["secret merger", "ana lovelace", "züri-plan"])

HIDDEN = [
    "the Secret Merger plan",
    "the SECRET  merger plan",
    "the Secret\nMerger plan",
    "> the Secret\n> Merger plan",
    "see [[deals/Secret Merger#Terms|the deal]]",
    "see [the deal](deals/Secret%20Merger.md)",
    "see [the deal](deals/Secret%2520Merger.md)",
    "**Secret** Merger",
    "_Secret_ _Merger_",
    "==Secret== ~~Merger~~",
    "Secret <b>Merger</b>",
    "#secret-merger",
    "secret_merger",
    "Secret&nbsp;Merger",
    "Secret\u00a0Merger",
    "[[Secret]] Merger",
    "the Z\u00fcri-Plan",
    "the Zu\u0308ri-Plan",
    "Ana\tLovelace's list",
]

SHOWN = [
    "Secret Mergers",
    "a secret, merger",
    "the merger is secret",
    "Anna Lovelace",
    "",
    "[private]",
]


@pytest.mark.parametrize("text", HIDDEN)
def test_a_private_name_is_masked_however_it_is_spelled(text):
    masked = mask_stretch(text, MASKER)
    assert MASK in masked
    letters = "".join(filter(str.isalpha, masked.lower().replace(MASK, "")))
    assert "secretmerger" not in letters
    assert "lovelace" not in letters
    assert "plan" not in letters or "riplan" not in letters
    assert has_private_name(text, MASKER)


@pytest.mark.parametrize("text", SHOWN)
def test_other_text_stays(text):
    assert mask_stretch(text, MASKER) == text
    assert not has_private_name(text, MASKER)


def test_a_private_note_may_be_called_private():
    masker = Masker(["private"])
    assert mask_stretch("my private plan", masker) == "my [private] plan"


def test_without_private_notes_nothing_changes():
    assert mask_stretch("the Secret Merger", Masker(())) == "the Secret Merger"
