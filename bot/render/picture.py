"""A price chart as a PNG, where a chart is wanted and no drawing is taken.

It holds GPU names, amounts and days, and no words, so that one picture does for every language.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

from bot.render.charts import COLOURS
from bot.render.figures import unit_price

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont, ImageFont

Point = tuple[float, float]

_WIDTH, _HEIGHT = 1200, 600
_LEFT, _TOP, _RIGHT, _BOTTOM = 120, 40, 320, 70
_FONT = 24
_APART = 32  # between two labels
_FINER = 2  # drawn so much larger, then shrunk: lines get smooth edges
_WHITE, _GRID, _INK = "#ffffff", "#dddddd", "#333333"


def png(days: Sequence[date], series: Sequence[tuple[str, Sequence[Decimal]]]) -> bytes:
    """Lines over days, each with one price a day and its last price and name at its end; the scale begins at nought.

    Raises ``ImportError`` where Pillow is missing, which comes with the extra `serve`.
    """
    from PIL import Image, ImageDraw, ImageFont

    picture = Image.new("RGB", (_WIDTH * _FINER, _HEIGHT * _FINER), _WHITE)
    draw, font = ImageDraw.Draw(picture), ImageFont.load_default(_FONT * _FINER)
    high = float(max(price for _, points in series for price in points)) * 1.05 or 1.0
    _scale(draw, font, high)
    _day(draw, font, days[0], _x(0, len(days)), "ma")
    _day(draw, font, days[-1], _x(len(days) - 1, len(days)), "ma")
    drawn = [[(_x(n, len(days)), _y(float(price), high)) for n, price in enumerate(points)] for _, points in series]
    heights = apart([points[-1][1] for points in drawn], _APART, _TOP, _HEIGHT - _BOTTOM)
    for n, ((name, prices), points) in enumerate(zip(series, drawn, strict=True)):
        _line(draw, font, COLOURS[n % len(COLOURS)], points, f"{unit_price(prices[-1])} {name}", heights[n])
    out = io.BytesIO()
    picture.resize((_WIDTH, _HEIGHT), Image.Resampling.LANCZOS).save(out, "PNG", optimize=True)
    return out.getvalue()


def apart(heights: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """The heights, moved as little as keeps two of them ``gap`` from each other between ``low`` and ``high``.

    >>> apart([100, 10, 12], 20, 0, 100)
    [100, 10, 30]
    """
    order = sorted(range(len(heights)), key=lambda n: (heights[n], n))
    found = list(heights)
    least = low
    for n in order:
        found[n] = max(found[n], least)
        least = found[n] + gap
    most = high
    for n in reversed(order):
        found[n] = min(found[n], most)
        most = found[n] - gap
    return found


def _x(n: int, count: int) -> float:
    return _LEFT + (_WIDTH - _LEFT - _RIGHT) * (n / (count - 1) if count > 1 else 0.5)


def _y(price: float, high: float) -> float:
    return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (1 - price / high)


def _finer(points: Iterable[Point]) -> list[Point]:
    return [(x * _FINER, y * _FINER) for x, y in points]


def _scale(draw: ImageDraw, font: FreeTypeFont | ImageFont, high: float) -> None:
    for n in range(5):
        price = high * n / 4
        y = _y(price, high)
        draw.line(_finer([(_LEFT, y), (_WIDTH - _RIGHT, y)]), _GRID, 2 * _FINER)
        label = unit_price(Decimal(str(round(price, 2))))
        draw.text(_finer([(_LEFT - 12, y)])[0], label, _INK, font, anchor="rm")


def _day(draw: ImageDraw, font: FreeTypeFont | ImageFont, day: date, x: float, anchor: str) -> None:
    draw.text(_finer([(x, _HEIGHT - _BOTTOM + 14)])[0], day.isoformat(), _INK, font, anchor=anchor)


def _line(
    draw: ImageDraw, font: FreeTypeFont | ImageFont, colour: str, points: Sequence[Point], label: str, at: float
) -> None:  # fmt: skip
    draw.line(_finer(points), colour, 4 * _FINER, joint="curve")
    for x, y in _finer(points):
        draw.ellipse((x - 6 * _FINER, y - 6 * _FINER, x + 6 * _FINER, y + 6 * _FINER), fill=colour)
    end = (_WIDTH - _RIGHT + 34, at)
    draw.line(_finer([points[-1], end]), colour, _FINER)
    while font.getlength(label) > (_RIGHT - 50) * _FINER:
        label = f"{label[:-2]}…"
    draw.text(_finer([(end[0] + 8, at)])[0], label, _INK, font, anchor="lm")
