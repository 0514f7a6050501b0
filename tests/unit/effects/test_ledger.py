from __future__ import annotations

import hashlib
import json
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.effects.writing_kit import Bench, names
from vaultgraph.domain.writing import NewEvent
from vaultgraph.effects.ledger import Ledger
from vaultgraph.effects.ledger_lines import is_whole, merge_chains, read_chain
from vaultgraph.effects.state_folder import LocalFolders, device_name
from vaultgraph.errors import InputError

APPENDER = """
import sys
from pathlib import Path
from vaultgraph.domain.writing import NewEvent
from vaultgraph.effects.clock import SystemClock
from vaultgraph.effects.ledger import Ledger
from vaultgraph.effects.state_folder import local_folders
root, name = Path(sys.argv[1]), sys.argv[2]
folders = local_folders(root / "vault", user_state=root / "state", user_cache=root / "cache")
ledger = Ledger(root / "vault", folders, SystemClock())
print("ready", flush=True)
sys.stdin.readline()
for number in range(200):
    ledger.append([NewEvent("test", {"who": name, "number": number})])
"""


@pytest.fixture
def bench(tmp_path):
    return Bench(tmp_path)


def folders_of(bench, device):
    """Return the local folders of another machine, by a name of our own for it."""
    if device is None:
        return bench.folders
    return LocalFolders(bench.root / device, bench.root / device / "v", bench.folders.cache)


def ledger(bench, device=None):
    return Ledger(bench.vault, folders_of(bench, device), bench.clock)


def append(bench, *kinds, device=None):
    """Append events one by one, a minute apart, and return the file."""
    for kind in kinds:
        ledger(bench, device).append([NewEvent(kind, {"note": f"{kind} é.md"})])
        bench.clock.skip(minutes=1)
    name = device_name(folders_of(bench, device))
    return bench.vault / f".vaultgraph/ledger/{name}.jsonl"


def read(bench):
    reading = ledger(bench).read()
    return [event.kind for event in reading.events], [
        (problem.line, problem.code) for problem in reading.problems
    ]


def test_lines(bench):
    at = bench.clock.now().isoformat(timespec="microseconds").replace("+00:00", "Z")
    path = append(bench, "one", "two")
    first, second, rest = path.read_bytes().split(b"\n")
    assert rest == b""
    assert first.decode() == (
        f'{{"at":"{at}","device":"{path.stem}","event":"one","payload":{{"note":"one é.md"}},'
        f'"prev":"{"0" * 64}","schema":1}}'
    )
    assert json.loads(second)["prev"] == hashlib.sha256(first).hexdigest()


def test_reading(bench):
    append(bench, "one", "two")
    reading = ledger(bench).read()
    assert [(event.kind, event.payload) for event in reading.events] == [
        ("one", {"note": "one é.md"}),
        ("two", {"note": "two é.md"}),
    ]
    assert all(event.at.tzinfo for event in reading.events)
    assert reading.problems == ()


def test_many_events_at_once_are_one_chain(bench):
    ledger(bench).append([NewEvent(f"{number}", {}) for number in range(50)])
    ledger(bench).append([])
    kinds, problems = read(bench)
    assert kinds == [f"{number}" for number in range(50)]
    assert problems == []


def test_reading_creates_nothing(bench):
    assert ledger(bench).read() == ((), ())
    assert names(bench.root) == ["vault"]
    assert names(bench.vault) == []


def test_two_processes_make_one_chain(bench):
    appenders = [
        subprocess.Popen(
            [sys.executable, "-c", APPENDER, str(bench.root), name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        for name in "ab"
    ]
    for appender in appenders:
        assert appender.stdout
        assert appender.stdout.readline() == b"ready\n"
    for appender in appenders:
        assert appender.stdin
        appender.stdin.write(b"go\n")
        appender.stdin.flush()
    for appender in appenders:
        appender.communicate()
        assert appender.returncode == 0
    reading = ledger(bench).read()
    assert reading.problems == ()
    assert len(list((bench.vault / ".vaultgraph/ledger").iterdir())) == 1
    for name in "ab":
        numbers = [e.payload["number"] for e in reading.events if e.payload["who"] == name]
        assert numbers == list(range(200))


@settings(deadline=None, max_examples=40)  # every example waits for the disk
@given(st.integers(1, 10_000))
def test_a_torn_last_line_is_ignored_reported_and_gone_with_the_next_event(tmp_path_factory, cut):
    bench = Bench(tmp_path_factory.mktemp("ledger"))
    path = append(bench, "one", "two")
    whole = path.read_bytes()
    start = whole.index(b"\n") + 1
    path.write_bytes(whole[: start + 1 + cut % (len(whole) - start - 2)])
    assert read(bench) == (["one"], [(2, "ledger-torn")])
    append(bench, "three")
    assert read(bench) == (["one", "three"], [])


@pytest.mark.parametrize("torn", [b"{", b"\0\0\0", b"\xff", b'{"at":'])
def test_a_torn_first_line(bench, torn):
    path = append(bench, "one")
    path.write_bytes(torn)
    assert read(bench) == ([], [(1, "ledger-torn")])
    append(bench, "two")
    assert read(bench) == (["two"], [])


def test_a_last_line_that_lacks_only_its_newline_counts(bench):
    path = append(bench, "one", "two")
    path.write_bytes(path.read_bytes().removesuffix(b"\n"))
    assert read(bench) == (["one", "two"], [])
    append(bench, "three")
    assert read(bench) == (["one", "two", "three"], [])


@pytest.mark.parametrize("edited", [1, 2, 3])
def test_an_edited_line_is_named(bench, edited):
    path = append(bench, "one", "two", "three", "four")
    lines = path.read_bytes().splitlines(keepends=True)
    lines[edited - 1] = lines[edited - 1].replace(b".md", b".MD")
    path.write_bytes(b"".join(lines))
    reading = ledger(bench).read()
    [problem] = reading.problems
    assert (problem.path, problem.line) == (f".vaultgraph/ledger/{path.name}", edited)
    assert problem.code == "ledger-chain"
    # The events are a record; the notes are the truth.
    assert len(reading.events) == 4
    # It stays known.
    append(bench, "five")
    assert read(bench)[1] == [(edited, "ledger-chain")]


def test_a_line_that_became_no_event_is_named_once(bench):
    path = append(bench, "one", "two", "three")
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + b"rubbish\n" + lines[2])
    assert read(bench) == (["one", "three"], [(2, "ledger-line")])


def test_removed_lines(bench):
    path = append(bench, "one", "two", "three")
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + lines[2])
    assert read(bench)[1] == [(1, "ledger-chain")]
    path.write_bytes(lines[1] + lines[2])
    assert read(bench)[1] == [(1, "ledger-chain")]


