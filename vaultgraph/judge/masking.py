"""Private names masked in a text that leaves the machine, however the text spells them.

The vault's masker knows names as they are written. Markdown has more ways: a name broken over
two lines or quotation marks, percent-encoded in an address, set in bold word by word, joined by
hyphens in a tag. Where one is left in such a form, the whole stretch goes.
"""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING
from urllib.parse import unquote

from vaultgraph.text.prose import to_nfc
from vaultgraph.text.prose import unquote as without_quotation_marks
from vaultgraph.vault.privacy import MASK

if TYPE_CHECKING:
    from vaultgraph.vault.privacy import Masker

_EMPHASIS = re.compile(r"[*~`\\\[\]]+|==|<[^<>\n]{0,200}>")
_JOINTS = re.compile(r"[-_#/+.]+")


def mask_stretch(text: str, masker: Masker) -> str:
    """Return a title or a paragraph with every private name masked, or masked as a whole."""
    masked = masker.mask(to_nfc(text))
    return MASK if _is_left(masked.replace(MASK, " "), masker) else masked


def has_private_name(text: str, masker: Masker) -> bool:
    """Whether :func:`mask_stretch` may change a stretch of ``text``."""
    text = to_nfc(text)
    return masker.mask(text) != text or _is_left(text, masker)


def _is_left(text: str, masker: Masker) -> bool:
    flat = unescape(unquote(without_quotation_marks(text), errors="ignore"))
    plain = to_nfc(" ".join(_EMPHASIS.sub("", flat).split()))
    # Once with what joins words inside names as written, once without.
    parted = " ".join(_JOINTS.sub(" ", plain).split())
    return masker.mask(plain) != plain or masker.mask(parted) != parted
