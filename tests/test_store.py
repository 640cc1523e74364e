"""The database: what is kept, that it is kept once, and that it comes back as it was, on SQLite and PostgreSQL."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path

import kept
import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from jobs_world import databases

from bot import store
from bot.store import (
    Database,
    StoreError,
    answers,
    benches,
    conversations,
    current,
    digests,
    inbox,
    prices,
    tables,
    upkeep,
)
from bot.store.prices import Observation

database_url = databases.database_url
cluster = databases.cluster

NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
DAY = timedelta(days=1)
WORLD = Path(__file__).parent / "jobs_world"


@pytest.fixture
def db(database_url: str) -> Iterator[Database]:
    database = store.open_database(database_url)
    yield database
    database.close()


def taken_in(db: Database, team: str, names: list[str], at: datetime) -> bool:
    """Whether an event of these names is new; it is answered at once."""
    new = inbox.take_in(db, inbox.Item(team, names[0], "question", {}, at), names, "process", at + DAY)
    inbox.done(db, team, names[0])
    return new


# ---------------------------------------------------------------- opening


def test_migrations_make_the_tables_that_the_code_uses(db: Database) -> None:
    with db.read() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, tables.metadata) == []


def test_opening_again_changes_nothing(db: Database, database_url: str) -> None:
    before, after = store.migrate_database(db)
    assert before == after == store.current_revision(db)


def test_many_may_open_a_new_database_at_once(database_url: str) -> None:
    with ThreadPoolExecutor(6) as pool:
        opened = list(pool.map(lambda _: store.open_database(database_url), range(6)))
    assert {store.current_revision(one) for one in opened} == {"0002"}
    for one in opened:
        one.close()


def test_opening_waits_for_another_that_still_prepares_the_file(tmp_path: Path) -> None:
    """A writer that holds the new file before readers and writers are apart is waited for."""
    file = tmp_path / "new.db"
    with closing(sqlite3.connect(file, isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN IMMEDIATE")
        release = threading.Timer(0.3, other.execute, ["COMMIT"])
        release.start()
        opened = store.open_database(f"sqlite:///{file}")
        release.join()
    assert store.current_revision(opened) == "0002"
    opened.close()


def test_opening_does_not_wait_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that stays locked is said to be, within the time that a writer waits."""
    monkeypatch.setattr("bot.store.database.BUSY_SECONDS", 0.2)
    file = tmp_path / "new.db"
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="did not answer: database is locked"):
            store.open_database(f"sqlite:///{file}")


def test_a_database_of_a_newer_program_is_refused_with_its_revision(db: Database) -> None:
    with db.write() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(StoreError, match=r"newer gpu-bot \(revision 9999\)"):
        store.migrate_database(db)


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("mysql://u:secret@h/d", "SQLite or PostgreSQL, not in mysql"),
        ("sqlite://", "must be a file"),
        ("no address", "cannot be read"),
        ("postgresql://u:secret@127.0.0.1:1/d", "did not answer"),
        ("sqlite:////proc/nothing/here.db", "cannot be opened"),
    ],
)
def test_an_unusable_address_is_one_sentence_without_its_password(url: str, says: str) -> None:
    with pytest.raises(StoreError, match=says) as caught:
        store.open_database(url)
    assert "secret" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_database_file_is_for_its_owner_only(tmp_path: Path) -> None:
    store.open_database(f"sqlite:///{tmp_path / 'deep' / 'er' / 'x.db'}").close()
    assert (tmp_path / "deep" / "er" / "x.db").stat().st_mode & 0o077 == 0


def test_a_time_comes_back_as_the_same_moment_and_needs_a_zone(db: Database) -> None:
    tokyo = datetime(2026, 11, 30, 18, 0, 0, 123456, tzinfo=timezone(timedelta(hours=9)))
    conversations.put_thread(db, conversations.Thread("T", "C", "1.0", "U", "en", {}, tokyo))
    kept = conversations.thread(db, "T", "C", "1.0")
    assert kept is not None
    assert kept.at == tokyo
    with pytest.raises(Exception, match="needs its zone"):
        taken_in(db, "T", ["e"], datetime(2026, 11, 30))  # noqa: DTZ001


# ---------------------------------------------------------------- events, threads, pace, posts


