"""A person at a real pseudo-terminal."""

from __future__ import annotations

import signal
import sys
from typing import TYPE_CHECKING

import pytest

from tests.kit.cli import run
from tests.kit.reviewing import brief, decided, waiting_vault
from tests.kit.terminal import Person
from tests.kit.writing import age, edit, import_lines, notes_bytes, open_proposals, verdict

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are POSIX")

FILES = {
    "Plan.md": "---\nzip: 007 # keep\n---\n# The plan\n\nWaits for the [[Session Cache]].\n"
    + "".join(f"Line {n} of the plan, which goes on.\n" for n in range(60)),
    "Session Cache.md": "Keeps sessions.\n",
    "Token Store.md": "Tokens, after the plan [x] and \x1b[31mred.\n",
}
PAIRS = (
    ("Plan.md", "Session Cache.md", 0.91),
    ("Plan.md", "Token Store.md", 0.8),
    ("Token Store.md", "Session Cache.md", 0.75),
)


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return waiting_vault(tmp_path / "vault", FILES, *PAIRS)


def test_eighty_columns_show_one_note_above_the_other(vault: Path):
    with Person(vault, "review", columns=80) as person:
        person.sees("1 of 3", "0.91", "Plan depends on Session Cache?", "q stop")
        rows = person.grid.rows
        assert rows[2].rstrip() == "Plan.md"
        assert "▌ Waits for the [[Session Cache]]." in person.grid.text
        assert "zip" not in person.grid.text
        assert "depends-on" not in person.grid.text
        assert rows.index("Session Cache.md".ljust(80)) > 8
        person.press("q").sees("0 accepted, 0 rejected, of 3 proposals").stops()


def test_wide_terminals_show_both_side_by_side(vault: Path):
    with Person(vault, "review", columns=120) as person:
        person.sees("1 of 3", "q stop")
        left, _, right = person.grid.rows[2].partition(" │ ")
        assert (left.strip(), right.strip()) == ("Plan.md", "Session Cache.md")
        assert all(row[59] == "│" for row in person.grid.rows[3:21])
        person.press("q").stops()


def test_decide_skip_undo_and_stop(vault: Path):
    before = notes_bytes(vault)
    with Person(vault, "review") as person:
        person.sees("1 of 3", "q stop").press("a").sees("2 of 3", "accepted: Plan depends on")
        assert b"depends-on:\n" in (vault / "Plan.md").read_bytes()
        person.press("u").sees("1 of 3", "taken back: Plan depends on")
        assert notes_bytes(vault) == before
        person.press("u").sees("nothing to take back yet")
        person.press("r").sees("2 of 3", "rejected:")
        person.press("s").sees("3 of 3", "put off:")
        person.press("A").sees("All 3 seen.", "q done")
        person.press("u").sees("3 of 3").press("x").sees("no such key")
        person.press("a").sees("All 3 seen.")
        person.press("q").sees("1 accepted, 1 rejected, of 3 proposals").stops()
    assert [row["basis"] for row in open_proposals(vault)["proposals"]] == ["Token Store.md"]
    assert all(row["seconds"] >= 0 for row in decided(vault) if row["decision"] != "undone")


def test_the_last_undone_the_sitting_is_over_only_by_the_reviewer(vault: Path):
    with Person(vault, "review", "--limit", "1") as person:
        person.sees("1 of 1").press("s").sees("0 accepted, 0 rejected, of 1 proposal").stops()
    assert brief(vault) == []


def test_it_resumes_where_it_stopped(vault: Path):
    with Person(vault, "review") as person:
        person.sees("1 of 3").press("s").sees("2 of 3").press("a").sees("3 of 3")
        person.process.kill()
    with Person(vault, "review") as person:
        person.sees("1 of 2", "Token Store depends on Session Cache?")
        person.press("r").sees("2 of 2", "Plan depends on Session Cache?", "put off before")
        person.press("q").stops()
    assert [row[2] for row in brief(vault)] == ["accepted", "rejected"]


def test_scrolling_and_help(vault: Path):
    with Person(vault, "review") as person:
        person.sees("# The plan", "q stop").press("\x1b[B").press("j").press("j")
        person.sees("Line 6 of")
        assert "# The plan" not in person.grid.text
        person.press(" ").press("\x1b[6~").sees("Line 20 of")
        person.press("\x1b[H").sees("# The plan").press("\x1bOA").press("b")
        person.press("?").sees("Sharing a topic", "any key goes back").press("z").sees("1 of 3")
        person.press("\x1b").stops()
    assert brief(vault) == []


