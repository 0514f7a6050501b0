"""A vault on disk: where it begins, and what of it is listed."""

from __future__ import annotations

import os
import sys
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.kit.vaults import write_vault
from vaultgraph.domain.notes import VaultFile
from vaultgraph.effects.disk import DiskVault, config_folder, find_vault, read_file
from vaultgraph.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

HERE = Path.cwd()


def listed(vault: Path) -> list[str]:
    return [file.path for file in DiskVault(vault).list_files().files]


def skipped(vault: Path) -> dict[str, str]:
    return dict(DiskVault(vault).list_files().skipped)


def test_files_are_listed_sorted_and_dot_folders_left_out(make_vault: Callable[..., Path]):
    vault = make_vault(
        {
            "b/c.md": "", "b.md": "", "a b.md": "", "B.md": "", "p.png": "", ".hidden.md": "",
            ".obsidian/x.md": "", ".trash/y.md": "", "b/.git/z.md": "", ".stversions/b/c.md": "",
        }
    )  # fmt: skip
    assert listed(vault) == ["B.md", "a b.md", "b.md", "b/c.md", "p.png"]
    assert skipped(vault) == {}


def test_only_notes_have_stamps(make_vault: Callable[..., Path]):
    vault = make_vault({"a.md": "xyz", "b.MD": "", "c.png": "x"})
    files = {file.path: file.stamp for file in DiskVault(vault).list_files().files}
    assert files["c.png"] is None
    status = (vault / "a.md").stat()
    assert files["a.md"] == (3, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
    assert files["b.MD"] is not None


def test_a_folder_named_like_a_note(make_vault: Callable[..., Path]):
    assert listed(make_vault({"Archive v1.md/Inner.md": ""})) == ["Archive v1.md/Inner.md"]


needs_links = pytest.mark.skipif(os.name == "nt", reason="links need rights there")


@needs_links
def test_a_linked_folder_is_read_once(make_vault: Callable[..., Path], tmp_path: Path):
    outside = write_vault(tmp_path / "outside", {"x.md": "", "deep/y.md": ""})
    vault = make_vault({"a.md": ""})
    (vault / "one").symlink_to(outside)
    (vault / "two").symlink_to(outside)
    (vault / "three").symlink_to(outside / "deep")
    assert listed(vault) == ["a.md", "one/deep/y.md", "one/x.md"]
    assert set(skipped(vault)) == {"two", "three"}


@needs_links
def test_links_into_the_vault_and_above_it_are_not_followed(make_vault: Callable[..., Path]):
    vault = make_vault({"a/x.md": ""})
    (vault / "loop").symlink_to(".")
    (vault / "a" / "up").symlink_to("..")
    (vault / "above").symlink_to(vault.parent)
    (vault / "again").symlink_to("a")
    assert listed(vault) == ["a/x.md"]
    assert set(skipped(vault)) == {"loop", "a/up", "above", "again"}


@needs_links
def test_links_to_files_and_to_nothing(make_vault: Callable[..., Path]):
    vault = make_vault({"a.md": ""})
    (vault / "b.md").symlink_to("a.md")
    (vault / "gone.md").symlink_to("nowhere.md")
    (vault / "self.md").symlink_to("self.md")
    (vault / "long.md").symlink_to("x" * 3000)
    (vault / "p.png").symlink_to("nowhere.png")
    assert [path for path in listed(vault) if path.endswith(".md")] == ["a.md"]
    assert set(skipped(vault)) == {"b.md", "gone.md", "self.md", "long.md"}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no such files there")
def test_what_is_no_ordinary_file_is_not_opened(make_vault: Callable[..., Path]):
    vault = make_vault({"a.md": ""})
    os.mkfifo(vault / "pipe.md")
    assert listed(vault) == ["a.md"]
    assert set(skipped(vault)) == {"pipe.md"}


def test_stubs_of_notes_that_are_still_in_icloud(make_vault: Callable[..., Path]):
    vault = make_vault({"f/.Plan.md.icloud": "", ".x.png.icloud": "", "a.md": ""})
    assert listed(vault) == ["a.md"]
    assert "iCloud" in skipped(vault)["f/Plan.md"]
    assert len(skipped(vault)) == 1


def test_names_are_nfc_and_open_under_their_own_spelling(make_vault: Callable[..., Path]):
    name = unicodedata.normalize("NFD", "Résumé Über.md")
    vault = make_vault({name: "content"})
    (file,) = DiskVault(vault).list_files().files
    assert file.path == "Résumé Über.md"
    assert DiskVault(vault).read_bytes(file) == b"content"


@pytest.mark.skipif(sys.platform != "linux", reason="names are text there")
def test_names_that_are_no_text(make_vault: Callable[..., Path]):
    vault = make_vault({"a.md": ""})
    with open(os.fsencode(vault) + b"/\xff\xfe.md", "wb") as file:  # noqa: PTH123 - bytes are meant
        file.write(b"content")
    odd = [file for file in DiskVault(vault).list_files().files if file.path != "a.md"]
    assert len(odd) == 1
    assert odd[0].path.encode()
    assert DiskVault(vault).read_bytes(odd[0]) == b"content"


@pytest.mark.parametrize("size", [0, 1, 65535, 65536, 65537, 200_000])
def test_files_are_read_whole(tmp_path: Path, size: int):
    path = tmp_path / "x"
    path.write_bytes(os.urandom(size))
    assert read_file(os.fspath(path)) == path.read_bytes()


def test_a_file_that_is_gone(make_vault: Callable[..., Path]):
    vault = DiskVault(make_vault({"a.md": ""}))
    with pytest.raises(OSError, match=r"No such file|cannot find"):
        vault.read_bytes(VaultFile("b.md", "b.md", None))


class TestFindVault:
    """The folder given, the variable's, or the nearest above."""

    def test_any_readable_folder_given_is_a_vault(self, tmp_path: Path):
        assert find_vault(tmp_path, {}, HERE) == tmp_path.resolve()

    def test_what_is_given_wins_over_the_variable(self, tmp_path: Path):
        (tmp_path / "a").mkdir()
        found = find_vault(tmp_path / "a", {"VAULTGRAPH_VAULT": str(tmp_path)}, HERE)
        assert found == (tmp_path / "a").resolve()

    def test_the_variable(self, tmp_path: Path):
        assert find_vault(None, {"VAULTGRAPH_VAULT": str(tmp_path)}, HERE) == tmp_path.resolve()

    def test_an_empty_variable_is_none(self, make_vault: Callable[..., Path]):
        vault = make_vault({".obsidian/app.json": "{}"})
        assert find_vault(None, {"VAULTGRAPH_VAULT": ""}, vault) == vault.resolve()

    def test_the_nearest_above(self, make_vault: Callable[..., Path]):
        vault = make_vault(
            {".obsidian/app.json": "{}", "a/b/c.md": "", "in/.obsidian/app.json": "{}"}
        )
        assert find_vault(None, {}, vault / "a" / "b") == vault.resolve()
        assert find_vault(None, {}, vault / "in") == (vault / "in").resolve()

    def test_a_configuration_folder_of_another_name(self, make_vault: Callable[..., Path]):
        vault = make_vault(
            {".notes/app.json": "{}", ".notes/core-plugins.json": "{}", ".git/app.json": ""}
        )
        assert config_folder(vault) == vault / ".notes"
        assert find_vault(None, {}, vault) == vault.resolve()

    def test_no_configuration(self, make_vault: Callable[..., Path]):
        vault = make_vault({".git/config": "", "obsidian/app.json": "{}", ".x/app.json": "{}"})
        assert config_folder(vault) is None

    def test_none_found(self, tmp_path: Path):
        with pytest.raises(InputError) as caught:
            find_vault(None, {}, tmp_path)
        assert str(tmp_path) in caught.value.message
        assert "--vault" in (caught.value.hint or "")

    def test_missing(self, tmp_path: Path):
        with pytest.raises(InputError) as caught:
            find_vault(tmp_path / "none", {}, HERE)
        assert str(tmp_path / "none") in caught.value.message

    def test_a_file(self, tmp_path: Path):
        (tmp_path / "x.md").write_text("")
        with pytest.raises(InputError, match="not a folder"):
            find_vault(tmp_path / "x.md", {}, HERE)


def test_app_settings_of_a_folder_of_another_name(make_vault: Callable[..., Path]):
    vault = make_vault(
        {
            ".notes/app.json": '{"userIgnoreFilters": ["x/"]}',
            ".notes/core-plugins.json": "{}",
            ".notes/plugins/templater-obsidian/data.json": '{"templates_folder": "T"}',
        }
    )
    settings = DiskVault(vault).read_app_settings()
    assert settings.ignore_filters == ("x/",)
    assert settings.template_folders == ("T",)
