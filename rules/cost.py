"""What one offer costs for the question, as lines of quantity × rate with the sum shown.

Worked example: 3.20 USD per GPU-hour, 4 GPUs, 72 h, 500 GB at 0.05 USD is 921.60 + 25.00 = 946.60.

Code and cases cite the rules of a price by number:

* C1 whole machines are paid; C2 one machine before several; C3 machines asked for by number;
* C4 hours in started billing steps; C5 no hours: cost per hour, no total;
* C6 which ways of buying are ranked; C7 a commitment is owed whole; C8 months are whole;
* C9 transfer and storage; C10 fees; C11 spot with its interruptions; C12 currencies at dated rates;
* C13 the age of a price; C14 sources that disagree (``rules.prices``);
* C15 the order (``rules.market``); C16 a slice of a GPU is no GPU (``rules.offers``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from types import MappingProxyType
from typing import Any

from rules.model import (
    HOURS_PER_MONTH,
    TERM_HOURS,
    Access,
    Billing,
    Catalog,
    CurrencyRate,
    Expected,
    Line,
    Offer,
    PriceLine,
    Provider,
    Question,
    Quote,
    Rate,
    SpotTerms,
    Used,
)
from rules.offers import Candidate, Want, machines_of, whole
from rules.prices import SAME, Conversion, choose, fees_in_force
from rules.remember import usd_of
from rules.sums import Factor, Sum, cents, plain

STEP_SLACK_HOURS = Decimal("0.000001")  # C4: an excess below this is not a started step
CHECKPOINT_HOURS = Decimal(1)  # C11: work saved this often when the job checkpoints
_ACCESS = Access()  # nothing known
_HAIR = Decimal("0.001")  # hours that a bound leaves for a step that has not started
_ALMOST = Decimal("0.999")  # of a price: what a bound leaves for rounding
HOPELESS = Decimal(100)  # C11: above this λc the run is not expected to end


# ---------------------------------------------------------------- hours


def started(hours: Decimal, step: Decimal) -> Decimal:
    """How many steps of ``step`` hours have started after ``hours``: the first one as soon as there are any."""
    return max(Decimal(hours > 0), whole((hours - STEP_SLACK_HOURS) / step))


def hours_of(steps: Decimal | int, step: Decimal) -> Decimal:
    """``steps`` steps in hours; a step below an hour is taken as a whole number of them an hour (a minute is 1/60)."""
    return steps / (1 / step).to_integral_value() if step < 1 else steps * step


def started_months(hours: Decimal | None) -> Decimal:
    """Started stretches of 730 h; one when the hours are not known."""
    return Decimal(1) if hours is None else max(Decimal(1), started(hours, HOURS_PER_MONTH))


def billing_of(offer: Offer, provider: Provider) -> Billing:
    return offer.billing or provider.billing


def billed_hours(plan: str, billing: Billing, hours: Decimal) -> Decimal:
    """C4, C7, C8: a commitment bills whole terms, a monthly plan whole months, all else whole steps."""
    if plan in TERM_HOURS:
        return started(hours, TERM_HOURS[plan]) * TERM_HOURS[plan]
    if plan == "monthly":
        return started(hours, HOURS_PER_MONTH) * HOURS_PER_MONTH
    step = billing.step_hours
    rounded = hours if step is None else hours_of(started(hours, step), step)
    return max(billing.minimum_hours, rounded)


# ---------------------------------------------------------------- machines


@dataclass(frozen=True, slots=True)
class Size:
    """C1-C3: what is rented for the GPUs that are asked for."""

    machines: int
    paid: Decimal
    asked: Decimal


def size_of(offer: Offer, want: Want) -> Size:
    machines = machines_of(want, offer)
    paid = want.gpus if offer.sold_as == "gpu" else machines * offer.gpus
    return Size(int(machines), paid, want.gpus)


def _units(rate: Rate, offer: Offer, size: Size) -> Decimal:
    """How many times a rate is paid: per GPU, or per rentable unit."""
    return size.paid if rate.unit.startswith("gpu") else size.paid / offer.gpus


# ---------------------------------------------------------------- the quote


def quote(candidate: Candidate, question: Question, catalog: Catalog, as_of: date) -> Quote:
    """The quote of a candidate whose price and currencies are known; amounts are exact, nothing is rounded."""
    return _Pricing(candidate, question, catalog, as_of).quote()


def at_least(candidate: Candidate, catalog: Catalog) -> Decimal:
    """USD that the quote of a candidate costs at least, in total or, without hours, per hour: its compute price for
    the GPUs asked for and the hours billed, a hair below. What is paid beside it is never negative."""
    assert candidate.listed is not None
    offer, want = candidate.offer, candidate.want
    least = candidate.listed * want.gpus * _ALMOST
    if want.hours is not None and offer.plan != "reserved":
        whole_term = HOURS_PER_MONTH if offer.plan == "monthly" else TERM_HOURS.get(offer.plan, Decimal(0))
        least *= max(whole_term if want.hours > 0 else Decimal(0), want.hours - _HAIR)
    return least * _share(discounts_of(offer, catalog)) if catalog.discounts else least


def discounts_of(offer: Offer, catalog: Catalog) -> list[Decimal]:
    """The team's own discounts on an offer, in percent."""
    return [d.percent for d in catalog.discounts if d.provider == offer.provider and d.plan in (None, offer.plan)]


