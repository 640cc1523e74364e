"""Which price line is in force, and what a currency is worth, at a date.

The state of a line is derived, never typed (knowledge/README.md says how one is written):

* *announced*: last looked at before it starts, so not yet believed;
* *in force*: started, believed, and the newest such line of its source;
* *stale*: not looked at within the provider's ``recheck_days``.

Of several sources in force, C14 chooses one; the others that differ by more than 1 % are a conflict.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from rules.model import (
    DISPUTE_SHARE,
    HOURS_PER_MONTH,
    SOURCE_KINDS,
    CurrencyRate,
    Money,
    Offer,
    PriceLine,
    Provider,
    Rate,
    Settlement,
    Used,
)
from rules.wire import compared

NOT_SOLD, RETIRED = "not sold", "retired"


@dataclass(frozen=True, slots=True)
class Choice:
    """The line used at a date, or the built-in reason why there is no price."""

    used: Used | None
    refusal: str | None = None  # retired | announced | no-price


# ---------------------------------------------------------------- whose currency


def own_currency(lang: str) -> str:
    """C12: what an amount without a currency is in, and what is shown beside USD: CNY in Chinese, else USD."""
    return "CNY" if lang == "zh" else "USD"


def currency_of(money: Money, lang: str) -> str:
    """The currency of an amount that someone stated in a language."""
    return money.currency or own_currency(lang)


# ---------------------------------------------------------------- states


def last_look(line: PriceLine) -> date:
    """The day someone last looked at a price line."""
    return line.seen if line.checked is None else max(line.seen, line.checked)


def age_days(line: PriceLine, as_of: date) -> int:
    """Days since someone looked; a look later than ``as_of`` is age 0."""
    return max(0, (as_of - last_look(line)).days)


def is_announced(line: PriceLine) -> bool:
    return last_look(line) < line.start


def in_force(lines: Iterable[PriceLine], as_of: date, region: str | None = None) -> list[PriceLine]:
    """The newest believed line of each source, for one region, in the order of the file."""
    newest: dict[str, PriceLine] = {}
    for line in lines:
        if line.start > as_of or is_announced(line):
            continue
        if region is not None and line.regions and region not in line.regions:
            continue
        other = newest.get(line.source.key)
        if other is None or _supersedes(line, other):
            newest[line.source.key] = line
    return list(newest.values())


def _supersedes(line: PriceLine, other: PriceLine) -> bool:
    """A later start wins; of two equal ones the line for fewer regions, then the one looked at later."""

    def key(x: PriceLine) -> tuple[date, bool, date]:
        return (x.start, bool(x.regions), last_look(x))

    return key(line) >= key(other)


# ---------------------------------------------------------------- choosing (C13, C14)


def choose(
    lines: Sequence[PriceLine],
    as_of: date,
    recheck_days: int,
    *,
    settled: Sequence[Settlement] = (),
    region: str | None = None,
    comparable: Callable[[PriceLine], Decimal | None] | None = None,
) -> Choice:
    """The line that counts at ``as_of``; ``comparable`` gives the figure in which conflicts are compared."""
    current = in_force(lines, as_of, region)
    if not current:
        announced = bool(lines) and all(is_announced(line) for line in lines)
        return Choice(None, "announced" if announced else "no-price")
    settlement = _settlement(settled, current, as_of)
    line, why = _winner(current, settlement, as_of, recheck_days)
    if line.says == RETIRED:
        return Choice(None, "retired")
    if line.rate is None or (line.rate.unit != "%" and line.rate.amount == 0 and comparable is not None):
        return Choice(None, "no-price")
    named = {key for key, _ in settlement.of} if settlement else set()
    rivals = [x for x in current if x is not line and x.source.key not in named]
    age = age_days(line, as_of)
    return Choice(Used(line, age, age > recheck_days, _in_conflict(line, rivals, comparable), why))


def _winner(
    current: list[PriceLine], settlement: Settlement | None, as_of: date, recheck_days: int
) -> tuple[PriceLine, str]:
    if settlement is not None:
        return next(x for x in current if x.source.key == settlement.keep), "settled"
    ordered = sorted(current, key=lambda x: _preference(x, as_of, recheck_days))
    first = ordered[0]
    if len(ordered) == 1:
        return first, ""
    mine, next_best = (_preference(x, as_of, recheck_days) for x in ordered[:2])
    why = "fresher" if mine[0] != next_best[0] else "kind" if mine[1] != next_best[1] else "later-check"
    return first, why


def _preference(line: PriceLine, as_of: date, recheck_days: int) -> tuple[bool, int, int, str]:
    """C14: not stale, then the kind of source, then the later check; the source's key settles a tie."""
    stale = age_days(line, as_of) > recheck_days
    kind = -1 if line.overlay and line.source.kind == "written quote" else SOURCE_KINDS.index(line.source.kind)
    return (stale, kind, -last_look(line).toordinal(), line.source.key)


