"""A message as a row of pieces, and its sketch: the text in which each piece that was understood is one mark.

``4 张 A100 跑 72 小时`` becomes ``N张 G 跑 T``: capital letters are marks, everything else is the word itself.
Grammar is then short patterns over the sketch, and a rule replaces what it matches by one new piece.

Marks: N number, T duration, M money, B bytes, C model parameters, G accelerator, Z unknown model, F form,
P provider, R region, L plan, W workload, E need, I team, Q dtype, S sort, U currency sign.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, TypeAlias

HAN = "㐀-䶿一-鿿"
Make: TypeAlias = "Callable[[re.Match[str]], Piece | list[Piece] | None]"
_IS_HAN = re.compile(f"[{HAN}]")


class Piece:
    """One word, sign or understood thing. ``raw`` is how it was written, ``value`` what it means."""

    __slots__ = ("excluded", "mark", "raw", "used", "value")

    def __init__(self, mark: str, raw: str, value: Any = None) -> None:
        self.mark = mark
        self.raw = raw
        self.value = value
        self.used = False
        self.excluded = False

    def __repr__(self) -> str:
        return f"{self.mark}[{self.raw}={self.value!r}]"


class Sketch:
    """The pieces of one message. ``steps`` counts the work done, for the test that it is linear."""

    def __init__(self, pieces: Iterable[Piece]) -> None:
        self.pieces = list(pieces)
        self.steps = 0
        self.text = ""
        self._starts: list[int] = []
        self.redraw()

    def redraw(self) -> None:
        """Draw the sketch anew after marks of pieces have changed."""
        parts: list[str] = [" "]
        starts: list[int] = []
        offset = 1
        before_han = False
        for piece in self.pieces:
            han = bool(_IS_HAN.match(piece.mark))
            if starts and not (han and before_han):
                parts.append(" ")
                offset += 1
            starts.append(offset)
            parts.append(piece.mark)
            offset += len(piece.mark)
            before_han = han
        parts.append(" ")
        self.text = "".join(parts)
        self._starts = starts
        self.steps += len(self.pieces)

    def index(self, offset: int) -> int:
        """The number of the piece that covers this place of the sketch."""
        return max(0, bisect_right(self._starts, offset) - 1)

    def piece(self, match: re.Match[str], group: int | str = 0) -> Piece:
        return self.pieces[self.index(match.start(group))]

    def span(self, match: re.Match[str], group: int | str = 0) -> list[Piece]:
        start, end = match.start(group), match.end(group)
        while start < end and self.text[start] == " ":
            start += 1
        return self.pieces[self.index(start) : self.index(end - 1) + 1] if start < end else []

    def rewrite(self, rule: re.Pattern[str], make: Make) -> bool:
        """Replace each match by what ``make`` gives: a piece, a list of pieces, or None to leave it."""
        changed: list[tuple[int, int, list[Piece]]] = []
        for match in rule.finditer(self.text):
            if match.start() == match.end():
                continue
            made = make(match)
            if made is None:
                continue
            first = self.index(match.start())
            last = self.index(match.end() - 1)
            changed.append((first, last + 1, made if isinstance(made, list) else [made]))
        for first, end, made in reversed(changed):
            if len(made) == 1 and not made[0].raw:
                made[0].raw = self.words(first, end)
            self.pieces[first:end] = made
        if changed:
            self.redraw()
        return bool(changed)

    def words(self, first: int, end: int) -> str:
        """What stands in these pieces, as written."""
        return " ".join(p.raw for p in self.pieces[first:end] if p.raw)

    def of(self, mark: str) -> list[Piece]:
        return [p for p in self.pieces if p.mark == mark]

    def has(self, rule: re.Pattern[str]) -> bool:
        return rule.search(self.text) is not None


@lru_cache(maxsize=2000)
def rule(pattern: str) -> re.Pattern[str]:
    """Compile a pattern over a sketch so that it matches whole pieces only: a space or a Han character on each side.

    The boundary is written as "nothing of printable ASCII", which a sketch has besides them: a class that lists the
    Han range takes milliseconds to compile in each of the patterns.
    """
    return re.compile(rf"(?<=[^!-~])(?:{pattern})(?=[^!-~])")