def _share(discounts: Iterable[Decimal]) -> Decimal:
    """What is left of a price after discounts."""
    share = Decimal(1)
    for percent in discounts:
        share *= 1 - percent / 100
    return share


class _Pricing:
    """One quote in the making: the inputs that every line needs, and the rates that were used."""

    def __init__(self, candidate: Candidate, question: Question, catalog: Catalog, as_of: date) -> None:
        assert candidate.used is not None
        assert candidate.used.line.rate is not None
        self.offer, self.provider, self.want = candidate.offer, candidate.provider, candidate.want
        self.region, self.used = candidate.region, candidate.used
        self.rate: Rate = candidate.used.line.rate
        self.question, self.catalog, self.as_of = question, catalog, as_of
        self.size = size_of(self.offer, self.want)
        # A commitment of unknown length has no sum: what is owed is not known (C7).
        self.hours = None if self.offer.plan == "reserved" else self.want.hours
        billing = billing_of(self.offer, self.provider)
        self.billed = None if self.hours is None else billed_hours(self.offer.plan, billing, self.hours)
        self.units = _units(self.rate, self.offer, self.size)
        self.discounts = discounts_of(self.offer, catalog)
        self.share = _share(self.discounts)
        conversion = usd_of(self.rate, catalog, as_of)
        assert conversion is not None
        self.conversion = conversion
        self.fees = fees_in_force(self.provider, as_of, self.region)
        self.rates_used: list[CurrencyRate] = [*conversion.rates]
        self.unknown: list[str] = []

    def quote(self) -> Quote:
        compute = self._compute()
        extras = side_lines(self.provider, self.question, self.hours, self.region, self.catalog, self.as_of)
        self.rates_used += extras.rates
        self.unknown += extras.cautions
        lines = (compute, *extras.lines, *self._fees((compute, *extras.lines)))
        total = None if self.hours is None else _known_sum(lines)
        per_hour = self._listed_per_hour()
        rests_on = [x.used for x in lines if x.used]
        stale = any(used.stale for used in rests_on)
        ages = [used.age_days for used in rests_on] + [rate_age(r, self.as_of) for r in self.rates_used]
        spot = self._spot_terms()
        expected = None if spot is None else self._expected(spot)
        return Quote(
            offer=self.offer,
            provider=self.provider.id,
            machines=self.size.machines,
            gpus_paid=self.size.paid,
            gpus_asked=self.size.asked,
            lines=lines,
            currency_rates=tuple(dict.fromkeys(self.rates_used)) if self.rates_used else (),
            region=self.region,
            used=self.used,
            hours=self.hours,
            billed_hours=self.billed,
            total_usd=total,
            usd_per_hour=per_hour,
            usd_per_gpu_hour=per_hour / self.size.asked,
            age_days=max(ages),
            stale=stale,
            cautions=self._cautions(stale),
            access=self.offer.access or self.provider.access or _ACCESS,
            expected=expected,
            if_held=self._if_held(),
            complete=not self.unknown and self.hours == self.want.hours,
            endless=spot is not None and expected is None,
            spot=spot,
        )

    # -- lines

    def _compute(self) -> Line:
        quantity, per = self._compute_quantity()
        times = self.units * quantity
        own = times * self.rate.amount * self.share
        factors: list[Factor] = [self.units, (quantity, per)]
        factors += [f"(1 − {plain(percent)} %)" for percent in self.discounts]
        return _line("compute", times, self.rate.unit, self.rate, self.conversion, own, self.used, tuple(factors))

    def _compute_quantity(self) -> tuple[Decimal, str]:
        """How long is paid, in months or hours as the rate is; without hours, one hour of it."""
        hours = Decimal(1) if self.billed is None else self.billed
        if self.rate.unit.endswith("month"):
            return hours / HOURS_PER_MONTH, "mo"
        return hours, "h"

    def _fees(self, base: Sequence[Line]) -> list[Line]:
        """C10. Fees with different names are different fees; a percentage is taken on all other lines."""
        if not self.fees:
            return []
        known = _known_sum(base)
        return [line for used in self.fees for line in self._fee(used, known)]

    def _fee(self, used: Used, known: Decimal) -> list[Line]:
        rate = used.line.rate
        assert rate is not None
        what = used.line.what
        if rate.unit == "%":
            amount = known * rate.amount / 100
            total = Sum(used.line.says, (f"{cents(known)} USD",), amount, "USD", SAME, amount)
            return [Line("fee", known, "USD", rate, amount, total, used, what)]
        quantity, item = self._fee_quantity(rate)
        conversion = self._conversion(rate)
        assert conversion is not None
        line = _line(item, quantity, rate.unit, rate, conversion, quantity * rate.amount, used, (quantity,))
        return [replace(line, what=what)]

    def _fee_quantity(self, rate: Rate) -> tuple[Decimal, str]:
        if rate.unit == "once":
            return Decimal(1), "setup"
        if rate.unit.endswith("month"):  # of the job, as the free allowance of C9
            times = {"gpu-month": self.size.paid, "machine-month": Decimal(self.size.machines)}.get(
                rate.unit, Decimal(1)
            )
            return started_months(self.hours) * times, "fee"
        hours = Decimal(1) if self.billed is None else self.billed
        return hours * (self.size.paid if rate.unit.startswith("gpu") else self.size.machines), "fee"

    # -- per hour

    def _listed_per_hour(self) -> Decimal:
        """The listed price of all GPUs paid, with percentage fees and fees by the hour; USD."""
        hourly = Decimal(0)
        for used in self.fees:
            rate = used.line.rate
            if rate is not None and rate.unit.endswith("-hour"):
                conversion = self._conversion(rate)
                assert conversion is not None
                times = self.size.paid if rate.unit.startswith("gpu") else Decimal(self.size.machines)
                hourly += conversion.apply(rate.amount * times)
        return self._compute_usd_for(Decimal(1)) + hourly

    def _compute_usd_for(self, hours: Decimal) -> Decimal:
        """The compute price of exactly these hours, not rounded up, with percentage fees; USD."""
        per_unit = self.rate.amount / HOURS_PER_MONTH if self.rate.unit.endswith("month") else self.rate.amount
        usd = self.conversion.apply(per_unit * self.units * self.share * hours)
        percent = [used.line.rate.amount for used in self.fees if used.line.rate and used.line.rate.unit == "%"]
        return usd * (1 + sum(percent, Decimal(0)) / 100)

    # -- what else is said

    def _if_held(self) -> MappingProxyType[str, Decimal] | None:
        """C7: the share of a commitment for fewer hours than its term."""
        term = TERM_HOURS.get(self.offer.plan)
        if term is None or self.hours is None or self.hours >= term:
            return None
        return MappingProxyType({"hours": self.hours, "usd": self._compute_usd_for(self.hours)})

    def _spot_terms(self) -> SpotTerms | None:
        """The terms of a spot job whose hours, interruptions and restart are all known."""
        terms = self.offer.spot or self.provider.spot
        if self.offer.plan != "spot" or self.hours is None or terms is None:
            return None
        known = terms.interruptions_per_hour is not None and terms.restart_hours is not None
        return terms if known else None

    def _expected(self, terms: SpotTerms) -> Expected | None:
        assert self.hours is not None
        assert terms.interruptions_per_hour is not None
        assert terms.restart_hours is not None
        rate = terms.interruptions_per_hour * self.size.machines
        saved = "checkpointing" in self.question.needs
        stretch = min(CHECKPOINT_HOURS, self.hours) if saved else self.hours
        hours = expected_hours(self.hours, rate, terms.restart_hours, stretch)
        if hours is None:
            return None
        basis: dict[str, Any] = {
            "interruptions_per_hour": rate,
            "restart_hours": terms.restart_hours,
            "save_every_hours": stretch,
            "saves": saved,
            "source": None if terms.source is None else f"{self.provider.id}/{terms.source.key}",
            "seen": terms.seen,
        }
        return Expected(hours, self._compute_usd_for(hours), MappingProxyType(basis))

    def _cautions(self, stale: bool) -> tuple[str, ...]:
        found = []
        if self.size.paid > self.size.asked:
            found.append("idle-gpus")
        if stale:
            found.append("stale")
        if self.used.others:
            found.append("disputed")
        found += self.unknown
        if self.offer.plan == "spot":
            found.append("spot-may-stop")
        if self.size.machines > 1 and self.want.nodes is None:
            found.append("several-machines")
        return tuple(found)

    def _conversion(self, rate: Rate) -> Conversion | None:
        conversion = usd_of(rate, self.catalog, self.as_of)
        if conversion is not None:
            self.rates_used += conversion.rates
        return conversion


