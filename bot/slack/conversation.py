"""What a message means where it was written: a new question, a change of the thread's one, or talk among people."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from bot.ask import vocabulary_of
from bot.question import ThreadState, merge
from bot.question.rules import must_clarify
from rules.model import Catalog, Parsed, Question
from rules.wire import question_from_json, question_to_json

MOST_CHARS = 3_000  # of a question
_ASIDE = ("unsupported", "help")
_PEOPLE = re.compile(r"<@[UW][A-Z0-9]+(?:\|[^>]*)?>")
_QUESTION = re.compile(r"[?？]|[吗呢么]\s*[。.!！]?\s*$")
_WORD = re.compile(r"[A-Za-z]{3,}")
_AMONG_PEOPLE = re.compile(  # what somebody is going to do with somebody else: I will ask Carol, 我回头问下老板
    r"\b(?:i|we|you|he|she|they|let me|let us|let's|someone|somebody)(?:'ll|'d|'m| will| would| should| can| could"
    r"| must| might| need to| have to| am going to| are going to| going to| gonna| better)?"
    r" (?:just |then |also |first )?"
    r"(?:ask|tell|talk to|talk with|check with|check back|discuss|ping|forward|share|meet|sync|decide|review|confirm"
    r"|wait|report back|bring (?:it|this) up|raise (?:it|this)|let you know|get back)\b"
    r"|(?:我们?|你们?|他们?|她|老板|财务|大家)(?:再|先|去|来|会|要|得|可以|待会|等下|等会|回头|明天|晚点|下午|晚上)*"
    r"(?:问|跟|和|找|请示|确认|讨论|商量|汇报|转告|转给|转发|发给|开会)",
    re.IGNORECASE,
)
_TALK = 2  # pieces not understood, from which on a remark without a question mark is talk
_TALK_ASKED = 4


@dataclass(frozen=True, slots=True)
class Heard:
    """A message read in its thread. ``state`` is kept for the next one; ``speak`` False: say nothing."""

    parsed: Parsed
    state: ThreadState | None
    speak: bool = True


def clean(text: str, bot_user: str) -> str:
    """The message without the mention of the bot, wherever it stands."""
    return " ".join(re.sub(rf"<@{re.escape(bot_user)}(?:\|[^>]*)?>", " ", text).split())


def hear(text: str, state: ThreadState | None, catalog: Catalog) -> Heard:
    """A message that is addressed to the bot: it is always answered."""
    parsed, after = merge(state, text, vocabulary_of(catalog))
    return Heard(replace(parsed, text=text), after)


def overhear(text: str, state: ThreadState | None, catalog: Catalog) -> Heard:
    """A message of the asker that names nobody: it is answered when it asks, or changes what was asked.

    Thanks, talk between people and remarks that mention a GPU in passing are none of the bot's business: without a
    question mark, what somebody is going to do with others, and a remark with words that nobody reads.
    """
    heard = hear(text, state, catalog)
    if _PEOPLE.search(text):
        return replace(heard, speak=False)
    question, before = heard.parsed.question, None if state is None else state.question
    asks = bool(_QUESTION.search(text))
    if question.intent in _ASIDE:
        return replace(heard, speak=question.intent == "help" and asks)
    if not asks and _AMONG_PEOPLE.search(text):
        return replace(heard, speak=False)
    changes = _plain(question) != (None if before is None else _plain(before))
    unread = sum(len(piece.text.split()) for piece in heard.parsed.unread)
    if heard.parsed.unknown_models:
        unread = 0
    speak = (changes or asks) and unread < (_TALK_ASKED if asks else _TALK)
    return replace(heard, speak=speak)


def is_courtesy(heard: Heard, text: str) -> bool:
    """Thanks and the like: nothing that asks, and nothing to answer."""
    return heard.parsed.question.intent == "unsupported" and not _QUESTION.search(text)


def _plain(question: Question) -> Question:
    return replace(question, lang="en", clarify=False)


def state_of(data: Mapping[str, Any] | None) -> ThreadState | None:
    """A stored state; None for none, or for one that an older version wrote differently."""
    if not data:
        return None
    try:
        return ThreadState.from_json(data)
    except ValueError:
        return None


def changed(question: Mapping[str, Any], changes: Mapping[str, Any]) -> Question:
    """A question with some slots set anew; None takes a slot out. Raises ``ValueError`` for what is no slot."""
    slots = {name: value for name, value in question.items() if name != "clarify"}
    for name, value in changes.items():
        if value is None:
            slots.pop(name, None)
        else:
            slots[name] = value
    asked = question_from_json(slots)
    stated = {
        name: getattr(asked, name) for name in question_to_json(asked) if name not in ("intent", "lang", "action")
    }
    return replace(asked, clarify=must_clarify(asked.intent, stated))


def language(text: str, parsed: Parsed, catalog: Catalog) -> str | None:
    """The language of a message; None for one without words of its own ("4xA100 72h"): then the reader's counts."""
    if parsed.question.lang == "zh":
        return "zh"
    names = _names(catalog)
    words = [word.lower() for word in _WORD.findall(text)]
    return "en" if any(word not in names for word in words) else None


def _names(catalog: Catalog) -> frozenset[str]:
    """Words that stand in a message of any language: models and providers."""
    named = [*catalog.gpus, *catalog.providers]
    named += [alias for gpu in catalog.gpus.values() for alias in gpu.aliases]
    named += [alias for provider in catalog.providers.values() for alias in provider.aliases]
    return frozenset(word.lower() for name in named for word in _WORD.findall(name)) | {"gpu", "sxm", "pcie", "nvl"}
