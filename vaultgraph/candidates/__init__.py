"""Which pairs of notes are worth a judgement: names, mentions and the pairs they make."""

from __future__ import annotations
