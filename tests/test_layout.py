"""The rooms of the house: who may import whom, and where each library lives."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent

# A room imports rooms of lower floors only. A new module of bot/ gets its floor here.
FLOORS = {
    0: ["rules"],
    1: ["bot.settings", "bot.metrics", "bot.logs"],
    2: ["bot.catalog", "bot.store", "bot.question"],
    3: ["bot.feeds"],
    4: ["bot.ask", "bot.jobs", "bot.digest", "bot.bench", "bot.render"],
    5: ["bot.calculator", "bot.cases", "bot.kb"],
    6: ["bot.slack", "bot.web"],
    7: ["bot.serve"],
    8: ["bot.doctor"],
    9: ["bot.cli_shared"],
    10: ["bot.cli_serve", "bot.cli_store", "bot.cli_bench", "bot.cli_prices", "bot.cli_usage"],
    11: ["bot.cli"],
    12: ["bot.__main__"],
}
FLOOR = {room: floor for floor, rooms in FLOORS.items() for room in rooms}

# The only rooms that may name a library.
LIBRARIES = {
    "yaml": ["rules/yamltext.py"],
    "rule_engine": ["rules/guidance.py"],
    "rapidfuzz": ["bot/question/"],
    "jinja2": ["bot/render/"],
    "PIL": ["bot/render/picture.py"],
    "typer": ["bot/cli"],
    "click": ["bot/cli.py"],
    "rich": ["bot/cli.py", "bot/render/terminal"],
    "slack_bolt": ["bot/slack/"],
    "slack_sdk": ["bot/slack/"],
    "slackblocks": ["bot/render/", "bot/slack/"],
    "sqlalchemy": ["bot/store/"],
    "alembic": ["bot/store/"],
    "dbos": ["bot/jobs"],
    "asyncssh": ["bot/bench/connect.py"],
    "torch": ["bot/bench/payload.py"],
    "starlette": ["bot/web/"],
    "uvicorn": ["bot/web/"],
    "gpuhunt": ["bot/feeds/"],
}
IMPURE = {"os", "pathlib", "time", "random", "socket", "subprocess", "urllib", "sqlite3", "threading", "logging"}
CLOCKS = {"today", "now", "utcnow", "time", "monotonic"}


def sources() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted([*ROOT.glob("rules/**/*.py"), *ROOT.glob("bot/**/*.py")]):
        yield path.relative_to(ROOT).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


def imports(tree: ast.Module) -> Iterator[tuple[str, int]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((name.name, node.lineno) for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: name the whole package, not a relative one"
            whole = node.module in ("bot", "rules")  # `from bot import ask` names the room last
            yield from (
                (f"{node.module}.{name.name}" if whole else str(node.module), node.lineno) for name in node.names
            )


def room(dotted: str) -> str:
    first, _, rest = dotted.partition(".")
    return f"bot.{rest.partition('.')[0]}" if first == "bot" and rest else first


def room_of(file: str) -> str:
    return room(file.removesuffix(".py").replace("/", "."))


def test_every_module_has_a_floor() -> None:
    """A new module of bot/ says where it stands before anything imports it."""
    rooms = {room_of(file) for file, _ in sources()} - {"bot.__init__"}
    assert rooms <= set(FLOOR), f"give these a floor in FLOORS: {sorted(rooms - set(FLOOR))}"


def test_imports_run_one_way() -> None:
    """A module imports its own room and rooms below it; rules imports nothing of bot."""
    wrong = [
        f"{file}:{line}: {room_of(file)} may not import {name}"
        for file, tree in sources()
        for name, line in imports(tree)
        if room(name) in FLOOR and room(name) != room_of(file) and FLOOR[room(name)] >= FLOOR.get(room_of(file), 99)
    ]
    assert not wrong, "\n".join(wrong)


def test_libraries_stay_in_their_rooms() -> None:
    """Swapping a library is a change in one place."""
    wrong = [
        f"{file}:{line}: {library} belongs in {' or '.join(LIBRARIES[library])}"
        for file, tree in sources()
        for name, line in imports(tree)
        if (library := name.partition(".")[0]) in LIBRARIES and not file.startswith(tuple(LIBRARIES[library]))
    ]
    assert not wrong, "\n".join(wrong)


def test_rules_are_pure() -> None:
    """Only rules/load.py touches files, and nothing in rules reads a clock."""
    wrong = []
    for file, tree in sources():
        if not file.startswith("rules/"):
            continue
        if file != "rules/load.py":
            wrong += [f"{file}:{line}: {name}" for name, line in imports(tree) if name.partition(".")[0] in IMPURE]
        wrong += [
            f"{file}:{node.lineno}: reads the clock with .{node.func.attr}()"
            for node in ast.walk(tree)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CLOCKS
        ]
    assert not wrong, "\n".join(wrong)
