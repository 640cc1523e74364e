"""The messages and the form of ``/gpu-bench``: values in, blocks out."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import slackblocks as sb

from bot.bench.agent import DTYPES
from bot.render import bench as report
from bot.render import figures
from bot.slack import ids
from bot.slack.bench.words import say
from bot.slack.text import clip, escape, mrkdwn, plain
from bot.slack.views import kit
from bot.slack.views.kit import Json, Message

_MOST_POINTS, _MOST_ROWS, _MOST_CARDS = 12, 20, 16
_MOST_OPTIONS = 100
_OWN = "own"  # stands for the dtype that the card itself is measured by
NOT_SAID = "not-said"  # stands for no order
FILE_ENDINGS = ("jsonl", "json", "txt", "text", "log")


@dataclass(frozen=True, slots=True)
class About:
    """Which run a message is about."""

    key: str  # of the message, by which its controls find the run
    host: str
    dtype: str | None
    quick: bool
    user: str
    lang: str
    who: str = ""  # the name of that user, as it is shown


@dataclass(frozen=True, slots=True)
class Price:
    """What one PFLOPS costs for an hour by a rate that was measured."""

    offer: str
    usd_per_pflop_hour: Decimal
    usd_per_gpu_hour: Decimal
    tflops: Decimal
    age_days: int


@dataclass(frozen=True, slots=True)
class Point:
    """One reading of a host."""

    at: datetime
    tflops: Decimal


def options_of(dtype: str | None, quick: bool, lang: str) -> str:
    return (say("run.dtype", lang, dtype=dtype) if dtype else "") + (say("run.quick", lang) if quick else "")


def title(about: About) -> str:
    return say("run.title", about.lang, host=about.host, options=options_of(about.dtype, about.quick, about.lang))


# ---------------------------------------------------------------- a run on its way


def doing(note: Mapping[str, Any], lang: str) -> str:
    """What a running benchmark does now, from the progress that it told."""
    if note.get("state") == "stopping":
        return say("run.stopping", lang)
    if note.get("state") == "queued":
        return say("run.queued", lang)
    if note.get("step") is None:
        return say("run.connecting", lang)
    share = Decimal(str(note.get("share") or 0))
    return say("run.step", lang, step=report.step_name(note, lang), share=figures.percent(share, 0))


def waiting(ahead: int, lang: str) -> str:
    return say("run.ahead", lang, n=ahead) if ahead else say("run.queued", lang)


def live(about: About, line: str, *, note: str = "") -> Message:
    """A run that waits or runs, with a button that cancels it."""
    lines = [title(about), line, *([note] if note else [])]
    shown = "\n".join([f"*{mrkdwn(lines[0])}*", *(mrkdwn(one) for one in lines[1:])])
    buttons = [kit.button(say("run.cancel", about.lang), ids.BENCH_CANCEL, about.key)]
    blocks = kit.dump([kit.section(shown, "bench"), kit.actions(buttons, "bench_actions"), _by(about)])
    return Message(kit.top_text(lines), blocks, blocks)


def ended(about: About, line: str) -> Message:
    """A run without a result: cancelled, given up."""
    lines = [title(about), line]
    blocks = kit.dump([kit.section(f"*{mrkdwn(lines[0])}*\n{mrkdwn(line)}", "bench"), _again(about), _by(about)])
    return Message(kit.top_text(lines), blocks, blocks)


def _by(about: About) -> Any:
    return kit.context([say("run.by", about.lang, user=mrkdwn(about.who or about.user))], "bench_by")


def _again(about: About) -> Any:
    value = json.dumps({"host": about.host, "dtype": about.dtype, "quick": about.quick}, separators=(",", ":"))
    return kit.actions([kit.button(say("run.again", about.lang), ids.BENCH_AGAIN, value)], "bench_actions")


# ---------------------------------------------------------------- a result


def result(about: About, record: Mapping[str, Any], points: Sequence[Point], price: str) -> Message:
    """The verdict, what it rests on, a table of the GPUs, the earlier readings, and what the rate costs."""
    lang = about.lang
    text = chart_text(points, lang)
    chart_ = [chart(about, record, points)] if len(points) > 1 else []
    told = [kit.context([mrkdwn(text)], "bench_points")] if text else []
    return _report(title(about), record, price, lang, chart_, [*told, _again(about), _by(about)], text)


def reported(record: Mapping[str, Any], lang: str) -> Message:
    """The verdict on a result file: marked above and below, with nothing to press, for no host of ours is behind it."""
    ordered = record.get("ordered_as")
    order = say("file.ordered", lang, model=ordered) if ordered else ""
    note = say("file.note", lang)
    first = say("file.title", lang)
    last = [kit.context([mrkdwn(note)], "bench_note")]
    return _report(first, record, order, lang, [], last, note, above=first)


def _report(
    first: str, record: Mapping[str, Any], more: str, lang: str, chart_: Sequence[Any], last: Sequence[Any],
    twin: str, *, above: str = "",
) -> Message:  # fmt: skip
    """A record as a message. ``first`` begins its text, ``twin`` ends it and says ``chart_`` or ``last`` in words."""
    table = report.node_table(record, lang)
    rows = frozenset(table)
    said = [line for line in report.report_lines(record, lang) if line and line not in rows]
    head, rest = said[0], [*said[1:], *([more] if more else [])]
    shown = [f"*{mrkdwn(one)}*" for one in (above, head) if one]
    words = kit.section("\n".join([*shown, *(mrkdwn(one) for one in rest)]), "bench")
    rich: list[Any] = [words]
    cards = cards_table(record, lang)
    if cards is not None:
        rich.append(cards)
    plainer = [words]
    if table:
        plainer.append(kit.section("```\n" + escape("\n".join(table)).replace("`", "ˋ")[:2_800] + "\n```", "table"))
    return Message(
        kit.top_text([first, *said, more, twin]),
        kit.dump([*rich, *chart_, *last]),
        kit.dump([*plainer, *last]),
    )


def cards_table(record: Mapping[str, Any], lang: str) -> Any | None:
    """One row for each GPU; None when nothing was measured."""
    cards = (record.get("gpus") or ())[:_MOST_CARDS]
    if not cards or record.get("tflops") is None:
        return None
    names = ("gpu", "verdict", "tflops", "share", "mhz", "watt", "heat")
    rows = []
    for card in cards:
        steady = card.get("steady") or {}
        share = card.get("share_expected")
        rows.append([
            str(card.get("index")), report.word("verdict.short", card.get("verdict"), lang),
            report.rate(card.get("tflops")) if card.get("tflops") is not None else "–",
            figures.percent(Decimal(str(share))) if share is not None else "–",
            *(_whole(steady.get(name)) for name in ("mean_mhz", "mean_w", "max_c")),
        ])  # fmt: skip
    titles = [report.say(f"column.{name}", lang) for name in names]
    right = [n not in (1,) for n in range(len(names))]
    return kit.table(titles, rows, right, [False] * len(names), "bench_cards")


def _whole(value: Any) -> str:
    return "–" if isinstance(value, bool) or not isinstance(value, (int, float)) else f"{value:,.0f}"


def chart(about: About, record: Mapping[str, Any], points: Sequence[Point]) -> Any:
    """Earlier readings and this one as a line; its text twin is ``chart_text``."""
    labels = _labels(points)
    name = clip(plain(str(record.get("dtype") or "TFLOPS")), 20)
    series = sb.DataSeries(
        name, [sb.DataPoint(label, float(one.tflops)) for label, one in zip(labels, points, strict=True)]
    )
    heading = say("chart.title", about.lang, dtype=record.get("dtype") or "", host=about.host)
    axes = sb.AxisConfig(labels, y_label="TFLOPS")
    return sb.DataVisualizationBlock(clip(plain(heading), 50), sb.LineChart([series], axes), block_id="bench_chart")


def _labels(points: Sequence[Point]) -> list[str]:
    """A label of its own for each: the day, with the time where a day has several, with a number where even that is
    one."""
    days = [one.at.strftime("%m-%d") for one in points]
    named = days if len(set(days)) == len(days) else [one.at.strftime("%m-%d %H:%M") for one in points]
    seen: dict[str, int] = {}
    found = []
    for label in named:
        seen[label] = seen.get(label, 0) + 1
        found.append(label if seen[label] == 1 else f"{label} #{seen[label]}")
    return found


def chart_text(points: Sequence[Point], lang: str) -> str:
    """The chart in words; empty for a first reading."""
    if len(points) < 2:
        return ""
    said = [f"{one.at.date().isoformat()} {report.rate(one.tflops)}" for one in points]
    return say("chart.text", lang, points=" · ".join(said))


def latest(points: Sequence[Point]) -> list[Point]:
    """The newest readings that a chart holds, the oldest first."""
    return sorted(points, key=lambda one: one.at)[-_MOST_POINTS:]


def price_line(price: Price | None, offer: str | None, lang: str) -> str:
    if offer is None:
        return say("price.no_offer", lang)
    if price is None:
        return say("price.none", lang, offer=offer)
    return say(
        "price", lang, usd=figures.money(price.usd_per_pflop_hour), gpu_hour=figures.unit_price(price.usd_per_gpu_hour),
        offer=price.offer, age=price.age_days, tflops=report.rate(price.tflops),
    )  # fmt: skip


# ---------------------------------------------------------------- lists


def known(names: Sequence[str], lang: str) -> str:
    """The names of the registered hosts, as many as a sentence bears."""
    return ("、" if lang == "zh" else ", ").join(names[:_MOST_ROWS]) + (" …" if len(names) > _MOST_ROWS else "")


def hosts(rows: Sequence[tuple[str, str, str | None, str | None]], lang: str) -> Message:
    """Name, state, what was ordered and the last reading; never an address."""
    cells = [
        (name, report.word("state", state, lang), ordered or "", last or "") for name, state, ordered, last in rows
    ]
    return listed(say("hosts.title", lang), cells)


def listed(head: str, rows: Sequence[Sequence[str]], note: str = "") -> Message:
    """A title and a line for each row."""
    shown = rows[:_MOST_ROWS]
    text = f"*{mrkdwn(head)}*\n{kit.listed(shown)}"
    blocks = [kit.section(text, "bench"), *([kit.context([mrkdwn(note)], "note")] if note else [])]
    lines = [head, *(" · ".join(cell for cell in row if cell) for row in shown), note]
    dumped = kit.dump(blocks)
    return Message(kit.top_text(lines), dumped, dumped)


def history_row(host: str, at: date, gpu: str | None, dtype: str | None, tflops: Any, verdict: str | None, lang: str) -> list[str]:  # fmt: skip  # noqa: E501
    rate = "" if tflops is None else f"{report.rate(tflops)} TFLOPS"
    return [host, at.isoformat(), gpu or "", dtype or "", rate, report.word("verdict.short", verdict, lang)]


# ---------------------------------------------------------------- all hosts


def ask_all(names: Sequence[str], dtype: str | None, quick: bool, lang: str) -> Message:
    """The question whether every host is to be measured."""
    seconds = 20 if quick else 60
    sentence = say("all.ask", lang, n=len(names), hosts=known(names, lang), seconds=seconds)
    value = json.dumps({"dtype": dtype, "quick": quick}, separators=(",", ":"))
    buttons = [kit.button(say("all.yes", lang), ids.BENCH_ALL, value, primary=True)]
    blocks = kit.dump([kit.section(mrkdwn(sentence), "bench"), kit.actions(buttons, "bench_actions")])
    return Message(escape(sentence), blocks, blocks)


@dataclass(frozen=True, slots=True)
class Rank:
    """A host of a ranking; ``line`` is what it does as long as it has no rate."""

    host: str
    over: bool
    line: str
    tflops: Decimal | None = None
    verdict: str | None = None
    usd: Decimal | None = None


def ranking(about: About, rows: Sequence[Rank]) -> Message:
    """The hosts, the fastest first, then those without a rate; with a button as long as some are not done."""
    lang = about.lang
    total, done = len(rows), sum(one.over for one in rows)
    head = say("all.title", lang, options=options_of(about.dtype, about.quick, lang))
    state = say("all.done", lang) if done == total else say("all.open", lang, done=done, total=total)
    ordered = sorted(rows, key=lambda one: (one.tflops is None, -(one.tflops or 0), one.host))
    cells = [_rank_cells(n, one, lang) for n, one in enumerate(ordered[:_MOST_ROWS], 1)]
    titles = [say(f"column.{name}", lang) for name in ("rank", "host", "verdict", "tflops", "usd")]
    words = kit.section(f"*{mrkdwn(head)}*\n{mrkdwn(state)}", "bench")
    last: list[Any] = [_by(about)]
    if done < total:
        last.insert(0, kit.actions([kit.button(say("run.cancel", lang), ids.BENCH_CANCEL, about.key)], "bench_actions"))
    table = kit.table(titles, cells, [True, False, False, True, True], [False] * 5, "bench_rank")
    lines = [head, state, *(" · ".join(cell for cell in row if cell) for row in cells)]
    text = kit.section(kit.listed(cells), "bench_rank")
    return Message(kit.top_text(lines), kit.dump([words, table, *last]), kit.dump([words, text, *last]))


def _rank_cells(n: int, one: Rank, lang: str) -> list[str]:
    if one.tflops is None:
        return ["–", one.host, one.line, "–", "–"]
    usd = "–" if one.usd is None else figures.money(one.usd)
    return [str(n), one.host, report.word("verdict.short", one.verdict, lang), report.rate(one.tflops), usd]


# ---------------------------------------------------------------- the form


def form(
    names: Sequence[str], place: Mapping[str, Any], lang: str, *, models: Sequence[str] = (), note: str = "",
    file: str = "typed",
) -> Json:  # fmt: skip
    """Host, dtype and duration to choose from, or a result file: nothing can be typed.

    Without ``names`` it takes a file alone, and ``note`` says why. ``file``: "typed" for one with an ending of
    FILE_ENDINGS, "any" for one with any ending, "none" where the app may not read files.
    """
    blocks: list[Any] = [kit.context([mrkdwn(note)], "note")] if note else []
    blocks += _host_inputs(names, lang) if names else []
    blocks += _file_inputs(models, lang, file, alone=not names) if file != "none" else []
    about = "" if names else ".file"
    view = sb.ModalView(
        title=kit.label(say(f"form.title{about}", lang), kit.MODAL_TITLE),
        submit=kit.label(say(f"form.submit{about}", lang), kit.MODAL_TITLE),
        close=kit.label(say("form.cancel", lang), kit.MODAL_TITLE),
        callback_id=ids.BENCH_FORM,
        private_metadata=json.dumps({"place": dict(place)}, separators=(",", ":")),
        blocks=blocks,
    )
    return dict(json.loads(json.dumps(view._resolve())))  # noqa: SLF001  (its way to JSON)


def _host_inputs(names: Sequence[str], lang: str) -> list[Any]:
    hosts_ = [kit.option(name, name) for name in names[:100]]
    dtypes = [kit.option(say("form.dtype.own", lang), _OWN), *(kit.option(one, one) for one in DTYPES)]
    quick = [kit.option(say("form.quick.yes", lang), "quick")]
    return [
        sb.InputBlock(
            kit.label(say("form.host", lang), 200), sb.StaticSelectMenu("host", hosts_, initial_option=hosts_[0]),
            block_id="host",
        ),
        sb.InputBlock(
            kit.label(say("form.dtype", lang), 200), sb.StaticSelectMenu("dtype", dtypes, initial_option=dtypes[0]),
            block_id="dtype", optional=True,
        ),
        sb.InputBlock(
            kit.label(say("form.quick", lang), 200), sb.CheckboxGroup("quick", quick), block_id="quick", optional=True
        ),
    ]  # fmt: skip


def _file_inputs(models: Sequence[str], lang: str, file: str, *, alone: bool) -> list[Any]:
    """One file, and what its box was ordered as."""
    endings = list(FILE_ENDINGS) if file == "typed" else None
    label = say("form.file.only" if alone else "form.file", lang)
    inputs: list[Any] = [
        sb.InputBlock(
            kit.label(label, 200), sb.FileInput("file", endings, 1), block_id="file",
            hint=kit.label(say("form.file.hint", lang), 200), optional=not alone,
        )
    ]  # fmt: skip
    if models:
        none = kit.option(say("form.ordered.none", lang), NOT_SAID)
        options = [none, *(kit.option(one, one) for one in models[: _MOST_OPTIONS - 1])]
        menu = sb.StaticSelectMenu("ordered", options, initial_option=none)
        inputs.append(sb.InputBlock(kit.label(say("form.ordered", lang), 200), menu, block_id="ordered", optional=True))
    return inputs


def file_of(state: Mapping[str, Any]) -> str | None:
    """The id of the file that a submitted form holds; None where it holds none."""
    element = ((state.get("values") or {}).get("file") or {}).get("file") or {}
    files = element.get("files") or []
    return str(files[0].get("id") or "") if files and isinstance(files[0], Mapping) else None
