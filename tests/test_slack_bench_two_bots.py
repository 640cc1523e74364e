"""Two bots and one GPU host, all of them real: the host is measured by one at a time, and each gives its result."""

from __future__ import annotations

import getpass
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from slack.peer import BOB, until
from slack.world import World, settle

if TYPE_CHECKING:
    from slack.bench_world import Box

pytestmark = [pytest.mark.needs_slack_peer, pytest.mark.needs_sshd, pytest.mark.needs_torch, pytest.mark.slow]


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Box]:
    from slack import bench_world

    with bench_world.box(tmp_path) as one:
        yield one


@pytest.fixture
def here(box: Box, tmp_path: Path) -> Iterator[World]:
    from slack import bench_world

    with bench_world.office(tmp_path / "here", box) as made:
        yield made


@pytest.fixture
def elsewhere(box: Box, tmp_path: Path) -> Iterator[World]:
    """Another Slack, whose bots have a database of their own."""
    from slack import bench_world

    with bench_world.office(tmp_path / "elsewhere", box) as made:
        yield made


def _one_after_the_other(box: Box) -> bool:
    """Two programs began, and the second not before the first had ended."""
    (a, first, _), (b, first_, end), (c, second, begin), (d, second_, _) = box.runs()
    return (a, b, c, d) == ("begin", "end", "begin", "end") and first == first_ != second == second_ and end <= begin


def test_of_two_replicas_the_second_run_waits_in_the_queue_they_share(here: World, box: Box) -> None:
    """Alice's run is held on the host, Bob's says its place; then both have a verdict, in two messages."""
    from slack.bench_world import RESULT, kept, said, says, serve, why

    serve(here)
    serve(here)
    box.hold("run")
    here.peer.command("/gpu-bench", "cpu-1 quick")
    assert until(box.runs, 30), why(here)
    here.peer.command("/gpu-bench", "cpu-1 quick", user=BOB)
    assert says(here, "Waits for its turn, 1 run before it", 20), why(here)
    settle(3)  # a second one would begin now
    assert len(box.runs()) == 1
    box.let_go()
    assert says(here, RESULT, 90, n=2), why(here)
    assert len(said(here)) == 2
    assert _one_after_the_other(box)
    assert sorted(one.id for one in kept(here)) == sorted({run for _, run, _ in box.runs()})


def test_of_two_bots_that_know_nothing_of_each_other_the_second_says_whose_lock_it_waits_for(
    here: World, elsewhere: World, box: Box
) -> None:
    """The run here is held on the host; the message elsewhere names it. Then each bot has its own reading."""
    from slack.bench_world import RESULT, kept, said, says, serve, why

    serve(here)
    serve(elsewhere)
    box.hold("run")
    here.peer.command("/gpu-bench", "cpu-1 quick")
    assert until(box.runs, 30), why(here)
    elsewhere.peer.command("/gpu-bench", "cpu-1 quick")
    [(_, first, _)] = box.runs()
    assert says(elsewhere, f"run {first} holds its lock", 30), why(elsewhere)
    [text] = said(elsewhere)
    assert "Waits for its turn" in text
    assert f"of {getpass.getuser()})" in text
    assert len(box.runs()) == 1
    box.let_go()
    assert says(here, RESULT, 60), why(here)
    assert says(elsewhere, RESULT, 60), why(elsewhere)
    assert (len(said(here)), len(said(elsewhere))) == (1, 1)
    assert _one_after_the_other(box)
    ids = [run for what, run, _ in box.runs() if what == "end"]
    assert [[one.id for one in kept(world)] for world in (here, elsewhere)] == [[ids[0]], [ids[1]]]


def test_of_two_bots_that_begin_at_the_same_moment_one_waits(here: World, elsewhere: World, box: Box) -> None:
    """Nobody is asked to come again: both have a verdict."""
    from slack.bench_world import RESULT, says, serve, why

    serve(here)
    serve(elsewhere)
    for one in (here, elsewhere):
        one.peer.command("/gpu-bench", "cpu-1 quick")
    for one in (here, elsewhere):
        assert says(one, RESULT, 90), why(one)
    assert _one_after_the_other(box)


def test_a_run_that_waits_for_another_bot_is_cancelled_at_once(here: World, elsewhere: World, box: Box) -> None:
    """It says so, and the run of the other bot goes on."""
    from slack.bench_world import RESULT, kept, says, serve, why

    serve(here)
    serve(elsewhere)
    box.hold("run")
    here.peer.command("/gpu-bench", "cpu-1 quick")
    assert until(box.runs, 30), why(here)
    elsewhere.peer.command("/gpu-bench", "cpu-1 quick")
    assert says(elsewhere, "holds its lock", 30), why(elsewhere)
    elsewhere.peer.command("/gpu-bench", "cancel")
    assert says(elsewhere, "Cancelled by Alice", 5), why(elsewhere)
    box.let_go()
    assert says(here, RESULT, 60), why(here)
    assert kept(elsewhere) == []
    assert [what for what, _, _ in box.runs()] == ["begin", "end"]
