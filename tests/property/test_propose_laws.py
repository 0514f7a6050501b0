"""Laws 1 to 4 and 10 for whole commands, on vaults of random notes.

What must follow is worked out here by a plain model that knows nothing of the program: notes by
lower-case name, entries read with PyYAML, lines told apart by a line scanner.
"""

from __future__ import annotations

import random
import re
import tempfile
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
import typer.main
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.kit.cli import run
from tests.kit.generated_notes import generate_note
from tests.kit.vaults import tree, write_file
from tests.kit.writing import (
    ACCEPTED,
    PROPOSED,
    REJECTED,
    age,
    edit,
    import_lines,
    notes_bytes,
    old_vault,
    propose,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

NAMES = ("Alpha", "It's Done", 'Say "Hi"', "Ring, R-Module", "🚀 Launch", "Deep Note")
FOLDERS = {"Deep Note": "some/folder/"}
#: What must stay as it is, whatever is written into notes.
OTHERS: dict[str, bytes] = {
    ".obsidian/app.json": b"{}",
    ".trash/Alpha.md": b"Old [[Alpha]].\n",
    "picture.png": b"\x89PNG\r\n",
    "board.canvas": b'{"nodes": []}',
    "some/data.csv": b"a;b\r\n",
}
SCORES = (0.0, 0.2, 0.5, 0.69, 0.7, 0.8, 0.95)
KEYS = {PROPOSED, ACCEPTED, REJECTED}

pytestmark = pytest.mark.usefixtures("_one_command_tree")
heavy = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@pytest.fixture(scope="module")
def _one_command_tree() -> Iterator[None]:
    """Build Typer's commands once: half the time of a run in this process goes into it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("typer.testing._get_command", lru_cache(typer.main.get_command))
        yield


class Draw(NamedTuple):
    """A vault to be made and what was judged in it."""

    files: dict[str, bytes]
    #: Both scores of each pair, by the two names.
    scores: dict[tuple[str, str], tuple[float, float]]
    exceptions: dict[str, str]


#: Seeds, since what is made of them shrinks to nothing simpler than itself.
seeds = st.integers(0, 1 << 32)


@st.composite
def draws(draw: st.DrawFn) -> Draw:
    chance = random.Random(draw(seeds))
    files: dict[str, bytes] = {}
    exceptions: dict[str, str] = {}
    for name in NAMES:
        key = chance.choice((PROPOSED, PROPOSED, PROPOSED, ACCEPTED, REJECTED))
        note = generate_note(chance, key, NAMES, hard=0.1)
        files[path_of(name)] = note.text.encode()
        exceptions[path_of(name)] = note.exception
    pairs = [(a, b) for a in NAMES for b in NAMES if a < b]
    scores = {
        pair: (chance.choice(SCORES), chance.choice(SCORES))
        for pair in pairs
        if chance.random() < 0.4
    }
    return Draw(files, scores, exceptions)


def path_of(name: str) -> str:
    return f"{FOLDERS.get(name, '')}{name}.md"


@contextmanager
def vault_of(drawn: Draw) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        vault = old_vault(Path(folder) / "vault", {**drawn.files, **OTHERS})
        give(vault, drawn.scores)
        yield vault


def give(vault: Path, scores: dict[tuple[str, str], tuple[float, float]]) -> None:
    lines = [
        {"first": a, "second": b, "first_depends": one, "second_depends": other}
        for (a, b), (one, other) in scores.items()
    ]
    assert import_lines(vault, *lines).ok().json["refused"] == []


# -- the model ----------------------------------------------------------------------------------


_UNQUOTED = re.compile(r"\[\[[^\[\]]+\]\]")
_LINK = re.compile(r"!?\[\[([^\]|#]*)[^\]]*\]\]|.*\]\(([^)]*)\)")


def block_of(text: str) -> str | None:
    found = re.match("\ufeff?---\r?\n(.*?)^---(?=\r?\n|\\Z)", text, re.DOTALL | re.MULTILINE)
    return None if found is None else found[1]


def properties_of(block: str) -> list[tuple[yaml.ScalarNode, yaml.Node]]:
    """Return the nodes of a block as YAML 1.2 cuts lines; raises where it is none."""
    # YAML 1.1 ends lines at these, too.
    text = block.translate(dict.fromkeys((0x85, 0x2028, 0x2029), "?"))
    root = yaml.compose(text, Loader=yaml.CSafeLoader)
    if root is not None and not isinstance(root, yaml.MappingNode):
        raise yaml.YAMLError("not properties")
    return [] if root is None else root.value


def entries_of(data: bytes, key: str) -> list[str]:
    """Return the names in a list, as they are in lower case without folder and suffix."""
    found: list[str] = []
    block = block_of(data.decode())
    if block is None:
        return []
    for name, value in properties_of(block):
        if name.value.lower() == key:
            items = value.value if isinstance(value, yaml.SequenceNode) else [value]
            texts = [item.value for item in items if isinstance(item, yaml.ScalarNode)]
            found += [text.strip() for text in texts if text and text != "~"]
            # A link without quotation marks is a list in a list to YAML.
            written = [
                block[node.start_mark.index : node.end_mark.index] for node in (value, *items)
            ]
            found += [text for text in written if _UNQUOTED.fullmatch(text)]
    return [plain(entry) for entry in found]


def plain(entry: str) -> str:
    link = _LINK.match(entry)
    target = (link[1] or link[2]) if link else entry
    return target.rpartition("/")[2].lower().removesuffix(".md")


def other_lines(data: bytes, keys: set[str]) -> list[bytes]:
    """Return the lines that are not those of the properties ``keys``, and the body as one.

    Blank lines and comments between the lines of a property are nobody's.
    """
    text = data.decode()
    block = block_of(text)
    if block is None:
        return [data.removeprefix(b"\xef\xbb\xbf")]
    body = text[text.index("---") + 3 :].partition("\n")[2][len(block) :].partition("\n")[2]
    kept: list[str] = []
    is_ours = False
    for line in block.splitlines(keepends=True):
        key = re.match(r"""["']?([A-Za-z][\w-]*)["']? *:""", line)
        if key:
            is_ours = key[1].lower() in keys
        is_part = key is not None or line[:1] in {" ", "-", "]"}
        if not line.strip() or line.lstrip().startswith("#") or not (is_ours and is_part):
            kept.append(line)
            is_ours = is_ours and (not line.strip() or line.lstrip().startswith("#"))
    return [line.encode() for line in (*kept, body)]


def expected_proposals(drawn: Draw, found: dict[str, bytes]) -> set[tuple[str, str]]:
    """Return which entries must be proposed: dependent's path, basis' name in lower case."""
    lists = {
        (path, key): set(entries_of(data, key)) for path, data in found.items() for key in KEYS
    }
    wanted: set[tuple[str, str]] = set()
    for (a, b), both in drawn.scores.items():
        for (name, basis), score, reverse in (((a, b), *both), ((b, a), *both[::-1])):
            path = path_of(name)
            stands = any(basis.lower() in lists[path, key] for key in KEYS)
            conflict = reverse >= 0.7 or name.lower() in lists[path_of(basis), ACCEPTED]
            if score >= 0.7 and not stands and not conflict:
                wanted.add((path, basis.lower()))
    return wanted


def is_readable(data: bytes) -> bool:
    try:
        properties_of(block_of(data.decode()) or "")
    except yaml.YAMLError:
        return False
    return True


# -- the laws -----------------------------------------------------------------------------------


@heavy
@given(draws())
def test_propose_changes_what_it_says_and_undo_gives_it_back(drawn: Draw):
    with vault_of(drawn) as vault:
        before = notes_bytes(vault)
        whole = tree(vault)
        assert run(vault, "propose", "--dry-run").calm().code == 0
        assert tree(vault) == whole
        report = propose(vault).ok().json
        once = notes_bytes(vault)
        refused = {row["path"] for row in report["refused"]}
        assert report["conflicts"] is not None
        for path, data in before.items():
            added = {plain(row["basis"]) for row in report["proposed"] if row["dependent"] == path}
            if not added or path in refused:
                assert once[path] == data, path
                continue
            # Law 1: our key's lines and no others; law 4: nobody's decisions.
            assert other_lines(once[path], {PROPOSED}) == other_lines(data, {PROPOSED}), path
            assert entries_of(once[path], ACCEPTED) == entries_of(data, ACCEPTED)
            assert entries_of(once[path], REJECTED) == entries_of(data, REJECTED)
            listed = entries_of(once[path], PROPOSED)
            assert listed[: -len(added)] == entries_of(data, PROPOSED)
            assert set(listed[-len(added) :]) == added
        # Law 2: twice is once, and undone it is as before.
        assert propose(vault).ok().json["written"] is None
        assert notes_bytes(vault) == once
        if report["run"]:
            run(vault, "undo", "--yes").ok()
        assert notes_bytes(vault) == before
        assert propose(vault).ok().json["proposed"] == report["proposed"]
        assert notes_bytes(vault) == once
        if report["run"]:
            run(vault, "undo", "--yes").ok()
            assert notes_bytes(vault) == before
        run(vault, "ledger", "verify").ok()


@heavy
@given(draws())
def test_proposed_is_what_a_plain_model_says(drawn: Draw):
    readable = {path for path, data in drawn.files.items() if is_readable(data)}
    with vault_of(drawn) as vault:
        report = propose(vault).ok().json
    proposed = {(row["dependent"], plain(row["basis"])) for row in report["proposed"]}
    refused = {row["path"] for row in report["refused"]}
    files = {path: data if path in readable else b"" for path, data in drawn.files.items()}
    wanted = expected_proposals(drawn, files)
    assert proposed == {row for row in wanted if row[0] not in refused}
    # Nothing is refused without a cause, and whatever cannot be read is.
    assert refused <= {path for path, _ in wanted}
    assert {path for path, _ in wanted if path not in readable} <= refused


@heavy
@given(draws())
def test_withdrawing_takes_out_what_was_put_in(drawn: Draw):
    with vault_of(drawn) as vault:
        before = notes_bytes(vault)
        report = propose(vault).ok().json
        back = propose(vault, "--withdraw").ok().json
        stuck = {row["path"] for row in back["refused"]}
        after = notes_bytes(vault)
        for path, data in before.items():
            is_written = path in {row["dependent"] for row in report["proposed"]}
            if not is_written or (path not in stuck and not drawn.exceptions[path]):
                assert after[path] == data, path
            elif path not in stuck:
                # Law 2 names the exceptions: then the values are equal.
                assert entries_of(after[path], PROPOSED) == entries_of(data, PROPOSED)
                assert other_lines(after[path], {PROPOSED}) == other_lines(data, {PROPOSED})
            else:
                assert drawn.exceptions[path]


#: ``N`` is a name, ``L`` the same in lower case.
SPELLINGS = ("[[N]]", "[[L]]", "[[N|shown]]", "[[N.md]]", "![[N#part]]", "N")


def spelled(name: str, form: str) -> str:
    """Return an entry in some spelling, quoted for a list in brackets."""
    entry = re.sub("[NL]", lambda sign: name if sign[0] == "N" else name.lower(), form)
    return "'" + entry.replace("'", "''") + "'"


@heavy
@given(draws(), seeds)
def test_a_decision_stands_however_it_is_spelled(drawn: Draw, seed: int):
    chance = random.Random(seed)
    with vault_of(drawn) as vault:
        report = propose(vault).ok().json
        decided: set[tuple[str, str]] = set()
        for row in report["proposed"]:
            if chance.random() < 0.5:
                continue
            # Its owner takes the entry out and writes the decision anew, at the end of the block.
            path = vault / row["dependent"]
            name = Path(row["basis"]).stem
            text = path.read_bytes().decode()
            key = chance.choice((ACCEPTED, REJECTED))
            block = block_of(text)
            assert block is not None
            if key in {node.value.lower() for node, _ in properties_of(block)}:
                continue
            line = f"{key}: [{spelled(name, chance.choice(SPELLINGS))}]\n"
            at = text.index(block) + len(block) if block else text.index("---") + 5
            edit(path, text[:at] + line + text[at:])
            decided.add((row["dependent"], row["basis"]))
        before = notes_bytes(vault)
        again = propose(vault).ok().json
        assert again["proposed"] == []
        assert notes_bytes(vault) == before
        # Not even where the proposal itself is gone, and the judge is surer than before.
        for path, _ in decided:
            text = (vault / path).read_bytes().decode()
            edit(vault / path, without_proposals(text))
        give(vault, {pair: (min(a, 1.0), b) for pair, (a, b) in drawn.scores.items()})
        proposed = propose(vault).ok().json["proposed"]
        assert decided.isdisjoint((row["dependent"], row["basis"]) for row in proposed)


def without_proposals(text: str) -> str:
    """Return a note whose list of proposals was renamed to nothing of ours."""
    return re.sub(f"(?i){PROPOSED}", "formerly-proposed", text)


@heavy
@given(draws(), st.sets(st.sampled_from(NAMES), min_size=1))
def test_a_note_that_changed_is_not_written(drawn: Draw, touched: set[str]):
    from vaultgraph.effects.writer import NoteWriter

    paths = {path_of(name) for name in touched}
    with vault_of(drawn) as vault:
        before = notes_bytes(vault)
        write = NoteWriter.write

        def later(self: NoteWriter, plans: Any, **options: Any) -> Any:
            for path in paths:
                edit(vault / path, before[path] + b"Mine.\n")
            return write(self, plans, **options)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(NoteWriter, "write", later)
            ran = propose(vault).calm()
        proposed = {row["dependent"] for row in ran.json["proposed"]}
        conflicts = {row["path"] for row in ran.json["refused"] if row["code"] == "conflict"}
        assert ran.code == (5 if conflicts else 0)
        assert proposed.isdisjoint(paths)
        after = notes_bytes(vault)
        if ran.json["run"] or conflicts:
            for path in paths:
                assert after[path] == before[path] + b"Mine.\n"
        for path in before.keys() - paths - proposed:
            assert after[path] == before[path]
        # What was not written is not claimed: taking everything back touches none of it.
        propose(vault, "--withdraw").ok()
        if ran.json["run"] or conflicts:
            for path in paths:
                assert (vault / path).read_bytes() == before[path] + b"Mine.\n"


@heavy
@given(draws())
def test_everything_else_is_left_alone(drawn: Draw):
    with vault_of(drawn) as vault:
        age(vault)
        before = tree(vault)
        inodes = {path: (vault / path).stat().st_ino for path in drawn.files}
        for command in (
            ("propose", "--dry-run"),
            ("propose", "--dry-run", "--json"),
            ("propose", "--withdraw", "--dry-run"),
            ("propose", "--limit", "0", "--dry-run"),
            ("runs",),
            ("ledger", "verify"),
            ("scan", "--json"),
            ("stale",),
            ("doctor",),
            ("why", "Alpha", "Deep Note"),
        ):
            assert run(vault, *command).calm().code == 0
            assert tree(vault) == before, command
        proposed = {row["dependent"] for row in propose(vault).ok().json["proposed"]}
        run(vault, "propose", "--yes").ok()
        after = tree(vault)
        for path, state in before.items():
            if path not in proposed and not path.startswith(".vaultgraph"):
                assert after[path] == state, path
        assert {path for path in after if not path.startswith(".vaultgraph")} == {
            path for path in before if not path.startswith(".vaultgraph")
        }
        assert inodes == {path: (vault / path).stat().st_ino for path in drawn.files}
        modes = {path: before[path][0] for path in proposed}
        assert modes == {path: after[path][0] for path in proposed}


def test_the_judge_never_writes_a_dependency_whatever_it_is_sure_of():
    everything = {(a, b): (1.0, 0.0) for a in NAMES for b in NAMES if a < b}
    with vault_of(Draw({path_of(name): b"x\n" for name in NAMES}, everything, {})) as vault:
        write_file(vault / "Unrelated.md", "y\n")
        propose(vault).ok()
        for data in notes_bytes(vault).values():
            assert ACCEPTED.encode() + b":" not in data
            assert REJECTED.encode() not in data
