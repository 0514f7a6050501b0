"""From verdicts to planned entries: what is proposed, withdrawn, listed or left alone, and why."""

from __future__ import annotations
