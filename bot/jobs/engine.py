"""Durable jobs: written down before they run, resumed at the step where a process died, told about when they fail.

One narrow interface over the library dbos, on the database of ``bot.store``. One ``Jobs`` for each process.
"""

from __future__ import annotations

import hashlib
import logging
import threading
import uuid
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, cast
from zoneinfo import ZoneInfo

from croniter import croniter  # type: ignore[import-untyped]
from dbos import DBOS, DBOSConfig, DBOSPortableJSONSerializer, SetEnqueueOptions, SetWorkflowID, WorkflowStatus

from bot.jobs.alive import own_name
from bot.jobs.keeper import Keeper
from bot.jobs.running import Job
from bot.jobs.state import TELL, Cancelled, JobError, JobState, LetGo, Pace, plain
from bot.store import LOCAL, Database, StoreAwayError, jobrows

log = logging.getLogger(__name__)

# Jobs of one format go on under every version of the program that names it. Raise it when the steps of a kind change
# so much that a half-done job cannot go on; what is left of the old format is reported, not resumed.
FORMAT = "1"
_ATTEMPTS = 3  # a job whose process dies that often, and once more, is given up
_LANES, _PLAIN = "lanes", "plain"  # queues: one job at a time in each lane; any number
_LONGEST_NAME = 40
_THE_ONE = threading.Lock()  # dbos is one for each process, and would quietly serve a second owner with the first's

