"""What the library does not do: notice dead processes, missed ticks, failed and silent jobs, and forget old ones."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from croniter import croniter  # type: ignore[import-untyped]
from dbos import DBOS, WorkflowSchedule, WorkflowStatus

from bot.jobs.alive import is_gone
from bot.jobs.state import FAILED, GAVE_UP, LEFT_BEHIND, SILENT, TELL, Pace
from bot.store import Database, StoreAwayError, jobrows

log = logging.getLogger(__name__)

_FINISHED = ["SUCCESS", "ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED"]
_FAILED = {"ERROR": FAILED, "MAX_RECOVERY_ATTEMPTS_EXCEEDED": GAVE_UP}
_WAITING = ["ENQUEUED", "DELAYED", "PENDING"]
_FORGET_EVERY = 3600.0
_BATCH = 500


class Keeper:
    """Two threads: a heart, which only beats, and a watch, which looks after the jobs of everyone.

    Every process has one, so that any of them may die; whatever they find, they find together and do once.
    """

    def __init__(
        self, database: Database, executor: str, pace: Pace, format_: str, pass_on: Callable[[str, str], None]
    ) -> None:
        self._database = database
        self._executor = executor
        self._pace = pace
        self._format = format_
        self._pass_on = pass_on
        self._paused = threading.Event()
        self._stopped = threading.Event()
        self._steady_since: float | None = None
        self._last_beat: float | None = None
        self._heart = threading.Thread(target=self._beat_on, name="jobs-heart", daemon=True)
        self._watch = threading.Thread(target=self._look_on, name="jobs-watch", daemon=True)

    def start(self) -> None:
        self._heart.start()
        self._watch.start()

    def pause(self) -> None:
        """Look no more, but keep beating while running jobs come to an end."""
        self._paused.set()
        if self._watch.is_alive():
            self._watch.join(timeout=2.0)

    def stop(self) -> None:
        self._paused.set()
        self._stopped.set()
        if self._heart.is_alive():
            self._heart.join(timeout=2.0)

    # ------------------------------------------------------------ the heart

    def _beat_on(self) -> None:
        while True:
            try:
                jobrows.beat(self._database, self._executor)
                self._note_beat(time.monotonic())
            except StoreAwayError as error:
                self._steady_since = None
                log.warning("no heartbeat: %s", error)
            if self._stopped.wait(self._pace.beat):
                return

    def _note_beat(self, now: float) -> None:
        if self._steady_since is None or self._last_beat is None or now - self._last_beat > self._longest_gap:
            self._steady_since = now
        self._last_beat = now

    def _may_judge(self) -> bool:
        """Whether we have been heard without a gap for as long as others must have been silent to count as dead.

        When the database was away or locked, or we were frozen, the living need that time to be heard again.
        """
        since, last, now = self._steady_since, self._last_beat, time.monotonic()
        return (
            since is not None
            and last is not None
            and now - last <= self._longest_gap
            and now - since >= self._pace.dead
        )

    @property
    def _longest_gap(self) -> float:
        return self._pace.dead / 2

    # ------------------------------------------------------------ the watch

    def _look_on(self) -> None:
        duties: list[tuple[float, Callable[[], None]]] = [
            (self._pace.beat, self._take_over),
            (self._pace.watch, self._report),
            (self._pace.watch, self._catch_up),
            (_FORGET_EVERY, self._forget),
        ]
        due = [0.0] * len(duties)
        while not self._paused.wait(min(self._pace.beat, 1.0)):
            for index, (every, duty) in enumerate(duties):
                if time.monotonic() >= due[index] and not self._paused.is_set():
                    due[index] = time.monotonic() + every
                    _attempt(duty)

    def _take_over(self) -> None:
        """Put the unfinished jobs of dead processes back into their queues."""
        runners = {flow.executor_id for flow in _flows(status="PENDING")} - {self._executor, None}
        names = {name for name in runners if name}
        left, unheard = jobrows.silent_executors(self._database, names, self._pace.dead)
        gone = {name for name in names if is_gone(name)}
        dead = left | gone | (unheard if self._may_judge() else set())
        if dead:
            log.warning("took over %d jobs of %d processes that are gone", _recover(sorted(dead)), len(dead))

    def _report(self) -> None:
        """Find jobs that will not end well by themselves, and say so once."""
        now = datetime.now(UTC)
        found = [(flow, _FAILED[flow.status]) for flow in _flows(status=list(_FAILED))]
        waiting = _flows(status=_WAITING)
        found += [(flow, LEFT_BEHIND) for flow in waiting if flow.app_version not in (self._format, None)]
        rows = {row.id: row for row in jobrows.job_rows(self._database, ids={flow.workflow_id for flow in waiting})}
        found += [
            (flow, SILENT)
            for flow in waiting
            if flow.status == "PENDING" and now - _last_sign(flow, rows.get(flow.workflow_id)) > self._silence
        ]
        for flow, reason in found:
            self._report_one(flow, reason, now)

    @property
    def _silence(self) -> timedelta:
        return timedelta(seconds=self._pace.silent)

    def _report_one(self, flow: WorkflowStatus, reason: str, now: datetime) -> None:
        kind = flow.name.removesuffix("@schedule")
        if kind == TELL:
            log.error("news about a job could not be told: %s", flow.workflow_id)
            return
        row = jobrows.job_row(self._database, flow.workflow_id)
        if row is None:  # a scheduled job that died before it was written down
            jobrows.add_job(
                self._database, flow.workflow_id, team_id="", kind=kind, lane=None, args={}, asked_by=None, now=now
            )
        elif row.reported == reason or (row.reported is not None and reason == SILENT):
            return
        self._pass_on(flow.workflow_id, reason)
        jobrows.job_reported(self._database, flow.workflow_id, reason)

    def _catch_up(self) -> None:
        """Start what schedules owe for the time when nobody was there. A tick that was fired is not fired again."""
        rows = {row.name: row for row in jobrows.schedule_rows(self._database)}
        for schedule in DBOS.list_schedules():
            row = rows.get(schedule["schedule_name"])
            if row is not None and row.catch_up != "none":
                self._catch_up_one(schedule, row)

    def _catch_up_one(self, schedule: WorkflowSchedule, row: jobrows.ScheduleRow) -> None:
        zone = ZoneInfo(schedule["cron_timezone"] or "UTC")
        by = datetime.now(zone) - timedelta(seconds=self._pace.late)
        last: datetime = croniter(schedule["schedule"], by, second_at_beginning=True).get_prev(datetime)
        if last <= row.handled:
            return
        fired = schedule["last_fired_at"]
        missed = fired is None or datetime.fromisoformat(fired) < last
        # With "each", ticks before the last that was fired may be missing too: we alone know how far they are handled.
        if missed or row.catch_up == "each":
            tick = timedelta(microseconds=1)
            start = row.handled if row.catch_up == "each" else last - tick
            DBOS.backfill_schedule(row.name, start, last + tick)
        if missed:
            log.warning("schedule %s: made up for what was missed up to %s", row.name, last)
        jobrows.schedule_handled(self._database, row.name, last)

    def _forget(self) -> None:
        """Drop finished jobs that are older than anybody asks for."""
        before = datetime.now(UTC) - self._pace.keep
        while ids := [
            flow.workflow_id for flow in _flows(status=_FINISHED, end_time=before.isoformat(), limit=_BATCH)
        ]:  # fmt: skip
            DBOS.delete_workflows(ids)
            jobrows.forget_jobs(self._database, ids)
        old = jobrows.old_rows(self._database, datetime.now(UTC), self._pace.keep)
        known = {flow.workflow_id for flow in _flows(workflow_ids=old)} if old else set()
        jobrows.forget_jobs(self._database, set(old) - known)  # written down, but never submitted


def _attempt(duty: Callable[[], None]) -> None:
    try:
        duty()
    except StoreAwayError as error:
        log.warning("%s: %s", duty.__name__.strip("_"), error)
    except Exception:  # the watch must outlive whatever one look meets; it looks again soon
        log.exception("%s went wrong", duty.__name__.strip("_"))


def _flows(**which: Any) -> list[WorkflowStatus]:
    return DBOS.list_workflows(**which, load_input=False, load_output=False)


def _last_sign(flow: WorkflowStatus, row: jobrows.JobRow | None) -> datetime:
    begun = datetime.fromtimestamp((flow.dequeued_at or flow.created_at or 0) / 1000, UTC)
    return begun if row is None or row.alive is None else max(begun, row.alive)


def _recover(executors: list[str]) -> int:
    """Put the jobs of dead processes back into their queues; safe to do twice, by anyone.

    The one place that calls something private: dbos 3.4 has no public name for it, later versions do.
    """
    public = getattr(DBOS, "recover_workflows", None)
    recover = public if public is not None else DBOS._recover_pending_workflows  # noqa: SLF001
    return len(recover(executors))
