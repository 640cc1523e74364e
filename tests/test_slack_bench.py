"""``/gpu-bench`` inside one process: real durable jobs, a Slack that refuses what Slack refuses, hosts of pretence.

rig-1 was rented by alderwick-a100-40-x1 at 1.90 USD a GPU-hour: at 760 TFLOPS one PFLOPS costs
1.90 / 760 × 1,000 = 2.50 USD an hour.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from bench.events import run_on
from slack import canned, recorded
from slack.canned import Inside
from slack.peer import ALICE, BOB, BOT_USER, GENERAL, TEAM, until
from slack.strict_proxy import Fault, as_json

from bot.bench.connect import Event, OnEvent, Options, Outcome, Run, Target
from bot.jobs import Jobs, JobState, Pace
from bot.slack import ids
from bot.slack.bench import job, wish
from bot.slack.bench.job import BenchJobs
from bot.slack.bench.office import Bench
from bot.slack.bench.views import chart_text
from bot.slack.bench.wish import Wish
from bot.slack.bench.words import SENTENCES
from bot.store import LOCAL
from bot.store.benches import Host, Reading, add_host, keep_reading, readings
from bot.store.inbox import Item
from rules.load import read_folder

ROOT = Path(__file__).parent.parent
H200 = read_folder(ROOT / "knowledge", check_clauses=False, accelerators=True)[0].accelerators["nvidia-h200-sxm"]
OFFER = "alderwick-a100-40-x1"
NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)
PACE = Pace(beat=0.5, dead=2.0, poll=0.2, watch=0.3, silent=60.0)


class Rack:
    """Hosts of pretence: each run waits for ``finish`` unless ``rates`` says what its host reaches."""

    def __init__(self) -> None:
        self.runs: list[Run] = []
        self.rates: dict[str, float] = {}

    def start(self, target: Target, options: Options | None = None, on_event: OnEvent | None = None) -> Run:
        run = Run(target, options or Options(), on_event)
        run.state = "running"
        self.runs.append(run)
        run.wakes(lambda: self.end(run, "cancelled"))
        if target.name in self.rates:
            self.finish(run, self.rates[target.name])
        return run

    def end(self, run: Run, state: str, events: tuple[Event, ...] = ()) -> None:
        if not run.done.done():
            run.done.set_result(Outcome(run.id, state, events, clean=True))

    def finish(self, run: Run, tflops: float) -> None:
        events = run_on(H200, tflops)
        events[0]["seed"] = run.options.seed
        self.end(run, "ok", tuple(events))

    def of(self, host: str, n: int = 1) -> Run:
        """The ``n``-th run on a host, once it has begun."""
        assert until(lambda: len([one for one in self.runs if one.target.name == host]) >= n), "it never began"
        return [one for one in self.runs if one.target.name == host][n - 1]

    def close(self) -> None:
        for run in self.runs:
            self.end(run, "cancelled")


class Lab:
    """The app, its jobs and its rack."""

    def __init__(self, inside: Inside, rack: Rack, jobs: BenchJobs) -> None:
        self.inside, self.rack, self.jobs, self.slack = inside, rack, jobs, inside.slack

    def command(self, text: str, user: str = ALICE, **more: Any) -> None:
        payload = recorded.command("/gpu-bench", text, user_id=user, response_url=self.slack.hook, **more)
        began = time.monotonic()
        assert self.inside.deliver(payload)[0] == 200
        assert time.monotonic() - began < 3

    def press(self, message: dict[str, Any], action_id: str, user: str = ALICE) -> None:
        found = next(one for one in walk(message["blocks"]) if one.get("action_id") == action_id)
        action = {"type": "button", "action_id": action_id, "block_id": "b", "value": found["value"]}
        ts = str(message.get("ts", "5.0"))
        self.inside.deliver(recorded.press(action, ts, user=user, response_url=self.slack.hook))

    def told(self, n: int = 1) -> str:
        """The ``n``-th sentence that one person alone was told."""
        assert until(lambda: len(self.slack.done("hook")) >= n), "nobody was told anything"
        return str(self.slack.done("hook")[n - 1].arguments["text"])

    def posts(self, n: int = 1) -> list[dict[str, Any]]:
        assert until(lambda: len(self.slack.done("chat.postMessage")) >= n), "nothing was posted"
        return [one.arguments for one in self.slack.done("chat.postMessage")]

    def edits(self, said: str) -> dict[str, Any]:
        """The last edit, once one says that."""
        assert until(lambda: any(said in one.arguments["text"] for one in self.slack.done("chat.update")), 15), [
            one.arguments["text"] for one in self.slack.done("chat.update")
        ]
        return [one.arguments for one in self.slack.done("chat.update") if said in one.arguments["text"]][-1]

    def quiet(self) -> bool:
        return bool(until(lambda: not self.jobs.open_runs(), 15))


def walk(value: Any) -> Iterator[dict[str, Any]]:
    value = json.loads(value) if isinstance(value, str) and value[:1] in "[{" else value
    if isinstance(value, dict):
        yield value
        for one in value.values():
            yield from walk(one)
    elif isinstance(value, list):
        for one in value:
            yield from walk(one)


def host(name: str, **more: Any) -> Host:
    values: dict[str, Any] = {
        "team_id": LOCAL, "name": name, "address": "192.0.2.7", "login": "bench", "host_key": "ssh-ed25519 AAAA",
        "key_file": "/nowhere/id", "state_at": NOON, "added": NOON, "ordered_as": "H200",
    }  # fmt: skip
    return Host(**{**values, **more})


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Lab]:
    """Three hosts; Alice and Bob may run benchmarks."""
    with working(tmp_path, GPU_BOT_BENCH_USERS=f"{ALICE},{BOB}") as made:
        yield made


def working(folder: Path, **settings: str) -> Any:
    import contextlib

    @contextlib.contextmanager
    def made() -> Iterator[Lab]:
        rack, kept = Rack(), []

        def bench(given: Any, database: Any, knowledge: Any, poster: Any, people: Any) -> Bench:
            jobs = BenchJobs(given, database, knowledge, poster, people, Jobs(database, PACE), TEAM, lambda: rack)
            kept.append(jobs)
            return Bench(jobs, poster, people)

        with canned.inside(folder, bench=bench, **settings) as inside:
            [jobs] = kept
            for name in ("rig-1", "rig-2", "rig-3"):
                add_host(inside.bot.database, host(name, offer=OFFER if name == "rig-1" else None))
            jobs.register()
            jobs.jobs.start()
            try:
                yield Lab(inside, rack, jobs)
            finally:
                rack.close()
                jobs.jobs.stop(3)
                jobs.close()

    return made()


# ---------------------------------------------------------------- what words mean


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", Wish("form")), ("  ", Wish("form")), ("help", Wish("help")), ("帮助", Wish("help")),
        ("ml01", Wish("run", "ml01")), ("ML01 FP16 quick", Wish("run", "ml01", "fp16", True)),
        ("ml01 --dtype bf16 --quick", Wish("run", "ml01", "bf16", True)),
        ("ml01 快速", Wish("run", "ml01", None, True)),
        ("hosts", Wish("hosts")), ("status", Wish("status")), ("cancel", Wish("cancel")),
        ("cancel ml01", Wish("cancel", "ml01")), ("history ml01 fp16", Wish("history", "ml01", "fp16")),
        ("all", Wish("all")), ("all bf16 quick", Wish("all", None, "bf16", True)),
        ("ml01 fp17", Wish("run", "ml01", wrong="fp17")), ("ml01 int4", Wish("run", "ml01", wrong="int4")),
        ("ml01;reboot", Wish("run", wrong="ml01;reboot")), ("$(reboot)", Wish("run", wrong="$(reboot)")),
        ("../../etc", Wish("run", wrong="../../etc")), ("ml01 && rm", Wish("run", "ml01", wrong="&&")),
    ],
)  # fmt: skip
def test_the_grammar(text: str, expected: Wish) -> None:
    assert wish.read(text) == expected


def test_what_a_button_or_a_form_carries_is_checked_like_words() -> None:
    """A forged value names no other dtype and nothing that is not shaped like a name."""
    found = Wish.from_json({"do": "run", "host": "a b; rm", "dtype": "fp16 --x", "quick": ["quick"]})
    assert found == Wish("run", None, None, True)


def test_every_sentence_is_there_in_both_languages() -> None:
    assert all(en and zh for en, zh in SENTENCES.values())


# ---------------------------------------------------------------- one run


def test_a_run_is_one_message_from_queue_to_verdict(lab: Lab) -> None:
    """Posted once, edited in place; verdict, table, dollars per measured PFLOP-hour, and the reading is kept."""
    lab.command("rig-1 bf16 quick")
    run = lab.rack.of("rig-1")
    assert (run.options.dtype, run.options.quick, run.target.address) == ("bf16", True, "192.0.2.7")
    assert lab.posts()[0]["channel"] == GENERAL
    lab.rack.finish(run, 760.0)
    end = lab.edits("$2.50 per measured PFLOP-hour")
    assert "HEALTHY: 760 TFLOPS bf16 on NVIDIA H200 (rig-1)" in end["text"]  # 760 / 789.1 = 96.3 %, above 95
    assert any(one.get("type") == "table" for one in walk(end["blocks"]))
    assert lab.quiet()
    assert len(lab.slack.done("chat.postMessage")) == 1
    [kept] = readings(lab.inside.bot.database, LOCAL)
    assert (kept.host, kept.offer, kept.verdict) == ("rig-1", OFFER, "healthy")


def test_earlier_readings_are_a_chart_with_its_twin_in_words(lab: Lab) -> None:
    before = Reading(
        LOCAL, "r1", "rig-2", NOON, {"protocol_version": 1}, gpu=H200.id, dtype="bf16", verdict="healthy",
        tflops=Decimal("780.5"),
    )  # fmt: skip
    other_method = replace(before, id="r2", record={"protocol_version": 0})
    for one in (before, other_method):
        keep_reading(lab.inside.bot.database, one)
    lab.rack.rates["rig-2"] = 789.1
    lab.command("rig-2")
    end = lab.edits("HEALTHY")
    chart = next(one for one in walk(end["blocks"]) if one.get("type") == "data_visualization")
    assert [point["value"] for point in chart["chart"]["series"][0]["data"]] == [780.5, 789.1]
    assert "2026-11-01 780.5 · " in end["text"]
    assert "no offer registered" in end["text"]


def test_a_single_reading_is_no_chart() -> None:
    assert chart_text([], "en") == ""


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_it_speaks_the_language_of_its_user(tmp_path: Path, lang: str) -> None:
    """Bob's Slack is Chinese."""
    with working(tmp_path, GPU_BOT_BENCH_USERS=BOB) as lab:
        lab.slack.rules.locales[BOB] = "zh-CN" if lang == "zh" else "en-US"
        lab.rack.rates["rig-1"] = 789.1
        lab.command("rig-1", user=BOB)
        end = lab.edits("健康：" if lang == "zh" else "HEALTHY:")
        assert ("每实测 PFLOP·小时 $2.41" if lang == "zh" else "$2.41 per measured") in end[
            "text"
        ]  # 1.90 / 789.1 × 1,000