def test_an_event_is_new_once_under_any_of_its_names(db: Database) -> None:
    assert taken_in(db, "T", ["Ev1", "C/1.0"], NOW)
    assert not taken_in(db, "T", ["Ev1", "C/1.0"], NOW)  # Slack repeats it
    assert not taken_in(db, "T", ["Ev2", "C/1.0"], NOW)  # the same message as another event
    assert taken_in(db, "T", ["Ev3", "C/2.0"], NOW)
    assert taken_in(db, "other", ["Ev1", "C/1.0"], NOW)  # another workspace


def test_an_event_has_one_winner_among_processes(db: Database, database_url: str) -> None:
    """Four processes race for 60 events; every event is won once."""
    script = WORLD / "race.py"
    racers = [
        subprocess.Popen([sys.executable, script, database_url], stdout=subprocess.PIPE, text=True) for _ in range(4)
    ]
    won = [line for racer in racers for line in racer.communicate(timeout=60)[0].split()]
    assert [racer.returncode for racer in racers] == [0] * 4
    assert sorted(won) == sorted(f"Ev{number}" for number in range(60))


def test_a_thread_keeps_its_newest_question_and_its_first_asker(db: Database) -> None:
    first = conversations.Thread("T", "C", "1.0", "U1", "en", {"intent": "cheapest"}, NOW, "a1", "1.1")
    later = conversations.Thread(
        "T", "C", "1.0", "U2", "zh", {"intent": "price", "问": "多少钱"}, NOW + DAY, "a2", "1.2"
    )
    conversations.put_thread(db, first)
    conversations.put_thread(db, later)
    kept = conversations.thread(db, "T", "C", "1.0")
    assert kept == conversations.Thread(
        "T", "C", "1.0", "U1", "zh", {"intent": "price", "问": "多少钱"}, NOW + DAY, "a2", "1.2"
    )
    assert conversations.thread(db, "T", "C", "9.9") is None
    assert conversations.thread(db, "other", "C", "1.0") is None


def test_turns_come_one_a_second_after_a_burst(db: Database) -> None:
    """Burst 2, then one a second: waits of 0, 0, 1, 2 s asked at once; after 3 s of rest, 0 again."""
    second = timedelta(seconds=1)
    waits = [conversations.reserve(db, "T", "C", NOW, every=second, burst=2) for _ in range(4)]
    assert [wait.total_seconds() for wait in waits] == [0, 0, 1, 2]
    # four turns are taken: free again at NOW + 4 s; a burst of two may start one second earlier
    assert conversations.reserve(db, "T", "C", NOW + 3 * second, every=second, burst=2) == timedelta(0)
    assert conversations.reserve(db, "T", "D", NOW, every=second) == timedelta(0)  # another channel


def test_a_refusal_says_how_long_and_costs_nothing(db: Database) -> None:
    five = timedelta(minutes=5)
    assert conversations.refused(db, "T", "bench/U", NOW, every=five) is None
    assert conversations.refused(db, "T", "bench/U", NOW + timedelta(minutes=2), every=five) == timedelta(minutes=3)
    assert conversations.refused(db, "T", "bench/U", NOW + timedelta(minutes=4), every=five) == timedelta(minutes=1)
    assert conversations.refused(db, "T", "bench/U", NOW + five, every=five) is None


def test_turns_are_not_given_twice_to_threads_that_ask_at_once(db: Database) -> None:
    second = timedelta(seconds=1)
    with ThreadPoolExecutor(8) as pool:
        waits = list(pool.map(lambda _: conversations.reserve(db, "T", "C", NOW, every=second), range(16)))
    assert sorted(wait.total_seconds() for wait in waits) == list(range(16))


def test_an_intent_is_new_once_and_keeps_its_first_place(db: Database) -> None:
    intent, new = conversations.intend_post(db, "T", "job1/first", "C", NOW, "1.0")
    assert new
    assert intent.ts is None
    again, new = conversations.intend_post(db, "T", "job1/first", "C", NOW + DAY, "1.0")
    assert not new
    assert again == intent
    conversations.posted(db, "T", "job1/first", "7.7", NOW)
    conversations.posted(db, "T", "job1/first", "8.8", NOW)  # a zombie that comes late
    done, _ = conversations.intend_post(db, "T", "job1/first", "C", NOW, "1.0")
    assert done.ts == "7.7"


