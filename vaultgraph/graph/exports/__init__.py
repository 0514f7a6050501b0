"""Writers: a picture in the words of other programs, the same for the same picture."""

from __future__ import annotations
