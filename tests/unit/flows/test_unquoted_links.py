"""A link without quotes in one of our keys counts as what is plainly meant, and is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.kit.cli import run
from tests.kit.writing import judged, notes_bytes, old_vault, propose

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

FORMS = pytest.mark.parametrize("form", [" [[{}]]", "\n  - [[{}]]", "\n- [[{}|it]]"])


@FORMS
@pytest.mark.parametrize(
    ("key", "value", "how", "successor"),
    [
        ("superseded-by", "New Plan", "superseded", "New Plan.md"),
        ("resolved-to", "New Plan", "ended", None),
        ("status", "Done", "ended", None),
    ],
)
def test_it_closes_the_note(
    make_vault: Callable[..., Path],
    form: str,
    key: str,
    value: str,
    how: str,
    successor: str | None,
):
    vault = make_vault(
        {
            "Old Plan.md": f"---\n{key}:{form.format(value)}\n---\n",
            "New Plan.md": "",
            "Budget.md": "[[Old Plan]]",
        }
    )
    document = run(vault, "stale", "--all", "--json").ok().json
    ((finding),) = document["findings"]
    assert (finding["note"], finding["basis"]) == ("Budget.md", "Old Plan.md")
    assert finding["closed"]["how"] == how
    assert successor is None or successor in str(finding["closed"]["successor"])
    assert [(p["path"], p["code"]) for p in document["problems"]] == [
        ("Old Plan.md", "unquoted-link")
    ]


@FORMS
def test_a_dependency_is_one(make_vault: Callable[..., Path], form: str):
    vault = make_vault(
        {
            "Old Plan.md": "---\nstatus: done\n---\n",
            "Budget.md": f"---\ndepends-on:{form.format('Old Plan')}\n---\n",
        }
    )
    ((finding),) = run(vault, "stale", "--json").ok().json["findings"]
    assert (finding["note"], finding["level"]) == ("Budget.md", "confirmed")


@FORMS
def test_a_rejection_stands_and_the_note_is_as_it_was(tmp_path: Path, form: str):
    rejected = f"---\ndepends-on-rejected:{form.format('Cache')}\n---\nBody of [[Cache]].\n"
    vault = old_vault(tmp_path / "vault", {"Plan.md": rejected, "Cache.md": "Fast.\n"})
    judged(vault, ("Plan", "Cache"))
    before = notes_bytes(vault)
    document = propose(vault).ok().json
    assert document["proposed"] == []
    assert [row["reason"] for row in document["skipped"]] == ["rejected by its owner"]
    assert notes_bytes(vault) == before


def test_a_list_that_holds_one_is_not_written(tmp_path: Path):
    proposed = "---\ndepends-on-proposed:\n  - [[Other]]\n---\n[[Cache]]\n"
    files = {"Plan.md": proposed, "Cache.md": "Fast.\n", "Other.md": ""}
    vault = old_vault(tmp_path / "vault", files)
    judged(vault, ("Plan", "Cache"))
    before = notes_bytes(vault)
    (refused,) = propose(vault).ok().json["refused"]
    assert notes_bytes(vault) == before
    assert (refused["path"], refused["line"]) == ("Plan.md", 3)
    assert "quotes" in refused["text"]
