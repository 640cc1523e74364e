"""Watched prices: "watch H100 below $2", looked at whenever a price list brought news and once a day.

Each time a price comes below what was asked for, that is told once in the place where it was asked.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from bot.render.figures import rate
from bot.slack import answering, conversation
from bot.slack.posting import CannotPostError, Place
from bot.slack.text import clip, escape, mrkdwn, tell
from bot.slack.views import kit
from bot.slack.views.kit import Message
from bot.store import StoreAwayError
from bot.store import digests as kept
from bot.store.digests import Watch
from rules.model import GpuAsk, Question
from rules.prices import convert
from rules.wire import question_from_json, question_to_json

if TYPE_CHECKING:
    from bot.jobs import Job
    from bot.slack.work import Bot

log = logging.getLogger(__name__)

KIND = "watches"
MOST = 50  # watches of one channel
_ORDER = re.compile(
    r"^\s*(?:watch|盯着?|关注)?\s*(?P<gpu>.+?)\s*(?:below|under|<|低于|小于|跌破)\s*"
    r"(?P<sign>[$¥￥]?)\s*(?P<amount>\d+(?:\.\d+)?)\s*(?P<word>usd|dollars?|cny|rmb|yuan|美元|美金|刀|元|块)?"
    r"\s*(?:(?:/|per|每)\s*(?:gpu[- ]?)?(?:h|hr|hour|小时|卡时))?\s*$",
    re.IGNORECASE,
)
_STARTS = re.compile(r"^\s*(?:watch\b|盯|关注)", re.IGNORECASE)
_ALL = frozenset({"", "all", "everything", "全部", "所有"})
_YUAN = frozenset({"¥", "￥", "cny", "rmb", "yuan", "元", "块"})


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be watched: a question about one GPU, and the price per GPU-hour below which it is told."""

    question: Question
    amount: Decimal
    currency: str


def is_order(text: str) -> bool:
    """Whether a message says what to watch."""
    return _STARTS.search(text) is not None and _ORDER.search(text) is not None


def read(text: str, bot: Bot) -> Order | tuple[str, dict[str, str]]:
    """The order in a text, or the sentence and its slots that say what is missing."""
    found = _ORDER.search(text)
    if found is None or not Decimal(found["amount"]):
        return "watch.usage", {}
    parsed = conversation.hear(found["gpu"], None, bot.catalog).parsed
    if parsed.unknown_models:
        word, near = parsed.unknown_models[0]
        return "watch.gpu", {"word": word, "near": ", ".join(near[:3]) or "–"}
    if len(parsed.question.gpus) != 1:
        return "watch.usage", {}
    gpu = parsed.question.gpus[0]
    asked = Question(
        "price", parsed.question.lang, gpus=(GpuAsk(gpu.model, memory_gb=gpu.memory_gb, form=gpu.form),),
        plans=parsed.question.plans or ("on_demand",), providers=parsed.question.providers,
        regions=parsed.question.regions,
    )  # fmt: skip
    currency = "CNY" if {found["sign"], (found["word"] or "").lower()} & _YUAN else "USD"
    return Order(asked, Decimal(found["amount"]), currency)


def lowest(bot: Bot, question: Question, lang: str) -> Mapping[str, Any] | None:
    """The lowest price of a question that is young enough to be believed, as a quote of the answer with its source."""
    given = answering.give(question, bot.catalog, bot.now().date(), lang, bot.merge).data
    priced = [one for one in given.get("quotes", []) if one.get("usd_per_gpu_hour") is not None and not one["stale"]]
    if not priced:
        return None
    first = min(priced, key=lambda one: Decimal(str(one["usd_per_gpu_hour"])))
    sources = {one["key"]: one for one in given.get("sources", [])}
    return {**first, "use": next((sources[key] for key in first.get("sources", []) if key in sources), {})}


def start(bot: Bot, place: Place, order: Order, lang: str) -> str:
    """Keep a watch of a place; gives the sentence that says so, as ready mrkdwn."""
    here = f"<#{escape(place.channel)}>"
    found, limit = lowest(bot, order.question, lang), _dollars(bot, order.amount, order.currency)
    gpu, price = gpu_text(order.question), rate(order.amount, order.currency)
    if found is not None and limit is not None and _price(found) < limit:
        return tell("watch.already", lang, gpu=mrkdwn(gpu), price=price, found=_found(bot, found, lang))
    if len(kept.watches(bot.database, place.team, place.channel)) >= MOST:
        return tell("watch.full", lang, channel=here, n=MOST)
    kept.add_watch(
        bot.database,
        Watch(
            place.team, place.channel, place.user, lang, question_to_json(order.question), bot.now(),
            thread_ts=place.thread_ts, threshold=order.amount, currency=order.currency,
            last_total=None if found is None else _price(found),
        ),
    )  # fmt: skip
    now = tell("watch.now.none", lang)
    if found is not None:
        now = tell("watch.now", lang, price=rate(_price(found), "USD"), provider=mrkdwn(_provider(bot, found, lang)))
    return tell("watch.set", lang, gpu=mrkdwn(gpu), price=price, now=now)


def end(bot: Bot, place: Place, text: str, lang: str) -> str:
    """End the watches of a place's channel: of the GPUs that a text names, all where it is empty or says so; gives the
    sentence."""
    parsed = conversation.hear(text, None, bot.catalog).parsed
    models = {gpu.model for gpu in parsed.question.gpus}
    if parsed.unknown_models or not (models or text.strip().lower() in _ALL):
        word, near = parsed.unknown_models[0] if parsed.unknown_models else (clip(text.strip(), 60), ())
        return escape(tell("watch.gpu", lang, word=word, near=", ".join(near[:3]) or "–"))
    ended = [
        one
        for one in kept.watches(bot.database, place.team, place.channel)
        if (not models or question_from_json(one.question).gpus[0].model in models)
        and one.id is not None
        and kept.end_watch(bot.database, place.team, one.id, bot.now())
    ]
    here = f"<#{escape(place.channel)}>"
    if not ended:
        return tell("watch.ended.none", lang, channel=here)
    gpus = ", ".join(dict.fromkeys(gpu_text(question_from_json(one.question)) for one in ended))
    return tell("watch.ended", lang, channel=here, gpus=mrkdwn(gpus))


