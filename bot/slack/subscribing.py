"""What people say about digests and prices: subscribe, change, stop, list, watch, show, and save a quoted price."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from bot import digest as digests
from bot.digest.due import last_period
from bot.feeds import community
from bot.feeds.intake import FeedError
from bot.render.figures import rate
from bot.slack import conversation, mailing, watching
from bot.slack.desk import Later
from bot.slack.posting import Place
from bot.slack.text import escape, mrkdwn, tell
from bot.slack.views import digest as view
from bot.slack.views import forms
from bot.slack.views.kit import Json, Message
from bot.store import digests as kept
from bot.store.answers import KeptAnswer
from bot.store.digests import Subscription
from bot.store.inbox import Item
from rules.model import Leftover, Parsed, Question

if TYPE_CHECKING:
    from bot.slack.work import Bot

_ADDS = re.compile(r"\b(?:add|also|include)\b|加上|加入|再加", re.IGNORECASE)
_MOST_PERCENT = 100


# ---------------------------------------------------------------- what a channel has, and the form


def wish_of(bot: Bot, place: Place, lang: str) -> Subscription:
    """What a channel gets, or what it would get: Monday at nine in the time zone of who asks."""
    found = kept.subscription(bot.database, place.team, place.channel)
    if found is not None:
        return found
    zone = bot.people.person(place.user).zone
    zone = zone if _is_zone(zone) else "UTC"
    return Subscription(place.team, place.channel, place.user, bot.now(), zone=zone, lang=lang)


def form(bot: Bot, place: Place, lang: str) -> Json:
    """The form for the digest of the place's channel."""
    return view.form(wish_of(bot, place, lang), {"place": place.to_json(), "lang": lang}, lang)


def read_form(given: Mapping[str, Any], bot: Bot, lang: str) -> tuple[dict[str, Any], dict[str, str]]:
    """What a submitted form asks for, as plain JSON, or what is wrong with it by the name of the field."""
    errors: dict[str, str] = {}
    zone = str(given.get("zone") or "")
    if not _is_zone(zone):
        errors["zone"] = tell("subscribe.error.zone", lang, word=zone)
    gpus = _gpus(given.get("gpus"), bot, lang, errors)
    threshold = _share(given.get("threshold"), lang, errors)
    if given.get("hour") is None or given.get("weekday") is None:
        errors["hour"] = tell("subscribe.error.hour", lang)
    if errors:
        return {}, errors
    return {
        "period": given.get("period") or "weekly", "weekday": int(given["weekday"]), "hour": int(given["hour"]),
        "zone": zone, "gpus": gpus, "threshold": threshold, "lang": given.get("lang") or lang,
    }, {}  # fmt: skip


def _gpus(text: str | None, bot: Bot, lang: str, errors: dict[str, str]) -> list[str]:
    if not text:
        return []
    parsed = conversation.hear(text, None, bot.catalog).parsed
    if parsed.unknown_models:
        word, near = parsed.unknown_models[0]
        errors["gpus"] = tell("edit.error.gpu.near", lang, word=word, near=", ".join(near[:3]) or "–")
    elif not parsed.question.gpus:
        errors["gpus"] = tell("edit.error.gpu", lang)
    return list(dict.fromkeys(gpu.model for gpu in parsed.question.gpus))


def _share(text: str | None, lang: str, errors: dict[str, str]) -> str | None:
    """A percentage as a share of one, as text; None for an empty field or nought."""
    try:
        percent = forms.number((text or "").strip().removesuffix("%").strip() or None)
    except ValueError:
        percent = Decimal(0) if re.fullmatch(r"0+(?:\.0+)?\s*%?", (text or "").strip()) else Decimal(-1)
    if percent is None or percent == 0:
        return None
    if not 0 < percent <= _MOST_PERCENT:
        errors["threshold"] = tell("subscribe.error.threshold", lang)
    return str(percent / 100)


def _is_zone(name: str) -> bool:
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return False
    return bool(name)


# ---------------------------------------------------------------- commands, forms and buttons


def subscribe(bot: Bot, item: Item, place: Place) -> Later | None:
    """A submitted form: keep what it says and tell who sent it."""
    asked = dict(item.body["wish"])
    before = wish_of(bot, place, str(asked["lang"]))
    wish = replace(
        before,
        asked_by=place.user, period=str(asked["period"]), weekday=int(asked["weekday"]), hour=int(asked["hour"]),
        minute=0, zone=str(asked["zone"]), lang=str(asked["lang"]), gpus=tuple(asked["gpus"]),
        exclude_gpus=tuple(gpu for gpu in before.exclude_gpus if gpu not in asked["gpus"]),
        threshold=None if asked["threshold"] is None else Decimal(asked["threshold"]),
        failures=0, paused_because=None,
    )  # fmt: skip
    return bot.poster.respond(place, Message(_subscribed(bot, wish, str(item.body.get("lang") or wish.lang))))


def _subscribed(bot: Bot, wish: Subscription, lang: str) -> str:
    new = mailing.subscribe(bot, wish)
    channel = f"<#{escape(wish.channel)}>"
    return tell("subscribed" if new else "subscribed.changed", lang, channel=channel, what=_spoken(wish, lang))


def _spoken(wish: Subscription, lang: str) -> str:
    reason = None if wish.paused_because is None else mailing.reason(wish.paused_because, lang)
    return mrkdwn(view.spoken(wish, lang, reason))


def unsubscribe(bot: Bot, item: Item, place: Place) -> Later | None:
    """The command or the button under a digest."""
    lang = bot.lang_of(item, place)
    return bot.poster.respond(place, Message(_unsubscribed(bot, place, lang)))


