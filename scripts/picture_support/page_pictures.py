"""Pictures of the page that `vaultgraph export` writes, as Chromium draws it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

from tests.kit.browser import opened

_SAMPLES = Path(__file__).resolve().parents[2] / "samples"
_WIDTH, _HEIGHT = 1280, 720


def export(vault: Path) -> dict[str, bytes]:
    """Return what is stale in the sample vault once a careful reader has judged every pair."""
    judged = vault.with_name("samples")
    shutil.copytree(_SAMPLES / "vault", judged)
    truth = json.loads((_SAMPLES / "truth.json").read_text("utf-8"))["dependencies"]
    rows = [{"dependent": row["dependent"], "basis": row["basis"]} for row in truth]
    verdicts = vault.with_name("verdicts.jsonl")
    verdicts.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    page_file = vault.with_name("stale.html")
    for command in (["judge", "--import", str(verdicts)], ["export", str(page_file)]):
        line = [sys.executable, "-m", "vaultgraph", "--vault", str(judged), *command]
        subprocess.run(line, check=True, capture_output=True)
    pictures: dict[str, bytes] = {}
    for theme in ("light", "dark"):
        with opened(page_file, dark=theme == "dark", width=_WIDTH) as page:
            page.set_viewport_size({"width": _WIDTH, "height": _HEIGHT})
            page.click("#whole")
            pictures[f"export-{theme}.png"] = page.screenshot()
    return pictures
