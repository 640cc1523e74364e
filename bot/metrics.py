"""Counts for operators, in the format of Prometheus. Names only: nothing here holds a text or a user."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

registry = CollectorRegistry()

events = Counter("gpu_bot_events", "Payloads that Slack delivered", ["kind"], registry=registry)
repeats = Counter("gpu_bot_repeats", "Payloads that were seen before and dropped", registry=registry)
answers = Counter("gpu_bot_answers", "Answers given", ["status"], registry=registry)
posts = Counter("gpu_bot_posts", "Messages posted or edited", ["how"], registry=registry)
refusals = Counter("gpu_bot_slack_refusals", "Calls that Slack refused", ["error"], registry=registry)
failures = Counter("gpu_bot_failures", "Items that ended in an error", registry=registry)
taken_over = Counter("gpu_bot_taken_over", "Items of a dead process that this one answered", registry=registry)
ack_seconds = Histogram(
    "gpu_bot_ack_seconds", "From delivery to acknowledgement", registry=registry,
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3),
)  # fmt: skip
answer_seconds = Histogram(
    "gpu_bot_answer_seconds", "From delivery to the posted answer", registry=registry,
    buckets=(0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60),
)  # fmt: skip
waiting = Gauge("gpu_bot_waiting", "Items that are not answered yet", registry=registry)
connected = Gauge("gpu_bot_socket_connected", "Whether the Socket Mode connection stands", registry=registry)


def text() -> bytes:
    """All counts as Prometheus reads them."""
    return generate_latest(registry)
