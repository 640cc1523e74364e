"""The price history of a GPU as a chart: characters for a terminal, SVG for a file, and the same in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from bot.render.figures import unit_price
from bot.render.prices import provider_text, tell
from bot.render.terminal import aligned
from bot.render.words import listing, word

if TYPE_CHECKING:
    from jinja2 import Template

Object = Mapping[str, Any]
Points = Sequence[float | None]

_HEIGHT, _WIDTH = 10, 60  # of the terminal's chart
_BARS = "▁▂▃▄▅▆▇█"
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")  # told apart by colour-blind people too
_DASHES = ("", "6 3", "2 3", "8 3 2 3", "1 4", "12 4")


def title(history: Object, lang: str) -> str:
    memory = "" if history["memory_gb"] is None else f" {history['memory_gb']:g} GB"
    days = history["days"]
    plan = word("plan", history["plan"], lang)
    return tell("history.title", lang, gpu=history["gpu"], memory=memory, plan=plan, first=days[0], last=days[-1])


def history_lines(history: Object, lang: str) -> Iterator[str]:
    """The lowest price of all as a chart, then a small one for each provider with its first and last price."""
    if not history["series"]:
        yield tell("history.none", lang, gpu=history["gpu"])
        return
    yield title(history, lang)
    yield from chart(lowest(history), history["days"])
    every = [point for one in history["series"] for point in one["points"] if point is not None]
    low, high = min(every), max(every)
    rows = []
    for one in history["series"]:
        first, last = ends(one["points"])
        rows.append(
            (_name(one, history, lang), bars(resampled(one["points"], _WIDTH // 2), low, high), first, "→", last)
        )
    yield from aligned(rows, right=(2, 4))
    if history["more_providers"]:
        yield tell("history.more", lang, n=history["more_providers"])


def lowest(history: Object) -> list[float | None]:
    """The lowest price of any provider on each day."""
    columns = zip(*(one["points"] for one in history["series"]), strict=True)
    return [min((point for point in column if point is not None), default=None) for column in columns]


def ends(points: Points) -> tuple[str, str]:
    known = [point for point in points if point is not None]
    first, last = (unit_price(Decimal(str(known[n]))) for n in (0, -1))
    return first, last if points[-1] is not None else f"{last} ✗"


def bars(points: Points, low: float, high: float) -> str:
    """One character a point, a space where nothing is known.

    >>> bars([1, None, 2], 1, 2)
    '▁ █'
    """
    span = (high - low) or 1
    last = len(_BARS) - 1
    return "".join(" " if p is None else _BARS[round((p - low) / span * last)] for p in points)


def resampled(points: Points, width: int) -> list[float | None]:
    """The points spread over ``width`` places; a price holds until the next one."""
    return [points[n * len(points) // width] for n in range(width)]


def chart(points: Points, days: Sequence[str]) -> Iterator[str]:
    """A line of characters with its scale at the left and the first and last day below."""
    spread = resampled(points, _WIDTH)
    known = [point for point in spread if point is not None]
    low, high = min(known), max(known)
    step = (high - low) / (_HEIGHT - 1) or 1
    levels = [None if point is None else round((point - low) / step) for point in spread]
    scale = {0: unit_price(Decimal(str(low))), _HEIGHT - 1: unit_price(Decimal(str(high)))}
    left = max(len(text) for text in scale.values())
    for level in reversed(range(_HEIGHT if high > low else 1)):
        marks = "".join("●" if at == level else " " for at in levels).rstrip()
        yield f"{scale.get(level, '').rjust(left)} ┤{marks}"
    gap = max(1, _WIDTH - len(days[0]) - len(days[-1]))
    yield f"{' ' * left} └{days[0]}{' ' * gap}{days[-1] if len(days) > 1 else ''}".rstrip()


# ---------------------------------------------------------------- SVG


def svg(history: Object, lang: str) -> str:
    """The chart as an SVG picture that stands alone; its description says the same in words."""
    width, height, left, top, right, bottom = 860, 420, 70, 50, 190, 40
    inner_w, inner_h = width - left - right, height - top - bottom
    series = history["series"]
    every = [point for one in series for point in one["points"] if point is not None]
    high = (max(every) if every else 1) * 1.05
    days = len(history["days"])

    def x(n: int) -> float:
        return left + inner_w * (n / (days - 1) if days > 1 else 0.5)

    def y(value: float) -> float:
        return top + inner_h * (1 - value / high)

    head = title(history, lang)
    words = listing((_said(one, history, lang) for one in series), lang)
    shown = {
        "width": width,
        "height": height,
        "left": left,
        "edge": width - right,
        "title": head,
        "words": tell("history.alt", lang, title=head, text=words),
        "scale": [_mark(high * n / 4, y(high * n / 4)) for n in range(5)],
        "days": [
            {"x": f"{x(n):.1f}", "anchor": anchor, "label": history["days"][n]}
            for n, anchor in ((0, "start"), (days - 1, "end"))
        ],
        "lines": [
            _drawn(n, one, _name(one, history, lang), top, _steps(one["points"], x, y)) for n, one in enumerate(series)
        ],
    }
    return _template("history.svg.j2").render(shown)


def _mark(value: float, y: float) -> Object:
    label = unit_price(Decimal(str(round(value, 2))))
    return {"y": f"{y:.1f}", "text_y": f"{y + 4:.1f}", "label": label}


def _drawn(n: int, one: Object, name: str, top: int, path: str) -> Object:
    last = next(p for p in reversed(one["points"]) if p is not None)
    return {
        "path": path,
        "colour": COLOURS[n % len(COLOURS)],
        "dash": _DASHES[n % len(_DASHES)],
        "at": top + 16 + 20 * n,
        "label": f"{name} {unit_price(Decimal(str(last)))}",
    }


def _template(name: str) -> Template:
    """A picture's template; whatever is put in is escaped, and a name that is missing is an error."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    loader = PackageLoader("bot.render", "templates")
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined).get_template(name)


def _name(one: Object, history: Object, lang: str) -> str:
    return provider_text(one["provider"], lang, history.get("names", {}))


def _said(one: Object, history: Object, lang: str) -> str:
    first, last = ends(one["points"])
    return tell("history.point", lang, provider=_name(one, history, lang), first=first, last=last)


def _steps(points: Points, x: Any, y: Any) -> str:
    """A path that holds each price until the next day, and breaks where nothing is known."""
    path, drawing = [], False
    for n, point in enumerate(points):
        if point is None:
            drawing = False
            continue
        path.append(f"{'H' if drawing else 'M'}{x(n):.1f}{'' if drawing else f' {y(point):.1f}'}")
        if drawing:
            path.append(f"V{y(point):.1f}")
        if not drawing and (n + 1 == len(points) or points[n + 1] is None):
            path.append("h2")  # a single day is a dot
        drawing = True
    return "".join(path)
