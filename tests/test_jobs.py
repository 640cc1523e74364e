"""Durable jobs, with real processes that are killed, frozen and replaced, on SQLite and PostgreSQL."""

from __future__ import annotations

import sqlite3
import time
from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from jobs_world import databases
from jobs_world.cast import Cast

database_url = databases.database_url
cluster = databases.cluster


@pytest.fixture
def cast(database_url: str, tmp_path: Path) -> Iterator[Cast]:
    one = Cast(database_url, tmp_path)
    yield one
    one.end()


def ticks(cast: Cast, channel: str) -> list[datetime]:
    return sorted(datetime.fromisoformat(one["tick"]) for one in cast.events("digest", channel=channel))


def test_a_job_runs_once_for_its_key_and_keeps_its_result(cast: Cast) -> None:
    """Three parts 0+1+2 give 3; the same key again is the same job; nothing is written to the console."""
    cast.start("A")
    first = cast.submit("A", "bench", "k", lane="h1", seconds=0)
    assert cast.submit("A", "bench", "k", lane="h1", seconds=0) == first
    cast.wait_for("end")
    assert [one["new"] for one in cast.events("submitted")] == [True, False]
    cast.wait(lambda: cast.status("A", first)["state"] == "done")
    state = cast.status("A", first)
    assert (state["result"], state["note"], state["runs"]) == ({"total": 3}, {"done": 3}, 1)
    assert len(cast.events("post")) == 1
    assert cast.status("A", "bench-unknown")["state"] is None
    assert cast.leave("A")[0]["clean"]
    assert cast.executors_errors() == ""


def test_a_failed_job_is_told_about_once(cast: Cast) -> None:
    cast.start("A", "B")
    job = cast.submit("A", "broken", "k")
    told = cast.wait_for("orphan")[0]
    assert (told["job"], told["state"], told["reason"]) == (job, "failed", "failed")
    assert "division" in told["error"]
    time.sleep(2)  # both look every half second
    assert len(cast.events("orphan")) == 1


@pytest.mark.slow
def test_jobs_submitted_by_a_job_are_submitted_once(cast: Cast) -> None:
    cast.start("A")
    cast.submit("A", "fan_out", "k")
    cast.wait_for("end", 3)
    assert set(Counter(one["job"] for one in cast.events("post")).values()) == {1}


@pytest.mark.slow
def test_three_processes_that_submit_the_same_keys_run_each_once(cast: Cast) -> None:
    cast.start("A", "B", "C")
    for number in range(12):
        for name in "ABC":
            cast.say(name, submit="bench", key=f"k{number}", lane=f"h{number}", args={"parts": 1, "seconds": 0})
    cast.wait_for("end", 12)
    time.sleep(1)
    assert Counter(one["job"] for one in cast.events("post")).most_common(1)[0][1] == 1
    assert sum(one["new"] for one in cast.events("submitted")) == 12


# ---------------------------------------------------------------- processes that die


@pytest.mark.slow
def test_a_killed_job_resumes_at_its_step_and_posts_once(cast: Cast) -> None:
    """S1: kill -9 in the second of four parts, start anew."""
    cast.start("A")
    job = cast.submit("A", "bench", "k", lane="h1", parts=4, seconds=0.8)
    cast.wait_for("part_start", part=1)
    cast.kill("A")
    cast.start("A2")
    cast.wait_for("end", seconds=20)
    assert cast.runs_of_parts() == {(job, 0): 1, (job, 1): 2, (job, 2): 1, (job, 3): 1}
    assert len(cast.events("post")) == 1
    assert cast.status("A2", job)["runs"] == 2


@pytest.mark.slow
def test_a_process_that_was_killed_is_missed_at_once_on_its_own_machine(cast: Cast) -> None:
    """Nobody waits until it has not been heard for long enough, which would be 600 s here."""
    cast.start("A", pace={"dead": 600.0})
    cast.submit("A", "bench", "k", lane="h1", parts=2, seconds=0.8)
    cast.wait_for("part_start")
    cast.kill("A")
    cast.start("B", pace={"dead": 600.0})
    cast.wait_for("end", seconds=20)
    assert len(cast.events("post")) == 1


