"""Posting a week's digest from the command line: the same message, and the same "once a channel and week"."""

from __future__ import annotations

import time
import uuid
from datetime import UTC, datetime

from bot.catalog import Reloader
from bot.digest import Period
from bot.settings import Settings
from bot.slack import app as slack
from bot.slack import mailing
from bot.slack.people import People
from bot.slack.posting import Poster
from bot.slack.text import tell
from bot.slack.work import Bot
from bot.store import Database, digests

DONE, UNUSABLE, OUTSIDE = 0, 2, 4


def post_week(
    settings: Settings, database: Database, knowledge: Reloader, period: Period, lang: str
) -> tuple[str, int]:  # fmt: skip
    """Post the digest of a week to its subscribers who did not get it; gives a sentence and the exit status."""
    weekly = [one for one in digests.subscriptions(database) if one.period == "weekly" and one.paused_because is None]
    if not weekly:
        return tell("digest.cli.none", lang), DONE
    if period.last >= datetime.now(UTC).date():
        return tell("digest.cli.running", lang, period=period.name), UNUSABLE
    if not settings.slack_bot_token:
        return tell("digest.cli.token", lang), UNUSABLE
    client = slack.client(settings.slack_bot_token, settings.slack_api_url)
    try:
        me = slack.ask_slack(client.auth_test)
    except slack.SlackRefusedError as error:
        return tell("serve.refused", lang, token="SLACK_BOT_TOKEN", error=str(error)), OUTSIDE  # noqa: S106
    except slack.SlackAwayError as error:
        return tell("serve.unreachable", lang, error=str(error)), OUTSIDE
    bot = Bot(
        settings, database, knowledge, Poster(database, client, lambda: datetime.now(UTC)), People(client),
        user=str(me["user_id"]), team=str(me["team_id"]),
    )  # fmt: skip
    counts = mailing.post_week(bot, period, f"by-hand-{uuid.uuid4().hex[:8]}", time.sleep)
    closed = sum(counts[one] for one in (mailing.CLOSED, mailing.MAYBE, mailing.AWAY))
    said = tell(
        "digest.cli.posted", lang, n=counts[mailing.POSTED], quiet=counts[mailing.SKIPPED],
        before=counts[mailing.BEFORE], closed=closed,
    )  # fmt: skip
    return said, OUTSIDE if closed else DONE
