"""One example of every message and view, from the packaged knowledge: for Slack's validator and for pictures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal

from bot.catalog import load
from bot.digest import digest, digest_json, last_week
from bot.digest.trend import Trend
from bot.slack import answering, conversation
from bot.slack.bench.examples import examples
from bot.slack.ids import Ref
from bot.slack.text import escape, tell
from bot.slack.views import digest as digest_view
from bot.slack.views import forms, home, kit, offers
from bot.slack.views.kit import Json
from bot.slack.work import data_of
from bot.store.digests import Subscription
from rules.model import Catalog

QUESTIONS = {
    "cheapest": ("cheapest for 72h on 4×A100", "4张A100跑72小时哪家最便宜"),
    "compare": ("compare H100 and A100 for 72h", "对比H100和A100，跑72小时"),
    "budget": ("$3000 budget for 8xH100, how long", "预算2万，8张H100能租几天"),
    "break_even": ("is a 1 year reservation of an H100 worth it?", "H100包年划算吗"),
    "recommend": ("which platform is best for multi-node training?", "多机训练用哪家平台好"),
    "specs": ("does a 70B model fit on 2xA100 80GB?", "2张A100 80G能跑70B吗"),
    "clarify": ("how much for a GPU?", "租GPU多少钱"),
    "unknown": ("cheapest A1000 for 24h", "A1000跑24小时哪家便宜"),
    "unsupported": ("what is the weather in Paris?", "今天天气怎么样"),
}
_ASKER = "U0000000001"
_TREND = Trend(
    (date(2026, 11, 15), date(2026, 11, 22), date(2026, 11, 29)),
    (
        ("A100", (Decimal("1.29"), Decimal("1.19"), Decimal("1.10"))),
        ("H100", (Decimal("2.49"), Decimal("2.49"), Decimal("2.19"))),
    ),
)


def templates(catalog: Catalog | None = None) -> Iterator[tuple[str, tuple[Json, ...]]]:
    """Names with blocks: each message in both languages, its plainer form, all offers, the home tab and the forms."""
    catalog = catalog or load()[0]
    for name, texts in QUESTIONS.items():
        for lang, text in zip(("en", "zh"), texts, strict=True):
            given = given_of(catalog, text, lang)
            message = given.message(_ASKER, catalog)
            yield f"{name}-{lang}", message.blocks
            yield f"{name}-{lang}-plainer", message.plainer
            if name == "cheapest":
                names = {one.id: one.name.say(lang) for one in catalog.providers.values()}
                yield f"offers-{lang}", offers.offers(given.data, given.id, names, lang).blocks
                yield f"edit-{lang}", tuple(forms.edit(given.data["question"], {}, lang)["blocks"])
    yield from examples(_ASKER)
    today = datetime.now(UTC).date()
    for lang in ("en", "zh"):
        digests = [home.Digest("C0000000001", "weekly", "09:00", "Europe/Berlin")]
        hosts = [("rig-1", "ready")]
        report = digest_json(digest(catalog, last_week(today), today))
        shown = digest_view.message(report, _TREND, "C0000000001", lang, subscribed=True)
        yield f"digest-{lang}", shown.blocks
        yield f"digest-{lang}-plainer", shown.plainer
        wish = Subscription("T0000000001", "C0000000001", _ASKER, datetime.now(UTC))
        yield f"edit-digest-{lang}", tuple(digest_view.form(wish, {}, lang)["blocks"])
        view = home.home(data_of(catalog, today), digests, hosts, "0.1.0", lang)
        yield f"home-{lang}", tuple(view["blocks"])
        yield f"help-{lang}", kit.dump([kit.section(home.help_text(lang), "help")])
        yield f"error-{lang}", kit.dump([kit.section(escape(tell("error.log", lang, id="0a1b2c3d")), "error")])


def given_of(catalog: Catalog, text: str, lang: str) -> answering.Given:
    """The answer to a question of the list."""
    heard = conversation.hear(text, None, catalog)
    parsed = replace(heard.parsed, text=text)
    return answering.give(parsed, catalog, datetime.now(UTC).date(), lang)


def ref() -> Ref:
    return Ref("0123456789ab", _ASKER)
