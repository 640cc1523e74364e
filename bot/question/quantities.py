"""Numbers with their units: durations, sizes, money and model parameters."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal

from bot.question.sketch import Make, Piece, Sketch, rule
from bot.question.values import GIGABYTES, HOURS, Amount, Duration, Number, Size

TO = r"(?:to|-|~)"
UNIT = r"(?:minute|hour|day|night|overnight|weekend|week|fortnight|month|quarter|year)"
_COUNTED = rf"(?:x|X|G|Z|gpu|card|node|instance|gpuhour|billion|mb|gb|tb|pb|U|F|{UNIT}|[张块台卡个片枚台]|Q)"


def read_quantities(sketch: Sketch, mixtures: Mapping[str, Decimal]) -> None:
    """Join numbers to their units; ``mixtures`` are published sizes: ``8x7b`` to billions of parameters."""
    _dozens(sketch)
    sketch.rewrite(_EACH_HOUR, lambda m: [sketch.piece(m), Piece(f"per{m['u']}", sketch.piece(m, "u").raw)])
    if " N " in sketch.text:
        _ranges(sketch)
    _parameters(sketch, mixtures)
    _durations(sketch)
    _sizes(sketch)
    if any(sign in sketch.text for sign in _MONEY_SIGNS):
        _money(sketch)
    _unit_ranges(sketch)


_MONEY_SIGNS = (" U ", "块", "毛", "角", " budget N ")
_EACH_HOUR = rule(r"each (?P<u>hour|day|week|month|year)")  # 单卡每小时
_LEAST_BUDGET = 1000  # right behind "budget", and before an accelerator: below it a count
_DOZEN = rule(r"(?P<n>N|half) 打(?=(?P<of>[张块片的]| (?:G|Z|card|gpu))|[吧了呢就左]| [,.;!?，。；！？)]| $)")


def _dozens(sketch: Sketch) -> None:
    """一打A100, 半打4090: twelve and six."""

    def make(match: re.Match[str]) -> list[Piece]:
        count = number(sketch.piece(match, "n")).value if match["n"] == "N" else Decimal("0.5")
        dozen = Piece(
            "N", sketch.words(sketch.index(match.start()), sketch.index(match.end() - 1) + 1), Number(count * 12)
        )
        return [dozen] if match["of"] else [dozen, Piece("张", "")]

    if "打" in sketch.text:
        sketch.rewrite(_DOZEN, make)


def number(piece: Piece) -> Number:
    value = piece.value
    return value if isinstance(value, Number) else Number(Decimal(1))


def _value(sketch: Sketch, match: re.Match[str], group: str) -> Decimal:
    return number(sketch.piece(match, group)).value


# ---------------------------------------------------------------- ranges


def _ranges(sketch: Sketch) -> None:
    def make(match: re.Match[str]) -> Piece | None:
        low, high = number(sketch.piece(match, "a")), number(sketch.piece(match, "b"))
        if not low.value < high.value:
            return None
        return Piece("N", "", Number(high.value, low=low.value, word=False))

    sketch.rewrite(rule(rf"between (?P<a>N) (?:and|to) (?P<b>N)(?= {_COUNTED})"), make)
    sketch.rewrite(rule(rf"(?<!- )(?P<a>N) {TO} (?P<b>N)(?= (?:个 )?{_COUNTED})"), make)
    sketch.rewrite(rule(rf"(?<=U )(?P<a>N) {TO} (?P<b>N)"), make)
    sketch.rewrite(rule(rf"(?<=budget )(?P<a>N) {TO} (?P<b>N)"), make)

    def money(match: re.Match[str]) -> list[Piece] | None:
        low, high = number(sketch.piece(match, "a")), number(sketch.piece(match, "b"))
        if not low.value < high.value:
            return None
        return [sketch.piece(match), Piece("N", "", Number(high.value, low=low.value))]

    sketch.rewrite(rule(rf"U (?P<a>N) (?:{TO}|and) U (?P<b>N)"), money)


def _unit_ranges(sketch: Sketch) -> None:
    """2 days to 3 days, 7B-13B, 24GB-48GB, 3天到5天: the upper end (the lower one is kept for memory)."""

    def make(match: re.Match[str]) -> Piece | None:
        first, second = sketch.piece(match, "a"), sketch.piece(match, "b")
        low, high = first.value, second.value
        mark = second.mark
        if mark == "T" and low.unit == high.unit == "year":
            return None  # terms of a commitment
        if mark == "T" and low.hours < high.hours and not (low.article or high.article):
            return Piece("T", "", high)
        if mark == "C" and low < high:
            return Piece("C", "", high)
        if mark == "B" and low.gb < high.gb:
            return Piece("B", "", Size(high.gb, low=low.gb, unit=high.unit))
        if mark == "M" and low.amount < high.amount:
            return Piece("M", "", high)
        return None

    sketch.rewrite(rule(rf"(?:between )?(?P<a>T) (?:{TO}|and(?<=between T and)) (?P<b>T)"), make)
    for mark in "CBM":
        if sketch.text.count(mark) > 1:
            sketch.rewrite(rule(rf"(?P<a>{mark}) {TO} (?P<b>{mark})"), make)


# ---------------------------------------------------------------- parameters of an AI model


_NOT_TOKENS = r"(?! (?:- )?(?:[^ ,.;N]+ ){0,4}tokens?(?= ))"  # 300B tokens: what it learns from, not its size
_OF_MODEL = (
    r"(?:(?:dense|sparse|open|weights?|source|language|class|scale|sized?|-) )*"
    r"(?:params|model|moe|mixture|级)"
)


def _parameters(sketch: Sketch, mixtures: Mapping[str, Decimal]) -> None:
    if " N " not in sketch.text:
        return

    def mixture(match: re.Match[str]) -> Piece:
        experts, size = _value(sketch, match, "a"), _value(sketch, match, "b")
        return Piece("C", "", mixtures.get(f"{experts:f}x{size:f}b", experts * size))

    def active(match: re.Match[str]) -> Piece:
        return Piece("C", "", _value(sketch, match, "a"))

    def scaled(factor: Decimal) -> Make:
        def make(match: re.Match[str]) -> Piece:
            return Piece("C", "", _value(sketch, match, "n") * factor)

        return make

    def yi(match: re.Match[str]) -> Piece | None:
        value = _value(sketch, match, "n")
        return Piece("C", "", value / 10**9) if value >= 10**8 else None

    def trained(match: re.Match[str]) -> list[Piece] | None:
        """Pretrain a 1T: what is trained or served is a model; TB would be data."""
        *before, count, unit = sketch.span(match)
        model = Piece("C", f"{count.raw}{unit.raw}", number(count).value * 1000)
        return [*before, model] if unit.raw.lower() == "t" else None

    sketch.rewrite(rule(r"(?P<a>N) x (?P<b>N) billion"), mixture)
    sketch.rewrite(rule(r"(?P<a>N) billion (?:- )?a N billion"), active)
    sketch.rewrite(rule(r"(?<!U )(?P<n>N) (?:个 ?)?billion(?! U)" + _NOT_TOKENS), scaled(Decimal(1)))
    sketch.rewrite(rule(r"(?P<n>N) (?:- )?million(?= (?:- )?(?:params|model|的))"), scaled(Decimal("0.001")))
    sketch.rewrite(rule(rf"(?P<n>N) (?:trillion|tb)(?= (?:- )?(?:的 ?)?{_OF_MODEL})"), scaled(Decimal(1000)))
    sketch.rewrite(rule(rf"W (?:a|an|our|my|the) (?P<n>N) (?P<u>tb)(?! (?:of|data|disk)){_NOT_TOKENS}"), trained)
    sketch.rewrite(rule(r"(?<!U )(?P<n>N)(?! U| 块)(?: params)?"), yi)


# ---------------------------------------------------------------- durations


def _durations(sketch: Sketch) -> None:
    def of(count: Decimal, unit: str, article: bool = False) -> Piece:
        return Piece("T", "", Duration(count * HOURS[unit], unit, count, article))

    half = Decimal("0.5")

    def and_half(match: re.Match[str]) -> Piece:
        count = _value(sketch, match, "n") if match["n"] == "N" else Decimal(1)
        return of(count + half, match["u"])

    def plain(match: re.Match[str]) -> Piece | None:
        piece = sketch.piece(match, "n")
        count = number(piece).value
        named = sketch.piece(match, "u").raw.lower() in ("overnight", "weekend", "周末", "过夜", "通宵")
        if named and count != 1:
            return None  # "L4 x 6 overnight"
        return of(count, match["u"], article=count == 1 and (number(piece).word))

    unit = f"(?P<u>{UNIT})"
    sketch.rewrite(rule(rf"(?P<n>N) (?:and )?(?:a |个 )?half (?:个 |of a )?{unit}"), and_half)
    sketch.rewrite(rule(rf"(?P<n>N|a|an) {unit} (?:and )?(?:a )?half(?! (?:a|an|个)? ?{UNIT})"), and_half)
    sketch.rewrite(rule(r"(?P<n>perhour) and a half"), lambda _: of(Decimal("1.5"), "hour"))
    sketch.rewrite(rule(rf"half (?:a |an |of a |个 )?{unit}"), lambda m: of(half, m["u"]))
    sketch.rewrite(rule(rf"(?P<n>N) (?:- |个 )?(?:full |whole |solid |straight |consecutive |整 )?{unit}"), plain)
    sketch.rewrite(
        rule(rf"(?P<n>a|an|whole|full|entire|整个|整) (?:full |whole |solid |entire )?{unit}"),
        lambda m: of(Decimal(1), m["u"], article=True),
    )
    sketch.rewrite(rule(rf"{unit} (?:- )?long"), lambda m: of(Decimal(1), m["u"]))
    sketch.rewrite(rule(r"(?<!every )(?<!per )(?P<u>overnight|weekend|fortnight)"), lambda m: of(Decimal(1), m["u"]))
    sketch.rewrite(rule(rf"few (?:more )?{unit}"), lambda _: Piece("sometime", ""))

    def joined(match: re.Match[str]) -> Piece | None:
        first, second = sketch.piece(match, "a").value, sketch.piece(match, "b").value
        if first.article or second.hours >= HOURS[first.unit]:
            return None
        return Piece("T", "", Duration(first.hours + second.hours, second.unit, first.hours + second.hours))

    sketch.rewrite(rule(r"(?P<a>T) (?:and )?(?P<b>T)(?! (?:perday|per|a day|T))"), joined)


# ---------------------------------------------------------------- sizes


def _sizes(sketch: Sketch) -> None:
    def make(match: re.Match[str]) -> Piece:
        n = number(sketch.piece(match, "n"))
        factor = GIGABYTES[match["u"]]
        low = n.low * factor if n.low is not None else None
        return Piece("B", "", Size(n.value * factor, low, match["u"]))

    def half(match: re.Match[str]) -> Piece:
        """半个T, 一个半T: a half, or one and a half."""
        whole = number(sketch.piece(match, "n")).value if match["n"] else Decimal(0)
        return Piece("B", "", Size((whole + Decimal("0.5")) * GIGABYTES[match["u"]], None, match["u"]))

    sketch.rewrite(rule(r"(?P<n>N) (?:- |个 ?)?(?P<u>mb|gb|tb|pb)" + _NOT_TOKENS), make)
    sketch.rewrite(rule(r"(?:(?P<n>N) (?:个 ?)?)?half (?:个 |a )?(?P<u>mb|gb|tb|pb)"), half)


# ---------------------------------------------------------------- money


_DIMES = rule(
    r"(?:(?P<n>N) 块 )?(?P<a>N) [毛角](?: ?钱)?(?: (?P<b>N)(?! (?:day|hour|week|month|year|x|G|gb|tb|[张台个卡块])))?"
)


def _money(sketch: Sketch) -> None:
    def with_sign(match: re.Match[str]) -> Piece:
        currency = sketch.piece(match, "u").value
        n = _value(sketch, match, "n")
        return Piece("M", "", Amount(n, str(currency)))

    def kuai_half(match: re.Match[str]) -> Piece | None:
        small = _value(sketch, match, "b")
        if small >= 10 or number(sketch.piece(match, "b")).low is not None:
            return None
        return Piece("M", "", Amount(_value(sketch, match, "n") + small / 10, "CNY"))

    def kuai(match: re.Match[str]) -> Piece:
        return Piece("M", "", Amount(_value(sketch, match, "n"), "CNY"))

    def in_front(match: re.Match[str]) -> Piece | None:
        """A sign stands before its number; a word such as dollars belongs to the number before it, if there is one."""
        sign = sketch.piece(match, "u").raw
        word = (len(sign) > 1 and "$" not in sign) or "\u4e00" <= sign <= "\u9fff"
        return None if word and sketch.text[: match.start()].endswith(" N ") else with_sign(match)

    def large(match: re.Match[str]) -> Piece | None:
        """预算2万A100: so many are no cards."""
        n = _value(sketch, match, "n")
        return Piece("M", "", Amount(n)) if n >= _LEAST_BUDGET else None

    sketch.rewrite(rule(r"(?<=budget )(?P<n>N)(?= G)"), large)
    sketch.rewrite(rule(r"(?P<u>U) (?P<n>N)(?: (?:U|million(?! params)))?"), in_front)
    sketch.rewrite(rule(rf"(?P<n>N) (?:- )?(?P<u>U)(?! N(?! {UNIT}| x|[张块台卡个]))"), with_sign)
    sketch.rewrite(rule(r"(?P<n>N) (?P<u>U)"), with_sign)

    def dimes(match: re.Match[str]) -> Piece:
        """三毛五, 一块两毛: ten 毛 are one 块."""
        parts = [number(sketch.piece(match, g)).value if match[g] else Decimal(0) for g in ("n", "a", "b")]
        return Piece("M", "", Amount(parts[0] + parts[1] / 10 + parts[2] / 100, "CNY"))

    rated = rule(  # 每小时12块的A100: of a price per hour, no twelve cards
        r"(?:per(?:hour|day|week|month|year)|pergpuhour|gpuhour|T|each)(?: (?:about|only|upto|[才就是要收] ?)*)? ?"
        r"(?P<n>N) 块(?:钱)?(?= ?的 (?:G|card|gpu))"
    )
    if "毛" in sketch.text or "角" in sketch.text:
        sketch.rewrite(_DIMES, dimes)
    if "块" in sketch.text:
        sketch.rewrite(rated, lambda m: [*sketch.span(m)[: -len(sketch.span(m, "n")) - 1], kuai(m)])
    sketch.rewrite(rule(rf"(?P<n>N) 块 (?P<b>N)(?! (?:{UNIT}|[张台个卡块]|x|G|gb|tb|billion))"), kuai_half)
    sketch.rewrite(
        rule(
            r"(?P<n>N) 块(?:钱)?(?! ?(?:G|Z|gpu|card|B|显|F|node))(?! N(?! ?(?:[张台个块片]|x"
            r"|day|hour|T)))(?!的? ?(?:G|Z|gpu|B G|card))"
        ),
        kuai,
    )
