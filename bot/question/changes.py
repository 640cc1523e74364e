"""How one more message changes the slots of a thread."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any

from bot.question.forget import forget
from bot.question.numerals import han_number
from bot.question.parse import Reading
from bot.question.quantities import number
from bot.question.sketch import rule
from bot.question.time import hours_of
from bot.question.values import HOURS
from rules.model import GpuAsk, Money

_PAIRS = (("providers", "exclude_providers"), ("plans", "exclude_plans"), ("regions", "exclude_regions"))
_REPLACED = (
    "budget", "budget_per_hour", "quoted", "purchase_price", "storage_gb", "model_params_b", "team", "dtype", "host",
    "sort", "min_memory_gb", "total_memory_gb", "nodes",
)  # fmt: skip
_TIMES = ("hours", "gpu_hours", "hours_per_day", "_period", "_share")
_FINE = re.compile(
    r"\b(?:is|are|'s|would be) (?:actually |also )?(?:fine|ok|okay|good|allowed|acceptable|possible|alright)\b"
    r"|\b(?:fine|ok|okay) (?:with|after all)\b|\bafter all\b|\ballow(?:ed)?\b|\bback in\b"
    r"|也可以|也行|也能用|可以了|也没问题|可以用|没问题|还是可以|也接受|可以接受|也可|都可以|算了"
)
_ADDS = re.compile(r" (?:add|plus) ")
_COMPARES = re.compile(  # with what the thread already has, when the message names one thing
    r" (?:vs|against) | compare (?:to|with|against|it|that|this)|and [GPLR](?: [^ ]{1,3})* (?:bi|compare|vs)"
    r"|compare .*[GPLR] |bi [GPLR]"
)
_COMPARES_SAID = re.compile(r"compare[ds]? (?:to|with|against)|how does (?:that|it|this) compare|跟.*比|和.*比|与.*比")
_MOVED = re.compile(  # they lowered it to $30/hr
    r"\b(?:lower|rais|dropp?|cut|chang|bump|increas|reduc|went|came|gone)\w* .*\b(?:to|at|by)\b"
    r"|\bit'?s now\b|\bnow it'?s\b"
)
_ANOTHER = re.compile(
    r"^\W*(?:(?:ok|so|and|what|how) (?:about )?)+\$?[\d.,]+[^a-z]*(?:(?:/|per |an? )h\w*)?\W*$"  # and $1.80?
    r"|\bwhat if (?:they|it|that|each|one|the \w+)\b"
)
_EACH = re.compile(r"\beach\b|\bapiece\b|\ba piece\b|\bper (?:card|gpu)\b|每[张块卡]|一张|单价")
_CHOICE = rule(r"(?P<x>[FB]) (?:or|and|vs|/|versus) [FB]")  # either SXM or PCIe, 40GB vs 80GB
_TENTH = Decimal("0.1")
_ONLY_UNIT = re.compile(
    r"^ (?:(?:and|ok|so|what|how|about|now|the|,) )*per(?P<unit>day|week|month|year)"
    r" (?:(?:price|cost|instead|then|please|[?.!]) )*$"
)
_SIZES = ("data_gb", "storage_gb", "min_memory_gb", "total_memory_gb")
_HALF = Decimal("0.5")
_LEAST_SUM = 100  # a number alone is no count of cards from here on where a budget was said
_FACTORS: dict[str, int | Decimal] = {
    "twice": 2, "double": 2, "doubling": 2, "two": 2, "triple": 3, "three": 3, "four": 4, "quadruple": 4, "five": 5,
    "ten": 10, "half": _HALF, "halve": _HALF, "翻倍": 2, "加倍": 2, "翻一倍": 2, "翻番": 2, "一倍": 2, "两倍": 2,
    "翻一番": 2, "加一倍": 2, "增加一倍": 2, "多一倍": 2, "减一半": _HALF, "减少一半": _HALF, "少一半": _HALF,
    "砍半": _HALF, "砍一半": _HALF, "三倍": 3, "四倍": 4, "五倍": 5, "十倍": 10, "减半": _HALF, "一半": _HALF,
}  # fmt: skip
_FACTOR = (
    r"(twice|doubled?|doubling|two times|three times|four times|five times|ten times|tripled?|quadruple|halved?|half"
    r"|\d+ ?(?:x|times)|翻倍|加倍|翻一倍|翻番|翻一番|增?加一倍|多一倍|乘以?[两三四五十\d]+"
    r"|[两三四五十\d]+倍|减半|减少?一半|少一半|砍半|砍一半|一半)"
)
_THEN = "(?:再|要|都|也|又|就|给|跟着|同样|直接|如果|改成|变成|给我|得|想|能|可以)*"
_LONGER = re.compile(
    rf"\b{_FACTOR} (?:as long|the (?:time|duration|hours|length|runtime|period)|that long|longer)"
    rf"|\b(?:time|duration|hours|runtime|length) (?:is |be |gets |was )?{_FACTOR}"
    rf"|(?:时间|时长|小时数|天数|周期){_THEN}{_FACTOR}|{_FACTOR}(?:的)?(?:时间|时长)"
)
_MORE = re.compile(
    rf"\b{_FACTOR} (?:as many|the (?:number of )?(?:cards|gpus|count|number|amount)|that many)"
    rf"|\b(?:count|cards|gpus) {_FACTOR}|(?:卡数|数量|卡|张数|显卡数?|gpu数?量?){_THEN}{_FACTOR}"
    rf"|{_FACTOR}(?:的)?(?:卡|数量|显卡)"
)
_NO_COUNT = ("hours", "budget", "nodes", "gpu_hours", "min_memory_gb", "model_params_b", "quoted")
_LONE_NUMBER = rule(
    r"N(?: (?:instead|then|of|x|[张块台个]|吧|呢|now|please|the|those|them|的话呢?|的话 ?呢?|[?!.。？]))*(?= $)"
)


def changed(old: Mapping[str, Any], reading: Reading) -> tuple[dict[str, Any], bool]:
    """The slots after the message, and whether it takes something back."""
    slots = dict(old)
    said = dict(reading.slots)
    takes_back, only_that = forget(slots, said, reading)
    if only_that:
        return slots, takes_back
    _name_plan(slots, said, reading)
    _amend_price(slots, said, reading)
    _amend_limit(slots, said, reading)
    _amend_size(slots, said, reading)
    _amend_work(slots, said, reading)
    _amend_unit(slots, said, reading)
    _amend_direction(slots, said, reading)
    _amend_term(slots, said, reading)
    _amend_budget(slots, said, reading)
    compared = _COMPARES.search(reading.sketch.text) or _COMPARES_SAID.search(reading.source)
    alone = all(len(said.get(name, ())) < 2 for name in ("gpus", "providers", "plans", "regions"))
    adds = bool(_ADDS.search(reading.sketch.text) or (compared and alone))
    _merge_gpus(slots, said, reading, adds)
    _merge_lists(slots, said, reading, adds)
    _merge_time(slots, said, reading)
    for name in _REPLACED:
        if name in said:
            slots[name] = said[name]
    if "workloads" in said:
        slots["workloads"] = _union(slots.get("workloads", ()), said["workloads"]) if adds else said["workloads"]
    if "data_gb" in said:
        slots["data_gb"], slots["data_direction"] = said["data_gb"], said.get("data_direction")
    _merge_needs(slots, said, reading)
    return {k: v for k, v in slots.items() if v not in ((), None)}, takes_back


def _name_plan(slots: Mapping[str, Any], said: dict[str, Any], reading: Reading) -> None:
    """ "and monthly?" names a plan where plans are the subject."""
    if not said and "plans" in slots and " permonth " in reading.sketch.text:
        said["plans"] = ("monthly",)


def _amend_price(slots: Mapping[str, Any], said: dict[str, Any], reading: Reading) -> None:
    """ "correction: $30/hr" after a price that was quoted, or one of buying, changes that price."""
    _keep_unit(slots, said)
    name = next((n for n in ("quoted", "purchase_price") if n in slots), None)
    if name is None or said.keys() & {"quoted", "purchase_price"} or slots.keys() & {"budget", "budget_per_hour"}:
        return
    text = reading.sketch.text
    moved = " correct " in text or _MOVED.search(reading.source) or _ANOTHER.search(reading.source)
    if not moved or re.search(r" (?:budget|upto|spend) ", text):
        return
    old: Money = slots[name]
    rate: Money | None = None if name == "purchase_price" else said.pop("budget_per_hour", None)
    amount: Money | None = said.pop("budget", None)
    hours: Decimal | None = None
    if amount is not None and not reading.sketch.of("T"):  # "$2800 a month": the unit of the price, no length
        hours = said.pop("hours", None)
        said.pop("_period", None)
    if rate is not None:
        said[name] = replace(rate, currency=rate.currency or old.currency, per="gpu_hour" if rate.per else "hour")
    elif amount is not None and name == "purchase_price":
        cards = sum(g.count or 1 for g in slots.get("gpus", ())) if _EACH.search(reading.source) else 1
        said[name] = replace(old, amount=amount.amount * cards, currency=amount.currency or old.currency)
    elif amount is not None:
        per = old.per if hours is None else "month" if hours == HOURS["month"] else "hour"
        total = amount.amount / hours if hours is not None and per == "hour" else amount.amount
        said[name] = Money(total, amount.currency or old.currency, per)
    elif not said:
        lone = _lone_number(reading, at_least=_LEAST_SUM)
        if lone is not None:
            said[name] = replace(old, amount=lone)


def _keep_unit(slots: Mapping[str, Any], said: dict[str, Any]) -> None:
    """ "RunPod wants $1.4" after $1.1 an hour: a like amount without a unit has the unit of the one before."""
    old, new = slots.get("quoted"), said.get("quoted")
    if old is None or new is None or new.per != "total" or not old.amount:
        return
    if _TENTH <= new.amount / old.amount <= 10:
        said["quoted"] = replace(new, per=old.per, currency=new.currency or old.currency)


def _amend_unit(slots: Mapping[str, Any], said: dict[str, Any], reading: Reading) -> None:
    """ "and yearly?" asks for the price of that long; where plans are the subject, monthly is one of them."""
    match = None if said or "plans" in slots else _ONLY_UNIT.match(reading.sketch.text)
    if match is not None:
        said["hours"] = said["_period"] = HOURS[match["unit"]]


def _amend_direction(slots: Mapping[str, Any], said: dict[str, Any], reading: Reading) -> None:
    """ "what if I upload it?": the way of the data that was named before."""
    ways = {way for word, way in (("upload", "in"), ("download", "out")) if f" {word} " in reading.sketch.text}
    if "data_gb" in slots and "data_gb" not in said and len(ways) == 1:
        said["data_gb"], said["data_direction"] = slots["data_gb"], ways.pop()


def _amend_size(slots: Mapping[str, Any], said: dict[str, Any], reading: Reading) -> None:
    """ "sorry, 300GB" after 500GB of egress or storage corrects that size, and no memory of a card."""
    sizes = [name for name in _SIZES if name in slots]
    if len(sizes) != 1 or "min_memory_gb" not in said or " correct " not in reading.sketch.text:
        return
    if any(g.memory_gb is not None for g in slots.get("gpus", ())):
        return
    if not re.search(r" (?:vram|memory|card|gpu|G) ", reading.sketch.text):
        said[sizes[0]] = said.pop("min_memory_gb")
        if sizes[0] == "data_gb" and "data_direction" in slots:
            said["data_direction"] = slots["data_direction"]


def _amend_work(slots: Mapping[str, Any], said: dict[str, Any], reading: Reading) -> None:
    """ "what about 3k?" after 2k GPU-hours, "and 48?" after 24 GB: what was counted, no cards."""
    if said or "gpu_count" in slots or any(g.count is not None for g in slots.get("gpus", ())):
        return
    name = "gpu_hours" if "gpu_hours" in slots else "min_memory_gb"
    if name not in slots or (name == "min_memory_gb" and "gpus" in slots):
        return
    amount = _lone_number(reading)
    if amount is not None:
        said[name] = amount


def _amend_limit(slots: Mapping[str, Any], said: dict[str, Any], reading: Reading) -> None:
    """ "make it $0.80" after an hourly limit changes that limit."""
    if "budget" not in said or "budget" in slots or "budget_per_hour" not in slots or "hours" in said:
        return
    if not re.search(r" (?:budget|total|spend) ", reading.sketch.text):
        limit = said.pop("budget")
        old = slots["budget_per_hour"]
        said["budget_per_hour"] = replace(limit, currency=limit.currency or old.currency, per=old.per)


def _amend_term(slots: Mapping[str, Any], said: dict[str, Any], reading: Reading) -> None:
    """ "3 years instead" after a commitment of one year changes its term and is no length."""
    old = slots.get("plans", ())
    lengths = [p.value for p in reading.sketch.of("T")]
    if "plans" in said or len(lengths) != 1 or lengths[0].unit != "year" or lengths[0].count not in (1, 3):
        return
    if old and all(plan in ("reserved", "reserved_1y", "reserved_3y") for plan in old):
        said.pop("hours", None)
        said.pop("_period", None)
        said["plans"] = (f"reserved_{int(lengths[0].count)}y",)


def _amend_budget(slots: Mapping[str, Any], said: dict[str, Any], reading: Reading) -> None:
    """ "5000呢" after a budget of 3000: a sum, too large to be a count."""
    if said or "budget" not in slots:
        return
    amount = _lone_number(reading, at_least=_LEAST_SUM)
    if amount is not None:
        said["budget"] = replace(slots["budget"], amount=amount)


def _union(old: tuple[Any, ...], new: tuple[Any, ...]) -> tuple[Any, ...]:
    return (*old, *(x for x in new if x not in old))


def _merge_needs(slots: dict[str, Any], said: Mapping[str, Any], reading: Reading) -> None:
    ruled_out = {p.value for p in reading.sketch.of("E") if p.excluded}
    needs = _union(slots.get("needs", ()), said.get("needs", ()))
    slots["needs"] = tuple(n for n in needs if n not in ruled_out)


# ---------------------------------------------------------------- accelerators


def _merge_gpus(slots: dict[str, Any], said: dict[str, Any], reading: Reading, adds: bool) -> None:
    """Naming GPUs replaces them and keeps one old count; the rest of a mention changes them in place."""
    old: tuple[GpuAsk, ...] = slots.get("gpus", ())
    excluded = said.get("exclude_gpus", ())
    if excluded:
        slots["exclude_gpus"] = _union(slots.get("exclude_gpus", ()), excluded)
        slots["gpus"] = old = tuple(g for g in old if g.model not in excluded)
    new: tuple[GpuAsk, ...] = said.get("gpus", ())
    if not new:
        _edit_in_place(slots, said, reading)
        return
    kept = old[0].count if len(old) == 1 else slots.get("gpu_count")
    if kept is not None and all(g.count is None for g in new):
        new = tuple(replace(g, count=kept) for g in new)
    named = {g.model for g in new}
    slots["exclude_gpus"] = tuple(m for m in slots.get("exclude_gpus", ()) if m not in named)
    if adds and old:
        same = {(g.model, g.memory_gb, g.form) for g in new}
        new = (*(g for g in old if (g.model, g.memory_gb, g.form) not in same), *new)
    slots["gpus"] = new
    slots.pop("gpu_count", None)


def _edit_in_place(slots: dict[str, Any], said: dict[str, Any], reading: Reading) -> None:
    """80G版呢, PCIe, make it 8, 单卡呢, twice as many cards."""
    gpus: tuple[GpuAsk, ...] = slots.get("gpus", ())
    forms = list(dict.fromkeys(str(p.value) for p in reading.sketch.of("F") if not p.excluded))
    if forms:
        forms = forms if _CHOICE.search(reading.sketch.text) else forms[-1:]
        gpus = tuple(replace(g, form=form) for g in gpus for form in forms)
    demands = re.search(r" (?:vram|memory|atleast|card|gpu|enough|fit) ", reading.sketch.text)
    if gpus and "min_memory_gb" in said and not demands:
        sizes = [said.pop("min_memory_gb")]
        if _CHOICE.search(reading.sketch.text):
            sizes = list(dict.fromkeys(p.value.gb for p in reading.sketch.of("B") if not p.excluded))
        gpus = tuple(replace(g, memory_gb=size) for g in gpus for size in sizes)
    more = _MORE.search(reading.source)
    if more:
        factor = _factor(more)
        gpus = tuple(replace(g, count=(g.count or Decimal(1)) * factor) for g in gpus)
        if "gpu_count" in slots:
            slots["gpu_count"] *= factor
    elif not _LONGER.search(reading.source):
        money = said.keys() & {"budget", "quoted", "purchase_price", "gpu_hours"}
        count = said.get("gpu_count") or (None if money else _lone_number(reading))
        if count is not None and gpus:
            gpus = tuple(replace(g, count=count) for g in gpus)
        elif count is not None and ("gpu_count" in said or "gpu_count" in slots):
            slots["gpu_count"] = count
    if gpus:
        slots["gpus"] = gpus


def _lone_number(reading: Reading, at_least: int = 1) -> Decimal | None:
    """The one number of a message such as "make it 8" or "what about 16?"."""
    numbers = [p for p in reading.sketch.of("N") if p.raw]
    if len(numbers) != 1 or any(name in reading.slots for name in _NO_COUNT):
        return None
    found = number(numbers[0])
    if found.value != int(found.value) or found.value < at_least or not _LONE_NUMBER.search(reading.sketch.text):
        return None
    if found.word and found.value == 1 and re.search(r"\bone\b", reading.source):
        return None  # "which one"
    numbers[0].used = True
    return found.value


def _factor(match: re.Match[str]) -> Decimal:
    word = next(g for g in match.groups() if g)
    times = re.match("乘以?(.+)", word)
    if times and not times[1].isdigit():
        return han_number(times[1]) or Decimal(1)
    digits = re.search(r"\d+", word)
    if digits:
        return Decimal(digits.group())
    return next((Decimal(value) for key, value in _FACTORS.items() if word.startswith(key)), Decimal(1))


# ---------------------------------------------------------------- lists and time


def _merge_lists(slots: dict[str, Any], said: Mapping[str, Any], reading: Reading, adds: bool) -> None:
    """Naming replaces or, with a word of adding, adds; excluding takes out; naming what is excluded lifts it."""
    for plus, minus in _PAIRS:
        gone = said.get(minus, ())
        named = said.get(plus, ())
        slots[minus] = _union(slots.get(minus, ()), gone)
        slots[plus] = tuple(v for v in slots.get(plus, ()) if v not in gone)
        lifted = tuple(v for v in named if v in slots[minus] and v not in gone)
        slots[minus] = tuple(v for v in slots[minus] if v not in lifted)
        if lifted and _FINE.search(reading.source):  # "actually AWS is fine" only lifts
            named = tuple(v for v in named if v not in lifted)
        if named:
            slots[plus] = _union(slots[plus], named) if adds else named


def _merge_time(slots: dict[str, Any], said: Mapping[str, Any], reading: Reading) -> None:
    """A new duration drops GPU-hours and keeps daily use; new GPU-hours drop both."""
    longer = _LONGER.search(reading.source)
    if longer and slots.keys() & {"hours", "gpu_hours"}:
        factor = _factor(longer)
        for name in ("hours", "gpu_hours", "_period"):
            if name in slots:
                slots[name] = slots[name] * factor
        return
    if "gpu_hours" in said:
        for name in _TIMES:
            slots.pop(name, None)
        slots["gpu_hours"] = said["gpu_hours"]
        return
    if not said.keys() & {"hours", "hours_per_day", "_share"}:
        return
    if "hours" in said:
        slots.pop("gpu_hours", None)
        if "_period" not in said:  # hours a month: nothing to multiply with daily use
            slots.pop("_period", None)
            slots["hours"] = said["hours"]
    slots.update({name: said[name] for name in ("hours_per_day", "_share", "_period") if name in said})
    hours = hours_of(slots.get("_period"), slots.get("hours_per_day"), slots.get("_share", Decimal(1)))
    if hours is not None:
        slots["hours"] = hours
