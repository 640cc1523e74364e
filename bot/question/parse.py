"""One message to one question: normalise, read pieces, attach, exclude, decide the intent."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from bot.question import gpus, money, needs, negation, places, plans, providers, quantities, sizes, time
from bot.question.host import find_host
from bot.question.intents import intent_of
from bot.question.lexer import Reader
from bot.question.normalise import normalise
from bot.question.rules import allowed, must_clarify
from bot.question.sketch import Sketch, rule
from bot.question.spelling import nearest_models
from bot.question.trace import trace
from bot.question.unread import leftovers
from bot.question.values import Gpu
from bot.question.vocabulary import Vocabulary
from rules.model import GpuAsk, Leftover, Parsed, Question

_LISTS = {"P": ("providers", "exclude_providers"), "L": ("plans", "exclude_plans"), "R": ("regions", "exclude_regions")}
_SIMPLE = {"W": "workloads", "E": "needs", "I": "team"}
_SINGLE = {"C": "model_params_b", "Q": "dtype"}


class Reading(NamedTuple):
    """One message read alone: its slots before the intent forbids some, its sketch for threads."""

    slots: dict[str, Any]
    intent: str
    action: str | None
    lang: str
    sketch: Sketch
    source: str
    unknown_models: tuple[tuple[str, tuple[str, ...]], ...]
    command: str


def parse(text: str, vocabulary: Vocabulary) -> Parsed:
    """The question that one message states. Pure; no text raises."""
    reading = read(text, vocabulary)
    question = build(reading.slots, reading.intent, reading.action, reading.lang)
    return parsed(question, reading, vocabulary)


def parsed(question: Question, reading: Reading, vocabulary: Vocabulary) -> Parsed:
    """The question with what was left over; an answer without numbers leaves words over on purpose."""
    if question.intent in ("unsupported", "help"):
        return Parsed(question)
    unread = leftovers(reading.sketch.pieces, vocabulary, host_asked=question.intent != "specs")
    if question.intent in ("explain", "digest", "benchmark"):
        unread = tuple(u for u in unread if _stays(u, vocabulary))
    return Parsed(question, unread, reading.unknown_models, trace(reading.sketch.pieces, question))


def _stays(item: Leftover, vocabulary: Vocabulary) -> bool:
    """Whether it is said beside an answer without numbers: not the term that is explained."""
    topic = vocabulary.topics is not None and vocabulary.topics.fullmatch(item.text.casefold())
    return (item.strong or any(c.isdigit() for c in item.text)) and not topic


def read(text: str, vocabulary: Vocabulary, benching: bool = False) -> Reading:
    """Read one message; of its thread only whether that is about a benchmark."""
    plain = normalise(text)
    host, words = find_host(plain.text, plain.command, lambda word: _is_named(word, vocabulary), benching)
    reader = Reader(words, vocabulary)
    sketch = Sketch(reader.read())
    sketch.steps += reader.steps
    slots = read_slots(sketch, vocabulary)
    if host is not None:
        slots["host"] = host
    source = words.lower()
    intent, action, _ = intent_of(sketch, slots, plain.command, source, vocabulary)
    unknown = tuple((p.raw, nearest_models(p.raw, vocabulary.models)) for p in sketch.of("Z"))
    return Reading(slots, intent, action, plain.lang, sketch, source, unknown, plain.command)


def _is_named(word: str, vocabulary: Vocabulary) -> bool:
    """Whether a word is vocabulary (a model, a dtype, a provider) and so no host."""
    low = word.lower()
    if low in vocabulary.known or low in vocabulary.filler:
        return True
    pieces = [p for p in Reader(word, vocabulary).read() if p.mark != "-"]
    marks = [p.mark for p in pieces]
    text = " ".join(marks)
    if re.fullmatch(
        r"(?:G|Q|F|P|R|L|W|E|S|Z|U|x|gpu|gpus|bench|N gb|N x|(?<=G )N)(?: (?:G|Q|F|P|R|L"
        r"|W|E|S|Z|U|x|gpu|bench|N gb|N x|N hour))*",
        text,
    ):
        return True
    return bool(marks) and pieces[0].raw.lower() in vocabulary.ai_models


def read_slots(sketch: Sketch, vocabulary: Vocabulary) -> dict[str, Any]:
    """Every slot of the message, before the intent forbids some."""
    slots: dict[str, Any] = {}
    quantities.read_quantities(sketch, vocabulary.mixtures)
    needs.read_needs(sketch, vocabulary.ai_model_pattern)
    places.read_places(sketch)
    gpus.attach(sketch)
    negation.correct(sketch)
    negation.exclude(sketch)
    plans.read_plans(sketch)
    for piece in sketch.of("S"):
        slots["sort"] = piece.value
    time.read_gpu_hours(sketch, slots)
    counts = gpus.count(sketch)
    slots.update(counts)
    money.read_money(sketch, slots, counts)
    time.read_time(sketch, slots)
    sizes.read_sizes(sketch, slots)
    _sort_by_unit(sketch, slots)
    providers.get_away(sketch, slots)
    read_lists(sketch, slots)
    return {name: value for name, value in slots.items() if value != ()}


_PER_GPU_HOUR = rule(
    r"pergpuhour|(?:per|/|by|按|每|a|每个) (?:each )?gpuhour|gpuhour (?:的? ?(?:price|单价)|cost"
    r"|basis)|(?:price|cheapest) (?:of a |for a )?gpuhour|each perhour|perhour each"
    r"|normali[sz]ed (?:to|by|per) gpuhour|gpuhour 计|gpuhour 算"
)


_LESS = r"(?:更 ?|会 ?|要 ?|能 ?|比较 ?)*(?:cheapest|cheaper|cheap|低|少|省)"
_LEAST_TOTAL = rule(  # 谁总成本更低, 总价哪家最低
    rf"which (?:的 ?|家 ?)*total (?:price|价) ?{_LESS}|total (?:price|价) ?(?:是 ?|上 ?|看 ?)?which (?:家 ?)?{_LESS}"
    r"|total price ?(?:是 ?|要 ?)?(?:cheapest|最 ?[低省少])"
)


def _sort_by_unit(sketch: Sketch, slots: dict[str, Any]) -> None:
    """Per GPU-hour as the order or the unit of the answer; limits and quoted prices have taken theirs."""
    if "sort" not in slots and sketch.has(_PER_GPU_HOUR):
        slots["sort"] = "per_gpu_hour"
    elif "sort" not in slots and " total " in sketch.text and sketch.has(_LEAST_TOTAL):
        slots["sort"] = "total"


def read_lists(sketch: Sketch, slots: dict[str, Any]) -> None:
    """Names to lists: accelerators, providers, plans, regions, workloads, needs, team, and the single ones."""
    _read_gpus(sketch, slots)
    for mark, (plus, minus) in _LISTS.items():
        for piece in sketch.of(mark):
            piece.used = True
            for value in str(piece.value).split(","):
                _append(slots, minus if piece.excluded else plus, value)
        if minus in slots and plus in slots:
            slots[plus] = tuple(v for v in slots[plus] if v not in slots[minus])
    for mark, slot in (*_SIMPLE.items(), *_SINGLE.items()):
        for piece in sketch.of(mark):
            piece.used = True
            if piece.excluded:
                continue
            if mark in _SINGLE:
                slots.setdefault(slot, piece.value)
            else:
                _append(slots, slot, str(piece.value))
    if "data_residency_cn" in slots.get("needs", ()):
        _append(slots, "regions", "cn")


def _read_gpus(sketch: Sketch, slots: dict[str, Any]) -> None:
    """One entry for each distinct model, memory and form that is not ruled out."""
    asks: list[GpuAsk] = []
    for piece in sketch.of("G"):
        gpu: Gpu = piece.value
        piece.used = True
        if piece.excluded:
            _append(slots, "exclude_gpus", gpu.model)
            continue
        if gpu.provider:
            _append(slots, "providers", gpu.provider)
        ask = GpuAsk(gpu.model, gpu.memory_gb, gpu.count, gpu.form)
        if ask not in asks:
            asks.append(ask)
    excluded = slots.get("exclude_gpus", ())
    slots["gpus"] = tuple(a for a in _merge(asks) if a.model not in excluded)


def _merge(asks: list[GpuAsk]) -> list[GpuAsk]:
    """A thing said twice is one thing: an entry that another one says with more detail goes."""
    out: list[GpuAsk] = []
    for i, ask in enumerate(asks):
        richer = any(
            j != i and other.model == ask.model and ask.memory_gb in (None, other.memory_gb)
            and ask.form in (None, other.form) and ask.count in (None, other.count) and (other != ask)
            for j, other in enumerate(asks)
        )  # fmt: skip
        if not richer:
            out.append(ask)
    return out


def _append(slots: dict[str, Any], slot: str, value: str) -> None:
    have = slots.get(slot, ())
    if value not in have:
        slots[slot] = (*have, value)


def build(slots: Mapping[str, Any], intent: str, action: str | None, lang: str) -> Question:
    """The question with the slots that may stand beside its intent, and ``clarify`` when too few of them do."""
    kept = allowed(slots, intent)
    return Question(intent=intent, lang=lang, action=action, clarify=must_clarify(intent, kept), **kept)
