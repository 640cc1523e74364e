"""All offers of a stored answer: as a table to sort and as a CSV, both from the stored object and nothing else."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any

from bot.render import phrases
from bot.slack.text import escape, mrkdwn, tell
from bot.slack.views import kit
from bot.slack.views.kit import Message

_MOST_ROWS = 200  # Slack takes 201 with the heading
CSV_COLUMNS = (
    "rank", "provider", "offer", "sku", "gpu", "gpu_memory_gb", "form", "plan", "region", "machines", "gpus_paid",
    "rate", "rate_currency", "rate_per", "usd_per_gpu_hour", "usd_per_hour", "hours", "billed_hours", "total_usd",
    "formula", "source", "source_url", "looked_at", "age_days", "stale", "price_line", "as_of", "answer",
)  # fmt: skip
_FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r")


def offers(body: Mapping[str, Any], answer_id: str, names: Mapping[str, str], lang: str) -> Message:
    """Every ranked quote, as many as a message holds."""
    quotes = body.get("quotes", [])
    if not quotes:
        return Message(tell("offers.none", lang))
    timed = any(quote.get("total_usd") is not None for quote in quotes)
    keys = ["provider", "gpus", "plan", "region", "gpu_hour", "total" if timed else "hour", "age"]
    titles = [tell(f"column.{key}", lang) for key in keys]
    rows = [[_cell(quote, key, names, lang) for key in keys] for quote in quotes]
    caption = tell("offers.title", lang, id=answer_id)
    shown = _that_fit(titles, rows, caption)
    said = [caption] if shown == len(rows) else [caption, tell("offers.cut", lang, shown=shown, total=len(rows))]
    blocks = kit.dump(_blocks(titles, rows[:shown], caption, said))
    listed = f"*{mrkdwn(said[0])}*\n" + kit.listed(rows[: min(shown, 30)])
    return Message(escape("\n".join([*said, _first(rows)])), blocks, kit.dump([kit.section(listed, "offers")]))


def _blocks(titles: Sequence[str], rows: Sequence[Sequence[str]], caption: str, said: Sequence[str]) -> list[Any]:
    lines = [kit.context([mrkdwn(text) for text in said[1:]], "cut")] if len(said) > 1 else []
    return [kit.data_table(titles, rows, caption, "offers"), *lines]


def _that_fit(titles: Sequence[str], rows: Sequence[Sequence[str]], caption: str) -> int:
    n = min(len(rows), _MOST_ROWS)
    while n > 1 and kit.size(kit.dump(_blocks(titles, rows[:n], caption, [caption, caption]))) > kit.MOST_BLOCKS_CHARS:
        n = n * 4 // 5
    return n


def _first(rows: Sequence[Sequence[str]]) -> str:
    """The best row in words, for those who hear the message."""
    return " · ".join(cell for cell in rows[0] if cell)


def _cell(quote: Mapping[str, Any], key: str, names: Mapping[str, str], lang: str) -> str:
    if key == "provider":
        return names.get(str(quote["provider"]), str(quote["provider"]))
    if key == "gpus":
        return _hardware(quote)
    if key == "plan":
        return phrases.plan(str(quote["plan"]), lang) if quote.get("plan") else ""
    value = quote.get({"gpu_hour": "usd_per_gpu_hour", "total": "total_usd", "hour": "usd_per_hour",
                       "age": "age_days"}.get(key, key))  # fmt: skip
    if value is None:
        return ""
    return f"{value:,.2f}" if key in ("gpu_hour", "total", "hour") else str(value)


def _hardware(quote: Mapping[str, Any]) -> str:
    if quote.get("gpu") is None:
        return ""
    memory = "" if quote.get("gpu_memory_gb") is None else f" {quote['gpu_memory_gb']} GB"
    form = "" if quote.get("form") is None else f" {quote['form']}"
    return f"{quote['gpus_paid']} × {quote['gpu']}{memory}{form}"


# ---------------------------------------------------------------- CSV


def rows(body: Mapping[str, Any], answer_id: str) -> list[dict[str, Any]]:
    """One row a ranked quote with its formula, source and date; what is not known is empty."""
    known = {str(use["key"]): use for use in body.get("sources", [])}
    found = []
    for quote in body.get("quotes", []):
        rate = quote.get("rate") or {}
        use: Mapping[str, Any] = next((known[key] for key in quote.get("sources", []) if key in known), {})
        found.append(
            {
                **{name: quote.get(name) for name in CSV_COLUMNS},
                "rate": rate.get("amount"), "rate_currency": rate.get("currency"), "rate_per": rate.get("per"),
                "formula": "; ".join(str(line["formula"]) for line in quote.get("lines", [])),
                "source": use.get("title"), "source_url": use.get("url"),
                "looked_at": use.get("checked") or use.get("seen"),
                "as_of": body.get("as_of"), "answer": answer_id,
            }
        )  # fmt: skip
    return found


def as_csv(body: Mapping[str, Any], answer_id: str) -> str:
    """The rows as CSV; a text that a spreadsheet would run as a formula is quoted as text."""
    out = io.StringIO()
    writer = csv.DictWriter(out, CSV_COLUMNS, lineterminator="\n")
    writer.writeheader()
    for row in rows(body, answer_id):
        writer.writerow({name: _safe(row.get(name)) for name in CSV_COLUMNS})
    return out.getvalue()


def _safe(value: Any) -> Any:
    if isinstance(value, str) and value.startswith(_FORMULA_SIGNS):
        return f"'{value}"
    return "" if value is None else value


def csv_as_text(text: str, lang: str, most: int = 3_400) -> str:
    """The CSV in a code block, for a workspace that does not let the app send files; ready mrkdwn."""
    lines = escape(text).replace("`", "ˋ").splitlines()
    kept: list[str] = []
    for line in lines:
        if sum(len(one) + 1 for one in kept) + len(line) > most:
            break
        kept.append(line)
    rest = len(lines) - len(kept)
    cut = "\n" + tell("csv.cut", lang, n=rest) if rest else ""
    return f"{tell('csv.inline', lang)}\n```\n" + "\n".join(kept) + f"\n```{cut}"
