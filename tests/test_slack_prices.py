"""Digests, watches and quoted prices in Slack: what is said, what is kept, and that each digest comes once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from croniter import croniter  # type: ignore[import-untyped]
from slack import canned, limits, recorded
from slack.canned import Inside
from slack.peer import ALICE, GENERAL, OUTSIDE, TEAM, until
from slack.strict_proxy import Fault, Rules
from slack.world import running

from bot.ask import parse
from bot.digest import digest_json
from bot.digest.due import cron_of, due, last_period
from bot.digest.history import History, Series
from bot.digest.periods import period_of
from bot.digest.trend import Trend, trend
from bot.feeds import community
from bot.feeds.importing import Outcome
from bot.feeds.intake import FeedError
from bot.feeds.reader import FeedIndex
from bot.jobs import JobState
from bot.render.digest import digest_lines
from bot.slack import daily, ids, mailing, watching
from bot.slack.text_prices import PRICES
from bot.slack.views import digest as view
from bot.store import PUBLIC, benches, digests
from bot.store.digests import Subscription

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)  # a Monday; week 48 ended the day before


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Inside]:
    with canned.inside(tmp_path) as one:
        yield one


def hooks(here: Inside, n: int = 1) -> list[dict[str, Any]]:
    assert until(lambda: len(here.slack.done("hook")) >= n)
    return [call.arguments for call in here.slack.done("hook")]


def command(here: Inside, text: str, **more: Any) -> None:
    here.deliver(recorded.command("/gpu-prices", text, response_url=here.slack.hook, **more))


def wish(**more: Any) -> Subscription:
    since = datetime(2026, 1, 1, tzinfo=UTC)
    return Subscription(**{"team_id": TEAM, "channel": GENERAL, "asked_by": ALICE, "since": since, **more})


def at(bot: Any, moment: datetime) -> Any:
    """The bot with its clock stopped at a moment."""
    return replace(bot, now=lambda: moment)


def never(seconds: float) -> None:
    raise AssertionError(f"asked to wait {seconds} s")


# ---------------------------------------------------------------- when a digest is due


def moment(text: str, zone: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone))


@pytest.mark.parametrize(
    ("given", "tick", "zone", "period"),
    [
        ({}, "2026-11-30T09:00", "UTC", "2026-W48"),
        ({"weekday": 4}, "2026-12-04T09:00", "UTC", "2026-W48"),
        ({}, "2027-01-04T09:00", "UTC", "2026-W53"),  # 2026 begins on a Thursday, so it has 53 weeks
        ({}, "2027-01-11T09:00", "UTC", "2027-W01"),
        ({"period": "monthly"}, "2026-12-07T09:00", "UTC", "2026-11"),  # the first Monday of December
        ({"period": "monthly"}, "2027-01-04T09:00", "UTC", "2026-12"),
        ({"period": "daily", "weekday": None}, "2026-12-01T09:00", "UTC", "2026-11-30"),
        ({"zone": "Asia/Shanghai", "hour": 0}, "2026-11-30T00:00", "Asia/Shanghai", "2026-W48"),
    ],
)
def test_the_period_that_ended_last_is_due(given: dict[str, Any], tick: str, zone: str, period: str) -> None:
    found = due(wish(**given), moment(tick, zone))
    assert found is not None
    assert found.name == period


@pytest.mark.parametrize(
    ("zone", "hour", "tick"),
    [
        # 2 o'clock does not exist on the Sunday on which clocks jump, in neither of the two places
        ("America/New_York", 2, "2026-03-08T03:00"),
        ("Europe/Berlin", 2, "2026-03-29T03:00"),
        # and is there twice in autumn
        ("America/New_York", 1, "2026-11-01T01:00"),
        ("Europe/Berlin", 2, "2026-10-25T02:00"),
    ],
)
def test_a_change_of_the_clocks_loses_no_digest(zone: str, hour: int, tick: str) -> None:
    found = due(wish(zone=zone, hour=hour, weekday=6), moment(tick, zone))
    assert found is not None
    assert found.last == date.fromisoformat(tick[:10]) - timedelta(days=7)  # the Sunday that ended the week before


@pytest.mark.parametrize("zone", ["America/New_York", "Europe/Berlin"])
@pytest.mark.parametrize("hour", [1, 2, 3, 9])
def test_every_week_of_a_year_with_both_changes_is_due_at_a_tick_of_its_clock(zone: str, hour: int) -> None:
    """Sundays of 2026 and the first of 2027, at hours that are missing or double on one of them: weeks 1 to 53."""
    asked = wish(zone=zone, hour=hour, weekday=6, since=datetime(2025, 12, 30, tzinfo=UTC))
    ticks = croniter(cron_of(asked), datetime(2026, 1, 5, tzinfo=ZoneInfo(zone)), second_at_beginning=True)
    found = [due(asked, ticks.get_next(datetime)) for _ in range(54)]
    names = list(dict.fromkeys(one.name for one in found if one is not None))
    assert names[:52] == [f"2026-W{n:02}" for n in range(1, 53)]
    assert None not in found


def test_nothing_is_due_for_the_time_before_the_wish_or_before_its_hour() -> None:
    asked = wish(since=datetime(2026, 11, 30, 9, 30, tzinfo=UTC))
    assert due(asked, datetime(2026, 11, 30, 10, tzinfo=UTC)) is None
    assert due(wish(), datetime(2026, 11, 30, 5, tzinfo=UTC)) is None
    monthly = wish(period="monthly", since=datetime(2026, 12, 10, tzinfo=UTC))
    assert due(monthly, datetime(2026, 12, 14, 9, tzinfo=UTC)) is None


def test_cron_counts_from_sunday() -> None:
    assert [cron_of(wish(weekday=n)) for n in (0, 5, 6)] == ["0 9 * * 1", "0 9 * * 6", "0 9 * * 0"]
    assert cron_of(wish(period="daily", weekday=None)) == "0 9 * * *"


def test_on_request_the_last_period_of_the_wish_is_shown() -> None:
    today = date(2026, 12, 1)
    assert [last_period(kind, today).name for kind in ("weekly", "monthly", "daily")] == [
        "2026-W48", "2026-11", "2026-11-30",
    ]  # fmt: skip


# ---------------------------------------------------------------- the chart


def test_the_chart_fills_nothing_in() -> None:
    """A price holds until the next; a GPU known for one week only is left out; the days are those all others share."""
    days = (date(2026, 11, 1), date(2026, 11, 8), date(2026, 11, 22), date(2026, 11, 29))
    old = History("A100", "on_demand", None, days, (Series("x", (Decimal(2), Decimal(1), None, Decimal(1))),))
    low = Series("x", (None, Decimal(5), Decimal(4), Decimal(3)))
    new = History("H100", "on_demand", None, days, (low, Series("y", (None, Decimal(6), Decimal("3.5"), None))))
    last = History("B200", "on_demand", None, days[-1:], (Series("x", (Decimal(9),)),))
    steady = History("L4", "on_demand", None, days[:1], (Series("x", (Decimal(1),)),))
    found = trend([new, last, steady], date(2026, 11, 29))
    assert found == Trend(
        (date(2026, 11, 8), date(2026, 11, 15), date(2026, 11, 22), date(2026, 11, 29)),
        (
            ("H100", (Decimal(5), Decimal(5), Decimal("3.5"), Decimal(3))),
            ("L4", (Decimal(1), Decimal(1), Decimal(1), Decimal(1))),
        ),
    )
    assert trend([old], date(2026, 11, 29)) is None  # no usable price a week before the end
    assert trend([], date(2026, 11, 29)) is None


def test_at_most_six_lines_are_drawn() -> None:
    many = [History(f"G{n}", "on_demand", None, (date(2026, 1, 1),), (Series("x", (Decimal(n),)),)) for n in range(8)]
    found = trend(many, date(2026, 11, 29))
    assert found is not None
    assert [gpu for gpu, _ in found.series] == ["G0", "G1", "G2", "G3", "G4", "G5"]


# ---------------------------------------------------------------- the message


def digest_of(here: Inside, name: str, asked: Subscription) -> Any:
    from bot import digest

    bot = at(here.bot, NOON)
    return bot, digest.for_channel(mailing.whole(bot, period_of(name)), asked)


def test_a_digest_has_the_reports_and_readings_of_its_own_workspace(here: Inside) -> None:
    """What a colleague of another workspace said or measured is none of its business."""
    bot = here.bot
    for team, amount, when in ((TEAM, "1.98", 20), (TEAM, "1.78", 27), ("T2", "9.99", 27)):
        said_at = datetime(2026, 11, when, 12, tzinfo=UTC)
        quoted = parse(f"Corrievane A100 now {amount}", bot.catalog)
        community.save(
            bot.database, community.reported(quoted, bot.catalog, "lin", "#gpu", said_at), team, said_at
        )  # fmt: skip
        benches.keep_reading(
            bot.database, benches.Reading(team, f"job-{team}-{when}", f"host-{team}", said_at, {}, gpu="H100")
        )
    _, mine = digest_of(here, "2026-W48", wish(gpus=("A100",)))
    (move,) = [one for one in mine.moves if one.source.kind == "community"]
    assert (move.was and move.was.amount, move.now and move.now.amount) == (Decimal("1.98"), Decimal("1.78"))
    assert [row["host"] for row in mine.readings] == [f"host-{TEAM}"]  # the one of that week
    for lang, line in (("en", "reported by a teammate: lin, #gpu"), ("zh", "同事报价：lin, #gpu")):
        assert line in "\n".join(digest_lines(digest_json(mine), lang))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_digest_is_within_slacks_limits_and_has_a_twin_in_words(here: Inside, lang: str) -> None:
    chart = Trend((date(2026, 11, 22), date(2026, 11, 29)), (("A100", (Decimal("1.19"), Decimal("1.10"))),))
    from bot import digest

    for name in ("2026-W48", "2026-11", "2026-W02"):
        report = digest.digest_json(digest_of(here, name, wish())[1])
        message = view.message(report, chart, GENERAL, lang, subscribed=True)
        assert limits.problems(message.blocks) == []
        assert limits.problems(message.plainer, old=True) == []
        drawn = next(one for one in message.blocks if one["type"] == "data_visualization")
        assert [len(one["data"]) for one in drawn["chart"]["series"]] == [2]
        for words in (message.text, json.dumps(message.plainer, ensure_ascii=False)):
            assert "$1.19 → $1.10" in words
        buttons = [one["action_id"] for one in message.blocks[-1]["elements"]]
        assert buttons == [ids.DIGEST_CHANGE, ids.DIGEST_STOP]
        assert ("周" in message.text or "月" in message.text or "：" in message.text) == (lang == "zh")


@pytest.mark.parametrize(("lang", "said"), [("en", "Lambda, 2026-10-03 (due for a check)"), ("zh", "（待核对）")])
def test_the_table_names_providers_and_marks_what_is_old(lang: str, said: str) -> None:
    price = {"usd_per_gpu_hour": 1.29, "provider": "lambda", "seen": "2026-10-03", "stale": True}
    row = {"gpu": "A10", "memory_gb": 24, "plan": "on_demand", "now": price, "before": None, "percent": None}
    names = {"lambda": {"en": "Lambda", "zh": "Lambda"}}
    cells = view._cells(row, lang, names)
    assert cells[0] == "A10 24 GB"
    assert said in cells[3]
    assert cells[4] == "–"


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_form_is_one_that_slack_takes_and_says_what_is_kept(lang: str) -> None:
    asked = wish(gpus=("H100",), threshold=Decimal("0.05"), weekday=4, hour=17, zone="Europe/Berlin", lang=lang)
    form = view.form(asked, {"place": {}, "lang": lang}, lang)
    assert limits.view_problems(form) == []
    text = json.dumps(form)
    assert all(part in text for part in ("H100", '"5"', "17:00", "Europe/Berlin"))


def test_every_sentence_is_there_in_both_languages_with_the_same_slots() -> None:
    import re

    slots = re.compile(r"\{(\w+)[:}]")
    for key, (en, zh) in PRICES.items():
        assert en
        assert zh
        assert set(slots.findall(en)) == set(slots.findall(zh)), key


# ---------------------------------------------------------------- subscribing


def submitted(**values: Any) -> dict[str, Any]:
    """The state of a form: menus as chosen options, the rest as text."""
    menus = ("period", "weekday", "hour", "lang")
    given = {"period": "weekly", "weekday": "4", "hour": "17", "zone": "Europe/Berlin", "lang": "en", **values}
    return {
        name: {name: {"selected_option": {"value": value}} if name in menus else {"value": value}}
        for name, value in given.items()
    }


def send_form(here: Inside, **values: Any) -> dict[str, Any]:
    place = {"team": TEAM, "channel": GENERAL, "user": ALICE, "response_url": here.slack.hook, "ephemeral": True}
    form = recorded.submission(ids.SUBSCRIBE_FORM, {"place": place, "lang": "en"}, submitted(**values))
    _, body, _ = here.deliver(form)
    return json.loads(body) if body else {}


def test_subscribe_opens_one_form_and_the_form_subscribes(here: Inside) -> None:
    command(here, "subscribe")
    assert until(lambda: here.slack.done("views.open"))
    form = here.slack.done("views.open")[0].arguments["view"]
    form = json.loads(form) if isinstance(form, str) else form
    assert [one["block_id"] for one in form["blocks"]] == [
        "period", "weekday", "hour", "zone", "gpus", "threshold", "lang",
    ]  # fmt: skip
    assert send_form(here, gpus="A100", threshold="2.5%") == {}
    said = hooks(here)[-1]["text"]
    assert "Friday 17:00 (Europe/Berlin)" in said
    assert "2.5 %" in said
    kept = digests.subscription(here.bot.database, TEAM, GENERAL)
    assert kept is not None
    assert (kept.weekday, kept.hour, kept.gpus, kept.threshold) == (4, 17, ("A100",), Decimal("0.025"))


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("zone", "Berlin", "no time zone “Berlin”"), ("gpus", "H1000", "H1000"), ("threshold", "150", "0 to 100"),
        ("threshold", "a bit", "0 to 100"),
    ],
)  # fmt: skip
def test_what_is_wrong_in_the_form_is_said_in_it(here: Inside, field: str, value: str, said: str) -> None:
    answer = send_form(here, **{field: value})
    assert answer["response_action"] == "errors"
    assert list(answer["errors"]) == [field]
    assert said in answer["errors"][field]
    assert digests.subscription(here.bot.database, TEAM, GENERAL) is None


def test_list_and_unsubscribe(here: Inside) -> None:
    command(here, "list")
    assert "gets no digest" in hooks(here)[-1]["text"]
    digests.subscribe(here.bot.database, wish(threshold=Decimal("0.05")))
    digests.digest_done(here.bot.database, TEAM, GENERAL, "2026-W48", NOON, None)
    digests.claim_digest(here.bot.database, TEAM, GENERAL, "2026-W48", "job", NOON)
    digests.digest_done(here.bot.database, TEAM, GENERAL, "2026-W48", NOON, None)
    command(here, "list")
    assert "skipped because nothing moved" in hooks(here, 2)[-1]["text"]
    command(here, "unsubscribe")
    assert "no more digests" in hooks(here, 3)[-1]["text"]
    command(here, "退订")
    assert "没有订阅" in hooks(here, 4)[-1]["text"]


def test_the_buttons_of_a_digest_change_and_stop_it(here: Inside) -> None:
    digests.subscribe(here.bot.database, wish())
    change = {"type": "button", "action_id": ids.DIGEST_CHANGE, "block_id": "b", "value": GENERAL}
    here.deliver(recorded.press(change, "5.0"))
    assert until(lambda: here.slack.done("views.open"))
    here.deliver(recorded.press({**change, "action_id": ids.DIGEST_STOP}, "5.0", response_url=here.slack.hook))
    assert "no more digests" in hooks(here)[-1]["text"]
    assert digests.subscriptions(here.bot.database) == []


@pytest.mark.parametrize(
    ("text", "said", "gpus"),
    [
        ("send us the A100 price digest every Monday", "gets the price digest", ("A100",)),
        ("每周一把GPU价格周报发到这个频道", "已订阅", ()),
    ],
)
def test_a_mention_subscribes(here: Inside, text: str, said: str, gpus: tuple[str, ...]) -> None:
    here.deliver(recorded.mention("E1", text, "2.0"))
    assert until(lambda: here.slack.done("chat.postMessage"))
    assert said in here.slack.done("chat.postMessage")[0].arguments["text"]
    kept = digests.subscription(here.bot.database, TEAM, GENERAL)
    assert kept is not None
    assert kept.gpus == gpus


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("what moved this week?", "2026-W"),
        ("上周价格有什么变动？", "2026-W"),
        ("stop the price digest", "had no digest"),
    ],
)
def test_a_mention_shows_the_digest_or_stops_it(here: Inside, text: str, said: str) -> None:
    here.deliver(recorded.mention("E1", text, "2.0"))
    assert until(lambda: here.slack.done("chat.postMessage"))
    sent = here.slack.done("chat.postMessage")[0].arguments
    assert sent["thread_ts"] == "2.0"
    assert said in sent["text"] or said.replace("2026", str(here.bot.now().year)) in sent["text"]


def test_the_home_tab_lists_subscriptions_and_what_is_paused(here: Inside) -> None:
    digests.subscribe(here.bot.database, wish(period="monthly", weekday=4))
    for _ in range(2):
        digests.post_failed(here.bot.database, TEAM, GENERAL, "is_archived")
    here.deliver(recorded.event("E9", type="app_home_opened", user=ALICE, channel="D1", tab="home"))
    assert until(lambda: here.slack.done("views.publish"))
    home = json.dumps(here.slack.done("views.publish")[0].arguments)
    assert "monthly" in home
    assert "Friday 09:00" in home
    assert "the channel is archived" in home


# ---------------------------------------------------------------- posting


def posts(here: Inside) -> list[dict[str, Any]]:
    return [call.arguments for call in here.slack.done("chat.postMessage", channel=GENERAL)]


def test_a_period_is_posted_once_whoever_tries(here: Inside) -> None:
    """Nobody looked at any price in the second week of 2026: that is posted as such, not skipped as quiet."""
    digests.subscribe(here.bot.database, wish())
    bot, period = at(here.bot, NOON), period_of("2026-W02")
    outcomes = [mailing.post(bot, wish(), period, job, never) for job in ("job-1", "job-2", "job-1")]
    assert outcomes == [mailing.POSTED, mailing.BEFORE, mailing.BEFORE]
    assert len(posts(here)) == 1
    assert "no price source was read" in posts(here)[0]["text"]


def test_a_clock_set_back_posts_nothing_again(here: Inside) -> None:
    """The job of a tick that comes a second time finds its period done; one from before the wish finds nothing due."""
    asked = wish(since=datetime(2026, 1, 7, tzinfo=UTC))
    digests.subscribe(here.bot.database, asked)
    outcomes = []
    for tick in ("2026-01-12T09:00", "2026-01-19T09:00", "2026-01-12T09:00", "2026-01-05T09:00"):
        period = due(asked, moment(tick, "UTC"))
        outcomes.append(None if period is None else mailing.post(at(here.bot, NOON), asked, period, tick, never))
    assert outcomes == [mailing.POSTED, mailing.POSTED, mailing.BEFORE, None]
    assert len(posts(here)) == 2


def test_a_process_that_died_between_posting_and_writing_it_down_posts_once(here: Inside) -> None:
    """The message is there, the row is not: the second run of the job finds its mark in the channel."""
    digests.subscribe(here.bot.database, wish())
    bot, period = at(here.bot, NOON), period_of("2026-W02")
    assert digests.claim_digest(here.bot.database, TEAM, GENERAL, period.name, "job-1", NOON)
    from bot.slack.posting import mark_of
    from bot.store.conversations import intend_post

    key = f"digest:{GENERAL}:{period.name}"
    intend_post(here.bot.database, TEAM, key, GENERAL, NOON, None)
    found = {"ts": "7.0", "metadata": {"event_payload": {"mark": mark_of(key)}}}
    here.slack.own["conversations.history"] = {"messages": [found]}
    outcome = mailing.post(bot, wish(), period, "job-1", never)
    assert outcome == mailing.POSTED
    assert posts(here) == []
    last = digests.last_digest(here.bot.database, TEAM, GENERAL)
    assert last is not None
    assert last["ts"] == "7.0"


def test_a_quiet_week_is_skipped_but_shown_on_request(here: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.digest.is_quiet", lambda _: True)
    digests.subscribe(here.bot.database, wish())
    assert mailing.post(at(here.bot, NOON), wish(), period_of("2026-W48"), "job", never) == mailing.SKIPPED
    assert posts(here) == []
    here.deliver(recorded.mention("E1", "show the price digest", "2.0"))
    assert until(lambda: posts(here))


@pytest.mark.parametrize("error", ["is_archived", "not_in_channel", "channel_not_found", "account_inactive"])
def test_two_failures_pause_it_and_tell_who_asked(here: Inside, error: str) -> None:
    digests.subscribe(here.bot.database, wish())
    here.slack.faults.append(Fault("chat.postMessage", error=error, times=2))
    bot = at(here.bot, NOON)
    for name in ("2026-W01", "2026-W02"):
        assert mailing.post(bot, wish(), period_of(name), name, never) == mailing.CLOSED
    kept = digests.subscription(here.bot.database, TEAM, GENERAL)
    assert kept is not None
    assert (kept.failures, kept.paused_because) == (2, error)
    told = here.slack.done("chat.postMessage", channel="D01DIRECT")
    assert len(told) == 1
    assert mailing.reason(error, "en") in told[0].arguments["text"]
    assert mailing.reason(error, "zh") != mailing.reason(error, "en")


# ---------------------------------------------------------------- watches


@pytest.mark.parametrize(
    ("text", "amount", "currency"),
    [
        ("watch A100 below $1.2", "1.2", "USD"), ("watch A100 80GB under 2 usd per hour", "2", "USD"),
        ("A100 < 1.5", "1.5", "USD"), ("盯 A100 低于 14元", "14", "CNY"), ("盯一下A100低于2美元", "2", "USD"),
    ],
)  # fmt: skip
def test_what_to_watch_is_read(here: Inside, text: str, amount: str, currency: str) -> None:
    found = watching.read(text, here.bot)
    assert isinstance(found, watching.Order)
    assert (found.question.gpus[0].model, found.amount, found.currency) == ("A100", Decimal(amount), currency)


@pytest.mark.parametrize("text", ["watch A100", "watch below 2", "watch A100 below cheap", "watch A100 below 0"])
def test_what_is_no_watch_gets_the_usage(here: Inside, text: str) -> None:
    command(here, text)
    assert "/gpu-prices watch H100 below $2" in hooks(here)[-1]["text"]


def test_a_watch_in_a_thread_is_told_there_once(here: Inside) -> None:
    """The lowest A100 of the small world costs 1.50: above 1, and below 100."""
    here.deliver(recorded.mention("E1", "watch A100 below $1", "2.0", thread_ts="1.5"))
    assert until(lambda: posts(here))
    assert "I watch A100" in posts(here)[0]["text"]
    kept = digests.watches(here.bot.database, TEAM, GENERAL)
    assert [one.thread_ts for one in kept] == ["1.5"]
    assert watching.look_at_all(here.bot, never) == 0
    import sqlalchemy as sa

    from bot.store import tables

    with here.bot.database.write() as connection:  # the price comes down to what was asked for
        connection.execute(sa.update(tables.watch).values(threshold=Decimal(100)))
    assert watching.look_at_all(here.bot, never) == 1
    assert watching.look_at_all(here.bot, never) == 0
    assert posts(here)[-1]["thread_ts"] == "1.5"
    assert f"<@{ALICE}>" in posts(here)[-1]["text"]
    command(here, "watch A100 below 100")
    assert "below $100.00 per GPU-hour already" in hooks(here)[-1]["text"]


# ---------------------------------------------------------------- a price that a colleague quotes


def test_a_quoted_price_is_kept_with_who_said_it_and_shown_as_such(here: Inside) -> None:
    here.bot = replace(here.bot, feeds=FeedIndex(here.bot.database, (PUBLIC, TEAM)))
    provider = next(iter(here.bot.catalog.providers.values())).name.say("en")
    from bot.slack import answering, conversation, subscribing

    heard = conversation.hear(f"{provider} A100 now 0.98", None, here.bot.catalog)
    given = answering.give(heard.parsed, here.bot.catalog, here.bot.now().date(), "en")
    asked = answering.Asked(TEAM, ALICE, GENERAL)
    answering.keep(here.bot.database, given, asked, here.bot.now())
    kept = answering.again(here.bot.database, TEAM, given.id)
    assert kept is not None
    from bot.slack.posting import Place

    said = subscribing.save_quote(here.bot, Place(TEAM, GENERAL, ALICE), *kept, "en")
    assert "Saved as reported by" in said
    assert "$0.98" in said
    menu = json.dumps(given.message(ALICE, here.bot.catalog).blocks)
    assert '"save|' in menu
    later = answering.give(heard.parsed, here.bot.catalog, here.bot.now().date(), "en", here.bot.merge)
    sources = [one for one in later.data["sources"] if one["kind"] == "community"]
    assert [ALICE in one["title"] and GENERAL in one["title"] for one in sources] == [True]
    assert "already" in subscribing.save_quote(here.bot, Place(TEAM, GENERAL, ALICE), *kept, "en")


def test_who_quoted_a_price_is_who_wrote_the_message_not_who_used_the_shortcut(here: Inside) -> None:
    provider = next(iter(here.bot.catalog.providers.values())).name.say("en")
    here.deliver(recorded.shortcut(f"{provider} A100 now 0.98", response_url=here.slack.hook))
    answer = json.dumps(hooks(here)[-1]["blocks"])
    option = answer[answer.index("save|") :].partition('"')[0].rstrip("\\")
    menu = {"type": "overflow", "action_id": ids.MORE, "block_id": "b", "selected_option": {"value": option}}
    here.deliver(recorded.press(menu, "5.0", response_url=here.slack.hook))
    assert "Saved as reported by U02BOB" in hooks(here, 2)[-1]["text"]


# ---------------------------------------------------------------- posting by hand


def test_the_command_line_posts_a_week_once_and_says_what_became_of_it(here: Inside) -> None:
    from bot.slack import by_hand

    def posted(name: str) -> tuple[str, int]:
        bot = here.bot
        return by_hand.post_week(bot.settings, bot.database, bot.knowledge, period_of(name), "en")

    assert posted("2026-W02") == ("no channel of this workspace subscribes to the weekly digest", 0)
    digests.subscribe(here.bot.database, wish())
    digests.subscribe(here.bot.database, wish(channel="C2", period="monthly"))
    assert posted("2026-W02") == ("posted to 1 channel, skipped in 0, done before in 0, not possible in 0", 0)
    assert posted("2026-W02") == ("posted to 0 channels, skipped in 0, done before in 1, not possible in 0", 0)
    assert len(posts(here)) == 1
    assert posted("2099-W02")[1] == 2
    here.slack.faults.append(Fault("chat.postMessage", error="is_archived"))
    assert posted("2026-W01")[1] == 4


def test_without_a_token_the_command_line_posts_nothing(here: Inside) -> None:
    from bot.slack import by_hand

    digests.subscribe(here.bot.database, wish())
    settings = replace(here.bot.settings, slack_bot_token=None)
    said, status = by_hand.post_week(settings, here.bot.database, here.bot.knowledge, period_of("2026-W02"), "zh")
    assert (status, "SLACK_BOT_TOKEN" in said) == (2, True)
    assert posts(here) == []


# ---------------------------------------------------------------- as its users meet it


@pytest.mark.needs_slack_peer
def test_a_channel_subscribes_lists_watches_and_gets_its_digest_by_hand_once(tmp_path: Path) -> None:
    """The server, a local Slack and the command line on one database."""
    import subprocess
    import sys

    with running(tmp_path) as world:
        bot = world.bot(GPU_BOT_KNOWLEDGE=str(canned.SMALL))
        reply = world.ask("send us the A100 price digest every Monday")
        assert "gets the price digest" in reply["text"]
        assert ids.DIGEST_STOP in json.dumps(reply["blocks"])
        world.peer.command("/gpu-prices", "watch A100 below $0.01")
        assert until(lambda: [one for one in world.peer.messages() if "I watch A100" in one["text"]])
        world.peer.command("/gpu-prices", "list")
        assert until(
            lambda: [one for one in world.peer.messages() if "Monday 09:00" in one["text"] and "•" in one["text"]]
        )
        for n in (1, 0):
            done = subprocess.run(
                [sys.executable, "-m", "bot", "digest", "--week", "2026-W02"], env=bot.env, capture_output=True,
                text=True, timeout=60, check=False, cwd=Path(__file__).parent.parent,
            )  # fmt: skip
            said = (
                f"posted to {n} channel{'' if n == 1 else 's'}, skipped in 0, done before in {1 - n}, not possible in 0"
            )
            assert (done.returncode, done.stderr) == (0, f"{said}\n")
        posted = [one for one in world.peer.messages() if "no price source was read" in one["text"]]
        assert len(posted) == 1
        shown = world.ask("what moved in the last week?")
        stop = {"type": "button", "action_id": ids.DIGEST_STOP, "block_id": "controls", "value": GENERAL}
        world.peer.press(shown["ts"], stop)
        assert until(lambda: [one for one in world.peer.messages() if "gets no more digests" in one["text"]])


@pytest.mark.needs_slack_peer
def test_after_two_refusals_the_digest_pauses_its_subscriber_is_told_and_subscribing_again_resumes_it(
    tmp_path: Path,
) -> None:
    """The server, a local Slack and the command line; the channel does not let the bot in until it is invited."""
    import subprocess
    import sys

    from bot.store import open_database

    rules = Rules(posts_in=frozenset({GENERAL}), rate=20, burst=40)
    with running(tmp_path, rules=rules) as world:
        bot = world.bot(GPU_BOT_KNOWLEDGE=str(canned.SMALL))
        database = open_database(f"sqlite:///{bot.home / 'gpu-bot.db'}")
        digests.subscribe(database, wish(channel=OUTSIDE))

        def post(week: str) -> tuple[int, str]:
            done = subprocess.run(
                [sys.executable, "-m", "bot", "digest", "--week", week], env=bot.env, capture_output=True, text=True,
                timeout=60, check=False, cwd=Path(__file__).parent.parent,
            )  # fmt: skip
            return done.returncode, done.stderr.splitlines()[-1]

        refused = "posted to 0 channels, skipped in 0, done before in 0, not possible in 1"
        direct = world.peer.dm(ALICE)
        assert post("2026-W02") == (4, refused)
        assert world.peer.messages(direct) == []
        assert post("2026-W03") == (4, refused)
        [told] = world.peer.messages(direct)
        assert f"<#{OUTSIDE}> is paused" in told["text"]
        assert "/invite me" in told["text"]
        assert post("2026-W04") == (0, "no channel of this workspace subscribes to the weekly digest")
        world.peer.command("/gpu-prices", "list", channel=OUTSIDE)
        assert until(lambda: [one for one in world.peer.messages(OUTSIDE) if "paused: I am not in" in one["text"]])
        rules.posts_in = frozenset({GENERAL, OUTSIDE})
        world.peer.command("/gpu-prices", "subscribe", channel=OUTSIDE)
        assert until(lambda: world.proxy.done("views.open"))
        with world.peer.screen() as screen:
            assert screen.submit(ALICE, submitted()) == {}
        assert until(lambda: digests.subscriptions(database, TEAM, OUTSIDE)[0].paused_because is None)
        assert post("2026-W04")[0] == 0
        assert len([one for one in world.peer.messages(OUTSIDE) if "2026-W04" in one["text"]]) == 1
        assert len(world.peer.messages(direct)) == 1
        database.close()


# ---------------------------------------------------------------- the jobs


class Job:
    """A job that runs its steps at once and notes them; waiting takes no time."""

    id = "job-1"

    def __init__(self, **args: Any) -> None:
        self.args = args
        self.steps: list[str] = []
        self.waited: list[float] = []

    def step(self, name: str, run: Any, *args: Any) -> Any:
        assert name not in self.steps
        self.steps.append(name)
        return json.loads(json.dumps(run(*args)))

    def pause(self, seconds: float) -> None:
        self.waited.append(seconds)

    def check(self) -> None:
        pass

    def report(self, **note: Any) -> None:
        json.dumps(note)


class Clock:
    """Keeps schedules as the durable jobs do, by name."""

    def __init__(self) -> None:
        self.kept: dict[str, tuple[str, str, str]] = {}

    def schedule(self, name: str, cron: str, kind: str, args: dict[str, Any], **how: Any) -> None:
        self.kept[name] = (cron, how.get("zone", "UTC"), how["catch_up"])

    def unschedule(self, name: str) -> bool:
        return self.kept.pop(name, None) is not None

    def schedules(self) -> list[str]:
        return list(self.kept)


def test_while_slack_is_away_the_digest_waits_and_then_comes_once(
    here: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    monkeypatch.setattr("bot.slack.posting._MOST_TRIES", 0)
    digests.subscribe(here.bot.database, wish())
    here.slack.faults.append(Fault("chat.postMessage", status=503, times=2))
    job: Any = Job(scheduled_for="2026-01-12T09:00:00+00:00", team=TEAM, channel=GENERAL)
    assert mailing.run(at(here.bot, NOON), job) == mailing.POSTED
    assert job.waited == [900.0, 900.0]
    assert len(posts(here)) == 1


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_after_half_a_day_without_slack_the_subscriber_is_told_and_another_job_may_post_it(
    here: Inside, monkeypatch: pytest.MonkeyPatch, lang: str
) -> None:
    """48 tries a quarter of an hour apart, then the direct message; the digest itself can still be posted by hand."""
    monkeypatch.setattr("bot.slack.posting._MOST_TRIES", 0)
    digests.subscribe(here.bot.database, wish(lang=lang))
    here.slack.faults.append(Fault("chat.postMessage", status=503, times=48))
    job: Any = Job(scheduled_for="2026-01-12T09:00:00+00:00", team=TEAM, channel=GENERAL)
    assert mailing.run(at(here.bot, NOON), job) == mailing.AWAY
    assert job.waited.count(900.0) == 48  # beside the second that a channel leaves between two messages
    told = here.slack.done("chat.postMessage")[-1].arguments
    assert told["channel"] == "D01DIRECT"
    assert f"<#{GENERAL}>" in told["text"]
    assert "2026-W02" in told["text"]
    assert any("\u4e00" <= char <= "\u9fff" for char in told["text"]) == (lang == "zh")
    assert mailing.post(at(here.bot, NOON), wish(), period_of("2026-W02"), "job-2", job.pause) == mailing.POSTED


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("reason", ["failed", "gave-up", "left-behind"])
def test_a_digest_that_failed_is_told_to_who_asked_for_it_and_may_be_posted_by_another_job(
    here: Inside, lang: str, reason: str
) -> None:
    """In a direct message with the week and the id that the log knows; Slack refuses it twice before it takes it."""
    digests.subscribe(here.bot.database, wish(lang=lang))
    assert digests.claim_digest(here.bot.database, TEAM, GENERAL, "2026-W02", "digest-1", NOON)
    here.slack.faults.append(Fault("chat.postMessage", error="ratelimited", status=429, retry_after=1, times=2))
    args = {"scheduled_for": "2026-01-12T09:00:00+00:00", "team": TEAM, "channel": GENERAL}
    mailing.orphan(here.bot, JobState("digest-1", mailing.KIND, "failed", TEAM, args, NOON), reason)
    [told] = here.slack.done("chat.postMessage")
    assert told.arguments["channel"] == "D01DIRECT"
    for expected in (f"<#{GENERAL}>", "2026-W02", "digest-1"):
        assert expected in told.arguments["text"]
    assert any("\u4e00" <= char <= "\u9fff" for char in told.arguments["text"]) == (lang == "zh")
    assert mailing.post(at(here.bot, NOON), wish(), period_of("2026-W02"), "digest-2", never) == mailing.POSTED


def test_of_a_digest_that_waits_for_slack_or_that_nobody_wants_any_more_nothing_is_told(here: Inside) -> None:
    """A wait of a quarter of an hour gives no sign of life; the subscription may end meanwhile; and a job that died
    before it was written down names no channel."""
    args = {"scheduled_for": "2026-01-12T09:00:00+00:00", "team": TEAM, "channel": GENERAL}
    mailing.orphan(here.bot, JobState("digest-1", mailing.KIND, "failed", TEAM, args, NOON), "failed")
    digests.subscribe(here.bot.database, wish())
    mailing.orphan(here.bot, JobState("digest-1", mailing.KIND, "running", TEAM, args, NOON), "silent")
    mailing.orphan(here.bot, JobState("digest-2", mailing.KIND, "failed", "", {}, NOON), "gave-up")
    assert here.slack.done("chat.postMessage") == []


def test_a_paused_or_ended_subscription_gets_nothing(here: Inside) -> None:
    job: Any = Job(scheduled_for="2026-01-12T09:00:00+00:00", team=TEAM, channel=GENERAL)
    assert mailing.run(here.bot, job) == mailing.NOT_DUE
    digests.subscribe(here.bot.database, wish(failures=2, paused_because="is_archived"))
    again: Any = Job(**job.args)
    assert mailing.run(here.bot, again) == mailing.NOT_DUE


def test_the_clocks_are_those_of_the_subscriptions(here: Inside) -> None:
    """Also where a process died between writing the one and the other; paused ones and those of others stay out."""
    clock: Any = Clock()
    bot = replace(here.bot, jobs=clock)
    for channel, more in (("C1", {"weekday": 4, "zone": "Asia/Shanghai"}), ("C2", {}), ("C3", {"team_id": "T2"})):
        digests.subscribe(bot.database, wish(channel=channel, **more))
    for _ in range(2):
        digests.post_failed(bot.database, TEAM, "C2", "is_archived")
    clock.kept = {f"digest:{TEAM}:gone": ("", "", ""), "daily": ("", "", ""), "digest:T2:C9": ("", "", "")}
    mailing.reconcile(bot, clock)
    assert clock.kept == {
        "daily": ("", "", ""), "digest:T2:C9": ("", "", ""),
        f"digest:{TEAM}:C1": ("0 9 * * 5", "Asia/Shanghai", "last"),
    }  # fmt: skip
    mailing.unsubscribe(bot, TEAM, "C1")
    assert f"digest:{TEAM}:C1" not in clock.kept


@pytest.mark.parametrize(("setting", "read"), [("off", None), ("daily", {"came": 0, "away": 1})])
def test_the_daily_work_reads_feeds_unless_that_is_off(
    here: Inside, monkeypatch: pytest.MonkeyPatch, setting: str, read: Any
) -> None:
    away = Outcome("skypilot/aws", refused=FeedError("feed.away", name="a.example", reason="no route"))
    monkeypatch.setattr(daily, "refresh", lambda *_: iter([away]))
    job: Any = Job()
    done = daily.run(replace(here.bot, settings=replace(here.bot.settings, refresh=setting)), job)
    assert done == {"read": read, "forgotten": 0}
    assert job.steps == [*(["refresh"] if read else []), "prune"]