def test_progress_is_edited_at_most_once_in_five_seconds(lab: Lab) -> None:
    """A hundred steps in two seconds are one edit."""
    lab.command("rig-1")
    run = lab.rack.of("rig-1")
    assert run.on_event is not None
    for n in range(100):
        run.on_event({"ev": "progress", "step": "steady", "share": n / 100})
        time.sleep(0.02)
    assert len(lab.slack.done("chat.update")) <= 1


def test_progress_names_step_and_percentage(lab: Lab) -> None:
    lab.command("rig-1")
    run = lab.rack.of("rig-1")
    assert run.on_event is not None
    run.on_event({"ev": "progress", "step": "steady", "share": 0.42})
    lab.edits("steady rate, 42 %")


def test_what_nobody_registered_is_named_with_what_is(lab: Lab) -> None:
    lab.command("rig-9")
    assert lab.told() == "I know no host “rig-9”. Known: rig-1, rig-2, rig-3."
    lab.command("rig-1;reboot")
    assert "I know no “rig-1;reboot” here." in lab.told(2)
    assert lab.rack.runs == []
    assert lab.slack.done("chat.postMessage") == []


def test_a_host_that_showed_another_key_is_not_used(lab: Lab) -> None:
    lab.jobs.hosts.set_state("rig-1", "hostkey", NOON)
    lab.command("rig-1")
    assert "rig-1 is not used until someone looks at it" in lab.told()
    assert lab.rack.runs == []