@pytest.mark.slow
def test_a_survivor_takes_over_without_a_restart(cast: Cast) -> None:
    """S2: the runner's machine dies, two live on; dead after 2 s, so a takeover within 6 s leaves room for slowness."""
    cast.start("A", "B", "C", elsewhere=True)
    job = cast.submit("A", "bench", "k", lane="h1", parts=3, seconds=0.8)
    runner = cast.wait_for("part_start", part=1)[0]["who"]
    killed = cast.kill(runner)
    resumed = cast.wait_for("part_start", 2, part=1)[1]
    assert resumed["who"] != runner
    assert resumed["t"] - killed < 6
    cast.wait_for("end")
    assert cast.runs_of_parts() == {(job, 0): 1, (job, 1): 2, (job, 2): 1}
    assert len(cast.events("post")) == 1


@pytest.mark.slow
def test_two_of_three_killed_for_good_lose_nothing(cast: Cast) -> None:
    """S17: twelve jobs in three lanes; each posts once, and no lane ever runs two parts at once."""
    cast.start("A", "B", "C", elsewhere=True)
    for number in range(12):
        cast.say("A", submit="bench", key=f"k{number}", lane=f"h{number % 3}", args={"seconds": 0.3})
    for victims in (1, 2):
        cast.wait_for("end", 2 * victims)
        cast.wait_for("submitted", 12)
        dead = {one["who"] for one in cast.events("killed")}
        cast.kill(cast.wait(lambda dead=dead: _busy(cast) - dead).pop())
    cast.wait_for("end", 12, seconds=60)
    assert Counter(Counter(one["job"] for one in cast.events("post")).values()) == {1: 12}
    assert cast.most_at_once() == {"h0": 1, "h1": 1, "h2": 1}


def _busy(cast: Cast) -> set[str]:
    """The processes amid a part."""
    amid: dict[tuple[str, str], int] = Counter()
    for one in cast.events():
        if one["event"] in ("part_start", "part_end", "part_stopped"):
            amid[one["who"], one["job"]] += 1 if one["event"] == "part_start" else -1
    return {who for (who, _), open_ in amid.items() if open_ > 0}


@pytest.mark.slow
def test_a_rolling_start_leaves_running_jobs_alone(cast: Cast) -> None:
    """S3b: two replicas start while a step of 5 s runs; it is not begun a second time."""
    cast.start("A")
    job = cast.submit("A", "bench", "k", lane="h1", parts=2, seconds=5)
    cast.wait_for("part_start")
    cast.start("B", "C")
    cast.wait_for("end")
    assert cast.runs_of_parts() == {(job, 0): 1, (job, 1): 1}
    assert len(cast.events("post")) == 1


@pytest.mark.slow
def test_a_busy_process_killed_and_replaced_loses_and_doubles_nothing(cast: Cast) -> None:
    """S4: twelve jobs, three lanes, three replicas; a busy one is killed, its successor starts 1 s later."""
    cast.start("A", "B", "C")
    for number in range(12):
        cast.say("A", submit="bench", key=f"k{number}", lane=f"h{number % 3}", args={"seconds": 0.3})
    cast.wait_for("submitted", 12)
    cast.wait_for("end", 2)
    victim = cast.wait(lambda: _busy(cast) - {"A"} or _busy(cast)).pop()
    cast.kill(victim)
    time.sleep(1)
    cast.start("D")
    cast.wait_for("end", 12, seconds=60)
    assert Counter(Counter(one["job"] for one in cast.events("post")).values()) == {1: 12}
    assert set(cast.most_at_once().values()) == {1}


