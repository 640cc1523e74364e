"""One replica that posts digests, for tests that kill it. It says ``up``, does what its input says, ends with it."""

from __future__ import annotations

import json
import logging
import os
import sys
from datetime import UTC, datetime
from pathlib import Path

from bot.catalog import Reloader
from bot.jobs import Jobs, Pace
from bot.settings import read
from bot.slack import app as slack
from bot.slack import mailing
from bot.slack.people import People
from bot.slack.posting import Poster
from bot.slack.work import Bot
from bot.store import digests, open_database

SPEC = json.loads(sys.argv[1])
PACE = Pace(beat=0.5, dead=2.0, poll=0.5, schedules=1.0, watch=1.0, late=2.0, at_once=4)


def main() -> None:
    logging.basicConfig(level="WARNING", stream=sys.stderr)
    database = open_database(SPEC["url"])
    client = slack.client("xoxb-test-token", SPEC["api"])
    jobs = Jobs(database, PACE)
    settings = read({"GPU_BOT_HOME": SPEC["home"]}, Path(SPEC["home"]))
    poster = Poster(database, client, lambda: datetime.now(UTC))
    knowledge = Reloader(Path(SPEC["knowledge"]))
    bot = Bot(settings, database, knowledge, poster, People(client), user="U0BOT", team=SPEC["team"], jobs=jobs)
    mailing.digests.is_quiet = lambda _: False  # type: ignore[assignment]  # whatever the week, it is posted
    jobs.kind(mailing.KIND, lambda job: mailing.run(bot, job))
    jobs.start()
    print("up", flush=True)
    for line in sys.stdin:
        order = json.loads(line)
        if "cron" not in order:  # as a server does it when it starts
            mailing.reconcile(bot, jobs)
            print("scheduled", flush=True)
            continue
        for wish in digests.subscriptions(database, SPEC["team"]):
            args = {"team": wish.team_id, "channel": wish.channel}
            jobs.schedule(f"test:{wish.channel}", order["cron"], mailing.KIND, args, team_id=wish.team_id)
        print("scheduled", flush=True)
    jobs.stop(2.0)
    os._exit(0)


main()
