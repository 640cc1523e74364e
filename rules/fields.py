"""Nodes to values: each field is read as the type it should have, and every mistake becomes a Problem.

A reading never raises. After a mistake it goes on with a placeholder; whoever builds the value asks
``Reader.errors`` before and after and drops what was read with mistakes in it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from datetime import date
from decimal import Decimal

from rules.model import SOURCE_KINDS, Place, Problem, Source, Text
from rules.yamltext import Node

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,17})(?:\.[0-9]{1,12})?", re.ASCII)
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/+-]*", re.ASCII)
FIRST_YEAR, LAST_YEAR = 1990, 2100
_LISTED = 16  # a closed set of at most so many words is shown whole
_LONG_QUOTE = re.compile(r"`([^`\n]{59})[^`]{2,}`")


def nearest(word: str, legal: Collection[str]) -> str:
    """The legal word most like ``word``, or "" when none is."""
    import difflib  # only a mistake needs it

    folded: dict[str, str] = {}
    for one in legal:
        folded.setdefault(_fold(one), one)
    found = difflib.get_close_matches(_fold(word), list(folded), n=1, cutoff=0.6)
    return folded[found[0]] if found else ""


def _fold(word: str) -> str:
    return word.casefold().replace("_", "-").replace(" ", "-")


def one_of(legal: Collection[str]) -> str:
    """A phrase that lists a small set of legal words."""
    words = list(legal)
    return f"one of {', '.join(words)}" if 0 < len(words) <= _LISTED else ""


def clipped(what: str) -> str:
    """A sentence about a value as long as a book stays a sentence."""
    return _LONG_QUOTE.sub(r"`\1…`", what)


def decimal_of(text: str) -> Decimal | None:
    """The number that a text is, None when it is none (`012`, `1e3`, `.5` and `1,000` are text)."""
    return Decimal(text) if _NUMBER.fullmatch(text) else None


class Reader:
    """One file being read: its name, and the problems found so far in the whole run."""

    def __init__(self, file: str, problems: list[Problem], *, overlay: bool = False) -> None:
        self.file = file
        self.problems = problems
        self.overlay = overlay
        self.errors = 0
        self.ledger: list[tuple[str, str, Place]] = []  # (ledger id, what answers for it, where)

    def place(self, line: int) -> Place:
        return Place(self.file, line)

    def error(self, line: int, what: str, fix: str = "", near: str = "", column: int | None = None) -> None:
        self.errors += 1
        self.problems.append(Problem("error", self.place(line), clipped(what), fix, near, column))

    def warning(self, line: int, what: str, fix: str = "", near: str = "") -> None:
        self.problems.append(Problem("warning", self.place(line), clipped(what), fix, near))

    def record(self, node: Node, what: str, required: str, optional: str = "") -> Record | None:
        """The mapping ``node`` with its keys checked; None (and an error) when it is no mapping.

        ``required`` and ``optional`` are key names separated by blanks; ``what`` names the thing ("an offer").
        """
        if type(node.value) is not dict:
            self.error(
                node.key_line,
                f"{what} is not a mapping",
                f"write its keys, as `{(required + ' ' + optional).split()[0]}: …`",
            )
            return None
        fields = node.value
        must = required.split()
        legal = must + optional.split()
        for key, value in fields.items():
            if key not in legal:
                self.error(
                    value.key_line, f"{what} has no key `{key}`", f"keys are {', '.join(legal)}", nearest(key, legal)
                )
        missing = [key for key in must if key not in fields]
        if missing:
            names = ", ".join(f"`{key}`" for key in missing)
            self.error(node.line, f"{what} lacks {names}", "add it" if len(missing) == 1 else "add them")
        return Record(self, what, node)

    def records(self, node: Node, what: str, required: str, optional: str = "") -> Iterator[Record]:
        """Every mapping of the list ``node``; an error when it is no list."""
        for item in self.items(node, what):
            record = self.record(item, what, required, optional)
            if record is not None:
                yield record

    def items(self, node: Node, what: str) -> list[Node]:
        """The items of the list ``node``; an error and none when it is no list."""
        if type(node.value) is not list:
            self.error(node.key_line, f"a list is expected here, each item {what}", "begin each item with `- `")
            return []
        return node.value

    # ------------------------------------------------------------ scalars

    def text(self, node: Node, key: str) -> str:
        value = node.value
        if type(value) is not str:
            self.error(node.key_line, f"`{key}` is not a text", "write one line of text")
            return ""
        if not value.strip() or (node.plain and value in ("null", "~")):
            self.error(node.key_line, f"`{key}` is empty", "write it, or leave the key out if it is optional")
            return ""
        return value

    def number(self, node: Node, key: str) -> Decimal | None:
        value = node.value
        number = decimal_of(value) if type(value) is str and node.plain else None
        if number is not None:
            return number
        self.error(
            node.key_line, f"`{key}: {_shown(node)}` is not a number", "write digits, as 4 or 0.25, without quotes"
        )
        return None

    def day(self, node: Node, key: str) -> date | None:
        value = node.value
        if type(value) is str and node.plain and _DATE.fullmatch(value):
            try:
                day = date.fromisoformat(value)
            except ValueError:
                self.error(node.key_line, f"`{key}: {value}` is not in the calendar", "write a date that exists")
                return None
            if FIRST_YEAR <= day.year <= LAST_YEAR:
                return day
            self.error(node.key_line, f"`{key}: {value}` is an unlikely year", f"write {FIRST_YEAR} to {LAST_YEAR}")
            return None
        self.error(node.key_line, f"`{key}: {_shown(node)}` is not a date", "write YYYY-MM-DD, without quotes")
        return None

    def flag(self, node: Node, key: str) -> bool | None:
        if node.plain and node.value in ("true", "false"):
            return node.value == "true"
        self.error(node.key_line, f"`{key}: {_shown(node)}` is not yes or no", "write true or false")
        return None

    def word(self, node: Node, key: str, legal: Collection[str], fix: str = "") -> str:
        value = self.text(node, key)
        if not value or value in legal:
            return value
        self.error(node.key_line, f"`{key}: {value}` is not known", one_of(legal) or fix, nearest(value, legal))
        return ""

    def texts(self, node: Node, key: str) -> tuple[str, ...]:
        """A list of texts, each once."""
        seen: dict[str, None] = {}
        for item in self.items(node, f"a text of `{key}`"):
            item.key_line = item.line
            value = self.text(item, key)
            if value in seen:
                self.error(item.line, f"`{key}` names {value} twice", "keep one")
            elif value:
                seen[value] = None
        return tuple(seen)


def _shown(node: Node) -> str:
    value = node.value
    if type(value) is dict:
        return "{…}"
    if type(value) is list:
        return "[…]"
    text = str(value) if node.plain else f'"{value}"'
    return text if len(text) <= 40 else text[:39] + "…"


def is_null(node: Node) -> bool:
    return node.plain and node.value == "null"


class Record:
    """A mapping whose keys were checked; each method reads one field.

    Methods of one name read a required field; with ``_or_none`` a missing key or null is None.
    """

    __slots__ = ("fields", "line", "reader", "what")

    def __init__(self, reader: Reader, what: str, node: Node) -> None:
        self.reader = reader
        self.what = what
        self.line = node.line
        assert type(node.value) is dict
        self.fields: dict[str, Node] = node.value

    def __contains__(self, key: str) -> bool:
        return key in self.fields

    @property
    def place(self) -> Place:
        return self.reader.place(self.line)

    def line_of(self, key: str) -> int:
        node = self.fields.get(key)
        return node.key_line if node is not None else self.line

    def node(self, key: str) -> Node | None:
        """The node of ``key``; None when it is missing or null (both mean "not known")."""
        node = self.fields.get(key)
        return None if node is None or is_null(node) else node

    def error(self, key: str, what: str, fix: str = "", near: str = "") -> None:
        self.reader.error(self.line_of(key), what, fix, near)

    # ------------------------------------------------------------ text

    def text(self, key: str) -> str:
        node = self.fields.get(key)  # a missing required key was reported when the mapping was opened
        return "" if node is None else self.reader.text(node, key)

    def text_or_none(self, key: str) -> str | None:
        node = self.node(key)
        return None if node is None else self.reader.text(node, key)

    def id(self, key: str = "id", *, lower: bool = False) -> str:
        value = self.text(key)
        if value and not _ID.fullmatch(value):
            self.error(key, f"`{key}: {value}` is no id", "use letters, digits and - . _ without blanks")
        elif lower and value != value.lower():
            self.error(key, f"`{key}: {value}` has capitals", "write it in lower case", value.lower())
        return value

    def word(self, key: str, legal: Collection[str], fix: str = "") -> str:
        node = self.fields.get(key)
        return "" if node is None else self.reader.word(node, key, legal, fix)

    def word_or_none(self, key: str, legal: Collection[str], fix: str = "") -> str | None:
        node = self.node(key)
        return None if node is None else self.reader.word(node, key, legal, fix)

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts, () when the key is missing."""
        node = self.node(key)
        return () if node is None else self.reader.texts(node, key)

    def texts_or_one(self, key: str) -> tuple[str, ...]:
        """A list of texts, where one text may stand without a list."""
        node = self.node(key)
        if node is None:
            return ()
        return (self.reader.text(node, key),) if type(node.value) is str else self.reader.texts(node, key)

    def both(self, key: str) -> Text:
        """A sentence in both languages, ``{en: …, zh: …}``."""
        return self.both_or_none(key) or Text("", "")

    def both_or_none(self, key: str) -> Text | None:
        node = self.node(key)
        record = None if node is None else self.reader.record(node, f"`{key}`", "en zh")
        return None if record is None else Text(record.text("en"), record.text("zh"))

    def texts_by_language(self, key: str) -> dict[str, tuple[str, ...]]:
        """``{en: […], zh: […]}``; a language may be missing, and one text may stand without a list."""
        node = self.node(key)
        record = None if node is None else self.reader.record(node, f"`{key}`", "", "en zh")
        return {} if record is None else {lang: record.texts_or_one(lang) for lang in ("en", "zh") if lang in record}

    def url_or_none(self, key: str = "url") -> str | None:
        value = self.text_or_none(key)
        if value and (not value.startswith(("https://", "http://")) or any(c.isspace() or c in '<>|"' for c in value)):
            self.error(key, f"`{key}: {value}` is no web address", "write it with https:// and without blanks")
        return value

    # ------------------------------------------------------------ numbers, dates, yes or no

    def number(self, key: str, *, zero: bool = False, whole: bool = False) -> Decimal:
        """A positive number (or zero where ``zero``), whole where ``whole``."""
        node = self.fields.get(key)
        value = None if node is None else self.reader.number(node, key)
        return Decimal(1) if value is None else self._in_range(key, value, zero, whole)

    def number_or_none(self, key: str, *, zero: bool = False, whole: bool = False) -> Decimal | None:
        node = self.node(key)
        value = None if node is None else self.reader.number(node, key)
        return None if value is None else self._in_range(key, value, zero, whole)

    def _in_range(self, key: str, value: Decimal, zero: bool, whole: bool) -> Decimal:
        if value < 0 or (value == 0 and not zero):
            self.error(key, f"`{key}: {value}` is too small", "write 0 or more" if zero else "write a number above 0")
        elif whole and value != value.to_integral_value():
            self.error(key, f"`{key}: {value}` is not a whole number", "write a whole number")
        return value

    def day(self, key: str) -> date:
        node = self.fields.get(key)
        return (None if node is None else self.reader.day(node, key)) or date.min

    def day_or_none(self, key: str) -> date | None:
        node = self.node(key)
        return None if node is None else self.reader.day(node, key)

    def flag_or_none(self, key: str) -> bool | None:
        node = self.node(key)
        return None if node is None else self.reader.flag(node, key)

    # ------------------------------------------------------------ mappings

    def record(self, key: str, what: str, required: str, optional: str = "") -> Record | None:
        node = self.node(key)
        return None if node is None else self.reader.record(node, what, required, optional)

    def records(self, key: str, what: str, required: str, optional: str = "") -> Iterator[Record]:
        node = self.node(key)
        if node is not None:
            yield from self.reader.records(node, what, required, optional)

    def source(self, key: str) -> Source:
        """The source in this mapping itself: ``{kind, title, url}``."""
        return Source(key, self.text("title"), self.word("kind", SOURCE_KINDS), self.url_or_none())

    def sources(self, key: str, owner: str) -> tuple[Source, ...]:
        """A list of sources that stand where they are used; their keys are ``owner-1``, ``owner-2`` and so on."""
        found: Sequence[Record] = list(self.records(key, "a source", "kind title", "url"))
        return tuple(record.source(f"{owner}-{n}") for n, record in enumerate(found, 1))

    def ledger(self, owner: str) -> tuple[str, ...]:
        """The ids of an outside ledger for which this entry answers."""
        ids = self.texts("ledger")
        self.reader.ledger.extend((one, owner, self.place) for one in ids)
        return ids
