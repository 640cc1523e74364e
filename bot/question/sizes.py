"""Memory asked of a card, memory in all, data moved, data kept."""

from __future__ import annotations

import re
from typing import Any

from bot.question.sketch import Piece, Sketch, rule
from bot.question.values import Size

_SPLIT = r" [,;.。，；?？!:] | B | and | plus | then | 再 ?| 另 ?"


_IN_ALL = r" total(?:_of)? "
_FROM_TO = re.compile(  # from A to B
    r" (?:between|从|out of|off) (?:the )?[PR](?: [^,]{1,12})? (?:[^ ]+ )?(?:to|into|onto|到) ?(?:the )?[PR] "
    r"| [PR] (?:- ?)?(?:to|>|→|move to|到) ?[PR] "
)


def read_sizes(sketch: Sketch, slots: dict[str, Any]) -> None:
    """Give each size its role by the words around it in the same clause."""
    for match in rule(r"B").finditer(sketch.text):
        piece = sketch.piece(match)
        if piece.excluded:
            piece.used = True
            continue
        before = re.split(_SPLIT, sketch.text[: match.start()].rstrip() + " ")[-1].split()[-8:]
        after = re.split(_SPLIT, " " + sketch.text[match.end() :].lstrip())[0].split()[:8]
        _role(sketch, slots, piece, f" {' '.join(before)} ", f" {' '.join(after)} ")


def _role(sketch: Sketch, slots: dict[str, Any], piece: Piece, before: str, after: str) -> None:
    size: Size = piece.value
    piece.used = True
    near = f"{before} {after}"
    lowest = size.low if size.low is not None else size.gb
    of_host = before.endswith((" vcpu ", " vcpu + ")) and not re.match(r" (?:的 ?)?(?:vram|memory) ", after)  # 8核16G
    if (
        of_host
        or re.match(r" (?:of )?(?:system |host )?ram ", after)
        or re.search(r" ram (?:of |at |:|is )?(?:atleast )?$", before)
    ):
        piece.used = False  # memory of the host: no slot holds it
        return
    if re.search(r" (?:vram|memory) ", near) and not re.match(r" (?:of )?(?:data|disk) ", after):
        slots["total_memory_gb" if re.search(_IN_ALL, near) else "min_memory_gb"] = (
            size.gb if re.search(_IN_ALL, near) else lowest
        )
        return
    moved = re.search(r" (?:upload|download|move|data) ", near)
    if re.search(r" disk ", near) and not re.search(r" (?:upload|download|move) ", near):
        slots["storage_gb"] = size.gb
        return
    if moved:
        _data(slots, size, before, after, sketch.text)
        return
    if size.unit in ("tb", "pb"):
        _data(slots, size, before, after, sketch.text)
        return
    if re.search(_IN_ALL, near):
        slots["total_memory_gb"] = size.gb
        return
    slots["min_memory_gb"] = lowest


def _data(slots: dict[str, Any], size: Size, before: str, after: str, text: str) -> None:
    slots["data_gb"] = size.gb
    near = f"{before} {after}"
    slots.pop("data_direction", None)
    if " upload " in near:
        slots["data_direction"] = "in"
    elif (
        " download " in near
        or re.search(r" (?:move|data) .*(?:out of|out|from|off of|off) ", f"{near} ")
        or re.search(r" (?:between|把) ?(?!P (?:and|or) )[^,]*[PR] [^,]*?(?:move|到|to) ", f"{near} ")
        or re.search(r" (?:move|data) [^,]*(?:出来|出去|回来|回本地) ", f"{near} ")
    ) or _FROM_TO.search(text):
        slots["data_direction"] = "out"
    elif (
        re.search(r"[往向] ?P (?:里 ?|上 ?|那边 ?|每[天月周] ?)?move ", near)
        or re.search(r"(?:本地|公司|办公室|实验室|家里|自己) ?move [^,]*to [PR] ", f"{near} ")
        or (re.search(r" move (?:[^ ]+ )*?(?:into|onto|in) ", near) and " from " not in near)
        or (re.search(r" upload ", text) and not re.search(r" download ", text))
    ):
        slots["data_direction"] = "in"
    elif re.search(r" download ", text) and not re.search(r" upload ", text):
        slots["data_direction"] = "out"
