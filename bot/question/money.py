"""Money: what the asker can spend, a limit, a price that was quoted, the price of buying."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

from bot.question.quantities import number
from bot.question.sketch import Piece, Sketch, rule
from bot.question.values import HOURS, Amount
from rules.model import Money

_PER = {"perhour": Decimal(1), "perday": HOURS["day"], "perweek": HOURS["week"], "permonth": HOURS["month"], "peryear": HOURS["year"]}


class Rated:
    """An amount with its unit: hours it covers (None: no unit) and whether it is for one card."""

    __slots__ = ("amount", "article", "hours", "per_gpu", "piece")

    def __init__(self, amount: Amount, hours: Decimal | None, per_gpu: bool, piece: Piece) -> None:
        self.amount = amount
        self.hours = hours
        self.per_gpu = per_gpu
        self.piece = piece


_UNIT = r"(?:perhour|perday|perweek|permonth|peryear|(?:a |an |per |/ )(?:hour|day|week|month|year)|T)"
_EACH = r"(?:each|per gpu|per card|a card|a gpu|/ gpu|/ card|per G|a node|/ G)"


def read_money(sketch: Sketch, slots: dict[str, Any], counts: dict[str, Decimal]) -> None:
    _bare_amounts(sketch)
    rated: list[Rated] = []

    def hours_of(text: str, piece: Piece | None) -> Decimal | None:
        if piece is not None and piece.mark == "T":
            return piece.value.hours if piece.value.article or piece.value.count == 1 else None
        for key, value in _PER.items():
            if key in text:
                return value
        for unit, value in HOURS.items():
            if text.endswith(" " + unit):
                return value
        return None

    def made(match: re.Match[str]) -> Piece | None:
        piece = sketch.piece(match, "m")
        unit = match.groupdict().get("u")
        hours: Decimal | None = None
        if unit:
            at = sketch.piece(match, "u")
            hours = hours_of(unit, at if unit == "T" else None)
            if hours is None:
                return None
        per_gpu = bool(match.groupdict().get("e"))
        if "gpuhour" in match.group():
            hours, per_gpu = Decimal(1), True
        result = Piece("M", "", piece.value)
        rated.append(Rated(piece.value, hours, per_gpu, result))
        return result

    sketch.rewrite(rule(r"(?P<m>M) (?:per |/ |a |an )?gpuhour"), made)
    sketch.rewrite(rule(rf"(?P<e>{_EACH}) (?P<u>{_UNIT}) (?:[^ MTG,.，。]{{1,6}} ){{0,3}}?(?P<m>M)"), made)
    sketch.rewrite(rule(rf"(?P<u>{_UNIT}) (?P<e>{_EACH}) (?:[^ MTG,.，。]{{1,6}} ){{0,3}}?(?P<m>M)"), made)
    sketch.rewrite(rule(rf"(?P<m>M) (?P<e>{_EACH}) (?P<u>{_UNIT})"), made)
    sketch.rewrite(rule(rf"(?P<m>M) (?P<u>{_UNIT}) (?P<e>{_EACH})"), made)
    sketch.rewrite(rule(r"(?P<u>perhour|perday|perweek|permonth|peryear) (?:[^ MTG,.，。]{1,6} ){0,3}?(?P<m>M)"), made)
    sketch.rewrite(rule(rf"(?P<m>M) (?P<u>{_UNIT})"), made)
    sketch.rewrite(rule(rf"(?P<m>M) (?P<e>{_EACH})"), made)
    known = {id(r.piece) for r in rated}
    for piece in sketch.of("M"):
        if id(piece) not in known:
            rated.append(Rated(piece.value, None, False, piece))
    for item in rated:
        if any(p is item.piece for p in sketch.pieces):
            _place(sketch, item, slots, counts)


def _bare_amounts(sketch: Sketch) -> None:
    """budget 2000, 预算2万, 2万预算: an amount without a currency."""

    def make(match: re.Match[str]) -> list[Piece]:
        amount = Piece("M", sketch.piece(match, "n").raw, Amount(number(sketch.piece(match, "n")).value))
        return [amount if p is sketch.piece(match, "n") else p for p in sketch.span(match)]

    sketch.rewrite(rule(r"budget (?:is |of |: |= |about |around |upto |有 |是 |在 |only |just |total )*(?P<n>N)(?! (?:[张台卡块个]|T|x|G|gpu|node))"), make)
    sketch.rewrite(rule(r"(?P<n>N) (?:的|total )?budget"), make)


def _place(sketch: Sketch, item: Rated, slots: dict[str, Any], counts: dict[str, Decimal]) -> None:
    at = next(i for i, p in enumerate(sketch.pieces) if p is item.piece)
    before = " " + " ".join(p.mark for p in sketch.pieces[max(0, at - 8) : at]) + " "
    after = " " + " ".join(p.mark for p in sketch.pieces[at + 1 : at + 7]) + " "
    amount, currency = item.amount.amount, item.amount.currency
    text = sketch.text
    item.piece.used = True
    near = re.split(r" [,;。，；] ", before)[-1]
    clause = " " + near.strip() + " "
    limit = re.search(r" (?:upto|budget|atleast|only) ", clause) or re.match(r" (?:upto|budget|以内|total budget|的 ?budget) ", after)
    bought = re.search(r" buy ", text)
    quoted = re.search(r" quoteverb ", before) or re.match(r" (?:quoteverb|right now|now|at the moment) ", after)
    if bought and item.hours is None and not limit and not re.search(r" spend ", clause):
        count = Decimal(1)
        if item.per_gpu or re.search(r"(?: each| apiece| a card| per card)", after):
            gpus = [p.value.count for p in sketch.of("G") if p.value.count]
            count = gpus[0] if gpus else counts.get("gpu_count", Decimal(1))
        slots["purchase_price"] = Money(amount * count, currency)
    elif quoted and not limit:
        slots["quoted"] = _quoted(item)
    elif item.hours == 1:
        slots["budget_per_hour"] = Money(amount, currency, "gpu" if item.per_gpu else None)
    else:
        slots["budget"] = Money(amount, currency)
        if item.hours is not None:
            slots.setdefault("hours", item.hours)


def _quoted(item: Rated) -> Money:
    amount, currency, hours = item.amount.amount, item.amount.currency, item.hours
    if hours is None:
        return Money(amount, currency, "total")
    if hours == HOURS["month"] and not item.per_gpu:
        return Money(amount, currency, "month")
    return Money(amount / hours, currency, "gpu_hour" if item.per_gpu else "hour")
