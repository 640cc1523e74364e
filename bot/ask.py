"""Text → Question → Answer: the one path that terminal, Slack, page, API, cases and rule examples share."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any
from weakref import WeakKeyDictionary

from bot.catalog import models_of
from bot.question import Vocabulary
from bot.question import parse as parse_text
from bot.question import parse_thread as parse_messages
from rules.decide import decide
from rules.model import Answer, Catalog, Parsed, Question

_vocabularies: WeakKeyDictionary[Catalog, Vocabulary] = WeakKeyDictionary()


def vocabulary_of(catalog: Catalog) -> Vocabulary:
    """The words that the catalogue knows, built once for as long as it lives."""
    found = _vocabularies.get(catalog)
    if found is None:
        found = _vocabularies[catalog] = Vocabulary.build(catalog)
    return found


def parse(text: str, catalog: Catalog) -> Parsed:
    """The reading of one message. Pure: no network, no model, the same text gives the same Question."""
    return replace(parse_text(text, vocabulary_of(catalog)), text=text)


def parse_thread(texts: Sequence[str], catalog: Catalog) -> Parsed:
    """The merged reading after the last message of a thread."""
    return replace(parse_messages(texts, vocabulary_of(catalog)), text=texts[-1] if texts else "")


Merge = Callable[[Catalog, Collection[str] | None], Catalog]  # adds the feed offers of some models, None: of all


def answer(
    reading: Parsed | Question,
    catalog: Catalog,
    as_of: date,
    readings: Sequence[Mapping[str, Any]] = (),
    *,
    feeds: Merge | None = None,
) -> Answer:
    """The Answer to a reading, or to a bare Question (as a button sends it), on a date.

    ``feeds`` adds what price feeds say of the models that the question is about; it reads no network.
    """
    parsed = Parsed(reading) if isinstance(reading, Question) else reading
    if feeds is not None:
        catalog = feeds(catalog, models_of(parsed.question, catalog))
    decided = decide(
        parsed.question,
        catalog,
        as_of,
        unread=parsed.unread,
        unknown_models=parsed.unknown_models,
        text=parsed.text,
        readings=readings,
    )
    return replace(decided, names={one.id: one.name for one in catalog.providers.values()}, text=parsed.text)


def ask(
    text: str,
    catalog: Catalog,
    as_of: date,
    readings: Sequence[Mapping[str, Any]] = (),
    *,
    feeds: Merge | None = None,
) -> Answer:
    """Parse, then answer."""
    return answer(parse(text, catalog), catalog, as_of, readings, feeds=feeds)
