"""The home tab: what it can do, how old the prices are, who gets digests, which hosts are connected."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import slackblocks as sb

from bot.slack.text import escape, mrkdwn, tell
from bot.slack.views import kit
from bot.slack.views.kit import Json

PROMPTS = ("1", "2", "3", "4")
_MOST = 20  # subscriptions or hosts that are listed


@dataclass(frozen=True, slots=True)
class Data:
    """How much is known and how old it is."""

    providers: int
    offers: int
    priced: int
    stale: int
    newest: date | None


@dataclass(frozen=True, slots=True)
class Digest:
    channel: str
    period: str
    time: str
    zone: str


def prompts(lang: str) -> list[dict[str, str]]:
    """Questions to start with."""
    return [{"title": tell(f"prompt.{n}.title", lang), "message": tell(f"prompt.{n}", lang)} for n in PROMPTS]


def home(
    data: Data, digests: Sequence[Digest], hosts: Sequence[tuple[str, str]], version: str, lang: str
) -> Json:  # fmt: skip
    """The view for ``views.publish``; ``hosts`` are names with their state."""
    examples = "\n".join(f"• {mrkdwn(one['message'])}" for one in prompts(lang))
    newest = "?" if data.newest is None else data.newest.isoformat()
    line = tell(
        "home.data.line", lang, providers=data.providers, offers=data.offers, priced=data.priced, stale=data.stale,
        newest=newest,
    )  # fmt: skip
    blocks: list[Any] = [
        sb.HeaderBlock(sb.Text(tell("home.title", lang), sb.TextType.PLAINTEXT), block_id="title"),
        kit.section(escape(tell("home.intro", lang)), "intro"),
        kit.section(f"*{tell('home.examples', lang)}*\n{examples}", "examples"),
        kit.section(f"*{tell('home.data', lang)}*\n{mrkdwn(line)}", "data"),
        kit.section(f"*{tell('home.subscriptions', lang)}*\n{_digests(digests, lang)}", "subscriptions"),
        kit.section(f"*{tell('home.hosts', lang)}*\n{_hosts(hosts, lang)}", "hosts"),
        kit.context([tell("home.version", lang, version=version)], "version"),
    ]
    return dict(json.loads(json.dumps(sb.HomeTabView(blocks)._resolve())))  # noqa: SLF001  (its way to JSON)


def _digests(digests: Sequence[Digest], lang: str) -> str:
    if not digests:
        return tell("home.subscriptions.none", lang)
    return "\n".join(
        tell(
            "home.subscription",
            lang,
            channel=f"<#{escape(one.channel)}>",
            period=tell(f"period.{one.period}", lang),
            time=one.time,
            zone=mrkdwn(one.zone),
        )
        for one in digests[:_MOST]
    )


def _hosts(hosts: Sequence[tuple[str, str]], lang: str) -> str:
    if not hosts:
        return tell("home.hosts.none", lang)
    return "\n".join(
        tell("home.host", lang, name=mrkdwn(name), state=mrkdwn(state)) for name, state in hosts[:_MOST]
    )  # fmt: skip


def help_text(lang: str) -> str:
    """What ``/gpu help`` says; ready mrkdwn."""
    return escape(tell("help.gpu", lang, **dict(zip(("one", "two", "three"), _examples(lang), strict=True))))


def _examples(lang: str) -> tuple[str, str, str]:
    return tell("prompt.1", lang), tell("prompt.2", lang), tell("prompt.3", lang)
