"""How the Slack app does as a real process: against a local Slack, over Socket Mode or HTTP.

    python -m benchmarks.slack [--seconds 60] [--rate 10] [--channels 60] [--events 5000] [--http] [--json FILE]

Three parts: load (mentions at a steady rate over many channels, each answered exactly once), idle (one question at a
time, from the event to `chat.postMessage`), and memory (growth over many events after a warm-up). Needs the peer of
`tests/slack/install.sh`. Absolute figures belong to the machine; the peer, the proxy and the driver share it.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from slack import world
from slack.peer import BOT_USER, GENERAL, until
from slack.strict_proxy import Call, Rules
from slack.world import World

QUESTIONS = (
    "cheapest for 72h on 4×A100",
    "4张A100跑72小时哪家最便宜",
    "8xH100 for a week in the EU, not AWS",
    "compare lambda and coreweave for 8×A100",
)
BARS = {"ack_p99_ms": 500, "ack_max_ms": 3000, "idle_median_ms": 200, "growth_percent": 5}


def percentile(samples: list[float], share: float) -> float:
    ordered = sorted(samples)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def memory_mb(pid: int) -> float:
    """Resident memory of a process."""
    for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0


def ack_buckets(here: World) -> dict[str, float]:
    """What the process itself measured: from the delivery's arrival to its acknowledgement."""
    import urllib.request

    with urllib.request.urlopen(f"http://127.0.0.1:{here.bots[0].port}/metrics", timeout=10) as response:
        lines = response.read().decode().splitlines()
    found = {}
    for line in lines:
        if line.startswith("gpu_bot_ack_seconds_bucket"):
            found[line.split('le="')[1].split('"')[0]] = float(line.rsplit(" ", 1)[1])
    return found


def bucket_bound(buckets: dict[str, float], share: float) -> float:
    """The upper bound, in milliseconds, of the bucket that holds this share of all acknowledgements."""
    total = buckets["+Inf"]
    for bound, count in buckets.items():
        if count >= total * share:
            return float("inf") if bound == "+Inf" else float(bound) * 1000
    return float("inf")


def posts_by_thread(here: World) -> dict[str, list[Call]]:
    found: dict[str, list[Call]] = {}
    for call in here.proxy.done("chat.postMessage"):
        found.setdefault(str(call.arguments.get("thread_ts")), []).append(call)
    return found


def load(here: World, seconds: int, rate: float) -> dict[str, Any]:
    """Mentions at a steady rate, spread over all channels."""
    written: dict[str, float] = {}
    lock = threading.Lock()
    total = int(seconds * rate)

    def write(n: int) -> None:
        channel = here.peer.channels[n % len(here.peer.channels)]
        begun = time.time()
        ts = here.peer.write(f"<@{BOT_USER}> {QUESTIONS[n % len(QUESTIONS)]}", channel=channel)
        with lock:
            written[ts] = begun

    begun = time.monotonic()
    for n in range(total):
        time.sleep(max(0.0, begun + n / rate - time.monotonic()))
        threading.Thread(target=write, args=(n,), daemon=True).start()
    until(lambda: len(written) == total, 30)
    until(lambda: len(here.proxy.done("chat.postMessage")) >= total, 60, 0.2)
    time.sleep(3)
    posts = posts_by_thread(here)
    took = [(posts[ts][0].at - begun) * 1000 for ts, begun in written.items() if ts in posts]
    buckets = ack_buckets(here)
    return {
        "asked": total,
        "answered_once": sum(len(posts.get(ts, [])) == 1 for ts in written),
        "answered_twice": sum(len(posts.get(ts, [])) > 1 for ts in written),
        "unanswered": sum(ts not in posts for ts in written),
        "answer_median_ms": round(statistics.median(took), 1) if took else None,
        "answer_p99_ms": round(percentile(took, 0.99), 1) if took else None,
        "ack_p99_ms_at_most": bucket_bound(buckets, 0.99),
        "ack_max_ms_at_most": bucket_bound(buckets, 1.0),
        "refused_429": len(here.proxy.refused("ratelimited")),
    }


def idle(here: World, rounds: int) -> dict[str, Any]:
    """One question at a time; the channel has rested, so nothing is paced."""
    took = []
    for n in range(rounds):
        channel = here.peer.channels[n % len(here.peer.channels)]
        begun = time.time()
        ts = here.peer.write(f"<@{BOT_USER}> {QUESTIONS[n % len(QUESTIONS)]}", channel=channel)
        until(lambda ts=ts: ts in posts_by_thread(here), 15, 0.01)  # type: ignore[misc]
        took.append((posts_by_thread(here)[ts][0].at - begun) * 1000)
        time.sleep(0.2)
    return {
        "rounds": rounds,
        "median_ms": round(statistics.median(took), 1),
        "p95_ms": round(percentile(took, 0.95), 1),
    }


def memory(here: World, events: int) -> dict[str, Any]:
    """Growth after a warm-up; messages that need no answer count as events too, as they do in a busy channel."""
    process = here.bots[0].process
    assert process is not None

    def send(n: int) -> None:
        channel = here.peer.channels[n % len(here.peer.channels)]
        asks = n % 5 == 0
        here.peer.write(
            f"<@{BOT_USER}> cheapest for {n % 700 + 1}h on {n % 8 + 1}×A100" if asks else f"see you at {n}",
            channel=channel,
        )

    def wait() -> None:
        until(lambda: _open(here) == 0, 120, 0.5)

    warm = max(events // 5, 200)
    for n in range(warm):
        send(n)
        time.sleep(0.02)
    wait()
    before = memory_mb(process.pid)
    for n in range(events):
        send(warm + n)
        time.sleep(0.02)
    wait()
    after = memory_mb(process.pid)
    return {
        "events": events,
        "before_mb": round(before, 1),
        "after_mb": round(after, 1),
        "growth_percent": round((after - before) / before * 100, 2),
    }


def _open(here: World) -> int:
    import urllib.request

    with urllib.request.urlopen(f"http://127.0.0.1:{here.bots[0].port}/healthz", timeout=10) as response:
        return int(json.loads(response.read())["open"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--rate", type=float, default=10)
    parser.add_argument("--channels", type=int, default=60)
    parser.add_argument("--idle", type=int, default=40)
    parser.add_argument("--events", type=int, default=5000)
    parser.add_argument("--http", action="store_true")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    result: dict[str, Any] = {"transport": "http" if given.http else "socket"}
    with tempfile.TemporaryDirectory() as folder:
        rules = Rules(rate=1, burst=5)
        with world.running(Path(folder), http=given.http, channels=given.channels, rules=rules) as here:
            here.bot()
            here.peer.wait_reply(here.mention(QUESTIONS[0]), GENERAL, 30)
            if given.idle:
                result["idle"] = idle(here, given.idle)
            if given.seconds:
                result["load"] = load(here, given.seconds, given.rate)
            if given.events:
                result["memory"] = memory(here, given.events)
            result["rss_mb"] = round(memory_mb(here.bots[0].process.pid), 1)  # type: ignore[union-attr]
    print(json.dumps({**result, "bars": BARS}, indent=2))
    if given.json:
        given.json.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
