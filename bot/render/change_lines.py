"""What would change the answer, as sentences: one line for each other choice, with its sum."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import ROUND_CEILING, Decimal
from typing import Any

from bot.render import figures, phrases
from bot.render.words import say
from rules.model import Answer

Row = Mapping[str, Any]


def change_text(answer: Answer, row: Row, lang: str) -> str:
    """One other choice: what to do, what it costs then, and what has to hold."""
    kind = str(row["change"])
    slots = {
        "provider": phrases.provider_name(answer, row["provider"], lang),
        "amount": phrases.amount(answer, row["usd"]),
        "percent": f"{figures.count_down(row['percent'], 0)} %",
    }
    if kind == "spot":
        key = "change.spot.expected" if row["expected"] else "change.spot"
        return say(key, lang, **slots) + spot_text(answer, row["offer"], lang)
    if kind == "use-idle":
        more = {"gpus": row["gpus"], "hours": phrases.hours(row["hours"], lang)}
        return say("change.use-idle", lang, **slots, **more)
    if kind == "gpu":
        return _other_gpu(row, slots, lang)
    if kind == "region" and row["region"] is not None:
        return say("change.region.named", lang, region=row["region"], **slots)
    return say(f"change.{kind}", lang, machines=row.get("machines"), **slots)


def _other_gpu(row: Row, slots: Mapping[str, str], lang: str) -> str:
    name = phrases.hardware(row["gpu"], row["gpu_memory_gb"], None, lang)
    low, high = (figures.count(row[key], 0) for key in ("low_hours", "hours"))
    cheap, dear = (figures.money(row[key]) for key in ("low_usd", "usd"))
    gpus = phrases.gpus(row["gpus"], name, lang)
    if row["machines"] > 1 and row["gpus"] % row["machines"] == 0:
        each = phrases.gpus(row["gpus"] / row["machines"], name, lang)
        gpus = say("gpus.nodes", lang, m=row["machines"], gpus=each)
    text = say(
        "change.gpu", lang, gpus=gpus,
        hours=phrases.hours(row["hours"], lang) if low == high else say("hours.range", lang, low=low, high=high),
        cost=dear if cheap == dear else say("range", lang, low=cheap, high=dear), **slots,
    )  # fmt: skip
    if not row["drop_in"]:
        text += say("change.gpu.other_stack", lang)
    return text + (say("change.gpu.slower_link", lang) if row["slower_link"] else "")


# ---------------------------------------------------------------- spot without a sourced rate


def spot_row(answer: Answer, offer: str) -> Row | None:
    rows = answer.parts.get("spot_break_even", ())
    return next((row for row in rows if row["offer"] == offer), None)


def spot_text(answer: Answer, offer: str, lang: str) -> str:
    """How often the job may be stopped before spot costs as much as what cannot be stopped; empty when not known."""
    row = spot_row(answer, offer)
    if row is None:
        return ""
    saving = _hours_between(row["per_hour"], lang)
    if row["whole_per_hour"] is None:
        return say("spot.even.saving", lang, saving=saving)
    return say("spot.even", lang, whole=_hours_between(row["whole_per_hour"], lang), saving=saving)


def _hours_between(rate: Decimal, lang: str) -> str:
    """Hours between two interruptions, rounded up to two figures: a claim that is never too bold."""
    between = 1 / rate
    places = max(0, 1 - between.adjusted())
    return phrases.hours(between.quantize(Decimal(1).scaleb(-places), rounding=ROUND_CEILING), lang)
