"""The machine to benchmark: found in the text as written, before anything inside its name is read."""

from __future__ import annotations

import re
from collections.abc import Callable

_NAME = r"[A-Za-z0-9](?:[A-Za-z0-9._@:-]*[A-Za-z0-9])?"
_SHAPED = re.compile(
    r"(?<![A-Za-z0-9_.@-])(?:[A-Za-z][A-Za-z0-9_]*@)?(?:\d{1,3}(?:\.\d{1,3}){3}"
    r"|[A-Za-z][A-Za-z0-9]*(?:[-_.][A-Za-z0-9]+)+|[A-Za-z]+\d+)(?![A-Za-z0-9_@-])"
)
_PLACED = re.compile(
    rf"(?:\b(?:on|against|host(?:\s+is|name)?|machine|at)\s*[:=]?\s*|(?:在|主机|机器"
    rf"|host)\s*(?:是|为|叫|[:=])?\s*)(?:the\s+|host\s+|machine\s+|our\s+|box\s+"
    rf"|server\s+|node\s+)?({_NAME})(?![A-Za-z0-9_-])",
    re.IGNORECASE,
)
_FIRST = re.compile(rf"^\s*(?:run\s+|start\s+)?({_NAME})(?![A-Za-z0-9_-])", re.IGNORECASE)
BENCH = re.compile(
    r"bench|\bscored?\b|speed[ -]?test|stress test|跑分|基准|实测|压测|测速|性能测试|跑个分|[跑测得]了?多少分"
    r"|测(?:试)?(?:一下|下|个|一测|一遍)(?=.*(?:fp\d|bf16|tf32|int\d|\d\.\d+\.\d))",
    re.IGNORECASE,
)
_NOT_NAMES = frozenset(
    "gpu-bench gpu_bench multi-gpu speed-test half-precision single-gpu fp-16 bf-16 one-off"
    " re-run follow-up gpu cpu full-precision "
    "gpu-benchmark tensor-core tensor-cores per-gpu price-performance mixed-precision e.g"
    " i.e last-week all hosts status cancel history help quick".split()
)


def find_host(text: str, command: str, named: Callable[[str], bool], benching: bool = False) -> tuple[str | None, str]:
    """The host and the text with its place left blank; ``named`` tells whether a word is known vocabulary.

    ``benching`` says that the thread is about a benchmark: then a name with a digit or a hyphen is enough.
    """
    if command != "gpu-bench" and not benching and not BENCH.search(text):
        return None, text
    sure = command == "gpu-bench" or BENCH.search(text) is not None
    spans = [m.span(1) for m in _PLACED.finditer(text) if sure or re.search(r"[-_.\d]", m.group(1))]
    spans += [m.span() for m in _SHAPED.finditer(text)]
    if command == "gpu-bench":
        first = _FIRST.match(text)
        if first:
            spans.append(first.span(1))
    for start, end in spans:
        word = text[start:end]
        if word.lower() in _NOT_NAMES or named(word):
            continue
        return word, f"{text[:start]} hostname {text[end:]}"
    return None, text
