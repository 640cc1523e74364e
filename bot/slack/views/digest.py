"""The digest of a channel as a message, with its chart, and the form that asks for one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

import slackblocks as sb

from bot.digest.trend import Trend
from bot.render import digest as words
from bot.render import phrases
from bot.render.figures import unit_price
from bot.render.prices import provider_text, signed
from bot.slack import ids
from bot.slack.text import clip_lines, mrkdwn, tell
from bot.slack.views import forms, kit
from bot.slack.views.kit import Json, Message
from bot.store.digests import Subscription

_ROWS = 8  # of the table, the heading not counted
_ROOMS = (2_000, 1_200, 600, 250)  # for one section, less at each try
_READ_ALOUD = 4  # moves in the top-level text
LANGS = ("en", "zh")
PERIODS = ("weekly", "monthly")


def message(report: Mapping[str, Any], trend: Trend | None, channel: str, lang: str, *, subscribed: bool) -> Message:
    """The message of a digest, as ``digest_json`` gives it, within every limit of Slack."""
    headline = words.headline(report, lang)
    sections = [(title, list(lines)) for title, lines in words.sections(report, lang) if lines]
    twin = list(chart_lines(trend, lang))
    moved = sections[0][1][:_READ_ALOUD] if report["moves"] and sections else []
    blocks: tuple[Json, ...] = ()
    for room in _ROOMS:
        blocks = kit.dump(_blocks(report, trend, channel, lang, sections, room, subscribed))
        if kit.size(blocks) <= kit.MOST_BLOCKS_CHARS:
            break
    plainer = [
        kit.section(f"*{mrkdwn(headline)}*", "headline"),
        *([kit.titled(tell("digest.chart", lang), "\n".join(twin), "trend")] if twin else []),
        *_told(report, lang, sections, 900),
        kit.context([mrkdwn(line) for line in words.coverage_lines(report, lang)], "coverage"),
        _controls(channel, lang, subscribed=subscribed),
    ]
    picture = None if trend is None else _picture(trend, report["period"], twin, lang)
    return Message(kit.top_text([headline, *moved, *twin]), blocks, kit.dump(plainer), picture)


def _blocks(
    report: Mapping[str, Any], trend: Trend | None, channel: str, lang: str,
    sections: Sequence[tuple[str, Sequence[str]]], room: int, subscribed: bool,
) -> list[Any]:  # fmt: skip
    cheapest = _cheapest_title(lang)
    found = [kit.said([(words.headline(report, lang), True)], "headline")]
    if trend is not None:
        found.append(_chart(trend, lang))
    found += _told(report, lang, [one for one in sections if one[0] != cheapest][:6], room)
    if report["cheapest"]:
        found.append(_table(report["cheapest"], lang, report["names"]))
    found.append(kit.context([mrkdwn(line) for line in words.coverage_lines(report, lang)], "coverage"))
    found.append(_controls(channel, lang, subscribed=subscribed))
    return found


def _cheapest_title(lang: str) -> str:
    """The title of the section that a table stands for where there are tables."""
    return words.tell("title.cheapest", lang)


def _told(
    report: Mapping[str, Any], lang: str, sections: Sequence[tuple[str, Sequence[str]]], room: int
) -> Iterator[Any]:  # fmt: skip
    for n, (title, lines) in enumerate(sections):
        kept = clip_lines(list(lines), room, "…")
        left = len(lines) - len([line for line in kept.split("\n") if line != "…"])
        more = tell("digest.more", lang, n=left, period=report["period"]) if left > 0 else ""
        text = "\n".join(f"• {line}" for line in kept.split("\n") if line != "…")
        yield kit.titled(title, "\n".join(part for part in (text, more) if part), f"part_{n}")


# ---------------------------------------------------------------- the chart and its twin in words


def _chart(trend: Trend, lang: str) -> Any:
    days = [f"{day:%m-%d}" for day in trend.days]
    series = [
        sb.DataSeries(gpu[:20], [sb.DataPoint(day, float(price)) for day, price in zip(days, points, strict=True)])
        for gpu, points in trend.series
    ]
    chart = sb.LineChart(series, sb.AxisConfig(days, y_label="$"))
    return sb.DataVisualizationBlock(tell("digest.chart", lang)[:50], chart, block_id="chart")


def _picture(trend: Trend, period: str, twin: Sequence[str], lang: str) -> kit.Picture:
    """The same lines as a picture, for a workspace without charts."""
    from bot.render.picture import png

    name = f"gpu-prices-{period}.png"
    return kit.Picture(lambda: png(trend.days, trend.series), name, tell("digest.chart", lang), "\n".join(twin))


def chart_lines(trend: Trend | None, lang: str) -> Iterator[str]:
    """What the chart shows, in words: the first and the last price of each line."""
    if trend is None:
        return
    for gpu, points in trend.series:
        yield tell(
            "digest.chart.twin", lang, gpu=gpu, first=unit_price(points[0]), last=unit_price(points[-1]),
            from_=trend.days[0].isoformat(), until=trend.days[-1].isoformat(),
        )  # fmt: skip


def _table(rows: Sequence[Mapping[str, Any]], lang: str, names: Mapping[str, Any]) -> Any:
    titles = [tell(f"digest.column.{key}", lang) for key in ("gpu", "plan", "now", "at", "before")]
    first = sorted(rows, key=lambda row: row["plan"] != "on_demand")  # stable: the digest's own order within
    cells = [_cells(row, lang, names) for row in first[:_ROWS]]
    return kit.table(titles, cells, [False, False, True, False, True], [True] * 5, "cheapest")


def _cells(row: Mapping[str, Any], lang: str, names: Mapping[str, Any]) -> list[str]:
    memory = "" if row["memory_gb"] is None else f" {row['memory_gb']:g} GB"
    now, before = row["now"], row["before"]
    was = "–" if before is None else unit_price(_usd(before))
    if row["percent"]:
        was += f" ({signed(row['percent'])})"
    price = at = "–"
    if now is not None:
        old = words.tell("cheapest.stale", lang) if now["stale"] else ""
        price, at = unit_price(_usd(now)), f"{provider_text(now['provider'], lang, names)}, {now['seen']}{old}"
    return [f"{row['gpu']}{memory}", phrases.plan(row["plan"], lang), price, at, was]


def _usd(price: Mapping[str, Any]) -> Decimal:
    return Decimal(str(price["usd_per_gpu_hour"]))


def _controls(channel: str, lang: str, *, subscribed: bool) -> Any:
    if not subscribed:
        return kit.actions([kit.button(tell("digest.subscribe", lang), ids.DIGEST_CHANGE, channel)], "controls")
    change = kit.button(tell("digest.change", lang), ids.DIGEST_CHANGE, channel)
    return kit.actions([change, kit.button(tell("digest.stop", lang), ids.DIGEST_STOP, channel)], "controls")


def note(said: str, channel: str, lang: str) -> tuple[Json, ...]:
    """A sentence (ready mrkdwn) about a channel's digest, with the controls of it."""
    return kit.dump([kit.section(said, "said"), _controls(channel, lang, subscribed=True)])


