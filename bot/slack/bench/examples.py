"""One example of every message and the form of ``/gpu-bench``: for Slack's validator and for pictures."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from bot.slack.bench import views
from bot.slack.bench.words import say
from bot.slack.views.kit import Json, Message

_STEADY = {"mean_mhz": 1755.0, "mean_w": 690.0, "max_c": 66, "shape": [8192, 8192, 8192], "batches": 100, "cv": 0.004}
_CARDS: list[dict[str, Any]] = [
    {
        "index": n, "verdict": "healthy", "name": "NVIDIA H200", "gpu": "nvidia-h200-sxm", "dtype": "bf16",
        "tflops": 789.1 - n, "share_expected": 0.998, "torch": "2.13.0", "steady": _STEADY,
    }
    for n in range(8)
]  # fmt: skip
RECORD: dict[str, Any] = {
    "state": "ok", "verdict": "healthy", "protocol_version": 1, "mode": "full", "gpu": "nvidia-h200-sxm",
    "dtype": "bf16", "tflops": 782.1, "expected_tflops": 789.1, "dense_tflops": 989.5, "tier": "A", "worst_gpu": 7,
    "findings": [], "claim": {"tflops": 1979, "kinds": ["sparse"]}, "gpus": _CARDS, "host": "rig-1", "offer": "a/b",
}  # fmt: skip


def examples(user: str) -> Iterator[tuple[str, tuple[Json, ...]]]:
    """Names with blocks, in both languages."""
    points = [views.Point(datetime(2026, 11, day, tzinfo=UTC), Decimal(f"78{day % 10}.5")) for day in range(1, 13)]
    price = views.Price("a/b", Decimal("4.85"), Decimal("3.79"), Decimal("782.1"), 2)
    ranks = [
        views.Rank("rig-1", True, "", Decimal("782.1"), "healthy", Decimal("4.85")),
        views.Rank("rig-2", False, "…"),
    ]
    for lang in ("en", "zh"):
        about = views.About("command:1", "rig-1", "bf16", True, user, lang, "Alice")
        line = views.price_line(price, "a/b", lang)
        messages: dict[str, Message] = {
            "waiting": views.live(about, views.waiting(2, lang)),
            "running": views.live(about, views.doing({"step": "steady", "share": 0.4}, lang)),
            "ended": views.ended(about, say("run.cancelled", lang)),
            "result": views.result(about, RECORD, points, line),
            "ranking": views.ranking(about, ranks),
            "reported": views.reported({**RECORD, "host": None, "self_reported": True, "ordered_as": "H200"}, lang),
            "all": views.ask_all(["rig-1", "rig-2"], None, False, lang),
            "hosts": views.hosts([("rig-1", "ready", "H200", None)], lang),
        }
        for name, message in messages.items():
            yield f"bench-{name}-{lang}", message.blocks
            yield f"bench-{name}-{lang}-plainer", message.plainer
        models = ["A100", "H200"]
        alone = views.form([], {}, lang, models=models, note=say("nobody", lang))
        yield f"edit-bench-{lang}", tuple(views.form(["rig-1", "rig-2"], {}, lang, models=models)["blocks"])
        yield f"edit-bench-file-{lang}", tuple(alone["blocks"])
