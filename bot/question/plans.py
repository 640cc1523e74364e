"""How it is bought: a commitment with its term, a monthly plan with its months."""

from __future__ import annotations

import re
from decimal import Decimal

from bot.question.sketch import Piece, Sketch, rule
from bot.question.values import HOURS, Duration

_BETWEEN = (
    r"(?:(?:- |, |/ |for |of |a |an |the |term |period |[签订定约个先了上为] ?|buy |合同 ?|合约 ?|期限 ?|一次 ?"
    r"|的 ?|期 ?|on |at |over |to |x |upfront"
    r" |up front |no upfront |, no upfront |\( )*)"
)


def read_plans(sketch: Sketch) -> None:
    """Join a commitment with its term: 1-year reserved, RI for 3 years, 三年预留."""
    if " L " in sketch.text or "包" in sketch.text:
        _name_month(sketch)
        _join_terms(sketch)


def _name_month(sketch: Sketch) -> None:
    """Monthly at the end of a list of plans is a plan too, unless the price of a month is meant."""
    between = r"(?:,|/|and|or|vs|、|, or|, and)"
    sketch.rewrite(
        rule(
            rf"(?P<all>L(?: {between})? L(?:(?: {between})? L)*(?: {between})? permonth|L (?:or|vs|/) permonth)"
            r"(?! (?:price|cost|bill|rate|fee|howmuch|budget))"
        ),
        lambda m: [Piece("L", p.raw, "monthly") if p.mark == "permonth" else p for p in sketch.span(m, "all")],
    )


def _join_terms(sketch: Sketch) -> None:
    def join(match: re.Match[str]) -> list[Piece] | None:
        plan, term = sketch.piece(match, "l"), sketch.piece(match, "t")
        if plan.value != "reserved":
            return None
        length: Duration = term.value
        years = length.hours / HOURS["year"]
        if years not in (1, 3) or length.unit not in ("year", "month"):
            return None
        joined = Piece("L", "", f"reserved_{int(years)}y")
        joined.excluded = plan.excluded
        return [joined]

    def taken(match: re.Match[str]) -> list[Piece] | None:
        length: Duration = sketch.piece(match, "t").value
        years = length.hours / HOURS["year"]
        if length.unit == "year" and years in (1, 3):
            return [Piece("L", "", f"reserved_{int(years)}y")]
        return [Piece("L", "", "monthly"), sketch.piece(match, "t")]

    def both(match: re.Match[str]) -> list[Piece] | None:
        plan = sketch.piece(match, "l")
        terms = [p for p in sketch.span(match) if p.mark == "T"]
        years = [t.value.hours / HOURS["year"] for t in terms]
        if plan.value != "reserved" or sorted(years) != [1, 3]:
            return None
        first, second = (Piece("L", t.raw, f"reserved_{int(y)}y") for t, y in zip(terms, years, strict=True))
        return [first, Piece("or", ""), second]

    def terms(match: re.Match[str]) -> list[Piece] | None:
        lengths = [p for p in sketch.span(match) if p.mark == "T"]
        plans = [p for p in sketch.of("L") if p.value == "reserved"]
        if sorted(t.value.hours / HOURS["year"] for t in lengths) != [1, 3] or not plans:
            return None
        for plan in plans:
            plan.mark = "term"
        return [
            Piece("L", "", f"reserved_{int(t.value.hours / HOURS['year'])}y") if t.mark == "T" else t
            for t in sketch.span(match)
        ]

    joint = r"(?:or|and|vs|/|to|-|,|against)"
    sketch.rewrite(rule(rf"(?P<l>L) {_BETWEEN}T {joint} (?:a )?T"), both)
    sketch.rewrite(rule(rf"T {joint} (?:a )?T {_BETWEEN}(?P<l>L)"), both)
    sketch.rewrite(rule(r"N (?:- )?(?:or|and|vs|/) (?:a )?T (?:- )?(?P<l>L)"), lambda m: _bare_year(sketch, m))
    sketch.rewrite(rule(rf"T {joint} (?:a )?T"), terms)
    _packages(sketch)
    sketch.rewrite(rule(r"包 ?(?:了 ?|个 ?)?(?P<t>T)"), taken)
    sketch.rewrite(rule(rf"(?P<t>T) {_BETWEEN}(?P<l>L)"), join)

    def around(match: re.Match[str]) -> list[Piece] | None:
        """A 1-year H100 reservation; reserve 8 H100s for a year."""
        joined = join(match)
        return None if joined is None else [*joined, *sketch.span(match, "mid")]

    things = r"(?P<mid>(?:N|x|G|P|F|B|node|gpu|of|on|[张块台卡个])(?: ?(?:N|x|G|P|F|B|node|gpu|of|on|[张块台卡个]))*)"
    sketch.rewrite(rule(rf"(?P<t>T) {things} (?P<l>L)"), around)
    sketch.rewrite(rule(rf"(?P<l>L) {things} (?:for |over )(?:a |an )?(?P<t>T)"), around)
    sketch.rewrite(rule(rf"(?P<l>L) {things} (?P<t>T)"), lambda m: around(m) if not m["l"].isascii() else None)
    sketch.rewrite(rule(rf"(?P<l>L) {_BETWEEN}(?P<t>T)"), join)


def _packages(sketch: Sketch) -> None:
    """包年 RI: a commitment of a year, once; 包季: a monthly plan for a quarter."""

    def named_twice(match: re.Match[str]) -> Piece | None:
        first, second = sketch.piece(match, "a"), sketch.piece(match, "b")
        return first if second.value == "reserved" and str(first.value).startswith("reserved_") else None

    quarter = Duration(HOURS["quarter"], "quarter", Decimal(1))
    sketch.rewrite(rule(r"(?P<a>L) (?:的 ?)?(?P<b>L)"), named_twice)
    sketch.rewrite(rule(r"包 ?(?:季|quarter)"), lambda _: [Piece("L", "", "monthly"), Piece("T", "季", quarter)])


def _bare_year(sketch: Sketch, match: re.Match[str]) -> list[Piece] | None:
    """1- or 3-year reserved: the first number has the unit of the second."""
    number, plan = sketch.piece(match), sketch.piece(match, "l")
    terms = [p.value for p in sketch.span(match) if p.mark == "T"]
    if plan.value != "reserved" or number.value.value != 1 or terms[0].unit != "year" or terms[0].count != 3:
        return None
    return [Piece("L", "", "reserved_1y"), Piece("or", ""), Piece("L", "", "reserved_3y")]