@pytest.mark.slow
def test_a_death_between_the_post_and_its_record_does_not_post_twice(cast: Cast) -> None:
    """S10: the intent is written, the message is out, the process dies; the next one finds the message."""
    cast.start("A", die_after_post=True)
    cast.submit("A", "bench", "k", parts=1, seconds=0)
    cast.wait(lambda: cast.processes["A"].poll() is not None)
    cast.start("B")
    cast.wait_for("end", seconds=20)
    assert len(cast.events("post")) == 1


@pytest.mark.slow
def test_a_new_version_of_the_program_goes_on_with_an_old_job(cast: Cast) -> None:
    """S11: killed, then started again with other code for the same steps."""
    cast.start("A")
    job = cast.submit("A", "bench", "k", seconds=0.8)
    cast.wait_for("part_start", part=1)
    cast.kill("A")
    cast.start("B", variant="new code")
    cast.wait_for("end", seconds=20)
    assert cast.runs_of_parts()[job, 0] == 1
    assert len(cast.events("new_code")) == 1


@pytest.mark.slow
def test_a_frozen_process_that_thaws_stops_and_does_not_post(cast: Cast) -> None:
    """S16: stopped amid a part, taken over, thawed: it leaves the job to its new runner."""
    cast.start("A", "B")
    job = cast.submit("A", "bench", "k", lane="h1", parts=3, seconds=1.5)
    frozen = cast.wait_for("part_start", part=1)[0]["who"]
    other = "B" if frozen == "A" else "A"
    cast.freeze(frozen)
    cast.wait_for("part_start", who=other, part=1)
    cast.thaw(frozen)
    cast.wait_for("end", seconds=20)
    time.sleep(2)
    assert [one["by"] for one in cast.events("part_stopped", who=frozen)] == ["LetGo"]
    assert cast.events("part_start", who=frozen, part=2) == []
    assert [one["who"] for one in cast.events("post")] == [other]
    assert cast.status(frozen, job)["state"] == "done"
    assert cast.submit(frozen, "bench", "next", parts=1, seconds=0)  # the thawed process is of use again
    cast.wait_for("end", 2)


@pytest.mark.slow
def test_a_job_that_kills_its_process_is_given_up_and_told_about(cast: Cast) -> None:
    """Poison: the first run and three more, each in a fresh process; the fifth process survives it and tells."""
    cast.start("P0")
    job = cast.submit("P0", "poison", "k")
    for number in range(4):
        cast.wait(lambda number=number: cast.processes[f"P{number}"].poll() is not None, 20)
        cast.start(f"P{number + 1}")
    told = cast.wait_for("orphan", seconds=20)
    assert [(one["job"], one["reason"], one["state"]) for one in told] == [(job, "gave-up", "failed")]
    assert len(cast.events("poison")) == 4
    assert cast.processes["P4"].poll() is None


@pytest.mark.slow
def test_a_job_without_a_sign_of_life_is_told_about_and_may_still_end_well(cast: Cast) -> None:
    cast.start("A", pace={"silent": 2.0})
    job = cast.submit("A", "deaf", "k", seconds=6)
    told = cast.wait_for("orphan")
    assert [(one["job"], one["reason"], one["state"]) for one in told] == [(job, "silent", "running")]
    cast.wait(lambda: cast.status("A", job)["state"] == "done")
    assert len(cast.events("orphan")) == 1


# ---------------------------------------------------------------- stopping on purpose


@pytest.mark.slow
def test_a_process_that_leaves_hands_its_job_over_at_once(cast: Cast) -> None:
    """Nothing is lost, nothing runs twice at once, and nobody waits for a timeout (dead is 30 s here)."""
    cast.start("A", pace={"dead": 30.0})
    job = cast.submit("A", "bench", "k", lane="h1", parts=4, seconds=3)
    cast.wait_for("part_start", part=1)
    cast.start("B", pace={"dead": 30.0})
    (bye,) = cast.leave("A")
    assert bye["clean"]
    assert bye["seconds"] < 8
    cast.wait_for("end", seconds=30)
    handed_over = [one["part"] for one in cast.events("part_start") if one["who"] == "A"][-1]
    assert cast.runs_of_parts() == {(job, part): 2 if part == handed_over else 1 for part in range(4)}
    assert cast.most_at_once() == {"h1": 1}
    assert len(cast.events("post")) == 1


