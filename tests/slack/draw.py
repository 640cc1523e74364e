"""Pictures of messages: blocks to HTML in Slack's look, and HTML to PNG with Chromium."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
CHROMIUM = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --hide-scrollbars --force-device-scale-factor=1"
).split()


def modules() -> Path | None:
    """Where the npm packages of ``install.sh`` are."""
    named = os.environ.get("GPU_BOT_TEST_MODULES")
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "gpu-bot-tests"
    folder = Path(named) if named else cache
    return folder if (folder / "node_modules/slack-blocks-to-jsx").is_dir() and shutil.which("node") else None


def browser() -> str | None:
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def html(messages: Iterable[tuple[str, Sequence[Any]]], out: Path, *, opened: bool = False) -> list[Path]:
    """One HTML file for each message."""
    found = modules()
    assert found is not None, "run tests/slack/install.sh"
    listed = [
        {"name": name, "blocks": [{**block, "default_collapsed": False} if opened else block for block in blocks]}
        for name, blocks in messages
    ]
    source = out / "messages.json"
    source.write_text(json.dumps(listed), encoding="utf-8")
    drawn = subprocess.run(
        ["node", str(HERE / "draw.mjs"), str(found), str(out), str(source)], text=True, capture_output=True, check=False
    )
    assert drawn.returncode == 0, drawn.stderr[-2000:]
    return [out / f"{one['name']}.html" for one in listed]


def picture(page: Path, target: Path, height: int = 900) -> Path:
    """A PNG of a page."""
    found = browser()
    assert found is not None
    with tempfile.TemporaryDirectory() as profile:
        subprocess.run(
            [found, *CHROMIUM, f"--user-data-dir={profile}", f"--window-size=760,{height}",
             f"--screenshot={target}", page.as_uri()],
            check=True, capture_output=True, timeout=60,
        )  # fmt: skip
    return target
