"""What the tests of an intent look at: the sketch, the words as written, the slots."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

HARDWARE = frozenset(("gpus", "min_memory_gb", "total_memory_gb", "model_params_b"))
COMMITTED = frozenset(("reserved", "reserved_1y", "reserved_3y", "monthly"))
_END_CHARACTERS = 400  # of a long text, at each end: what is asked stands there, and patterns stay cheap


class Saying:
    """A pattern over the words as written, compiled when it is first looked for: most messages need a few of them,
    and all of them together cost a cold answer some 30 ms."""

    def __init__(self, source: str) -> None:
        self._source = source

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile(self._source)

    def search(self, text: str) -> re.Match[str] | None:
        return self._pattern.search(text)

    def match(self, text: str) -> re.Match[str] | None:
        return self._pattern.match(text)


def says(*alternatives: str) -> Saying:
    """One pattern over the words as written, from its alternatives."""
    return Saying("|".join(alternatives))


def ends(text: str) -> str:
    """The beginning and the end of a long text, a short one whole."""
    if len(text) <= 2 * _END_CHARACTERS:
        return text
    return f"{text[:_END_CHARACTERS]} . {text[-_END_CHARACTERS:]}"


@dataclass(frozen=True, slots=True)
class Context:
    """``text`` is the sketch, ``source`` the plain text in lower case, ``slots`` what the message states.

    In a thread ``slots`` are those of all its messages, and ``own`` what this message states itself.
    """

    text: str
    source: str
    slots: Mapping[str, Any]
    own: Mapping[str, Any] | None = None

    def cue(self, *words: str) -> bool:
        """Whether one of these words stands in the sketch."""
        return any(f" {word} " in self.text for word in words)

    def drawn(self, pattern: re.Pattern[str]) -> bool:
        return pattern.search(self.text) is not None

    def said(self, pattern: Saying) -> bool:
        return pattern.search(self.source) is not None

    def has(self, *slots: str) -> bool:
        return any(slot in self.slots for slot in slots)

    def states(self, *slots: str) -> bool:
        """Whether this message states one of them itself."""
        return any(slot in (self.slots if self.own is None else self.own) for slot in slots)

    def two(self, *slots: str) -> bool:
        """Whether one of these lists names two things."""
        return any(len(self.slots.get(slot, ())) > 1 for slot in slots)

    @property
    def hardware(self) -> bool:
        return bool(self.slots.keys() & HARDWARE)

    @property
    def plans(self) -> frozenset[str]:
        return frozenset(self.slots.get("plans", ()))