# ---------------------------------------------------------------- the form


def form(wish: Subscription, about: Mapping[str, Any], lang: str) -> Json:
    """The form of a channel's digest, filled with what the channel gets now or would get."""
    weekday = wish.weekday or 0
    percent = "" if wish.threshold is None else f"{(wish.threshold * 100).normalize():f}"
    blocks = [
        _menu("period", [(one, tell(f"period.{one}", lang)) for one in PERIODS], wish.period, lang),
        _menu("weekday", [(str(n), tell(f"weekday.{n}", lang)) for n in range(7)], str(weekday), lang),
        _menu("hour", [(str(n), f"{n:02}:00") for n in range(24)], str(wish.hour), lang),
        _text("zone", wish.zone, lang, hint=True, optional=False),
        _text("gpus", ", ".join(wish.gpus), lang, hint=True),
        _text("threshold", percent, lang),
        _menu("lang", [(one, tell(f"lang.{one}", lang)) for one in LANGS], wish.lang, lang),
    ]
    title, submit = tell("subscribe.title", lang), tell("subscribe.submit", lang)
    return forms.form(title, submit, ids.SUBSCRIBE_FORM, about, blocks, lang)


def _menu(name: str, choices: Sequence[tuple[str, str]], chosen: str, lang: str) -> Any:
    options = [kit.option(label, value) for value, label in choices]
    initial = next((one for one, (value, _) in zip(options, choices, strict=True) if value == chosen), options[0])
    menu = sb.StaticSelectMenu(name, options, initial_option=initial)
    return sb.InputBlock(kit.label(tell(f"subscribe.{name}", lang), 200), menu, block_id=name)


def _text(name: str, value: str, lang: str, *, hint: bool = False, optional: bool = True) -> Any:
    element = sb.PlainTextInput(action_id=name, initial_value=value[:300] or None, max_length=300)
    said = kit.label(tell(f"subscribe.{name}.hint", lang), 200) if hint else None
    label = kit.label(tell(f"subscribe.{name}", lang), 200)
    return sb.InputBlock(label, element, block_id=name, hint=said, optional=optional)


# ---------------------------------------------------------------- a subscription in words


def spoken(wish: Subscription, lang: str, reason: str | None = None) -> str:
    """What a channel gets and when, as a part of a sentence."""
    weekday = "" if wish.weekday is None else tell(f"weekday.{wish.weekday}", lang)
    time = f"{wish.hour:02}:{wish.minute:02}"
    parts = [tell(f"subscription.{wish.period}", lang, weekday=weekday, time=time, zone=wish.zone)]
    if wish.gpus:
        parts.append(tell("subscription.gpus", lang, gpus=", ".join(wish.gpus)))
    if wish.exclude_gpus:
        parts.append(tell("subscription.without", lang, gpus=", ".join(wish.exclude_gpus)))
    if wish.threshold:
        percent = f"{(wish.threshold * 100).normalize():f}"
        parts.append(tell("subscription.threshold", lang, percent=percent))
    if reason is not None:
        parts.append(tell("subscription.paused", lang, reason=reason))
    return ("；" if lang == "zh" else "; ").join(parts)