Run = Callable[[Job], Any]
Tell = Callable[[JobState, str], None]


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of job: its function, and the workflows under which it is submitted and scheduled."""

    name: str
    run: Run
    submitted: Callable[[dict[str, Any]], dict[str, Any]]
    scheduled: Callable[[datetime, Any], dict[str, Any]]
    orphan: Tell | None


class Jobs:
    """The jobs of this process. ``kind`` every kind, then ``start``, then submit and schedule, at last ``stop``."""

    def __init__(self, database: Database, pace: Pace | None = None) -> None:
        self.pace = pace or Pace()
        self.executor = own_name()  # never the same twice: a shared name would run or strand jobs twice
        self._database = database
        self._kinds: dict[str, _Kind] = {}
        self._leaving = threading.Event()
        self._started = False
        self._running = 0
        self._lock = threading.Lock()
        self._keeper = Keeper(database, self.executor, self.pace, FORMAT, self._pass_on)

    # ------------------------------------------------------------ before the start

    def kind(self, name: str, run: Run, orphan: Tell | None = None) -> None:
        """Say which function runs the jobs of a kind. All kinds are known before ``start``.

        ``orphan`` hears of a job of the kind that failed, was given up, fell silent or was left behind: called once for
        each, with the reason. The call is a job itself: when it raises it is tried again, and when the process dies
        another one makes it. Without one, the log alone has it.
        """
        if name in self._kinds or not name or len(name) > _LONGEST_NAME:
            raise JobError(f"{name!r} cannot be a kind of job: it is taken, empty or too long")

        def submitted(args: dict[str, Any]) -> dict[str, Any]:
            return self._run(name, args, None)

        def scheduled(tick: datetime, context: Any) -> dict[str, Any]:
            return self._run(name, {**context["args"], "scheduled_for": tick.isoformat()}, context["team_id"])

        workflow = DBOS.workflow
        self._kinds[name] = _Kind(
            name,
            run,
            workflow(name=name, max_recovery_attempts=_ATTEMPTS)(submitted),
            workflow(name=f"{name}@schedule", max_recovery_attempts=_ATTEMPTS)(scheduled),
            orphan,
        )

    def start(self) -> None:
        """Begin to run jobs, also those that dead processes left behind."""
        if not _THE_ONE.acquire(blocking=False):
            raise JobError("this process runs jobs already; stop those first")
        try:
            self._launch()
        except BaseException:
            DBOS.destroy(destroy_registry=True)
            _THE_ONE.release()
            raise
        self._started = True

    def _launch(self) -> None:
        self.kind(TELL, self._tell_one)
        jobrows.beat(self._database, self.executor)  # alive before the first job is ours
        # A handler of our own keeps dbos from writing to the console; its records go where the program's go.
        logging.getLogger("dbos").addHandler(logging.NullHandler())
        DBOS(config=self._config())
        DBOS.launch()
        at_once, poll = self.pace.at_once, self.pace.poll
        DBOS.register_queue(
            _LANES,
            partition_concurrency=1,
            worker_concurrency=at_once,
            polling_interval_sec=poll,
            on_conflict="always_update",
        )
        DBOS.register_queue(_PLAIN, worker_concurrency=at_once, polling_interval_sec=poll, on_conflict="always_update")
        self._keeper.start()

    def _config(self) -> DBOSConfig:
        return DBOSConfig(
            name="gpu-bot",
            system_database_url=self._database.url,
            application_version=FORMAT,
            executor_id=self.executor,
            serializer=DBOSPortableJSONSerializer(),  # the default would run code from the database
            log_level="WARNING",  # below that it advertises
            enable_otlp=False,
            sys_db_pool_size=10,
            notification_listener_polling_interval_sec=self.pace.poll,
            scheduler_polling_interval_sec=self.pace.schedules,
        )

    def stop(self, grace: float = 6.0) -> bool:
        """Take no more work, give running jobs ``grace`` seconds to reach a good place, and leave.

        True when nothing runs any more: another process goes on with what is unfinished at once. False when a step
        did not end: end the process now, others go on when it has not been heard for a while.
        """
        if not self._started:
            return True
        self._started = False
        self._leaving.set()
        self._keeper.pause()
        DBOS.destroy(workflow_completion_timeout_sec=max(1, round(grace)), destroy_registry=True)
        with self._lock:
            clean = self._running == 0
        self._keeper.stop()
        _THE_ONE.release()
        if clean:
            try:
                jobrows.sign_off(self._database, self.executor)
            except StoreAwayError as error:
                log.warning("could not sign off: %s", error)
        return clean

    # ------------------------------------------------------------ submitting and asking

    def submit(
        self, kind: str, args: Mapping[str, Any], *, key: str, team_id: str = LOCAL, lane: str | None = None,
        asked_by: str | None = None,
    ) -> tuple[str, bool]:  # fmt: skip
        """Write a job down; gives its id, and False when a job of this kind and key is there already.

        When this returns, the job will run. Of one ``lane`` (a GPU host) one job runs at a time, whatever number of
        processes there are.
        """
        known = self._known(kind)
        id_ = f"{kind}-{hashlib.sha256(f'{team_id}|{key}'.encode()).hexdigest()[:10]}"
        values = plain(dict(args), f"the arguments of {kind}")
        new = jobrows.add_job(
            self._database, id_, team_id=team_id, kind=kind, lane=lane, args=values, asked_by=asked_by,
            now=datetime.now(UTC),
        )  # fmt: skip
        # Also when it was not new: the one who wrote it down may have died before this.
        with SetWorkflowID(id_), SetEnqueueOptions(queue_partition_key=lane):
            DBOS.enqueue_workflow(_PLAIN if lane is None else _LANES, known.submitted, values)
        return id_, new

    def cancel(self, id_: str, by: str | None = None) -> str | None:
        """Ask a job to end; gives its state now, None for an unknown one.

        A queued job counts as cancelled at once and a running one is "stopping". Either way its function still learns
        of it, as ``Cancelled`` from its next step, so that it can say so where it was asked for.
        """
        jobrows.ask_cancel(self._database, id_, by, datetime.now(UTC))
        state = self.status(id_)
        return None if state is None else state.state

    def status(self, id_: str) -> JobState | None:
        """What is known about a job, None for an unknown one."""
        found = self._states({id_})
        if not found:
            return None
        state = found[0]
        if state.state != "queued" or state.lane is None:
            return state
        return replace(state, ahead=self._ahead(state))

    def progress(self, id_: str) -> Mapping[str, Any] | None:
        """The last progress that a job told."""
        row = jobrows.job_row(self._database, id_)
        return None if row is None else row.note

    def jobs(self, team_id: str, kind: str | None = None, since: datetime | None = None) -> list[JobState]:
        """The jobs of a workspace, the newest first."""
        rows = jobrows.job_rows(self._database, team_id=team_id, kind=kind, since=since)
        found = {state.id: state for state in self._states({row.id for row in rows})}
        return [found[row.id] for row in rows if row.id in found]

    def _states(self, ids: Collection[str]) -> list[JobState]:
        rows = jobrows.job_rows(self._database, ids=ids)
        flows = {
            flow.workflow_id: flow for flow in DBOS.list_workflows(workflow_ids=sorted(ids), load_input=False)
        } if ids else {}  # fmt: skip
        return [_state(row, flows[row.id]) for row in rows if row.id in flows]

    def _ahead(self, mine: JobState) -> int:
        waiting = DBOS.list_workflows(
            queue_name=_LANES, status=["ENQUEUED", "PENDING"], load_input=False, load_output=False
        )
        flows = [(flow.created_at or 0, flow.workflow_id) for flow in waiting if flow.queue_partition_key == mine.lane]
        here = [flow for flow in flows if flow[1] == mine.id]
        return sum(flow < here[0] for flow in flows) if here else 0

    # ------------------------------------------------------------ schedules

    def schedule(
        self, name: str, cron: str, kind: str, args: Mapping[str, Any], *, zone: str = "UTC", catch_up: str = "last",
        team_id: str = LOCAL,
    ) -> None:  # fmt: skip
        """Run a job of a kind by the clock: once a tick, whatever number of processes there are.

        ``cron`` has five fields, or six with seconds first, in the time zone ``zone``. Ticks that were missed because
        nobody was there: "last" makes up for the latest, "each" for all, "none" for none. The job finds the tick as
        ``args["scheduled_for"]``. Scheduling again under the same name changes it; nothing is due for the time before.
        """
        known = self._known(kind)
        _check_clock(cron, zone)
        if catch_up not in ("last", "each", "none"):
            raise JobError(f"a schedule catches up last, each or none, not {catch_up!r}")
        context = {"args": plain(dict(args), f"the arguments of {kind}"), "team_id": team_id}
        jobrows.put_schedule(
            self._database, name, f"{cron}|{zone}|{kind}", catch_up, datetime.now(UTC)
        )  # fmt: skip
        DBOS.apply_schedules(
            [
                {
                    "schedule_name": name,
                    "workflow_fn": cast(Any, known.scheduled),  # dbos keeps its result, and says it has none
                    "schedule": cron,
                    "context": context,
                    "automatic_backfill": False,  # the keeper makes up for missed ticks
                    "cron_timezone": zone,
                    "queue_name": _PLAIN,
                }
            ]
        )

    def unschedule(self, name: str) -> bool:
        """End a schedule; False when there was none. What it has already started goes on."""
        known = any(row.name == name for row in jobrows.schedule_rows(self._database))
        DBOS.delete_schedule(name)
        jobrows.forget_schedule(self._database, name)
        return known

    def schedules(self) -> list[str]:
        """The names of the schedules."""
        return [row.name for row in jobrows.schedule_rows(self._database)]

    # ------------------------------------------------------------ inside

    def _known(self, kind: str) -> _Kind:
        if kind not in self._kinds:
            raise JobError(f"{kind!r} is no kind of job; they are {', '.join(sorted(self._kinds))}")
        return self._kinds[kind]

    def _run(self, kind: str, args: dict[str, Any], team_id: str | None) -> dict[str, Any]:
        """One execution of a job, in a thread of dbos: from the start or from where another process left it."""
        with self._lock:
            self._running += 1
        try:
            id_ = DBOS.workflow_id
            assert id_ is not None
            # A name for this very run: the same process may come to run a job again while an old run still hangs.
            runner = f"{self.executor}/{uuid.uuid4().hex[:8]}"
            row = self._insist(lambda: self._begin(id_, kind, args, team_id, runner))
            job = Job(self._database, row, runner, self._leaving, self.pace.poll)
            try:
                result = self._kinds[kind].run(job)
            except Cancelled:
                return {"state": "cancelled"}
            except Exception:
                log.exception("job %s failed", id_)  # the library's own line does not say which
                raise
            return {"state": "done", "result": plain(result, f"the result of {kind}")}
        finally:
            with self._lock:
                self._running -= 1

    def _begin(self, id_: str, kind: str, args: dict[str, Any], team_id: str | None, runner: str) -> jobrows.JobRow:
        """Put our name on the job; a scheduled one is written down only now."""
        now = datetime.now(UTC)
        if team_id is not None:
            jobrows.add_job(
                self._database, id_, team_id=team_id, kind=kind, lane=None, args=args, asked_by=None, now=now
            )
        jobrows.job_starts(self._database, id_, runner, now)
        row = jobrows.job_row(self._database, id_)
        if row is None:
            raise JobError(f"job {id_} is not written down")
        return row

    def _insist(self, act: Callable[[], jobrows.JobRow]) -> jobrows.JobRow:
        """Do it however long the database is away: a job must not fail for that."""
        wait = 0.5
        while True:
            if self._leaving.is_set():
                raise LetGo("leaving")
            try:
                return act()
            except StoreAwayError as error:
                log.warning("waiting for the database: %s", error)
                self._leaving.wait(wait)
                wait = min(wait * 2, 30.0)

    def _pass_on(self, id_: str, reason: str) -> None:
        """The watchdog found something: make telling it a job."""
        log.warning("job %s: %s", id_, reason)
        self.submit(TELL, {"job": id_, "reason": reason}, key=f"{id_}/{reason}")

    def _tell_one(self, job: Job) -> None:
        def tell() -> None:
            state = self.status(job.args["job"])
            kind = None if state is None else self._kinds.get(state.kind)
            if state is not None and kind is not None and kind.orphan is not None:
                kind.orphan(state, job.args["reason"])

        job.step("tell", tell, attempts=5)


def _check_clock(cron: str, zone: str) -> None:
    if not croniter.is_valid(cron, second_at_beginning=True):
        raise JobError(f"{cron!r} is no schedule; write minute, hour, day, month and weekday, as in '0 9 * * mon'")
    try:
        ZoneInfo(zone)
    except (KeyError, ValueError, OSError):
        raise JobError(f"{zone!r} is no time zone; write one like Europe/Berlin") from None


def _state(row: jobrows.JobRow, flow: WorkflowStatus) -> JobState:
    output = flow.output if flow.status == "SUCCESS" and isinstance(flow.output, dict) else {}
    return JobState(
        id=row.id,
        kind=row.kind,
        state=_word(row, flow, output),
        team_id=row.team_id,
        args=row.args,
        submitted=row.submitted,
        lane=row.lane,
        asked_by=row.asked_by,
        note=row.note,
        alive=row.alive,
        result=output.get("result"),
        error=None if flow.error is None else f"{getattr(flow.error, 'name', type(flow.error).__name__)}: {flow.error}",
        runs=row.runs,
    )


def _word(row: jobrows.JobRow, flow: WorkflowStatus, output: Mapping[str, Any]) -> str:
    """The state of a job, as one of STATES."""
    if flow.status in ("ENQUEUED", "DELAYED"):
        return "cancelled" if row.cancel_asked else "queued"
    if flow.status == "PENDING":
        return "stopping" if row.cancel_asked else "running"
    if flow.status == "SUCCESS":
        return str(output.get("state", "done"))
    return "cancelled" if flow.status == "CANCELLED" else "failed"