@pytest.mark.slow
def test_a_process_that_leaves_amid_a_deaf_step_says_so_in_time(cast: Cast) -> None:
    """It waits 3 s, then ends; its job is taken over when it has not been heard for a while, not before."""
    cast.start("A", "B")
    cast.submit("A", "deaf", "k", seconds=60)
    time.sleep(2)
    byes = {one["who"]: one for one in cast.leave("A", "B")}
    assert sorted(one["clean"] for one in byes.values()) == [False, True]
    assert max(one["seconds"] for one in byes.values()) < 10


@pytest.mark.slow
def test_a_running_job_that_is_cancelled_stops_within_seconds_and_says_so(cast: Cast) -> None:
    cast.start("A", "B")
    job = cast.submit("A", "bench", "k", lane="h1", parts=3, seconds=30)
    cast.wait_for("part_start")
    cast.say("B", cancel=job)
    asked = cast.wait_for("cancel")[0]
    assert asked["state"] == "stopping"
    stopped = cast.wait_for("part_stopped")[0]
    assert stopped["t"] - asked["t"] < 3
    cast.wait_for("said_cancelled")
    cast.wait(lambda: cast.status("A", job)["state"] == "cancelled")
    assert cast.events("post") == []
    assert cast.events("orphan") == []
    follower = cast.submit("B", "bench", "next", lane="h1", parts=1, seconds=0)  # the lane is free again
    cast.wait_for("end", job=follower)


@pytest.mark.slow
def test_a_queued_job_knows_its_place_and_never_starts_when_cancelled(cast: Cast) -> None:
    cast.start("A")
    first = cast.submit("A", "bench", "k0", lane="h1", parts=1, seconds=4)
    cast.wait_for("part_start", job=first)
    second = cast.submit("A", "bench", "k1", lane="h1", parts=1, seconds=0)
    third = cast.submit("A", "bench", "k2", lane="h1", parts=1, seconds=0)
    assert (cast.status("A", second)["state"], cast.status("A", second)["ahead"]) == ("queued", 1)
    assert cast.status("A", third)["ahead"] == 2
    cast.say("A", cancel=second)
    assert cast.wait_for("cancel")[0]["state"] == "cancelled"
    assert cast.status("A", second)["state"] == "cancelled"
    cast.wait_for("end", job=third)
    assert cast.events("part_start", job=second) == []
    assert len(cast.events("said_cancelled", job=second)) == 1


# ---------------------------------------------------------------- schedules


@pytest.mark.slow
def test_a_tick_fires_once_with_three_replicas_one_of_them_killed(cast: Cast) -> None:
    """S5: every second, three schedules, 10 s: no tick twice, none missing between the first and the last."""
    cast.start("A", "B", "C")
    for channel in ("C1", "C2", "C3"):
        for name in "ABC":  # each replica schedules at its start
            cast.say(name, schedule=channel, cron="* * * * * *")
    cast.wait_for("digest", 9)
    cast.kill("B")
    time.sleep(7)
    for channel in ("C1", "C2", "C3"):
        fired = ticks(cast, channel)
        assert len(fired) >= 8
        assert len(fired) == len(set(fired))
        assert {after - before for before, after in pairwise(fired)} == {timedelta(seconds=1)}