def _settlement(settled: Sequence[Settlement], current: list[PriceLine], as_of: date) -> Settlement | None:
    """The latest decision of which every named line is in force; a newer line reopens the question."""
    starts = {line.source.key: line.start for line in current}
    valid = [s for s in settled if s.decided <= as_of and all(starts.get(key) == start for key, start in s.of)]
    return max(valid, key=lambda s: s.decided, default=None)


def _in_conflict(
    line: PriceLine, rivals: list[PriceLine], comparable: Callable[[PriceLine], Decimal | None] | None
) -> tuple[PriceLine, ...]:
    if comparable is None or not rivals:
        return ()
    mine = comparable(line)
    if not mine:
        return ()
    found = []
    for rival in rivals:
        theirs = comparable(rival) if rival.rate is not None else None
        if theirs is not None and compared(abs(theirs - mine) / mine) > DISPUTE_SHARE:
            found.append(rival)
    return tuple(found)


# ---------------------------------------------------------------- an offer's price


def offer_price(
    offer: Offer,
    provider: Provider,
    as_of: date,
    currencies: Sequence[CurrencyRate],
    region: str | None = None,
) -> Choice:
    """The price line of an offer in one region, conflicts compared in USD per GPU-hour."""

    def comparable(line: PriceLine) -> Decimal | None:
        conversion = None if line.rate is None else to_usd(line.rate.currency or "USD", as_of, currencies)
        return (
            None if conversion is None or line.rate is None else conversion.apply(per_gpu_hour(line.rate, offer.gpus))
        )

    return choose(
        offer.prices,
        as_of,
        provider.recheck_days,
        settled=offer.settled,
        region=region,
        comparable=comparable,
    )


def fees_in_force(provider: Provider, as_of: date, region: str | None) -> list[Used]:
    """The fee lines used at ``as_of``, one for each fee by its name (C10)."""
    if not provider.fees:
        return []
    by_name: dict[str, list[PriceLine]] = {}
    for line in provider.fees:
        by_name.setdefault(line.what.en if line.what else "", []).append(line)
    chosen = (choose(lines, as_of, provider.recheck_days, region=region).used for lines in by_name.values())
    return [used for used in chosen if used is not None and used.line.rate is not None]


def per_gpu_hour(rate: Rate, gpus: Decimal) -> Decimal:
    """A price of an offer per GPU and hour, in its own currency; a month is 730 hours."""
    amount = rate.amount / gpus if rate.unit.startswith("machine") else rate.amount
    return amount / HOURS_PER_MONTH if rate.unit.endswith("month") else amount


# ---------------------------------------------------------------- currencies (C12)


@dataclass(frozen=True, slots=True)
class Conversion:
    """How one currency becomes another: multiply, then divide, so that no rate is inverted first."""

    times: Decimal
    over: Decimal
    rates: tuple[CurrencyRate, ...] = ()

    def apply(self, amount: Decimal) -> Decimal:
        return amount * self.times / self.over

    @property
    def formula(self) -> str:
        times = f" × {self.times.normalize():f}" if self.times != 1 else ""
        over = f" ÷ {self.over.normalize():f}" if self.over != 1 else ""
        return times + over


SAME = Conversion(Decimal(1), Decimal(1))


def to_usd(currency: str, as_of: date, currencies: Sequence[CurrencyRate]) -> Conversion | None:
    return SAME if currency == "USD" else convert(currency, "USD", as_of, currencies)


def convert(base: str, quote: str, as_of: date, currencies: Sequence[CurrencyRate]) -> Conversion | None:
    """The dated rate from one currency to another, directly or through one third; None when none is in force."""
    if base == quote:
        return SAME
    direct = _direct(base, quote, as_of, currencies)
    if direct is not None:
        return direct
    for middle in sorted({code for rate in currencies for code in (rate.base, rate.quote)} - {base, quote}):
        first, second = (_direct(*pair, as_of, currencies) for pair in ((base, middle), (middle, quote)))
        if first is not None and second is not None:
            return Conversion(first.times * second.times, first.over * second.over, first.rates + second.rates)
    return None


def _direct(base: str, quote: str, as_of: date, currencies: Sequence[CurrencyRate]) -> Conversion | None:
    found = [r for r in currencies if {r.base, r.quote} == {base, quote} and r.start <= as_of]
    if not found:
        return None
    rate = max(found, key=lambda r: (r.start, r.seen))
    if rate.base == base:
        return Conversion(rate.rate, Decimal(1), (rate,))
    return Conversion(Decimal(1), rate.rate, (rate,))
