"""The message of an answer: what it costs, one small table, how it came about, from where, and what to change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from bot.render import phrases
from bot.render.document import Document
from bot.render.shapes import Column, Row, Section, Table
from bot.slack import ids
from bot.slack.ids import Ref, with_key
from bot.slack.text import clip_lines, mrkdwn, tell
from bot.slack.views import kit
from bot.slack.views.kit import Json, Message

MOST_ROWS, MOST_COLUMNS = 5, 5  # of the table, its heading counted
_READY, _NEAREST = 5, 3  # ready questions to pick from; nearest GPUs
_SOURCES = 3
_ALSO = 4
# Columns in the order in which they are worth their place; what does not fit is in "All offers".
_WORTH = (
    "provider", "gpus", "hours", "total", "use", "hours_month", "pay_months", "hour", "gpu_hour", "age", "left", "plan",
    "baseline", "rate",
)  # fmt: skip
_FOLDED = ("how", "instead", "reasons", "conflicts", "left_out", "assumptions")
_DETAILS = (7_000, 4_500, 2_500, 1_200, 500)  # room for the folded part, less at each try
_HOURS = (24, 72, 168, 730, 2190, 8760)
_PLACES = ("us", "eu", "uk", "cn", "apac", "jp", "sg", "in", "ca", "au")


@dataclass(frozen=True, slots=True)
class Shown:
    """What the message is made of: the words, the object they come from, and whose answer it is."""

    document: Document
    body: Mapping[str, Any]  # the stored object
    ref: Ref
    places: frozenset[str] = frozenset(_PLACES)  # regions that the knowledge has offers in
    note: str = ""  # a sentence in front, such as whose version this is


def message(shown: Shown) -> Message:
    """The message of an answer, within every limit of Slack."""
    document = shown.document
    spoken = [shown.note, document.headline, *document.also[:_ALSO]]
    blocks: tuple[Json, ...] = ()
    for room in _DETAILS:
        blocks = kit.dump(_blocks(shown, room))
        if kit.size(blocks) <= kit.MOST_BLOCKS_CHARS:
            break
    return Message(kit.top_text(spoken), blocks, kit.dump(_plainer(shown)))


def _blocks(shown: Shown, room: int) -> list[Any]:
    document = shown.document
    found = [kit.said(_first_lines(shown), "headline")]
    table = _table(document)
    if table is not None:
        found.append(table)
    details = _details(shown, room)
    if details:
        found.append(kit.folded(tell("details.title", document.lang), details, "details"))
    found.append(kit.context(_small_print(shown), "small_print"))
    controls = _controls(shown)
    if controls:
        found.append(kit.actions(controls, "controls"))
    found.append(_feedback(shown))
    return found


def _plainer(shown: Shown) -> list[Any]:
    """The same without the newer blocks."""
    document = shown.document
    lines = _first_lines(shown)
    text = "\n".join(f"*{mrkdwn(line)}*" if bold else mrkdwn(line) for line, bold in lines)
    found = [kit.section(text, "headline")]
    cells = _cells(document)
    if cells is not None:
        found.append(kit.section(kit.listed(cells[1]), "rows"))
    found.append(kit.context(_small_print(shown), "small_print"))
    controls = _controls(shown)
    if controls:
        found.append(kit.actions(controls, "controls"))
    return found


def _first_lines(shown: Shown) -> list[tuple[str, bool]]:
    document = shown.document
    lines = [(shown.note, False)] if shown.note else []
    lines += [(document.headline, True), *((line, False) for line in document.also[:_ALSO])]
    for section in document.sections:
        if section.main and section.lines:
            text = clip_lines(section.lines, 1_400, "…")
            lines += [(f"• {line}", False) for line in text.split("\n") if line != document.headline]
    return lines


# ---------------------------------------------------------------- the table


def _table(document: Document) -> Any | None:
    found = _cells(document)
    if found is None:
        return None
    columns, rows = found
    amounts = ("total", "hour", "gpu_hour", "baseline", "left")
    return kit.table(
        [column.title for column in columns], rows, [column.right for column in columns],
        [column.key not in amounts for column in columns], "table",
    )  # fmt: skip


def _cells(document: Document) -> tuple[list[Column], list[list[str]]] | None:
    """The one table, cut to five by five."""
    table = _chosen(document)
    if table is None or not table.rows:
        return None
    kept = _kept_columns(table)
    shown = table.rows[: MOST_ROWS - 1]
    beside = _beside(table, shown, kept)
    rows = [[_with(row.cells, n, beside.get(n, ())) for n in kept] for row in shown]
    return [table.columns[n] for n in kept], rows


def _chosen(document: Document) -> Table | None:
    """A comparison stands side by side; otherwise the ranked offers, and without those the facts."""
    beside = next((one.table for one in document.sections if one.key == "comparison" and one.table is not None), None)
    facts = next((one.table for one in document.sections if one.table is not None), None)
    return beside or document.table or facts


def _kept_columns(table: Table) -> list[int]:
    keys = [column.key for column in table.columns]
    if not set(keys) & set(_WORTH):
        return list(range(min(len(keys), MOST_COLUMNS)))
    worth = [keys.index(key) for key in _WORTH if key in keys]
    return sorted(worth[:MOST_COLUMNS])


def _beside(table: Table, rows: Sequence[Row], kept: Sequence[int]) -> dict[int, tuple[int, ...]]:
    """Columns without a place of their own whose cells stand beside another: the plan, where plans differ, beside the
    provider, and notes beside the age."""
    keys = [column.key for column in table.columns]
    found: dict[int, tuple[int, ...]] = {}
    for key, host in (("plan", "provider"), ("notes", "age")):
        if key in keys and host in keys and keys.index(key) not in kept:
            n = keys.index(key)
            if key != "plan" or len({row.cells[n] for row in rows}) > 1:
                found[keys.index(host)] = (n,)
    return found


def _with(cells: Sequence[str], n: int, more: Sequence[int]) -> str:
    return " · ".join(text for text in (cells[n], *(cells[k] for k in more)) if text)


# ---------------------------------------------------------------- the folded part and the small print


def _details(shown: Shown, room: int) -> list[Any]:
    """The sections that explain, each with its share of the room."""
    lang = shown.document.lang
    chosen = [section for section in shown.document.sections if section.key in _FOLDED and section.lines]
    chosen += [_in_full(one) for one in shown.document.sections if one.table is not None and one.key not in _FOLDED]
    more = tell("details.more", lang, id=shown.ref.answer)
    shares = _shares(chosen, room)
    return [
        kit.titled(
            "" if section.key == "how" else section.title,
            clip_lines(section.lines, share, more),
            f"details_{section.key}",
        )
        for section, share in zip(chosen, shares, strict=True)
    ]


def _in_full(section: Section) -> Section:
    """A table of facts as lines: the message shows a corner of it only."""
    assert section.table is not None
    titles = [column.title for column in section.table.columns]
    lines = []
    for row in section.table.rows:
        first, *rest = zip(titles, row.cells, strict=True)
        lines.append(f"{first[1]}: " + "; ".join(f"{title} {cell}" for title, cell in rest if cell))
    return Section(section.key, section.title, tuple(lines))


def _shares(sections: Sequence[Section], room: int) -> list[int]:
    """Half of the room for the arithmetic, the rest evenly; nobody gets more than a section holds."""
    if not sections:
        return []
    first = min(room // 2, kit.SECTION - 200)
    rest = max((room - first) // max(len(sections) - 1, 1), 160)
    return [first if section.key == "how" else min(rest, kit.SECTION - 200) for section in sections]


def _small_print(shown: Shown) -> list[str]:
    document, lang = shown.document, shown.document.lang
    pieces = [mrkdwn(text) for text in (document.reading, document.not_used) if text]
    table = document.table
    if table is not None and table is _chosen(document) and len(table.rows) > MOST_ROWS - 1:
        pieces.append(tell("table.rows", lang, shown=MOST_ROWS - 1, total=len(table.rows)))
    pieces += sources(shown.body.get("sources", ()), lang)
    pieces.append(tell("answer.id", lang, id=shown.ref.answer, date=str(shown.body["as_of"])))
    return pieces


def sources(used: Sequence[Mapping[str, Any]], lang: str) -> list[str]:
    """The first sources with their age, each leading to its page."""
    pieces = []
    pages: dict[tuple[str, Any], Mapping[str, Any]] = {}
    for use in used:
        pages.setdefault((str(use["title"]), use.get("url")), use)
    for use in list(pages.values())[:_SOURCES]:
        days = use.get("age_days")
        key = (
            "source.undated" if days is None
            else "source.today" if days == 0
            else "source.stale" if use.get("stale")
            else "source.age"
        )  # fmt: skip
        age = "" if days is None else phrases.short_age(int(days), lang)
        pieces.append(tell(key, lang, title=kit.link(use.get("url"), str(use["title"])), age=age))
    if len(pages) > _SOURCES:
        pieces.append(tell("sources.more", lang, n=len(pages) - _SOURCES))
    return pieces


# ---------------------------------------------------------------- what can be changed


def _controls(shown: Shown) -> list[Any]:
    document, ref = shown.document, shown.ref
    if document.ready:
        return _ready_buttons(shown)
    if not document.actions:
        return []
    found = [
        kit.button(action.label, f"{ids.REFINE}_{action.key}", with_key(action.key, ref))
        for action in document.actions
        if not action.key.startswith(("region_", "any_region", "hours_"))
    ]
    for gb in memories(shown.body):
        key = f"memory_{gb}"
        text = tell("button.memory", document.lang, gb=gb)
        found.append(kit.button(text, f"{ids.REFINE}_{key}", with_key(key, ref)))
    found.append(_region_menu(shown))
    if shown.body["question"].get("intent") != "budget":
        found.append(_hours_menu(shown))
    found.append(kit.button(tell("button.edit", document.lang), ids.EDIT, str(ref)))
    found.append(_more_menu(shown))
    return found


def _ready_buttons(shown: Shown) -> list[Any]:
    """Complete questions to pick from: the nearest GPUs for an unknown one, otherwise what is most often meant."""
    most = _NEAREST if shown.body.get("unread") else _READY
    return [
        kit.button(text, f"{ids.READY}_{n}", with_key(text, shown.ref), primary=n == 0)
        for n, text in enumerate(shown.document.ready[:most])
    ]


def memories(body: Mapping[str, Any]) -> list[int]:
    """The sizes of memory among the quotes, where the question left it open: each is a reading of it."""
    asked = body["question"].get("gpus", [])
    if len(asked) != 1 or asked[0].get("memory_gb") is not None:
        return []
    sizes = {
        quote["gpu_memory_gb"]
        for quote in body.get("quotes", [])
        if quote.get("gpu") == asked[0]["model"] and isinstance(quote.get("gpu_memory_gb"), int)
    }
    return sorted(sizes)[:2] if len(sizes) > 1 else []


def _region_menu(shown: Shown) -> Any:
    lang, ref = shown.document.lang, shown.ref
    known = [place for place in _PLACES if place in shown.places]
    options = [kit.option(tell("menu.region.any", lang), with_key("region_", ref))]
    options += [kit.option(phrases.region(place, lang), with_key(f"region_{place}", ref)) for place in known]
    return kit.menu(tell("menu.region", lang), ids.REFINE_REGION, options)


def _hours_menu(shown: Shown) -> Any:
    lang, ref = shown.document.lang, shown.ref
    options = [
        kit.option(phrases.hours(Decimal(hours), lang), with_key(f"hours_{hours}", ref))
        for hours in _HOURS
    ]  # fmt: skip
    return kit.menu(tell("menu.hours", lang), ids.REFINE_HOURS, options)


def _more_menu(shown: Shown) -> Any:
    lang, ref = shown.document.lang, shown.ref
    quoted = names_a_price(shown.body)
    choices = [choice for choice in ids.MORE_CHOICES if choice != "save" or quoted]
    return kit.overflow(ids.MORE, [kit.option(tell(f"more.{one}", lang), with_key(one, ref)) for one in choices])


def names_a_price(body: Mapping[str, Any]) -> bool:
    """Whether the question names a price to save: one read as a quote, or a number left over beside one provider and
    one GPU."""
    question = body["question"]
    if question.get("quoted") is not None:
        return True
    one = len(question.get("providers", [])) == 1 and len(question.get("gpus", [])) == 1
    return one and any(char.isdigit() for text in body.get("unread", []) for char in str(text))


def _feedback(shown: Shown) -> Any:
    lang, ref = shown.document.lang, shown.ref
    return kit.feedback(
        tell("feedback.good", lang), tell("feedback.bad", lang),
        (tell("feedback.good.label", lang), tell("feedback.bad.label", lang)),
        ids.FEEDBACK, (with_key("good", ref), with_key("bad", ref)), "feedback",
    )  # fmt: skip


def change(key: str, question: Mapping[str, Any]) -> dict[str, Any]:
    """The slots that a control sets: JSON values, None takes a slot out. Raises ``ValueError`` for an unknown key."""
    name, _, value = key.partition("_")
    if name == "region":
        return {"regions": [value] if value else None, "exclude_regions": None}
    if name == "hours" and value.isdigit():
        return {"hours": int(value), "gpu_hours": None, "hours_per_day": None}
    if name == "memory" and value.isdigit():
        return {"gpus": [{**gpu, "memory_gb": int(value)} for gpu in question.get("gpus", [])]}
    fixed: dict[str, dict[str, Any]] = {
        "spot": {"plans": ["spot"]},
        "no_spot": {"plans": ["on_demand"]},
        "no_limit": {"budget_per_hour": None},
        "any_provider": {"providers": None},
    }
    if key not in fixed:
        raise ValueError(f"{key!r} changes nothing")
    return fixed[key]
