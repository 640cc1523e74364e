"""Question cases in YAML, written by whoever knows the market: run them, and say what differs.

Only what a case writes is compared. Beside the keys of the answer,
`says: [words]` wants each piece in what a person reads without asking for details, and `never_says` wants none of
them there; a difference of case or spacing does not count.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeAlias

from bot import ask
from bot.render.document import document
from bot.render.json import answer_json
from bot.render.terminal import plain_lines
from rules.model import Catalog
from rules.wire import question_to_json, round_half_up
from rules.yamltext import MAX_BYTES, Node, YamlError, read_yaml

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,17})(?:\.[0-9]{1,12})?", re.ASCII)
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)
_KEYS = ("name", "ask", "as_of", "expect", "world", "ledger")
_NEAR = Decimal("0.000001")  # between two numbers of a question
_SHOWN = 300  # characters of a value in a message

Value: TypeAlias = Any  # text, Decimal, bool, None, list, dict: what a case may write
Asked: TypeAlias = "str | tuple[str, ...]"  # one message, or the messages of a thread


class CaseError(Exception):
    """A case file that cannot be read; ``str()`` is ``file:line: what is wrong; what would be right``."""


@dataclass(frozen=True, slots=True)
class Case:
    """A situation and what must come of it. ``asks`` are several ways of saying it, each of which must do."""

    name: str
    asks: tuple[Asked, ...]
    as_of: date | None
    expect: Mapping[str, Value]
    file: str
    line: int
    world: Path | None = None

    @property
    def place(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True)
class Difference:
    """Where an answer is not what was expected."""

    key: str
    expected: str
    got: str

    def __str__(self) -> str:
        return f"{self.key}: expected {self.expected}, got {self.got}"


@dataclass(frozen=True, slots=True)
class Outcome:
    case: Case
    asked: Asked
    differences: tuple[Difference, ...]

    @property
    def passed(self) -> bool:
        return not self.differences


# ---------------------------------------------------------------- reading


def case_files(paths: Sequence[Path]) -> list[Path]:
    """The YAML files of the paths, folders searched; raises ``CaseError`` for a path that is not there."""
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            inside = sorted(one for one in path.rglob("*") if one.suffix in (".yaml", ".yml") and one.is_file())
            if not inside:
                raise CaseError(f"{path}: there is no .yaml file in this folder; name a file with cases")
            found += inside
        elif path.is_file():
            found.append(path)
        else:
            raise CaseError(f"{path}: there is no such file; name a file or a folder with cases")
    return list(dict.fromkeys(found))


def read_cases(path: Path) -> list[Case]:
    """The cases of one file, in its order; raises ``CaseError`` with the place of the first mistake."""
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
        text = content.decode("utf-8-sig")
    except OSError as error:
        raise CaseError(f"{path}: it cannot be read ({error.strerror}); name a file that can") from None
    except UnicodeDecodeError:
        raise CaseError(f"{path}: it is not UTF-8; save it as UTF-8") from None
    if len(content) > MAX_BYTES:
        raise CaseError(f"{path}: it is larger than {MAX_BYTES} bytes; split it")
    try:
        root, repeated = read_yaml(text)
    except YamlError as error:
        raise CaseError(f"{path}:{error.line}: {error.what}; {error.fix}") from None
    for one in repeated:
        raise CaseError(f"{path}:{one.line}: `{one.key}` stands twice, first in line {one.first}; delete one")
    if root is None:
        return []
    if type(root.value) is not list:
        raise CaseError(f"{path}:{root.line}: cases are a list; begin each with `- name: …`")
    return [_case(path, node) for node in root.value]


def _case(path: Path, node: Node) -> Case:
    if type(node.value) is not dict:
        raise CaseError(f"{path}:{node.line}: a case is a mapping; write `- name: …`")
    fields = node.value
    for key, value in fields.items():
        if key not in _KEYS:
            raise CaseError(f"{path}:{value.key_line}: a case has no key `{key}`; keys are {', '.join(_KEYS)}")
    for key in ("name", "ask", "expect"):
        if key not in fields:
            raise CaseError(f"{path}:{node.line}: a case lacks `{key}`; add it")
    expect = plain(fields["expect"])
    if not isinstance(expect, dict) or not expect:
        raise CaseError(f"{path}:{fields['expect'].key_line}: `expect` compares nothing; write a key of the answer")
    return Case(
        name=str(plain(fields["name"])),
        asks=_asks(path, fields["ask"]),
        as_of=_day(path, fields.get("as_of")),
        expect=expect,
        file=str(path),
        line=node.line,
        world=_world(path, fields.get("world")),
    )


def _asks(path: Path, node: Node) -> tuple[Asked, ...]:
    """One question, several ways of asking it, or threads: a list within the list."""
    asks: list[Asked] = []
    for item in node.value if type(node.value) is list else [node]:
        if type(item.value) is str and item.value.strip():
            asks.append(item.value)
        elif type(item.value) is list and item.value and all(type(one.value) is str for one in item.value):
            asks.append(tuple(str(one.value) for one in item.value))
        else:
            raise CaseError(f"{path}:{item.line}: `ask` is a question or a list of them; write the text")
    if not asks:
        raise CaseError(f"{path}:{node.key_line}: `ask` asks nothing; write a question")
    return tuple(asks)


def _day(path: Path, node: Node | None) -> date | None:
    if node is None:
        return None
    try:
        if type(node.value) is str and _DATE.fullmatch(node.value):
            return date.fromisoformat(node.value)
    except ValueError:
        pass
    raise CaseError(f"{path}:{node.key_line}: `as_of` is not a date; write YYYY-MM-DD")


def _world(path: Path, node: Node | None) -> Path | None:
    """The knowledge folder a case asks of: a path from the case's file, or a name under ``worlds`` nearby."""
    if node is None:
        return None
    name = str(node.value)
    for folder in (path.parent / name, path.parent / "worlds" / name, path.parent.parent / "worlds" / name):
        if folder.is_dir():
            return folder
    raise CaseError(f"{path}:{node.key_line}: there is no world `{name}`; name a folder, or one under `worlds`")


