"""The desk and the poster: written down, answered once, taken over from the dead, paced, plainer, never twice."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from jobs_world import databases
from slack.canned import CannedSlack
from slack.peer import ALICE, GENERAL, TEAM, until
from slack.strict_proxy import Fault

from bot.slack import app as slack
from bot.slack import desk as desks
from bot.slack.desk import Desk, Later
from bot.slack.posting import CannotPostError, Place, Poster, mark_of, retry_after
from bot.slack.views import kit
from bot.slack.views.kit import Message
from bot.store import Database, inbox, open_database
from bot.store.inbox import Item

PLACE = Place(TEAM, GENERAL, ALICE, thread_ts="1.0")
MESSAGE = Message("hello", kit.dump([kit.section("rich", "one")]), kit.dump([kit.section("plain", "one")]))


def now() -> datetime:
    return datetime.now(UTC)


def item(key: str = "k") -> Item:
    return Item(TEAM, key, "question", {"text": "x"}, now())


database_url = databases.database_url
cluster = databases.cluster


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    opened = open_database(database_url)
    yield opened
    opened.close()


class Worker:
    """Notes what it is given; ``does`` says what becomes of it."""

    def __init__(self, does: Callable[[Item], Later | None] = lambda _: None) -> None:
        self.given: list[Item] = []
        self.failed: list[tuple[Item, BaseException]] = []
        self._does = does

    def answer(self, one: Item) -> Later | None:
        self.given.append(one)
        return self._does(one)

    def fail(self, one: Item, error: BaseException) -> Later | None:
        self.failed.append((one, error))
        return None


@pytest.fixture
def opened(database: Database) -> Iterator[Callable[[Worker], Desk]]:
    made: list[Desk] = []

    def open_(worker: Worker) -> Desk:
        made.append(Desk(database, worker.answer, worker.fail))
        return made[-1]

    yield open_
    for one in made:
        one.stop(0.5)


# ---------------------------------------------------------------- the desk


def test_an_item_is_written_down_answered_and_forgotten(database: Database, opened: Any) -> None:
    inside = threading.Event()
    go_on = threading.Event()

    def slowly(_: Item) -> None:
        inside.set()
        go_on.wait(5)

    worker = Worker(slowly)
    desk = opened(worker)
    desk.begin(desk.take_in(item(), ["e1", "m1"]))
    assert inside.wait(5)
    assert inbox.waiting(database) == 1
    go_on.set()
    assert until(lambda: inbox.waiting(database) == 0)
    assert [one.key for one in worker.given] == ["k"]


def test_an_item_seen_under_any_of_its_names_is_not_new(database: Database, opened: Any) -> None:
    worker = Worker()
    desk = opened(worker)
    assert desk.is_new(desk.take_in(item("a"), ["event:1", "message:1"])) is True
    assert desk.is_new(desk.take_in(item("b"), ["event:2", "message:1"])) is False
    assert desk.is_new(desk.take_in(item("c"), ["event:1"])) is False


def test_many_processes_and_one_event(database: Database, opened: Any) -> None:
    """Ten deliveries of one event to three desks: one of them has it."""
    team = [opened(Worker()) for _ in range(3)]
    with ThreadPoolExecutor(10) as pool:
        new = list(pool.map(lambda n: team[n % 3].is_new(team[n % 3].take_in(item(), ["e", "m"])), range(10)))
    assert new.count(True) == 1


def test_an_item_that_fails_is_told_and_forgotten(database: Database, opened: Any) -> None:
    def fails(_: Item) -> None:
        raise KeyError("x")

    worker = Worker(fails)
    desk = opened(worker)
    desk.begin(desk.take_in(item(), ["e"]))
    assert until(lambda: worker.failed)
    assert isinstance(worker.failed[0][1], KeyError)
    assert until(lambda: inbox.waiting(database) == 0)


def test_an_item_may_wait_without_holding_a_thread(database: Database, opened: Any) -> None:
    """More items wait than there are threads, and another is answered meanwhile."""
    done: list[float] = []
    worker = Worker(lambda one: None if one.key == "now" else Later(0.6, lambda: done.append(time.monotonic())))
    desk = opened(worker)
    desk.start()
    begun = time.monotonic()
    for n in range(20):
        desk.begin(desk.take_in(item(f"later-{n}"), [f"e{n}"]))
    desk.begin(desk.take_in(item("now"), ["now"]))
    assert until(lambda: any(one.key == "now" for one in worker.given), 0.5)
    assert until(lambda: len(done) == 20, 5)
    assert min(done) - begun >= 0.6
    assert until(lambda: inbox.waiting(database) == 0)


def test_what_a_dead_process_left_is_taken_over_once(
    database: Database, opened: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It said for the last time that it lives a lease ago; two others look."""
    monkeypatch.setattr(desks, "LEASE", timedelta(seconds=-1))
    dead = Desk(database, lambda _: None, lambda *_: None)
    assert dead.is_new(dead.take_in(item(), ["e"]))
    monkeypatch.setattr(desks, "LEASE", timedelta(seconds=20))
    first, second = Worker(), Worker()
    one, two = opened(first), opened(second)
    one.look_after()
    two.look_after()
    assert until(lambda: inbox.waiting(database) == 0)
    assert (len(first.given), len(second.given)) == (1, 0)
    assert first.given[0].tries == 2


def test_what_a_living_process_has_is_left_alone(database: Database, opened: Any) -> None:
    alive, other = opened(Worker()), Worker()
    alive.is_new(alive.take_in(item(), ["e"]))
    opened(other).look_after()
    assert other.given == []


