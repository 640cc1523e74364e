"""The shapes that a document is made of."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Column:
    key: str
    title: str
    right: bool = False  # figures stand to the right


@dataclass(frozen=True, slots=True)
class Row:
    """Cells in the order of the columns; ``offer`` is the id of what the row is about."""

    cells: tuple[str, ...]
    offer: str | None = None


@dataclass(frozen=True, slots=True)
class Table:
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """One fold of details: a title and its lines."""

    key: str
    title: str
    lines: tuple[str, ...]
    urls: tuple[str | None, ...] = ()  # beside each line, where it has an address
    table: Table | None = None  # stands before the lines
    main: bool = False  # part of the answer itself, shown without being asked for
    whole: bool = False  # its lines belong together, as those of a program: never cut
