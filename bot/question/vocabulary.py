"""The words a question may use, gathered from the catalogue and indexed for reading."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from rules.model import Catalog

TOKEN = re.compile(
    r"[^\W\d_㐀-䶿一-鿿]+(?:'[a-z]+)?|\d+(?:,\d{3})+(?!,?\d)(?:\.\d+)?|\d+(?:\.\d+)?|(?<![\d\w])\.\d+|[㐀-䶿一-鿿]|[^\s]"
)
_SLOTS = {  # section of the vocabulary -> mark of its pieces
    "plans": "L", "regions": "R", "workloads": "W", "needs": "E", "team": "I", "dtypes": "Q", "sort": "S",
    "currencies": "U", "forms": "F",
}  # fmt: skip
_ASIDE = {
    "trouble": "trouble", "mishap": "mishap", "off_topic": "offtopic", "office": "office", "games": "gaming",
    "strong": "strongword",
}  # fmt: skip
_WORDS = ("times", "cues", "grammar")  # sections whose keys become the word itself
Trie = dict[str, Any]
END = ""  # the key under which a trie keeps what its path means


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a phrase stands for: a mark with its value, or (mark "") the word ``value``."""

    mark: str
    value: str


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Everything `parse` needs besides the text. Build it once for each catalogue."""

    phrases: Trie  # words -> (Meaning, ...)
    units: Trie  # words right behind a number -> unit
    numbers: Mapping[str, Decimal]  # English number words
    gpus: Trie  # words of an alias -> model
    gpu_names: frozenset[str]  # aliases without spaces, lower case
    models: tuple[str, ...]
    gpu_prefixes: frozenset[str]
    numbered: Trie  # nouns in front of a number that is their name (ticket 12) -> how it is told
    instances: Mapping[str, tuple[str, str, Decimal]]  # name -> provider, model, count
    region_codes: frozenset[str]
    filler: frozenset[str]
    weights: Mapping[str, float]  # how much a mark or word says that the message is about renting accelerators
    ai_models: frozenset[str]  # names of AI models: no hosts, no accelerators
    ai_model_pattern: str  # the same as alternatives of a pattern
    mixtures: Mapping[str, Decimal]  # 8x7b -> billions of parameters, where it is not the product
    slips: Mapping[str, str]
    slip: re.Pattern[str] | None
    known: frozenset[str]  # every word that needs no correction
    targets: Mapping[str, tuple[str, ...]]  # first letter -> words that a slip may be meant for
    topics: re.Pattern[str] | None = None  # the terms that an explanation of the knowledge folder answers to
    corrections: dict[str, str] = field(default_factory=dict)  # cache, never read for meaning

    @classmethod
    def build(cls, catalog: Catalog) -> Vocabulary:
        """The vocabulary of a catalogue: its words, GPUs, providers and region codes."""
        return _build(catalog)


def tokens_of(phrase: str) -> list[str]:
    """The tokens of a phrase; hyphens between words do not matter."""
    return [t for t in TOKEN.findall(phrase.lower()) if t not in ("-", "_")] or [phrase.lower()]


def _add(trie: Trie, phrase: str, meaning: Any, extend: bool = False) -> None:
    node = trie
    for token in tokens_of(phrase):
        node = node.setdefault(token, {})
    if END not in node:
        node[END] = (meaning,)
    elif extend and meaning not in node[END]:
        node[END] = (*node[END], meaning)


def _texts(section: Any) -> Iterable[tuple[str, list[str]]]:
    for key, phrases in (section or {}).items():
        yield str(key), [str(p) for p in phrases]


def _build(catalog: Catalog) -> Vocabulary:
    words: Mapping[str, Any] = catalog.vocabulary
    filler = _list(words, "filler")
    required = _list(words, "requirements")
    phrases = _phrases(catalog, filler + required)
    units: Trie = {}
    for key, says in _texts(words.get("units")):
        for phrase in says:
            _add(units, phrase, key)
    numbered: Trie = {}
    for key, says in _texts(words.get("numbered")):
        for phrase in says:
            _add(numbered, phrase, Meaning("", key))
    numbers = {p: Decimal(k) for k, says in _texts(words.get("numbers")) for p in says}
    slips = {str(k): str(v) for k, v in (words.get("slips") or {}).items()}
    return Vocabulary(
        phrases=phrases,
        units=units,
        numbers=numbers,
        gpus=_gpu_trie(catalog),
        gpu_names=frozenset(phrase.lower().replace(" ", "") for phrase, _ in _gpu_phrases(catalog)),
        models=tuple(sorted({model for _, model in _gpu_phrases(catalog)})),
        gpu_prefixes=frozenset(_list(words, "gpu_prefixes")),
        numbered=numbered,
        instances={
            str(name).lower(): (str(x["provider"]), str(x["gpu"]), Decimal(str(x["count"])))
            for name, x in (words.get("instances") or {}).items()
        },
        region_codes=frozenset(catalog.regions) | set(_list(words, "region_codes")),
        filler=frozenset(filler) | {f.replace(" ", "_") for f in filler} | _canonical(words),
        ai_models=frozenset(_list(words, "ai_models")),
        ai_model_pattern="|".join(re.escape(name) for name in sorted(_list(words, "ai_models"))) or "(?!)",
        mixtures={str(k): Decimal(str(v)) for k, v in (words.get("mixtures") or {}).items()},
        weights={str(k): float(v) for k, v in (words.get("weights") or {}).items()},
        slips=slips,
        slip=_slip(slips) if slips else None,
        known=_known(phrases, units, numbers, filler + required, words),
        targets=_targets(words, catalog),
        topics=_topics(catalog),
    )


def _slip(slips: Mapping[str, str]) -> re.Pattern[str]:
    """Any of the slips, the longest first; the first characters ahead spare most places the long list."""
    first = "".join(sorted({re.escape(slip[0]) for slip in slips}))
    return re.compile(f"(?=[{first}])(?:" + "|".join(map(re.escape, sorted(slips, key=len, reverse=True))) + ")")


def _topics(catalog: Catalog) -> re.Pattern[str] | None:
    """Every term of a topic, the longest first; whole words where letters meet, anywhere in Chinese."""
    terms = {t.casefold() for topic in catalog.topics for says in topic.terms.values() for t in says if len(t) > 1}
    ordered = sorted(terms, key=lambda t: (-len(t), t))
    words = "|".join(re.escape(t) for t in ordered)
    return re.compile(rf"(?<![a-z0-9])(?:{words})(?:s|es)?(?![a-z0-9])") if words else None


def _list(words: Mapping[str, Any], section: str) -> list[str]:
    return [str(w) for w in words.get(section, ())]


def _phrases(catalog: Catalog, plain: list[str]) -> Trie:
    """Every phrase with what it means. Of two meanings the earlier one stays: names, slots, cues, grammar, the rest."""
    words: Mapping[str, Any] = catalog.vocabulary
    phrases: Trie = {}
    _add_names(phrases, catalog)
    for mark, phrase, meaning in _slot_phrases(words):
        _add(phrases, phrase, meaning, extend=bool(mark))
    for phrase in plain:
        if len(tokens_of(phrase)) > 1 or (len(phrase) > 1 and not phrase.isascii()):
            _add(phrases, phrase, Meaning("", phrase.replace(" ", "_")))
    for code in (*_list(words, "region_codes"), *sorted(catalog.regions)):
        if any(c.isdigit() or c == "-" for c in code) or re.search("north|south|east|west|central", code):
            _add(phrases, code, Meaning("R", code.lower()))
    for section, word in _ASIDE.items():
        for phrase in _list(words, section):
            _add(phrases, phrase, Meaning("", word))
    many_words = ((k, p) for k, says in _texts(words.get("numbers")) for p in says if len(tokens_of(p)) > 1)
    for key, phrase in many_words:
        _add(phrases, phrase, Meaning("N", key))
    return phrases


def _slot_phrases(words: Mapping[str, Any]) -> Iterable[tuple[str, str, Meaning]]:
    """Phrases of slots (with their mark), then of cues and grammar (with ""), each with what it means."""
    for section, mark in _SLOTS.items():
        for key, says in _texts(words.get(section)):
            yield from ((mark, phrase, Meaning(mark, key)) for phrase in says)
    for section in _WORDS:
        for key, says in _texts(words.get(section)):
            yield from (("", phrase, Meaning("", key)) for phrase in says)


def _add_names(phrases: Trie, catalog: Catalog) -> None:
    """Providers of the closed list, those of the knowledge folder, and groups of them."""
    words: Mapping[str, Any] = catalog.vocabulary
    for key, says in _texts(words.get("providers")):
        for phrase in says:
            _add(phrases, phrase, Meaning("P", key))
    for provider in catalog.providers.values():
        for phrase in (provider.id, provider.name.en, provider.name.zh, *provider.aliases):
            _add(phrases, phrase, Meaning("P", provider.id))
    for group in words.get("provider_groups", ()):
        for phrase in group["says"]:
            _add(phrases, str(phrase), Meaning("P", ",".join(str(i) for i in group["ids"])))


def _canonical(words: Mapping[str, Any]) -> frozenset[str]:
    """The words that grammar and cues are drawn as: all of them are understood."""
    return frozenset(key for section in _WORDS for key, _ in _texts(words.get(section)))


def _gpu_phrases(catalog: Catalog) -> Iterable[tuple[str, str]]:
    """Every way to write a model, with the model."""
    for model, says in _texts(catalog.vocabulary.get("gpus")):
        yield from ((phrase, model) for phrase in (model, *says))
    for gpu in catalog.gpus.values():
        yield from ((phrase, gpu.model) for phrase in (gpu.model, *gpu.aliases))


def _gpu_trie(catalog: Catalog) -> Trie:
    trie: Trie = {}
    for phrase, model in _gpu_phrases(catalog):
        _add_gpu(trie, phrase, model)
    return trie


def _add_gpu(trie: Trie, phrase: str, model: str) -> None:
    """Keep, beside each token, whether a space may stand before it (letters of two and more: yes)."""
    spaced = phrase.lower()
    node = trie
    end = 0
    before = ""
    for match in TOKEN.finditer(spaced):
        token = match.group()
        if token in ("-", "_"):
            continue
        gap = match.start() > end or (len(before) > 1 and before.isalpha()) or not before.isascii()
        node = node.setdefault((" " if gap and before else "") + token, {})
        before, end = token, match.end()
    node.setdefault(END, (model,))


def _known(
    phrases: Trie, units: Trie, numbers: Mapping[str, Any], plain: list[str], words: Mapping[str, Any]
) -> frozenset[str]:
    found: set[str] = set()

    def walk(trie: Trie) -> None:
        for token, below in trie.items():
            if token != END:
                found.add(token)
                walk(below)

    walk(phrases)
    walk(units)
    for phrase in (
        *numbers,
        *plain,
        *(str(w) for w in words.get("ordinary", ())),
        *(str(w) for w in words.get("gpu_prefixes", ())),
    ):
        found.update(tokens_of(phrase))
    for _, says in _texts(words.get("gpus")):
        for phrase in says:
            found.update(tokens_of(phrase))
    return frozenset(found)


def _targets(words: Mapping[str, Any], catalog: Catalog) -> Mapping[str, tuple[str, ...]]:
    """Words worth correcting to: those of slots, units, cues and names with four letters and more."""
    found: set[str] = set()
    sections = ("providers", "plans", "regions", "workloads", "needs", "team", "times", "cues", "currencies", "units")
    for section in sections:
        shortest = 6 if section == "regions" else 4  # short names of places are too near to ordinary words
        for _, says in _texts(words.get(section)):
            found.update(t for phrase in says for t in tokens_of(phrase) if len(t) >= shortest)
    for provider in catalog.providers.values():
        for phrase in (provider.id, provider.name.en, *provider.aliases):
            found.update(tokens_of(phrase))
    found.update(str(w) for w in words.get("spelling", ()))
    by_letter: dict[str, list[str]] = {}
    for word in sorted(found):
        if len(word) >= 4 and word.isascii() and word.isalpha():
            by_letter.setdefault(word[0], []).append(word)
    return {letter: tuple(all_) for letter, all_ in by_letter.items()}
