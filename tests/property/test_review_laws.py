"""What holds for any sequence of decisions."""

from __future__ import annotations

import json
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.cli import run
from tests.kit.reviewing import log, log_line, notice, sit, waiting_vault
from tests.kit.vaults import copy_vault, write_file
from tests.kit.writing import age, notes_bytes
from vaultgraph.domain.notes import ENTRY_LISTS, NoteId, VaultFile
from vaultgraph.domain.settings import KeySettings, Settings
from vaultgraph.domain.writing import LedgerEvent
from vaultgraph.proposals.plan import PlannedNote, plan_note
from vaultgraph.review.decisions import DECISIONS, changes_for
from vaultgraph.review.history import read_history
from vaultgraph.review.log_lines import LogFile, read_logs
from vaultgraph.vault.note import NoteReader
from vaultgraph.vault.resolve import LinkIndex

if TYPE_CHECKING:
    from vaultgraph.domain.notes import EntryList

KEYS = KeySettings()
BASES = [NoteId(f"Basis {letter}.md") for letter in "ABCD"]
INDEX = LinkIndex(["Plan.md", *BASES])
FILE = VaultFile("Plan.md", "Plan.md", (0, 0, 0, 0))
READER = NoteReader(Settings())
OTHERS = {"zip: 007", "# a comment", "who: 'X'", "tags: [a, b]", "", "long: |\n  text\n\n  more"}


def entries(data: bytes) -> dict[str, set[EntryList]]:
    found: dict[str, set[EntryList]] = {basis: set() for basis in BASES}
    for in_list, target, _ in READER.read(data).facts.entries:
        reached = INDEX.resolve(target, "Plan.md")
        assert reached is not None
        found[reached].add(in_list)
    return found


@st.composite
def notes(draw: st.DrawFn) -> bytes:
    blocks = draw(st.lists(st.sampled_from(sorted(OTHERS)), unique=True, max_size=4))
    for name in ENTRY_LISTS:
        basis = draw(st.lists(st.sampled_from(BASES), unique=True, max_size=4))
        spelled = [
            draw(st.sampled_from([f"[[{b[:-3]}]]", f"[[{b}]]", f"[[{b[:-3]}|x]]"])) for b in basis
        ]
        if not basis:
            continue
        if draw(st.booleans()):
            lines = "".join(f'\n  - "{entry}"' for entry in spelled)
        else:
            lines = " [" + ", ".join(f'"{entry}"' for entry in spelled) + "]"
        blocks.insert(draw(st.integers(0, len(blocks))), f"{KEYS.of_list(name)}:{lines}")
    body = draw(st.sampled_from(["", "Body\n", "Body\n---\ndepends-on: x"]))
    # A blank line is part of a text block before it, and is tried elsewhere.
    text = "---\n" + "".join(f"{block}\n" for block in blocks if block) + f"---\n{body}"
    if draw(st.booleans()):
        text = text.replace("\n", "\r\n")
    return draw(st.sampled_from([b"", b"\xef\xbb\xbf"])) + text.encode()


def others(data: bytes) -> list[bytes]:
    """Return the lines of everything but our three lists."""
    ours = [KEYS.of_list(name).encode() for name in ENTRY_LISTS]
    kept: list[bytes] = []
    is_ours, is_inside = False, False
    for line in data.splitlines(keepends=True):
        if line.strip() == b"---" or line.startswith(b"\xef\xbb\xbf"):
            is_ours = False
            is_inside = not kept
        elif is_inside and not line.startswith(b" "):
            is_ours = line.split(b":")[0] in ours
        if not is_ours:
            kept.append(line)
    return kept


@given(
    notes(), st.lists(st.tuples(st.sampled_from(BASES), st.sampled_from(DECISIONS)), max_size=8)
)
def test_decisions_leave_lists_consistent_and_all_else_untouched(data: bytes, decisions: Any):
    untouched = others(data)
    for basis, decision in decisions:
        before = entries(data)
        changes = changes_for(basis, decision, before[basis], KEYS)
        planned = plan_note(FILE, data, changes, INDEX)
        if isinstance(planned, PlannedNote):
            data = planned.write.new
        elif planned is not None:
            continue
        after = entries(data)
        if decision == "reset":
            assert after[basis] == before[basis] - {"accepted", "rejected"}
        else:
            assert after[basis] == {"proposed" if decision == "undone" else decision}
        assert all(after[other] == before[other] for other in BASES if other != basis)
        assert others(data) == untouched


