"""One process that runs jobs, told by a JSON argument what to do. What it does to the world goes to an append-only log.

It says ``up`` when it takes work, does what its standard input says, one JSON line each, and leaves when that ends.
"""

from __future__ import annotations

import json
import logging
import os
import signal
import sys
import threading
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bot import store
from bot.jobs import Cancelled, Job, Jobs, JobState, Pace, alive
from bot.store.conversations import intend_post, posted

SPEC: dict[str, Any] = json.loads(sys.argv[1])
LOG = Path(SPEC["log"])
DATABASE = store.open_database(SPEC["url"])
if SPEC.get("elsewhere"):  # as if it ran on a machine of its own, where nobody sees its end
    alive.machine = lambda: str(SPEC["name"])
jobs = Jobs(DATABASE, Pace(**SPEC["pace"]))


def tell(event: str, **more: Any) -> None:
    line = json.dumps({"t": time.time(), "who": SPEC["name"], "pid": os.getpid(), "event": event, **more}) + "\n"
    handle = os.open(LOG, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(handle, line.encode())
    os.close(handle)


def part(job: Job, number: int) -> int:
    tell("part_start", job=job.id, lane=job.lane, part=number)
    try:
        job.pause(job.args.get("seconds", 0.3))
    except BaseException as error:
        tell("part_stopped", job=job.id, lane=job.lane, part=number, by=type(error).__name__)
        raise
    tell("part_end", job=job.id, lane=job.lane, part=number)
    return number


def post(job: Job) -> str:
    """The rule for first posts: intend, look whether an earlier try arrived, post, keep the place."""
    intent, new = intend_post(DATABASE, job.team_id, job.id, "C", datetime.now(UTC))
    if intent.ts is None and (new or not arrived(job.id)):
        tell("post", job=job.id)
    if SPEC.get("die_after_post"):
        os.kill(os.getpid(), signal.SIGKILL)
    posted(DATABASE, job.team_id, job.id, "1.0", datetime.now(UTC))
    return "1.0"


def arrived(key: str) -> bool:
    """What looking in the channel for the metadata of a message is in real life."""
    events = map(json.loads, LOG.read_text().splitlines())
    return any(event["event"] == "post" and event["job"] == key for event in events)


def bench(job: Job) -> dict[str, Any]:
    if SPEC.get("variant") == "new code":  # the same steps, written anew
        tell("new_code", job=job.id)
    total = 0
    try:
        for number in range(job.args.get("parts", 3)):
            total += job.step(f"part-{number}", part, job, number)
            job.report(done=number + 1)
        job.step("post", post, job)
    except Cancelled:
        job.step("say cancelled", lambda: tell("said_cancelled", job=job.id), always=True)
        raise
    tell("end", job=job.id)
    return {"total": total}


def digest(job: Job) -> None:
    job.step("digest", lambda: tell("digest", tick=job.args["scheduled_for"], channel=job.args["channel"], job=job.id))


def poison(job: Job) -> None:
    tell("poison", job=job.id)
    os.kill(os.getpid(), signal.SIGKILL)


def broken(job: Job) -> None:
    job.step("break", lambda: 1 // 0)


def deaf(job: Job) -> None:
    job.step("sleep", lambda: time.sleep(job.args["seconds"]))


def fan_out(job: Job) -> None:
    for number in range(3):
        jobs.submit("bench", {"parts": 1, "seconds": 0}, key=f"{job.id}/{number}")


def orphan(state: JobState, reason: str) -> None:
    tell("orphan", job=state.id, kind=state.kind, state=state.state, reason=reason, error=state.error)


def obey(order: dict[str, Any]) -> None:
    match order:
        case {"submit": kind, "key": key, **rest}:
            id_, new = jobs.submit(kind, rest.get("args", {}), key=key, lane=rest.get("lane"))
            tell("submitted", key=key, job=id_, new=new)
        case {"schedule": name, "cron": cron, **rest}:
            jobs.schedule(name, cron, "digest", {"channel": name}, catch_up=rest.get("catch_up", "last"))
            tell("scheduled", name=name)
        case {"cancel": id_}:
            tell("cancel", job=id_, state=jobs.cancel(id_, "U1"))
        case {"status": id_}:
            state = jobs.status(id_)
            tell("status", job=id_, state=state and state.state, ahead=state and state.ahead, note=jobs.progress(id_),
                 result=state and state.result, runs=state and state.runs)  # fmt: skip


def main() -> None:
    logging.basicConfig(level="WARNING", stream=sys.stderr)
    for name, run in {"bench": bench, "digest": digest, "poison": poison, "broken": broken, "deaf": deaf,
                      "fan_out": fan_out}.items():  # fmt: skip
        jobs.kind(name, run, orphan)
    jobs.start()
    tell("up", executor=jobs.executor, threads=threading.active_count())
    for line in sys.stdin:
        obey(json.loads(line))
    began = time.monotonic()
    clean = jobs.stop(3.0)
    tell("bye", clean=clean, seconds=time.monotonic() - began)
    os._exit(0)


main()
