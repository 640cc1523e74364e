"""The answer as the one JSON object that everything a person sees can be rendered from.

Amounts go to cents, rates, hours and ratios to six decimals, rounded half up once, here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from bot.render import figures
from bot.render.ask_back import ask_block
from bot.render.change_lines import change_text
from bot.render.headline import headline
from bot.render.notes import assumption_text, condition_text, conflict_why, rule_text
from bot.render.phrases import unread
from bot.render.second_line import also
from rules.model import (
    Access,
    Alternative,
    Answer,
    Conflict,
    CurrencyRate,
    Expected,
    Fired,
    LeftOut,
    Line,
    Offer,
    PriceLine,
    Quote,
    Rate,
    SourceUse,
    Split,
    Text,
    source_keys,
)
from rules.wire import number, question_to_json

CENTS = 2
PARTS = (
    "break_even", "budget", "fit", "comparison", "facts", "guidance", "quoted", "changes", "spot_break_even", "nearest",
    "unlocks", "history", "digest",
)  # fmt: skip


def answer_json(answer: Answer, lang: str | None = None) -> dict[str, Any]:
    """The object in ``lang`` (default: the question's); keys stand in a fixed order."""
    lang = lang or answer.question.lang
    out: dict[str, Any] = {
        "question": question_to_json(answer.question),
        "status": answer.status,
        "as_of": answer.as_of.isoformat(),
        "snapshot": {
            "id": answer.snapshot.id,
            "knowledge": answer.snapshot.knowledge,
            "feeds": answer.snapshot.feeds,
            "currencies": answer.snapshot.currencies,
        },
        "freshness": {
            "recent": answer.freshness.recent,
            "total": answer.freshness.total,
            "oldest_days": answer.freshness.oldest_days,
        },
        "headline": headline(answer, lang),
        "also": also(answer, lang),
        "unread": unread(answer),
        "assumptions": [
            {"key": one.key, "value": one.value, "text": assumption_text(one, lang)} for one in answer.assumptions
        ],
        "quotes": [_quote(quote, answer) for quote in answer.quotes],
        "alternatives": [_alternative(one, answer, lang) for one in answer.alternatives],
        "left_out": [_left_out(row) for row in answer.left_out],
        "reasons": [_reason(fired, lang) for fired in answer.reasons],
        "conflicts": [_conflict(conflict, lang) for conflict in answer.conflicts],
    }
    for name in PARTS:
        if name in answer.parts:
            out[name] = _part(answer, name, lang)
    if answer.contradictions:
        out["contradictions"] = [
            {"excludes": one, "prefers": two, "offer": offer} for one, two, offer in answer.contradictions
        ]
    if answer.display_rate:
        out["shown_in"] = {
            "currency": answer.display_currency,
            "rates": [_currency_rate(rate) for rate in answer.display_rate],
        }
    out["sources"] = [_source(use) for use in answer.sources]
    if answer.status == "clarify":
        text, answers = ask_block(answer, lang)
        out["ask"] = {"text": text, "answers": list(answers)}
    return out


# ---------------------------------------------------------------- quotes


def _quote(quote: Quote, answer: Answer) -> dict[str, Any]:
    offer = quote.offer
    out: dict[str, Any] = {}
    if quote.rank is not None:
        out["rank"] = quote.rank
    if offer is not None:
        out["offer"] = offer.id
    out["provider"] = quote.provider
    if offer is not None:
        out |= _shape(offer)
    out |= {
        "machines": quote.machines,
        "gpus_paid": number(quote.gpus_paid),
        "gpus_asked": number(quote.gpus_asked),
        "idle_gpus": number(quote.idle_gpus),
        "plan": offer.plan if offer is not None else None,
        "region": quote.region,
    }
    if quote.used is not None and quote.used.line.rate is not None:
        out["rate"] = _rate(quote.used.line.rate)
    out |= {
        "usd_per_gpu_hour": _number(quote.usd_per_gpu_hour),
        "hours": _number(quote.hours),
        "billed_hours": _number(quote.billed_hours),
        "lines": [_line(line) for line in quote.lines],
    }
    if quote.total_usd is not None:
        out["total_usd"] = number(quote.total_usd, CENTS)
        out |= _shown(quote.total_usd, answer)
    out["usd_per_hour"] = _number(quote.usd_per_hour)
    if quote.used is not None:
        out["price_line"] = price_line(quote.used.line)
    out |= {
        "sources": quote_keys(quote),
        "age_days": quote.age_days,
        "stale": quote.stale,
        "cautions": list(quote.cautions),
        "access": _access(quote.access),
    }
    return out | _rare(quote)


def _shape(offer: Offer) -> dict[str, Any]:
    return {
        "sku": offer.sku,
        "gpu": offer.gpu,
        "gpu_memory_gb": _number(offer.memory_gb),
        "form": offer.form,
        "gpus_per_machine": number(offer.machine_gpus),
    }


def _shown(usd: Decimal, answer: Answer) -> dict[str, Any]:
    """The total in the currency that is shown beside USD."""
    currency = answer.display_currency
    if currency in (None, "USD") or not answer.display_rate:
        return {}
    return {
        "total_shown": {"amount": number(figures.convert(usd, answer.display_rate), CENTS), "currency": currency},
    }


def _rare(quote: Quote) -> dict[str, Any]:
    """What only some quotes have."""
    out: dict[str, Any] = {}
    if quote.verified_tflops is not None:
        out["verified_tflops"] = plain(quote.verified_tflops, "en")
    if quote.split is not None:
        out["split"] = _split(quote.split)
    if quote.expected is not None:
        out["expected"] = _expected(quote.expected)
    if quote.if_held is not None:
        out["if_held"] = {"hours": number(quote.if_held["hours"]), "usd": number(quote.if_held["usd"], CENTS)}
    return out


def _split(split: Split) -> dict[str, Any]:
    return {"offer": split.offer, "machines": split.machines, "total_usd": number(split.total_usd, CENTS)}


def _expected(expected: Expected) -> dict[str, Any]:
    return {
        "hours": number(expected.hours),
        "usd": number(expected.usd, CENTS),
        "basis": plain(expected.basis, "en"),
    }


def _line(line: Line) -> dict[str, Any]:
    out: dict[str, Any] = {
        "item": line.item,
        "quantity": _number(line.quantity),
        "unit": line.unit,
        "rate": None if line.rate is None else _rate(line.rate),
        "amount_usd": None if line.amount_usd is None else number(line.amount_usd, CENTS),
        "formula": str(line.formula),
    }
    if line.what is not None:
        out["what"] = {"en": line.what.en, "zh": line.what.zh}
    if line.used is not None:
        out["price_line"] = price_line(line.used.line)
    return out


def _rate(rate: Rate) -> dict[str, Any]:
    return {"amount": number(rate.amount), "currency": rate.currency, "per": rate.unit}


def _access(access: Access) -> dict[str, Any]:
    out: dict[str, Any] = {"how": access.how, "stock": access.stock}
    if access.seen is not None:
        out["seen"] = access.seen.isoformat()
    if access.url is not None:
        out["url"] = access.url
    return out


def price_line(line: PriceLine) -> str:
    """Where the price was written: ``file:line`` of the knowledge folder, or the feed and its date."""
    return f"{line.source.key} {line.seen.isoformat()}" if line.feed else str(line.place)


def quote_keys(quote: Quote) -> list[str]:
    """The sources of every line and exchange rate of a quote, each once, as they stand under ``sources``."""
    keys = [f"{quote.provider}/{line.used.line.source.key}" for line in quote.lines if line.used is not None]
    keys += [rate_key(rate) for rate in quote.currency_rates]
    return list(dict.fromkeys(keys))


def _currency_rate(rate: CurrencyRate) -> dict[str, Any]:
    return {
        "pair": f"{rate.base}/{rate.quote}",
        "rate": number(rate.rate),
        "from": rate.start.isoformat(),
        "source": rate.source.title,
        "seen": rate.seen.isoformat(),
    }


def rate_key(rate: CurrencyRate) -> str:
    return f"rate/{rate.base}-{rate.quote}"


def _alternative(alternative: Alternative, answer: Answer, lang: str) -> dict[str, Any]:
    return _quote(alternative.quote, answer) | {"condition": condition_text(alternative.condition, lang)}


# ---------------------------------------------------------------- the rest of the answer


def _left_out(row: LeftOut) -> dict[str, Any]:
    offer = row.offer
    out: dict[str, Any] = {
        "offer": None if offer is None else offer.id,
        "provider": row.provider,
        "sku": None if offer is None else offer.sku,
        "plan": row.plan if row.plan is not None or offer is None else offer.plan,
        "reason": row.reason,
    }
    if row.rule is not None:
        out["rule"] = row.rule
    if row.count is not None:
        out["count"] = row.count
    return out


def _reason(fired: Fired, lang: str) -> dict[str, Any]:
    out: dict[str, Any] = {
        "rule": fired.rule.id,
        "effect": fired.rule.effect,
        "text": rule_text(fired, lang),
        "sources": source_keys(fired.rule.id, fired.rule.sources),
    }
    if fired.offers:
        out["offers"] = list(fired.offers)
    return out


def _conflict(conflict: Conflict, lang: str) -> dict[str, Any]:
    return {
        "offer": conflict.offer.id,
        "provider": conflict.offer.provider,
        "sku": conflict.offer.sku,
        "plan": conflict.offer.plan,
        "used": conflict.used.says,
        "used_source": conflict.used.source.key,
        "others": [
            {"says": line.says, "source": line.source.key, "seen": line.seen.isoformat()} for line in conflict.others
        ],
        "why": conflict_why(conflict, lang),
    }


def _source(use: SourceUse) -> dict[str, Any]:
    out: dict[str, Any] = {"key": use.key, "title": use.source.title}
    if use.source.url is not None:
        out["url"] = use.source.url
    return out | {
        "kind": use.source.kind,
        "seen": None if use.seen is None else use.seen.isoformat(),
        "checked": None if use.checked is None else use.checked.isoformat(),
        "age_days": use.age_days,
        "stale": use.stale,
    }


# ---------------------------------------------------------------- plain values


def plain(value: Any, lang: str, key: str = "") -> Any:
    """Any part of an answer as JSON values: texts in ``lang``, dates as ISO, decimals by the name of their key."""
    if isinstance(value, Decimal):
        return number(value, CENTS if _is_amount(key) else 6)
    if isinstance(value, Text):
        return value.say(lang)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {str(name): plain(item, lang, key if name == "value" else str(name)) for name, item in value.items()}
    if isinstance(value, (set, frozenset)):
        return sorted(plain(item, lang, key) for item in value)
    if isinstance(value, (list, tuple)):
        return [plain(item, lang, key) for item in value]
    if value is None or isinstance(value, (str, int, float)):
        return value
    return _record(value, lang)


def _part(answer: Answer, name: str, lang: str) -> Any:
    part = answer.parts[name]
    if name == "comparison":
        return _comparison(part, lang)
    if name == "changes":
        return [{**plain(row, lang), "text": change_text(answer, row, lang)} for row in part]
    return plain(part, lang)


def _comparison(part: Any, lang: str) -> Any:
    """The table side by side; only its row of totals holds amounts."""
    out = plain(part, lang)
    for row, shown in zip(part.get("rows", ()), out.get("rows", ()), strict=True):
        if row.get("row") == "total":
            shown["cells"] = [plain(cell, lang, "total_usd") for cell in row["cells"]]
    return out


def _is_amount(key: str) -> bool:
    return key == "usd" or key.endswith("_usd")


def _record(value: Any, lang: str) -> dict[str, Any]:
    """A frozen record by its fields; what it does not state is left out."""
    names: Iterable[str] = getattr(value, "__dataclass_fields__", ())
    pairs: Sequence[tuple[str, Any]] = [(name, getattr(value, name)) for name in names]
    return {name: plain(item, lang, name) for name, item in pairs if item is not None and item != ()}


def _number(value: Decimal | None) -> int | float | None:
    return None if value is None else number(value)
