"""The digest in words: a headline, the moves, the cheapest of each GPU, what is disputed, old or not known."""

# ruff: noqa: E501  (a sentence stands on one line, however long)

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from bot.render.figures import count, unit_price
from bot.render.prices import move_line, price_text, provider_text, signed, thing_text
from bot.render.terminal import aligned, clean
from bot.render.words import fill, join, word

Object = Mapping[str, Any]
MOST = 12  # lines of a section, unless all are asked for


def tell(key: str, lang: str, /, **slots: Any) -> str:
    return fill(SENTENCES[key][1 if lang == "zh" else 0], slots)


def headline(digest: Object, lang: str) -> str:
    """The digest in one sentence: the biggest move, or that there was none, or that nobody looked."""
    slots = {"period": period_text(digest, lang)}
    if not digest["has_data"]:
        return tell("headline.no_data", lang, **slots)
    priced = [move for move in digest["moves"] if move["percent"] is not None]
    if priced:
        first = max(priced, key=lambda move: abs(move["percent"]))
        key = "headline.up" if first["percent"] > 0 else "headline.down"
        price = {
            "was": price_text(first["was"], lang),
            "now": price_text(first["now"], lang),
            "percent": signed(first["percent"]),
        }
        more = len(digest["moves"]) - 1
        said = tell(key, lang, thing=thing_text(first, lang, digest["names"]), **price, **slots)
        return said + (tell("headline.more", lang, n=more) if more else "")
    if digest["moves"]:
        return tell("headline.listed", lang, n=len(digest["moves"]), **slots)
    return tell(
        "headline.hidden" if digest["hidden_moves"] else "headline.none", lang, n=digest["hidden_moves"], **slots
    )


def period_text(digest: Object, lang: str) -> str:
    key = "period" if digest["complete"] else "period.running"
    return tell(key, lang, name=digest["period"], first=digest["from"], last=digest["until"])


def digest_lines(digest: Object, lang: str, *, everything: bool = False) -> Iterator[str]:
    """The whole digest as lines of plain text; sections in which nothing stands are left out."""
    yield clean(headline(digest, lang))
    limit = None if everything else MOST
    for title, lines in sections(digest, lang):
        if lines:
            yield ""
            yield title
            yield from (f"  {clean(line)}" for line in lines[:limit])
            if limit is not None and len(lines) > limit:
                yield f"  {tell('more', lang, n=len(lines) - limit)}"
    yield ""
    yield from coverage_lines(digest, lang)


def sections(digest: Object, lang: str) -> Iterator[tuple[str, Sequence[str]]]:
    """Title and lines of each section, in the order in which they are read."""
    moves, names = digest["moves"], digest["names"]
    for key, kinds in (("moved", ("up", "down")), ("listed", ("new", "gone")), ("told", ("announced", "withdrawn"))):
        yield tell(f"title.{key}", lang), [move_line(move, lang, names) for move in moves if move["kind"] in kinds]
    yield tell("title.cheapest", lang), cheapest_lines(digest["cheapest"], lang, names)
    conflicts = digest["conflicts"]
    yield tell("title.opened", lang), [_dispute(row, lang, names) for row in conflicts["opened"]]
    yield tell("title.settled", lang), [_dispute(row, lang, names) for row in conflicts["settled"]]
    yield tell("title.stale", lang), [_stale(row, lang) for row in digest["stale"]]
    yield tell("title.readings", lang), [_reading(row, lang) for row in digest["readings"]]


def cheapest_lines(rows: Sequence[Object], lang: str, names: Object) -> list[str]:
    """A table: GPU, plan, lowest price, its provider, the day it was seen, and the week before."""
    table = []
    for row in rows:
        now, before = row["now"], row["before"]
        if now is None:
            said = (tell("cheapest.gone", lang), "", "")
        else:
            day = now["seen"] + (tell("cheapest.stale", lang) if now["stale"] else "")
            said = (_usd(now), provider_text(now["provider"], lang, names), day)
        was = (
            tell("cheapest.new", lang)
            if before is None
            else f"{_usd(before)} {provider_text(before['provider'], lang, names)}"
        )
        moved = "=" if row["percent"] == 0 else signed(row["percent"]) if row["percent"] is not None else ""
        memory = "" if row["memory_gb"] is None else f" {row['memory_gb']:g} GB"
        table.append((f"{row['gpu']}{memory}", word("plan", row["plan"], lang), *said, was, moved))
    return aligned(table, right=(2,)) if table else []


def _usd(price: Object) -> str:
    return unit_price(Decimal(str(price["usd_per_gpu_hour"])))


def _dispute(row: Object, lang: str, names: Object) -> str:
    used, other = row["used"], row["other"]
    slots = {
        "thing": thing_text(row, lang, names),
        "used": used["says"], "used_source": used["source"], "used_seen": used["seen"],
        "other": other["says"], "other_source": other["source"], "other_seen": other["seen"],
    }  # fmt: skip
    said = tell("dispute", lang, **slots)
    return said + (tell("dispute.because", lang, because=row["because"]) if row["because"] else "")


