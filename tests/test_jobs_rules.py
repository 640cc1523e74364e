"""The rules of durable jobs that one process can show: what is refused, what is remembered, who may judge whom."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from dbos import DBOS

from bot import store
from bot.jobs import FAILED, Job, JobError, Jobs, Pace, alive, keeper
from bot.jobs.keeper import Keeper
from bot.store import Database, jobrows

QUICK = Pace(beat=0.2, dead=2.0, poll=0.1, schedules=0.2, watch=60.0, keep=timedelta(0))


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    database = store.open_database(f"sqlite:///{tmp_path / 'bot.db'}")
    yield database
    database.close()


GATE = threading.Event()
HEARD: list[tuple[str, str, str]] = []  # by whom, of which job, why


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Jobs, Database]]:
    database = store.open_database(f"sqlite:///{tmp_path_factory.mktemp('jobs') / 'bot.db'}")
    one = Jobs(database, QUICK)
    one.kind("add", lambda job: job.step("add", lambda: job.args["a"] + job.args["b"]))
    one.kind("strange", lambda job: job.step("strange", lambda: {1, 2}))
    one.kind("where", where)
    one.kind("gate", lambda job: job.step("gate", lambda: GATE.wait(20)))
    for name in ("left", "right"):
        one.kind(name, broken, lambda state, reason, name=name: HEARD.append((name, state.id, reason)))
    one.kind("mute", broken)
    one.start()
    yield one, database
    assert one.stop(1.0)
    database.close()


@pytest.fixture
def jobs(shared: tuple[Jobs, Database]) -> Jobs:
    """The jobs of one process; a process has only one of these."""
    return shared[0]


def broken(_: Job) -> None:
    raise RuntimeError("nobody foresaw this")


def where(job: Job) -> list[Any]:
    job.report(half=True)
    return [job.team_id, job.lane, job.asked_by]


def wait(condition: Callable[[], Any]) -> Any:
    until = time.monotonic() + 20
    while time.monotonic() < until:
        if found := condition():
            return found
        time.sleep(0.05)
    raise AssertionError("this did not happen within 20 s")


def ended(jobs: Jobs, id_: str) -> Any:
    return wait(lambda: (state := jobs.status(id_)) and state.state in ("done", "failed") and state)


def test_a_job_knows_who_asked_and_where(jobs: Jobs) -> None:
    id_, _ = jobs.submit("where", {}, key="k", team_id="T1", lane="h1", asked_by="U1")
    state = ended(jobs, id_)
    assert state.result == ["T1", "h1", "U1"]
    assert jobs.progress(id_) == {"half": True}
    assert [one.id for one in jobs.jobs("T1")] == [id_]
    assert jobs.jobs("T2") == []


def test_a_process_has_its_jobs_once(jobs: Jobs, db: Database) -> None:
    with pytest.raises(JobError, match="runs jobs already"):
        Jobs(db).start()


def test_one_key_in_two_workspaces_is_two_jobs(jobs: Jobs) -> None:
    one, _ = jobs.submit("where", {}, key="k", team_id="W1")
    other, new = jobs.submit("where", {}, key="k", team_id="W2")
    assert new
    assert one != other


@pytest.mark.parametrize("args", [{"when": datetime(2026, 1, 1, tzinfo=UTC)}, {"x": float("nan")}, {"s": {1}}])
def test_arguments_that_are_no_json_are_refused_before_anything_is_written(jobs: Jobs, args: dict[str, Any]) -> None:
    with pytest.raises(JobError, match="arguments of add must be plain JSON"):
        jobs.submit("add", args, key="k", team_id="nobody")
    assert jobs.jobs("nobody") == []


def test_a_result_that_is_no_json_fails_the_job_by_name(jobs: Jobs) -> None:
    state = ended(jobs, jobs.submit("strange", {}, key="k")[0])
    assert state.state == "failed"
    assert "the result of step strange must be plain JSON" in state.error


def test_the_database_holds_no_pickles(shared: tuple[Jobs, Database]) -> None:
    """Whoever can write the database must not be able to run code in the bot: all that is stored is JSON."""
    jobs, db = shared
    ended(jobs, jobs.submit("add", {"a": 1, "b": 2}, key="k")[0])
    with sqlite3.connect(db.file) as connection:
        kept = connection.execute("SELECT inputs FROM workflow_input").fetchall()
        kept += connection.execute("SELECT output FROM workflow_output").fetchall()
        kept += connection.execute("SELECT output FROM operation_outputs").fetchall()
    values = [json.loads(text) for (text,) in kept if text is not None]
    assert {"value": 3} in values
    assert {"state": "done", "result": 3} in values


def test_each_kind_hears_of_its_own_orphans_and_the_log_of_all(jobs: Jobs, caplog: pytest.LogCaptureFixture) -> None:
    """Three kinds of job fail: two have a listener each, the third has none; nobody hears of another's job or twice."""
    ids = {kind: jobs.submit(kind, {}, key="k")[0] for kind in ("left", "right", "mute")}
    for id_ in ids.values():
        assert ended(jobs, id_).state == "failed"
    for _ in range(2):
        jobs._keeper._report()
    wait(lambda: len(HEARD) == 2)
    time.sleep(0.5)
    assert sorted(HEARD) == [(kind, ids[kind], FAILED) for kind in ("left", "right")]
    assert all(f"job {id_}: failed" in caplog.text for id_ in ids.values())
    reasons = {one.getMessage(): str((one.exc_info or [None, None])[1]) for one in caplog.records}
    assert {reasons.get(f"job {id_} failed") for id_ in ids.values()} == {"nobody foresaw this"}