# ---------------------------------------------------------------- answers


def test_an_answer_comes_back_byte_for_byte(db: Database) -> None:
    body = '{"total":"371.52","注":"含税\u2028 \\u0000"}\r\n'.encode() + bytes(range(256))
    kept = answers.KeptAnswer("T", answers.answer_id(body), body, NOW, {"intent": "cheapest"}, asker="U", channel="C")
    answers.keep_answer(db, kept)
    answers.keep_answer(db, kept)
    assert answers.kept_answer(db, "T", kept.id) == kept
    assert answers.kept_answer(db, "other", kept.id) is None


def test_other_bytes_under_a_kept_name_are_refused(db: Database) -> None:
    answers.keep_answer(db, answers.KeptAnswer("T", "a1", b"one", NOW))
    with pytest.raises(StoreError, match="answer a1 is already kept"):
        answers.keep_answer(db, answers.KeptAnswer("T", "a1", b"two", NOW))


def test_a_person_has_one_opinion_of_an_answer_the_last(db: Database) -> None:
    answers.put_feedback(db, answers.Feedback("T", "a1", "U", good=True, at=NOW))
    answers.put_feedback(db, answers.Feedback("T", "a1", "U", good=False, at=NOW + DAY, reason="wrong card"))
    assert kept.opinions(db, "T") == [("T", "a1", "U", False, "wrong card", NOW + DAY)]


# ---------------------------------------------------------------- prices


def row(key: str, amount: str, **facts: object) -> Observation:
    return Observation(key, "northwind", "A100", facts, Decimal(amount), "USD", "gpu-hour")


def bring(db: Database, day: int | None, *rows: Observation, source: str = "list") -> prices.Imported:
    seen = None if day is None else NOW + day * DAY
    return prices.import_snapshot(db, source, rows, seen=seen, now=NOW + 400 * DAY)


def spans(db: Database, key: str) -> list[tuple[str, int | None, int | None]]:
    """(amount, first day, last day) of an offer's observations."""

    def day(moment: datetime | None) -> int | None:
        return None if moment is None else (moment - NOW).days

    return [(str(s.amount), day(s.first_seen), day(s.last_seen)) for s in kept.observations(db, key=key)]


def now_listed(db: Database, day: int | None = None) -> dict[str, str]:
    moment = NOW + (400 if day is None else day) * DAY
    return {seen.what.key: str(seen.what.amount) for seen, _ in current.of_database(db, None, moment).rows}


def test_the_same_price_seen_again_is_one_interval(db: Database) -> None:
    assert bring(db, 0, row("a", "1.50", plan="spot"), row("b", "2")).new == 2
    assert bring(db, 1, row("a", "1.5", plan="spot"), row("b", "3")).new == 1
    assert bring(db, 5, row("a", "1.5", plan="spot"), row("b", "3")).new == 0
    assert spans(db, "a") == [("1.5", 0, 5)]
    assert spans(db, "b") == [("2", 0, 0), ("3", 1, 5)]
    assert now_listed(db) == {"a": "1.5", "b": "3"}
    assert now_listed(db, 0) == {"a": "1.5", "b": "2"}
    assert now_listed(db, 4) == {"a": "1.5", "b": "3"}  # the newest snapshot then was that of day 1
    assert now_listed(db, -1) == {}


def test_what_is_no_longer_listed_ends_and_may_come_back(db: Database) -> None:
    bring(db, 0, row("a", "1"), row("b", "2"))
    bring(db, 1, row("b", "2"))
    assert now_listed(db) == {"b": "2"}
    bring(db, 2, row("a", "1"), row("b", "2"))
    assert spans(db, "a") == [("1", 0, 0), ("1", 2, 2)]
    assert spans(db, "b") == [("2", 0, 2)]


