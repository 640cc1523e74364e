"""`/gpu-bench` from end to end: the real `gpu-bot serve`, a Slack nobody here wrote, and this machine behind `sshd`.

The host has no GPU, so its verdict is that none was found; everything on the way there is real.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from slack.peer import ALICE, BOB, until
from slack.world import World, settle

if TYPE_CHECKING:
    from slack.bench_world import Box
    from slack.gate import Gate

pytestmark = [pytest.mark.needs_slack_peer, pytest.mark.needs_sshd, pytest.mark.needs_torch]


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Box]:
    from slack import bench_world

    with bench_world.box(tmp_path) as one:
        yield one


@pytest.fixture
def here(box: Box, tmp_path: Path) -> Iterator[World]:
    """One bot, and this machine as its host cpu-1."""
    from slack import bench_world

    with bench_world.office(tmp_path, box) as made:
        bench_world.serve(made)
        yield made


def test_a_host_is_measured_from_slack(here: World, box: Box) -> None:
    """One message, from its place in the queue over steps to the verdict; the host is clean and the reading kept."""
    from slack.bench_world import RESULT, kept, said, says, why

    here.peer.command("/gpu-bench", "cpu-1 quick")
    assert says(here, RESULT, 60), why(here)
    [text] = said(here)
    assert "cannot be compared with a claim about a GPU" in text
    assert any("%" in call.arguments["text"] for call in here.proxy.done("chat.update"))
    assert until(lambda: not box.running(), 3)
    assert [(one.host, one.verdict) for one in kept(here)] == [("cpu-1", "cpu")]


# ---------------------------------------------------------------- the bot is killed

# Each brings a run into one state and holds it there; what it gives is opened for the next bot.
Hold = Callable[[World, "Box"], "Gate | None"]


def _gate(here: World, method: str, words: str, *, arrives: bool) -> Gate:
    from slack.gate import Gate

    return Gate(here.proxy, method, words, arrives=arrives)


def _reached(here: World, gate: Gate) -> Gate:
    from slack.bench_world import why

    assert gate.reached.wait(60), why(here)
    return gate


def _ask(here: World, user: str = ALICE) -> None:
    here.peer.command("/gpu-bench", "cpu-1 quick", user=user)


def not_posted_yet(here: World, _: Box) -> Gate:
    """Its first message is on the way to Slack, and never arrives."""
    gate = _gate(here, "chat.postMessage", "cpu-1", arrives=False)
    _ask(here)
    return _reached(here, gate)


def posted_and_not_known(here: World, _: Box) -> Gate:
    """Its first message is in the channel, and the bot has not heard so."""
    gate = _gate(here, "chat.postMessage", "cpu-1", arrives=True)
    _ask(here)
    return _reached(here, gate)


def connecting(here: World, box: Box) -> None:
    """The host takes the connection and says nothing."""
    box.relay.most = 0
    _ask(here)
    assert box.relay.held.wait(20)


def uploading(here: World, box: Box) -> None:
    """The host has the agent and half of the program."""
    box.relay.most = 45_000
    _ask(here)
    assert box.relay.held.wait(20)
    assert box.running()


def looking_for_torch(here: World, box: Box) -> None:
    """The agent has the host's lock and waits for a Python that does not begin."""
    from slack.bench_world import is_unlocked

    box.hold("look")
    _ask(here)
    assert until(lambda: not is_unlocked(), 20)


def running(here: World, box: Box) -> None:
    """The host computes, and the message says how far it is."""
    from slack.bench_world import says, why

    _ask(here)
    assert says(here, "%", 30), why(here)
    assert box.running()


def being_cancelled(here: World, box: Box) -> Gate:
    """The run has ended on the host because Alice pressed the button, and its message does not say so yet."""
    gate = _gate(here, "chat.update", "Cancelled", arrives=False)
    running(here, box)
    [message] = [one for one in here.peer.messages() if one.get("bot_id")]
    button = next(one for block in message["blocks"] for one in block.get("elements", ()) if "action_id" in one)
    here.peer.press(str(message["ts"]), {"type": "button", "block_id": "bench_actions", **button})
    return _reached(here, gate)


def stored_and_not_told(here: World, _: Box) -> Gate:
    """The reading is in the database, and its message on the way to Slack, where it never arrives."""
    gate = _gate(here, "chat.update", "NO GPU FOUND", arrives=False)
    _ask(here)
    return _reached(here, gate)