def test_one_that_cannot_be_reached_is_said_in_the_message(lab: Lab) -> None:
    lab.command("rig-1")
    lab.rack.end(lab.rack.of("rig-1"), "unreachable")
    assert "the host could not be reached" in lab.edits("could not be reached")["text"]
    assert lab.quiet()
    assert lab.jobs.hosts.get("rig-1").state == "unreachable"


# ---------------------------------------------------------------- who may


def test_who_is_not_named_may_look_but_not_run(tmp_path: Path) -> None:
    with working(tmp_path, GPU_BOT_BENCH_USERS=BOB) as lab:
        for n, text in enumerate(("rig-1", "all"), 1):
            lab.command(text)
            assert "You may not run benchmarks" in lab.told(n)
        lab.command("hosts")
        assert "rig-1" in lab.told(3)
        assert "192.0.2.7" not in lab.told(3)
        lab.command("")
        assert until(lambda: lab.slack.done("views.open"))
        view = as_json(lab.slack.done("views.open")[0].arguments["view"])
        assert "You may not run benchmarks" in json.dumps(view)
        assert "host" not in [block["block_id"] for block in view["blocks"]]
        assert lab.rack.runs == []


@pytest.mark.parametrize(
    ("told", "may"),
    [
        ({}, True), ({"is_restricted": True}, False), ({"is_ultra_restricted": True}, False),
        ({"is_stranger": True}, False),
    ],
)  # fmt: skip
def test_a_star_means_members_and_never_guests(tmp_path: Path, told: dict[str, Any], may: bool) -> None:
    with working(tmp_path, GPU_BOT_BENCH_USERS="*") as lab:
        lab.slack.people[ALICE] = told
        assert lab.inside.bot.people.is_member(ALICE) is may
        lab.command("rig-1")
        if may:
            lab.rack.of("rig-1")
        else:
            assert "You may not run benchmarks" in lab.told()


