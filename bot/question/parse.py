"""One message to one question: normalise, read pieces, attach, exclude, decide the intent."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from bot.question import gpus, money, negation, plans, quantities, sizes, time
from bot.question.intent import intent_of
from bot.question.lexer import Reader
from bot.question.normalise import normalise
from bot.question.sketch import Sketch
from bot.question.spelling import nearest_models
from bot.question.values import Gpu
from bot.question.vocabulary import Vocabulary
from rules.model import GpuAsk, Parsed, Question

_LISTS = {"P": ("providers", "exclude_providers"), "L": ("plans", "exclude_plans"), "R": ("regions", "exclude_regions")}
_SIMPLE = {"W": "workloads", "E": "needs", "I": "team"}


def parse(text: str, vocabulary: Vocabulary) -> Parsed:
    """The question that one message states. Never raises; pure."""
    plain = normalise(text)
    reader = Reader(plain.text, vocabulary)
    sketch = Sketch(reader.read())
    slots = read_slots(sketch, vocabulary)
    intent, action = intent_of(sketch, slots, plain.command)
    question = build(slots, intent, action, plain.lang)
    unknown = tuple((p.raw, nearest_models(p.raw, vocabulary.models)) for p in sketch.of("Z"))
    return Parsed(question, unknown_models=unknown, trace=tuple(sketch.trace))


def read_slots(sketch: Sketch, vocabulary: Vocabulary) -> dict[str, Any]:
    """Every slot of the message, before the intent forbids some."""
    slots: dict[str, Any] = {}
    quantities.read_quantities(sketch)
    gpus.attach(sketch)
    negation.correct(sketch)
    negation.exclude(sketch)
    plans.read_plans(sketch)
    counts = gpus.count(sketch)
    slots.update(counts)
    money.read_money(sketch, slots, counts)
    time.read_time(sketch, slots)
    sizes.read_sizes(sketch, slots)
    _lists(sketch, slots)
    return slots


def _lists(sketch: Sketch, slots: dict[str, Any]) -> None:
    asks: list[GpuAsk] = []
    for piece in sketch.of("G"):
        gpu: Gpu = piece.value
        piece.used = True
        if piece.excluded:
            _append(slots, "exclude_gpus", gpu.model)
            continue
        ask = GpuAsk(gpu.model, gpu.memory_gb, gpu.count, gpu.form)
        if gpu.provider:
            _append(slots, "providers", gpu.provider)
        if ask not in asks:
            asks.append(ask)
    excluded = slots.get("exclude_gpus", ())
    asks = [a for a in asks if a.model not in excluded]
    if asks:
        slots["gpus"] = tuple(a for a in asks if not _said_again(a, asks))
    for mark, (positive, negative) in _LISTS.items():
        for piece in sketch.of(mark):
            piece.used = True
            for value in str(piece.value).split(","):
                _append(slots, negative if piece.excluded else positive, value)
        if negative in slots and positive in slots:
            slots[positive] = tuple(v for v in slots[positive] if v not in slots[negative])
            if not slots[positive]:
                del slots[positive]
    for mark, slot in _SIMPLE.items():
        for piece in sketch.of(mark):
            piece.used = True
            if not piece.excluded:
                _append(slots, slot, str(piece.value))
    for piece in sketch.of("C"):
        piece.used = True
        slots["model_params_b"] = piece.value
    for piece in sketch.of("Q"):
        slots["dtype"] = piece.value
    for piece in sketch.of("S"):
        slots["sort"] = piece.value
    if "data_residency_cn" in slots.get("needs", ()):
        _append(slots, "regions", "cn")


def _said_again(ask: GpuAsk, asks: list[GpuAsk]) -> bool:
    """Whether another entry says the same with more detail."""
    return any(
        other != ask
        and other.model == ask.model
        and ask.memory_gb in (None, other.memory_gb)
        and ask.form in (None, other.form)
        and ask.count in (None, other.count)
        for other in asks
    )


def _append(slots: dict[str, Any], slot: str, value: str) -> None:
    have = slots.get(slot, ())
    if value not in have:
        slots[slot] = (*have, value)


def build(slots: dict[str, Any], intent: str, action: str | None, lang: str) -> Question:
    """The question with what section 2 allows for its intent, and ``clarify`` by section 6."""
    from bot.question.rules import allowed, must_clarify

    kept = allowed(slots, intent)
    question = Question(intent=intent, lang=lang, action=action, **kept)
    if must_clarify(intent, kept):
        question = Question(intent=intent, lang=lang, action=action, clarify=True, **kept)
    return question


def parse_thread(texts: Sequence[str], vocabulary: Vocabulary) -> Parsed:
    """The merged question after the last message."""
    return parse(texts[-1] if texts else "", vocabulary)


ZERO = Decimal(0)