def expected_hours(hours: Decimal, rate: Decimal, restart: Decimal, stretch: Decimal) -> Decimal | None:
    """C11: hours of a run that is interrupted ``rate`` times an hour and saved after every ``stretch`` hours.

    Each saved stretch takes (1/λ + r)(e^(λc) - 1) hours. None when the run is not expected to end.
    """
    if rate == 0:
        return hours
    if rate * stretch > HOPELESS:
        return None
    whole, rest = divmod(hours, stretch)

    def took(length: Decimal) -> Decimal:
        return (1 / rate + restart) * ((rate * length).exp() - 1)

    return whole * took(stretch) + took(rest)


# ---------------------------------------------------------------- transfer and storage (C9)


@dataclass(frozen=True, slots=True)
class Extras:
    lines: tuple[Line, ...]
    cautions: tuple[str, ...]
    rates: tuple[CurrencyRate, ...]


_NO_EXTRAS = Extras((), (), ())


def side_lines(
    provider: Provider, question: Question, hours: Decimal | None, region: str | None, catalog: Catalog, as_of: date
) -> Extras:
    """The transfer and storage lines that the question asks for; an unknown rate is None and a caution."""
    if question.data_gb is None and question.storage_gb is None:
        return _NO_EXTRAS
    lines: list[Line] = []
    cautions: list[str] = []
    rates: list[CurrencyRate] = []
    if question.data_gb is not None:
        source = provider.transfer_in if question.data_direction == "in" else provider.transfer_out
        used, conversion = _known(source, provider, region, catalog, as_of)
        if used is None or conversion is None:
            lines.append(_unpriced("transfer", question.data_gb, "gb", used))
            cautions.append("unknown-transfer-rate")
        else:
            lines.append(_transfer(question.data_gb, hours, used, conversion))
            rates += conversion.rates
    if question.storage_gb is not None:
        used, conversion = _known(provider.storage, provider, region, catalog, as_of)
        if used is None or conversion is None:
            lines.append(_unpriced("storage", question.storage_gb, "gb-month", used))
            cautions.append("unknown-storage-rate")
        else:
            lines.append(_storage(question, hours, used, conversion))
            rates += conversion.rates
    return Extras(tuple(lines), tuple(cautions), tuple(rates))


