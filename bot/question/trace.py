"""Which words of a message led to which slot, for `parse --explain`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bot.question.sketch import Piece
from bot.question.values import Gpu
from rules.model import Question
from rules.wire import question_to_json

_SLOT = {
    "P": "providers", "L": "plans", "R": "regions", "W": "workloads", "E": "needs", "I": "team", "C": "model_params_b",
    "Q": "dtype", "S": "sort", "daily": "hours_per_day", "gpuhours": "gpu_hours", "machines": "nodes",
    "counted": "gpu_count", "hostname": "host", "pergpuhour": "sort",
}  # fmt: skip
_EXCLUDED = frozenset(("providers", "plans", "regions"))
_ONE_OF = {
    "T": ("hours",),
    "M": ("quoted", "budget", "budget_per_hour", "purchase_price"),
    "B": ("min_memory_gb", "total_memory_gb", "data_gb", "storage_gb"),
}


def trace(pieces: Sequence[Piece], question: Question) -> tuple[tuple[str, str, str], ...]:
    """(words, slot, value) for each piece whose slot the question holds, in the order of the message."""
    said = question_to_json(question)
    return tuple(row for piece in pieces for row in _rows(piece, said) if row[0])


def _rows(piece: Piece, said: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    if piece.mark == "G":
        gpu: Gpu = piece.value
        slot = "exclude_gpus" if piece.excluded else "gpus"
        if slot in said:
            yield piece.raw, slot, gpu.model
        return
    slots = _ONE_OF.get(piece.mark) or ((_SLOT[piece.mark],) if piece.mark in _SLOT else ())
    for slot in slots:
        name = f"exclude_{slot}" if piece.excluded and slot in _EXCLUDED else slot
        if name not in said:
            continue
        value = said[name]
        yield piece.raw, name, str(piece.value) if isinstance(value, list) else json.dumps(value, ensure_ascii=False)
        return
