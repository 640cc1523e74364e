"""Bytes in, within limits: every refusal is one sentence, and what was refused never counts."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

MAX_BYTES = 128_000_000  # the largest catalogue that is published has 4 MB
MAX_LINE = 100_000
_CHUNK = 1 << 16
_MAX_RATIO = 200  # unpacked to packed: price tables shrink to a tenth
_ZIP = b"PK\x03\x04"


class FeedError(Exception):
    """Input that cannot be used; ``key`` is a sentence of ``render.prices``, ``slots`` its words."""

    def __init__(self, key: str, **slots: Any) -> None:
        super().__init__(f"{key} {slots}")
        self.key, self.slots = key, slots


@dataclass(frozen=True, slots=True)
class Origin:
    """Where bytes come from: a name for messages, and what the name or the caller says about them."""

    name: str
    stem: str  # "aws" of catalogs/v8/aws/vms.csv
    seen: datetime | None = None  # when the source said so; None: the data may tell
    provider: str | None = None  # None: the data or the stem tells


class Stream(Protocol):
    """What can be read in pieces: a file, an answer of the network, a member of a zip."""

    def read(self, size: int, /) -> bytes: ...


def read_file(path: Path) -> bytes:
    """The bytes of a file, unpacked when it is a zip with one table."""
    try:
        if not path.is_file():
            raise FeedError("feed.no_file", name=path.name)
        if path.stat().st_size > MAX_BYTES:
            raise FeedError("feed.too_large", name=path.name, mb=MAX_BYTES // 1_000_000)
        with path.open("rb") as stream:
            return unpacked(take(stream, path.name), path.name)
    except OSError as error:
        raise FeedError("feed.unreadable", name=path.name, reason=error.strerror or type(error).__name__) from None


def take(stream: Stream, name: str, *, lines: bool = True) -> bytes:
    """Everything that a stream gives, unless it is too long or, where it should have ``lines``, one line is."""
    pieces: list[bytes] = []
    total = line = 0
    while piece := stream.read(_CHUNK):
        if not pieces and piece.startswith(_ZIP):
            lines = False
        total += len(piece)
        if total > MAX_BYTES:
            raise FeedError("feed.too_large", name=name, mb=MAX_BYTES // 1_000_000)
        if lines:
            last = piece.rfind(b"\n")
            line = line + len(piece) if last < 0 else len(piece) - last - 1
            if line > MAX_LINE:
                raise FeedError("feed.long_line", name=name, n=MAX_LINE)
        pieces.append(piece)
    return b"".join(pieces)


def unpacked(data: bytes, name: str) -> bytes:
    """The one table of a zip; other bytes as they are."""
    if not data.startswith(_ZIP):
        return data
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            tables = [one for one in packed.infolist() if one.filename.lower().endswith(".csv")]
            if len(tables) != 1:
                raise FeedError("feed.zip_tables", name=name, n=len(tables))
            one = tables[0]
            if one.file_size > MAX_BYTES or one.file_size > _MAX_RATIO * max(1, one.compress_size):
                raise FeedError("feed.zip_bomb", name=name)
            with packed.open(one) as stream:  # the size in the index may lie: the limit holds while reading too
                return take(stream, name)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError):
        raise FeedError("feed.bad_zip", name=name) from None


# ---------------------------------------------------------------- tables


def text_of(data: bytes, name: str) -> str:
    """Bytes as text; refuses what is not UTF-8, a web page, and nothing at all."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FeedError("feed.not_utf8", name=name, line=data.count(b"\n", 0, error.start) + 1) from None
    if not text.strip():
        raise FeedError("feed.empty", name=name)
    if text.lstrip()[:1] == "<":
        raise FeedError("feed.web_page", name=name)
    if "\0" in text:
        raise FeedError("feed.not_text", name=name)
    return text


Line = tuple[int, dict[str, str]]


def table(data: bytes, name: str, needed: Sequence[str] = ()) -> Iterator[Line]:
    """The rows of a CSV by the names in its first line, whatever their order, with their line numbers.

    Names are in lower case. Raises ``FeedError`` when a needed column is missing or a row does not fit the first
    line, as where a file is cut off: such a file is not trusted at all.
    """
    reader = csv.reader(io.StringIO(text_of(data, name), newline=""), strict=True)
    try:
        header = [one.strip().lower() for one in next(reader)]
        _check_header(header, name, needed)
        rows = iter(reader)
        row = next(rows, None)
        while row is not None:
            following = next(rows, None)
            line = reader.line_num - (following is not None)
            if row and len(row) != len(header):
                key = "feed.cut" if following is None and len(row) < len(header) else "feed.ragged"
                raise FeedError(key, name=name, line=line, got=len(row), want=len(header))
            if row:
                yield line, dict(zip(header, map(str.strip, row), strict=True))
            row = following
    except csv.Error as error:
        raise FeedError("feed.broken", name=name, line=reader.line_num, reason=str(error)) from None


def _check_header(header: list[str], name: str, needed: Sequence[str]) -> None:
    twice = sorted({one for one in header if header.count(one) > 1})
    if twice:
        raise FeedError("feed.column_twice", name=name, column=twice[0] or "?")
    missing = [one for one in needed if one not in header]
    if missing:
        found = ", ".join(header[:8]) + (", …" if len(header) > 8 else "")
        raise FeedError("feed.no_column", name=name, column=missing[0], found=found[:200])
