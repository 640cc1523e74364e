"""What is derived from a catalogue, kept for as long as the catalogue lives: it never changes, so neither does this."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from datetime import date
from decimal import Decimal
from typing import TypeVar

from rules.model import Catalog, Offer, Rate
from rules.prices import SAME, Conversion, per_gpu_hour, to_usd

AT_MOST = 200_000  # entries for one catalogue; then it starts anew
T = TypeVar("T")


def once(catalog: Catalog, key: Hashable, find: Callable[[], T]) -> T:
    """``find()``, asked once for a catalogue and a key; the key's first part names what is found."""
    known = catalog.derived
    if key not in known:
        if len(known) >= AT_MOST:
            known.clear()
        known[key] = find()
    return known[key]  # type: ignore[return-value]


def usd_of(rate: Rate, catalog: Catalog, as_of: date) -> Conversion | None:
    """How the currency of a rate becomes USD on a date; None when no rate is in force."""
    currency = rate.currency or "USD"
    if currency == "USD":
        return SAME
    return once(catalog, ("usd", currency, as_of), lambda: to_usd(currency, as_of, catalog.currencies))


def usd_per_gpu_hour(rate: Rate, offer: Offer, catalog: Catalog, as_of: date) -> Decimal | None:
    """A price of an offer in USD per GPU and hour; None when its currency has no rate in force."""
    conversion = usd_of(rate, catalog, as_of)
    return None if conversion is None else conversion.apply(per_gpu_hour(rate, offer.gpus))