def _unpriced(item: str, quantity: Decimal, unit: str, used: Used | None) -> Line:
    """A line without an amount; a rate whose currency cannot be converted still stands in it."""
    return Line(item, quantity, unit, used.line.rate if used else None, None, used.line.says if used else "?")


def _known(
    source: Sequence[PriceLine], provider: Provider, region: str | None, catalog: Catalog, as_of: date
) -> tuple[Used | None, Conversion | None]:
    used = choose(source, as_of, provider.recheck_days, region=region).used
    if used is None or used.line.rate is None:
        return None, None
    return used, usd_of(used.line.rate, catalog, as_of)


def _transfer(data_gb: Decimal, hours: Decimal | None, used: Used, conversion: Conversion) -> Line:
    rate = used.line.rate
    assert rate is not None
    free = (used.line.free_gb_month or Decimal(0)) * started_months(hours)
    charged = max(Decimal(0), data_gb - free)
    allowance = f"({plain(data_gb)} − {plain(free)})" if free else plain(data_gb)
    return _line("transfer", charged, "gb", rate, conversion, charged * rate.amount, used, (f"{allowance} GB",))


def _storage(question: Question, hours: Decimal | None, used: Used, conversion: Conversion) -> Line:
    rate = used.line.rate
    assert rate is not None
    assert question.storage_gb is not None
    months = _storage_months(question, hours, used.line.whole_months)
    if months is None:
        return Line("storage", question.storage_gb, "gb-month", rate, None, used.line.says, used)
    quantity = question.storage_gb * months
    factors = (f"{plain(question.storage_gb)} GB", _months_formula(question, hours, months, used))
    return _line("storage", quantity, "gb-month", rate, conversion, quantity * rate.amount, used, factors)


