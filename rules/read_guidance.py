"""Guidance files to Rules, Scenarios and Topics."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from rules.fields import Reader, Record
from rules.model import BUILT_IN_CAUTIONS, BUILT_IN_REASONS, AdviceOption, Place, Rule, Scenario, Text, Topic
from rules.yamltext import Node

T = TypeVar("T")
STATUSES = ("draft", "active", "retired")
EFFECTS = ("exclude", "caution", "prefer", "ask")

# (what is wrong, what would be right, nearest legal word, 1-based column in the text)
Finding: TypeAlias = "tuple[str, str, str, int]"


@dataclass(frozen=True, slots=True)
class ClauseChecks:
    """What is wrong with a clause of a "rule" or a "scenario", and with a sentence beside its clauses."""

    clause: Callable[[str, str], Finding | None]
    sentence: Callable[[str, Sequence[str]], Finding | None]


@dataclass(frozen=True, slots=True)
class GuidanceReader:
    """Reads the entries of one file; without ``checks`` clauses are not looked into."""

    reader: Reader
    checks: ClauseChecks | None = None

    def rules(self, root: Node) -> tuple[Rule, ...]:
        """The rules of a file of ``guidance/``, a list."""
        if type(root.value) is dict:
            place = "`guidance/scenarios/` or `guidance/topics/`"
            self.reader.error(
                root.line, "this file is not a list of rules", f"begin each with `- `, or move it to {place}"
            )
            return ()
        return tuple(
            rule for item in self.reader.items(root, "a rule") if (rule := self._sound(item, self._rule)) is not None
        )

    def scenario(self, root: Node) -> Scenario | None:
        """The scenario that the file is."""
        return self._sound(root, self._scenario)

    def topic(self, root: Node) -> Topic | None:
        """The topic that the file is."""
        return self._sound(root, self._topic)

    def topics(self, root: Node) -> tuple[Topic, ...]:
        """The topics of the glossary, a list."""
        items = self.reader.items(root, "a term")
        return tuple(topic for item in items if (topic := self._sound(item, self._topic)) is not None)

    def _sound(self, node: Node, read: Callable[[Node], T | None]) -> T | None:
        before = self.reader.errors
        value = read(node)
        return value if self.reader.errors == before else None

    def _rule(self, node: Node) -> Rule | None:
        one = self.reader.record(
            node,
            "a rule",
            "id status title when then because sources reviewed",
            "fires_on silent_on overrides ledger",
        )
        if one is None:
            return None
        name = one.id()
        if name in BUILT_IN_REASONS or name in BUILT_IN_CAUTIONS:
            one.error("id", f"`{name}` is the name of a built-in reason", "choose another id")
        before = self.reader.errors
        when, places = self._clauses(one, "when")
        sound = self.reader.errors == before  # a sentence cannot be measured by clauses that are wrong
        return Rule(
            id=name,
            status=one.word("status", STATUSES),
            title=one.both("title"),
            when=when,
            when_places=places,
            effect=one.word("then", EFFECTS),
            because=self._sentence(one, when) if sound else one.both("because"),
            sources=one.sources("sources", name),
            reviewed=one.day("reviewed"),
            place=one.place,
            fires_on=one.texts_or_one("fires_on"),
            silent_on=one.texts_or_one("silent_on"),
            overrides=one.texts("overrides"),
            ledger=one.ledger(name),
        )

    def _clauses(self, one: Record, key: str) -> tuple[tuple[str, ...], tuple[Place, ...]]:
        node = one.fields.get(key)
        items = self.reader.items(node, "a clause") if node is not None else []
        if node is not None and not items:
            one.error(key, f"`{key}` has no clause", "write at least one, as `- question.hours > 24`")
        when, places = [], []
        for item in items:
            item.key_line = item.line
            clause = self.reader.text(item, "clause")
            if self.checks is not None and clause:
                self._report(item, self.checks.clause(clause, "rule" if key == "when" else "scenario"))
            when.append(clause)
            places.append(self.reader.place(item.line))
        return tuple(when), tuple(places)

    def _sentence(self, one: Record, when: Sequence[str]) -> Text:
        """The reason of a rule, whose ``{facts}`` must be known when it is said."""
        node = one.node("because")
        languages = node.value if node is not None and type(node.value) is dict else {}
        for item in languages.values():
            if self.checks is not None and type(item.value) is str:
                self._report(item, self.checks.sentence(item.value, when))
        return one.both("because")

    def _report(self, node: Node, finding: Finding | None) -> None:
        if finding is not None:
            what, fix, near, column = finding
            # a quoted text begins after its quote
            self.reader.error(node.line, what, fix, near, node.column + column - (1 if node.plain else 0))

    def _scenario(self, node: Node) -> Scenario | None:
        one = self.reader.record(node, "a scenario", "id title applies options reviewed", "corrects asks ledger gpus")
        if one is None:
            return None
        name = one.id()
        options = tuple(
            self._option(option, name)
            for option in one.records("options", "an option", "id advice condition sources", "ledger")
        )
        if not options and "options" in one:
            one.error("options", "the scenario has no option", "write at least one, with its condition and sources")
        return Scenario(
            id=name,
            title=one.both("title"),
            applies=self._clauses(one, "applies")[0],
            options=options,
            reviewed=one.day("reviewed"),
            place=one.place,
            corrects=one.both_or_none("corrects"),
            asks=one.texts_by_language("asks"),
            ledger=one.ledger(name),
            gpus=self._cards(one),
        )

    def _cards(self, one: Record) -> tuple[str, ...]:
        """Models of the table of GPUs; looked up as a clause would be."""
        names = one.texts("gpus")
        for name in names:
            finding = self.checks.clause(f'"{name}" in question.gpus', "scenario") if self.checks else None
            if finding is not None:
                one.error("gpus", f"`{name}` is no model of gpus.yaml", "name one that is", finding[2])
        return names

    def _option(self, one: Record, scenario: str) -> AdviceOption:
        name = one.id()
        one.ledger(f"{scenario}/{name}")
        sources = one.sources("sources", f"{scenario}-{name}")
        if not sources and "sources" in one:
            one.error("sources", f"option {name} has no source", "name at least one")
        return AdviceOption(name, one.both("advice"), one.both("condition"), sources)

    def _topic(self, node: Node) -> Topic | None:
        one = self.reader.record(node, "a topic", "id title terms text sources reviewed", "costs asks ledger")
        if one is None:
            return None
        name = one.id()
        return Topic(
            id=name,
            title=one.both("title"),
            terms=one.texts_by_language("terms"),
            text=one.both("text"),
            sources=one.sources("sources", name),
            reviewed=one.day("reviewed"),
            place=one.place,
            costs=one.texts_or_one("costs"),
            asks=one.texts_by_language("asks"),
            ledger=one.ledger(name),
        )
