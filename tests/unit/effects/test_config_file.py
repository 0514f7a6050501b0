"""The configuration file: read where it is there, written where it is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from vaultgraph.domain.settings import Settings
from vaultgraph.effects.config_file import read_settings, set_number, write_new_settings
from vaultgraph.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PATH = ".vaultgraph/config.toml"


def test_no_file_means_the_defaults(tmp_path: Path):
    assert read_settings(tmp_path) == Settings()


def test_a_file_in_place_of_the_folder_means_the_defaults(make_vault: Callable[..., Path]):
    assert read_settings(make_vault({".vaultgraph": "x"})) == Settings()


@pytest.mark.parametrize(
    "content",
    [
        b"[names]\nminimum-words = 3\n",
        b"\xef\xbb\xbf[names]\nminimum-words = 3\n",
        b"[names]\r\nminimum-words = 3\r\n",
    ],
)
def test_it_is_read(make_vault: Callable[..., Path], content: bytes):
    assert read_settings(make_vault({PATH: content})).names.minimum_words == 3


@pytest.mark.parametrize(
    ("content", "part"),
    [
        (b"[names]\nignore = ['\xe9']\n", "not UTF-8"),
        (b"[names]\nignor = []\n", "config.toml:2"),
        (b"\xff\xfe[\x00", "not UTF-8"),
    ],
)
def test_a_file_that_makes_no_sense(make_vault: Callable[..., Path], content: bytes, part: str):
    with pytest.raises(InputError) as caught:
        read_settings(make_vault({PATH: content}))
    assert ".vaultgraph/config.toml" in caught.value.message
    assert part in caught.value.message
    assert caught.value.hint


def test_a_folder_in_place_of_the_file(make_vault: Callable[..., Path]):
    vault = make_vault({f"{PATH}/x": ""})
    with pytest.raises(InputError, match=r"config\.toml cannot be read"):
        read_settings(vault)
    with pytest.raises(InputError, match="exists already"):
        write_new_settings(vault, "x")


def test_it_is_written_once(tmp_path: Path):
    path = write_new_settings(tmp_path, "# é\nschema = 1\n")
    assert path == tmp_path / ".vaultgraph" / "config.toml"
    assert path.read_bytes() == "# é\nschema = 1\n".encode()
    with pytest.raises(InputError, match="exists already"):
        write_new_settings(tmp_path, "other")
    assert path.read_bytes() == "# é\nschema = 1\n".encode()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, b"[proposals]\ncutoff = 0.8 # why\n"),
        (
            b"\xef\xbb\xbf# mine\n[proposals] # p\n# n\ncutoff=0.7  # old\nmiddle = 0.3\n",
            b"\xef\xbb\xbf# mine\n[proposals] # p\n# n\ncutoff=0.8 # why\nmiddle = 0.3\n",
        ),
        (b"[proposals]\r\ncutoff = 0.7\r\n", b"[proposals]\r\ncutoff = 0.8 # why\r\n"),
        (b"proposals.middle = 0.3\n", b"proposals.middle = 0.3\nproposals.cutoff = 0.8 # why\n"),
        # A comment there would hide the rest.
        (b"proposals = {cutoff = 0.7}\n", b"proposals = {cutoff = 0.8}\n"),
    ],
)
def test_one_number_is_set_and_all_else_stays(tmp_path: Path, before: bytes, after: bytes):
    path = tmp_path / PATH
    if before is not None:
        path.parent.mkdir()
        path.write_bytes(before)
        path.chmod(0o640)
    assert set_number(tmp_path, "proposals", "cutoff", 0.8, "why") == path
    assert path.read_bytes() == after
    assert read_settings(tmp_path).proposals.cutoff == 0.8
    if before is not None:
        assert path.stat().st_mode & 0o777 == 0o640
    assert [each.name for each in path.parent.iterdir()] == ["config.toml"]


@pytest.mark.parametrize(
    ("content", "part"),
    [(b"[names]\nignor = []\n", "unknown key ignor"), (b"[proposals]\nmiddle = 0.9\n", "middle")],
)
def test_a_number_that_would_make_no_sense_is_not_set(tmp_path: Path, content: bytes, part: str):
    path = tmp_path / PATH
    path.parent.mkdir()
    path.write_bytes(content)
    with pytest.raises(InputError, match=part):
        set_number(tmp_path, "proposals", "cutoff", 0.8, "why")
    assert path.read_bytes() == content
