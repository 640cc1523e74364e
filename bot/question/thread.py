"""Threads: a state, changed by each message."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from decimal import Decimal
from typing import Any

from bot.question.changes import changed
from bot.question.forget import takes_back_only
from bot.question.intents import Earlier, intent_of
from bot.question.intents.digest import NO_MORE
from bot.question.intents.offers import IS_IT_GOOD
from bot.question.parse import Reading, build, parsed, read
from bot.question.rules import must_clarify
from bot.question.vocabulary import Vocabulary
from rules.model import Parsed, Question
from rules.wire import question_from_json, question_to_json

_FRESH = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|actually|hey|so)[,.]? )*(?:"
    r"(?:a |one more |another |and a )?(?:new|different|separate|unrelated|other|completely different) "
    r"(?:question|topic|one|thing|request)"
    r"|start(?:ing)? (?:over|fresh|again)|from scratch"
    r"|forget (?:all|everything|about all)(?: (?:of )?(?:that|this|the above))?"
    r"|scratch (?:all|everything)(?: that)?|switching (?:topic|gears)s?|on (?:another|a different) note"
    r"|changing (?:the )?(?:topic|subject)|reset|new topic)\b[:,.!;\s-]*"
    r"|^\W*(?:(?:好的?|那个?|对了|嗯)[,，]?)*(?:另外(?:再)?问(?:一下|下|个问题|个|一个问题)?|换(?:个|一个)(?:问题|话题)"
    r"|新(?:的)?问题|重新(?:来|问|开始)(?:一个|一下|过)?|另(?:外)?一个问题|再问(?:个|一个)(?:别的|其他的?|新的?|另外的?)?(?:问题)?"
    r"|问(?:个|一个)(?:别的|其他的?|另外的?|新)(?:问题)?|前面的(?:都)?(?:不算|忘掉|忽略)|从头(?:来|开始)"
    r"|不说这个了|还有个问题|另一件事|换个需求)[:,，。.!！;；\s]*",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"^\W*(?:(?:and|so|ok|okay|then|but|hmm|cool|thanks|right|alright|now|well|got it|great|nice|fine|yes|no|sure"
    r"|嗯|哦|好|好的|那|那么|如果|要是|ok的话)[,，.\s]*)*"
    r"(?:(?:what|how) (?:about|if)(?: (?:it's|it is|it was|it were|i|we|they|that's))?"
    r"|what(?:'s| is) (?:it|that) (?:with|on|for))\b"
)
_RUN = re.compile(r"\b(?:run|rerun|start|launch|repeat|redo|kick)\b|跑一下|跑吧|再跑|重新跑|跑一遍|开始跑|跑一次|^跑")
_SHOW = re.compile(r"\bshow|results?\b|scores?\b|history|how did|结果|成绩|看看|分数")
_STOP = re.compile(
    r"unsubscribe|\bstop\b|cancel|退订|取消|停掉|停了|关掉|(?:别|不要|不用|不再|不必|不想)再?(?:发|推|收)"
    r"|turn (?:it|that) off|no more"
)
_SIGN_UP = re.compile(
    r"subscribe|\bsend\b|\bevery\b|\bpost\b|\badd\b|\bdrop\b|\bremove\b|订阅|发到|推|from now on|going forward"
    r"|每周|加上|去掉|也要|加个"
)
_OF_THEM = re.compile(  # what's the difference? of the two that were named
    r"^ (?:(?:mean|so|and|ok|but|what|whats|is|the|big|main|real|how|有什么|有啥|具体|它们|两个|这两个|之间|的|,) ?)*"
    r"(?:difference|better|bestof) ?(?:(?:then|between|them|the|two|these|both|of|here|呢|吗|啊|呀|了) ?)*[?!. ]*$"
)
_LOOK = re.compile(r"\bshow\b|看看|看一下")
_ACTS = re.compile(
    r"发到|[每按]周|推送|定期|run|show|results?|subscribe|跑|看|订|结果|stop|cancel|send|history|scores?"
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
        for name in ("period", "share"):
            value = getattr(self, name)
            if value is not None:
                out[name] = str(value)
        return out

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> ThreadState:
        """The state that ``to_json`` wrote. Raises ``ValueError`` when it is none."""
        question = data.get("question")
        if not isinstance(question, Mapping):
            raise ValueError("the state of the thread has no question")
        numbers = {n: Decimal(str(data[n])) for n in ("period", "share") if data.get(n) is not None}
        return cls(question_from_json(question), **numbers)


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
    reading = read(text, vocabulary, previous is not None and previous.question.intent == "benchmark")
    if previous is None:
        question = build(reading.slots, reading.intent, reading.action, reading.lang)
        state = _state(reading.slots, reading.intent, reading.action, reading.lang)
        return parsed(question, reading, vocabulary), None if reading.intent in ("unsupported", "help") else state
    slots, takes_back = changed(_slots(previous), reading)
    if _stands_alone(reading, takes_back or slots != _slots(previous), previous):
        return parsed(Question(intent=reading.intent, lang=reading.lang), reading, vocabulary), previous
    if takes_back and takes_back_only(reading.source):
        intent, action = previous.question.intent, previous.question.action
    else:
        intent, action = _intent(previous, reading, slots, vocabulary)
    if intent in ("explain", "specs") and "needs" in reading.slots:
        slots["needs"] = previous.question.needs  # "does it have NVLink?": the topic, no requirement
    question = build(slots, intent, action, reading.lang)
    return parsed(question, reading, vocabulary), _state(slots, intent, action, reading.lang)


def _stands_alone(reading: Reading, touched: bool, previous: ThreadState) -> bool:
    """help and small talk are answered alone; a fragment that changes a slot is neither."""
    if reading.intent == "help":
        return True
    if reading.intent != "unsupported" or _acts(previous.question.intent, reading) is not None:
        return False
    if _OF_THEM.match(reading.sketch.text) and must_clarify("compare", _slots(previous)) is False:
        return False
    if "quoted" in _slots(previous) and IS_IT_GOOD.search(reading.source):
        return False
    return not touched or any(f" {mark} " in reading.sketch.text for mark in ("offtopic", "office", "gaming"))


def _state(slots: Mapping[str, Any], intent: str, action: str | None, lang: str) -> ThreadState:
    kept = {k: v for k, v in slots.items() if not k.startswith("_") and v not in ((), None)}
    question = Question(intent=intent, lang=lang, action=action, **kept)
    return ThreadState(question, slots.get("_period"), slots.get("_share"))


def _slots(state: ThreadState) -> dict[str, Any]:
    out: dict[str, Any] = {"_period": state.period, "_share": state.share}
    for field in fields(state.question):
        if field.name not in ("intent", "lang", "action", "clarify"):
            out[field.name] = getattr(state.question, field.name)
    return {k: v for k, v in out.items() if v not in ((), None)}


# ---------------------------------------------------------------- intent


def _acts(intent: str, reading: Reading) -> str | None:
    """What a message does with the benchmark or digest of its thread: "now run it", "stop that"."""
    if intent == "digest" and any(name.startswith("exclude_") for name in reading.slots):
        return "subscribe"  # 以后别带P100: its content changes
    tests = {
        "benchmark": ((_RUN, "run"), (_SHOW, "show")),
        "digest": ((_STOP, "unsubscribe"), (NO_MORE, "unsubscribe"), (_SIGN_UP, "subscribe"), (_LOOK, "show")),
    }.get(intent, ())
    return next((action for pattern, action in tests if pattern.search(reading.source)), None)


def _intent(
    previous: ThreadState, reading: Reading, slots: Mapping[str, Any], vocabulary: Vocabulary
) -> tuple[str, str | None]:
    """The intent stays unless the message itself asks something else."""
    before, action = previous.question.intent, previous.question.action
    if reading.intent in ("benchmark", "digest"):
        named = reading.intent == "benchmark" or " digest " in reading.sketch.text  # not what prices did
        goes_on = named and reading.intent == before and not _ACTS.search(reading.source)
        return (before, action) if goes_on else (reading.intent, reading.action)
    acted = _acts(before, reading)
    if acted is not None and reading.intent in ("unsupported", "price", "recommend", "compare", before):
        return before, acted
    bare = bool(_LEAD.match(reading.source)) or reading.source.rstrip(" ?？!。.").endswith("呢")
    own = dict(reading.slots)
    if "gpus" in own:  # "forget the A100, H200 please" states one of the two
        kept = {g.model for g in slots.get("gpus", ())}
        own["gpus"] = tuple(g for g in own["gpus"] if g.model in kept)
    asked = intent_of(reading.sketch, own, reading.command, reading.source, vocabulary, Earlier(slots, bare))
    if asked.explicit and asked.intent not in ("unsupported", "help"):
        return asked.intent, asked.action
    return before, action