def _calendar_hours(question: Question, hours: Decimal | None) -> Decimal | None:
    """The disk stays while the GPU is off: daily use spreads the hours over the calendar."""
    if hours is None or question.hours_per_day is None:
        return hours
    return hours * 24 / question.hours_per_day


def _storage_months(question: Question, hours: Decimal | None, whole: bool) -> Decimal | None:
    kept = _calendar_hours(question, hours)
    if kept is None:
        return None
    return started_months(kept) if whole else kept / HOURS_PER_MONTH


def _months_formula(question: Question, hours: Decimal | None, months: Decimal, used: Used) -> str:
    kept = _calendar_hours(question, hours)
    assert kept is not None
    return f"{plain(months)} mo" if used.line.whole_months else f"{plain(kept)} h ÷ 730"


def side_quote(
    provider: Provider,
    question: Question,
    hours: Decimal | None,
    regions: Sequence[str | None],
    catalog: Catalog,
    as_of: date,
) -> Quote:
    """C9 without a GPU: transfer or storage lines alone, no offer, in the region where they cost least."""
    found = [_side_quote(provider, question, hours, region, catalog, as_of) for region in regions]
    return min(found, key=lambda q: (not q.complete, q.total_usd if q.usd_per_hour is None else q.usd_per_hour))


def _side_quote(
    provider: Provider, question: Question, hours: Decimal | None, region: str | None, catalog: Catalog, as_of: date
) -> Quote:
    extras = side_lines(provider, question, hours, region, catalog, as_of)
    lines = extras.lines
    timeless = any(x.item == "storage" and x.rate and x.amount_usd is None for x in lines)
    ages = [x.used.age_days for x in lines if x.used] + [rate_age(r, as_of) for r in extras.rates]
    stale = any(x.used.stale for x in lines if x.used)
    return Quote(
        offer=None,
        provider=provider.id,
        machines=0,
        gpus_paid=Decimal(0),
        gpus_asked=Decimal(0),
        lines=lines,
        currency_rates=extras.rates,
        region=region,
        used=max((x.used for x in lines if x.used), key=lambda used: used.age_days, default=None),
        hours=hours,
        total_usd=None if timeless else _known_sum(lines),
        usd_per_hour=_storage_per_hour(provider, question, region, catalog, as_of) if timeless else None,
        age_days=max(ages, default=0),
        stale=stale,
        cautions=(("stale",) if stale else ()) + extras.cautions,
        access=provider.access or Access(),
        complete=not extras.cautions,
    )


def _storage_per_hour(
    provider: Provider, question: Question, region: str | None, catalog: Catalog, as_of: date
) -> Decimal | None:
    used, conversion = _known(provider.storage, provider, region, catalog, as_of)
    if used is None or used.line.rate is None or conversion is None or question.storage_gb is None:
        return None
    return conversion.apply(question.storage_gb * used.line.rate.amount / HOURS_PER_MONTH)


# ---------------------------------------------------------------- figures


def _known_sum(lines: Sequence[Line]) -> Decimal:
    """The lines whose amount is known; USD."""
    return sum([line.amount_usd for line in lines if line.amount_usd is not None], Decimal(0))


def _line(
    item: str,
    quantity: Decimal,
    unit: str,
    rate: Rate,
    conversion: Conversion,
    own: Decimal,
    used: Used,
    factors: tuple[Factor, ...],
) -> Line:
    amount = conversion.apply(own)
    total = Sum(used.line.says, factors, own, rate.currency or "USD", conversion, amount)
    return Line(item, quantity, unit, rate, amount, total, used)


def rate_age(rate: CurrencyRate, as_of: date) -> int:
    return max(0, (as_of - rate.seen).days)