def test_control_characters_of_a_note_never_reach_the_terminal(vault: Path):
    with Person(vault, "review", "--note", "Token Store", "--order", "weakest") as person:
        person.sees("1 of 2", r"\x1b[31mred", "plan [x]").press("q").stops()
        assert "\x1b[31m" not in person.raw


def test_blind_shows_no_score_and_no_colour_is_honoured(vault: Path):
    env = {"NO_COLOR": "1"}
    with Person(vault, "review", "--blind", columns=140, env=env) as person:
        person.sees("1 of 3", "q stop")
        assert "0.91" not in person.raw
        assert "\x1b[36m" not in person.raw
        assert "\x1b[33m" not in person.raw
        person.press("q").stops()


def test_interrupted_the_terminal_is_given_back(vault: Path):
    with Person(vault, "review") as person:
        person.sees("1 of 3").press("a").sees("2 of 3").press("\x03").stops(130)
    with Person(vault, "review") as person:
        person.sees("1 of 2").ends_by(signal.SIGTERM)
        person.stops(128 + signal.SIGTERM)
    assert [row[2] for row in brief(vault)] == ["accepted"]


def test_end_of_input_stops(vault: Path):
    with Person(vault, "review") as person:
        person.sees("1 of 3").press("\x04").stops()
    assert brief(vault) == []


def test_a_terminal_that_cannot_be_addressed_asks_for_lines(vault: Path):
    with Person(vault, "review", env={"TERM": "dumb"}) as person:
        person.sees("1 of 3", "q stop").press("a\n").sees("2 of 3").press("q\n").stops()
        assert "\x1b" not in person.raw
    assert len(brief(vault)) == 1


def test_a_refused_note_is_named_and_the_queue_goes_on(vault: Path):
    text = (vault / "Plan.md").read_text()
    edit(vault / "Plan.md", text.replace("zip: 007", "zip: &anchor 007\nzop: [a"))
    with Person(vault, "review") as person:
        # Its properties cannot be read: its proposals are not asked about.
        person.sees("1 of 1", "Token Store depends on").press("q").stops()
    edit(vault / "Plan.md", text.replace("depends-on-proposed:", "depends-on-proposed: # mine"))
    with Person(vault, "review") as person:
        person.sees("1 of 3").press("a").sees("2 of 3").press("a").sees("3 of 3", "left as it is")
        person.press("q").sees("left as it is: Plan depends on Token Store").stops()
    assert "depends-on-proposed: # mine" in (vault / "Plan.md").read_text()


def test_the_notes_end_as_by_single_decisions(vault: Path, tmp_path: Path):
    other = waiting_vault(tmp_path / "other", FILES, *PAIRS)
    with Person(vault, "review") as person:
        for number, key in enumerate("ara", 1):
            person.sees(f"{number} of 3").press(key)
        person.sees("All 3 seen").press("q").stops()
    for (dependent, basis, _), key in zip(PAIRS, "ara", strict=True):
        run(other, "review", "--accept" if key == "a" else "--reject", dependent, basis).ok()
    age(vault)
    assert notes_bytes(vault) == notes_bytes(other)


def test_attention_checks_look_like_any_other_and_are_told_at_the_end(tmp_path: Path):
    files = {**FILES, "List.md": "See [[Token Store]].\n"}
    vault = waiting_vault(tmp_path / "vault", files, PAIRS[0])
    import_lines(vault, verdict("List.md", "Token Store.md", 0.02, 0.01)).ok()
    before = notes_bytes(vault)["List.md"]
    with Person(vault, "review", "--with-checks", "1") as person:
        for number in (1, 2):
            person.sees(f"{number} of 2", "depends on", "q stop")
            # A score, or its lack, would give it away.
            assert "0.91" not in person.grid.text
            person.press("a")
        person.sees("All 2 seen.").press("q")
        person.sees("1 accepted, 0 rejected, of 1 proposal", "1 of 1 attention checks accepted")
        person.stops()
    assert notes_bytes(vault)["List.md"] == before
    assert brief(vault) == [("Plan.md", "Session Cache.md", "accepted", "terminal")]
    status = run(vault, "review", "--status", "--json").ok().json
    (sitting,) = status["sittings"]
    assert (sitting["decisions"], sitting["checks"], sitting["checks_accepted"]) == (1, 1, 1)
    assert sitting["checks_interval"] == [pytest.approx(0.2065, abs=0.0001), 1]
    text = run(vault, "review", "--status").ok().out
    assert "1 of 1 attention checks accepted (95% interval 21% to 100%)" in text
    run(vault, "review", "--with-checks", "1").fails(2, "attention checks are for a sitting")
