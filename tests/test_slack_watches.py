"""Watched prices: told once each time they come below, after every list that brought news, by one process of many."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from itertools import count
from pathlib import Path

import pytest
from slack import canned, recorded
from slack.canned import Inside
from slack.peer import ALICE, GENERAL, TEAM, until
from slack.strict_proxy import Fault, Rules
from slack.world import running, settle

from bot.feeds import table
from bot.feeds.importing import put_all
from bot.feeds.intake import Origin
from bot.feeds.names import Names
from bot.feeds.reader import FeedIndex
from bot.jobs import Jobs, Pace
from bot.slack import daily, watching
from bot.slack.work import Bot
from bot.store import PUBLIC, digests
from bot.store.digests import Watch

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
PACE = Pace(beat=0.5, dead=2.0, poll=0.1, schedules=0.5, watch=0.3, late=60.0)
HEADER = "provider,gpu,gpus,price\n"


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Inside]:
    with canned.inside(tmp_path) as one:
        seconds = count()  # a clock that goes on while it is looked at
        feeds = FeedIndex(one.bot.database, (PUBLIC, TEAM))
        one.bot = replace(one.bot, feeds=feeds, now=lambda: NOON + timedelta(seconds=next(seconds)))
        yield one


@pytest.fixture
def at_work(here: Inside) -> Iterator[Inside]:
    """With the jobs of a server."""
    jobs = Jobs(here.bot.database, PACE)
    here.bot = replace(here.bot, jobs=jobs)
    jobs.kind(watching.KIND, lambda job: watching.run(here.bot, job))
    jobs.kind(daily.KIND, lambda job: daily.run(here.bot, job))
    jobs.start()
    yield here
    jobs.stop(2.0)


def says(bot: Bot, minute: int, *rows: str) -> None:
    """A price list of some minute of the day, as an import writes it down."""
    seen = NOON - timedelta(hours=1) + timedelta(minutes=minute)
    data = (HEADER + "".join(f"{row}\n" for row in rows)).encode()
    readings = table.read(data, Origin("list.csv", "list", seen), Names(bot.catalog))
    for outcome in put_all(bot.database, "list.csv", readings, Names(bot.catalog), NOON):
        assert outcome.imported is not None, outcome.refused


def watches(here: Inside, text: str = "watch A100 below $1") -> None:
    order = watching.read(text, here.bot)
    assert isinstance(order, watching.Order)
    place = watching.Place(TEAM, GENERAL, ALICE, thread_ts="1.5")
    assert "watched" not in watching.start(here.bot, place, order, "en")


def look(here: Inside) -> int:
    assert here.bot.feeds is not None
    here.bot.feeds.refresh()
    return watching.look_at_all(here.bot, lambda seconds: None)


def told(here: Inside) -> list[str]:
    return [call.arguments["text"] for call in here.slack.done("chat.postMessage", channel=GENERAL)]


# ---------------------------------------------------------------- once each time


def test_each_fall_below_is_told_once_and_again_only_after_a_rise(here: Inside) -> None:
    """1.60, 0.95, 0.90, 1.00, 0.99: below one dollar with the second and the fifth; one dollar itself is not below."""
    watches(here)
    found = []
    for minute, price in enumerate(("1.60", "0.95", "0.90", "1.00", "0.99")):
        says(here.bot, minute, f"northwind,A100,1,{price}")
        found.append((look(here), look(here)))
    assert found == [(0, 0), (1, 0), (0, 0), (0, 0), (1, 0)]
    assert ["$0.95" in told(here)[0], "$0.99" in told(here)[1], len(told(here))] == [True, True, 2]
    assert "/gpu-prices unwatch A100" in told(here)[0]


def test_a_look_waits_for_whoever_reads_the_lists_in(here: Inside) -> None:
    """Else it would see the old price, and nobody would look again before the next news."""
    watches(here)
    says(here.bot, 0, "northwind,A100,1,0.95")
    assert here.bot.feeds is not None
    reading = here.bot.feeds._lock
    reading.acquire()  # as another thread that came too early to see the list
    threading.Timer(0.3, reading.release).start()
    assert watching._look(here.bot, lambda seconds: None) == 1


def test_a_price_that_nobody_knows_any_more_is_no_rise(here: Inside) -> None:
    """The list leaves the T4 out once: unknown is not above, so its return at the old price is no news."""
    says(here.bot, 0, "northwind,T4,1,0.80", "northwind,A100,1,2")
    look(here)
    watches(here, "watch T4 below $0.5")
    found = []
    for minute, price in enumerate(("0.40", "", "0.40", "0.60", "0.40"), 1):
        rows = [f"northwind,T4,1,{price}"] if price else []
        says(here.bot, minute, *rows, "northwind,A100,1,2")
        found.append(look(here))
    assert found == [1, 0, 0, 0, 1]


def test_a_process_that_died_after_telling_tells_no_second_time(here: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    watches(here)
    says(here.bot, 0, "northwind,A100,1,0.95")
    with monkeypatch.context() as died:
        died.setattr(watching.kept, "watch_looked", lambda *_: (_ for _ in ()).throw(RuntimeError("killed")))
        assert look(here) == 0
    assert len(told(here)) == 1
    assert look(here) == 1  # it is written down now
    assert len(told(here)) == 1


def test_a_watch_that_cannot_be_told_ends(here: Inside) -> None:
    watches(here)
    says(here.bot, 0, "northwind,A100,1,0.95")
    here.slack.faults.append(Fault("chat.postMessage", error="is_archived"))
    assert look(here) == 0
    assert digests.watches(here.bot.database) == []


def test_while_slack_is_away_nothing_counts_as_told(here: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.slack.posting._MOST_TRIES", 0)
    watches(here)
    says(here.bot, 0, "northwind,A100,1,0.95")
    here.slack.faults.append(Fault("chat.postMessage", status=503))
    assert look(here) == 0
    assert look(here) == 1
    assert len(told(here)) == 1


# ---------------------------------------------------------------- after every list that brought news


def test_every_import_that_brings_news_has_the_watches_looked_at_by_one_of_two_replicas(at_work: Inside) -> None:
    """Both replicas see the new list, as they do every few seconds; its price is told once."""
    other = replace(at_work.bot, feeds=FeedIndex(at_work.bot.database, (PUBLIC, TEAM)))
    watches(at_work)
    jobs = at_work.bot.jobs
    assert jobs is not None
    for minute, price in enumerate(("1.60", "0.95", "1.60", "0.95")):
        says(at_work.bot, minute, f"northwind,A100,1,{price}")
        for bot in (at_work.bot, other):
            bot.look_at_feeds()
        done = minute + 1
        states = lambda: [one.state for one in jobs.jobs(TEAM, watching.KIND)]  # noqa: E731
        assert until(lambda: states() == ["done"] * done, 20), (done, states())  # noqa: B023
        assert len(told(at_work)) == (0, 1, 1, 2)[minute]


def test_a_list_that_says_the_same_again_starts_no_look(at_work: Inside) -> None:
    says(at_work.bot, 0, "northwind,A100,1,1.60")
    at_work.bot.look_at_feeds()
    watches(at_work)
    says(at_work.bot, 0, "northwind,A100,1,1.60")
    assert at_work.bot.look_at_feeds() is False
    assert at_work.bot.jobs is not None
    assert len(at_work.bot.jobs.jobs(TEAM, watching.KIND)) == 1  # of the first time


def test_what_came_while_no_server_ran_is_told_at_its_start(at_work: Inside) -> None:
    watches(at_work)
    says(at_work.bot, 0, "northwind,A100,1,0.95")
    assert at_work.bot.feeds is not None
    assert at_work.bot.jobs is not None
    at_work.bot.feeds.refresh()
    for _ in range(2):
        daily.schedule(at_work.bot, at_work.bot.jobs)
    assert until(lambda: told(at_work), 20)
    assert len(at_work.bot.jobs.jobs(TEAM, watching.KIND)) == 1


def test_the_daily_work_has_the_watches_looked_at_too(at_work: Inside) -> None:
    """Without any news: a price grows too old to count, or a rate of exchange changes."""
    says(at_work.bot, 0, "northwind,A100,1,0.95")
    number = digests.add_watch(
        at_work.bot.database,
        Watch(
            TEAM,
            GENERAL,
            ALICE,
            "en",
            {"intent": "price", "lang": "en", "gpus": [{"model": "A100"}]},
            NOON,
            threshold=Decimal(1),
        ),
    )
    at_work.bot = replace(at_work.bot, settings=replace(at_work.bot.settings, refresh="off"))
    assert at_work.bot.jobs is not None
    at_work.bot.jobs.submit(daily.KIND, {}, key="day", team_id=TEAM)
    assert until(lambda: told(at_work), 20)
    assert until(lambda: digests.watches(at_work.bot.database)[0].told is not None)
    assert digests.watches(at_work.bot.database)[0].id == number


# ---------------------------------------------------------------- no more of it


@pytest.mark.parametrize(
    ("text", "left", "said"),
    [
        ("unwatch A100", ["H100"], "A100 is watched no more"), ("unwatch", [], "A100, H100 is watched no more"),
        ("取消盯价 H100", ["A100"], "不再盯 H100"), ("取消盯价\u3000H100", ["A100"], "不再盯 H100"),
        ("unwatch B200", ["A100", "H100"], "Nothing like that"),
        ("unwatch A1000", ["A100", "H100"], "no GPU “A1000”"), ("unwatch all", [], "A100, H100 is watched no more"),
        ("unwatch <!here> please", ["A100", "H100"], "no GPU “&lt;!here&gt; please”"),
    ],
)  # fmt: skip
def test_watches_end_by_command(here: Inside, text: str, left: list[str], said: str) -> None:
    watches(here)
    watches(here, "watch H100 below $0.1")
    here.deliver(recorded.command("/gpu-prices", text, response_url=here.slack.hook))
    assert until(lambda: here.slack.done("hook"))
    assert said in here.slack.done("hook")[0].arguments["text"]
    assert [one.question["gpus"][0]["model"] for one in digests.watches(here.bot.database, TEAM)] == left


# ---------------------------------------------------------------- as its users meet it


@pytest.mark.needs_slack_peer
def test_a_list_imported_on_the_command_line_is_told_in_the_thread_of_the_watch(tmp_path: Path) -> None:
    """The server notices the new list by itself; two lists that say the same are told once."""
    with running(tmp_path, rules=Rules(rate=20, burst=40)) as world:
        bot = world.bot(GPU_BOT_KNOWLEDGE=str(canned.SMALL))
        ts = world.mention("watch A100 below $1")
        assert "I watch A100" in world.peer.wait_reply(ts, GENERAL, 10)["text"]
        for price in ("0.95", "0.94"):
            list_ = tmp_path / f"{price}.csv"
            list_.write_text(f"{HEADER}northwind,A100,1,{price}\n", encoding="utf-8")
            seen = (datetime.now(UTC).date() - timedelta(days=price == "0.95")).isoformat()
            done = subprocess.run(
                [sys.executable, "-m", "bot", "prices", "import", str(list_), "--as", "csv", "--seen", seen],
                env=bot.env, capture_output=True, text=True, timeout=60, check=False,
                cwd=Path(__file__).parent.parent,
            )  # fmt: skip
            assert done.returncode == 0, done.stderr
            assert until(lambda: len(world.peer.replies(ts)) == 2, 30), bot.log[-3000:]
        settle(8)  # the server looks for news every five seconds
        replies = [one["text"] for one in world.peer.replies(ts)]
        assert len(replies) == 2
        assert "$0.95" in replies[1]
