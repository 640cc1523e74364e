"""What goes wrong between a question and its answer: each question is still answered once, and only once."""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from slack import recorded, world
from slack.peer import ALICE, GENERAL, until
from slack.strict_proxy import Fault, Rules
from slack.world import BotProcess, World, settle

pytestmark = pytest.mark.needs_slack_peer

KNOWLEDGE = str(Path(__file__).parent / "worlds" / "small")
QUESTION = "cheapest for 72h on 4×A100"
WITHIN = 60.0  # of a restart


@pytest.fixture
def here(tmp_path: Path) -> Iterator[World]:
    with world.running(tmp_path, rules=Rules(rate=20, burst=40)) as made:
        yield made


@pytest.fixture
def over_http(tmp_path: Path) -> Iterator[World]:
    with world.running(tmp_path, http=True, rules=Rules(rate=20, burst=40)) as made:
        yield made


def start(here: World, **settings: str) -> BotProcess:
    return here.bot(GPU_BOT_KNOWLEDGE=KNOWLEDGE, **settings)


def answered_once(here: World, ts: str, seconds: float = 15.0, channel: str = GENERAL) -> None:
    """The question has an answer within the time, and gets no second one."""
    assert until(lambda: here.peer.replies(ts, channel), seconds), here.bots[-1].log[-3000:]
    settle(1.0)
    assert len(here.peer.replies(ts, channel)) == 1


# ---------------------------------------------------------------- the same event more than once


def test_the_same_event_three_times_in_two_replicas_is_answered_once(over_http: World) -> None:
    """Slack repeats an event that it believes lost, and may send it to another replica."""
    bots = [start(over_http), start(over_http)]
    ts = over_http.peer.write("a message to answer in a thread of")
    body = recorded.mention("Ev0SAME", QUESTION, ts)
    with ThreadPoolExecutor(6) as pool:
        sent = [pool.submit(recorded.deliver, bots[n % 2].port, body) for n in range(6)]
        assert [one.result() for one in sent] == [200] * 6
    answered_once(over_http, ts)
    again = recorded.mention("Ev1OTHER", QUESTION, ts)  # another event about the same message
    assert recorded.deliver(bots[1].port, again) == 200
    settle(1.0)
    assert len(over_http.peer.replies(ts)) == 1


def test_two_processes_with_a_socket_each_answer_once(here: World) -> None:
    """This peer delivers to every connection, which Slack does not promise to avoid either."""
    start(here)
    start(here)
    for n in range(5):
        answered_once(here, here.mention(f"cheapest for {n + 10}h on 4×A100"))


# ---------------------------------------------------------------- a process that dies


def test_killed_between_acknowledgement_and_answer(here: World) -> None:
    """The answer waits because Slack asked for it; the process dies; the next one answers."""
    bot = start(here)
    here.proxy.faults.append(Fault("chat.postMessage", "ratelimited", status=429, retry_after=30))
    ts = here.mention(QUESTION)
    assert until(lambda: here.proxy.refused("ratelimited"))
    bot.kill()
    assert here.peer.replies(ts) == []
    bot.start()
    answered_once(here, ts, WITHIN)


def test_killed_after_the_post_and_before_it_was_noted(here: World) -> None:
    """The message stands in the thread, and nobody has written that down: the next process sees its mark."""
    bot = start(here)
    here.proxy.faults.append(Fault("chat.postMessage", hold=8))
    ts = here.mention(QUESTION)
    assert until(lambda: here.peer.replies(ts))
    bot.kill()
    bot.start()
    assert until(lambda: here.proxy.done("conversations.replies"), WITHIN)
    settle(2.0)
    assert len(here.peer.replies(ts)) == 1
    here.peer.write("and for 8 hours?", thread_ts=ts)  # the thread is known to the new process
    assert until(lambda: len(here.peer.replies(ts)) == 2)


def test_an_error_that_hides_a_post_does_not_post_twice(here: World) -> None:
    """Slack answers 500 after it took the message."""
    start(here)
    here.proxy.faults.append(Fault("chat.postMessage", late=True))
    answered_once(here, here.mention(QUESTION))
    assert here.proxy.done("conversations.replies")


def test_when_it_may_not_look_it_tells_the_asker_rather_than_post_twice(here: World) -> None:
    """Without the optional scope it cannot know whether its message arrived."""
    here.proxy.rules.scopes = here.proxy.rules.scopes - {"channels:history"}
    start(here)
    here.proxy.faults.append(Fault("chat.postMessage", late=True))
    ts = here.mention(QUESTION)
    told = here.ephemeral()
    assert told["user"] == ALICE
    assert "interrupted" in told["text"]
    assert len(here.peer.replies(ts)) == 1


def test_stopped_in_the_middle_nothing_is_lost(here: World) -> None:
    """SIGTERM: gone within 10 s; what was not answered is answered after the next start."""
    bot = start(here)
    here.proxy.faults.append(Fault("chat.postMessage", "ratelimited", status=429, retry_after=30))
    ts = here.mention(QUESTION)
    assert until(lambda: here.proxy.refused("ratelimited"))
    begun = time.monotonic()
    assert bot.stop() == 0
    assert time.monotonic() - begun < 10
    bot.start()
    answered_once(here, ts, 20)


