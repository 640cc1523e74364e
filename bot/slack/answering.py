"""From a reading to an answer that is kept and can be shown: the part of Slack that knows the catalogue."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any
from weakref import WeakKeyDictionary

from bot import ask as asking
from bot.ask import Merge
from bot.render.document import Document, document
from bot.render.json import answer_json
from bot.slack import ids
from bot.slack.views import answer as view
from bot.slack.views.kit import Message
from bot.store import Database
from bot.store.answers import KeptAnswer, answer_id, keep_answer, kept_answer
from rules.model import Catalog, Parsed, Question
from rules.wire import question_from_json

_in_yuan: WeakKeyDictionary[Catalog, Catalog] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class Given:
    """An answer in one language: the object as it is kept, and the document that is drawn."""

    id: str
    body: bytes
    data: Mapping[str, Any]
    document: Document

    def message(self, asker: str, catalog: Catalog, note: str = "") -> Message:
        ref = ids.Ref(self.id, asker)
        return view.message(view.Shown(self.document, self.data, ref, places_of(catalog), note))


def give(
    reading: Parsed | Question, catalog: Catalog, today: date, lang: str, feeds: Merge | None = None,
    readings: Sequence[Mapping[str, Any]] = (),
) -> Given:  # fmt: skip
    """The answer to a reading on a date, in ``lang``; ``feeds`` adds what price feeds say, ``readings`` what the team
    measured."""
    answer = asking.answer(reading, shown_in(catalog, lang), today, readings, feeds=feeds)
    data = answer_json(answer, lang)
    body = as_bytes(data)
    return Given(answer_id(body), body, data, document(answer, lang))


def as_bytes(data: Mapping[str, Any]) -> bytes:
    """The one spelling of an answer: what `ask --json` prints for it."""
    return (json.dumps(data, ensure_ascii=False, allow_nan=False) + "\n").encode()


def shown_in(catalog: Catalog, lang: str) -> Catalog:
    """A Chinese answer shows CNY beside USD unless the team chose another currency."""
    if lang != "zh" or catalog.display_currency is not None:
        return catalog
    found = _in_yuan.get(catalog)
    if found is None:
        found = _in_yuan[catalog] = replace(catalog, display_currency="CNY")
    return found


def places_of(catalog: Catalog) -> frozenset[str]:
    """Countries and areas that some region of the catalogue lies in."""
    regions = catalog.regions.values()
    return frozenset({one.area for one in regions} | {one.country for one in regions})


@dataclass(frozen=True, slots=True)
class Asked:
    """Where and by whom a question was asked."""

    team: str
    user: str
    channel: str
    thread_ts: str | None = None


def keep(database: Database, given: Given, asked: Asked, now: datetime, text: str | None = None) -> None:
    """Keep an answer so that it can be given again byte for byte."""
    keep_answer(
        database,
        KeptAnswer(
            asked.team, given.id, given.body, now, question=given.data["question"], text=text, asker=asked.user,
            channel=asked.channel, thread_ts=asked.thread_ts,
        ),
    )  # fmt: skip


def again(database: Database, team: str, id_: str) -> tuple[KeptAnswer, Mapping[str, Any]] | None:
    """A kept answer with its object, None when it is kept no longer."""
    kept = kept_answer(database, team, id_)
    return None if kept is None else (kept, json.loads(kept.body))


def language_of(data: Mapping[str, Any]) -> str:
    """The language in which a kept answer was given."""
    return "zh" if any("\u4e00" <= char <= "\u9fff" for char in str(data.get("headline", ""))) else "en"


def same_again(
    kept: KeptAnswer, data: Mapping[str, Any], catalog: Catalog, feeds: Merge | None = None,
    readings: Sequence[Mapping[str, Any]] = (),
) -> Given | None:  # fmt: skip
    """The kept answer with its document, when the knowledge still gives it to the byte; None otherwise."""
    try:
        question = question_from_json(data["question"])
    except ValueError:
        return None
    given = give(question, catalog, date.fromisoformat(str(data["as_of"])), language_of(data), feeds, readings)
    return given if given.id == kept.id else None
