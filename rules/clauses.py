"""Reads one clause of the guidance and says what is wrong with it, to the column.

The syntax is a small part of the library rule-engine: names of facts, comparison, ``in``, ``and or not``, literals.
This reader refuses everything else and every name, kind or value that cannot be right. What is left is so little that
it is evaluated here: importing the library takes longer than answering a question. ``gpu-bot check`` has the library
read every clause as well, and a test holds both to the same answers.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, NamedTuple, NoReturn

from rules.facts import FACTS, Fact
from rules.fields import nearest

_TOKEN = re.compile(
    r"""\s*(?:(?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
          |(?P<number>-?(?:\d+(?:\.\d+)?|\.\d+)(?![\w.]))
          |(?P<name>[A-Za-z_][\w]*(?:\.[A-Za-z_]\w*)*)
          |(?P<sign>==|!=|<=|>=|<|>|\(|\)|\[|\]|,)
          |(?P<other>\S))""",
    re.VERBOSE,
)
_ORDER = ("<", "<=", ">", ">=")
_EQUAL = ("==", "!=")
_RESERVED = ("and", "or", "not", "in", "true", "false")
_PREFIXES = ("question", "offer", "quote")
_REFUSED = {
    "=": ("one = is no comparison", "write =="),
    "~": ("a regular expression is not allowed", "compare with == or in"),
    "&": ("& is not allowed", "write and"),
    "|": ("| is not allowed", "write or"),
    "!": ("! is not allowed", "write not, or !="),
    "+": ("arithmetic is not allowed", "compare a fact with a number"),
    "-": ("arithmetic is not allowed", "compare a fact with a number"),
    "*": ("arithmetic is not allowed", "compare a fact with a number"),
    "/": ("arithmetic is not allowed", "compare a fact with a number"),
    "%": ("arithmetic is not allowed", "compare a fact with a number"),
    "#": ("a comment is not allowed inside a clause", "put it on a line of its own"),
    "{": ("braces are not allowed", "write a list as [\"a\", \"b\"]"),
    '"': ("a quotation mark is never closed", 'write the value as "value"'),
    "'": ("a quotation mark is never closed", 'write the value as "value"'),
}  # fmt: skip
_FORBIDDEN_WORDS = {
    "null": ("null is not allowed", "a fact that is not known leaves the clause undecided by itself"),
    "for": ("a comprehension is not allowed", 'write "value" in fact'),
    "if": ("a choice is not allowed inside a clause", "write one rule for each case"),
    "inf": ("inf is not a number here", "write the number"),
    "nan": ("nan is not a number here", "write the number"),
}
_USE = "use comparison, in, and, or, not between facts and values"


class ClauseProblem(NamedTuple):
    """What is wrong with a clause; ``column`` is 1-based within its text."""

    what: str
    fix: str = ""
    near: str = ""
    column: int = 1


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str  # text | number | name | sign | other | end
    text: str
    column: int

    @property
    def value(self) -> str:
        return re.sub(r"\\(.)", r"\1", self.text[1:-1]) if self.kind == "text" else self.text


Facts = Mapping[str, Any]
Evaluate = Callable[[Facts], Any]


def _never(_facts: Facts) -> Any:
    raise AssertionError("an operand without a value is never asked for one")


@dataclass(frozen=True, slots=True)
class _Operand:
    """One side of a comparison. ``kind`` as in Fact, "empty" for []; ``literals`` are the values written there."""

    kind: str
    token: _Token
    fact: Fact | None = None
    literals: tuple[_Token, ...] = ()
    judged: bool = False  # a comparison or a parenthesis: already a yes/no of facts
    value: Evaluate = _never  # the value for given facts


class _ClauseError(Exception):
    def __init__(self, problem: ClauseProblem) -> None:
        super().__init__(problem.what)
        self.problem = problem


def _fail(token: _Token, what: str, fix: str = "", near: str = "") -> NoReturn:
    raise _ClauseError(ClauseProblem(what, fix, near, token.column))


def read_clause(
    text: str, *, on: str = "rule", known: Mapping[str, Collection[str]] | None = None
) -> list[str] | ClauseProblem:
    """The facts a clause names, in order and once each, or what is wrong with it.

    ``on`` "scenario" allows only ``question.*``. ``known`` holds the legal providers, gpus and regions ("provider",
    "gpu", "region"); without it such words are not checked.
    """
    try:
        return list(_Reader(_tokens(text), on, known or {}).clause()[0])
    except _ClauseError as bad:
        return bad.problem


def evaluator(text: str) -> Callable[[Facts], bool]:
    """Whether a sound clause holds for given facts, by their names. Raises ``ValueError`` for one that is not sound."""
    try:
        return _Reader(_tokens(text), "rule", {}).clause()[1]
    except _ClauseError as bad:
        raise ValueError(f"the clause {text!r} cannot be read: {bad.problem.what}") from None


def flatten(text: str) -> str:
    """The clause with each fact as one word (``question.hours`` → ``question__hours``), texts left alone."""

    def one(match: re.Match[str]) -> str:
        name = match["name"]
        return match[0].replace(name, FACTS[name].flat) if name in FACTS else match[0]

    return _TOKEN.sub(one, text)


def _tokens(text: str) -> list[_Token]:
    out = []
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or "other"
        out.append(_Token(kind, match[kind], match.start(kind) + 1))
    out.append(_Token("end", "", len(text.rstrip()) + 1))
    return out


_SIGNS: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "in": lambda value, values: value in values,
    "not in": lambda value, values: value not in values,
}


def _literal(token: _Token) -> str | Decimal:
    return Decimal(token.text) if token.kind == "number" else token.value


def _constant(value: Any) -> Evaluate:
    return lambda _facts: value


def _join(word: str, first: Evaluate, second: Evaluate) -> Evaluate:
    if word == "or":
        return lambda facts: first(facts) or second(facts)
    return lambda facts: first(facts) and second(facts)


class _Reader:
    """Recursive descent over ``or`` < ``and`` < ``not`` < comparison, the precedence of the library."""

    def __init__(self, tokens: list[_Token], on: str, known: Mapping[str, Collection[str]]) -> None:
        self.tokens = tokens
        self.at = 0
        self.on = on
        self.known = known
        self.names: dict[str, None] = {}

    def clause(self) -> tuple[tuple[str, ...], Callable[[Facts], bool]]:
        if self.here.kind == "end":
            _fail(self.here, "the clause is empty", "write a comparison such as question.hours > 24")
        self._yes_no(whole := self._any())
        if self.here.kind != "end":
            self._unexpected()
        return tuple(self.names), whole.value

    @property
    def here(self) -> _Token:
        return self.tokens[self.at]

    def _take(self, *words: str) -> _Token | None:
        token = self.here
        if token.kind in ("name", "sign") and token.text in words:
            self.at += 1
            return token
        return None

    def _any(self) -> _Operand:
        return self._joined("or", self._all)

    def _all(self) -> _Operand:
        return self._joined("and", self._not)

    def _joined(self, word: str, part: Callable[[], _Operand]) -> _Operand:
        first = part()
        while self._take(word):
            self._yes_no(first)
            self._yes_no(second := part())
            first = _Operand("yes/no", second.token, judged=True, value=_join(word, first.value, second.value))
        return first

    def _not(self) -> _Operand:
        token = self._take("not")
        if token is None:
            return self._comparison()
        self._yes_no(inner := self._not())
        return _Operand("yes/no", token, judged=True, value=lambda facts: not inner.value(facts))

    def _comparison(self) -> _Operand:
        left = self._operand()
        sign, negated = self._take(*_ORDER, *_EQUAL, "in"), False
        if sign is None and self.here.text == "not" and self.tokens[self.at + 1].text == "in":
            self.at += 1
            sign, negated = self._take("in"), True
        if sign is None:
            return left
        right = self._operand()
        if self.here.text in (*_ORDER, *_EQUAL, "in"):
            _fail(self.here, "comparisons cannot be chained", "write two clauses")
        self._compare(left, sign, right)
        test = _SIGNS["not in" if negated else sign.text]
        return _Operand(
            "yes/no", left.token, judged=True, value=lambda facts: test(left.value(facts), right.value(facts))
        )

    def _compare(self, left: _Operand, sign: _Token, right: _Operand) -> None:
        if not (left.fact or right.fact or left.judged or right.judged):
            _fail(left.token, "two fixed values are compared, so the answer never changes", "name a fact on one side")
        if sign.text == "in":
            self._member(left, right)
        elif sign.text in _ORDER:
            for side in (left, right):
                if side.kind != "number":
                    _fail(side.token, f"{sign.text} orders numbers; {_said(side)}", "compare it with == or in")
        elif left.kind != right.kind:
            _fail(right.token, f"{_said(left)} is compared where {_said(right)}", _how(left.fact or right.fact))
        elif left.kind in ("list", "empty"):
            _fail(left.token, "a list is not compared as a whole", 'write "value" in the list')
        self._legal(left, right)
        self._legal(right, left)

    def _member(self, left: _Operand, right: _Operand) -> None:
        if right.kind == "empty":
            _fail(right.token, "the list is empty, so the clause never holds", "write the values")
        if right.kind != "list":
            _fail(right.token, f"in looks into a list; {_said(right)}", "write == to compare two values")
        if left.kind not in ("text", "number"):
            _fail(left.token, f"in looks for one value; {_said(left)}", 'write "value" in the list')
        kinds = {token.kind for token in right.literals} or {"text"}
        if kinds != {left.kind}:
            _fail(
                right.token,
                f"{_said(left)}, and the list holds {' and '.join(sorted(kinds))}",
                "write values of one kind",
            )

    def _legal(self, side: _Operand, other: _Operand) -> None:
        """Every literal beside a fact with closed values is one of them."""
        if side.fact is None:
            return
        words = side.fact.words or tuple(self.known.get(side.fact.among, ()))
        if not words:
            return
        for token in other.literals:
            if token.kind == "text" and token.value not in words:
                listed = f"one of {', '.join(words)}" if len(words) <= 16 else f"a known {side.fact.among}"
                _fail(
                    token, f'{side.fact.name} is never "{token.value}"', f"it is {listed}", nearest(token.value, words)
                )

    def _operand(self) -> _Operand:
        token = self.here
        if self._take("("):
            inner = self._any()
            if not self._take(")"):
                self._unexpected("a parenthesis is never closed")
            return replace(inner, token=token)
        if self._take("["):
            return self._list(token)
        if token.kind in ("text", "number"):
            self.at += 1
            return _Operand(token.kind, token, literals=(token,), value=_constant(_literal(token)))
        if self._take("true", "false"):
            return _Operand("yes/no", token, literals=(token,), value=_constant(token.text == "true"))
        if token.kind == "name" and token.text not in _RESERVED:
            return self._name(token)
        return self._unexpected()

    def _list(self, start: _Token) -> _Operand:
        values: list[_Token] = []
        while not self._take("]"):
            if values and not self._take(","):
                self._unexpected("a list is never closed")
            token = self.here
            if token.kind not in ("text", "number"):
                self._unexpected("a list holds texts or numbers")
            values.append(token)
            self.at += 1
        held = tuple(_literal(token) for token in values)
        return _Operand("list" if values else "empty", start, literals=tuple(values), value=_constant(held))

    def _name(self, token: _Token) -> _Operand:
        self.at += 1
        name = token.text
        if self.here.text == "(":
            _fail(token, f"{name}(…) is a call, and calls are not allowed", "compare a fact with a value")
        if self.here.text == "[":
            _fail(self.here, "a part of a value cannot be picked", 'write "value" in the list')
        fact = FACTS.get(name)
        if fact is None:
            self._unknown(token)
        if self.on == "scenario" and not name.startswith("question."):
            _fail(token, f"{name} is not known to a scenario", "a scenario names only question.* facts")
        self.names[name] = None
        return _Operand(fact.kind, token, fact, value=lambda facts: facts[name])

    def _unknown(self, token: _Token) -> NoReturn:
        name = token.text
        if name in _FORBIDDEN_WORDS:
            _fail(token, *_FORBIDDEN_WORDS[name])
        owner = next((fact for fact in FACTS if name.startswith(fact + ".")), None)
        if owner:
            _fail(token, f"{owner} has no parts such as {name[len(owner) :]}", f"write {owner} alone", owner)
        legal = [fact for fact in FACTS if self.on == "rule" or fact.startswith("question.")]
        bare = "." not in name and not any(fact.endswith(f".{name}") for fact in legal)
        if bare and any(name in fact.words for fact in FACTS.values()):
            _fail(token, f"{name} is a value, not a fact", f'write it in quotes: "{name}"', f'"{name}"')
        near = _nearest_fact(name, legal)
        _fail(token, f"{name} is not a fact", "name a fact of the table in rules/facts.py", near)

    def _yes_no(self, operand: _Operand) -> None:
        if operand.kind != "yes/no":
            if self.here.kind in ("other", "number", "text"):
                self._unexpected()
            _fail(operand.token, f"{_said(operand)}, not yes or no", _how(operand.fact))
        if operand.fact is None and not operand.judged:
            _fail(operand.token, f"{operand.token.text} alone never changes", "name a fact")

    def _unexpected(self, what: str = "") -> NoReturn:
        token = self.here
        if token.kind == "end":
            _fail(token, what or "the clause ends too early", "write a fact or a value here")
        if token.kind == "other":
            refused = _REFUSED.get(
                token.text, (f"{token.text} is not allowed in a clause", "use comparison, in, and, or, not")
            )
            _fail(token, *refused)
        if token.kind == "number" and token.text.startswith("-") and not what:
            _fail(token, "arithmetic is not allowed", "compare a fact with a number")
        if token.kind == "name" and token.text in _FORBIDDEN_WORDS:
            _fail(token, *_FORBIDDEN_WORDS[token.text])
        _fail(
            token,
            what or f"{token.text} is not expected here",
            _USE,
        )


def _nearest_fact(name: str, legal: Sequence[str]) -> str:
    """The fact most likely meant: the same last word anywhere, then a similar one under the same first word."""
    first, dot, last = name.partition(".")
    if not dot:
        first, last = "", name
    tails = {fact.partition(".")[2]: fact for fact in reversed(legal)}
    if last in tails:
        return tails[last]
    if first in _PREFIXES:
        tails = {fact.partition(".")[2]: fact for fact in legal if fact.startswith(first + ".")}
    near = nearest(last, list(tails))
    return tails[near] if near else ""


def _said(operand: _Operand) -> str:
    what = operand.fact.name if operand.fact else operand.token.text if operand.literals else "this"
    what = "the list" if not operand.fact and operand.kind in ("list", "empty") else what
    article = {"yes/no": "yes or no", "empty": "an empty list"}.get(operand.kind, f"a {operand.kind}")
    return f"{what} is {article}"


def _how(fact: Fact | None) -> str:
    if fact is None:
        return "name a fact and compare it"
    example = {
        "number": f"{fact.name} > 24",
        "text": f'{fact.name} == "{fact.words[0] if fact.words else "value"}"',
        "list": f'"{fact.words[0] if fact.words else "value"}" in {fact.name}',
        "yes/no": f"{fact.name}, or not {fact.name}",
    }[fact.kind]
    return f"write for example {example}"