# ---------------------------------------------------------------- looking


def look_after(bot: Bot, news: str) -> None:
    """Have every watch looked at by whichever process comes to it, once for each piece of ``news``.

    Not from within a step of a job: a job begins another between its steps.
    """
    if bot.jobs is not None:
        # One look at a time, whatever number of processes there are: two could tell the same.
        bot.jobs.submit(KIND, {}, key=news, team_id=bot.team, lane=f"{KIND}:{bot.team}")


def run(bot: Bot, job: Job) -> int:
    """The job of one look; gives how many were told."""
    return int(job.step("look", _look, bot, job.pause))


def _look(bot: Bot, wait: Callable[[float], Any]) -> int:
    if bot.feeds is not None:
        bot.feeds.refresh(wait=True)  # the news may have come to another process
    return look_at_all(bot, wait)


def look_at_all(bot: Bot, wait: Callable[[float], Any]) -> int:
    """Tell of every watched price that has come below what was asked for; gives how many."""
    told = 0
    for watch in kept.watches(bot.database, bot.team):
        try:
            told += look(bot, watch, wait)
        except StoreAwayError:
            raise
        except Exception:  # one watch must not keep the others from being looked at
            log.exception("a watch could not be looked at")
    return told


def look(bot: Bot, watch: Watch, wait: Callable[[float], Any]) -> bool:
    """Look at a watch; True when its price has come below what was asked for, and that was told.

    While it stays below, and while no price is known, nothing is told again.
    """
    found = lowest(bot, question_from_json(watch.question), watch.lang)
    currency = watch.currency or "USD"
    limit = None if watch.threshold is None else _dollars(bot, watch.threshold, currency)
    price, told = None if found is None else _price(found), watch.told
    assert watch.id is not None
    if found is not None and price is not None and limit is not None:
        if price >= limit:
            told = None
        elif told is None:
            if not _tell(bot, watch, found, limit, wait):
                kept.end_watch(bot.database, watch.team_id, watch.id, bot.now())
                return False
            told = bot.now()
    kept.watch_looked(bot.database, watch.id, bot.now(), price, currency, told)
    return told is not None and watch.told is None


def _tell(
    bot: Bot, watch: Watch, found: Mapping[str, Any], limit: Decimal, wait: Callable[[float], Any]
) -> bool:  # fmt: skip
    """Say that the price is below; False when the bot may not write there any more."""
    gpu = gpu_text(question_from_json(watch.question))
    sentence = tell(
        "watch.hit", watch.lang, user=f"<@{escape(watch.asker)}>", gpu=mrkdwn(gpu),
        price=rate(watch.threshold or limit, watch.currency or "USD"), found=_found(bot, found, watch.lang),
    )  # fmt: skip
    blocks = kit.dump([kit.section(sentence, "watch")])
    place = Place(watch.team_id, watch.channel, watch.asker, thread_ts=watch.thread_ts)
    # The last look that is written down saw it above: until this one is too, it is the same piece of news.
    key = f"watch:{watch.id}:{(watch.looked or watch.since).isoformat()}"
    try:
        step = bot.poster.first(key, place, Message(sentence, blocks, blocks), lambda _: None, watch.lang)
        while step is not None:
            wait(step.seconds)
            step = step.step()
    except CannotPostError as error:
        log.warning("a watch could not be told, so it ends: %s", error)
        return False
    return True


def gpu_text(question: Question) -> str:
    """The GPU of a watch, its plan where it is not the usual one."""
    gpu = question.gpus[0]
    memory = "" if gpu.memory_gb is None else f" {gpu.memory_gb.normalize():f} GB"
    plans = "" if question.plans == ("on_demand",) else f" ({', '.join(question.plans)})"
    return f"{gpu.model}{memory}{plans}"


def line(watch: Watch, lang: str) -> str:
    """A watch as a line of ``list``, ready mrkdwn."""
    gpu = mrkdwn(gpu_text(question_from_json(watch.question)))
    price = rate(watch.threshold or Decimal(0), watch.currency or "USD")
    return tell("list.watch", lang, gpu=gpu, price=price, user=f"<@{escape(watch.asker)}>")


def _price(quote: Mapping[str, Any]) -> Decimal:
    return Decimal(str(quote["usd_per_gpu_hour"]))


def _dollars(bot: Bot, amount: Decimal, currency: str) -> Decimal | None:
    if currency == "USD":
        return amount
    found = convert(currency, "USD", bot.now().date(), bot.catalog.currencies)
    return None if found is None else amount * found.times / found.over


def _provider(bot: Bot, quote: Mapping[str, Any], lang: str) -> str:
    known = bot.catalog.providers.get(str(quote["provider"]))
    return str(quote["provider"]) if known is None else known.name.say(lang)


def _found(bot: Bot, quote: Mapping[str, Any], lang: str) -> str:
    use = quote["use"]
    date = use.get("checked") or use.get("seen") or "?"
    source = kit.link(use.get("url"), str(use.get("title") or "?"))
    provider = mrkdwn(_provider(bot, quote, lang))
    return tell("watch.found", lang, price=rate(_price(quote), "USD"), provider=provider, source=source, date=date)
