"""How often spot may be stopped before it costs as much as what cannot be stopped, where no source gives its rate."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

from rules.cost import CHECKPOINT_HOURS
from rules.model import Alternative, Catalog, Question, Quote

_HALVINGS = 40


def spot_rows(
    question: Question, quotes: Sequence[Quote], alternatives: Sequence[Alternative], catalog: Catalog
) -> list[dict[str, Any]]:
    """For each spot quote without a sourced rate its break-even against the first quote that cannot be stopped.

    Rows of {offer, against, restart_hours, per_hour, whole_per_hour}: interruptions an hour of the whole job with a
    save every hour, and with nothing saved (None when the job saves, or its hours are not known).
    """
    steady = next((q for q in quotes if q.offer and q.offer.plan != "spot" and q.complete), None)
    if steady is None:
        return []
    spots = [q for q in (*quotes, *(a.quote for a in alternatives)) if q.offer and q.offer.plan == "spot"]
    return [row for item in spots for row in _row(question, item, steady, catalog)]


def _row(question: Question, item: Quote, steady: Quote, catalog: Catalog) -> Iterable[dict[str, Any]]:
    mine, theirs = _cost(item), _cost(steady)
    if item.expected is not None or item.offer is None or steady.offer is None or not mine or theirs is None:
        return
    terms = item.offer.spot or catalog.providers[item.provider].spot
    if terms is not None and terms.interruptions_per_hour is not None:
        return
    restart = terms.restart_hours if terms else None
    saving = CHECKPOINT_HOURS if item.hours is None else min(CHECKPOINT_HOURS, item.hours)
    per_hour = break_even_rate(theirs / mine, saving, restart or Decimal(0))
    if per_hour is None:
        return
    whole = None
    if "checkpointing" not in question.needs and item.hours is not None:
        whole = break_even_rate(theirs / mine, item.hours, restart or Decimal(0))
    yield {
        "offer": item.offer.id,
        "against": steady.offer.id,
        "restart_hours": restart,
        "save_every_hours": saving,
        "per_hour": per_hour,
        "whole_per_hour": whole,
    }


def _cost(item: Quote) -> Decimal | None:
    return item.usd_per_hour if item.total_usd is None else item.total_usd


def break_even_rate(ratio: Decimal, stretch: Decimal, restart: Decimal = Decimal(0)) -> Decimal | None:
    """Interruptions an hour at which a run saved every ``stretch`` hours takes ``ratio`` times as long.

    Solves (1/λ + restart)(e^(λc) - 1) = ratio × c for λ (C11); None when spot is not cheaper.

    >>> round(break_even_rate(Decimal("1.718281828459045"), Decimal(10)), 6)
    Decimal('0.100000')
    """
    if ratio <= 1:
        return None
    wanted, lost = float(ratio), float(restart / stretch)  # an estimate, not money: a float will do

    def times(x: float) -> float:  # x = λc
        return (1 / x + lost) * math.expm1(x)

    low, high = 0.0, 1.0
    while times(high) < wanted:
        high *= 2
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if times(middle) < wanted else (low, middle)
    return Decimal(repr(low)) / stretch
