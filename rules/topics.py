"""Which explanation a message asks for: by the terms it names, else by the words it shares with one."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from rules.model import Catalog, Topic
from rules.remember import once

NEAREST = 3  # topics that are named when none fits
_FITS = 0.6  # share of what the message says, weighed by rarity, that a topic must share with it
_NEAR = 0.25  # below this share a topic is not worth naming
_WORD = re.compile(r"[a-z][a-z0-9+.-]*[a-z0-9]|[\u4e00-\u9fff]+")
_COMMON = frozenset(
    "a about am an and any are as at be been but by can could do does did for from get gets give go good got had has"
    " have how i if in into is it its just know like long make many may me mean means more most much my need no not of"
    " off ok on one or our out over really should show so some still take tell than that the their them then there they"
    " thing things this to too up us use used want was way we well what when where which while who why will with work"
    " works would you your explain please gpu gpus card cards cloud rent renting rented".split()
) | frozenset(
    "什么 怎么 如何 为什 为何 是否 可以 能不 不能 一个 这个 那个 我们 你们".split()
    + "哪些 多少 有没 没有 应该 需要 一下 意思".split()
)


def topics_for(text: str, catalog: Catalog) -> tuple[Topic, ...]:
    """The topics whose terms the text names, the one with the longest named term first; else the one it is close to.

    A term inside a longer one that is named there does not count: "spot interruption" does not name "spot".
    """
    named = _named(_fold(text), catalog)
    if named:
        return named
    close = _by_words(text, catalog)
    fits = bool(close) and close[0][0] >= _FITS and len(set(words_of(text))) > 1
    return (close[0][1],) if fits else ()


def nearest_topics(text: str, catalog: Catalog) -> tuple[Topic, ...]:
    """Topics that share some words with the text, the closest first; for when none fits."""
    return tuple(topic for share, topic in _by_words(text, catalog)[:NEAREST] if share >= _NEAR)


# ---------------------------------------------------------------- terms


def _named(folded: str, catalog: Catalog) -> tuple[Topic, ...]:
    found = [(span, topic) for topic in catalog.topics for span in _spans(folded, topic)]
    longest: dict[str, tuple[int, int]] = {}
    for (start, end), topic in found:
        if any(s <= start and end <= e and end - start < e - s for (s, e), _ in found):
            continue
        key = (start - end, start)  # the longest first, of equal ones the one that stands first
        longest[topic.id] = min(longest.get(topic.id, key), key)
    by_id = {topic.id: topic for topic in catalog.topics}
    return tuple(by_id[name] for name in sorted(longest, key=lambda name: (longest[name], name)))


def _fold(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _spans(folded: str, topic: Topic) -> Iterable[tuple[int, int]]:
    """Where the text names a term of the topic."""
    for term in (_fold(term) for words in topic.terms.values() for term in words):
        if term in folded:  # the pattern is dear, and most terms are not there
            yield from ((match.start(), match.end()) for match in _term(term).finditer(folded))


@lru_cache(maxsize=4096)
def _term(term: str) -> re.Pattern[str]:
    """A term as whole words where letters meet, its plural too, and anywhere in Chinese."""
    start = r"(?<![a-z0-9])" if term[0].isascii() and term[0].isalnum() else ""
    end = r"(?:s|es)?(?![a-z0-9])" if term[-1].isascii() and term[-1].isalnum() else ""
    return re.compile(start + re.escape(term) + end)


# ---------------------------------------------------------------- words


@dataclass(frozen=True, slots=True)
class _Index:
    heads: Mapping[str, frozenset[str]]  # topic id -> the words of its title, terms and questions
    bodies: Mapping[str, frozenset[str]]  # topic id -> the words of its text
    rarity: Mapping[str, float]
    rarest: float

    def share(self, asked: frozenset[str], topic: str) -> float:
        """How much of what is asked the topic speaks of: a word of its text counts half, one that no topic has is
        a rare one that is missing."""
        whole = sum(self.rarity.get(word, self.rarest) for word in asked)
        head = sum(self.rarity[word] for word in asked & self.heads[topic])
        body = sum(self.rarity[word] for word in asked & (self.bodies[topic] - self.heads[topic]))
        return (head + body / 2) / whole if whole else 0.0


def _by_words(text: str, catalog: Catalog) -> list[tuple[float, Topic]]:
    asked = frozenset(words_of(text))
    index = once(catalog, ("topic-words",), lambda: _index(catalog.topics))
    shares = [(index.share(asked, topic.id), topic) for topic in catalog.topics]
    return sorted(((share, topic) for share, topic in shares if share), key=lambda pair: (-pair[0], pair[1].id))


def _index(topics: Iterable[Topic]) -> _Index:
    heads = {topic.id: _all_words(_head(topic)) for topic in topics}
    bodies = {topic.id: _all_words((topic.text.en, topic.text.zh)) for topic in topics}
    counts = Counter(word for name, found in heads.items() for word in found | bodies[name])
    rarity = {word: math.log(1 + len(heads) / n) for word, n in counts.items()}
    return _Index(heads, bodies, rarity, max(rarity.values(), default=1.0))


def _head(topic: Topic) -> Iterable[str]:
    yield from (topic.title.en, topic.title.zh)
    for several in (*topic.terms.values(), *topic.asks.values()):
        yield from several


def _all_words(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(word for text in texts for word in words_of(text))


def words_of(text: str) -> Iterable[str]:
    """Words without their endings, and Chinese by pairs of characters; those that every question has left out."""
    for piece in _WORD.findall(_fold(text)):
        if piece[0] >= "\u4e00":
            yield from (piece[n : n + 2] for n in range(len(piece) - 1) if piece[n : n + 2] not in _COMMON)
        elif piece not in _COMMON and len(piece) > 1:
            yield _stem(piece)


def _stem(word: str) -> str:
    for ending in ("ations", "ation", "ings", "ing", "ied", "ies", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word