def plain(node: Node) -> Value:
    """The values of a node: text, Decimal, true or false, null, lists and mappings; a date stays its text."""
    value = node.value
    if type(value) is list:
        return [plain(item) for item in value]
    if type(value) is dict:
        return {key: plain(item) for key, item in value.items()}
    if not node.plain:
        return value
    if value in ("null", "~", ""):
        return None
    if value in ("true", "false"):
        return value == "true"
    return Decimal(str(value)) if _NUMBER.fullmatch(str(value)) else value


# ---------------------------------------------------------------- running


def run(cases: Sequence[Case], catalog_of: Callable[[Path | None], Catalog], today: date) -> Iterator[Outcome]:
    """Ask every case in every way it is written; ``catalog_of`` gives the catalogue of a world."""
    for case in cases:
        catalog = catalog_of(case.world)
        for asked in case.asks:
            yield Outcome(case, asked, differences(case, asked, catalog, today))


def differences(case: Case, asked: Asked, catalog: Catalog, today: date) -> tuple[Difference, ...]:
    parsed = ask.parse(asked, catalog) if isinstance(asked, str) else ask.parse_thread(asked, catalog)
    answer = ask.answer(parsed, catalog, case.as_of or today)
    got = answer_json(answer)
    got["cautions"] = sorted({caution for quote in got["quotes"] for caution in quote["cautions"]})
    got["question"] = question_to_json(answer.question)
    if "says" in case.expect or "never_says" in case.expect:
        got["says"] = got["never_says"] = plain_lines(document(answer), everything=True)
    return tuple(one for key, expected in case.expect.items() for one in compare_key(key, expected, got))


def compare_key(key: str, expected: Value, got: Mapping[str, Any]) -> list[Difference]:
    """What differs at one key under ``expect``."""
    found = got.get(key)
    if key == "question" and isinstance(expected, Mapping):
        return _compare_question(expected, got["question"])
    if key == "quotes" and isinstance(expected, list):
        return _compare_first(expected, found or [])
    if key == "left_out" and isinstance(expected, Mapping):
        return _compare_left_out(expected, found or [])
    if key in ("says", "never_says"):
        return _compare_words(key, expected, found or [])
    return compare(key, expected, found)


def compare(path: str, expected: Value, got: Any) -> list[Difference]:
    """What differs between a written value and the answer's; only what is written is compared."""
    if isinstance(expected, Mapping):
        if not isinstance(got, Mapping):
            return [_difference(path, expected, got)]
        return [one for key, value in expected.items() for one in compare(f"{path}.{key}", value, got.get(key))]
    if isinstance(expected, list):
        return _compare_list(path, expected, got)
    return [] if _same(expected, got) else [_difference(path, expected, got)]


def _compare_list(path: str, expected: list[Value], got: Any) -> list[Difference]:
    """Each written row matches some row; an empty list means that there is none."""
    if not isinstance(got, list):
        return [] if not expected and got is None else [_difference(path, expected, got)]
    if not expected:
        return [_difference(path, expected, got)] if got else []
    missing = [row for row in expected if all(compare(path, row, one) for one in got)]
    return [_difference(path, row, _nearest(row, got)) for row in missing]


