"""The words a question may use, gathered from the catalogue and indexed for reading."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from rules.model import Catalog

TOKEN = re.compile(
    r"[^\W\d_㐀-䶿一-鿿]+(?:'[a-z]+)?|\d+(?:,\d{3})+(?![\d,])(?:\.\d+)?|\d+(?:\.\d+)?|(?<![\d\w])\.\d+|[㐀-䶿一-鿿]|[^\s]"
)
_SLOTS = {  # section of the vocabulary -> mark of its pieces
    "plans": "L", "regions": "R", "workloads": "W", "needs": "E", "team": "I", "dtypes": "Q", "sort": "S",
    "currencies": "U", "forms": "F",
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
    instances: Mapping[str, tuple[str, str, Decimal]]  # name -> provider, model, count
    region_codes: frozenset[str]
    groups: Mapping[str, tuple[str, ...]]  # name of a group of providers -> their ids
    everyday: frozenset[str]
    filler: frozenset[str]
    ai_models: frozenset[str]  # names of AI models: no hosts, no accelerators
    slips: Mapping[str, str]
    slip: re.Pattern[str] | None
    known: frozenset[str]  # every word that needs no correction
    targets: Mapping[str, tuple[str, ...]]  # first letter -> words that a slip may be meant for
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
    phrases: Trie = {}
    groups: dict[str, tuple[str, ...]] = {}
    for key, says in _texts(words.get("providers")):
        for phrase in says:
            _add(phrases, phrase, Meaning("P", key))
    for provider in catalog.providers.values():
        for phrase in (provider.id, provider.name.en, provider.name.zh, *provider.aliases):
            _add(phrases, phrase, Meaning("P", provider.id))
    for group in words.get("provider_groups", ()):
        ids = tuple(str(i) for i in group["ids"])
        groups[",".join(ids)] = ids
        for phrase in group["says"]:
            _add(phrases, str(phrase), Meaning("P", ",".join(ids)))
    for section, mark in _SLOTS.items():
        for key, says in _texts(words.get(section)):
            for phrase in says:
                _add(phrases, phrase, Meaning(mark, key), extend=True)
    for section in _WORDS:
        for key, says in _texts(words.get(section)):
            for phrase in says:
                _add(phrases, phrase, Meaning("", key))
    filler = [str(w) for w in words.get("filler", ())]
    for phrase in filler:
        if len(tokens_of(phrase)) > 1 or len(phrase) > 1 and not phrase.isascii():
            _add(phrases, phrase, Meaning("", phrase.replace(" ", "_")))
    for code in (*(str(c) for c in words.get("region_codes", ())), *sorted(catalog.regions)):
        if any(c.isdigit() or c == "-" for c in code) or re.search("north|south|east|west|central", code):
            _add(phrases, code, Meaning("R", code.lower()))
    for section, mark in (("trouble", "trouble"), ("mishap", "mishap"), ("off_topic", "offtopic"), ("strong", "strongword")):
        for phrase in words.get(section, ()):
            _add(phrases, str(phrase), Meaning("", mark))
    units: Trie = {}
    for key, says in _texts(words.get("units")):
        for phrase in says:
            _add(units, phrase, key)
    numbers = {p: Decimal(k) for k, says in _texts(words.get("numbers")) for p in says}
    for phrase, value in numbers.items():
        if len(tokens_of(phrase)) > 1:
            _add(phrases, phrase, Meaning("N", str(value)))
    slips = {str(k): str(v) for k, v in (words.get("slips") or {}).items()}
    known = _known(phrases, units, numbers, filler, words)
    return Vocabulary(
        phrases=phrases,
        units=units,
        numbers=numbers,
        gpus=_gpu_trie(catalog),
        gpu_names=frozenset(
            phrase.lower().replace(" ", "")
            for phrase in (
                *(p for k, says in _texts(words.get("gpus")) for p in (k, *says)),
                *(p for gpu in catalog.gpus.values() for p in (gpu.model, *gpu.aliases)),
            )
        ),
        models=tuple(sorted({k for k, _ in _texts(words.get("gpus"))} | set(catalog.gpus))),
        gpu_prefixes=frozenset(str(p) for p in words.get("gpu_prefixes", ())),
        instances={
            str(name).lower(): (str(x["provider"]), str(x["gpu"]), Decimal(str(x["count"])))
            for name, x in (words.get("instances") or {}).items()
        },
        region_codes=frozenset(catalog.regions) | {str(c) for c in words.get("region_codes", ())},
        groups=groups,
        everyday=frozenset(str(p) for p in words.get("everyday_providers", ())),
        filler=frozenset(filler) | {f.replace(" ", "_") for f in filler} | _canonical(words),
        ai_models=frozenset(str(m) for m in words.get("ai_models", ())),
        slips=slips,
        slip=re.compile("|".join(map(re.escape, sorted(slips, key=len, reverse=True)))) if slips else None,
        known=known,
        targets=_targets(words, catalog),
    )


def _canonical(words: Mapping[str, Any]) -> frozenset[str]:
    """The words that grammar and cues are drawn as: all of them are understood."""
    return frozenset(key for section in _WORDS for key, _ in _texts(words.get(section)))


def _gpu_trie(catalog: Catalog) -> Trie:
    trie: Trie = {}
    for model, says in _texts(catalog.vocabulary.get("gpus")):
        for phrase in (model, *says):
            _add_gpu(trie, phrase, model)
    for gpu in catalog.gpus.values():
        for phrase in (gpu.model, *gpu.aliases):
            _add_gpu(trie, phrase, gpu.model)
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


def _known(phrases: Trie, units: Trie, numbers: Mapping[str, Any], filler: list[str], words: Mapping[str, Any]) -> frozenset[str]:
    found: set[str] = set()

    def walk(trie: Trie) -> None:
        for token, below in trie.items():
            if token != END:
                found.add(token)
                walk(below)

    walk(phrases)
    walk(units)
    for phrase in (*numbers, *filler, *(str(w) for w in words.get("ordinary", ())), *(str(w) for w in words.get("gpu_prefixes", ()))):
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
        for _, says in _texts(words.get(section)):
            for phrase in says:
                found.update(tokens_of(phrase))
    for provider in catalog.providers.values():
        for phrase in (provider.id, provider.name.en, *provider.aliases):
            found.update(tokens_of(phrase))
    found.update(str(w) for w in words.get("spelling", ()))
    by_letter: dict[str, list[str]] = {}
    for word in sorted(found):
        if len(word) >= 4 and word.isascii() and word.isalpha():
            by_letter.setdefault(word[0], []).append(word)
    return {letter: tuple(all_) for letter, all_ in by_letter.items()}
