"""Taking a slot back in a thread: "forget the budget", X no longer matters, X无所谓了."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from bot.question.intents.context import ends
from bot.question.parse import Reading
from bot.question.sketch import Piece

_FORGET = re.compile(
    r"\b(?:forget|never ?mind|ignore|don'?t care about|no longer care about|lift)\b (?:about )?"
    r"(?:the |that |our |my |any )?"
    r"(?P<x>[\w .-]+?)"
    r"(?: (?:requirement|part|limit|constraint|thing|bit|restriction|filter|anymore|any more|for now|then))*"
    r"(?=[,.;!?]|$| and )"
    r"|(?P<y>[\w .-]+?) (?:no longer matters?|doesn'?t matter|does not matter|don'?t matter"
    r"|isn'?t (?:important|needed|required)(?: anymore)?"
    r"|is (?:irrelevant|not important|no longer (?:needed|important|required|relevant))|not needed anymore)\b"
    r"|(?P<z>[^,，。;；\s]+?)(?:就|也|都|已经)?(?:无所谓|不重要|不限|没要求|没有要求|不管|不用管|随便|不作要求|不要求)(?:了|吧)?"
    r"|(?:不管|别管|忽略|不用管|不限制?|取消|不在乎|忘了|忘掉|先不管)(?P<w>[^,，。;；\s]+?)"
    r"(?:(?:了|的?要求|的?限制|吧)+|(?=[,，。;；]|$))"
    r"|\b(?:(?:drop|remove|scrap|ditch|waive|lose|cancel|skip) (?:the |that |our |my |any )|no (?:more )?)"
    r"(?P<v>(?:[\w.-]+ ){0,3}?(?:requirement|limit|constraint|restriction|cap|ceiling))s?"
    r"(?: (?:anymore|any more|now|then|needed|please))*(?=[,.;!?]|$)"
    r"|(?:去掉|放开|拿掉|撤掉|不要|没有|不设)(?P<u>[^,，。;；\s]*?(?:上限|限制|限价|封顶))"
)
_TOPICS = (  # word in what is taken back -> slots that go
    (r"(?:\bhourly\b|\bper[ -]hour\b|每个?小时|时价)(?!.*(?:price|rate|quote|报价))", ("budget_per_hour",)),
    (r"budget|预算|price limit|price cap|\bcap\b|spend", ("budget", "budget_per_hour")),
    (r"\bprice\b|价格", ("budget_per_hour", "quoted")),
    (r"^(?:limit|ceiling|maximum|max)$|上限|封顶|限价|^价$", ("budget", "budget_per_hour")),
    (r"region|location|country|where|地区|地域|区域|机房|位置|地点", ("regions", "exclude_regions")),
    (r"provider|cloud|vendor|platform|平台|厂商|云", ("providers", "exclude_providers")),
    (r"hours a day|daily|per day|每天", ("hours_per_day",)),
    (
        r"duration|how long|\btime\b|hours|length|period|时间|时长|多久|周期",
        ("hours", "gpu_hours", "hours_per_day", "_period", "_share"),
    ),
    (r"\bplan\b|billing|pricing model|付费方式|计费方式", ("plans", "exclude_plans")),
    (r"vram|memory|显存", ("min_memory_gb", "total_memory_gb")),
    (r"\bdata\b|egress|transfer|upload|download|数据|流量|上传|下载", ("data_gb", "data_direction")),
    (r"storage|disk|volume|ssd|存储|硬盘|云盘|磁盘", ("storage_gb",)),
    (r"model size|params|parameters|参数|模型大小", ("model_params_b",)),
    (r"workload|use case|用途", ("workloads",)),
    (r"\bteam\b|\bops\b|团队|运维", ("team",)),
    (r"quote|报价", ("quoted",)),
    (r"dtype|precision|精度", ("dtype",)),
    (r"\bsort|ordering|排序", ("sort",)),
    (r"nodes|machines|节点", ("nodes",)),
    (r"count|number of|数量|卡数", ("gpu_count", "_count")),
)
_NAMED = {"L": "plans", "R": "regions", "P": "providers", "W": "workloads", "I": "team", "E": "needs"}
_SIDE_EFFECTS = {"exclude_plans", "exclude_regions", "exclude_providers", "exclude_gpus"}


_BESIDE = re.compile(r"(?:ok(?:ay)?|and|so|then|actually|please|now|well|那|好的?|嗯|了|吧|\W)*")


def takes_back_only(source: str) -> bool:
    """Whether the message says nothing beside what it takes back: "forget the price limit" asks for no price."""
    source = ends(source)
    match = _FORGET.search(source)
    return match is not None and _BESIDE.fullmatch(source[: match.start()] + source[match.end() :]) is not None


def forget(slots: dict[str, Any], said: dict[str, Any], reading: Reading) -> tuple[bool, bool]:
    """Remove what the message takes back. Whether it takes anything back, and whether it says nothing else."""
    match = _FORGET.search(ends(reading.source))
    if match is None:
        return False, False
    what = next((g for g in match.groupdict().values() if g), "")
    topic = next((names for pattern, names in _TOPICS if re.search(pattern, what)), None)
    if topic is not None:
        for name in topic:
            slots.pop(name, None)
            said.pop(name, None)
        if "_count" in topic:
            slots["gpus"] = tuple(replace(g, count=None) for g in slots.get("gpus", ()))
    named = [] if topic is not None else [p for p in reading.sketch.pieces if p.raw and p.raw.lower() in what]
    gone = [_forget_named(slots, said, piece) for piece in named]
    for name in [k for k, v in slots.items() if v == ()]:
        del slots[name]
    found = topic is not None or any(gone)
    return found, found and not (said.keys() - _SIDE_EFFECTS)


def _forget_named(slots: dict[str, Any], said: dict[str, Any], piece: Piece) -> bool:
    """Take one named thing out of its list, and out of what the message seems to say about it."""
    if piece.mark == "G":
        slots["gpus"] = tuple(g for g in slots.get("gpus", ()) if g.model != piece.value.model)
        for name in ("gpus", "exclude_gpus"):  # "forget the A100, H200 please" names the H200
            left = tuple(g for g in said.pop(name, ()) if getattr(g, "model", g) != piece.value.model)
            if left:
                said[name] = left
        return True
    slot = _NAMED.get(piece.mark)
    if slot is None:
        return False
    values = str(piece.value).split(",")
    if "reserved" in values:
        values += ["reserved_1y", "reserved_3y"]
    for name in (slot, f"exclude_{slot}"):
        slots[name] = tuple(v for v in slots.get(name, ()) if v not in values)
        said.pop(name, None)
    return True