def _nearest(row: Value, rows: list[Any]) -> Any:
    """The row that was meant, for the message: the one about the same offer, else all of them."""
    if isinstance(row, Mapping):
        for key in ("offer", "rule", "key"):
            same = [one for one in rows if isinstance(one, Mapping) and key in row and one.get(key) == row[key]]
            if same:
                return {name: same[0].get(name) for name in row}
        return [{name: one.get(name) for name in row} for one in rows if isinstance(one, Mapping)]
    return rows


def _compare_first(expected: list[Value], got: list[Any]) -> list[Difference]:
    """Quotes are the first rows, in order; none written means that there are none."""
    if not expected:
        return [_difference("quotes", [], [row.get("offer") for row in got])] if got else []
    found: list[Difference] = []
    for n, row in enumerate(expected):
        if n < len(got):
            found += compare(f"quotes[{n + 1}]", row, got[n])
        else:
            found.append(_difference(f"quotes[{n + 1}]", row, None))
    return found


def _compare_left_out(expected: Mapping[str, Value], got: list[Any]) -> list[Difference]:
    if not expected and got:
        return [_difference("left_out", {}, got)]
    found = []
    for offer, reason in expected.items():
        reasons = [row.get("reason") for row in got if row.get("offer") == offer]
        if reason not in reasons:
            found.append(_difference(f"left_out.{offer}", reason, reasons[0] if reasons else None))
    return found


def _compare_words(key: str, expected: Value, lines: list[str]) -> list[Difference]:
    """Pieces of text that must, or must not, stand in what a person reads."""
    text = _folded(" ".join(lines))
    pieces = expected if isinstance(expected, list) else [expected]
    wrong = [piece for piece in pieces if (_folded(_said(piece)) in text) != (key == "says")]
    return [_difference(key, piece, text) for piece in wrong]


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def _same(expected: Value, got: Any) -> bool:
    """Numbers are compared rounded to the precision written, two decimals at least."""
    if expected is None or got is None or isinstance(expected, bool) or isinstance(got, bool):
        return expected is got
    if isinstance(expected, Decimal):
        if not isinstance(got, (int, float)):
            return False
        exponent = expected.as_tuple().exponent
        places = max(2, -exponent if isinstance(exponent, int) else 0)
        return round_half_up(Decimal(str(got)), places) == expected
    return bool(expected == got)


def _compare_question(expected: Mapping[str, Value], got: Mapping[str, Any]) -> list[Difference]:
    """The whole question counts; ``lang`` only when it is written."""
    mine, theirs = _slots(expected), _slots(got)
    if "lang" not in expected:
        theirs.pop("lang", None)
    return [
        _difference(f"question.{slot}", expected.get(slot), got.get(slot))
        for slot in sorted({*mine, *theirs})
        if not _same_slot(mine.get(slot), theirs.get(slot))
    ]


def _slots(question: Mapping[str, Any]) -> dict[str, Any]:
    """A question whose lists have no order and in which a count of one is none."""
    slots = {key: value for key, value in question.items() if not (key == "gpu_count" and value == 1)}
    if isinstance(slots.get("gpus"), list):
        slots["gpus"] = [
            {key: value for key, value in gpu.items() if not (key == "count" and value == 1)}
            if isinstance(gpu, Mapping)
            else gpu
            for gpu in slots["gpus"]
        ]
    return slots


def _same_slot(one: Any, two: Any) -> bool:
    if isinstance(one, list) and isinstance(two, list):
        return _covers(one, two) and _covers(two, one)
    if isinstance(one, Mapping) and isinstance(two, Mapping):
        return one.keys() == two.keys() and all(_same_slot(one[key], two[key]) for key in one)
    if _is_number(one) and _is_number(two):
        return abs(Decimal(str(one)) - Decimal(str(two))) <= _NEAR
    return bool(one == two) and isinstance(one, bool) == isinstance(two, bool)


def _covers(some: list[Any], others: list[Any]) -> bool:
    return all(any(_same_slot(one, other) for other in others) for one in some)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, Decimal)) and not isinstance(value, bool)


def _difference(key: str, expected: Value, got: Any) -> Difference:
    return Difference(key, _shown(expected), _shown(got))


def _shown(value: Any) -> str:
    text = _said(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]} …"


def _said(value: Any) -> str:
    """A value as a case would write it."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {_said(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_said(item) for item in value) + "]"
    return str(value)
