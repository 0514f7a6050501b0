"""One note opened for writing. Nothing else in the program opens a note for writing.

Bytes are replaced in place, as Obsidian itself does: the note keeps its inode, mode, birth time,
hard links and attributes, and sync tools have no second file to upload. A crash can tear the note
then; the journal settles that. A twin that takes the note's place is for those who prefer a
rename; only on Linux can Python give the twin the note's attributes.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable
from contextlib import contextmanager, nullcontext, suppress
from pathlib import PurePath
from typing import TYPE_CHECKING

from vaultgraph.effects.durable import BINARY, open_private, read_all, sync_folder, write_all

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

#: Is told every step by name, so that tests can end the process, or edit the note, at each.
Checkpoint = Callable[[str], None]

_NO_FOLLOW: int = getattr(os, "O_NOFOLLOW", 0)
#: macOS: locked in the Finder, or by the system (``UF_IMMUTABLE``, ``SF_IMMUTABLE``).
_LOCKED_FLAGS = 0x00000002 | 0x00020000
#: macOS: the content is still in the cloud (``SF_DATALESS``).
_DATALESS_FLAG = 0x40000000
#: Windows: offline, or fetched on opening or reading (``FILE_ATTRIBUTE_RECALL_ON_…``).
_CLOUD_ATTRIBUTES = 0x00001000 | 0x00040000 | 0x00400000


def no_checkpoint(_step: str) -> None:
    """Let the step go by."""


class NoteRefusedError(Exception):
    """A note that cannot be written safely; the text says why."""


class NoteGoneError(Exception):
    """There is no file at the note's path any more."""

    def __init__(self) -> None:
        super().__init__("no longer there")


def refusal(status: os.stat_result) -> str | None:
    """Return why a file is not to be written, if it is not.

    The mode's own bit counts: for root every file is writable.
    """
    flags = getattr(status, "st_flags", 0)
    # No blocks means nothing elsewhere: some file systems keep small files in the inode.
    no_blocks = sys.platform == "darwin" and status.st_size > 0 and status.st_blocks == 0
    in_cloud = getattr(status, "st_file_attributes", 0) & _CLOUD_ATTRIBUTES
    reasons = (
        (stat.S_ISLNK(status.st_mode), "a symbolic link"),
        (not stat.S_ISREG(status.st_mode), "not an ordinary file"),
        (not status.st_mode & stat.S_IWUSR, "read-only"),
        (flags & _LOCKED_FLAGS, "locked"),
        (in_cloud or flags & _DATALESS_FLAG or no_blocks, "still in the cloud, not on this disk"),
    )
    return next((reason for applies, reason in reasons if applies), None)


def note_path(vault: Path, os_path: str) -> Path:
    """Return where a note lies.

    Raises:
        NoteRefusedError: the path leaves the vault, is hidden, or is no note's.
    """
    pure = PurePath(os_path)
    if pure.is_absolute() or any(part.startswith(".") for part in pure.parts):
        raise NoteRefusedError("not a visible path inside the vault")
    if pure.suffix.lower() != ".md":
        raise NoteRefusedError("not a note")
    return vault / pure


@contextmanager
def open_note(vault: Path, os_path: str) -> Iterator[NoteFile]:
    """Open an existing note for reading and writing; opening alone changes nothing.

    Raises:
        NoteRefusedError: it cannot be written safely.
        NoteGoneError: there is no file.
    """
    path = note_path(vault, os_path)
    try:
        why = refusal(path.lstat())
        if why is not None:
            raise NoteRefusedError(why)
        descriptor = os.open(path, os.O_RDWR | BINARY | _NO_FOLLOW)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise NoteGoneError from error
    except PermissionError as error:
        raise NoteRefusedError("read-only") from error
    except OSError as error:
        raise NoteRefusedError(f"cannot be opened: {error.strerror}") from error
    try:
        yield NoteFile(path, descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def create_note(vault: Path, os_path: str) -> Iterator[NoteFile]:
    """Make an empty note where no file lies, and open it for writing.

    Raises:
        NoteRefusedError: it cannot be made safely, or something lies there.
    """
    path = note_path(vault, os_path)
    try:
        # Readable by whoever may read the others: the mode is the system's own for new files.
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | BINARY | _NO_FOLLOW
        descriptor = os.open(path, flags, 0o666)
    except FileExistsError as error:
        raise NoteRefusedError("a file is there already") from error
    except (FileNotFoundError, NotADirectoryError) as error:
        raise NoteRefusedError("its folder is not there") from error
    except OSError as error:
        raise NoteRefusedError(f"cannot be made: {error.strerror}") from error
    try:
        yield NoteFile(path, descriptor)
    finally:
        os.close(descriptor)


class NoteFile:
    """A note that is open for writing."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self._path = path
        self._descriptor = descriptor
        self.status = os.fstat(descriptor)

    def read(self) -> bytes:
        """Return every byte."""
        return read_all(self._descriptor)

    def holds(self, content: bytes) -> bool:
        """Whether the note at this path is still this very file, and has just these bytes.

        The bytes are compared last, so that a write can follow at once.
        """
        try:
            found = self._path.lstat()
        except OSError:
            return False
        return found.st_ino == self.status.st_ino and self.read() == content

    def fill(self, content: bytes, checkpoint: Checkpoint) -> None:
        """Give every byte to a note that was just made, and make its name durable."""
        checkpoint("made")
        self.overwrite(content, checkpoint)
        sync_folder(self._path.parent)

    def overwrite(self, content: bytes, checkpoint: Checkpoint) -> None:
        """Replace every byte in place. A crash on the way leaves a mixture of old and new."""
        os.lseek(self._descriptor, 0, os.SEEK_SET)
        write_all(self._descriptor, content)
        checkpoint("written")
        os.ftruncate(self._descriptor, len(content))
        checkpoint("truncated")
        os.fsync(self._descriptor)
        checkpoint("synced")

    def remove(self) -> None:
        """Remove the note; what is open here is no note then."""
        self._path.unlink()
        sync_folder(self._path.parent)

    def make_twin(self, beside: str, content: bytes) -> Path:
        """Return a new file beside the note with other content, but its owner, mode, attributes.

        Raises:
            NoteRefusedError: the twin could not take the note's place without a loss.
        """
        if self.status.st_nlink > 1:
            raise NoteRefusedError("has hard links, which a rename would cut")
        twin = self._path.with_name(beside)
        descriptor = open_private(twin, os.O_RDWR | os.O_CREAT | os.O_EXCL)
        try:
            write_all(descriptor, content)
            self._copy_traits_to(descriptor)
            os.fsync(descriptor)
        except OSError as error:
            twin.unlink()
            raise NoteRefusedError(f"cannot be copied as it is: {error.strerror}") from error
        finally:
            os.close(descriptor)
        return twin

    def take_place(self, twin: Path) -> None:
        """Put the twin where the note is, in one step; what is open here is no note then."""
        twin.replace(self._path)
        sync_folder(self._path.parent)
        self.status = self._path.lstat()

    def _copy_traits_to(self, descriptor: int) -> None:
        if sys.platform == "linux":
            mine, its = self.status, os.fstat(descriptor)
            if (mine.st_uid, mine.st_gid) != (its.st_uid, its.st_gid):
                os.fchown(descriptor, mine.st_uid, mine.st_gid)
            os.fchmod(descriptor, stat.S_IMODE(mine.st_mode))
            for name in os.listxattr(self._descriptor):
                value = os.getxattr(self._descriptor, name)
                # Labels of the system's own are set by the system.
                with suppress(OSError) if name.startswith("security.") else nullcontext():
                    os.setxattr(descriptor, name, value)
