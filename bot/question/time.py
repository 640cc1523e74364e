"""How long, and how much of each day."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

from bot.question.quantities import number
from bot.question.sketch import Piece, Sketch, rule
from bot.question.values import HOURS, Duration, Gpu

_RATE = {"perhour": "hour", "perday": "day", "perweek": "week", "permonth": "month", "peryear": "year", "pernight": "night"}
_DO = r"(?:W|finish|finished|done|complete|completed|run|跑完|跑|完成|做完|训完|搞定|出结果)"


def read_time(sketch: Sketch, slots: dict[str, Any]) -> None:
    """Fill hours, gpu_hours and hours_per_day. Rates of money must be marked before."""
    _gpu_hours(sketch, slots)
    _not_durations(sketch)
    _daily(sketch, slots)
    _lengths(sketch, slots)


def _gpu_hours(sketch: Sketch, slots: dict[str, Any]) -> None:
    def plain(match: re.Match[str]) -> Piece:
        slots["gpu_hours"] = number(sketch.piece(match, "n")).value
        return Piece("gpuhours", "")

    def of_model(match: re.Match[str]) -> list[Piece] | None:
        gpu: Gpu = sketch.piece(match, "g").value
        if match["n"] == "G":
            return None
        slots["gpu_hours"] = number(sketch.piece(match, "n")).value
        return [Piece("gpuhours", ""), Piece("G", sketch.piece(match, "g").raw, gpu)]

    sketch.rewrite(rule(r"(?P<n>N) (?:个 |x |more )?gpuhour"), plain)
    sketch.rewrite(rule(r"(?P<n>N) (?P<g>G) (?:- )?hour"), of_model)


def _not_durations(sketch: Sketch) -> None:
    """Dates and how often a job saves are no lengths."""

    def date(match: re.Match[str]) -> Piece:
        return Piece("date", "")

    def save(match: re.Match[str]) -> list[Piece]:
        return [*sketch.span(match, "keep"), Piece("often", "")]

    sketch.rewrite(rule(r"(?P<keep>E[^,.;，。；]{0,20}?) (?:every|each) T"), save)
    sketch.rewrite(rule(r"(?:every|每|每隔) T(?= (?:[^,.;，。；]{0,8} )?E)"), date)
    sketch.rewrite(rule(r"T (?:后|之后|以后|from now|later|前|以前|之前|ago)"), date)
    for match in list(rule(r"(?:in|within) T").finditer(sketch.text)):
        clause = re.split(r"[,.;:]", sketch.text[: match.start()])[-1]
        if not re.search(rf" {_DO} ", clause):
            sketch.piece(match).used = True
            sketch.span(match)[1].mark = "date"
    sketch._draw()
    for match in list(rule(r"T (?:内|之内|以内|upto|里)").finditer(sketch.text)):
        after = sketch.text[match.end() : match.end() + 14]
        before = sketch.text[max(0, match.start() - 12) : match.start()]
        if not re.search(r"跑完|完成|训完|做完|搞定|W|跑|练完|finish", after + before):
            sketch.span(match)[0].mark = "date"
    sketch._draw()


def _daily(sketch: Sketch, slots: dict[str, Any]) -> None:
    def daily(match: re.Match[str]) -> Piece | None:
        length: Duration = sketch.piece(match, "t").value
        if not length.hours < 24 or length.unit not in ("hour", "minute"):
            return None
        slots["hours_per_day"] = length.hours
        return Piece("daily", "")

    a_day = r"(?:perday|T(?<=T)|a day|/ day|per day)"
    del a_day
    sketch.rewrite(rule(r"(?P<t>T) (?:perday|/ day|per day|a day)"), daily)

    def with_article(match: re.Match[str]) -> Piece | None:
        day: Duration = sketch.piece(match, "d").value
        if day.unit != "day" or day.count != 1:
            return None
        return daily(match)

    sketch.rewrite(rule(r"(?P<t>T) (?P<d>T)"), with_article)
    sketch.rewrite(rule(r"(?P<d>T) (?:只|大概|就|跑|用|run|)? ?(?P<t>T)"), with_article)
    sketch.rewrite(rule(r"perday (?:[^ ,.，。]{1,6} ){0,3}?(?P<t>T)"), daily)

    def always(match: re.Match[str]) -> Piece:
        slots["hours_per_day"] = Decimal(24)
        return Piece("daily", "")

    sketch.rewrite(rule(r"always"), always)


def _lengths(sketch: Sketch, slots: dict[str, Any]) -> None:
    share = Decimal(1)
    daily = slots.get("hours_per_day")

    def days_a_week(match: re.Match[str]) -> Piece | None:
        nonlocal share
        length: Duration = sketch.piece(match, "t").value
        if length.unit == "day" and 1 <= length.count <= 7:
            share = length.count / 7
            return Piece("daysaweek", "")
        return None

    sketch.rewrite(rule(r"(?P<t>T) (?:perweek|a week|per week|/ week|T(?= ))(?<!T)"), days_a_week)
    sketch.rewrite(rule(r"perweek (?:[^ ,.，。]{1,4} ){0,2}?(?P<t>T)"), days_a_week)

    rates: list[tuple[Decimal, Decimal]] = []

    def rate(match: re.Match[str]) -> Piece | None:
        length: Duration = sketch.piece(match, "t").value
        unit = _RATE.get(match["r"]) or match["r"].split()[-1]
        if unit not in ("week", "month", "year") or length.unit not in ("hour", "minute", "day"):
            return None
        rates.append((length.hours, HOURS[unit]))
        return Piece("rated", "")

    sketch.rewrite(rule(r"(?P<t>T) (?P<r>perweek|permonth|peryear|a week|a month|per week|per month)"), rate)
    sketch.rewrite(rule(r"(?P<r>permonth|perweek) (?:[^ ,.，。]{1,4} ){0,2}?(?P<t>T)"), rate)
    lengths = sketch.of("T")
    period: Decimal | None = None
    if lengths:
        period = max(lengths, key=lambda p: (not p.value.article, 0)).value.hours
        plain = [p for p in lengths if not p.value.article] or lengths
        period = plain[-1].value.hours if len({p.value.hours for p in plain}) > 1 else plain[0].value.hours
        for piece in lengths:
            piece.used = True
    if period is None and rule(r"perday|permonth|perweek|peryear|pernight").search(sketch.text):
        unit = _RATE[str(re.search(r" (perday|permonth|perweek|peryear|pernight) ", sketch.text).group(1))]  # type: ignore[union-attr]
        if not rates:
            period = HOURS[unit]
    if rates:
        hours, of = rates[-1]
        slots["hours"] = hours if period is None else period / of * hours
        return
    if period is not None:
        slots["hours"] = period * (daily / 24 if daily is not None else 1) * share
