"""Threads (section 8 of the contract): a state, changed by each message."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from bot.question.intents import Earlier, intent_of
from bot.question.parse import Reading, build, parsed, read
from bot.question.quantities import number
from bot.question.sketch import rule
from bot.question.time import hours_of
from bot.question.vocabulary import Vocabulary
from rules.model import GpuAsk, Parsed, Question
from rules.wire import question_from_json, question_to_json

_PAIRS = (("providers", "exclude_providers"), ("plans", "exclude_plans"), ("regions", "exclude_regions"))
_REPLACED = (
    "budget", "budget_per_hour", "quoted", "purchase_price", "storage_gb", "model_params_b", "workloads", "team", "dtype",
    "host", "sort", "min_memory_gb", "total_memory_gb", "nodes",
)  # fmt: skip
_TIMES = ("hours", "gpu_hours", "hours_per_day", "_period", "_share")
_FRESH = re.compile(
    r"^\W*(?:ok(?:ay)?[,.]? |actually[,.]? |hey[,.]? |so[,.]? )*(?:(?:a |one more |another |and a )?(?:new|different|separate|unrelated|other|completely different) (?:question|topic|one|thing|request)|"
    r"start(?:ing)? (?:over|fresh|again)|from scratch|forget (?:all|everything|about all)(?: (?:of )?(?:that|this|the above))?|scratch (?:all|everything)(?: that)?|switching (?:topic|gears)s?|on (?:another|a different) note|changing (?:the )?(?:topic|subject)|reset|new topic)\b[:,.!;\s-]*|"
    r"^\W*(?:好的?[,，]?|那个?[,，]?|对了[,，]?|嗯[,，]?)*(?:另外(?:再)?问(?:一下|下|个问题|个|一个问题)?|换(?:个|一个)(?:问题|话题)|新(?:的)?问题|重新(?:来|问|开始)(?:一个|一下|过)?|另(?:外)?一个问题|再问(?:个|一个)(?:别的|其他的?|新的?|另外的?)?(?:问题)?|问(?:个|一个)(?:别的|其他的?|另外的?|新)(?:问题)?|前面的(?:都)?(?:不算|忘掉|忽略)|从头(?:来|开始)|不说这个了|还有个问题|另一件事|换个需求)[:,，。.!！;；\s]*",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"^\W*(?:(?:and|so|ok|okay|then|but|hmm|cool|thanks|right|alright|now|well|got it|great|nice|fine|yes|no|sure|嗯|哦|好|好的|那|那么|如果|要是|ok的话)[,，.\s]*)*(?:(?:what|how) (?:about|if)(?: (?:it's|it is|it was|it were|i|we|they|that's))?|what(?:'s| is) (?:it|that) (?:with|on|for))\b",
    re.IGNORECASE,
)
_FINE = re.compile(
    r"\b(?:is|are|'s|would be) (?:actually |also )?(?:fine|ok|okay|good|allowed|acceptable|possible|alright)\b|\b(?:fine|ok|okay) (?:with|after all)\b|\bafter all\b|\ballow(?:ed)?\b|\bback in\b|也可以|也行|也能用|可以了|也没问题|可以用|没问题|还是可以|也接受|可以接受|也可|都可以|算了",
    re.IGNORECASE,
)
_TIMES_WORDS = {
    "twice": 2, "double": 2, "doubled": 2, "doubling": 2, "two": 2, "triple": 3, "tripled": 3, "three": 3, "four": 4, "five": 5, "quadruple": 4, "ten": 10, "half": Decimal("0.5"),
    "halve": Decimal("0.5"), "halved": Decimal("0.5"), "翻倍": 2, "加倍": 2, "翻一倍": 2, "两倍": 2, "一倍": 2, "三倍": 3, "四倍": 4, "五倍": 5, "减半": Decimal("0.5"), "一半": Decimal("0.5"), "十倍": 10, "翻番": 2,
}  # fmt: skip
_FACTOR = r"(?P<f>twice|doubled?|doubling|two times|three times|four times|five times|ten times|tripled?|quadruple|halved?|half|\d+ ?(?:x|times)|翻倍|加倍|翻一倍|翻番|[两三四五十\d]+倍|减半|一半)"
_LONGER = re.compile(
    rf"\b{_FACTOR} (?:as long|the (?:time|duration|hours|length|runtime|period)|that long|longer)|\b(?:time|duration|hours|runtime|length) (?:is |be |gets |was )?{_FACTOR.replace('<f>', '<g>')}|(?:时间|时长|小时数|天数|周期)(?:再|要|都|如果|改成|变成)?{_FACTOR.replace('<f>', '<h>')}|{_FACTOR.replace('<f>', '<i>')}(?:的)?(?:时间|时长)",
    re.IGNORECASE,
)
_MORE = re.compile(
    rf"\b{_FACTOR} (?:as many|the (?:number of )?(?:cards|gpus|count|number|amount)|that many)|\b(?:count|cards|gpus) {_FACTOR.replace('<f>', '<g>')}|(?:卡数|数量|卡|张数|显卡数?)(?:再|要|都|如果|改成|变成)?{_FACTOR.replace('<f>', '<h>')}|{_FACTOR.replace('<f>', '<i>')}(?:的)?(?:卡|数量|显卡)",
    re.IGNORECASE,
)
_FORGET = re.compile(
    r"\b(?:forget|never ?mind|ignore|don'?t care about|no longer care about|no more|lift|skip|drop|remove|lose|without)\b (?:about )?(?:the |that |our |my |any )?(?P<x>[\w .-]+?)(?: (?:requirement|part|limit|constraint|thing|bit|restriction|filter|anymore|any more|for now|then))*(?=[,.;!?]|$| and )"
    r"|(?P<y>[\w .-]+?) (?:no longer matters?|doesn'?t matter|does not matter|don'?t matter|isn'?t (?:important|needed|required)(?: anymore)?|is (?:irrelevant|not important|no longer (?:needed|important|required|relevant))|not needed anymore|is open|is flexible)\b"
    r"|(?P<z>[^,，。;；\s]+?)(?:就|也|都|已经)?(?:无所谓|不重要|不限|没要求|没有要求|不管|不用管|随便|不作要求|不要求)(?:了|吧)?|(?:不管|不考虑|别管|忽略|不用管|不限制?|去掉|取消|不在乎|忘了|忘掉|先不管)(?P<w>[^,，。;；\s]+?)(?:了|的?要求|的?限制|吧)+",
    re.IGNORECASE,
)
_FORGET_STRICT = re.compile(r"\b(?:forget|never ?mind|ignore|care|lift)\b|matter|importan|irrelevant|needed|required|无所谓|不重要|不限|没要求|没有要求|不管|随便|别管|忽略|限制|要求|忘|不在乎", re.IGNORECASE)
_TOPICS = (  # word in what is forgotten -> slots that go
    (r"budget|预算|price limit|price cap|\bcap\b|spend", ("budget", "budget_per_hour")),
    (r"\bprice\b|价格", ("budget_per_hour", "quoted")),
    (r"region|location|country|where|地区|地域|区域|机房|位置|地点", ("regions", "exclude_regions")),
    (r"provider|cloud|vendor|platform|平台|厂商|云", ("providers", "exclude_providers")),
    (r"hours a day|daily|per day|每天", ("hours_per_day",)),
    (r"duration|how long|\btime\b|hours|length|period|时间|时长|多久|周期", ("hours", "gpu_hours", "hours_per_day", "_period", "_share")),
    (r"\bplan\b|billing|pricing model|付费方式|计费方式", ("plans", "exclude_plans")),
    (r"vram|memory|显存", ("min_memory_gb", "total_memory_gb")),
    (r"\bdata\b|egress|transfer|upload|download|数据|流量|上传|下载", ("data_gb", "data_direction")),
    (r"storage|disk|volume|ssd|存储|硬盘|云盘|磁盘", ("storage_gb",)),
    (r"model size|params|parameters|参数|模型大小", ("model_params_b",)),
    (r"workload|use case|用途", ("workloads",)),
    (r"\bteam\b|\bops\b|团队|运维", ("team",)),
    (r"quote|报价", ("quoted",)),
    (r"dtype|precision|精度", ("dtype",)),
    (r"\bsort|ordering|排序", ("sort",)),
    (r"nodes|machines|节点", ("nodes",)),
    (r"count|number of|数量|卡数", ("_count",)),
)


@dataclass(frozen=True, slots=True)
class ThreadState:
    """What a thread has said so far, with slots its present intent forbids: a later intent may allow them."""

    question: Question
    period: Decimal | None = None  # hours before daily use is applied
    share: Decimal | None = None  # share of the week

    def to_json(self) -> dict[str, Any]:
        """Plain values; ``from_json`` gives the same state back."""
        out: dict[str, Any] = {"question": question_to_json(self.question)}
        if self.period is not None:
            out["period"] = str(self.period)
        if self.share is not None:
            out["share"] = str(self.share)
        return out

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> ThreadState:
        """The state that ``to_json`` wrote. Raises ``ValueError`` when it is none."""
        question = data.get("question")
        if not isinstance(question, Mapping):
            raise ValueError("the state of the thread has no question")
        return cls(
            question_from_json(question),
            Decimal(str(data["period"])) if data.get("period") is not None else None,
            Decimal(str(data["share"])) if data.get("share") is not None else None,
        )


def parse_thread(texts: Sequence[str], vocabulary: Vocabulary) -> Parsed:
    """The merged question after the last message."""
    state: ThreadState | None = None
    answer = Parsed(Question(intent="unsupported", lang="en"))
    for text in texts:
        answer, state = merge(state, text, vocabulary)
    return answer


def merge(previous: ThreadState | None, text: str, vocabulary: Vocabulary) -> tuple[Parsed, ThreadState | None]:
    """The question after one more message, and the state to keep for the next one."""
    fresh = _FRESH.match(text)
    if fresh and previous is not None:
        previous, text = None, text[fresh.end() :] or text
    reading = read(text, vocabulary)
    if previous is None:
        question = build(reading.slots, reading.intent, reading.action, reading.lang)
        aside = reading.intent in ("unsupported", "help")
        return parsed(question, reading, vocabulary), None if aside else _state(reading.slots, reading.intent, reading.action, reading.lang)
    old = _slots(previous)
    new, lifted = _changed(old, reading)
    touched = lifted or new != old
    if reading.intent == "help" or (reading.intent == "unsupported" and (not touched or " offtopic " in reading.sketch.text)):
        if not (reading.intent == "unsupported" and _follow_up(previous, reading)):
            return parsed(Question(intent=reading.intent, lang=reading.lang), reading, vocabulary), previous
    intent, action = _intent(previous, reading, new, vocabulary)
    question = build(new, intent, action, reading.lang)
    return parsed(question, reading, vocabulary), _state(new, intent, action, reading.lang)


def _state(slots: Mapping[str, Any], intent: str, action: str | None, lang: str) -> ThreadState:
    kept = {k: v for k, v in slots.items() if not k.startswith("_") and v not in ((), None)}
    return ThreadState(Question(intent=intent, lang=lang, action=action, **kept), slots.get("_period"), slots.get("_share"))


def _slots(state: ThreadState) -> dict[str, Any]:
    from dataclasses import fields

    question = state.question
    out: dict[str, Any] = {}
    for field in fields(question):
        value = getattr(question, field.name)
        if field.name not in ("intent", "lang", "action", "clarify") and value not in ((), None):
            out[field.name] = value
    if state.period is not None:
        out["_period"] = state.period
    if state.share is not None:
        out["_share"] = state.share
    return out


# ---------------------------------------------------------------- intent


def _follow_up(previous: ThreadState, reading: Reading) -> bool:
    """Whether words that say nothing alone go on with a benchmark or a digest: "now run it"."""
    return _acts(previous.question.intent, reading) is not None


def _acts(intent: str, reading: Reading) -> str | None:
    source = reading.source
    if intent == "benchmark":
        if re.search(r"\b(?:run|rerun|start|launch|repeat|redo|kick)\b|跑一下|跑吧|再跑|重新跑|跑一遍|开始跑|跑一次|^跑", source):
            return "run"
        if re.search(r"\bshow|results?\b|scores?\b|history|how did|结果|成绩|看看|分数", source):
            return "show"
    if intent == "digest":
        if re.search(r"unsubscribe|\bstop\b|cancel|退订|取消|别发|停掉|不要发|别推|turn (?:it|that) off", source):
            return "unsubscribe"
        if re.search(r"subscribe|\bsend\b|\bevery\b|\bpost\b|\badd\b|\bdrop\b|\bremove\b|订阅|发到|推|每周|加上|去掉|也要|加个", source):
            return "subscribe"
        if re.search(r"\bshow\b|看看|看一下", source):
            return "show"
    return None


def _intent(previous: ThreadState, reading: Reading, merged: dict[str, Any], vocabulary: Vocabulary) -> tuple[str, str | None]:
    """The intent stays unless the message itself asks something else."""
    before, action = previous.question.intent, previous.question.action
    if reading.intent in ("benchmark", "digest"):
        if reading.intent == before and not re.search(r"run|show|results?|subscribe|跑|看|订|结果|stop|cancel|send|history|scores?", reading.source):
            return before, action
        return reading.intent, reading.action
    acted = _acts(before, reading)
    if acted is not None and reading.intent in ("unsupported", "price", "recommend", "compare", before):
        return before, acted
    lead = _LEAD.match(reading.source)
    bare = bool(lead) or reading.source.rstrip(" ?？!。.").endswith("呢")
    asked = intent_of(reading.sketch, reading.slots, reading.command, reading.source, vocabulary, Earlier(merged, bare))
    if asked.explicit and asked.intent not in ("unsupported", "help"):
        return asked.intent, asked.action
    return before, action


# ---------------------------------------------------------------- slots


def _changed(old: Mapping[str, Any], reading: Reading) -> tuple[dict[str, Any], bool]:
    """The slots after the message, and whether it takes something back."""
    slots = dict(old)
    said = dict(reading.slots)
    lifted, done = _forget(slots, said, reading)
    if done:
        return slots, lifted
    adds = _adds(reading)
    _merge_gpus(slots, said, reading, adds)
    _merge_lists(slots, said, reading, adds)
    _merge_time(slots, said, reading)
    for name in _REPLACED:
        if name in said:
            if name == "workloads" and adds and name in slots:
                slots[name] = _union(slots[name], said[name])
            else:
                slots[name] = said[name]
    if "data_gb" in said:
        slots["data_gb"] = said["data_gb"]
        slots.pop("data_direction", None)
        if "data_direction" in said:
            slots["data_direction"] = said["data_direction"]
    if "needs" in said:
        slots["needs"] = _union(slots.get("needs", ()), said["needs"])
    for piece in reading.sketch.of("E"):
        if piece.excluded and piece.value in slots.get("needs", ()):
            slots["needs"] = tuple(n for n in slots["needs"] if n != piece.value)
    return {k: v for k, v in slots.items() if v not in ((), None)}, lifted


def _union(old: tuple[Any, ...], new: tuple[Any, ...]) -> tuple[Any, ...]:
    return (*old, *(x for x in new if x not in old))


def _adds(reading: Reading) -> bool:
    text = reading.sketch.text
    return bool(re.search(r" (?:add|plus|vs|against) | compare (?:to|with|against|it|that|this)|and [GPLR](?: [^ ]{1,3})* (?:bi|compare|vs)|compare .*[GPLR] |bi [GPLR]", text)) or bool(
        re.search(r"compare[ds]? (?:to|with|against)|how does (?:that|it|this) compare|跟.*比|和.*比|与.*比", reading.source)
    )


def _merge_gpus(slots: dict[str, Any], said: dict[str, Any], reading: Reading, adds: bool) -> None:
    old: tuple[GpuAsk, ...] = slots.get("gpus", ())
    excluded = said.get("exclude_gpus", ())
    if excluded:
        slots["exclude_gpus"] = _union(slots.get("exclude_gpus", ()), excluded)
        slots["gpus"] = old = tuple(g for g in old if g.model not in excluded)
    new: tuple[GpuAsk, ...] = said.get("gpus", ())
    if new:
        kept = old[0].count if len(old) == 1 else slots.get("gpu_count")
        if kept is not None and all(g.count is None for g in new):
            new = tuple(replace(g, count=kept) for g in new)
        lifted = {g.model for g in new}
        slots["exclude_gpus"] = tuple(m for m in slots.get("exclude_gpus", ()) if m not in lifted)
        if adds and old:
            names = {(g.model, g.memory_gb, g.form) for g in new}
            new = (*(g for g in old if (g.model, g.memory_gb, g.form) not in names), *new)
        slots["gpus"] = new
        slots.pop("gpu_count", None)
        return
    _edit_in_place(slots, said, reading)


def _edit_in_place(slots: dict[str, Any], said: dict[str, Any], reading: Reading) -> None:
    """80G版呢, PCIe, make it 8, 单卡呢, twice as many cards."""
    gpus: tuple[GpuAsk, ...] = slots.get("gpus", ())
    forms = [str(p.value) for p in reading.sketch.of("F") if not p.excluded]
    if gpus and forms:
        gpus = tuple(replace(g, form=forms[-1]) for g in gpus)
    if gpus and "min_memory_gb" in said and not re.search(r" (?:vram|memory|atleast|card|gpu) ", reading.sketch.text):
        size = said.pop("min_memory_gb")
        gpus = tuple(replace(g, memory_gb=size) for g in gpus)
    count = said.get("gpu_count")
    if count is None:
        count = _bare_number(reading)
    more = _MORE.search(reading.source)
    if more:
        factor = _factor(more)
        gpus = tuple(replace(g, count=(g.count or Decimal(1)) * factor) for g in gpus)
        if "gpu_count" in slots:
            slots["gpu_count"] *= factor
        count = None
        said.pop("gpu_count", None)
    if count is not None:
        if gpus:
            gpus = tuple(replace(g, count=count) for g in gpus)
        elif said.get("gpu_count") is not None or "gpu_count" in slots:
            slots["gpu_count"] = count
    if gpus:
        slots["gpus"] = gpus


def _bare_number(reading: Reading) -> Decimal | None:
    """The one number of a message such as "make it 8" or "what about 16?"."""
    numbers = [p for p in reading.sketch.of("N") if p.raw]
    if len(numbers) != 1 or any(k in reading.slots for k in ("hours", "budget", "nodes", "gpu_hours", "min_memory_gb", "model_params_b", "quoted")):
        return None
    value = number(numbers[0]).value
    if value != int(value) or value <= 0:
        return None
    numbers[0].used = True
    if not rule(r"N(?: (?:instead|then|of|x|[张块台个]|吧|呢|now|please|the|those|them|的话呢?|的话 ?呢?|[?!.。？]))*(?= $)").search(reading.sketch.text):
        return None
    return value if not (number(numbers[0]).word and value == 1 and re.search(r"\bone\b", reading.source)) else None


def _factor(match: re.Match[str]) -> Decimal:
    word = next(g for g in match.groups() if g).lower()
    digits = re.match(r"\d+", word)
    if digits:
        return Decimal(digits.group())
    for key, value in _TIMES_WORDS.items():
        if word.startswith(key) or word == key:
            return Decimal(value)
    return Decimal(1)


def _merge_lists(slots: dict[str, Any], said: dict[str, Any], reading: Reading, adds: bool) -> None:
    for plus, minus in _PAIRS:
        gone = said.get(minus, ())
        if gone:
            slots[minus] = _union(slots.get(minus, ()), gone)
            slots[plus] = tuple(v for v in slots.get(plus, ()) if v not in gone)
        named = said.get(plus, ())
        if not named:
            continue
        lifted = tuple(v for v in named if v in slots.get(minus, ()) and v not in gone)
        slots[minus] = tuple(v for v in slots.get(minus, ()) if v not in lifted)
        if lifted and _FINE.search(reading.source):
            named = tuple(v for v in named if v not in lifted)
            if not named:
                continue
        slots[plus] = _union(slots.get(plus, ()), named) if adds else named


def _merge_time(slots: dict[str, Any], said: dict[str, Any], reading: Reading) -> None:
    longer = _LONGER.search(reading.source)
    if longer and slots.keys() & {"hours", "gpu_hours"}:
        factor = _factor(longer)
        for name in ("hours", "gpu_hours", "_period"):
            if name in slots:
                slots[name] = slots[name] * factor
        return
    if "gpu_hours" in said:
        for name in _TIMES:
            slots.pop(name, None)
        slots["gpu_hours"] = said["gpu_hours"]
        return
    if not said.keys() & {"hours", "hours_per_day", "_share"}:
        return
    if "hours" in said:
        slots.pop("gpu_hours", None)
    if "hours_per_day" in said:
        slots["hours_per_day"] = said["hours_per_day"]
    if "_share" in said:
        slots["_share"] = said["_share"]
    if "_period" in said:
        slots["_period"] = said["_period"]
    elif "hours" in said:
        slots.pop("_period", None)
        slots["hours"] = said["hours"]
        return
    hours = hours_of(slots.get("_period"), slots.get("hours_per_day"), slots.get("_share", Decimal(1)))
    if hours is not None:
        slots["hours"] = hours


def _forget(slots: dict[str, Any], said: dict[str, Any], reading: Reading) -> tuple[bool, bool]:
    """"forget the budget", X无所谓了: that slot goes. Whether so, and whether the message said nothing else."""
    match = _FORGET.search(reading.source)
    if match is None or not _FORGET_STRICT.search(match.group()):
        return False, False
    what = next((g for g in match.groupdict().values() if g), "")
    gone: list[str] = []
    for pattern, names in _TOPICS:
        if re.search(pattern, what):
            gone += names
            break
    else:
        for piece in reading.sketch.pieces:
            if not piece.raw or piece.raw.lower() not in what:
                continue
            slot = {"L": "plans", "R": "regions", "P": "providers", "W": "workloads", "I": "team"}.get(piece.mark)
            values = str(piece.value).split(",")
            if piece.mark == "E":
                slots["needs"] = tuple(n for n in slots.get("needs", ()) if n not in values)
                said.pop("needs", None)
                gone.append("")
            elif slot is not None:
                for name in (slot, "exclude_" + slot):
                    if name in slots:
                        slots[name] = tuple(v for v in slots[name] if v not in values)
                    said.pop(name, None)
                gone.append("")
            elif piece.mark == "G":
                slots["gpus"] = tuple(g for g in slots.get("gpus", ()) if g.model != piece.value.model)
                said.pop("gpus", None)
                said.pop("exclude_gpus", None)
                gone.append("")
    for name in gone:
        if name == "_count":
            slots.pop("gpu_count", None)
            slots["gpus"] = tuple(replace(g, count=None) for g in slots.get("gpus", ()))
        slots.pop(name, None)
        said.pop(name, None)
    if "budget" in gone or "budget_per_hour" in gone:
        said.pop("budget", None)
        said.pop("budget_per_hour", None)
    for name in [k for k, v in slots.items() if v == ()]:
        del slots[name]
    return bool(gone), bool(gone) and not (said.keys() - {"exclude_plans", "exclude_regions", "exclude_providers", "exclude_gpus"})
