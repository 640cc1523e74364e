"""`/gpu-bench` from end to end: the real `gpu-bot serve`, a Slack nobody here wrote, and this machine behind `sshd`.

The host has no GPU, so its verdict is that none was found; everything on the way there is real.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from slack import world
from slack.peer import ALICE, GENERAL, until
from slack.world import World

from bot.store import LOCAL, open_database
from bot.store.benches import Host, add_host, readings

if TYPE_CHECKING:
    from bench.sshd import Server

pytestmark = [pytest.mark.needs_slack_peer, pytest.mark.needs_sshd, pytest.mark.needs_torch]

KNOWLEDGE = str(Path(__file__).parent / "worlds" / "small")
NOW = datetime.now(UTC)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    from bench.sshd import Server

    one = Server(tmp_path_factory.mktemp("sshd"))
    one.start()
    yield one
    one.stop()


@pytest.fixture
def here(server: Server, tmp_path: Path) -> Iterator[World]:
    """One bot, and this machine as its host cpu-1."""
    (tmp_path / "home").mkdir()
    database = open_database(url(tmp_path))
    target = server.target()
    host = Host(
        LOCAL, "cpu-1", "127.0.0.1", target.login, target.host_key, target.key_file, NOW, NOW, port=target.port,
        python=sys.executable,
    )  # fmt: skip
    add_host(database, host)
    database.close()
    with world.running(tmp_path, rules=world.Rules(rate=20, burst=40)) as made:
        made.bot(GPU_BOT_KNOWLEDGE=KNOWLEDGE, GPU_BOT_BENCH_USERS=ALICE)
        yield made


def url(folder: Path) -> str:
    return f"sqlite:///{folder / 'home' / 'gpu-bot.db'}"


def said(here: World) -> list[str]:
    """What the bot's messages in the channel say now."""
    return [one["text"] for one in here.peer.messages(GENERAL) if one.get("bot_id")]


def ends(here: World, seconds: float) -> Any:
    return until(lambda: any("NO GPU FOUND" in text for text in said(here)), seconds, 0.2)


def test_a_host_is_measured_from_slack(here: World, server: Server) -> None:
    """One message, from its place in the queue over steps to the verdict; the host is clean and the reading kept."""
    here.peer.command("/gpu-bench", "cpu-1 quick")
    assert ends(here, 60), (said(here), here.bots[0].log[-2000:])
    [text] = said(here)
    assert "cannot be compared with a claim about a GPU" in text
    assert any("%" in call.arguments["text"] for call in here.proxy.done("chat.update"))
    assert until(lambda: not server.programs(), 3)
    assert [(one.host, one.verdict) for one in kept_readings(here)] == [("cpu-1", "cpu")]


def kept_readings(here: World) -> list[Any]:
    database = open_database(url(here.folder))
    try:
        return readings(database, LOCAL)
    finally:
        database.close()


@pytest.mark.slow
def test_a_bot_that_is_killed_leaves_nothing_running_and_the_next_one_ends_the_run(
    here: World, server: Server
) -> None:  # fmt: skip
    """kill -9 while the host computes: its processes end by themselves, and one message holds the verdict at last."""
    here.peer.command("/gpu-bench", "cpu-1 quick")
    assert until(lambda: any("%" in text for text in said(here)), 30), (said(here), here.bots[0].log[-2000:])
    assert server.programs()
    here.bots[0].kill()
    assert until(lambda: not server.programs(), 12), "the host still computes for a bot that is gone"
    here.bot(GPU_BOT_KNOWLEDGE=KNOWLEDGE, GPU_BOT_BENCH_USERS=ALICE)
    assert ends(here, 150), (said(here), here.bots[1].log[-2000:])
    assert len(said(here)) == 1
    assert [one.host for one in kept_readings(here)] == ["cpu-1"]
    assert until(lambda: not server.programs(), 3)
    assert any("measures again" in call.arguments["text"] for call in here.proxy.done("chat.update"))