def told_and_not_known(here: World, _: Box) -> Gate:
    """The message has the result, and the bot has not heard so."""
    gate = _gate(here, "chat.update", "NO GPU FOUND", arrives=True)
    _ask(here)
    return _reached(here, gate)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("hold", "measured"),
    [
        (not_posted_yet, 1),
        (posted_and_not_known, 1),
        (connecting, 1),
        (uploading, 1),
        (looking_for_torch, 1),
        (running, 2),  # what was under way is measured again
        (stored_and_not_told, 1),  # what was stored is not
        (told_and_not_known, 1),
    ],
)
def test_a_bot_killed_in_any_state_leaves_nothing_behind_and_the_next_one_ends_the_run(
    here: World, box: Box, hold: Hold, measured: int
) -> None:
    """kill -9: all that it ran on the host ends by itself; at last one message holds the verdict, and one reading is
    kept."""
    from slack.bench_world import RESULT, is_unlocked, kept, said, says, serve, why

    gate = hold(here, box)
    here.bots[0].kill()
    assert until(lambda: not box.running() and is_unlocked(), 10), "the host still works for a bot that is gone"
    box.let_go()
    if gate is not None:
        gate.open()
    known = len(here.proxy.calls)
    serve(here)
    assert until(lambda: _settled(here, known, RESULT), 120, 0.2), why(here)
    settle(2)
    assert len(said(here)) == 1, said(here)
    assert says(here, RESULT, 0)
    assert [one.host for one in kept(here)] == ["cpu-1"]
    assert [what for what, _, _ in box.runs()].count("begin") == measured
    assert until(lambda: not box.running() and is_unlocked(), 3)


def _settled(here: World, known: int, words: str) -> bool:
    """Whether the new bot has told the end: the old one may have done so before it died."""
    return any(
        call.method == "chat.update" and call.error is None and words in str(call.arguments.get("text"))
        for call in here.proxy.calls[known:]
    )


@pytest.mark.slow
def test_a_bot_killed_with_a_run_in_its_queue_ends_both_runs_one_after_the_other(here: World, box: Box) -> None:
    """The first is measured again, the second had not begun: two messages with a verdict, two readings."""
    from slack.bench_world import RESULT, kept, said, says, serve, why

    running(here, box)
    _ask(here, BOB)
    assert says(here, "Waits for its turn", 20), why(here)
    here.bots[0].kill()
    assert until(lambda: not box.running(), 10)
    serve(here)
    assert says(here, RESULT, 120, n=2), why(here)
    settle(2)
    assert len(said(here)) == 2, said(here)
    assert len({one.id for one in kept(here)}) == 2
    whole = box.runs()[1:]  # after the one that was killed
    assert [what for what, _, _ in whole] == ["begin", "end", "begin", "end"]
    assert until(lambda: not box.running(), 3)


@pytest.mark.slow
def test_a_bot_killed_while_it_cancels_says_so_after_it_was_started_again(here: World, box: Box) -> None:
    """Nothing is measured again, and no reading is kept."""
    from slack.bench_world import is_unlocked, kept, said, says, serve, why

    gate = being_cancelled(here, box)
    here.bots[0].kill()
    assert until(lambda: not box.running() and is_unlocked(), 10)
    gate.open()
    serve(here)
    assert says(here, "Cancelled by Alice", 60), why(here)
    settle(2)
    assert len(said(here)) == 1, said(here)
    assert kept(here) == []
    assert [what for what, _, _ in box.runs()] == ["begin"]


@pytest.mark.slow
def test_a_run_of_which_every_bot_dies_is_given_up_and_says_so(here: World, box: Box) -> None:
    """The first bot and three more: the fifth does not try again, and the message says that nothing was measured."""
    from slack.bench_world import is_unlocked, kept, said, says, serve, why

    box.hold("run")
    _ask(here)
    for n in range(4):
        assert until(lambda n=n: [what for what, _, _ in box.runs()].count("begin") == n + 1, 60, 0.1), why(here)
        here.bots[-1].kill()
        assert until(lambda: not box.running() and is_unlocked(), 10)
        serve(here)
    assert says(here, "It was given up", 90), why(here)
    settle(2)
    assert len(said(here)) == 1, said(here)
    assert kept(here) == []
    assert [what for what, _, _ in box.runs()] == ["begin"] * 4
    assert box.running() == []