def test_when_slack_cannot_be_asked_nobody_is_taken_for_a_member(lab: Lab) -> None:
    lab.slack.stop()
    assert not lab.inside.bot.people.is_member("U0NEW")


def test_the_next_run_of_a_person_waits_five_minutes(lab: Lab) -> None:
    """Another person may go on; looking costs nothing."""
    lab.command("rig-1")
    lab.rack.of("rig-1")
    lab.command("rig-2")
    assert lab.told() == "You started a benchmark a moment ago; the next one may start in 5 minutes."
    lab.command("rig-2", user=BOB)
    lab.rack.of("rig-2")


# ---------------------------------------------------------------- the queue, and cancelling


def test_a_second_run_on_a_host_waits_and_says_its_place(lab: Lab) -> None:
    lab.command("rig-1")
    first = lab.rack.of("rig-1")
    lab.command("rig-1 fp16", user=BOB)
    assert "1 run before it" in lab.posts(2)[1]["text"]
    time.sleep(0.6)
    assert len(lab.rack.runs) == 1
    lab.rack.finish(first, 789.1)
    second = lab.rack.of("rig-1", 2)
    assert second.options.dtype == "fp16"


def test_a_queued_run_is_cancelled_at_once_by_its_button(lab: Lab) -> None:
    """Its message says by whom, and it never starts."""
    lab.command("rig-1")
    first = lab.rack.of("rig-1")
    lab.slack.people[BOB] = {"real_name": "Bob Wu"}
    lab.command("rig-1", user=BOB)
    lab.press(lab.posts(2)[1], ids.BENCH_CANCEL, user=BOB)
    assert any("Cancelled by Bob Wu" in str(one.get("text")) for one in walk(lab.edits("Cancelled by")["blocks"]))
    lab.rack.finish(first, 789.1)
    assert lab.quiet()
    assert len(lab.rack.runs) == 1