def test_an_item_that_ends_every_process_is_given_up(database: Database, opened: Any) -> None:
    past = now() - timedelta(minutes=1)
    inbox.take_in(database, Item(TEAM, "k", "question", {}, past, tries=desks.MOST_TRIES), ["e"], "dead", past)
    worker = Worker()
    opened(worker).look_after()
    assert until(lambda: worker.failed)
    assert worker.given == []
    assert until(lambda: inbox.waiting(database) == 0)


def test_stopping_leaves_what_waits_to_the_next_process(database: Database, opened: Any) -> None:
    first = Worker(lambda _: Later(60, lambda: None))
    desk = opened(first)
    desk.start()
    desk.begin(desk.take_in(item(), ["e"]))
    assert until(lambda: first.given)
    begun = time.monotonic()
    assert desk.stop(5) is False
    assert time.monotonic() - begun < 3
    second = Worker()
    opened(second).look_after()
    assert until(lambda: second.given)


# ---------------------------------------------------------------- posting


@pytest.fixture
def canned_slack() -> Iterator[CannedSlack]:
    made = CannedSlack()
    made.start()
    yield made
    made.stop()


@pytest.fixture
def poster(database: Database, canned_slack: CannedSlack) -> Poster:
    return Poster(database, slack.client("xoxb-test-token", canned_slack.url), now)


def finish(later: Later | None, most: float = 10.0) -> float:
    """Go through all waits; gives the seconds that were waited."""
    waited = 0.0
    while later is not None:
        waited += later.seconds
        assert waited <= most, "it waits too long"
        time.sleep(min(later.seconds, 1.2))
        later = later.step()
    return waited


def test_a_post_carries_its_mark_and_is_made_once(poster: Poster, canned_slack: CannedSlack) -> None:
    arrived: list[str] = []
    for _ in range(2):
        finish(poster.first("k", PLACE, MESSAGE, arrived.append, "en"))
    calls = canned_slack.done("chat.postMessage")
    assert len(calls) == 1
    assert len(set(arrived)) == 1
    assert len(arrived) == 2
    blocks = calls[0].arguments["blocks"]
    assert blocks[0]["block_id"] == mark_of("k")
    assert calls[0].arguments["metadata"]["event_payload"] == {"mark": mark_of("k")}
    assert not calls[0].arguments["unfurl_links"]
    assert "reply_broadcast" not in calls[0].arguments


def test_a_channel_takes_three_at_once_and_then_one_a_second(poster: Poster) -> None:
    waits = [poster.pause(PLACE) for _ in range(6)]
    assert waits[:3] == [0, 0, 0]
    assert [round(wait) for wait in waits[3:]] == [1, 2, 3]


def test_it_waits_as_long_as_slack_says(poster: Poster, canned_slack: CannedSlack) -> None:
    canned_slack.faults.append(Fault("chat.postMessage", "ratelimited", status=429, retry_after=3))
    arrived: list[str] = []
    assert finish(poster.first("k", PLACE, MESSAGE, arrived.append, "en")) == 3
    assert len(arrived) == 1


@pytest.mark.parametrize("error", ["invalid_blocks", "msg_blocks_too_long", "only_one_table_allowed"])
def test_refused_blocks_are_sent_plainer_once(poster: Poster, canned_slack: CannedSlack, error: str) -> None:
    canned_slack.faults.append(Fault("chat.postMessage", error))
    finish(poster.first("k", PLACE, MESSAGE, lambda _: None, "en"))
    sent = canned_slack.done("chat.postMessage")
    assert [call.arguments["blocks"][0]["text"]["text"] for call in sent] == ["plain"]


def test_blocks_that_are_refused_twice_are_an_error(poster: Poster, canned_slack: CannedSlack) -> None:
    canned_slack.faults.append(Fault("chat.postMessage", "invalid_blocks", times=2))
    with pytest.raises(slack.SlackApiError):
        poster.first("k", PLACE, MESSAGE, lambda _: None, "en")


@pytest.mark.parametrize("error", ["not_in_channel", "channel_not_found", "is_archived"])
def test_a_closed_channel_has_its_own_error(poster: Poster, canned_slack: CannedSlack, error: str) -> None:
    canned_slack.faults.append(Fault("chat.postMessage", error))
    with pytest.raises(CannotPostError, match=error):
        poster.first("k", PLACE, MESSAGE, lambda _: None, "en")


def test_an_unclear_failure_is_looked_into_before_it_is_repeated(poster: Poster, canned_slack: CannedSlack) -> None:
    """Here the message did not arrive, so it is sent again after a look."""
    canned_slack.faults.append(Fault("chat.postMessage", status=503))
    arrived: list[str] = []
    finish(poster.first("k", PLACE, MESSAGE, arrived.append, "en"))
    methods = [call.method for call in canned_slack.calls]
    assert methods == ["chat.postMessage", "conversations.replies", "chat.postMessage"]
    assert len(arrived) == 1


def test_a_slack_that_is_not_there_is_tried_again_without_a_look(database: Database) -> None:
    """A refused connection took nothing."""
    poster = Poster(database, slack.client("xoxb-test-token", "http://127.0.0.1:1/api/"), now)
    later = poster.first("k", PLACE, MESSAGE, lambda _: None, "en")
    assert later is not None
    assert later.seconds == 1
    again = later.step()
    assert again is not None
    assert again.seconds == 2


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [({"Retry-After": "7"}, 7), ({"retry-after": ["2"]}, 2), ({}, 1), ({"Retry-After": "soon"}, 1)],
)
def test_the_wait_that_slack_asks_for(headers: dict[str, Any], seconds: float) -> None:
    class Response(dict[str, Any]):
        status_code = 429

    response = Response(ok=False, error="ratelimited")
    response.headers = headers  # type: ignore[attr-defined]
    assert retry_after(slack.SlackApiError("x", response)) == seconds
    assert retry_after(slack.SlackApiError("x", {"ok": False, "error": "fatal"})) is None
