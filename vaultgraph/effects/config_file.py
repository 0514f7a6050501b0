"""The configuration file in the vault: read by every command, written once by ``init``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultgraph.domain.settings import CONFIG_FILE, Settings
from vaultgraph.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path


def read_settings(root: Path) -> Settings:
    """Return the vault's settings; the defaults where it has no file.

    Raises:
        InputError: the file cannot be read or makes no sense.
    """
    try:
        text = (root / CONFIG_FILE).read_bytes().decode("utf-8-sig")
    except (FileNotFoundError, NotADirectoryError):
        return Settings()
    except UnicodeDecodeError:
        raise InputError(f"{CONFIG_FILE} is not UTF-8", hint="save it as UTF-8") from None
    except OSError as error:
        raise InputError(
            f"{CONFIG_FILE} cannot be read: {error.strerror}", hint="check its permissions"
        ) from None
    from vaultgraph.vault.config import parse_config

    return parse_config(text)


def write_new_settings(root: Path, text: str) -> Path:
    """Write the configuration of a vault that has none, and return where.

    Raises:
        InputError: there is one already, or it cannot be written.
    """
    path = root / CONFIG_FILE
    try:
        path.parent.mkdir(exist_ok=True)
        with path.open("x", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
    except FileExistsError:
        raise InputError(
            f"{CONFIG_FILE} exists already, and was left as it is",
            hint="edit it, or move it away and run init again",
        ) from None
    except OSError as error:
        raise InputError(
            f"{CONFIG_FILE} cannot be written: {error.strerror}",
            hint="check the vault's permissions, or use --print and save it yourself",
        ) from None
    return path
