"""A document in the terminal: a table people like to read there, aligned plain text everywhere else."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TextIO

from bot.render.document import Document
from bot.render.shapes import Row, Section, Table
from bot.render.words import say

if TYPE_CHECKING:
    from rich.table import Table as RichTable
    from rich.text import Text

ROWS = 8  # shown unless all are asked for
_LINES = 6  # of a section that stands in the answer itself
_TABLE = 12  # rows of its table
_GAP = "  "
_INDENT = "  "


def show(document: Document, out: TextIO, *, everything: bool = False, explain: bool = False) -> None:
    """Write the document: the answer on the first line, then what stands beside it, the table and how it was read.

    ``everything`` shows all rows, ``explain`` the details; colours and rules only where ``out`` is a terminal.
    """
    if out.isatty():
        _show_rich(document, out, everything=everything, explain=explain)
    else:
        out.write("\n".join(plain_lines(document, everything=everything, explain=explain)) + "\n")


def plain_lines(document: Document, *, everything: bool = False, explain: bool = False) -> list[str]:
    """The document as lines of plain text, without any control sequence."""
    lines = [document.headline, *document.also]
    if document.table is not None:
        lines += ["", *table_lines(document.table, None if everything else ROWS, document.lang)]
    if document.ready:
        lines += ["", *(f"{_INDENT}{one}" for one in document.ready)]
    for section in shown_sections(document, explain):
        lines += ["", *section_lines(section, document.lang, explain)]
    closing = [text for text in (document.reading, document.not_used) if text]
    if closing:
        lines += ["", *closing]
    return [clean(part) for line in lines for part in line.split("\n")]


def shown_sections(document: Document, explain: bool) -> list[Section]:
    """What belongs to the answer itself; all details when it is to be explained."""
    return [section for section in document.sections if section.main or explain]


def section_lines(section: Section, lang: str, whole: bool, space: int | None = None) -> Iterable[str]:
    """The title, the table and the lines of a section, cut unless the whole is wanted.

    A table wider than ``space`` places is written row by row, each cell under its title.
    """
    yield section.title
    if section.table is not None:
        rows = None if whole or section.whole else _TABLE
        lines = table_lines(section.table, rows, lang)
        if space is not None and max(map(width, lines)) + len(_INDENT) > space:
            lines = _stacked(section.table, rows, lang)
        yield from (f"{_INDENT}{line}" for line in lines)
    limit = len(section.lines) if whole or section.whole else _LINES
    for n, line in enumerate(section.lines[:limit]):
        url = section.urls[n] if n < len(section.urls) else None
        yield f"{_INDENT}{line}{f' {url}' if url else ''}"
    if len(section.lines) > limit:
        yield _INDENT + say("section.more", lang, n=len(section.lines) - limit)


# ---------------------------------------------------------------- aligned text


def table_lines(table: Table, limit: int | None, lang: str) -> list[str]:
    """Columns aligned by the width that characters take: a Chinese one takes two places."""
    shown = table.rows[:limit]
    kept = _kept(table, [row.cells for row in shown])
    widths = {n: max([width(table.columns[n].title), *(width(row.cells[n]) for row in shown)]) for n in kept}
    lines = [_GAP.join(_pad(table.columns[n].title, widths[n], table.columns[n].right) for n in kept)]
    lines += [_GAP.join(_pad(row.cells[n], widths[n], table.columns[n].right) for n in kept) for row in shown]
    if len(table.rows) > len(shown):
        lines.append(say("cell.more", lang, n=len(table.rows) - len(shown)))
    return [line.rstrip() for line in lines]


def _stacked(table: Table, limit: int | None, lang: str) -> list[str]:
    """Each row as its first cell and, below it, the others with their titles."""
    lines: list[str] = []
    for row in table.rows[:limit]:
        first, *others = [(column.title, cell) for column, cell in zip(table.columns, row.cells, strict=True) if cell]
        lines += [first[1], *(say("cell.titled", lang, title=title, cell=cell) for title, cell in others)]
    if limit is not None and len(table.rows) > limit:
        lines.append(say("cell.more", lang, n=len(table.rows) - limit))
    return lines


def aligned(rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> list[str]:
    """Rows as lines whose columns stand under each other; ``right`` names the columns of figures."""
    widths = [max(width(row[n]) for row in rows) for n in range(len(rows[0]))] if rows else []
    return [clean(_GAP.join(_pad(cell, widths[n], n in right) for n, cell in enumerate(row))).rstrip() for row in rows]


def _kept(table: Table, rows: Sequence[Sequence[str]]) -> list[int]:
    """A column in which nothing stands is not shown."""
    return [n for n, _ in enumerate(table.columns) if any(row[n] for row in rows)]


def _pad(text: str, size: int, right: bool) -> str:
    space = " " * (size - width(text))
    return space + text if right else text + space


def width(text: str) -> int:
    """Places that a text takes in a terminal.

    >>> width("A100"), width("张")
    (4, 2)
    """
    return sum(_places(char) for char in text)


def _places(char: str) -> int:
    if unicodedata.combining(char) or unicodedata.category(char) in ("Cf", "Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1


def clean(text: str) -> str:
    """Text without control characters: what an asker typed never moves the cursor."""
    return "".join(char if char.isprintable() else " " for char in text)


# ---------------------------------------------------------------- a real terminal


def _show_rich(document: Document, out: TextIO, *, everything: bool, explain: bool) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(file=out, highlight=False, markup=False, emoji=False)
    console.print(Text(clean(document.headline), style="bold"))
    for sentence in document.also:
        console.print(Text("\n".join(clean(part) for part in sentence.split("\n"))))
    if document.table is not None:
        rows = document.table.rows if everything else document.table.rows[:ROWS]
        kept = fitting(document.table, [row.cells for row in rows], console.width)
        console.print(_rich_table(_of(document.table, rows, kept), console.width, document.lang))
        hidden = 0 if everything else max(0, len(document.table.rows) - ROWS)
        if hidden:
            console.print(Text(say("cell.more", document.lang, n=hidden), style="dim"))
    for one in document.ready:
        console.print(Text(f"{_INDENT}{clean(one)}", style="cyan"))
    for section in shown_sections(document, explain):
        title, *lines = section_lines(section, document.lang, explain, console.width)
        console.print(Text(f"\n{title}", style="bold"))
        for line in lines:
            console.print(Text(clean(line)))
    for text in (document.reading, document.not_used):
        if text:
            console.print(Text(clean(text), style="dim"))


def _of(table: Table, rows: Sequence[Row], kept: Sequence[int]) -> Table:
    """Some rows of a table, with the columns that are kept."""
    columns = tuple(table.columns[n] for n in kept)
    return Table(columns, tuple(Row(tuple(row.cells[n] for n in kept), row.offer) for row in rows))


def _rich_table(table: Table, space: int, lang: str) -> RichTable | Text:
    """The table as it fits: a figure is never cut, names are broken into lines before it; else row by row."""
    from rich import box
    from rich.table import Table as Drawn
    from rich.text import Text

    rows, kept = [row.cells for row in table.rows], range(len(table.columns))
    if _needed(table, rows, kept, _NAME) > space:
        return Text("\n".join(clean(line) for line in ["", *_stacked(table, None, lang), ""]))
    roomy = _needed(table, rows, kept) <= space
    drawn = Drawn(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True, header_style="bold")
    for column in table.columns:
        whole = column.right or (roomy and column.key not in _MAY_WRAP)
        drawn.add_column(column.title, justify="right" if column.right else "left", no_wrap=whole, overflow="fold")
    for place, cells in enumerate(rows):
        drawn.add_row(*(Text(clean(cell)) for cell in cells), style="green" if place == 0 else None)
    return drawn


_MAY_WRAP = frozenset({"notes"})
_NOTES = 18  # places that notes get at least, before they are broken into lines
_NAME = 10  # places that any other text keeps in a terminal too narrow for all of it
_LESS_NEEDED = ("region", "gpu_hour", "plan", "rate", "age", "rank")  # dropped in this order where space is short
_STILL_LESS = ("notes", "left", "pay_months", "hours_month", "baseline", "gpus")  # and these where names are broken too


def fitting(table: Table, rows: Sequence[Sequence[str]], space: int) -> list[int]:
    """The columns that fit into ``space`` places, the less needed ones dropped first; --json has them all."""
    kept = _kept(table, rows)
    for keys, name in ((_LESS_NEEDED, None), (_STILL_LESS, _NAME)):
        for key in keys:
            if _needed(table, rows, kept, name) <= space:
                break
            kept = [n for n in kept if table.columns[n].key != key]
    return kept


def _needed(table: Table, rows: Sequence[Sequence[str]], kept: Sequence[int], name: int | None = None) -> int:
    """Places that columns take; ``name`` is how few a column of text may be given."""
    total = 0
    for n in kept:
        column = table.columns[n]
        widest = max([width(column.title), *(width(row[n]) for row in rows)])
        if column.key in _MAY_WRAP:
            widest = min(widest, _NOTES)
        elif name is not None and not column.right:
            widest = min(widest, name)
        total += widest
    return total + 2 * len(kept)
