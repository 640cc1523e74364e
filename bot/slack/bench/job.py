"""The durable job behind a benchmark: measure, keep, tell. After a crash it goes on in whichever process is left.

A run that was under way when a process died is measured again: by then the host has ended what it ran, for nobody
kept its lifeline. A host on which another bot measures is waited for. The message is one that stands already, so
telling it twice changes nothing.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any, Protocol

from slack_sdk.errors import SlackApiError

from bot.bench import hosts as registry
from bot.bench.connect import Event, OnEvent, Options, Outcome, QueueFullError, Run, Target
from bot.bench.verdict import collect
from bot.catalog import Reloader, packaged_folder
from bot.jobs import Cancelled, Job, Jobs, JobState, LetGo
from bot.settings import Settings
from bot.slack.bench import views
from bot.slack.bench.views import About, Point, Price, Rank
from bot.slack.bench.words import say
from bot.slack.desk import Later
from bot.slack.people import People
from bot.slack.posting import Place, Poster, error_name
from bot.slack.views.kit import Message
from bot.store import LOCAL, Database, StoreAwayError, jobrows
from bot.store.conversations import refused
from rules.model import Accelerator, Catalog
from rules.offers import listed_price

log = logging.getLogger(__name__)

KIND = "bench"
EDIT_EVERY = timedelta(seconds=5)
_LOOK = 0.25  # seconds between two looks at a run
_ENDING = 12.0  # seconds that a run may take to end after it was asked to
_HELD_EVERY, _HELD_MOST = 6.0, 600.0  # seconds between two looks at a host that another bot uses, and until we give up
_BATCH_DAYS = 2  # as long as the runs of one message are looked for
_LOST = frozenset({"message_not_found", "cant_update_message", "edit_window_closed", "channel_not_found"})
_TRIES = 40


class Connector(Protocol):
    """What reaches hosts."""

    def start(self, target: Target, options: Options | None = None, on_event: OnEvent | None = None) -> Run: ...

    def close(self) -> None: ...


@dataclass(slots=True)
class _Heard:
    """The last progress of a run; written by the connector's thread."""

    note: dict[str, Any] | None = None

    def __call__(self, event: Event) -> None:
        if event["ev"] == "progress":
            share = event.get("share")
            self.note = {
                "step": str(event.get("step"))[:40],
                "dtype": str(event["dtype"])[:10] if event.get("dtype") else None,
                "share": share if isinstance(share, (int, float)) and not isinstance(share, bool) else 0,
            }


