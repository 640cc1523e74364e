"""Money: what the asker can spend, a limit, a price that was quoted, the price of buying."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from bot.question.quantities import number
from bot.question.quoted import Said, is_quoted
from bot.question.sketch import Make, Piece, Sketch, rule
from bot.question.values import HOURS, Amount, Duration
from rules.model import Money

_PER = {
    "perhour": Decimal(1), "perday": HOURS["day"], "perweek": HOURS["week"], "permonth": HOURS["month"],
    "peryear": HOURS["year"],
}  # fmt: skip


@dataclass(slots=True)
class Rated:
    """An amount with the hours of its unit (None: no unit) and whether it is for one card."""

    amount: Amount
    hours: Decimal | None
    per_gpu: bool
    piece: Piece


_LEAST_ALONE = 1000  # the same where nothing but a period says that it is money
_LEAST_SUM = 100  # a bare number that is said to be enough or not is money from here on, below it a count
_GRAND = re.compile(r"\bgrand$", re.IGNORECASE)  # says by itself that it is money
_MOST_AMOUNTS = 12  # of one message that get a role
_RATE = r"(?:perhour|perday|perweek|permonth|peryear)"
_JOINS = frozenset(("gpuhour", "pergpuhour", "per", "/", "-", "a", "an", "each", "every", "gpu", "card"))
_UNIT = rf"(?:{_RATE}|T|(?:per|/) (?:hour|day|week|month|year))"
_EACH = r"(?:each|per gpu|per card|a card|a gpu|/ gpu|/ card|per G|/ G|a G)"
_FEW = r"(?:(?:[^ ,.;，。；A-Z]{1,10}) ?){0,4}?"
_LIMIT_BEFORE = re.compile(
    r" (?:upto|budget|only|spend|atleast|less|don't want to pay|预算)(?: [^"
    r" ,;。，；MGTP]{1,10}){0,4} $"
)
_LIMIT_AFTER = re.compile(
    r"^ (?:(?:each|perhour|per gpu|左右|total) )*(?:upto|budget|total budget|的"
    r" ?budget|limit)(?: |$)"
)
_OF_HARDWARE = re.compile(r" (?:(?:for )?(?:a |an |the |one |x |N )*G|node|machine|gpu|card) ")
_AGAINST_RENT = re.compile(
    r" (?:beat|beats|vs|over|than|not|instead of|against|compare to|until) (?:[^"
    r" ]+ ){0,3}?(?:rentverb|cloud) "
)


def read_money(sketch: Sketch, slots: dict[str, Any], counts: dict[str, Decimal]) -> None:
    """Give each amount its unit, then its role."""
    _bare_amounts(sketch)
    rated = _rates(sketch)
    known = {id(r.piece) for r in rated}
    for piece in sketch.of("M"):
        if id(piece) not in known:
            rated.append(Rated(piece.value, None, False, piece))
    present = {id(p): i for i, p in enumerate(sketch.pieces)}
    for item in sorted((r for r in rated if id(r.piece) in present), key=lambda r: present[id(r.piece)])[
        :_MOST_AMOUNTS
    ]:
        _place(sketch, item, present[id(item.piece)], slots, counts)


def _rates(sketch: Sketch) -> list[Rated]:
    rated: dict[int, Rated] = {}
    if " M " not in sketch.text:
        return []

    def unit_hours(sketch_match: re.Match[str], group: str) -> Decimal | None:
        text = sketch_match[group]
        if text == "T":
            length = sketch.piece(sketch_match, group).value
            return length.hours if length.count == 1 and length.article else None
        return _PER.get(text) or HOURS[text.split()[-1]]

    def made(match: re.Match[str]) -> list[Piece] | Piece | None:
        groups = match.groupdict()
        piece = sketch.piece(match, "m")
        earlier = rated.get(id(piece))
        hours = earlier.hours if earlier else None
        if groups.get("u"):
            hours = unit_hours(match, "u")
            if hours is None:
                return None
        if groups.get("t"):  # a length before the amount is its unit only when nothing is done for that long
            before = sketch.text[: match.start()]
            if re.search(r"(?:跑|用|租|训|包| for| W| over| 在) ?$", before):
                return None
        if "gpuhour" in match.group():
            hours = Decimal(1)
        per_gpu = bool(groups.get("e")) or "gpuhour" in match.group() or bool(earlier and earlier.per_gpu)
        result = Piece("M", "", piece.value)
        rated[id(result)] = Rated(piece.value, hours, per_gpu, result)
        said = [*(sketch.piece(match, g) for g in "ue" if groups.get(g)), piece]
        keep = [
            p for p in sketch.span(match) if p not in said and p.mark not in _JOINS
        ]  # "每月付": paid, not only rated
        return [*keep, result]

    for pattern in (
        r"(?P<m>M) (?:per |/ |a |an |each |every )?(?:pergpuhour|gpuhour)",
        rf"(?:pergpuhour|(?:per |按 |每 |each )gpuhour) {_FEW} ?(?P<m>M)",
        rf"(?P<e>{_EACH}) (?P<u>{_UNIT}) {_FEW} ?(?P<m>M)",
        rf"(?P<u>{_UNIT}) (?P<e>{_EACH}) {_FEW} ?(?P<m>M)",
        rf"(?P<m>M) (?P<e>{_EACH}) (?:- )?(?P<u>{_UNIT}|hour|day|week|month|year)",
        rf"(?P<m>M) (?P<u>{_UNIT}) (?P<e>{_EACH})",
        rf"(?P<u>{_RATE}) {_FEW} ?(?P<m>M)",
        r"(?P<m>M) (?:the |every )?(?P<u>(?:per|/|a|an) (?:hour|day|week|month|year))",
        rf"(?P<m>M) (?P<u>{_UNIT})",
        rf"(?P<m>M) upto (?P<u>{_RATE})",
        rf"(?P<t>T)(?<=(?P<u>T)) {_FEW} ?(?P<m>M)(?! (?:for|,? ?跑|,? ?用))",
        rf"(?P<m>M) (?P<e>{_EACH})",
    ):
        sketch.rewrite(rule(pattern), made)
    return list(rated.values())


_COUNTED = r"(?! (?:[张台卡个]|块 ?(?:G|card|gpu)|T|x|G|gpu|node|hour|day|card))"
_SAID_BUDGET = r"(?P<said>budget (?:(?:is|of|:|about|upto|有|是|在|只有|大概) ?)*)"
_ASKED = r"(?=,? ?(?:能 ?|可以 ?|够 ?)?(?:enough|rentverb|租着|howmany|买|buy|什么|recommend|which))"
_FOR_A_PERIOD = (
    rule(rf"{_SAID_BUDGET}(?P<n>N) (?:a |每 ?|for )?(?P<t>T)"),
    rule(rf"{_SAID_BUDGET}(?P<t>T) (?P<n>N){_COUNTED}"),
    rule(rf"(?P<n>N) (?P<t>T) ?{_ASKED}"),
    rule(rf"(?P<t>T) (?P<n>N) ?{_ASKED}"),
)
_QUOTED_FOR = rule(rf"(?P<t>T) (?P<said>(?:要 ?|是 ?)?)(?P<n>N){_COUNTED}(?= [,.;?!，。]| $)")


def _for_a_period(sketch: Sketch) -> None:
    """预算2w一个月, 一个月3万, 2w一个月能租几张: an amount and the period that it is for."""

    def make(match: re.Match[str]) -> list[Piece] | None:
        n, length = sketch.piece(match, "n"), sketch.piece(match, "t").value
        least = _LEAST_ALONE if match.groupdict().get("said") is None else _LEAST_SUM
        if not length.article or length.unit in ("hour", "minute") or number(n).value < least:
            return None
        amount = Piece("M", n.raw, Amount(number(n).value))
        return [amount if p is n else p for p in sketch.span(match)]

    for pattern in _FOR_A_PERIOD:
        sketch.rewrite(pattern, make)
    if re.search("报价|要价|开价|报的|quoted", sketch.text):
        sketch.rewrite(_QUOTED_FOR, make)


_HAVING = re.compile(r"[有剩余]| (?:have|has|got|with|i've|we've|there's|add|only) ")
_IN_HAND = rule(  # 手上有8千，能租啥卡; we have 5k left: what is counted is not said, so it is money
    r"(?:(?:have|has|got|with|i've|we've|there's|only)(?: (?:got|only|just|still|about|some))*"
    r"|[只就还仅]? ?[有剩余] ?[下了]? ?(?:大概|大约|约|差不多|only|就|个)?|[上头里中] ?add) ?(?P<n>N)"
    r"(?=(?: ?[多吧了呢左右])* ?(?:[,.;:?!，。；？！]|left|remaining|to (?:spend|burn|blow)"
    r"|in (?:the|our|my) (?:account|bank|pot)|能|可以|想|enough|fit|rentverb)| $)"
)
_TO_RENT = re.compile(r" (?:rentverb|enough|fit|howmany|howlong|get|gets|buy|spend|what|which|recommend) |能|够")


def _in_hand(sketch: Sketch, make: Make) -> None:
    if _HAVING.search(sketch.text):
        least = _LEAST_SUM if _TO_RENT.search(sketch.text) else _LEAST_ALONE
        sketch.rewrite(_IN_HAND, lambda m: make(m) if number(sketch.piece(m, "n")).value >= least else None)


def _bare_amounts(sketch: Sketch) -> None:
    """budget 2000, 预算2万, 2万预算: an amount without a currency."""
    if " N " not in sketch.text:
        return

    def make(match: re.Match[str]) -> list[Piece]:
        n = sketch.piece(match, "n")
        amount = Piece("M", n.raw, Amount(number(n).value))
        return [amount if p is n else p for p in sketch.span(match)]

    def an_hour(match: re.Match[str]) -> list[Piece] | None:
        length: Duration = sketch.pieces[sketch.index(match.end() + 1)].value
        return make(match) if length.article and length.unit == "hour" and length.count == 1 else None

    counted = _COUNTED
    if " T " in sketch.text:
        sketch.rewrite(rule(r"(?P<n>N)(?= T)"), an_hour)
        _for_a_period(sketch)
    sketch.rewrite(
        rule(
            rf"budget (?:(?:is|of|:|=|about|around|upto|有|是|在|only|just|total|就|给|大概|不多"
            rf"|a) ?)*(?P<n>N){counted}"
        ),
        make,
    )
    sketch.rewrite(rule(r"(?P<n>N) (?:的 |total |块 )?budget"), make)
    for asked in (
        r"(?P<n>N) (?:(?:块|be|is|are|会|还|的话|应该|大概|,) ?)*(?:enough|last|results|cover|afford|撑|花)",
        r"(?P<n>N) (?:(?:块|能|可以|够|大概|,) ?)*(?:rentverb|fit|跑|用|训|buy|W|撑)? ?(?:howlong|howmany)",
        r"(?:will|would) (?P<n>N)(?= do (?:for|on|it) )",
        r"(?:howlong|howmany|what) (?:[^ ,.;A-Z]{1,9} |G ){0,3}?(?P<n>N) (?:buy|get|gets|afford)",
    ):
        sketch.rewrite(rule(asked), lambda m: make(m) if number(sketch.piece(m, "n")).value >= _LEAST_SUM else None)
    _in_hand(sketch, make)
    if "hour " in sketch.text:
        sketch.rewrite(rule(rf"perhour (?:each )?(?:upto )(?P<n>N){counted}"), make)
        sketch.rewrite(rule(r"(?:每卡)?(?:perhour|each perhour) (?P<n>N)(?= upto)"), make)
        sketch.rewrite(rule(r"(?P<n>N)(?= (?:块 )?(?:perhour|pergpuhour|(?:per|an?|/) gpuhour))"), make)
    if " per" in sketch.text:
        sketch.rewrite(
            rule(r"(?P<n>N)(?= (?:permonth|perweek|perday|peryear))"),
            lambda m: make(m) if number(sketch.piece(m, "n")).value >= _LEAST_SUM else None,
        )
        sketch.rewrite(
            rule(rf"(?:permonth|perday|perweek|peryear) (?P<n>N){counted}(?! (?:N|T)(?! [张台]))"),
            lambda m: make(m) if number(sketch.piece(m, "n")).value >= 50 else None,
        )
    if re.search(r" (?:buy|price|spend|quoted|pay|paying|paid|howmuch) |报价|付|花|要价|开价", sketch.text):
        big = re.compile(r"[万千]|\dw$|\dk$|grand|thousand", re.IGNORECASE)

        def large(match: re.Match[str]) -> list[Piece] | None:
            return make(match) if big.search(sketch.piece(match, "n").raw) else None

        sketch.rewrite(rule(rf"(?P<n>N){counted}(?! C)"), large)
    if " buy " in sketch.text:
        sketch.rewrite(
            rule(r"(?P<n>N)(?= (?:each|a card|a gpu|per G))"),
            lambda m: make(m) if number(sketch.piece(m, "n")).value >= _LEAST_SUM else None,
        )
    if any(_GRAND.search(piece.raw) for piece in sketch.of("N")):
        sketch.rewrite(
            rule(rf"(?P<n>N){counted}"), lambda m: make(m) if _GRAND.search(sketch.piece(m, "n").raw) else None
        )


def _place(sketch: Sketch, item: Rated, at: int, slots: dict[str, Any], counts: dict[str, Decimal]) -> None:
    pieces = sketch.pieces
    before = " " + " ".join(p.mark for p in pieces[max(0, at - 14) : at]) + " "
    after = " " + " ".join(p.mark for p in pieces[at + 1 : at + 9]) + " "
    clause = " " + re.split(r" [,;。，；.?!] ", before)[-1].strip() + " "
    item.piece.used = True
    amount, currency = item.amount.amount, item.amount.currency
    limit = bool(_LIMIT_BEFORE.search(clause) or _LIMIT_AFTER.match(after))
    if _is_purchase(sketch, item, clause, after) and not limit:
        slots["purchase_price"] = Money(amount * _cards(sketch, item, clause, after, counts), currency)
    elif not limit and is_quoted(_said(sketch, item, at, clause, after, slots)):
        slots["quoted"] = _quoted(item)
    elif item.hours == 1:
        slots["budget_per_hour"] = Money(amount, currency, "gpu" if item.per_gpu else None)
    else:
        slots["budget"] = Money(amount, currency)
        if item.hours is not None:
            slots.setdefault("hours", item.hours)
            slots.setdefault("_period", item.hours)


def _said(sketch: Sketch, item: Rated, at: int, clause: str, after: str, slots: dict[str, Any]) -> Said:
    raw = " ".join(p.raw.lower() for p in sketch.pieces[max(0, at - 6) : at])
    return Said(clause, raw, after, sketch.text, item.hours is not None, "purchase_price" in slots)


def _is_purchase(sketch: Sketch, item: Rated, clause: str, after: str) -> bool:
    text = sketch.text
    if item.hours is not None:
        return False
    if " buy " not in text and " breakeven " in text and _AGAINST_RENT.search(text):
        return not re.search(r" (?:budget|spend|L) ", clause)  # $25k each, when does it pay off vs renting
    if " buy " not in text and " breakeven " in text and re.search(r" (?:vs|against|over|than|to) (?:the )?P ", text):
        return bool(_OF_HARDWARE.match(after))  # an $18,000 A100 server, when does it pay off versus lambda
    if " buy " not in text:
        return bool(_AGAINST_RENT.search(text)) and bool(re.match(r" (?:(?:for )?(?:a |the )?G|node|gpu|card) ", after))
    if re.search(r" (?:howlong|howmany|what|mean) .* buy ", text) and re.match(
        r" (?:can |will |would |能 ?)*buy ", after
    ):
        return False
    if re.search(r"(?:howlong|能 ?buy|what (?:can|does|will|would|do)) ", text) and " breakeven " not in text:
        return False
    return not re.search(r" budget ", clause)


def _cards(sketch: Sketch, item: Rated, clause: str, after: str, counts: dict[str, Decimal]) -> Decimal:
    """How many cards the price is for one of: 8 H100s at $25k each."""
    if not (
        item.per_gpu
        or re.match(r" (?:each|apiece|a card|per card|一 ?张) ", after)
        or re.search(r" (?:each|单价|一张) ", clause)
    ):
        return Decimal(1)
    for piece in sketch.of("G"):
        if piece.value.count:
            return Decimal(piece.value.count) * counts.get("nodes", Decimal(1))
    return counts.get("gpu_count", Decimal(1))


def _quoted(item: Rated) -> Money:
    amount, currency, hours = item.amount.amount, item.amount.currency, item.hours
    if hours is None:
        return Money(amount, currency, "total")
    if hours == HOURS["month"] and not item.per_gpu:
        return Money(amount, currency, "month")
    return Money(amount / hours, currency, "gpu_hour" if item.per_gpu else "hour")
