"""What somebody wants of ``/gpu-bench``, read from words; nothing of a text goes further than this."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bot.bench.agent import DTYPES

WORDS = ("hosts", "status", "cancel", "history", "all", "script", "help")
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,62}", re.ASCII)
_FILE = re.compile(r"F[A-Z0-9]{2,40}", re.ASCII)  # Slack's id of one
_MOST_ORDERED = 80
_QUICK = re.compile(r"\bquick(?:ly)?\b|快速", re.IGNORECASE)
_ZH = {
    "帮助": "help",
    "主机": "hosts",
    "状态": "status",
    "取消": "cancel",
    "历史": "history",
    "全部": "all",
    "脚本": "script",
}


@dataclass(frozen=True, slots=True)
class Wish:
    """``do``: form, run, everything (all, confirmed), file (judge it) or one of WORDS. ``wrong`` is a word that was not
    understood, ``ordered`` the model that the box of a file was ordered as."""

    do: str
    host: str | None = None
    dtype: str | None = None
    quick: bool = False
    wrong: str | None = None
    file: str | None = None
    ordered: str | None = None

    def to_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Wish:
        """Only listed dtypes and things shaped like a name get through, wherever the data come from."""
        host, dtype = data.get("host"), data.get("dtype")
        file, ordered = data.get("file"), data.get("ordered")
        return cls(
            str(data.get("do", "help")), str(host) if host and _NAME.fullmatch(str(host)) else None,
            str(dtype) if dtype in DTYPES else None, bool(data.get("quick")), data.get("wrong"),
            file_id(file), str(ordered)[:_MOST_ORDERED] if ordered else None,
        )  # fmt: skip


def file_id(value: Any) -> str | None:
    """Slack's id of a file; None for anything that is not shaped like one."""
    return str(value) if value and _FILE.fullmatch(str(value)) else None


def read(text: str) -> Wish:
    """``[HOST] [dtype] [quick]`` or one of the words, perhaps with a host: "history ml01", "all fp16"."""
    words = [word.lstrip("-").lower() for word in text.split()]
    words = [word for word in words if word not in ("", "dtype")]
    if not words:
        return Wish("form")
    first = _ZH.get(words[0], words[0])
    if first in ("hosts", "status", "script", "help"):
        return Wish(first)
    if first in WORDS:
        rest = words[1:]
        host = rest.pop(0) if first != "all" and rest else None
        return _options(first, host, rest)
    return _options("run", words[0], words[1:])


def _options(do: str, host: str | None, rest: list[str]) -> Wish:
    if host is not None and not _NAME.fullmatch(host):
        return Wish(do, wrong=host)
    dtype, quick = None, False
    for word in rest:
        if word in DTYPES:
            dtype = word
        elif word in ("quick", "快速"):
            quick = True
        else:
            return Wish(do, host, wrong=word)
    return Wish(do, host, dtype, quick)


def said(text: str, *, action: str | None, host: str | None, dtype: str | None) -> Wish:
    """The wish of a sentence that was read as one about a benchmark."""
    name = None if host is None else host.lower()
    if name is not None and not _NAME.fullmatch(name):
        return Wish("run", wrong=host)
    if action == "show":
        return Wish("history", name, dtype if dtype in DTYPES else None)
    if dtype is not None and dtype not in DTYPES:
        return Wish("run", name, wrong=dtype)
    return Wish("run", name, dtype, bool(_QUICK.search(text)))