def test_changed_line_endings_break_nothing(bench):
    path = append(bench, "one", "two")
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert read(bench) == (["one", "two"], [])
    append(bench, "three")
    assert read(bench) == (["one", "two", "three"], [])


def test_devices_merge_in_time_order(bench):
    append(bench, "one", device="a")
    append(bench, "two", device="b")
    append(bench, "three", device="a")
    assert read(bench) == (["one", "two", "three"], [])


def test_a_clock_that_was_set_back_keeps_a_devices_order(bench):
    append(bench, "one", device="a")
    bench.clock.skip(days=-1)
    append(bench, "two", device="a")
    append(bench, "before", device="b")
    assert read(bench) == (["before", "one", "two"], [])


def test_a_conflict_copy_counts_once(bench):
    path = append(bench, "one", "two")
    copy = path.with_name(f"{path.stem}.sync-conflict-20260101-101010-ABC.jsonl")
    copy.write_bytes(path.read_bytes())
    append(bench, "three")
    assert read(bench) == (["one", "two", "three"], [])


@given(st.permutations(range(9)))
def test_the_order_of_reading_does_not_matter(order):
    lines = []
    for number in range(9):
        at = f"2026-01-0{1 + number % 4}T00:00:00Z"
        entry = {"at": at, "device": "abc"[number % 3], "event": f"{number}", "payload": {}}
        lines.append(json.dumps(entry | {"prev": "", "schema": 1}).encode())
    chains = [read_chain(f"{number}", line + b"\n")[0] for number, line in enumerate(lines)]
    merged = merge_chains([event for number in order for event in chains[number]])
    assert merged == merge_chains([event for chain in chains for event in chain])
    assert len(merged) == 9


def test_unknown_kinds_keys_and_newer_schemas_are_kept(bench):
    path = append(bench, "one")
    entry = json.loads(path.read_bytes())
    prev = hashlib.sha256(path.read_bytes().rstrip()).hexdigest()
    newer = json.dumps(entry | {"schema": 7, "event": "unheard", "more": [], "prev": prev})
    path.write_bytes(path.read_bytes() + newer.encode() + b"\n")
    assert read(bench) == (["one", "unheard"], [])


@given(st.binary())
def test_reading_never_raises(content):
    read_chain("f", content)
    is_whole(content)


@pytest.mark.parametrize(
    "line",
    [
        b"[]",
        b"null",
        b'{"at":"2026-01-01","device":"a","event":"e","payload":{},"prev":"","schema":1}',
        b'{"at":"2026-01-01T00:00:00Z","device":"a","event":"e","payload":1,"prev":"","schema":1}',
        b'{"at":"2026-01-01T00:00:00Z","device":"a","event":"e","payload":{},"prev":""}',
        b"[" * 100_000,
    ],
)
def test_no_events(line):
    assert not is_whole(line)


@pytest.mark.parametrize("size", [0, 4000, 4095, 4096, 4097, 9000])
def test_long_lines(bench, size):
    for number in range(3):
        ledger(bench).append([NewEvent("e", {"long": "x" * size, "number": number})])
    kinds, problems = read(bench)
    assert (len(kinds), problems) == (3, [])


def test_a_name_that_is_no_unicode(bench):
    ledger(bench).append([NewEvent("e", {"note": "caf\udce9"})])
    append(bench, "next")
    reading = ledger(bench).read()
    assert reading.events[0].payload == {"note": "caf\udce9"}
    assert reading.problems == ()


def test_what_is_no_json_is_not_written(bench):
    path = append(bench, "one")
    before = path.read_bytes()
    with pytest.raises(ValueError, match="not JSON compliant"):
        ledger(bench).append([NewEvent("e", {"p": float("nan")})])
    assert path.read_bytes() == before


def test_a_ledger_that_cannot_be_written(bench):
    (bench.vault / ".vaultgraph").write_text("a file in its place")
    with pytest.raises(InputError, match="ledger cannot be written"):
        append(bench, "one")


def test_a_vault_that_is_gone_is_not_made_again(bench):
    bench.vault.rmdir()
    with pytest.raises(InputError, match="no longer there"):
        append(bench, "one")
    assert not bench.vault.exists()


def test_a_full_disk_leaves_no_half_line(bench):
    resource = pytest.importorskip("resource")
    path = append(bench, "one")
    before = path.read_bytes()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 10, limits[1]))
    try:
        with pytest.raises(InputError, match="File too large"):
            append(bench, "two")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert path.read_bytes() == before