def test_a_running_one_is_cancelled_within_a_second(lab: Lab) -> None:
    lab.command("rig-1")
    run = lab.rack.of("rig-1")
    assert until(lab.jobs.open_runs)
    began = time.monotonic()
    lab.command("cancel")
    assert until(run.cancel_asked.is_set, 1.0, 0.01)
    assert time.monotonic() - began < 1.0
    assert lab.told() == "Cancelled: rig-1"
    lab.edits("Cancelled by")
    assert lab.quiet()
    assert readings(lab.inside.bot.database, LOCAL) == []


def test_the_run_of_another_is_cancelled_by_who_may_run_only(lab: Lab) -> None:
    lab.command("rig-1")
    lab.rack.of("rig-1")
    lab.command("cancel", user=BOB)
    assert lab.told() == "You have no run that could be cancelled."
    lab.command("cancel rig-1", user="U0CAROL")
    assert "Only who started it" in lab.told(2)
    lab.command("cancel rig-1", user=BOB)
    assert lab.told(3) == "Cancelled: rig-1"


def test_status_names_what_runs_and_what_waits(lab: Lab) -> None:
    lab.command("status")
    assert lab.told() == "Nothing runs or waits."
    lab.command("rig-1 bf16")
    lab.rack.of("rig-1")
    lab.command("rig-1", user=BOB)
    lab.posts(2)
    assert until(lambda: len(lab.jobs.open_runs()) == 2)
    lab.command("status")
    assert "rig-1 · bf16 · Connecting" in lab.told(2)
    assert "1 run before it" in lab.told(2)


# ---------------------------------------------------------------- a host that another bot measures

HELD: Event = {"ev": "held", "by": "0123abcd", "process": "4711", "user": "bob <!channel>", "seconds": 12}
TAKEN: Event = {"ev": "busy", "gpus": {"0": "process"}}


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job, "_HELD_EVERY", 0.2)
    monkeypatch.setattr(job, "EDIT_EVERY", timedelta(0))


def refuse(rack: Rack, times: int, *events: Event) -> None:
    """Let that many runs find rig-1 busy."""
    start, left = rack.start, [None] * times

    def held(target: Target, options: Options | None = None, on_event: OnEvent | None = None) -> Run:
        run = start(target, options, on_event)
        if left and target.name == "rig-1":
            left.pop()
            rack.end(run, "busy", events)
        return run

    rack.start = held  # type: ignore[method-assign]


@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize("events", [(HELD,), ()], ids=["told", "not told"])
def test_a_host_that_becomes_free_is_measured(lab: Lab, events: tuple[Event, ...]) -> None:
    """Refused twice, measured the third time; also where the host does not tell whose lock it is."""
    refuse(lab.rack, 2, *events)
    lab.command("rig-1")
    waits = lab.edits("Waits for its turn")["text"]
    assert ("run 0123abcd holds its lock, for 12 s" in waits) == bool(events)
    lab.rack.finish(lab.rack.of("rig-1", 3), 789.1)
    assert "0123abcd" not in lab.edits("HEALTHY")["text"]
    assert len(lab.posts()) == 1