@pytest.mark.slow
def test_ticks_missed_by_all_are_made_up_as_the_schedule_says(cast: Cast) -> None:
    """S13: all three down for about 6 s of a tick every 2 s; "each" misses none, "last" makes up one, "none" none."""
    schedules = {"each": "*/2 * * * * *", "last": "1-59/2 * * * * *", "none": "*/2 * * * * *"}

    def schedule(name: str) -> None:
        for catch_up, cron in schedules.items():
            cast.say(name, schedule=catch_up, cron=cron, catch_up=catch_up)

    cast.start("A", "B", "C")
    for name in "ABC":
        schedule(name)
    cast.wait(lambda: all(len(ticks(cast, one)) >= 2 for one in schedules))
    down = datetime.fromtimestamp(cast.kill("A", "B", "C")).astimezone()
    time.sleep(6)
    cast.start("D", "E", "F")
    for name in "DEF":
        schedule(name)
    up = datetime.fromtimestamp(min(one["t"] for one in cast.events("up") if one["who"] in "DEF")).astimezone()
    for catch_up in schedules:
        known = len([one for one in ticks(cast, catch_up) if one > up])
        cast.wait(lambda catch_up=catch_up, known=known: len([t for t in ticks(cast, catch_up) if t > up]) > known + 1)
    time.sleep(2)
    every = timedelta(seconds=2)
    for catch_up in schedules:
        fired = ticks(cast, catch_up)
        assert len(fired) == len(set(fired)), catch_up
        steps = [after - before for before, after in pairwise(fired)]
        gaps = [step for step in steps if step > every]
        missed = [one for one in fired if down + every < one < up - every]
        if catch_up == "each":
            assert gaps == []
            assert len(missed) >= 1
        elif catch_up == "last":
            assert len(gaps) == 1, gaps  # a gap, then the latest missed tick, then all live ones
        else:
            assert missed == []
            assert len(gaps) == 1


@pytest.mark.slow
def test_a_changed_schedule_owes_nothing_for_the_time_before(cast: Cast) -> None:
    """Changed from a far tick to one that was due yesterday: nothing fires. Ended: nothing fires any more."""
    cast.start("A")
    cast.say("A", schedule="C1", cron="0 0 1 1 *", catch_up="each")
    cast.wait_for("scheduled")
    cast.say("A", schedule="C1", cron="0 0 * * *", catch_up="each")
    cast.wait_for("scheduled", 2)
    time.sleep(3)
    assert cast.events("digest") == []


# ---------------------------------------------------------------- the database in trouble


@pytest.mark.slow
def test_a_database_locked_for_ten_seconds_amid_a_job_loses_nothing(tmp_path: Path) -> None:
    """An outsider holds SQLite's write lock; two replicas keep their hands off each other's job."""
    cast = Cast(f"sqlite:///{tmp_path / 'world.db'}", tmp_path)
    try:
        cast.start("A", "B")
        job = cast.submit("A", "bench", "k", lane="h1", parts=4, seconds=0.5)
        cast.wait_for("part_end")
        lock = sqlite3.connect(tmp_path / "world.db", isolation_level=None, timeout=20)
        lock.execute("BEGIN IMMEDIATE")
        time.sleep(10)
        lock.execute("COMMIT")
        lock.close()
        cast.wait_for("end", seconds=40)
        assert cast.runs_of_parts() == {(job, number): 1 for number in range(4)}
        assert len(cast.events("post")) == 1
    finally:
        cast.end()


@pytest.mark.slow
@pytest.mark.needs_postgres
def test_a_server_away_for_some_seconds_amid_a_job_loses_nothing(tmp_path: Path) -> None:
    """PostgreSQL ends at once and comes back 5 s later; nobody takes the living runner for dead."""
    own = databases.Cluster()
    cast = Cast(own.new_database(), tmp_path)
    try:
        cast.start("A", "B")
        job = cast.submit("A", "bench", "k", lane="h1", parts=4, seconds=1)
        cast.wait_for("part_start", part=1)
        own.stop()
        time.sleep(5)
        own.start()
        cast.wait_for("end", seconds=60)
        assert cast.runs_of_parts() == {(job, number): 1 for number in range(4)}
        assert len(cast.events("post")) == 1
    finally:
        cast.end()
        own.remove()
