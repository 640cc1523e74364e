"""How long, and how much of each day."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

from bot.question.quantities import number
from bot.question.sketch import Piece, Sketch, rule
from bot.question.values import HOURS, Duration, Gpu

_UNIT_OF = {
    "perhour": "hour", "perday": "day", "perweek": "week", "permonth": "month", "peryear": "year", "pernight": "night",
}  # fmt: skip
_DONE = (
    r" (?:finish|finished|finishes|done|complete|completed|completes|run|through|跑完|跑|完成|做完"
    r"|训完|搞定|完|process|get through|converge|wrap up|wrapped up|over with) "
)
_DOING = frozenset(
    "train pretrain pre-train retrain fine-tune finetune render serve debug deploy trains"
    " fine tune 训练 预训练 微调 渲染 训 精调".split()
) | {"fine tune", "fine-tune", "pre train"}
_ZH_DONE = re.compile(r"跑完|完成|训完|做完|搞定|练完|跑出|出结果|结束|调完|渲完|弄完| 完| W ?完|搞完")
_PRICE = r" (?:howmuch|price|cheapest|cheaper|cheap|difference|compare|spend|budget|betterdeal|几块) "
_RATE_WORDS = r"(?:howmuch|price|几块|多少)"


def read_time(sketch: Sketch, slots: dict[str, Any]) -> None:
    """Fill hours and hours_per_day. Rates of money must be taken out before."""
    _asked(sketch)
    _saves(sketch)
    _dates(sketch)
    _daily(sketch, slots)
    _lengths(sketch, slots)


def read_gpu_hours(sketch: Sketch, slots: dict[str, Any]) -> None:
    """500 GPU hours, 500卡时, 60 V100 hours: work, neither a length nor a count. Before counts are attached."""

    def plain(match: re.Match[str]) -> Piece:
        slots["gpu_hours"] = number(sketch.piece(match, "n")).value
        return Piece("gpuhours", "")

    def of_model(match: re.Match[str]) -> list[Piece]:
        piece = sketch.piece(match, "g")
        gpu: Gpu = piece.value
        slots["gpu_hours"] = number(sketch.piece(match, "n")).value
        return [Piece("gpuhours", ""), Piece("G", piece.raw, gpu)]

    sketch.rewrite(rule(r"(?P<n>N) (?:个 |x |more |total |of )?gpuhour"), plain)
    sketch.rewrite(rule(r"(?P<n>N) (?P<g>G) (?:- )?(?:(?:gpu )?hour|gpuhour)"), of_model)


def _asked(sketch: Sketch) -> None:
    """At how many hours a month does it pay off: asked for, so not stated."""
    unit = r"(?:perday|perweek|permonth|peryear|T|a day|a week|a month)"
    sketch.rewrite(rule(rf"(?:howlong|多少) (?:of use |of usage |hour )?{unit}"), lambda _: Piece("howlong", ""))
    sketch.rewrite(
        rule(rf"{unit} (?:要 |得 |至少 |atleast |用 |跑 |use |using |开 |租 |需要 ?|超过 ?)*howlong"),
        lambda _: Piece("howlong", ""),
    )


def _saves(sketch: Sketch) -> None:
    """How often a job saves is the need ``checkpointing``, not a length."""

    def save(match: re.Match[str]) -> list[Piece]:
        keep = [p for p in sketch.span(match) if p.mark == "E"]
        return keep or [Piece("E", "", "checkpointing")]

    every = r"(?:every|each|每|每隔|隔) (?:T|perhour|hour|few hour)"
    verb = r"(?:save|saves|saving|saved|snapshot|snapshots|disk|存|保存|存档|存盘|存一次|备份)"
    short = r"(?:[^ ,.;，。；]{1,10} ?){0,4}?"
    sketch.rewrite(rule(rf"(?:E|{verb}) {short} ?{every}"), save)
    sketch.rewrite(rule(rf"{every} ?{short} ?(?:E|{verb})"), save)
    sketch.rewrite(rule(rf"(?P<e>E) {short} ?(?:perhour|hourly|perday)"), lambda m: sketch.piece(m, "e"))
    sketch.rewrite(
        rule(rf"(?:perhour|perday) {short} ?(?P<e>E)(?<= E)"),
        lambda m: sketch.piece(m, "e") if sketch.piece(m, "e").value == "checkpointing" else None,
    )


def _dates(sketch: Sketch) -> None:
    """A time when something is wanted states no length."""

    def date(_: re.Match[str]) -> Piece:
        return Piece("date", "")

    sketch.rewrite(rule(r"T (?:后|之后|以后|from now|later|前|以前|之前|ago|old|out)"), date)
    sketch.rewrite(rule(r"(?:past|last|previous|过去|过去的|近|前|date) T"), date)
    changed = False
    for match in rule(r"(?P<in>in|upto) T").finditer(sketch.text):
        if match["in"] == "upto" and sketch.piece(match, "in").raw.lower() not in ("within", "inside"):
            continue
        if not _doing(sketch, match):
            sketch.span(match)[-1].mark = "date"
            changed = True
    for match in rule(r"T (?P<in>upto|里)").finditer(sketch.text):
        if sketch.piece(match, "in").raw not in ("内", "以内", "之内", "里", "以里"):
            continue
        around = _clause(sketch.text, match.start(), match.end())
        if not _ZH_DONE.search(around):
            sketch.span(match)[0].mark = "date"
            changed = True
    if changed:
        sketch.redraw()


def _doing(sketch: Sketch, match: re.Match[str]) -> bool:
    """Whether the clause before "in N days" holds a verb of doing."""
    clause = re.split(r" [,.;:] | 。|，", sketch.text[: match.start()])[-1]
    if re.search(_DONE, f" {clause} ") or _ZH_DONE.search(clause):
        return True
    first = sketch.index(match.start() - len(clause))
    last = sketch.index(match.start())
    return any(p.mark == "W" and p.raw.lower() in _DOING for p in sketch.pieces[max(0, first) : last])


def _clause(text: str, start: int, end: int) -> str:
    before = re.split(r" [,.;:，。；] ", text[:start])[-1]
    after = re.split(r" [,.;:，。；] ", text[end:])[0]
    return f"{before} {after}"


# ---------------------------------------------------------------- daily use


def _daily(sketch: Sketch, slots: dict[str, Any]) -> None:
    def take(length: Duration) -> Piece | None:
        if length.unit not in ("hour", "minute", "overnight", "night") or length.hours > 24:
            return None
        slots["hours_per_day"] = length.hours
        return Piece("daily", "")

    def daily(match: re.Match[str]) -> Piece | None:
        return take(sketch.piece(match, "t").value)

    def with_day(match: re.Match[str]) -> Piece | None:
        day: Duration = sketch.piece(match, "d").value
        return take(sketch.piece(match, "t").value) if day.unit in ("day", "night") and day.count == 1 else None

    few = r"(?:[^ ,.;，。；A-Z]{1,8} ?){0,4}?"
    sketch.rewrite(
        rule(
            r"(?P<t>T) (?:of use |of usage |on average |average |runtime |use"
            r" )?(?:perday|pernight|a day|of each day)"
        ),
        daily,
    )
    sketch.rewrite(rule(r"(?P<t>T) (?P<d>T)"), with_day)
    sketch.rewrite(
        rule(
            r"(?P<d>T) (?:(?:只|only|just|roughly|大概|就|跑|用|run|要|开|约|平均|最多|顶多|upto|atleast|大约|也就"
            r"|差不多|只用|只跑|只开|使用|about|around|maybe|租|能用|可能|一般|会|得|才|也|W) ?)*(?P<t>T)"
        ),
        with_day,
    )
    sketch.rewrite(rule(rf"(?:perday|pernight) {few} ?(?P<t>T)"), daily)

    def always(_: re.Match[str]) -> Piece:
        slots["hours_per_day"] = Decimal(24)
        return Piece("daily", "")

    sketch.rewrite(rule(r"always"), always)


# ---------------------------------------------------------------- length in all


def _lengths(sketch: Sketch, slots: dict[str, Any]) -> None:
    share = _days_a_week(sketch)
    rate = None if " T " not in sketch.text else _usage_rate(sketch, slots.get("hours_per_day"))
    period = _period(sketch)
    if period is None and rate is None:
        period = _price_unit(sketch)
    hours = hours_of(period, slots.get("hours_per_day"), share, rate)
    if hours is not None:
        slots["hours"] = hours
    if period is not None:
        slots["_period"] = period  # kept by threads: hours follow from it when daily use changes
    if share != 1:
        slots["_share"] = share


def hours_of(
    period: Decimal | None,
    daily: Decimal | None,
    share: Decimal = Decimal(1),
    rate: tuple[Decimal, Decimal] | None = None,
) -> Decimal | None:
    """Hours in all of a period with daily use, a share of the week, or hours per week or month."""
    if rate is not None:
        used, of = rate
        return used if period is None else used * period / of
    if period is None:
        return None
    return period * (daily / 24 if daily is not None else 1) * share


def _days_a_week(sketch: Sketch) -> Decimal:
    found: list[Decimal] = []

    def make(match: re.Match[str]) -> Piece | None:
        length: Duration = sketch.piece(match, "t").value
        week = sketch.piece(match, "w")
        if week.mark == "T" and not (week.value.unit == "week" and week.value.count == 1):
            return None
        if length.unit != "day" or not 1 <= length.count <= 7:
            return None
        found.append(length.count)
        return Piece("daysaweek", "")

    sketch.rewrite(rule(r"(?P<t>T) (?:out of |of )?(?P<w>perweek|T)"), make)
    sketch.rewrite(rule(r"(?P<w>perweek|T) (?:(?:只|用|跑|run|开|大概|工作|约|就|平均) ?)*(?P<t>T)"), make)
    if sketch.has(rule(r"(?:weekdays|weekday|工作日|weekdays only)")) and not found:
        found.append(Decimal(5))
    return found[0] / 7 if found else Decimal(1)


def _usage_rate(sketch: Sketch, daily: Decimal | None) -> tuple[Decimal, Decimal] | None:
    found: list[tuple[Decimal, Decimal]] = []

    def make(match: re.Match[str]) -> Piece | None:
        length: Duration = sketch.piece(match, "t").value
        per = sketch.piece(match, "r")
        if per.mark == "T":
            if not (per.value.count == 1 and per.value.article):
                return None
            unit = per.value.unit
        else:
            unit = _UNIT_OF[per.mark]
        if unit not in ("week", "month", "quarter", "year") or length.unit not in ("hour", "minute", "day"):
            return None
        if length.hours >= HOURS[unit]:
            return None
        share = daily / 24 if daily is not None and length.unit == "day" else 1  # 18 hours a day, 20 days a month
        found.append((length.hours * share, HOURS[unit]))
        return Piece("rated", "")

    sketch.rewrite(rule(r"(?P<t>T) (?:of use |of usage |of compute )?(?P<r>perweek|permonth|peryear|T)"), make)
    sketch.rewrite(rule(r"(?P<r>permonth|perweek|peryear|T) (?:(?:[^ ,.;，。；A-Z]{1,6}|W) ?){0,4}?(?P<t>T)"), make)
    return found[-1] if found else None


def _period(sketch: Sketch) -> Decimal | None:
    lengths: list[Piece] = []
    for match in rule(r"T").finditer(sketch.text):
        piece = sketch.piece(match)
        piece.used = True
        if piece.value.article and piece.value.unit in ("hour", "minute") and _asks_rate(sketch, match):
            continue
        lengths.append(piece)
    within = rule(
        r"(?P<t>T) (?:(?:[^ ,.;，。；A-Z]{1,12}) ){0,3}?(?:over|in|across|upto|atleast"
        r"|spread) (?:the course of )?(?P<p>T)"
    ).search(sketch.text)
    if within and sketch.piece(within, "t").value.hours < sketch.piece(within, "p").value.hours:
        return Decimal(sketch.piece(within, "t").value.hours)
    if not lengths:
        return None
    plain = [p for p in lengths if not p.value.article] or lengths
    return Decimal(plain[0].value.hours)


def _asks_rate(sketch: Sketch, match: re.Match[str]) -> bool:
    """一小时多少钱, how much is it an hour: the rate is asked for."""
    before, after = sketch.text[: match.start()], sketch.text[match.end() :]
    if re.search(r"(?: for| 跑| 用|跑|用| over| takes?) (?:about |just |only )?$", before):
        return False
    return bool(
        re.match(rf" (?:[^ ,.;，。；]{{1,6}} ){{0,2}}?{_RATE_WORDS} ", after) or re.search(rf" {_RATE_WORDS} ", before)
    )


def _price_unit(sketch: Sketch) -> Decimal | None:
    """Per day, monthly bill, 每月多少钱: the price of that long is asked for."""
    if not re.search(_PRICE, sketch.text):
        return None
    match = rule(
        r"(?<!B )(?P<u>perday|perweek|permonth|peryear)(?! (?:W|E|data|upload|download|digest"
        r"|digests|report|job|jobs|subscribe|move|run|runs|batch))"
    ).search(sketch.text)
    return HOURS[_UNIT_OF[match["u"]]] if match else None
