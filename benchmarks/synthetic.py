"""A seeded catalogue of any size, shaped like a merged feed: every GPU, plan, size and region."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from types import MappingProxyType

from rules.model import Catalog, Offer, Place, PriceLine, Rate, Source

AS_OF = date(2026, 11, 30)
NAMED_GPU, NAMED_ROWS = "A100", 400  # the asked GPU has the same number of offers whatever the size
_SHAPES = (1, 2, 4, 8)
_PLANS = ("on_demand", "on_demand", "on_demand", "spot", "spot", "reserved_1y")


def catalogue(base: Catalog, offers: int, seed: int = 7) -> Catalog:
    """``base`` with its offers replaced by ``offers`` made ones, of which ``NAMED_ROWS`` are of the named GPU."""
    rows = tuple(_offers(base, offers, random.Random(seed)))  # noqa: S311 - a repeatable table, no secret
    by_gpu: dict[str, list[Offer]] = {}
    for row in rows:
        by_gpu.setdefault(row.gpu, []).append(row)
    return replace(
        base,
        offers=rows,
        by_gpu=MappingProxyType({gpu: tuple(found) for gpu, found in by_gpu.items()}),
        by_id=MappingProxyType({row.id: row for row in rows}),
    )


def _offers(base: Catalog, count: int, dice: random.Random) -> Iterable[Offer]:
    providers = sorted(base.providers)
    gpus = sorted(set(base.gpus) - {NAMED_GPU})
    regions = sorted(base.regions)
    source = Source("feed", "Synthetic feed", "aggregator")
    for n in range(count):
        gpu = NAMED_GPU if n < NAMED_ROWS else dice.choice(gpus)
        price = Decimal(dice.randrange(20, 900)).scaleb(-2)
        looked = AS_OF - timedelta(days=dice.randrange(0, 20))
        line = PriceLine(
            looked,
            f"{price} USD/gpu-hour",
            Rate(price, "USD", "gpu-hour"),
            source,
            looked,
            Place("feed", n + 1),
            feed=True,
        )
        yield Offer(
            id=f"feed-{n}",
            provider=dice.choice(providers),
            sku=f"shape-{n}",
            gpu=gpu,
            gpus=Decimal(dice.choice(_SHAPES)),
            sold_as="machine",
            plan=dice.choice(_PLANS),
            place=Place("feed", n + 1),
            memory_gb=Decimal(80),
            form="SXM",
            regions=(dice.choice(regions),),
            prices=(line,),
            feed=True,
        )