def _unsubscribed(bot: Bot, place: Place, lang: str) -> str:
    gone = mailing.unsubscribe(bot, place.team, place.channel)
    return tell("unsubscribed" if gone else "unsubscribed.none", lang, channel=f"<#{escape(place.channel)}>")


def listed(bot: Bot, item: Item, place: Place) -> Later | None:
    """What the channel gets, what became of the last digest, and what is watched there."""
    lang = bot.lang_of(item, place)
    channel = f"<#{escape(place.channel)}>"
    every = kept.subscriptions(bot.database, place.team)
    mine = next((one for one in every if one.channel == place.channel), None)
    lines = [
        tell("list.none", lang, channel=channel)
        if mine is None
        else tell("list.here", lang, channel=channel, what=_spoken(mine, lang))
    ]
    last = kept.last_digest(bot.database, place.team, place.channel)
    if mine is not None and last is not None:
        lines.append(tell(f"list.{last['state']}", lang, period=last["period"]))
    lines += [f"• {watching.line(one, lang)}" for one in kept.watches(bot.database, place.team, place.channel)]
    others = len(every) - (mine is not None)
    if others:
        lines.append(tell("list.more", lang, n=others))
    return bot.poster.respond(place, Message("\n".join(lines)))


def watch(bot: Bot, item: Item, place: Place) -> Later | None:
    """``/gpu-prices watch …``, or the same words in a mention; in a thread it is told there."""
    lang = bot.lang_of(item, place)
    text = conversation.clean(str(item.body["text"]), bot.user)
    order = watching.read(text, bot)
    if isinstance(order, watching.Order):
        said = watching.start(bot, place, order, lang)
    else:
        key, slots = order
        said = escape(tell(key, lang, **slots))
    return bot.say(item, place, Message(said), lang)


def unwatch(bot: Bot, item: Item, place: Place) -> Later | None:
    """``/gpu-prices unwatch [GPU]``: no more watches in the channel, of that GPU or of any."""
    lang = bot.lang_of(item, place)
    _, *rest = str(item.body["text"]).split(maxsplit=1)
    return bot.say(item, place, Message(watching.end(bot, place, "".join(rest), lang)), lang)


# ---------------------------------------------------------------- the digest in a message


def asked(bot: Bot, item: Item, place: Place, question: Question, text: str, lang: str) -> Later | None:
    """A message about the digest: show it, subscribe the channel or stop, as the message says."""
    if question.action == "unsubscribe":
        message = Message(_unsubscribed(bot, place, lang))
    elif question.action == "subscribe":
        wish = _changed(wish_of(bot, place, lang), place, question, text)
        said = _subscribed(bot, wish, lang)
        message = Message(said, *_with_controls(said, place, lang))
    else:
        message = _shown(bot, place, question, lang)
    return bot.say(item, place, message, lang)


def _changed(wish: Subscription, place: Place, question: Question, text: str) -> Subscription:
    """A subscription with the GPUs that a message names: added to those it has where it says so, otherwise instead."""
    named = tuple(dict.fromkeys(gpu.model for gpu in question.gpus))
    gpus = wish.gpus
    if named:
        adds = _ADDS.search(text) is not None
        gpus = tuple(dict.fromkeys((*wish.gpus, *named))) if adds and wish.gpus else () if adds else named
    without = tuple(dict.fromkeys((*wish.exclude_gpus, *question.exclude_gpus)))
    without = tuple(gpu for gpu in without if gpu not in named)
    return replace(
        wish, asked_by=place.user, gpus=tuple(gpu for gpu in gpus if gpu not in without), exclude_gpus=without,
        failures=0, paused_because=None,
    )  # fmt: skip


def _with_controls(said: str, place: Place, lang: str) -> tuple[tuple[Json, ...], tuple[Json, ...]]:
    blocks = view.note(said, place.channel, lang)
    return blocks, blocks


def _shown(bot: Bot, place: Place, question: Question, lang: str) -> Message:
    """The digest of the last period, also when nothing moved by as much as the channel wants to hear of."""
    found = kept.subscription(bot.database, place.team, place.channel)
    wish = replace(wish_of(bot, place, lang), lang=lang)
    if question.gpus or question.exclude_gpus:
        named = tuple(dict.fromkeys(gpu.model for gpu in question.gpus))
        wish = replace(wish, gpus=named or wish.gpus, exclude_gpus=question.exclude_gpus)
    today = bot.now().astimezone(ZoneInfo(wish.zone)).date()
    shown = digests.for_channel(mailing.whole(bot, last_period(wish.period, today)), wish)
    return mailing.message_of(bot, shown, wish, subscribed=found is not None)


# ---------------------------------------------------------------- a price that a colleague quotes


def save_quote(bot: Bot, place: Place, answer: KeptAnswer, data: Mapping[str, Any], lang: str) -> str:
    """Keep the price that a kept answer's question names, with who said it, when and where; gives the sentence."""
    question = conversation.changed(data["question"], {})
    unread = tuple(Leftover(str(text)) for text in data.get("unread", []))
    user = answer.asker or place.user
    who = bot.people.person(user).name or user
    where = f"Slack {answer.channel or place.channel}"
    try:
        report = community.reported(
            Parsed(question, unread, text=answer.text or ""), bot.catalog, who, where, answer.at
        )
        saved = community.save(bot.database, report, place.team, bot.now())
    except FeedError:
        return escape(tell("save.unclear", lang))
    if saved.already_known:
        return escape(tell("save.known", lang))
    bot.look_at_feeds()
    provider = bot.catalog.providers[report.provider].name.say(lang)
    return mrkdwn(
        tell(
            "save.kept", lang, who=who, provider=provider, gpu=report.gpu, price=rate(report.amount, report.currency),
            unit=tell(f"unit.{report.unit}", lang), date=report.when.date().isoformat(),
        )
    )  # fmt: skip
