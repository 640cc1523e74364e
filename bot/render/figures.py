"""Numbers, money and dates as people read them; nothing here knows a sentence."""

from __future__ import annotations

from decimal import ROUND_DOWN, Context, Decimal, localcontext

from rules.model import CurrencyRate
from rules.wire import round_half_up

_SIGNS = {
    "USD": "$",
    "CNY": "¥",
    "EUR": "€",
    "GBP": "£",
    "INR": "₹",
    "JPY": "JP¥",
    "KRW": "₩",
    "HKD": "HK$",
    "SGD": "S$",
}
_WHOLE = frozenset({"JPY", "KRW"})  # currencies without a smaller unit
_CENT = Decimal("0.01")


def count(value: Decimal, places: int = 2) -> str:
    """A quantity with thousands separators and no trailing zeros: 1234.50 is "1,234.5".

    >>> count(Decimal("8760.000"))
    '8,760'
    """
    text = f"{round_half_up(value, places):,f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def count_down(value: Decimal, places: int = 2) -> str:
    """Like ``count``, never rounded up: what an amount pays for.

    >>> count_down(Decimal("78.5256"))
    '78.52'
    """
    with localcontext(Context(prec=60)):
        return count(value.quantize(Decimal(1).scaleb(-places), rounding=ROUND_DOWN), places)


def money(amount: Decimal, currency: str | None = "USD") -> str:
    """An amount to the cent with its sign; one that would round to nothing says so.

    >>> money(Decimal("1580.945")), money(Decimal("0.00417")), money(Decimal("12"), "SEK")
    ('$1,580.95', '< $0.01', 'SEK 12.00')
    """
    places = 0 if currency in _WHOLE else 2
    if places and 0 < amount < _CENT / 2:
        return f"< {_signed(_CENT, str(_CENT), currency)}"
    return _signed(amount, f"{round_half_up(abs(amount), places):,f}", currency)


def cents(amount: Decimal) -> str:
    """An amount in USD to the cent, whatever is left of it."""
    return money(round_half_up(amount, 2))


def unit_price(amount: Decimal) -> str:
    """A computed price in USD for one unit: as exact as a reader needs it, four decimals at most."""
    return rate(round_half_up(amount, 4), "USD")


def rate(amount: Decimal, currency: str | None) -> str:
    """A price for one unit: two decimals at least, six at most.

    >>> rate(Decimal("1.5"), "USD"), rate(Decimal("0.04160"), "EUR"), rate(Decimal("4"), None)
    ('$1.50', '€0.0416', '4 %')
    """
    if currency is None:
        return f"{count(amount, 6)} %"
    whole, _, decimals = f"{round_half_up(abs(amount), 6):,f}".partition(".")
    return _signed(amount, f"{whole}.{decimals.rstrip('0').ljust(2, '0')}", currency)


def percent(share: Decimal, places: int = 1) -> str:
    """A ratio as a percentage: 0.65 is "65 %"."""
    return f"{count(share * 100, places)} %"


def convert(amount: Decimal, chain: tuple[CurrencyRate, ...], start: str = "USD") -> Decimal:
    """``amount`` of ``start`` led through a chain of rates, each usable both ways."""
    currency = start
    for step in chain:
        if step.base == currency:
            amount, currency = amount * step.rate, step.quote
        else:
            amount, currency = amount / step.rate, step.base
    return amount


def _signed(amount: Decimal, digits: str, currency: str | None) -> str:
    sign = _SIGNS.get(currency or "", f"{currency} ")
    return f"{'-' if amount < 0 else ''}{sign}{digits}"
