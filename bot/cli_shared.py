"""What the modules of commands share: exit statuses, options, the clock, the catalogue, and how things are printed."""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from bot import settings as environment

if TYPE_CHECKING:
    from rules.model import Catalog

DONE, FAILED, UNUSABLE, NO_MATCH, OUTSIDE, INTERRUPTED = 0, 1, 2, 3, 4, 130
LANGS = ("en", "zh")
PLAIN: dict[str, Any] = {"rich_markup_mode": None, "add_completion": False}
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)
_SHOWN_PROBLEMS = 5  # of a knowledge folder that cannot be used
Given = TypeVar("Given", bound=str | None)
_EXTRAS = {
    "serve": (
        "sqlalchemy", "alembic", "psycopg", "dbos", "slack_bolt", "slack_sdk", "slackblocks", "starlette", "uvicorn",
        "prometheus_client",
    ),
    "bench": ("asyncssh",),
    "feeds": ("gpuhunt",),
    "torch": ("torch", "numpy"),
}  # fmt: skip


class Refusal(Exception):  # noqa: N818  (no failure of the program: it says what would be right)
    """A reason to stop, as a sentence of ``render.words`` and an exit status."""

    def __init__(self, key: str, status: int = UNUSABLE, **slots: Any) -> None:
        super().__init__(key)
        self.key, self.status, self.slots = key, status, slots


def extra_of(error: ModuleNotFoundError) -> str | None:
    """The optional part of the installation that brings the missing library; None for a mistake of our own."""
    library = (error.name or "").partition(".")[0]
    return next((extra for extra, libraries in _EXTRAS.items() if library in libraries), None)


def missing_extra(extra: str, lang: str) -> str:
    """The sentence for an optional part that is not installed."""
    from bot.render.words import install

    return said_in("error.extra", lang, extra=extra, command=install(extra))


# ---------------------------------------------------------------- options

Knowledge = Annotated[
    Path | None,
    typer.Option("--knowledge", metavar="DIR", help="Another knowledge folder; what it lacks is the packaged one."),
]
Overlays = Annotated[
    list[Path] | None, typer.Option("--overlay", metavar="DIR", help="A team's own layer; may be given several times.")
]
NoFeeds = Annotated[bool, typer.Option("--no-feeds", help="Use the knowledge folder alone, no price feeds.")]
Spoken = Annotated[str, typer.Option("--lang", metavar="en|zh", help="Language of what is said.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def example(*lines: str) -> str:
    """An epilog that keeps its lines."""
    return "\b\nExample:\n" + "\n".join(f"  {line}" for line in lines)


def spoken(text: Given) -> Given:
    """The language of an option; raises ``Refusal`` for one that is not spoken here."""
    if text is None or text in LANGS:
        return text
    raise Refusal("error.lang", text=text)


def this_day() -> date:
    """The clock, read once, here."""
    return date.today()  # noqa: DTZ011  (a price has the day of whoever asks)


def day_of(text: str | None) -> date:
    """The day of an option, else today; raises ``Refusal`` for what is no date."""
    if text is None:
        return this_day()
    try:
        if _DATE.fullmatch(text):
            return date.fromisoformat(text)
    except ValueError:
        pass
    raise Refusal("error.date", text=text)


# ---------------------------------------------------------------- the knowledge


def folders(knowledge: Path | None, overlays: list[Path] | None) -> tuple[Path | None, list[Path]]:
    """The folders of the options, else of the settings; each must be one."""
    given = environment.read()
    warn(given)
    own = knowledge or given.knowledge
    layers = list(given.overlays) if overlays is None else overlays
    for folder in [*([own] if own is not None else []), *layers]:
        if not folder.is_dir():
            raise Refusal("error.no_folder", folder=folder)
    return own, layers


def catalog_of(knowledge: Path | None, overlays: list[Path] | None) -> Catalog:
    """The catalogue to answer from; a folder with errors is refused with the first of them."""
    from bot.catalog import errors, load

    own, layers = folders(knowledge, overlays)
    catalog, problems = load(own, layers)
    wrong = errors(problems)
    if wrong:
        for problem in wrong[:_SHOWN_PROBLEMS]:
            complain(str(problem))
        raise Refusal("error.knowledge", n=len(wrong), command=f"gpu-bot check {own or ''}".strip())
    return catalog


# ---------------------------------------------------------------- standard output


@contextlib.contextmanager
def pipe() -> Iterator[None]:
    """A reader that has gone away, as ``head`` does, is no mistake; a full disk is one of the outside."""
    try:
        yield
    except BrokenPipeError:
        _silence()
        raise typer.Exit(DONE) from None
    except OSError as error:
        _silence()
        raise Refusal("error.output", OUTSIDE, reason=error.strerror or type(error).__name__) from None


def _silence() -> None:
    """What is still in the buffer of standard output goes nowhere, so that the end of the program does not fail."""
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, sys.stdout.fileno())


def write(*lines: str) -> None:
    """Print lines at once; whoever reads may have gone, which is an ``OSError``."""
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()


def put(*lines: str) -> None:
    """Print lines."""
    with pipe():
        write(*lines)


def put_json(value: Any) -> None:
    """Print one object on one line."""
    put(as_line(value))


def as_line(value: Any) -> str:
    """A value as JSON on one line."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def put_report(report: Any, as_json: bool, lines: Callable[[], Iterable[str]]) -> None:
    """One object for a program, or its lines for a person."""
    if as_json:
        put_json(report)
    else:
        put(*lines())


# ---------------------------------------------------------------- standard error


def complain(sentence: str) -> None:
    """Print a sentence on standard error; where that is closed, nobody hears it."""
    with contextlib.suppress(OSError):
        sys.stderr.write(f"{sentence}\n")
        sys.stderr.flush()


def warn(given: environment.Settings) -> None:
    """Name the settings that are none."""
    for one in given.unknown:
        key = "setting.unknown.near" if one.near else "setting.unknown"
        complain(f"gpu-bot: {said(key, name=one.name, near=one.near)}")


def said(key: str, **slots: Any) -> str:
    """A sentence in the language of the command line."""
    return said_in(key, language_of(sys.argv), **slots)


def said_in(key: str, lang: str, **slots: Any) -> str:
    """A sentence of ``render.words``."""
    from bot.render.words import say

    return say(key, lang, **slots)


def language_of(argv: Sequence[str]) -> str:
    """The language of a complaint: that of ``--lang``, found without parsing, since parsing may be what failed."""
    return "zh" if ("--lang", "zh") in pairwise(argv) or "--lang=zh" in argv else "en"
