"""What a judge is asked, what it is shown, and how its answers are read."""

from __future__ import annotations
