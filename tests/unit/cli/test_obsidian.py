"""``obsidian install`` and ``obsidian status`` on vaults as Obsidian leaves them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.kit.cli import run
from tests.kit.terminal import Person
from tests.kit.vaults import REPOSITORY, tree, write_file, write_vault
from tests.kit.writing import ledger_events

SHIPPED = REPOSITORY / "obsidian-templater"
DATA = ".obsidian/plugins/templater-obsidian/data.json"
SCRIPT = "Tools/Scripts/vaultgraph_review.js"
TEMPLATE = "Templates/vaultgraph review.md"
BASE = "Templates/Review queue.base"


def obsidian_vault(root: Path, **templater: Any) -> Path:
    return write_vault(
        root,
        {
            "Note.md": "x\n",
            ".obsidian/app.json": "{}",
            ".obsidian/community-plugins.json": '["templater-obsidian"]',
            DATA: json.dumps({"data_version": 2, **templater}, indent=2),
        },
    )


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return obsidian_vault(
        tmp_path / "vault", templates_folder="Templates", user_scripts_folder="Tools/Scripts"
    )


def states(vault: Path) -> list[str]:
    report = run(vault, "obsidian", "status", "--json").ok().json
    return [file["state"] for file in report["files"]]


def test_the_files_are_copied_to_where_templater_looks(vault: Path):
    settings = tree(vault / ".obsidian")
    ran = run(vault, "obsidian", "install", "--json").ok().json
    assert ran["written"] == [SCRIPT, TEMPLATE, BASE]
    for path in ran["written"]:
        assert (vault / path).read_bytes() == (SHIPPED / path.rpartition("/")[2]).read_bytes()
    assert len(ran["left"]) == 2
    assert "Template hotkeys: add Templates/vaultgraph review.md" in ran["left"][0]
    assert "Settings → Hotkeys" in ran["left"][1]
    assert tree(vault / ".obsidian") == settings
    assert states(vault) == ["current"] * 3
    assert run(vault, "obsidian", "install", "--json").ok().json["written"] == []


def test_status_before_and_after(vault: Path):
    before = tree(vault)
    ran = run(vault, "obsidian", "status").ok()
    assert "missing" in ran.out
    assert "not bound" in ran.out
    assert "vaultgraph obsidian install" in ran.out
    assert tree(vault) == before
    run(vault, "obsidian", "install", "--bind").ok()
    ran = run(vault, "obsidian", "status").ok()
    assert "Mod+Shift+D" in ran.out
    assert "Everything is in place." in ran.out


def test_bind_extends_the_settings_and_backs_them_up(vault: Path):
    old = (vault / DATA).read_bytes()
    ran = run(vault, "obsidian", "install", "--bind", "--json").ok().json
    assert ran["left"] == []
    assert (ran["listed"], ran["hotkeys"]) == (True, ["Mod+Shift+D"])
    assert json.loads((vault / DATA).read_bytes()) == {
        **json.loads(old),
        "enabled_templates_hotkeys": [TEMPLATE],
    }
    state = Path(os.environ["XDG_STATE_HOME"])
    kept = [path.read_bytes() for path in state.rglob("replaced/*/plugins/*/data.json")]
    assert kept == [old]


def test_an_older_copy_is_updated_and_an_edited_one_is_not(vault: Path):
    run(vault, "obsidian", "install").ok()
    # As if an older version had put it there: its hash stands in the ledger.
    older = b"// older\n"
    (vault / SCRIPT).write_bytes(older)
    _remember(vault, "vaultgraph_review.js", older)
    edited = b"mine\n"
    (vault / TEMPLATE).write_bytes(edited)
    assert states(vault) == ["older", "edited", "current"]
    ran = run(vault, "obsidian", "install", "--json").ok().json
    assert ran["written"] == [SCRIPT]
    assert (vault / TEMPLATE).read_bytes() == edited
    assert any("was edited and is left as it is" in step for step in ran["left"])
    assert states(vault) == ["current", "edited", "current"]


def _remember(vault: Path, name: str, content: bytes) -> None:
    import hashlib

    from vaultgraph.domain.writing import NewEvent
    from vaultgraph.effects.clock import SystemClock
    from vaultgraph.effects.ledger import Ledger
    from vaultgraph.effects.state_folder import local_folders

    payload = {"file": name, "path": name, "sha256": hashlib.sha256(content).hexdigest()}
    Ledger(vault, local_folders(vault), SystemClock()).append([NewEvent("installed", payload)])


def test_a_copy_made_by_hand_counts_as_in_place(vault: Path):
    write_file(vault / SCRIPT, (SHIPPED / "vaultgraph_review.js").read_bytes())
    assert run(vault, "obsidian", "install", "--json").ok().json["written"] == [TEMPLATE, BASE]


def test_a_file_that_was_moved_is_updated_where_it_is(vault: Path):
    run(vault, "obsidian", "install").ok()
    (vault / "Boards").mkdir()
    (vault / BASE).rename(vault / "Boards" / "Review queue.base")
    (vault / "Tools/Scripts/ours").mkdir()
    (vault / SCRIPT).rename(vault / "Tools/Scripts/ours/vaultgraph_review.js")
    assert run(vault, "obsidian", "install", "--json").ok().json["written"] == []
    assert states(vault) == ["current"] * 3


def test_key_names_stand_in_the_base(vault: Path):
    run(vault, "obsidian", "install").ok()
    write_file(vault / ".vaultgraph/config.toml", '[keys]\nproposed = "maybe rests on"\n')
    assert states(vault) == ["current", "current", "older"]
    run(vault, "obsidian", "install").ok()
    text = (vault / BASE).read_text("utf-8")
    assert 'note["maybe rests on"]' in text
    assert "depends-on-proposed" not in text
    hashes = {e["payload"]["sha256"] for e in ledger_events(vault) if e["event"] == "installed"}
    assert len(hashes) == 4


def test_without_folders_it_says_which_option_to_give(tmp_path: Path):
    vault = obsidian_vault(tmp_path / "vault", templates_folder="Templates")
    run(vault, "obsidian", "install").fails(2, "no script folder", "--scripts Scripts")
    ran = run(vault, "obsidian", "install", "--scripts", "/My Scripts/", "--json").ok().json
    assert ran["written"][0] == "My Scripts/vaultgraph_review.js"
    assert any("Script files folder location: My Scripts" in step for step in ran["left"])
    wrong = ["--scripts", "../out"]
    run(vault, "obsidian", "install", *wrong).fails(3, "not a folder that Templater can use")


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are POSIX")
def test_on_a_terminal_it_asks(tmp_path: Path):
    vault = obsidian_vault(tmp_path / "vault")
    with Person(vault, "obsidian", "install") as person:
        person.sees("script folder yet", "[Scripts]").press("\n")
        person.sees("template folder yet").press("Vorlagen\n").sees("left to do").stops()
    assert (vault / "Scripts/vaultgraph_review.js").exists()
    assert (vault / "Vorlagen/vaultgraph review.md").exists()


def test_a_vault_without_templater(tmp_path: Path):
    vault = write_vault(tmp_path / "vault", {"Note.md": "x\n", ".obsidian/app.json": "{}"})
    folders = ["--scripts", "S", "--templates", "T"]
    run(vault, "obsidian", "install", *folders, "--bind").fails(3, "Templater is not set up")
    assert not (vault / "S").exists()
    ran = run(vault, "obsidian", "install", *folders, "--json").ok().json
    assert ran["left"][0] == "Settings → Community plugins: install and enable Templater"
    assert not (vault / ".obsidian/plugins").exists()


def test_settings_that_cannot_be_read(vault: Path):
    write_file(vault / DATA, "{")
    run(vault, "obsidian", "status").fails(3, "data.json", "not valid JSON")


@pytest.mark.skipif(sys.platform != "linux", reason="processes are faked the Linux way")
def test_nothing_is_bound_while_obsidian_runs(vault: Path, tmp_path: Path):
    sleep = shutil.which("sleep")
    assert sleep
    program = shutil.copy(sleep, tmp_path / "obsidian")
    before = tree(vault)
    with subprocess.Popen([program, "60"]) as process:
        try:
            run(vault, "obsidian", "install", "--bind").fails(5, "Obsidian is running")
            assert tree(vault) == before
            run(vault, "obsidian", "install").ok()
        finally:
            process.kill()


def test_a_linked_copy_is_not_written_through(vault: Path, tmp_path: Path):
    target = tmp_path / "elsewhere.js"
    older = b"// older\n"
    target.write_bytes(older)
    _remember(vault, "vaultgraph_review.js", older)
    (vault / "Tools/Scripts").mkdir(parents=True)
    (vault / SCRIPT).symlink_to(target)
    run(vault, "obsidian", "install").fails(3, "is a link")
    assert target.read_bytes() == older
