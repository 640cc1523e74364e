"""What the marks of a sketch hold."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

HOURS = {
    "minute": Decimal(1) / 60, "hour": Decimal(1), "day": Decimal(24), "night": Decimal(12), "overnight": Decimal(12),
    "weekend": Decimal(48), "week": Decimal(168), "fortnight": Decimal(336), "month": Decimal(730),
    "quarter": Decimal(2190), "year": Decimal(8760),
}  # fmt: skip
GIGABYTES = {"mb": Decimal("0.001"), "gb": Decimal(1), "tb": Decimal(1000), "pb": Decimal(1_000_000)}


@dataclass(slots=True)
class Number:
    """A number; ``low`` below ``value`` when it is a range."""

    value: Decimal
    low: Decimal | None = None
    word: bool = False  # written as a word, so it may be grammar ("which one") rather than a quantity


@dataclass(slots=True)
class Duration:
    """``hours`` in all; ``count`` times ``unit``."""

    hours: Decimal
    unit: str
    count: Decimal
    article: bool = False  # "a month", "一天": perhaps a unit of price rather than a length


@dataclass(slots=True)
class Size:
    """Bytes in GB."""

    gb: Decimal
    low: Decimal | None = None
    unit: str = "gb"


@dataclass(slots=True)
class Amount:
    """Money; ``currency`` None when not said."""

    amount: Decimal
    currency: str | None = None


@dataclass(slots=True)
class Gpu:
    """One mention of an accelerator."""

    model: str
    memory_gb: Decimal | None = None
    count: Decimal | None = None
    form: str | None = None
    provider: str | None = None  # an instance name states it
    machine: bool = False  # named by an instance name
