"""What the commands beside ``ask`` print: each takes the object that ``--json`` prints and words it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from bot.render.figures import count, money, percent
from bot.render.terminal import aligned
from bot.render.words import say, word
from rules.model import Parsed, Problem
from rules.wire import question_to_json

Object = Mapping[str, Any]


def parsed_lines(parsed: Parsed, lang: str, *, explain: bool) -> Iterator[str]:
    """Slots and values; with ``explain`` the words that each one came from."""
    slots = question_to_json(parsed.question)
    yield from aligned([(name, json.dumps(value, ensure_ascii=False)) for name, value in slots.items()])
    if parsed.unread:
        pieces = [say("quote", lang, text=piece.text) for piece in parsed.unread]
        yield say("read.not_used", lang, pieces=("、" if lang == "zh" else ", ").join(pieces))
    for unknown, near in parsed.unknown_models:
        yield say("parse.unknown", lang, word=unknown, near=", ".join(near) or say("none", lang))
    if explain and parsed.trace:
        yield ""
        yield say("parse.trace", lang)
        yield from aligned([(f"  {words}", slot, value) for words, slot, value in parsed.trace])


def cost_lines(cost: Object, lang: str) -> Iterator[str]:
    """Each line with its arithmetic, the total, and the exchange rates used."""
    code = cost["currency"]
    rows = [(word("item", one["item"], lang), _money(one["amount"], code), one["formula"]) for one in cost["lines"]]
    rows.append((say("total", lang), _money(cost["total"], code), ""))
    if code != "USD" and "total_usd" in cost:
        rows.append(("", _money(cost["total_usd"], "USD"), ""))
    yield from aligned(rows, right=(1,))
    if code != "USD" and "total_usd" not in cost:
        yield say("cost.no_usd", lang, code=code)
    if cost["idle_gpus"]:
        slots = {name: cost[name] for name in ("gpus_paid", "machines", "idle_gpus")}
        yield say("cost.idle", lang, **slots)
    for one in cost["rates"]:
        value = count(Decimal(str(one["rate"])), 6)
        yield say("how.currency", lang, pair=one["pair"], rate=value, date=one["from"], source=one["source"])


def _money(amount: float, currency: str) -> str:
    return money(Decimal(str(amount)), currency)


def check_lines(report: Object, problems: Sequence[Problem], lang: str) -> Iterator[str]:
    """What is priced, then every problem, the errors last, then the counts: a terminal shows its end."""
    names = ("provider", "gpu", "priced", "oldest", "stale", "disputed")
    table = [tuple(say(f"kb.{name}", lang) for name in names)]
    for row in report["priced"]:
        oldest = "-" if row["oldest_days"] is None else str(row["oldest_days"])
        share = Decimal(row["disputed"]) / row["priced"] if row["priced"] else Decimal(0)
        priced = f"{row['priced']}/{row['offers']}"
        table.append((row["provider"], row["gpu"], priced, oldest, str(row["stale"]), percent(share, 0)))
    if len(table) > 1:
        yield from aligned(table, right=(2, 3, 4, 5))
        yield ""
    for problem in sorted(problems, key=lambda one: one.level == "error"):
        yield f"{say(f'level.{problem.level}', lang)} {problem}"
    yield say("check.counts", lang, **{name: value for name, value in report.items() if isinstance(value, int)})


def case_lines(report: Object, lang: str) -> Iterator[str]:
    """Each failure with its question and what differs, then the counts."""
    for one in report["failed"]:
        asked = one["ask"] if isinstance(one["ask"], str) else " / ".join(one["ask"])
        yield say("cases.failed", lang, place=one["place"], name=one["name"])
        yield say("cases.asked", lang, text=asked)
        for difference in one["differences"]:
            yield say("cases.difference", lang, **difference)
    bad = len({one["place"] for one in report["failed"]})
    total = report["cases"]
    yield say("cases.counts", lang, good=total - bad, total=total, questions=report["questions"])


def coverage_lines(report: Object, lang: str) -> Iterator[str]:
    """Each id with the entries that answer for it, what is missing last, then the counts."""
    table = [
        (row["id"], ", ".join(f"{one['entry']} ({one['place']})" for one in row["where"])) for row in report["mapped"]
    ]
    yield from aligned(table)
    for row in report["missing"]:
        yield say("coverage.missing", lang, **row)
    counts = {name: len(report[name]) for name in ("mapped", "missing")}
    yield say("coverage.counts", lang, ids=report["ids"], **counts)


def row_lines(rows: Sequence[Object], lang: str) -> Iterator[str]:
    """Rows of one kind as a table; the columns are the keys."""
    if not rows:
        yield say("none", lang)
        return
    names = list(dict.fromkeys(key for row in rows for key in row))
    table = [tuple(say(f"kb.{name}", lang) for name in names)]
    table += [tuple(_flat(row.get(name)) for name in names) for row in rows]
    figures = tuple(n for n, name in enumerate(names) if all(isinstance(row.get(name), int) for row in rows))
    yield from aligned(table, right=figures)


def outline(value: Any, depth: int = 0) -> Iterator[str]:
    """Nested values as indented lines."""
    pad = "  " * depth
    if isinstance(value, list):
        yield from (f"{pad}- {_flat(item)}" for item in value)
        return
    for key, item in value.items():
        if _is_nested(item):
            yield f"{pad}{key}:"
            yield from outline(item, depth + 1)
        else:
            yield f"{pad}{key}: {_flat(item)}"


def _is_nested(value: Any) -> bool:
    if isinstance(value, list):
        return any(isinstance(item, (Mapping, list)) for item in value)
    return isinstance(value, Mapping) and bool(value)


def _flat(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {_flat(item)}" for key, item in value.items())
    if isinstance(value, list):
        return ", ".join(_flat(item) for item in value)
    return "" if value is None else str(value)
