"""The cost of a job from its figures alone, without the knowledge of any offer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_CEILING, Context, Decimal, localcontext
from typing import Any

from rules.model import HOURS_PER_MONTH, CurrencyRate
from rules.prices import Conversion, convert
from rules.sums import plain
from rules.wire import number, round_half_up

_NUMBER = re.compile(r"[0-9]{1,15}(\.[0-9]{1,12})?|\.[0-9]{1,12}", re.ASCII)
_CURRENCY = re.compile(r"[A-Z]{3}", re.ASCII)
PER = ("gpu-hour", "machine-hour")


class FiguresError(Exception):
    """Figures that cannot be added up; ``key`` is the sentence that says why, ``slots`` its words."""

    def __init__(self, key: str, **slots: str) -> None:
        super().__init__(key)
        self.key, self.slots = key, slots


@dataclass(frozen=True, slots=True)
class Figures:
    """What the job is and what is charged. Rates are in ``currency`` but for transfer, which may have its own."""

    rate: Decimal
    gpus: Decimal
    hours: Decimal
    per: str = "gpu-hour"
    gpus_per_machine: Decimal | None = None
    transfer_gb: Decimal | None = None
    transfer_rate: Decimal | None = None
    storage_gb: Decimal | None = None
    storage_rate: Decimal | None = None
    fee: Decimal | None = None
    fee_percent: Decimal | None = None
    currency: str = "USD"
    transfer_currency: str | None = None


@dataclass(frozen=True, slots=True)
class Item:
    """One line: ``amount`` is exact and in the currency of the whole."""

    item: str
    quantity: Decimal
    unit: str
    rate: Decimal
    rate_currency: str | None
    amount: Decimal
    formula: str


@dataclass(frozen=True, slots=True)
class Cost:
    figures: Figures
    machines: int
    gpus_paid: Decimal
    items: tuple[Item, ...]
    total: Decimal
    rates: tuple[CurrencyRate, ...]  # that led the transfer into the currency of the whole


def a_number(option: str, text: str | None) -> Decimal | None:
    """A figure as it was typed; raises ``FiguresError`` when it is not a number of zero or more."""
    if text is None:
        return None
    if not _NUMBER.fullmatch(text.strip()):
        raise FiguresError("error.number", option=option, text=text)
    return Decimal(text.strip())


def a_currency(option: str, text: str | None) -> str | None:
    if text is None:
        return None
    code = text.strip().upper()
    if not _CURRENCY.fullmatch(code):
        raise FiguresError("error.currency", option=option, text=text)
    return code


def cost(figures: Figures, currencies: Sequence[CurrencyRate], as_of: date) -> Cost:
    """The lines and the exact total.

    >>> from decimal import Decimal as D
    >>> job = Figures(D("3.2"), D(4), D(72), transfer_gb=D(500), transfer_rate=D("0.05"))
    >>> str(cost(job, (), date(2026, 11, 30)).total)
    '946.60'
    """
    with localcontext(Context(prec=60)):
        return _cost(figures, currencies, as_of)


def _cost(figures: Figures, currencies: Sequence[CurrencyRate], as_of: date) -> Cost:
    _check(figures)
    machines, paid = _size(figures)
    items = [_compute(figures, machines, paid)]
    conversion = _transfer_conversion(figures, currencies, as_of)
    if figures.transfer_gb is not None:
        items.append(_transfer(figures, conversion))
    if figures.storage_gb is not None:
        items.append(_storage(figures))
    known = sum((item.amount for item in items), Decimal(0))
    if figures.fee_percent is not None:
        amount = known * figures.fee_percent / 100
        formula = f"{plain(figures.fee_percent)} % × {_cents(known)}"
        items.append(Item("fee", known, figures.currency, figures.fee_percent, None, amount, formula))
    if figures.fee is not None:
        items.append(Item("fee", Decimal(1), "once", figures.fee, figures.currency, figures.fee, plain(figures.fee)))
    total = sum((item.amount for item in items), Decimal(0))
    return Cost(figures, machines, paid, tuple(items), total, conversion.rates if conversion is not None else ())


def _check(figures: Figures) -> None:
    """What must be there before anything is added up."""
    for option, value in (("--gpus", figures.gpus), ("--gpus-per-machine", figures.gpus_per_machine)):
        if value is not None and (value < 1 or value != value.to_integral_value()):
            raise FiguresError("error.whole", option=option, text=plain(value))
    if figures.per not in PER:
        raise FiguresError("error.per", text=figures.per, list=", ".join(PER))
    if figures.per == "machine-hour" and figures.gpus_per_machine is None:
        raise FiguresError("error.machine_size")
    for amount, rate, names in (
        (figures.transfer_gb, figures.transfer_rate, ("--transfer-gb", "--transfer-rate")),
        (figures.storage_gb, figures.storage_rate, ("--storage-gb", "--storage-rate")),
    ):
        if (amount is None) != (rate is None):
            raise FiguresError("error.pair", one=names[0], two=names[1])


def _size(figures: Figures) -> tuple[int, Decimal]:
    """C1: whole machines are billed; without a machine size any number of GPUs is sold."""
    if figures.gpus_per_machine is None:
        return 1, figures.gpus
    machines = (figures.gpus / figures.gpus_per_machine).to_integral_value(rounding=ROUND_CEILING)
    return int(machines), machines * figures.gpus_per_machine


def _compute(figures: Figures, machines: int, paid: Decimal) -> Item:
    units = paid if figures.per == "gpu-hour" else Decimal(machines)
    amount = figures.rate * units * figures.hours
    formula = f"{plain(figures.rate)} × {plain(units)} × {plain(figures.hours)} h"
    return Item("compute", units * figures.hours, figures.per, figures.rate, figures.currency, amount, formula)


def _transfer_conversion(figures: Figures, currencies: Sequence[CurrencyRate], as_of: date) -> Conversion | None:
    """How the transfer reaches the currency of the whole; None when it is in it already."""
    own = figures.transfer_currency or figures.currency
    if own == figures.currency or figures.transfer_gb is None:
        return None
    found = convert(own, figures.currency, as_of, currencies)
    if found is None:
        raise FiguresError("error.no_rate", one=own, two=figures.currency, date=as_of.isoformat())
    return found


def _transfer(figures: Figures, conversion: Conversion | None) -> Item:
    gb, rate = figures.transfer_gb, figures.transfer_rate
    assert gb is not None
    assert rate is not None
    own = gb * rate
    formula = f"{plain(rate)} × {plain(gb)} GB"
    currency = figures.transfer_currency or figures.currency
    if conversion is None:
        return Item("transfer", gb, "gb", rate, currency, own, formula)
    formula += f" = {_cents(own)} {currency}{conversion.formula}"
    return Item("transfer", gb, "gb", rate, currency, conversion.apply(own), formula)


def _storage(figures: Figures) -> Item:
    gb, rate = figures.storage_gb, figures.storage_rate
    assert gb is not None
    assert rate is not None
    months = figures.hours / HOURS_PER_MONTH
    formula = f"{plain(rate)} × {plain(gb)} GB × {plain(figures.hours)}/730"
    return Item("storage", gb * months, "gb-month", rate, figures.currency, gb * rate * months, formula)


def cost_json(result: Cost, usd: Conversion | None) -> dict[str, Any]:
    """The cost as plain values; ``usd`` leads the currency of the whole to USD, None when no rate is in force."""
    figures = result.figures
    out: dict[str, Any] = {
        "currency": figures.currency,
        "gpus_asked": number(figures.gpus),
        "machines": result.machines,
        "gpus_paid": number(result.gpus_paid),
        "idle_gpus": number(result.gpus_paid - figures.gpus),
        "hours": number(figures.hours),
        "lines": [_item_json(item, usd) for item in result.items],
        "total": number(result.total, 2),
    }
    if usd is not None:
        out["total_usd"] = number(usd.apply(result.total), 2)
    rates = [*result.rates, *(usd.rates if usd is not None else ())]
    out["rates"] = [
        {
            "pair": f"{one.base}/{one.quote}",
            "rate": number(one.rate),
            "from": one.start.isoformat(),
            "source": one.source.title,
        }
        for one in dict.fromkeys(rates)
    ]
    return out


def _item_json(item: Item, usd: Conversion | None) -> dict[str, Any]:
    out: dict[str, Any] = {
        "item": item.item,
        "quantity": number(item.quantity),
        "unit": item.unit,
        "rate": {"amount": number(item.rate), "currency": item.rate_currency, "per": _per(item)},
        "amount": number(item.amount, 2),
        "amount_usd": None if usd is None else number(usd.apply(item.amount), 2),
        "formula": item.formula,
    }
    return out


def _per(item: Item) -> str:
    return "%" if item.rate_currency is None else item.unit


def _cents(value: Decimal) -> str:
    return f"{round_half_up(value, 2):f}"
