"""Every message drawn as a person sees it, in both languages. GPU_BOT_TEST_PICTURES=FOLDER keeps the pictures."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from slack import draw

from bot.catalog import load
from bot.slack.templates import templates

pytestmark = [
    pytest.mark.needs_browser,
    pytest.mark.skipif(draw.modules() is None, reason="needs the npm packages: tests/slack/install.sh"),
]

DRAWN = ("cheapest", "compare", "unknown", "home")  # each has its own layout


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    kept = os.environ.get("GPU_BOT_TEST_PICTURES")
    out = Path(kept) if kept else tmp_path_factory.mktemp("pictures")
    out.mkdir(parents=True, exist_ok=True)
    small = load(Path(__file__).parent / "worlds" / "small")[0]
    return {page.stem: page for page in draw.html(templates(small), out)}


def test_every_message_can_be_drawn(pages: dict[str, Path]) -> None:
    """What is drawn holds the amount, the table and the fold: 1.50 × 4 × 72 = 432.00, and 4 % = 449.28."""
    for lang, fold in (("en", "How this was computed"), ("zh", "计算过程")):
        page = pages[f"cheapest-{lang}"].read_text(encoding="utf-8")
        assert "$449.28" in page
        assert "<table" in page
        assert fold in page
    for name, page in pages.items():
        assert len(page.read_text(encoding="utf-8")) > 1000, name


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("name", DRAWN)
def test_a_browser_shows_it(pages: dict[str, Path], name: str, lang: str) -> None:
    """A picture with something on it: an empty page of this size is a few hundred bytes."""
    page = pages[f"{name}-{lang}"]
    picture = draw.picture(page, page.with_suffix(".png"))
    head = picture.read_bytes()[:8]
    assert head == b"\x89PNG\r\n\x1a\n"
    assert picture.stat().st_size > 8_000
