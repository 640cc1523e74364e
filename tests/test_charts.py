"""The picture of a price history: well-formed, told in words too, and safe whatever a provider is called."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree as ET

import pytest

from bot.render.charts import svg

SVG = "{http://www.w3.org/2000/svg}"
HISTORY: dict[str, Any] = {
    "gpu": "A100",
    "memory_gb": 80,
    "plan": "on_demand",
    "days": ["2026-10-01", "2026-10-02", "2026-10-03"],
    "series": [
        {"provider": "Vast.ai", "points": [1.883, 3.6327, 1.8963]},
        {"provider": 'A <b> & "Sons"', "points": [None, 2.0, None]},
    ],
    "more_providers": 0,
}


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_picture_is_xml_and_says_its_prices_in_words(lang: str) -> None:
    picture = ET.fromstring(svg(HISTORY, lang))
    words = picture.findtext(f"{SVG}desc") or ""
    assert "Vast.ai" in words
    assert "1.883" in words
    assert "1.8963" in words
    labels = [text.text or "" for text in picture.iter(f"{SVG}text")]
    assert any("Vast.ai" in label for label in labels)


def test_a_provider_name_is_never_markup() -> None:
    raw = svg(HISTORY, "en")
    assert "<b>" not in raw
    assert 'A <b> & "Sons"' in "".join(ET.fromstring(raw).itertext())


def test_a_day_without_a_price_is_a_gap() -> None:
    """One known day of three is one dot: it moves once and is two wide."""
    paths = [path.get("d") or "" for path in ET.fromstring(svg(HISTORY, "en")).iter(f"{SVG}path")]
    assert any(path.count("M") == 1 and path.endswith("h2") for path in paths)