def test_unknown_kinds_clocks_and_zones_are_refused_in_a_sentence(jobs: Jobs) -> None:
    with pytest.raises(JobError, match="'nope' is no kind of job; they are add"):
        jobs.submit("nope", {}, key="k")
    with pytest.raises(JobError, match="'every monday' is no schedule; write minute"):
        jobs.schedule("s", "every monday", "add", {})
    with pytest.raises(JobError, match="'Mars/Base' is no time zone"):
        jobs.schedule("s", "0 9 * * mon", "add", {}, zone="Mars/Base")
    with pytest.raises(JobError, match="last, each or none"):
        jobs.schedule("s", "0 9 * * mon", "add", {}, catch_up="all")
    with pytest.raises(JobError, match="cannot be a kind"):
        jobs.kind("add", where)
    assert jobs.schedules() == []


def test_a_schedule_can_be_changed_and_ended(jobs: Jobs) -> None:
    jobs.schedule("s", "0 9 * * mon", "add", {"a": 1, "b": 2}, zone="Asia/Shanghai")
    jobs.schedule("s", "0 10 * * mon", "add", {"a": 1, "b": 2})
    assert jobs.schedules() == ["s"]
    assert jobs.unschedule("s")
    assert not jobs.unschedule("s")
    assert jobs.schedules() == []
    assert DBOS.list_schedules() == []


def test_finished_jobs_are_forgotten_after_their_time_and_unfinished_ones_are_not(jobs: Jobs) -> None:
    done, _ = jobs.submit("add", {"a": 1, "b": 2}, key="old")
    ended(jobs, done)
    running, _ = jobs.submit("gate", {}, key="old")
    jobs._keeper._forget()  # finished jobs are kept for no time here
    assert jobs.status(done) is None
    assert jobs.progress(done) is None
    GATE.set()
    assert ended(jobs, running).result is True


def test_only_who_was_heard_all_the_time_may_call_others_dead(db: Database) -> None:
    """dead is 40 s: a gap of more than 20 s in our own heartbeat starts the 40 s anew."""
    one = Keeper(db, "me", Pace(dead=40.0), "1", lambda id_, reason: None)
    assert not one._may_judge()  # never beat
    now = time.monotonic()
    for ago in (60, 50, 40, 30, 20, 10, 0):
        one._note_beat(now - ago)
    assert one._may_judge()
    one._note_beat(now + 25)  # the database was away for 25 s
    assert one._steady_since == now + 25
    for ago in (60, 50, 25):  # heard long enough, but not lately: we may be cut off
        one._note_beat(now - ago)
    assert not one._may_judge()


def test_a_process_of_this_machine_is_gone_when_it_ended_or_its_number_is_another_s(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of one on another machine, in another container, or with a name of another form, nothing is known."""
    told = "from bot.jobs.alive import own_name; print(own_name())"
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    ended_, mine = done.stdout.strip(), alive.own_name()
    assert (alive.is_gone(ended_), alive.is_gone(mine)) == (True, False)
    assert alive.is_gone(mine + "0")  # our number, and ten times our beginning
    assert not alive.is_gone(f"x@{alive.machine()}:1:{alive._started(1)}")  # maybe of another user
    for name in ("", "0" * 32, "x@", f"x@{alive.machine()}", f"x@{alive.machine()}:", f"x@{alive.machine()}:-1:0"):
        assert not alive.is_gone(name)
    monkeypatch.setattr(alive, "machine", lambda: "another")
    assert not alive.is_gone(ended_)
    monkeypatch.setattr(alive, "machine", lambda: "")
    assert "@" not in alive.own_name()


def test_processes_are_gone_when_signed_off_and_silent_when_not_heard(db: Database) -> None:
    for name in ("alive", "left"):
        jobrows.beat(db, name)
    jobrows.sign_off(db, "left")
    assert jobrows.silent_executors(db, {"alive", "left", "never"}, 5.0) == ({"left", "never"}, set())
    time.sleep(0.3)
    assert jobrows.silent_executors(db, {"alive"}, 0.2) == (set(), {"alive"})
    assert jobrows.living_executors(db, 5.0) == ["alive"]
    jobrows.beat(db, "alive")
    assert jobrows.silent_executors(db, {"alive"}, 0.2) == (set(), set())


def test_the_public_name_of_recovery_is_used_where_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []
    monkeypatch.setattr(DBOS, "_recover_pending_workflows", lambda names: asked.append(names) or ["w"])
    assert keeper._recover(["dead"]) == 1
    monkeypatch.setattr(DBOS, "recover_workflows", lambda names: asked.append([*names, "public"]) or [], raising=False)
    assert keeper._recover(["dead"]) == 0
    assert asked == [["dead"], ["dead", "public"]]


def test_a_retold_schedule_keeps_what_it_has_handled(db: Database) -> None:
    """Every replica schedules at every start; only a change makes a schedule young again."""
    first = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
    day = timedelta(days=1)
    assert jobrows.put_schedule(db, "s", "0 9 * * mon|UTC|digest", "last", first)
    assert not jobrows.put_schedule(db, "s", "0 9 * * mon|UTC|digest", "last", first + day)
    assert [row.handled for row in jobrows.schedule_rows(db)] == [first]
    jobrows.schedule_handled(db, "s", first + 7 * day)
    jobrows.schedule_handled(db, "s", first)  # a late replica
    assert [row.handled for row in jobrows.schedule_rows(db)] == [first + 7 * day]
    assert jobrows.put_schedule(db, "s", "0 9 * * tue|UTC|digest", "last", first + 10 * day)
    assert [row.handled for row in jobrows.schedule_rows(db)] == [first + 10 * day]
