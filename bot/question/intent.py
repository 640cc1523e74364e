"""What the message asks: section 5 of the contract, as a cascade of readable tests."""

from __future__ import annotations

import re
from typing import Any

from bot.question.sketch import Sketch


def _has(text: str, *words: str) -> bool:
    return any(f" {w} " in text for w in words)


def intent_of(sketch: Sketch, slots: dict[str, Any], command: str) -> tuple[str, str | None]:
    """The intent and, with digest and benchmark, the action."""
    text = sketch.text
    hardware = any(k in slots for k in ("gpus", "min_memory_gb", "total_memory_gb"))
    if command == "gpu-bench" or _has(text, "bench"):
        show = _has(text, "results", "which") or re.search(r" (?:any|show|how) ", text)
        return "benchmark", "show" if show else "run"
    if _has(text, "digest", "unsubscribe", "subscribe") or re.search(r" moved? .*(?:price|week) ", text) and not hardware:
        if _has(text, "unsubscribe"):
            return "digest", "unsubscribe"
        if _has(text, "subscribe", "add", "not"):
            return "digest", "subscribe"
        return "digest", "show"
    if _has(text, "helpask"):
        return "help", None
    if _has(text, "awslambda"):
        return "unsupported", None
    if _has(text, "breakeven") and ("plans" in slots or _has(text, "buy") or not re.search(r"G .*(?:and|or|vs) .*G|P .*(?:and|or|vs) .*P", text)):
        return "break_even", None
    if "budget" in slots or "budget_per_hour" in slots:
        if not _has(text, "cheapest") and (_has(text, "howlong", "enough", "howmany") or re.search(r" what (?:can|could|are|s) |能 ?(?:租|run|用)|biggest|buy ", text)):
            return "budget", None
    if _has(text, "howlong") and _has(text, "budget"):
        return "budget", None
    if re.search(r" what .*budget ", text) and "budget" not in slots:
        return "budget", None
    if _has(text, "fit", "spec") or (_has(text, "enough") and ("model_params_b" in slots or hardware)):
        return "specs", None
    if re.search(r" which gpu have B | how big| 多大", text):
        return "specs", None
    if _has(text, "cheapest") or re.search(r"(?:哪家|哪里|which|who) ?(?:的)? ?cheap", text) and not _two(slots):
        return "cheapest", None
    if _has(text, "cheaper") and not _two(slots):
        return "cheapest", None
    if _two(slots) and (_has(text, "vs", "or", "compare", "difference", "cheaper", "cheap", "better", "betterdeal", "breakeven", "which", "/")):
        if not slots.get("gpus") and "plans" in slots and len(slots["plans"]) > 1 and not _has(text, "cheaper", "howmuch", "difference"):
            return "explain", None
        return "compare", None
    if _has(text, "compare"):
        return ("explain" if _has(text, "explainword") and not _two(slots) else "compare"), None
    if _has(text, "cheap"):
        return "cheapest", None
    if _has(text, "howmuch") or re.search(r" what (?:do|does|would|will|did) .*price ", text):
        return "price", None
    if _has(text, "explainword") and not (_has(text, "price") and slots.get("gpus") and "hours" in slots):
        return "explain", None
    if _has(text, "recommend", "which", "who"):
        return "recommend", None
    if _has(text, "price") or slots.get("gpus") or "gpu_hours" in slots:
        return "price", None
    if any(k in slots for k in ("workloads", "needs", "team", "min_memory_gb", "budget")):
        return "recommend", None
    return "unsupported", None


def _two(slots: dict[str, Any]) -> bool:
    return any(len(slots.get(k, ())) > 1 for k in ("gpus", "providers", "plans"))
