"""How an amount came about, written out only when someone reads it: figures and signs, no words."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from rules.prices import Conversion
from rules.wire import round_half_up

Factor = Decimal | str | tuple[Decimal, str]  # a figure, a text of figures, a figure with its unit


@dataclass(frozen=True, slots=True)
class Sum:
    """A price as its source says it, times its factors, in its own currency and in USD; ``str()`` is the formula.

    >>> from rules.prices import SAME
    >>> str(
    ...     Sum(
    ...         "3.20 USD/gpu-hour", (Decimal(4), (Decimal(72), "h")), Decimal("921.60"), "USD", SAME, Decimal("921.60")
    ...     )
    ... )
    '3.20 USD/gpu-hour × 4 × 72 h = 921.6 USD'
    """

    says: str
    factors: tuple[Factor, ...]
    own: Decimal
    currency: str
    conversion: Conversion
    usd: Decimal

    def __str__(self) -> str:
        text = " × ".join([self.says, *(_factor(f) for f in self.factors)])
        if self.conversion.rates:
            text += f" = {cents(self.own)} {self.currency}{self.conversion.formula}"
        return f"{text} = {cents(self.usd)} USD"


def _factor(factor: Factor) -> str:
    if isinstance(factor, tuple):
        return f"{plain(factor[0])} {factor[1]}"
    return plain(factor) if isinstance(factor, Decimal) else factor


def cents(value: Decimal) -> str:
    return plain(round_half_up(value, 2))


def plain(value: Decimal) -> str:
    """A figure without an exponent or needless zeros, at most six decimals."""
    if value == (whole := value.to_integral_value()):
        return f"{whole:f}"
    return f"{round_half_up(value, 6):f}".rstrip("0").rstrip(".")
