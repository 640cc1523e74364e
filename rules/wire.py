"""A Question as plain JSON values and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from decimal import ROUND_HALF_UP, Context, Decimal, InvalidOperation
from typing import Any

from rules.model import GpuAsk, Money, Question

_NUMBERS = frozenset(
    {
        "gpu_count", "nodes", "hours", "gpu_hours", "hours_per_day", "min_memory_gb", "total_memory_gb", "data_gb",
        "storage_gb", "model_params_b",
    }
)  # fmt: skip
_MONEY = frozenset({"budget", "budget_per_hour", "quoted", "purchase_price"})
_LISTS = frozenset(
    {
        "exclude_gpus", "providers", "exclude_providers", "plans", "exclude_plans", "regions", "exclude_regions",
        "workloads", "team", "needs",
    }
)  # fmt: skip
_SLOTS = tuple(f.name for f in fields(Question))


def number(value: Decimal, places: int = 6) -> int | float:
    """A Decimal as the JSON number it is: whole numbers as int, others rounded half up to ``places``."""
    rounded = round_half_up(value, places)
    return int(rounded) if rounded == rounded.to_integral_value() else float(rounded)


_WIDE = Context(prec=120)  # enough for any amount that a question can name
_SETTLED = Decimal("1E-18")
_PLACES = tuple(Decimal(1).scaleb(-places) for places in range(13))


def round_half_up(value: Decimal, places: int) -> Decimal:
    """``value`` at ``places`` decimals; a half that a division left a hair below itself still counts as a half."""
    return compared(value).quantize(_PLACES[places], ROUND_HALF_UP, _WIDE)


def compared(value: Decimal) -> Decimal:
    """``value`` as it is compared: the hair that a division leaves behind decides no limit, tie or dispute."""
    return value.quantize(_SETTLED, ROUND_HALF_UP, _WIDE) if value.is_finite() else value


def question_to_json(question: Question) -> dict[str, Any]:
    """The slots that are stated, in the order of ``Question``."""
    out: dict[str, Any] = {}
    for name in _SLOTS:
        value = getattr(question, name)
        if value is None or value == () or value is False:
            continue
        if name == "gpus":
            out[name] = [_gpu_to_json(gpu) for gpu in value]
        elif name in _MONEY:
            out[name] = _money_to_json(value)
        elif name in _NUMBERS:
            out[name] = number(value)
        elif name in _LISTS:
            out[name] = list(value)
        else:
            out[name] = value
    return out


def question_from_json(data: Mapping[str, Any]) -> Question:
    """The Question that an object with these slots states.

    Raises ``ValueError`` with a sentence that names the slot when the object is not one.
    """
    unknown = sorted(set(data) - set(_SLOTS))
    if unknown:
        raise ValueError(f"unknown slot {unknown[0]!r} in the question")
    values: dict[str, Any] = {}
    for name, value in data.items():
        if name == "gpus":
            values[name] = tuple(_gpu_from_json(gpu) for gpu in _a_list(name, value))
        elif name in _MONEY:
            values[name] = _money_from_json(name, value)
        elif name in _NUMBERS:
            values[name] = _a_number(name, value)
        elif name in _LISTS:
            values[name] = tuple(_a_word(name, item) for item in _a_list(name, value))
        elif name == "clarify":
            values[name] = value is True
        else:
            values[name] = _a_word(name, value)
    for name in ("intent", "lang"):
        if name not in values:
            raise ValueError(f"the question has no {name}")
    return Question(**values)


def _gpu_to_json(gpu: GpuAsk) -> dict[str, Any]:
    out: dict[str, Any] = {"model": gpu.model}
    if gpu.memory_gb is not None:
        out["memory_gb"] = number(gpu.memory_gb)
    if gpu.count is not None:
        out["count"] = number(gpu.count)
    if gpu.form is not None:
        out["form"] = gpu.form
    return out


def _money_to_json(money: Money) -> dict[str, Any]:
    out: dict[str, Any] = {"amount": number(money.amount)}
    if money.currency is not None:
        out["currency"] = money.currency
    if money.per is not None:
        out["per"] = money.per
    return out


def _gpu_from_json(data: Any) -> GpuAsk:
    if not isinstance(data, Mapping) or "model" not in data:
        raise ValueError(f"gpus: {data!r} names no model")
    unknown = sorted(set(data) - {"model", "memory_gb", "count", "form"})
    if unknown:
        raise ValueError(f"gpus: unknown key {unknown[0]!r}")
    return GpuAsk(
        model=_a_word("gpus", data["model"]),
        memory_gb=_a_number("memory_gb", data["memory_gb"]) if "memory_gb" in data else None,
        count=_a_number("count", data["count"]) if "count" in data else None,
        form=_a_word("form", data["form"]) if "form" in data else None,
    )


def _money_from_json(name: str, data: Any) -> Money:
    if not isinstance(data, Mapping) or "amount" not in data:
        raise ValueError(f"{name}: {data!r} is no amount of money")
    return Money(
        amount=_a_number(name, data["amount"]),
        currency=_a_word(name, data["currency"]) if "currency" in data else None,
        per=_a_word(name, data["per"]) if "per" in data else None,
    )


def _a_list(name: str, value: Any) -> list[Any] | tuple[Any, ...]:
    if not isinstance(value, (list, tuple)):
        raise ValueError(f"{name}: {value!r} is not a list")
    return value


def _a_word(name: str, value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise ValueError(f"{name}: {value!r} is not a word")
    return value


def _a_number(name: str, value: Any) -> Decimal:
    if isinstance(value, bool) or not isinstance(value, (int, float, Decimal, str)):
        raise ValueError(f"{name}: {value!r} is not a number")
    try:
        result = Decimal(str(value))
    except InvalidOperation:
        raise ValueError(f"{name}: {value!r} is not a number") from None
    if not result.is_finite() or result <= 0:
        raise ValueError(f"{name}: {value!r} is not a positive number")
    return result
