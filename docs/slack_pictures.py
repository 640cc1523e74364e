"""Draws the two pictures of an answer in Slack: python docs/slack_pictures.py (needs tests/slack/install.sh)."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from slack import draw  # noqa: E402  (found through the path above)

from bot.slack.templates import templates  # noqa: E402

HEIGHTS = {"cheapest-en": 640, "cheapest-zh": 640}


def main() -> None:
    chosen = [(name, blocks) for name, blocks in templates() if name in HEIGHTS]
    with tempfile.TemporaryDirectory() as folder:
        for page in draw.html(chosen, Path(folder)):
            lang = page.stem.rpartition("-")[2]
            draw.picture(page, Path(__file__).parent / f"slack-answer-{lang}.png", HEIGHTS[page.stem])


if __name__ == "__main__":
    main()