# ---------------------------------------------------------------- Slack away, slow or strict


def test_slack_cannot_be_reached_for_a_while(here: World) -> None:
    """A question that came just before waits and is answered once."""
    start(here)
    here.proxy.away.set()
    ts = here.mention(QUESTION)
    settle(5)
    here.proxy.away.clear()
    answered_once(here, ts, 20)


@pytest.mark.parametrize("seconds", [3, pytest.param(60, marks=pytest.mark.slow)])
def test_it_connects_again_after_slack_was_gone(here: World, seconds: float) -> None:
    start(here)
    here.ask(QUESTION)
    here.peer.stop()
    settle(seconds)
    here.peer.start()
    ts = ""

    def answers() -> bool:
        nonlocal ts
        ts = here.mention(QUESTION)
        return bool(until(lambda: here.peer.replies(ts), 2))

    assert until(answers, 30), here.bots[0].log[-3000:]
    answered_once(here, ts)


@pytest.mark.slow
def test_a_burst_in_one_channel_is_paced(here: World) -> None:
    """30 questions at once where Slack takes less than one message a second: 30 answers, one each."""
    here.proxy.rules.rate, here.proxy.rules.burst = 0.9, 2
    start(here)
    asked = [here.mention(f"cheapest for {n + 10}h on 4×A100") for n in range(30)]
    assert until(lambda: all(here.peer.replies(ts) for ts in asked), 90), here.bots[0].log[-3000:]
    settle(2.0)
    assert [len(here.peer.replies(ts)) for ts in asked] == [1] * 30
    assert here.proxy.refused("ratelimited")  # Slack did say no, and each no was obeyed


def test_a_workspace_without_the_newer_blocks_gets_plainer_ones(here: World) -> None:
    here.proxy.rules.old = True
    start(here)
    reply = here.ask(QUESTION)
    kinds = {block["type"] for block in reply["blocks"]}
    assert "section" in kinds
    assert not kinds & {"table", "container", "context_actions"}
    assert "$449.28" in json.dumps(reply)
    assert len(here.proxy.refused("invalid_blocks")) == 1  # refused once, and sent plainer once


def test_a_channel_that_is_closed_to_it_is_told_to_the_asker_alone(here: World) -> None:
    here.proxy.rules.posts_in = frozenset()
    start(here)
    ts = here.mention(QUESTION)
    direct = here.peer.dm()
    assert until(lambda: [one for one in here.peer.messages(direct) if "/invite" in one["text"]])
    assert here.peer.replies(ts) == []


def test_an_error_is_told_to_the_asker_alone_with_an_id_that_the_log_knows(here: World) -> None:
    bot = start(here)
    here.proxy.faults.append(Fault("chat.postMessage", "some_error_of_tomorrow"))
    ts = here.mention(QUESTION)
    told = here.ephemeral()
    id_ = told["text"].rsplit(" ", 1)[-1]
    assert told["user"] == ALICE
    assert told["text"].count(".") <= 1
    assert until(lambda: f'"log_id": "{id_}"' in bot.log)
    assert here.peer.replies(ts) == []


# ---------------------------------------------------------------- the database, forged deliveries


def test_the_database_is_locked_for_ten_seconds(here: World) -> None:
    """The event is acknowledged in time, and answered once when the lock is gone."""
    start(here)
    lock = sqlite3.connect(
        here.folder / "home" / "gpu-bot.db", timeout=5, isolation_level=None, check_same_thread=False
    )
    lock.execute("BEGIN IMMEDIATE")
    threading.Timer(10, lock.execute, ["ROLLBACK"]).start()
    asked = time.monotonic()
    acks = acknowledgements(here)
    ts = here.mention(QUESTION)
    assert until(lambda: acknowledgements(here) > acks, 3), "not acknowledged within 3 s"
    assert until(lambda: here.peer.replies(ts), 25), here.bots[0].log[-3000:]
    assert time.monotonic() - asked > 8
    answered_once(here, ts)
    lock.close()


def acknowledgements(here: World) -> int:
    return sum(entry.get("kind") == "ack" for entry in here.peer.log())


def test_forged_and_old_deliveries_are_refused(over_http: World) -> None:
    bot = start(over_http)
    ts = over_http.peer.write("a message to answer in a thread of")
    body = recorded.mention("Ev2", QUESTION, ts)
    assert recorded.deliver(bot.port, body, secret="wrong") == 401
    assert recorded.deliver(bot.port, body, age=600) == 401
    assert recorded.deliver(bot.port, body, headers={"x-slack-signature": ""}) == 401
    settle(1.0)
    assert over_http.peer.replies(ts) == []
    assert recorded.deliver(bot.port, body) == 200
    answered_once(over_http, ts)
