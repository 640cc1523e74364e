"""Digests with three replicas on one database, one of them killed, and after a time without any: each comes once."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from jobs_world import databases
from slack import canned
from slack.peer import ALICE, TEAM, until
from slack.strict_proxy import arguments_of, as_json

from bot.digest.due import due
from bot.store import digests, open_database, tables
from bot.store.digests import Subscription

cluster, database_url = databases.cluster, databases.database_url
WORLD = Path(__file__).parent / "slack" / "mail_world.py"
CHANNELS = [f"C{n:03}" for n in range(36)]


class Remembering(canned.CannedSlack):
    """Keeps what was posted, takes its time, and shows it again to those who look into the channel."""

    def __init__(self) -> None:
        super().__init__()
        self.posted: list[tuple[str, dict[str, Any]]] = []

    def answer(self, path: str, raw: bytes, headers: Mapping[str, str]) -> tuple[int, bytes, dict[str, str]]:
        status, body, more = super().answer(path, raw, headers)
        if path.endswith("chat.postMessage") and json.loads(body).get("ok"):
            arguments = arguments_of(raw, headers.get("content-type", ""))
            metadata = as_json(arguments["metadata"])
            message = {"ts": json.loads(body)["ts"], "metadata": metadata, "blocks": as_json(arguments["blocks"])}
            self.posted.append((str(arguments["channel"]), message))
            time.sleep(0.25)  # the moment in which a process may die: posted, and not yet written down
        return status, body, more

    def _own(self, method: str, arguments: dict[str, Any]) -> dict[str, Any] | None:
        if method == "conversations.history":
            here = [message for channel, message in self.posted if channel == arguments["channel"]]
            return {"ok": True, "messages": here}
        return super()._own(method, arguments)


@contextlib.contextmanager
def replicas(folder: Path, url: str, api: str, n: int = 3) -> Iterator[list[subprocess.Popen[str]]]:
    spec = json.dumps({"url": url, "api": api, "home": str(folder), "knowledge": str(canned.SMALL), "team": TEAM})
    with (folder / "replicas.err").open("w") as errors:
        found = [
            subprocess.Popen(
                [sys.executable, str(WORLD), spec], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors,
                text=True, cwd=Path(__file__).parent.parent,
            )
            for _ in range(n)
        ]  # fmt: skip
    try:
        for one in found:
            assert one.stdout is not None
            assert one.stdout.readline() == "up\n", (folder / "replicas.err").read_text()[-2000:]
        yield found
    finally:
        for one in found:
            one.kill()
            one.wait()
            for pipe in (one.stdin, one.stdout):
                if pipe is not None:
                    pipe.close()


def order(replica: subprocess.Popen[str], **what: Any) -> None:
    assert replica.stdin is not None
    assert replica.stdout is not None
    replica.stdin.write(json.dumps(what) + "\n")
    replica.stdin.flush()
    assert replica.stdout.readline() == "scheduled\n"


@pytest.mark.slow
def test_three_replicas_of_which_one_is_killed_post_36_of_36_once(tmp_path: Path, database_url: str) -> None:
    slack = Remembering()
    slack.start()
    url, database = database_url, open_database(database_url)
    since = datetime.now(UTC) - timedelta(days=30)
    weekday = datetime.now(UTC).weekday()
    for channel in CHANNELS:
        digests.subscribe(database, Subscription(TEAM, channel, ALICE, since, weekday=weekday, hour=0))
    try:
        with replicas(tmp_path, url, slack.url) as found:
            soon = datetime.now(UTC) + timedelta(seconds=6)
            first, *others = found
            order(first, cron=f"{soon.second} {soon.minute} {soon.hour} * * *")
            assert until(lambda: len(slack.posted) >= 6, 60), (tmp_path / "replicas.err").read_text()[-2000:]
            others[0].kill()
            assert until(lambda: len({channel for channel, _ in slack.posted}) == len(CHANNELS), 90)
            done = lambda: [digests.last_digest(database, TEAM, channel) for channel in CHANNELS]  # noqa: E731
            assert until(lambda: all(done()), 60)
            time.sleep(3)  # whoever would post again has the time to
        assert Counter(channel for channel, _ in slack.posted) == Counter(CHANNELS)
        assert {row["state"] for row in done() if row is not None} == {"posted"}
    finally:
        database.close()
        slack.stop()


@pytest.mark.slow
def test_after_a_time_without_any_replica_each_channel_gets_its_last_digest_once(
    tmp_path: Path, database_url: str
) -> None:
    """Three daily, three weekly and three monthly ones fell due: of each the last one comes, and no other."""
    slack = Remembering()
    slack.start()
    database = open_database(database_url)
    now = datetime.now(UTC)
    tick = now - timedelta(minutes=10)  # the last one that was missed; the next is a day away
    away = now - timedelta(days=100)
    when = {"hour": tick.hour, "minute": tick.minute}
    wishes = {
        "C-DAY": Subscription(TEAM, "C-DAY", ALICE, away, period="daily", weekday=None, **when),
        "C-WEEK": Subscription(TEAM, "C-WEEK", ALICE, away, weekday=tick.weekday(), **when),
        "C-MONTH": Subscription(TEAM, "C-MONTH", ALICE, away, period="monthly", weekday=tick.weekday(), **when),
    }
    for wish in wishes.values():
        digests.subscribe(database, wish)
    try:
        with replicas(tmp_path, database_url, slack.url, 1) as [before]:
            order(before)  # sets the clocks, and goes away
        with database.write() as connection:
            clocks = tables.job_schedule
            for channel, days in (("C-DAY", 3), ("C-WEEK", 21), ("C-MONTH", 93)):
                mine = sa.update(clocks).where(clocks.c.name == f"digest:{TEAM}:{channel}")
                assert connection.execute(mine.values(handled=tick - timedelta(days=days, minutes=-1))).rowcount == 1
        with replicas(tmp_path, database_url, slack.url) as found:
            for one in found:
                order(one)
            assert until(lambda: len(slack.posted) >= len(wishes), 60), (tmp_path / "replicas.err").read_text()[-2000:]
            time.sleep(4)  # whoever would post an older one has the time to
        assert Counter(channel for channel, _ in slack.posted) == Counter(list(wishes))
        with database.read() as connection:
            kept = tables.digest_post.c
            rows = connection.execute(sa.select(kept.channel, kept.period, kept.state)).all()
        due_last = {channel: due(wish, tick) for channel, wish in wishes.items()}
        assert sorted(rows) == sorted((channel, one.name, "posted") for channel, one in due_last.items() if one)
        assert len(rows) == len(wishes)
    finally:
        database.close()
        slack.stop()