@pytest.mark.usefixtures("soon")
def test_the_wait_for_a_host_has_an_end_and_says_whose_lock_it_was(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    """And the name of a user there calls nobody here."""
    monkeypatch.setattr(job, "_HELD_MOST", 1.0)
    refuse(lab.rack, 99, HELD)
    lab.command("rig-1")
    message = lab.edits("the host is busy")
    assert "run 0123abcd holds its lock, for 12 s (process 4711 of bob" in message["text"]
    assert "<!channel>" not in str(message)
    assert lab.quiet()


@pytest.mark.usefixtures("soon")
def test_a_gpu_that_another_program_uses_is_not_waited_for(lab: Lab) -> None:
    """Nobody knows how long that takes."""
    refuse(lab.rack, 1, TAKEN)
    lab.command("rig-1")
    lab.edits("the host is busy")
    assert lab.quiet()
    assert len(lab.rack.runs) == 1


@pytest.mark.usefixtures("soon")
def test_a_ranking_shows_the_host_that_waits_and_ends_with_its_rate(lab: Lab) -> None:
    lab.rack.rates |= {"rig-2": 789.1, "rig-3": 650.0}
    refuse(lab.rack, 1, HELD)
    lab.command("all quick")
    lab.told()
    lab.press(lab.slack.done("hook")[0].arguments, ids.BENCH_ALL)
    assert "rig-1 · Waits for its turn" in lab.edits("2 of 3 are done")["text"]
    lab.rack.finish(lab.rack.of("rig-1", 2), 700.0)
    rows = lab.edits("Ranking by measured")["text"].splitlines()[2:5]
    assert [row[:9] for row in rows] == ["1 · rig-2", "2 · rig-1", "3 · rig-3"]


# ---------------------------------------------------------------- all, the form, sentences


def test_all_asks_first_and_ends_in_a_ranking(lab: Lab) -> None:
    """789.1 before 700 before the one that could not be measured; the offer of rig-1 has its price."""
    lab.rack.rates |= {"rig-1": 700.0, "rig-2": 789.1}
    lab.command("all quick")
    question = lab.slack
    assert "Measure 3 hosts (rig-1, rig-2, rig-3)?" in lab.told()
    assert lab.rack.runs == []
    lab.press(question.done("hook")[0].arguments, ids.BENCH_ALL)
    lab.rack.end(lab.rack.of("rig-3"), "no_torch")
    assert until(lambda: not lab.jobs.open_runs(), 15)
    assert until(lambda: "Ranking by measured" in lab.slack.done("chat.update")[-1].arguments["text"], 15)
    lines = lab.slack.done("chat.update")[-1].arguments["text"].splitlines()
    assert lines[2].startswith("1 · rig-2 · healthy · 789.1")
    assert lines[3].startswith("2 · rig-1 · ")
    assert lines[3].endswith("700 · $2.71")  # 1.90 / 700 × 1,000
    assert lines[4].startswith("– · rig-3 · no Python with torch")
    assert len(lab.posts()) == 1
    assert all(run.options.quick for run in lab.rack.runs)


def test_the_command_alone_opens_a_form_and_the_form_runs(lab: Lab) -> None:
    lab.command("")
    assert until(lambda: lab.slack.done("views.open"))
    view = as_json(lab.slack.done("views.open")[0].arguments["view"])
    assert [one["text"]["text"] for one in view["blocks"][0]["element"]["options"]] == ["rig-1", "rig-2", "rig-3"]
    values = {
        "host": {"host": {"type": "static_select", "selected_option": {"value": "rig-2"}}},
        "dtype": {"dtype": {"type": "static_select", "selected_option": {"value": "fp16"}}},
        "quick": {"quick": {"type": "checkboxes", "selected_options": [{"value": "quick"}]}},
    }
    values["file"] = {"file": {"type": "file_input", "files": []}}
    lab.inside.deliver(recorded.submission(ids.BENCH_FORM, json.loads(view["private_metadata"]), values))
    options = lab.rack.of("rig-2").options
    assert (options.dtype, options.quick) == ("fp16", True)
    assert lab.posts()[0]["channel"] == GENERAL


def test_an_app_that_may_not_read_files_has_a_form_without_one(lab: Lab) -> None:
    """Slack refuses a form with a field for files then; hosts can still be chosen."""
    lab.slack.rules.scopes = lab.slack.rules.scopes - {"files:read"}
    lab.command("")
    assert until(lambda: lab.slack.done("views.open"))
    view = as_json(lab.slack.done("views.open")[0].arguments["view"])
    assert [block["block_id"] for block in view["blocks"]] == ["host", "dtype", "quick"]


def test_a_file_on_the_form_is_judged_and_no_host_is_measured(lab: Lab) -> None:
    """The host that the form names beside it is left alone."""
    lab.slack.shelf["F0RESULT"] = b"\n".join(json.dumps(one).encode() for one in run_on(H200, 789.1))
    lab.command("")
    assert until(lambda: lab.slack.done("views.open"))
    view = as_json(lab.slack.done("views.open")[0].arguments["view"])
    values = {
        "host": {"host": {"type": "static_select", "selected_option": {"value": "rig-2"}}},
        "file": {"file": {"type": "file_input", "files": [{"id": "F0RESULT"}]}},
    }
    lab.inside.deliver(recorded.submission(ids.BENCH_FORM, json.loads(view["private_metadata"]), values))
    assert "self-reported" in lab.told()
    assert lab.rack.runs == lab.jobs.open_runs() == []
    assert lab.slack.done("chat.postMessage") == []


def test_a_mention_runs_it_in_its_thread_and_shows_the_history(lab: Lab) -> None:
    lab.rack.rates["rig-1"] = 789.1
    lab.inside.deliver(recorded.mention("E1", "benchmark rig-1 fp16", "2.0"))
    assert lab.posts()[0]["thread_ts"] == "2.0"
    lab.edits("HEALTHY")
    assert lab.rack.of("rig-1").options.dtype == "fp16"
    lab.inside.deliver(recorded.mention("E2", "show benchmark results for rig-1", "3.0"))
    shown = lab.posts(2)[1]
    assert shown["thread_ts"] == "3.0"
    assert "Readings of rig-1" in shown["text"]
    assert "789.1 TFLOPS" in shown["text"]


def test_a_mention_of_an_unknown_host_names_the_known_ones(lab: Lab) -> None:
    lab.inside.deliver(recorded.mention("E1", "帮忙跑一下 ml77 的基准测试", "2.0"))
    assert "没有名为“ml77”的主机。已登记：rig-1、rig-2、rig-3。" in lab.posts()[0]["text"]
    assert lab.rack.runs == []


# ---------------------------------------------------------------- what goes wrong on the way


def test_a_spent_response_url_is_told_beside_it(lab: Lab) -> None:
    """Slack takes a response url five times within half an hour, and then no more."""
    lab.slack.spent = True
    lab.command("hosts")
    assert until(lambda: lab.slack.done("chat.postEphemeral"))
    sent = lab.slack.done("chat.postEphemeral")[0].arguments
    assert sent["user"] == ALICE
    assert "rig-1" in sent["text"]


def test_where_the_bot_may_not_write_the_asker_gets_a_direct_message(lab: Lab) -> None:
    lab.slack.rules.posts_in = frozenset()
    lab.rack.rates["rig-1"] = 789.1
    lab.command("rig-1")
    assert lab.posts()[0]["channel"] == "D01DIRECT"
    assert "I may not post in that channel" in lab.told()
    assert lab.edits("HEALTHY")["channel"] == "D01DIRECT"


def test_a_message_that_somebody_deleted_gives_way_to_a_new_one(lab: Lab) -> None:
    lab.command("rig-1")
    run = lab.rack.of("rig-1")
    lab.slack.faults.append(Fault("chat.update", error="message_not_found", times=9))
    lab.rack.finish(run, 789.1)
    assert "HEALTHY" in lab.posts(2)[1]["text"]
    assert lab.quiet()
    assert len(lab.posts()) == 2


@pytest.mark.parametrize("reason", ["failed", "gave-up", "silent", "left-behind"])
def test_the_watchdogs_news_go_into_the_message(lab: Lab, reason: str) -> None:
    """In the language of whoever asked, with the id that the log knows."""
    args = {
        "post": "k", "host": "rig-1", "dtype": None, "quick": False, "user": ALICE, "lang": "zh", "batch": False,
        "place": {"team": TEAM, "channel": GENERAL, "user": ALICE, "message_ts": "9.1"},
    }  # fmt: skip
    lab.jobs.orphan(JobState("bench-1", "bench", "failed", TEAM, args, NOON, lane="rig-1"), reason)
    [edit] = lab.slack.done("chat.update")
    assert "bench-1" in edit.arguments["text"]
    assert edit.arguments["ts"] == "9.1"
    assert any("\u4e00" <= char <= "\u9fff" for char in edit.arguments["text"])


def test_a_job_that_raises_is_reported_by_the_watchdog(lab: Lab) -> None:
    def broken(*_: Any) -> Any:
        raise RuntimeError("nobody foresaw this")

    lab.rack.start = broken  # type: ignore[method-assign, assignment]
    lab.command("rig-1")
    lab.edits("It failed on the bot's side")


def test_the_same_command_twice_is_one_run(lab: Lab) -> None:
    """Slack delivers again what it believes lost."""
    payload = recorded.command("/gpu-bench", "rig-1", response_url=lab.slack.hook)
    threads = [threading.Thread(target=lab.inside.deliver, args=(payload,)) for _ in range(3)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    lab.rack.finish(lab.rack.of("rig-1"), 789.1)
    lab.edits("HEALTHY")
    assert len(lab.posts()) == len(lab.rack.runs) == 1


def test_the_bot_itself_is_nobody_who_asks(lab: Lab) -> None:
    lab.inside.deliver(recorded.mention("E1", "benchmark rig-1", "2.0", user=BOT_USER))
    time.sleep(0.3)
    assert lab.rack.runs == []


def test_an_item_that_a_dead_process_began_is_neither_posted_nor_run_twice(lab: Lab) -> None:
    """It died after the post, before or after the job was written down: the next one finds both."""
    place = {"team": TEAM, "channel": GENERAL, "user": ALICE}
    item = Item(TEAM, "command:1", "bench", {"place": place, "wish": Wish("run", "rig-1").to_json()}, NOON)
    for tries in (1, 2):
        assert lab.inside.bot.answer(replace(item, tries=tries)) is None
    lab.rack.finish(lab.rack.of("rig-1"), 789.1)
    lab.edits("HEALTHY")
    assert lab.quiet()
    assert len(lab.posts()) == len(lab.rack.runs) == 1


def test_the_last_ranking_waits_while_slack_asks_to(lab: Lab) -> None:
    """A host's end is never lost to a refusal."""
    for name in ("rig-2", "rig-3"):
        lab.jobs.hosts.set_state(name, "dirty", NOON)
    lab.command("all")
    assert "Measure 1 host (rig-1)?" in lab.told()
    lab.press(lab.slack.done("hook")[0].arguments, ids.BENCH_ALL)
    run = lab.rack.of("rig-1")
    assert until(lambda: lab.slack.done("chat.update"))
    lab.slack.faults.append(Fault("chat.update", error="ratelimited", status=429, times=1))
    lab.rack.finish(run, 789.1)
    assert "1 · rig-1 · healthy · 789.1 · $2.41" in lab.edits("Ranking by measured")["text"]  # 1.90 / 789.1 × 1,000
