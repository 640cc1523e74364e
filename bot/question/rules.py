"""What an intent may carry, and when the bot must ask back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_HARDWARE = ("gpus", "min_memory_gb", "total_memory_gb", "model_params_b")


_COUNTS = ("nodes", "hours", "gpu_hours", "hours_per_day", "gpu_count")  # none of them is rented by the zero


def allowed(slots: Mapping[str, Any], intent: str) -> dict[str, Any]:
    """The slots that may stand beside this intent."""
    if intent in ("unsupported", "help"):
        return {}
    forbidden: set[str] = set()
    if intent == "digest":
        forbidden |= {"hours", "hours_per_day", "gpu_hours"}
    if intent in ("explain", "specs"):
        forbidden |= {"needs", "sort"}
    if intent != "benchmark":
        forbidden.add("host")
    kept = {k: v for k, v in slots.items() if k not in forbidden and v not in ((), None) and not k.startswith("_")}
    kept = {k: v for k, v in kept.items() if not (k in _COUNTS and v == 0)}
    if "gpus" in kept:
        kept.pop("gpu_count", None)
    if "data_gb" not in kept:
        kept.pop("data_direction", None)
    return kept


def must_clarify(intent: str, slots: Mapping[str, Any]) -> bool:
    """Whether the bot must ask back: nothing says which hardware, which limit, or what to compare."""

    def none(*names: str) -> bool:
        return not any(n in slots for n in names)

    if intent in ("cheapest", "price"):
        return none(*_HARDWARE, "data_gb", "storage_gb")
    if intent == "specs":
        return none(*_HARDWARE)
    if intent == "break_even":
        return none(*_HARDWARE, "plans")
    if intent == "budget":
        return none("budget", "budget_per_hour")
    if intent == "recommend":
        return not {k for k, v in slots.items() if not (k == "gpu_count" and v == 1)}
    if intent == "compare":
        return sum(len(slots.get(n, ())) for n in ("gpus", "providers", "plans", "regions")) < 2
    return False
