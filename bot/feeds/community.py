"""A price that a colleague quotes, kept as what it is: reported by a person, at a time, in a place."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from bot.feeds.intake import FeedError
from bot.store import Database
from bot.store.observed import Imported, Observation
from rules.model import PRICE_UNITS, Catalog, Money, Offer, Parsed, Question

_AMOUNT = re.compile(r"(?<![\w.])([$¥￥]?)(\d+(?:\.\d+)?)(?![\w.]|\s*(?:GB|G|张|块|卡|x|×)\b)", re.IGNORECASE)
_DECIMAL = re.compile(r"(?<![\w.])([$¥￥]?)(\d+\.\d+)(?!\d|\s*GB?\b)", re.IGNORECASE)
_SIGNS = {"$": "USD", "¥": "CNY", "￥": "CNY"}
_UNITS = {None: "gpu-hour", "gpu": "gpu-hour", "hour": "gpu-hour", "month": "gpu-month"}


@dataclass(frozen=True, slots=True)
class Reported:
    """One offer at one price as somebody said it. ``who`` and ``where`` are shown as they are."""

    provider: str
    gpu: str
    amount: Decimal
    currency: str
    unit: str
    who: str
    where: str
    when: datetime
    plan: str = "on_demand"
    sku: str | None = None
    gpus: Decimal = Decimal(1)
    memory_gb: Decimal | None = None
    form: str | None = None


def reported(parsed: Parsed, catalog: Catalog, who: str, where: str, when: datetime) -> Reported:
    """The report that a message such as "AutoDL 4090 now 1.98" makes, from its reading.

    An amount without a currency is in the one in which the provider's prices are known. Raises ``FeedError`` when
    provider, GPU or amount is missing, or there are several.
    """
    question = parsed.question
    money = _money(parsed)
    if len(question.providers) != 1 or len(question.gpus) != 1 or money is None:
        raise FeedError("feed.no_quote")
    provider, asked = question.providers[0], question.gpus[0]
    plan = question.plans[0] if question.plans else "on_demand"
    unit = money.per if money.per in PRICE_UNITS else _UNITS.get(money.per)
    if unit is None or money.amount <= 0:
        raise FeedError("feed.no_quote")
    home = _offer(catalog, question, plan)
    currency = money.currency or _currency(catalog, provider)
    return Reported(
        provider, asked.model, money.amount, currency, unit, who, where, when, plan,
        sku=home.sku if home else None,
        gpus=home.gpus if home else asked.count or Decimal(1),
        memory_gb=asked.memory_gb or (home.memory_gb if home else None),
        form=asked.form or (home.form if home else None),
    )  # fmt: skip


def _money(parsed: Parsed) -> Money | None:
    """The amount that a message names: as it was read, or else the one number that nothing else used."""
    question = parsed.question
    read = question.quoted or question.budget_per_hour or question.budget
    if read is not None:
        return read
    left = [match for piece in parsed.unread for match in _AMOUNT.finditer(piece.text)]
    found = left or list(_DECIMAL.finditer(parsed.text))
    if len(found) != 1:
        return None
    return Money(Decimal(found[0][2]), _SIGNS.get(found[0][1]))


def _offer(catalog: Catalog, question: Question, plan: str) -> Offer | None:
    """The one offer of the folder that the words fit."""
    asked = question.gpus[0]
    found = [
        offer
        for offer in catalog.by_gpu.get(asked.model, ())
        if offer.provider == question.providers[0]
        and offer.plan == plan
        and asked.memory_gb in (None, offer.memory_gb)
        and asked.form in (None, offer.form)
    ]
    return found[0] if len(found) == 1 else None


def _currency(catalog: Catalog, provider: str) -> str:
    lines = (line for offer in catalog.offers if offer.provider == provider for line in offer.prices)
    used = Counter(line.rate.currency for line in lines if line.rate is not None and line.rate.currency)
    return max(used, key=lambda code: (used[code], code), default="USD")


def save(database: Database, report: Reported, team_id: str, now: datetime) -> Imported:
    """Keep a report among the prices of a workspace. A later one about the same offer takes its place."""
    from bot.store import prices as store

    facts = {
        "sku": report.sku or report.gpu, "plan": report.plan, "gpus": f"{report.gpus.normalize():f}",
        "title": f"{report.who}, {report.where}", "kind": "community",
    }  # fmt: skip
    if report.memory_gb is not None:
        facts["memory_gb"] = f"{report.memory_gb.normalize():f}"
    if report.form is not None:
        facts["form"] = report.form
    key = "|".join([report.provider, report.gpu, str(facts["sku"]), report.plan])
    row = Observation(key, report.provider, report.gpu, facts, report.amount, report.currency, report.unit)
    return store.import_snapshot(database, f"community/{key}", [row], seen=report.when, now=now, team_id=team_id)