def _stale(row: Object, lang: str) -> str:
    name = f"{row['provider']}/{row['source']}" if row["provider"] and "/" not in row["source"] else row["source"]
    return tell("stale", lang, source=name, date=row["last_look"], n=row["lines"])


def _reading(row: Object, lang: str) -> str:
    tflops = row.get("tflops")
    slots = {
        "host": row.get("host"), "gpu": row.get("gpu") or "?", "dtype": row.get("dtype") or "?",
        "tflops": "?" if tflops is None else count(Decimal(str(tflops)), 1),
        "verdict": word("verdict", str(row.get("verdict") or "?"), lang), "date": row.get("date") or "?",
    }  # fmt: skip
    return tell("reading", lang, **slots)


def coverage_lines(digest: Object, lang: str) -> Iterator[str]:
    """What was looked at: without it "nothing moved" would mean nothing."""
    cover = digest["coverage"]
    feeds = cover["feeds"]
    yield tell(
        "coverage", lang, up=cover["feeds_up"], feeds=len(feeds), looked=cover["knowledge_sources_looked_at"],
        sources=cover["knowledge_sources"],
    )  # fmt: skip
    down = [tell("coverage.since", lang, source=feed["source"], date=feed["last"]) for feed in feeds if not feed["up"]]
    if down:
        yield tell("coverage.down", lang, sources=join(down, lang))
    fresh = [feed["source"] for feed in feeds if feed["first_time"]]
    if fresh:
        yield tell("coverage.first", lang, sources=join(fresh, lang))


SENTENCES: dict[str, tuple[str, str]] = {
    "period": ("{name} ({first} to {last})", "{name}（{first} 至 {last}）"),
    "period.running": ("{name} so far ({first} to {last})", "{name} 截至目前（{first} 至 {last}）"),
    "headline.no_data": (
        "{period}: no price source was read, so nothing is known of what moved",
        "{period}：没有读取任何价格源，价格变动情况未知",
    ),
    "headline.up": (
        "{period}: biggest move is up, {thing}, {was} → {now} ({percent})",
        "{period}：最大变动为上涨，{thing}，{was} → {now}（{percent}）",
    ),
    "headline.down": (
        "{period}: biggest move is down, {thing}, {was} → {now} ({percent})",
        "{period}：最大变动为下跌，{thing}，{was} → {now}（{percent}）",
    ),
    "headline.more": ("; {n} more {n:move/moves}", "；另有 {n} 项变动"),
    "headline.listed": (
        "{period}: no price changed; {n} {n:offer was/offers were} listed, announced or withdrawn",
        "{period}：没有价格变化；{n} 项上架、公布或下架",
    ),
    "headline.none": ("{period}: nothing moved at the sources that were read", "{period}：已读取的来源没有变动"),
    "headline.hidden": (
        "{period}: nothing moved by as much as you asked to hear of ({n} smaller {n:move/moves})",
        "{period}：没有达到阈值的变动（另有 {n} 项较小变动）",
    ),
    "title.moved": ("Up and down", "涨跌"),
    "title.listed": ("New and gone", "上架与消失"),
    "title.told": ("Announced and withdrawn", "公布与停售"),
    "title.cheapest": ("Cheapest per GPU-hour (USD), with the period before", "每 GPU 小时最低价（美元）及上期"),
    "title.opened": ("Sources that now disagree", "新出现的来源分歧"),
    "title.settled": ("Disagreements that ended", "已解决的分歧"),
    "title.stale": ("Due for a check", "到期待核对"),
    "title.readings": ("The team's own readings", "团队实测"),
    "cheapest.gone": ("none now", "暂无"),
    "cheapest.new": ("none before", "上期无"),
    "cheapest.stale": (" (due for a check)", "（待核对）"),
    "dispute": (
        "{thing}: {used} ({used_source}, {used_seen}) against {other} ({other_source}, {other_seen})",
        "{thing}：{used}（{used_source}，{used_seen}）与 {other}（{other_source}，{other_seen}）不一致",
    ),
    "dispute.because": ("; settled: {because}", "；已裁定：{because}"),
    "stale": ("{source}: last looked at on {date}, {n} {n:price/prices}", "{source}：上次核对 {date}，{n} 个价格"),
    "reading": (
        "{host}: {gpu}, {dtype}, {tflops} TFLOPS, {verdict} ({date})",
        "{host}：{gpu}，{dtype}，{tflops} TFLOPS，{verdict}（{date}）",
    ),
    "more": ("{n} more; --json has them all", "另有 {n} 条；--json 可查看全部"),
    "coverage": (
        "Coverage: {up} of {feeds} feeds read, {looked} of {sources} sources of the knowledge folder looked at. What was not read is not known, which is not the same as unchanged.",
        "覆盖：读取了 {up}/{feeds} 个价格源，核对了 {looked}/{sources} 个资料来源。未读取的情况未知，不等于没有变化。",
    ),
    "coverage.down": ("Not read in this period: {sources}", "本期未读取：{sources}"),
    "coverage.since": ("{source} (last {date})", "{source}（上次 {date}）"),
    "coverage.first": ("Read for the first time: {sources}", "首次读取：{sources}"),
}
