"""Memory asked of a card, memory in all, data moved, data kept."""

from __future__ import annotations

import re
from typing import Any

from bot.question.sketch import Piece, Sketch, rule
from bot.question.values import Size


def read_sizes(sketch: Sketch, slots: dict[str, Any]) -> None:
    """Give each size its role by the words around it in the same clause."""
    for match in list(rule(r"B").finditer(sketch.text)):
        piece = sketch.piece(match)
        size: Size = piece.value
        before = re.split(r" [,;.。，；?？] | B | and | plus | with ", sketch.text[: match.start()] + " ")[-1]
        after = re.split(r" [,;.。，；?？] | B | and (?=B)| plus ", " " + sketch.text[match.end() :])[0]
        near = f" {' '.join(before.split()[-7:])}  {' '.join(after.split()[:7])} "
        _role(sketch, slots, piece, size, f" {before.strip()} ", f" {after.strip()} ", near)


def _role(sketch: Sketch, slots: dict[str, Any], piece: Piece, size: Size, before: str, after: str, near: str) -> None:
    piece.used = True
    if re.match(r" (?:of )?(?:host |system )?ram ", after) or re.search(r" ram (?:of |at )?$", before):
        return
    vram = re.search(r" (?:vram|memory) ", near)
    if vram and re.search(r" total ", near):
        slots["total_memory_gb"] = size.gb
        return
    if vram or re.match(r" (?:的)?(?:card|gpu) ", after) or re.match(r" (?:or more|atleast) ", after) and not re.search(r" (?:data|disk) ", near):
        if not re.search(r" (?:data|disk|upload|download) ", near):
            slots["min_memory_gb"] = size.low if size.low is not None else size.gb
            return
    if re.search(r" disk ", near) and not re.search(r" (?:upload|download|move) ", near):
        slots["storage_gb"] = size.gb
        return
    if re.search(r" (?:upload|download|move|data) ", near):
        slots["data_gb"] = size.gb
        if re.search(r" upload ", near):
            slots["data_direction"] = "in"
        elif re.search(r" download ", near) or re.search(r" move .*out of ", near) or (" move " in near and " from " in near and " to " in near):
            slots["data_direction"] = "out"
        return
    if size.unit in ("tb", "pb"):
        slots["data_gb"] = size.gb
        return
    slots["min_memory_gb"] = size.low if size.low is not None else size.gb