def test_snapshots_may_arrive_in_any_order(db: Database) -> None:
    """The same five days, brought forwards and in a jumble, make the same intervals."""
    days = {
        0: [row("a", "1"), row("b", "2"), row("d", "5")],
        1: [row("a", "1"), row("b", "9"), row("d", "5")],
        2: [row("a", "1"), row("b", "2"), row("c", "4")],
        3: [row("b", "2"), row("c", "4"), row("d", "5")],
        4: [row("a", "1"), row("b", "2"), row("d", "5")],
    }
    expected = {
        "a": [("1", 0, 2), ("1", 4, 4)],
        "b": [("2", 0, 0), ("9", 1, 1), ("2", 2, 4)],
        "c": [("4", 2, 3)],
        "d": [("5", 0, 1), ("5", 3, 4)],
    }
    for order in ([0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [2, 0, 4, 1, 3], [0, 4, 2, 3, 1], [0, 4, 1, 3, 2]):
        source = "order " + "".join(map(str, order))
        for day in order:
            bring(db, day, *days[day], source=source)
        found = {
            key: [
                (str(s.amount), (s.first_seen - NOW).days, (s.last_seen - NOW).days)
                for s in kept.observations(db, key=key, source=source)
                if s.first_seen and s.last_seen
            ]
            for key in expected
        }
        assert found == expected, source


def test_a_snapshot_that_breaks_off_never_counts(db: Database) -> None:
    bring(db, 0, row("a", "1"))

    def rows() -> Iterator[Observation]:
        for number in range(5000):
            yield row(f"x{number}", "2")
        raise ConnectionError("the line broke")

    with pytest.raises(ConnectionError):
        prices.import_snapshot(db, "list", rows(), seen=NOW + DAY, now=NOW)
    assert now_listed(db) == {"a": "1"}
    assert spans(db, "x1") == []
    assert bring(db, 1, row("a", "1")).new == 0  # the same day can be read again


def test_a_process_killed_amid_a_snapshot_leaves_the_last_one_in_force(db: Database, database_url: str) -> None:
    bring(db, 0, row("a", "1"))
    reader = subprocess.Popen(
        [sys.executable, WORLD / "half_import.py", database_url], stdout=subprocess.PIPE, text=True
    )
    assert reader.stdout is not None
    assert reader.stdout.readline() == "halfway\n"  # 4,000 rows are written by now
    reader.kill()
    reader.communicate()
    assert now_listed(db) == {"a": "1"}
    # 4,000 rows set aside and their unfinished snapshot
    assert upkeep.prune(db, NOW + 3 * DAY) == 4001
    assert now_listed(db) == {"a": "1"}


def test_undated_rows_are_kept_and_never_current(db: Database) -> None:
    bring(db, None, row("a", "1"))
    assert bring(db, None, row("a", "1")).already_known
    bring(db, 0, row("b", "2"))
    assert now_listed(db) == {"b": "2"}
    assert spans(db, "a") == [("1", None, None)]


def test_the_same_snapshot_again_is_known_and_another_of_that_time_is_refused(db: Database) -> None:
    bring(db, 0, row("a", "1"), row("b", "2"))
    again = bring(db, 0, row("b", "2"), row("a", "1"))  # order says nothing
    assert again.already_known
    assert again.new == 0
    with pytest.raises(StoreError, match="already has another snapshot"):
        bring(db, 0, row("a", "9"))
    assert now_listed(db) == {"a": "1", "b": "2"}


@pytest.mark.parametrize("other", ["1", "2"])
@pytest.mark.parametrize("between", [0, 3000])
def test_one_offer_twice_in_a_snapshot_is_refused_by_name(db: Database, other: str, between: int) -> None:
    rows = [row("twin", "1"), *(row(f"x{number}", "1") for number in range(between)), row("twin", other)]
    with pytest.raises(StoreError, match="'twin' twice"):
        bring(db, 0, *rows)
    assert kept.sources(db) == []


def test_amounts_and_facts_come_back_exactly(db: Database) -> None:
    facts = {"regions": ["eu-north-1"], "memory_gb": 80, "名": "北风"}
    for key, amount in {"tiny": "0.000000000000000001", "large": "123456789012345678.91", "round": "1000"}.items():
        bring(db, 0, Observation(key, "p", "A100", facts, Decimal(amount), "CNY", "machine-month"), source=key)
        (seen,) = kept.observations(db, key=key)
        assert str(seen.amount) == amount.replace("0.000000000000000001", "1E-18")
        assert seen.facts == facts


def test_the_hash_of_the_feeds_changes_only_with_a_price_list(db: Database) -> None:
    def digest(day: int) -> str | None:
        return current.of_database(db, (), NOW + day * DAY).digest

    assert digest(9) is None
    bring(db, 0, row("a", "1"))
    first = digest(9)
    assert first is not None
    assert bring(db, 0, row("a", "1")).already_known
    assert digest(9) == first
    bring(db, 1, row("a", "1"))
    assert digest(9) != first
    assert digest(0) == first


# ---------------------------------------------------------------- hosts, readings, digests, watches


def a_host(name: str = "h1", **more: object) -> benches.Host:
    values = {"address": "10.0.0.5", "login": "bench", "host_key": "ssh-ed25519 AAAA", "key_file": "/k", **more}
    return benches.Host("T", name, state_at=NOW, added=NOW, **values)  # type: ignore[arg-type]


def test_a_host_is_registered_once_and_found_in_its_workspace(db: Database) -> None:
    one = a_host(claim_tflops=Decimal("989.5"), ordered_as="h100-sxm")
    benches.add_host(db, one)
    with pytest.raises(StoreError, match="h1 is registered already"):
        benches.add_host(db, a_host(address="elsewhere"))
    benches.add_host(db, a_host("h0"))
    assert benches.hosts(db, "T") == [a_host("h0"), one]
    assert benches.hosts(db, "other") == []
    assert benches.put_host_state(db, "T", "h1", "hostkey", NOW + DAY, "the key changed")
    kept = benches.host(db, "T", "h1")
    assert kept is not None
    assert (kept.state, kept.state_note, kept.state_at) == ("hostkey", "the key changed", NOW + DAY)
    assert benches.remove_host(db, "T", "h1")
    assert not benches.remove_host(db, "T", "h1")


def test_a_job_that_ran_twice_keeps_one_reading(db: Database) -> None:
    first = benches.Reading(
        "T", "job-1/0", "h1", NOW, {"verdict": "ok", "n": 8192}, "H100", "bf16", "ok", None, Decimal("712.3")
    )
    assert benches.keep_reading(db, first)
    assert not benches.keep_reading(db, benches.Reading("T", "job-1/0", "h1", NOW + DAY, {}))
    benches.keep_reading(db, benches.Reading("T", "job-2/0", "h2", NOW + DAY, {}, "A100"))
    assert [one.id for one in benches.readings(db, "T")] == ["job-2/0", "job-1/0"]
    assert benches.readings(db, "T", host="h1") == [first]
    assert benches.readings(db, "T", gpu="H100", until=NOW) == [first]
    assert benches.readings(db, "T", since=NOW + 2 * DAY) == []


def test_a_channel_has_one_subscription_the_last(db: Database) -> None:
    wish = digests.Subscription("T", "C", "U", NOW, gpus=("A100", "H100"), threshold=Decimal("0.03"), lang="zh")
    assert digests.subscribe(db, wish)
    daily = digests.Subscription("T", "C", "U2", NOW + DAY, period="daily", weekday=None, hour=7, zone="Asia/Shanghai")
    assert not digests.subscribe(db, daily)
    kept = digests.subscription(db, "T", "C")
    assert kept is not None
    assert (kept.period, kept.weekday, kept.hour, kept.gpus, kept.since) == ("daily", None, 7, (), NOW)
    assert digests.subscriptions(db) == [kept]
    assert digests.unsubscribe(db, "T", "C")
    assert not digests.unsubscribe(db, "T", "C")


@pytest.mark.parametrize("wrong", [{"period": "hourly"}, {"weekday": None}, {"weekday": 7}, {"hour": 24}])
def test_a_subscription_that_no_clock_knows_is_refused(db: Database, wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError):
        digests.subscribe(db, digests.Subscription("T", "C", "U", NOW, **wrong))  # type: ignore[arg-type]


def test_two_failed_posts_pause_a_subscription_and_one_that_works_resumes_it(db: Database) -> None:
    digests.subscribe(db, digests.Subscription("T", "C", "U", NOW))
    assert not digests.post_failed(db, "T", "C", "not_in_channel")
    assert digests.post_failed(db, "T", "C", "not_in_channel")
    assert not digests.post_failed(db, "T", "C", "not_in_channel")  # told once
    assert [one.paused_because for one in digests.subscriptions(db)] == ["not_in_channel"]
    digests.post_worked(db, "T", "C")
    assert [(one.paused_because, one.failures) for one in digests.subscriptions(db)] == [(None, 0)]


def test_a_digest_belongs_to_one_job_until_it_is_done_or_given_back(db: Database) -> None:
    assert digests.claim_digest(db, "T", "C", "2026-W48", "job1", NOW)
    assert not digests.claim_digest(db, "T", "C", "2026-W48", "job2", NOW)
    assert digests.claim_digest(db, "T", "C", "2026-W48", "job1", NOW)  # the same job, run again
    assert digests.release_digest(db, "T", "C", "2026-W48", "job1")
    assert digests.claim_digest(db, "T", "C", "2026-W48", "job2", NOW)
    assert digests.last_digest(db, "T", "C") is None
    digests.digest_done(db, "T", "C", "2026-W48", NOW, "5.5")
    assert not digests.claim_digest(db, "T", "C", "2026-W48", "job2", NOW + DAY)
    assert digests.claim_digest(db, "T", "C", "2026-W49", "job3", NOW)
    assert digests.claim_digest(db, "T", "C", "2026-W49", "job4", NOW + timedelta(hours=2))  # job3 came to nothing
    last = digests.last_digest(db, "T", "C")
    assert last is not None
    assert (last["period"], last["state"], last["ts"]) == ("2026-W48", "posted", "5.5")


def test_a_watch_goes_on_until_its_own_workspace_ends_it(db: Database) -> None:
    number = digests.add_watch(
        db, digests.Watch("T", "C", "U", "en", {"intent": "cheapest"}, NOW, threshold=Decimal("0.05"))
    )
    digests.watch_looked(db, number, NOW + DAY, Decimal("371.52"), "USD")
    (kept,) = digests.watches(db, "T", "C")
    assert (kept.id, kept.last_total, kept.currency, kept.threshold) == (
        number,
        Decimal("371.52"),
        "USD",
        Decimal("0.05"),
    )
    assert not digests.end_watch(db, "other", number, NOW)
    assert digests.end_watch(db, "T", number, NOW)
    assert digests.watches(db) == []


# ---------------------------------------------------------------- upkeep


def test_pruning_forgets_by_age_and_keeps_what_is_history(db: Database) -> None:
    bring(db, 0, row("a", "1"))
    taken_in(db, "T", ["old"], NOW - 2 * DAY)
    taken_in(db, "T", ["new"], NOW)
    conversations.reserve(db, "T", "C", NOW - 3 * DAY, every=DAY / 24)
    answers.keep_answer(db, answers.KeptAnswer("T", "a1", b"x", NOW - 100 * DAY))
    conversations.put_thread(db, conversations.Thread("T", "C", "1.0", "U", "en", {}, NOW - 91 * DAY))
    # the old event, the rate and the thread
    assert upkeep.prune(db, NOW) == 3
    assert not taken_in(db, "T", ["new"], NOW)
    assert taken_in(db, "T", ["old"], NOW)
    assert answers.kept_answer(db, "T", "a1") is not None
    assert now_listed(db) == {"a": "1"}


@pytest.fixture
def file_db(tmp_path: Path) -> Iterator[Database]:
    database = store.open_database(f"sqlite:///{tmp_path / 'bot.db'}")
    yield database
    database.close()


def test_a_backup_is_whole_while_others_write_and_restores_what_was(file_db: Database, tmp_path: Path) -> None:
    answers.keep_answer(file_db, answers.KeptAnswer("T", "a1", b"one", NOW))
    stop = threading.Event()

    def write() -> None:
        number = 0
        while not stop.is_set():
            taken_in(file_db, "T", [f"n{number}"], NOW)
            number += 1

    writer = threading.Thread(target=write)
    writer.start()
    upkeep.backup(file_db, tmp_path / "copy.db")
    stop.set()
    writer.join()
    answers.keep_answer(file_db, answers.KeptAnswer("T", "a2", b"two", NOW))
    before = upkeep.restore(file_db, tmp_path / "copy.db")
    assert answers.kept_answer(file_db, "T", "a1") is not None
    assert answers.kept_answer(file_db, "T", "a2") is None
    undone = store.open_database(f"sqlite:///{before}")
    assert answers.kept_answer(undone, "T", "a2") is not None
    undone.close()
    assert sorted(path.name for path in tmp_path.glob("copy*")) == ["copy.db"]


def test_a_backup_never_overwrites_and_a_restore_takes_only_backups(file_db: Database, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear")
    with pytest.raises(StoreError, match=r"letter\.txt exists already"):
        upkeep.backup(file_db, tmp_path / "letter.txt")
    with pytest.raises(StoreError, match="no folder"):
        upkeep.backup(file_db, tmp_path / "none" / "x.db")
    with pytest.raises(StoreError, match="no backup of gpu-bot"):
        upkeep.restore(file_db, tmp_path / "letter.txt")
    with pytest.raises(StoreError, match="is no file"):
        upkeep.restore(file_db, tmp_path / "missing.db")
    with closing(sqlite3.connect(tmp_path / "other.db")) as other:
        other.execute("CREATE TABLE t (x)")
    with pytest.raises(StoreError, match="no backup of gpu-bot"):
        upkeep.restore(file_db, tmp_path / "other.db")


def test_a_database_in_use_is_not_restored_over(file_db: Database, tmp_path: Path) -> None:
    upkeep.backup(file_db, tmp_path / "copy.db")
    store.jobrows.beat(file_db, "a-running-serve")
    with pytest.raises(StoreError, match="stop it"):
        upkeep.restore(file_db, tmp_path / "copy.db")
    store.jobrows.sign_off(file_db, "a-running-serve")
    upkeep.restore(file_db, tmp_path / "copy.db")


@pytest.mark.needs_postgres
def test_postgresql_is_pointed_to_its_own_tools(cluster: databases.Cluster, tmp_path: Path) -> None:
    database = store.open_database(cluster.new_database())
    with pytest.raises(StoreError, match="pg_dump"):
        upkeep.backup(database, tmp_path / "x.db")
    with pytest.raises(StoreError, match="pg_restore"):
        upkeep.restore(database, tmp_path / "x.db")
    database.close()


# ---------------------------------------------------------------- trouble


@pytest.mark.slow
def test_a_database_locked_for_ten_seconds_loses_nothing(file_db: Database) -> None:
    """An outsider holds the write lock for 10 s; what eight threads write meanwhile is all there afterwards."""
    lock = sqlite3.connect(file_db.file, isolation_level=None)
    lock.execute("BEGIN IMMEDIATE")
    started = time.monotonic()
    with ThreadPoolExecutor(8) as pool:
        waiting = [pool.submit(taken_in, file_db, "T", [f"e{n}"], NOW) for n in range(24)]
        time.sleep(10)
        assert not any(one.done() for one in waiting)
        assert conversations.thread(file_db, "T", "C", "1.0") is None  # readers do not wait
        lock.execute("COMMIT")
        assert all(one.result(timeout=20) for one in waiting)
    lock.close()
    assert time.monotonic() - started < 25
    assert not any(taken_in(file_db, "T", [f"e{n}"], NOW) for n in range(24))


@pytest.mark.needs_postgres
@pytest.mark.slow
def test_a_server_that_restarts_is_one_sentence_and_then_works_again() -> None:
    own = databases.Cluster()
    database = store.open_database(own.new_database())
    try:
        assert taken_in(database, "T", ["before"], NOW)
        own.stop()
        with pytest.raises(store.StoreAwayError, match=r"did not answer|was lost"):
            taken_in(database, "T", ["meanwhile"], NOW)
        own.start()
        assert taken_in(database, "T", ["meanwhile"], NOW)
        assert not taken_in(database, "T", ["before"], NOW)
    finally:
        database.close()
        own.remove()


@pytest.mark.slow
def test_a_long_price_list_is_compared_by_key_and_not_row_with_row(db: Database) -> None:
    """30,000 rows again with one change: 2 s here; comparing each with each takes minutes."""
    first = [row(f"x{number}", "1") for number in range(30_000)]
    bring(db, 0, *first)
    started = time.monotonic()
    assert bring(db, 1, *first[:-1], row("x29999", "2")).new == 1
    assert time.monotonic() - started < 20