class BenchJobs:
    """The runs of this process and what is told about all of them."""

    def __init__(
        self, settings: Settings, database: Database, knowledge: Reloader, poster: Poster, people: People,
        jobs: Jobs, team: str, connect: Callable[[], Connector],
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:  # fmt: skip
        self.settings, self.database, self.knowledge, self.poster = settings, database, knowledge, poster
        self.people, self.jobs, self.team, self.now = people, jobs, team, now
        self.hosts = registry.Registry(database, LOCAL)  # those of whoever runs the bot; the terminal registers them
        self._connect = connect
        self._connector: Connector | None = None
        self._lock = threading.Lock()
        self._live: dict[str, Run] = {}
        self._table: tuple[Catalog, Mapping[str, Accelerator]] | None = None

    def register(self) -> None:
        """Make the kind known, before the jobs start."""
        self.jobs.kind(KIND, self.run, self.orphan)

    def close(self, seconds: float = 1.5) -> None:
        """End every run of this process; waits no longer than that, for a host whose line is dead ends by itself."""
        with self._lock:
            connector, self._connector = self._connector, None
        if connector is not None:
            closing = threading.Thread(target=connector.close, name="bench-close", daemon=True)
            closing.start()
            closing.join(seconds)

    # ------------------------------------------------------------ asked from outside

    def submit(self, about: About, place: Place, *, batch: bool = False) -> str:
        """Write a run down; its message stands at ``place`` already. The same again is the same run."""
        args = {
            "post": about.key, "host": about.host, "dtype": about.dtype, "quick": about.quick, "user": about.user,
            "who": about.who, "lang": about.lang, "batch": batch,
            "place": replace(place, response_url=None, ephemeral=False).to_json(),
        }  # fmt: skip
        id_, _ = self.jobs.submit(
            KIND, args, key=f"{about.key}|{about.host}", team_id=self.team, lane=about.host, asked_by=about.user
        )
        return id_

    def name_of(self, user: str) -> str:
        """The name of a user, as Slack tells it; never a mention, which would call that person again and again."""
        return self.people.person(user).name or user

    def open_runs(self, *, host: str | None = None, post: str | None = None) -> list[JobState]:
        """Runs that have not ended, the oldest first."""
        found = [
            one
            for one in self.jobs.jobs(self.team, KIND, self.now() - timedelta(days=_BATCH_DAYS))
            if one.state in ("queued", "running", "stopping")
            and (host is None or one.lane == host)
            and (post is None or one.args.get("post") == post)
        ]
        return sorted(found, key=lambda one: one.submitted)

    def cancel(self, state: JobState, by: str) -> None:
        """Ask a run to end: at once where it runs here, within a second where another process has it."""
        after = self.jobs.cancel(state.id, by)
        with self._lock:
            run = self._live.get(state.id)
        if run is not None:
            run.cancel()
        elif after == "cancelled":
            self._tell_cancelled(about_of(state.args), Place.from_json(state.args["place"]), state.args, by)

    # ------------------------------------------------------------ the job

    def run(self, job: Job) -> dict[str, Any]:
        """A job of the kind."""
        try:
            found = job.step("measure", self._measure, job)
        except Cancelled:
            job.step("tell", self._finish, job, {"state": "cancelled", "record": None}, always=True, attempts=3)
            raise
        job.step("keep", self._keep, job, found, always=True, attempts=3)
        job.step("tell", self._finish, job, found, always=True, attempts=3)
        if found["state"] == "cancelled":
            raise Cancelled(job.id)
        record = found["record"] or {}
        return {"state": found["state"], "verdict": record.get("verdict"), "tflops": record.get("tflops")}

    def _measure(self, job: Job) -> dict[str, Any]:
        """The result of a run, as JSON. Run again after a crash."""
        self._tell_waiting(str(job.lane))
        try:
            host = self.hosts.get(str(job.args["host"]))
            target = registry.target_of(host)
        except registry.HostError as error:
            state = "dirty" if "state" not in error.slots else str(error.slots["state"])
            return {"state": "gone" if error.key == "error.host.unknown" else state, "record": None}
        state_now = self.jobs.status(job.id)
        resumed = state_now is not None and state_now.runs > 1
        table = self.accelerators()
        options = Options(job.args.get("dtype"), bool(job.args.get("quick")), (), _seed(job.id))
        outcome = self._in_turn(job, target, options, resumed)
        _, record = registry.judged(outcome, table, seed=options.seed, now=self.now(), host=host)
        left = {"run": outcome.run, "state": outcome.state, "note": outcome.note, "clean": outcome.clean}
        return {"state": outcome.state, "record": record, "outcome": left, "at": self.now().isoformat()}

    def _in_turn(self, job: Job, target: Target, options: Options, resumed: bool) -> Outcome:
        """The run, once no other bot measures on the host; the last refusal when that takes too long."""
        end = time.monotonic() + _HELD_MOST
        outcome = self._through(job, target, options, resumed)
        while _is_held(outcome) and time.monotonic() < end:
            self._tell_held(job, outcome)
            job.pause(_HELD_EVERY)
            outcome = self._through(job, target, options, resumed, again=True)
        return outcome

    def _tell_held(self, job: Job, outcome: Outcome) -> None:
        """Say that it waits, and for whom."""
        from bot.render import bench as report

        lang, note = about_of(job.args).lang, {"state": "queued"}
        held = [one for one in collect(outcome.events).trouble if one.key == "held"]
        job.report(**note)
        self._edit(job, note, " ".join(report.finding({"key": one.key, **one.values}, lang) for one in held))

    def _through(
        self, job: Job, target: Target, options: Options, resumed: bool, *, again: bool = False
    ) -> Outcome:  # fmt: skip
        """Start a run and stay with it until its end; cancels it when the job should stop."""
        heard = _Heard()
        try:
            run = self._reach().start(target, options, heard)
        except QueueFullError as error:
            return Outcome("", "failed", note=str(error))
        with self._lock:
            self._live[job.id] = run
        try:
            return self._stay(job, run, heard, resumed, time.monotonic() if again else float("-inf"))
        finally:
            with self._lock:
                self._live.pop(job.id, None)

    def _stay(self, job: Job, run: Run, heard: _Heard, resumed: bool, told: float) -> Outcome:
        shown = None
        extra = say("run.resumed", about_of(job.args).lang) if resumed else ""
        while True:
            try:
                return run.result(_LOOK)
            except TimeoutError:
                pass
            try:
                reason = job.interrupted()
                if reason is not None:
                    return self._end(job, run, reason)
                note = heard.note or {"state": run.state}
                if time.monotonic() - told >= EDIT_EVERY.total_seconds() and (note != shown or shown is None):
                    told, shown = time.monotonic(), note
                    job.report(**note)
                    self._edit(job, note, extra)
            except LetGo:
                run.cancel()
                raise

    def _end(self, job: Job, run: Run, reason: str) -> Outcome:
        run.cancel()
        outcome = run.result(_ENDING)
        if reason != "cancelled":
            job.check()
            raise LetGo(f"{job.id}: {reason}")
        return outcome

    def _keep(self, job: Job, found: Mapping[str, Any]) -> None:
        """Store the reading and the state of the host; the reading of a run is kept once."""
        if "outcome" not in found:
            return
        left = found["outcome"]
        outcome = Outcome(left["run"], left["state"], (), left["note"], left["clean"])
        try:
            host = self.hosts.get(str(job.args["host"]))
        except registry.HostError:
            return
        self.hosts.settle(host, outcome, found["record"], datetime.fromisoformat(found["at"]))

    # ------------------------------------------------------------ what is told

    def _finish(self, job: Job, found: Mapping[str, Any]) -> None:
        """Put the end of a run into its message."""
        about, place = about_of(job.args), Place.from_json(job.args["place"])
        record = found.get("record") or {}
        price = self.price(record.get("offer"), record.get("tflops"))
        if job.args.get("batch"):
            usd = None if price is None else str(price.usd_per_pflop_hour)
            kept = {name: record.get(name) for name in ("tflops", "verdict", "dtype")}
            job.report(end=found["state"], usd=usd, **kept)
            key = f"{about.key}|end"
            self.draw_batch(about, lambda ranking: self._deliver(key, place, ranking, about.lang, job.pause))
            return
        message = self._message(about, found["state"], record, price, job.id)
        self._deliver(f"{about.key}|end", place, message, about.lang, job.pause)

    def _message(
        self, about: About, state: str, record: Mapping[str, Any], price: Price | None, id_: str
    ) -> Message:  # fmt: skip
        lang = about.lang
        if state == "cancelled":
            row = jobrows.job_row(self.database, id_)
            by = None if row is None else row.cancel_by
            line = say("run.cancelled.by", lang, user=self.name_of(by)) if by else say("run.cancelled", lang)
            return views.ended(about, line)
        if not record:
            from bot.render import bench as report

            return views.ended(about, say("gone", lang) if state == "gone" else report.word("state", state, lang))
        line = views.price_line(price, record.get("offer"), lang) if record.get("tflops") is not None else ""
        return views.result(about, record, self.points(about.host, record), line)

    def points(self, host: str, record: Mapping[str, Any]) -> list[Point]:
        """The readings of a host that compare with a record: its dtype, its method, its card."""
        if record.get("tflops") is None:
            return []
        same = [
            Point(one.at, one.tflops)
            for one in self.hosts.readings(host=host, limit=200)
            if one.tflops is not None
            and (one.dtype, one.gpu) == (record.get("dtype"), record.get("gpu"))
            and one.record.get("protocol_version") == record.get("protocol_version")
        ]
        return views.latest(same)

    def price(self, offer_id: str | None, tflops: Any) -> Price | None:
        """Dollars for one PFLOPS and hour by today's list price of an offer; None where either is not known."""
        if offer_id is None or tflops is None:
            return None
        return price_of(self.knowledge.catalog, offer_id, Decimal(str(tflops)), self.now().date())

    def _edit(self, job: Job, note: Mapping[str, Any], extra: str) -> None:
        """Show progress and below it ``extra``, as often as a message may change; it is no failure when that fails."""
        about, place = about_of(job.args), Place.from_json(job.args["place"])
        if not self._may_edit(place):
            return
        if job.args.get("batch"):
            self.draw_batch(about, lambda ranking: self.try_update(place, ranking))
            return
        self.try_update(place, views.live(about, views.doing(note, about.lang), note=extra))

    def _may_edit(self, place: Place) -> bool:
        key = f"edit:{place.channel}:{place.message_ts}"
        try:
            return refused(self.database, place.team, key, self.now(), every=EDIT_EVERY) is None
        except StoreAwayError:
            return False

    def _tell_waiting(self, lane: str) -> None:
        """The places of those who wait for the same host have changed."""
        for one in self.open_runs(host=lane):
            if one.state != "queued" or one.args.get("batch"):
                continue
            known = self.jobs.status(one.id)
            place = Place.from_json(one.args["place"])
            if known is not None and known.ahead is not None and self._may_edit(place):
                about = about_of(one.args)
                self.try_update(place, views.live(about, views.waiting(known.ahead, about.lang)))

    def _tell_cancelled(self, about: About, place: Place, args: Mapping[str, Any], by: str) -> None:
        if args.get("batch"):
            self.draw_batch(about, lambda ranking: self.try_update(place, ranking))
        else:
            line = say("run.cancelled.by", about.lang, user=self.name_of(by))
            self.try_update(place, views.ended(about, line))

    def draw_batch(self, about: About, send: Callable[[Message], None]) -> None:
        """Draw the ranking from what is known of all its runs, and again when that changed meanwhile: of two runs that
        end at once the later drawing must not be the older one."""
        rows = self.ranks(about)
        for _ in range(3):
            send(views.ranking(about, rows))
            again = self.ranks(about)
            if again == rows:
                return
            rows = again

    def ranks(self, about: About) -> list[Rank]:
        """What is known of the runs of one message."""
        since = self.now() - timedelta(days=_BATCH_DAYS)
        runs = [one for one in self.jobs.jobs(self.team, KIND, since) if one.args.get("post") == about.key]
        return [_rank(one, about.lang) for one in sorted(runs, key=lambda one: str(one.lane))]

    def orphan(self, state: JobState, reason: str) -> None:
        """The watchdog found a run that will not end well by itself: say so in its message."""
        about, place = about_of(state.args), Place.from_json(state.args["place"])
        if state.args.get("batch"):
            self.draw_batch(about, lambda ranking: self.try_update(place, ranking))
            return
        line = say(f"run.{reason}", about.lang, id=state.id)
        silent = reason == "silent"
        message = views.live(about, line) if silent else views.ended(about, line)
        self._deliver(f"{about.key}|{reason}", place, message, about.lang, time.sleep)

    # ------------------------------------------------------------ sending

    def try_update(self, place: Place, message: Message) -> None:
        """Change a message if Slack takes it now; the next change comes anyway."""
        try:
            self.poster.update(place, message)
        except (SlackApiError, OSError) as error:
            log.info("a benchmark's message could not be changed: %s", error_name(error))

    def _deliver(
        self, key: str, place: Place, message: Message, lang: str, pause: Callable[[float], None]
    ) -> None:  # fmt: skip
        """Change the message, and wait while Slack asks to; where it is gone, post a new one once."""
        try:
            _patiently(lambda: self.poster.update(place, message), pause)
        except SlackApiError as error:
            if error_name(error) not in _LOST:
                raise
            log.warning("a benchmark's message is gone (%s); posting its result anew", error_name(error))
            new = replace(place, message_ts=None)
            _patiently(lambda: self.poster.first(key, new, message, lambda _: None, lang), pause)

    # ------------------------------------------------------------ inside

    def _reach(self) -> Connector:
        with self._lock:
            if self._connector is None:
                self._connector = self._connect()
            return self._connector

    def accelerators(self) -> Mapping[str, Accelerator]:
        """The table that a verdict rests on, read once for each state of the knowledge."""
        catalog = self.knowledge.catalog
        kept = self._table
        if kept is None or kept[0] is not catalog:
            from rules.load import read_folder

            packaged = packaged_folder()
            read, _ = read_folder(
                self.settings.knowledge or packaged, packaged=packaged, overlays=self.settings.overlays,
                check_clauses=False, accelerators=True,
            )  # fmt: skip
            kept = self._table = (catalog, read.accelerators)
        return kept[1]


def about_of(args: Mapping[str, Any]) -> About:
    """Which run a job's arguments name."""
    return About(
        str(args["post"]), str(args["host"]), args.get("dtype"), bool(args.get("quick")), str(args["user"]),
        str(args["lang"]), str(args.get("who") or ""),
    )  # fmt: skip


def price_of(catalog: Catalog, offer_id: str, tflops: Decimal, today: date) -> Price | None:
    """List price of a GPU-hour / TFLOPS × 1,000; None where the offer has no price in USD today."""
    offer = catalog.by_id.get(offer_id)
    if offer is None or tflops <= 0:
        return None
    listed = listed_price(offer, catalog, today)
    if listed is None:
        return None
    return Price(offer_id, listed.usd / tflops * 1000, listed.usd, tflops, listed.used.age_days)


def _is_held(outcome: Outcome) -> bool:
    """Whether another run held the host's lock; a GPU that another program uses is told by an event of that name."""
    return outcome.state == "busy" and not any(one["ev"] == "busy" for one in outcome.events)


def _rank(state: JobState, lang: str) -> Rank:
    note = state.note or {}
    host, end = str(state.lane), note.get("end")
    if state.state in ("queued", "running", "stopping") and end is None:
        line = views.waiting(0, lang) if state.state == "queued" else views.doing(note, lang)
        return Rank(host, False, line)
    if note.get("tflops") is not None:
        usd = None if note.get("usd") is None else Decimal(str(note["usd"]))
        return Rank(host, True, "", Decimal(str(note["tflops"])), note.get("verdict"), usd)
    from bot.render import bench as report

    ended = str(end or state.state)
    return Rank(host, True, say("gone", lang) if ended == "gone" else report.word("state", ended, lang))


def _seed(id_: str) -> int:
    """A seed that is the job's own."""
    return int.from_bytes(id_.encode()[-4:], "big") & 0x7FFFFFFF


def _patiently(send: Callable[[], Later | None], pause: Callable[[float], None]) -> None:
    later = send()
    for _ in range(_TRIES):
        if later is None:
            return
        pause(min(later.seconds, 30.0))
        later = later.step()
    raise TimeoutError("Slack did not take a benchmark's message")
