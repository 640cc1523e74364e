"""YAML text to nodes that remember their lines. Nothing is guessed: a scalar stays the text it is.

Only scalars, lists and mappings are read. Anchors, aliases, tags and second documents are refused, and size,
depth and number of values have limits, so that no file can expand in memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import yaml

MAX_BYTES = 8_000_000
MAX_DEPTH = 40
MAX_VALUES = 1_000_000

Content: TypeAlias = "str | list[Node] | dict[str, Node]"

_SYNTAX_FIX = "check indentation and brackets, and quote a text that holds `: ` or ` #` or begins with a sign"


class Node:
    """One value as written. ``value`` is the text, the list of nodes, or the mapping of key to node."""

    __slots__ = ("column", "key_line", "line", "plain", "value")

    def __init__(self, value: Content, line: int, column: int, plain: bool) -> None:
        self.value = value
        self.line = line  # 1-based
        self.column = column  # 1-based
        self.plain = plain  # without quotes: only such a scalar can be a number, a date, true, false or null
        self.key_line = line  # where its key stands, for a value of a mapping


@dataclass(frozen=True, slots=True)
class Repeated:
    """A key that stands twice in one mapping."""

    key: str
    line: int
    first: int  # line of the first one, which is kept


class YamlError(Exception):
    """Why a text cannot be read at all: ``line``, ``what`` is wrong, ``fix`` is what would be right."""

    def __init__(self, line: int, what: str, fix: str) -> None:
        super().__init__(what)
        self.line = line
        self.what = what
        self.fix = fix


def read_yaml(text: str) -> tuple[Node | None, list[Repeated]]:
    """The root node of one document (None when it is empty) and the keys that stand twice.

    Raises ``YamlError`` when the text cannot be read at all.
    """
    builder = _Builder()
    # The C parser is about ten times as fast; the Python one reads the same language.
    parser: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)(text)
    next_event, take, scalar = parser.get_event, builder.take, builder.scalar
    try:
        while (event := next_event()) is not None:
            # nearly all events are scalars
            if type(event) is yaml.ScalarEvent:
                scalar(event)
            else:
                take[type(event)](event)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark is not None else 1
        raise YamlError(line, f"this cannot be read as YAML ({error.problem})", _SYNTAX_FIX) from None
    except yaml.reader.ReaderError:
        raise YamlError(_control_line(text), "a control character stands here", "delete it") from None
    return builder.root, builder.repeated


def _control_line(text: str) -> int:
    bad = yaml.reader.Reader.NON_PRINTABLE.search(text)
    return text.count("\n", 0, bad.start()) + 1 if bad else 1


class _Builder:
    """Puts the parser's events together; a stack instead of recursion, so that depth costs nothing."""

    def __init__(self) -> None:
        self.root: Node | None = None
        self.repeated: list[Repeated] = []
        self._into: Any = None  # the list or mapping that is being filled
        self._outer: list[Any] = []
        self._key: Node | None = None  # waits for its value
        self._count = 0
        self._documents = 0
        self.take: dict[type, Any] = {
            yaml.SequenceStartEvent: self._start,
            yaml.MappingStartEvent: self._start,
            yaml.SequenceEndEvent: self._end,
            yaml.MappingEndEvent: self._end,
            yaml.AliasEvent: self._alias,
            yaml.DocumentStartEvent: self._document,
            yaml.DocumentEndEvent: self._ignore,
            yaml.StreamStartEvent: self._ignore,
            yaml.StreamEndEvent: self._ignore,
        }

    def scalar(self, event: Any) -> None:
        mark = event.start_mark
        node = Node(event.value, mark.line + 1, mark.column + 1, not event.style)
        if event.anchor is not None or event.tag is not None:
            raise _refusal(event, node.line)
        self._put(node)

    def _start(self, event: Any) -> None:
        mark = event.start_mark
        node = Node({} if type(event) is yaml.MappingStartEvent else [], mark.line + 1, mark.column + 1, False)
        if event.anchor is not None or event.tag is not None:
            raise _refusal(event, node.line)
        self._put(node)
        if len(self._outer) >= MAX_DEPTH:
            raise YamlError(node.line, f"values are nested more than {MAX_DEPTH} levels deep here", "write it flatter")
        self._outer.append(self._into)
        self._into = node.value

    def _end(self, _event: Any) -> None:
        self._into = self._outer.pop()

    def _put(self, node: Node) -> None:
        self._count += 1
        if self._count > MAX_VALUES:
            raise YamlError(node.line, f"the file holds more than {MAX_VALUES} values", "split it into several files")
        into = self._into
        if into is None:
            self.root = node
        elif type(into) is list:
            into.append(node)
        elif self._key is None:
            if type(node.value) is not str:
                raise YamlError(node.line, "a list or a mapping stands where a key should be", "make the key one word")
            self._key = node
        else:
            self._put_value(into, self._key, node)
            self._key = None

    def _put_value(self, into: dict[str, Node], key: Node, node: Node) -> None:
        name = str(key.value)
        node.key_line = key.line
        if name in into:
            self.repeated.append(Repeated(name, key.line, into[name].key_line))
        else:
            into[name] = node

    def _alias(self, event: Any) -> None:
        line = event.start_mark.line + 1
        raise YamlError(line, f"the alias `*{event.anchor}` is not read", "write the value out")

    def _document(self, event: Any) -> None:
        self._documents += 1
        if self._documents > 1:
            line = event.start_mark.line + 1
            raise YamlError(line, "a second document begins here with `---`", "keep one document in a file")

    def _ignore(self, _event: Any) -> None:
        pass


def _refusal(event: Any, line: int) -> YamlError:
    if event.anchor is not None:
        return YamlError(line, f"the anchor `&{event.anchor}` is not read", "write the value out where it is needed")
    return YamlError(line, f"the tag `{event.tag}` is not read", "write the value alone")