FILES: dict[str, str | bytes] = {
    "Plan.md": "\ufeff---\r\nzip: 007 # keep\r\n---\r\nBasis A and Basis B.\r\n",
    "Draft.md": "Basis A, Basis C, and the Plan.\n",
    **{str(basis): f"{basis}\n" for basis in BASES},
}
PAIRS = [
    ("Plan.md", BASES[0], 0.9),
    ("Plan.md", BASES[1], 0.85),
    ("Draft.md", BASES[0], 0.8),
    ("Draft.md", BASES[2], 0.75),
    (BASES[3], "Plan.md", 0.7),
]


@settings(max_examples=12)
@given(st.lists(st.sampled_from("arsu"), min_size=1, max_size=10))
def test_a_sitting_taken_back_as_a_whole_leaves_every_byte(keys: list[str]):
    with tempfile.TemporaryDirectory() as folder:
        vault = waiting_vault(Path(folder) / "vault", FILES, *PAIRS)
        before = notes_bytes(vault)
        sitting = sit(vault)
        trail = [before]
        for key in keys:
            view = sitting.view()
            if key == "u":
                if sitting.undo() is not None:
                    trail.pop()
            elif view is None:
                continue
            elif key == "s":
                sitting.skip()
            else:
                outcome = sitting.decide("accepted" if key == "a" else "rejected")
                assert outcome.kind == "done"
                trail.append(notes_bytes(vault))
            assert notes_bytes(vault) == trail[-1]
        while sitting.undo() is not None:
            pass
        assert notes_bytes(vault) == before
        assert len(sit(vault).queue) == len(PAIRS)


@settings(max_examples=6)
@given(st.lists(st.sampled_from(["accepted", "rejected"]), min_size=1, max_size=5))
def test_the_script_and_the_terminal_leave_one_state(decisions: Any):
    with tempfile.TemporaryDirectory() as folder:
        mine = waiting_vault(Path(folder) / "vault", FILES, *PAIRS)
        other = copy_vault(mine, Path(folder) / "other")
        sitting = sit(mine)
        lines = []
        for number, decision in enumerate(decisions):
            view = sitting.view()
            assert view is not None
            sitting.decide(decision)
            at = f"2026-11-30T09:00:{number:02}.000Z"
            score = view.item.score
            assert score is not None
            lines.append(
                log_line(*view.item.direction, decision, at, seconds=1.0, **score._asdict())
            )
        for path, data in notes_bytes(mine).items():
            write_file(other / path, data)
        age(other)
        log(other, "obsidian-1", *lines)
        # The order of events is that of their times; the proposals must be the older ones.
        one, two = notice(mine).history, notice(other).history
        assert {pair: known.state for pair, known in one.pairs.items()} == {
            pair: known.state for pair, known in two.pairs.items()
        }
        first, second = (run(v, "review", "--status", "--json").ok().json for v in (mine, other))
        for part in ("proposed", "accepted", "rejected", "waiting", "by_judge", "by_score"):
            assert first[part] == second[part]


START = datetime(2026, 12, 1, tzinfo=UTC)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["phone", "desk"]),
            st.integers(0, 30),
            st.sampled_from(BASES),
            st.sampled_from(["accepted", "rejected", "undone"]),
        ),
        max_size=12,
    ),
    st.randoms(use_true_random=False),
)
def test_logs_of_two_devices_merge_in_any_order(rows: Any, random: Any):
    files: dict[str, list[str]] = {"phone": [], "desk": []}
    for device, minute, basis, decision in sorted(rows, key=lambda row: row[1]):
        at = (START + timedelta(minutes=minute)).isoformat()
        files[device].append(json.dumps(log_line("Plan.md", basis, decision, at, seconds=2)))
    logs = [
        LogFile(device, "".join(f"{line}\n" for line in lines).encode())
        for device, lines in files.items()
    ]

    def kept(order: list[LogFile], copies: int) -> list[LedgerEvent]:
        """Return the ledger after the files arrived one by one, perhaps on several devices."""
        events = []
        for number in range(copies):
            for later, file in enumerate(order):
                at = START + timedelta(hours=1, minutes=10 * later + number)
                found, _ = read_logs([file])
                events += [LedgerEvent(at, f"d{number}", *one.event()) for one in found]
        random.shuffle(events)
        return events

    one = read_history(kept(logs, 1))
    two = read_history(kept(logs[::-1], 2))
    assert one.pairs == two.pairs
    assert one.paced == two.paced
    assert one.logged == two.logged
