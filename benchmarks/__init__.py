"""Speed and memory of our own paths; run one with ``python -m benchmarks.NAME``."""
