"""The commands of ``gpu-bot``: parse arguments, read the clock, call one function, print, set the exit status."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from bot import cli_bench, cli_prices, cli_serve, cli_store
from bot import settings as environment
from bot.cli_shared import (
    DONE,
    FAILED,
    INTERRUPTED,
    NO_MATCH,
    OUTSIDE,
    PLAIN,
    UNUSABLE,
    AsJson,
    Knowledge,
    NoFeeds,
    Overlays,
    Refusal,
    catalog_of,
    complain,
    day_of,
    example,
    extra_of,
    folders,
    language_of,
    missing_extra,
    pipe,
    put,
    put_json,
    put_report,
    said,
    said_in,
    spoken,
    this_day,
)
from bot.cli_usage import complain_of_usage, is_usage_error

if TYPE_CHECKING:
    from bot.cases import Outcome
    from rules.model import Answer, Catalog, Parsed, Place, Problem

STATUS = {"answered": DONE, "clarify": UNUSABLE, "unsupported": UNUSABLE, "no_match": NO_MATCH}

app = typer.Typer(
    name="gpu-bot",
    help="What a GPU job costs and where it is cheapest, with source and date.",
    no_args_is_help=True,
    **PLAIN,
)
kb = typer.Typer(
    help="Look into the knowledge: providers, prices, rules, sources.",
    epilog=example("gpu-bot kb list providers", "gpu-bot kb show lambda"),
    no_args_is_help=True,
    **PLAIN,
)
app.add_typer(kb, name="kb")
app.add_typer(cli_serve.app)
app.add_typer(cli_store.app)
cli_bench.add_to(app)
cli_prices.add_to(app)


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import PackageNotFoundError, version

        with contextlib.suppress(PackageNotFoundError):
            put(f"gpu-bot {version('gpu-bot')}")
            raise typer.Exit(DONE)
        put("gpu-bot ?")
        raise typer.Exit(DONE)


@app.callback()
def _main(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    pass


# ---------------------------------------------------------------- options that commands share

AsOf = Annotated[str | None, typer.Option("--as-of", metavar="YYYY-MM-DD", help="Answer for this date; default today.")]
Lang = Annotated[
    str | None, typer.Option("--lang", metavar="en|zh", help="Language of the answer; default the question's.")
]
Currency = Annotated[
    str | None, typer.Option("--currency", metavar="CUR", help="Show totals in this currency beside USD.")
]
Batch = Annotated[
    bool, typer.Option("--batch", help="Read one item a line from standard input, print one JSON object a line.")
]
Explain = Annotated[bool, typer.Option("--explain", help="Show how it came about.")]
Words = Annotated[list[str] | None, typer.Argument(metavar="TEXT", help="The question, in English or Chinese.")]


# ---------------------------------------------------------------- ask


@app.command(epilog=example("gpu-bot ask cheapest for 72h on 4xA100", "gpu-bot ask --json '4张A100跑72小时哪家最便宜'"))
def ask(
    words: Words = None,
    as_json: AsJson = False,
    batch: Batch = False,
    explain: Explain = False,
    everything: Annotated[bool, typer.Option("--all", help="Show all rows.")] = False,
    knowledge: Knowledge = None,
    overlay: Overlays = None,
    as_of: AsOf = None,
    lang: Lang = None,
    currency: Currency = None,
    no_feeds: NoFeeds = False,
) -> None:
    """Answer a question about the price of GPUs.

    Exit status: 0 answered, 2 something must be said first or is not supported, 3 nothing matches.
    """
    from bot import ask as asking

    language, day, text = spoken(lang), day_of(as_of), _text(words, batch)
    if not (batch or as_json or text.strip()):
        raise Refusal("error.no_text")
    display = _code(currency)
    catalog = catalog_of(knowledge, overlay)
    if display is not None:
        catalog = replace(catalog, display_currency=display)
    feeds = None if no_feeds else _feeds(day)
    readings = _readings(day)

    def answer(item: str | Sequence[str]) -> Answer:
        parsed = asking.parse(item, catalog) if isinstance(item, str) else asking.parse_thread(item, catalog)
        spoken = _shown_in(catalog, language or parsed.question.lang)
        return asking.answer(parsed, spoken, day, readings, feeds=feeds)

    if batch:
        _run_batch(lambda item: _answer_json(answer(item), language))
        return
    given = answer(text)
    if as_json:
        put_json(_answer_json(given, language))
    else:
        _show(given, language, everything=everything, explain=explain)
    raise typer.Exit(STATUS[given.status])


def _answer_json(answer: Answer, lang: str | None) -> dict[str, Any]:
    from bot.render.json import answer_json

    return answer_json(answer, lang)


def _show(answer: Answer, lang: str | None, *, everything: bool, explain: bool) -> None:
    from bot.render.document import document
    from bot.render.terminal import show

    shown = document(answer, lang)
    with pipe():
        show(shown, sys.stdout, everything=everything, explain=explain)
        sys.stdout.flush()


def _shown_in(catalog: Catalog, lang: str) -> Catalog:
    """A Chinese answer shows CNY beside USD unless another currency was asked for."""
    if lang != "zh" or catalog.display_currency is not None:
        return catalog
    from rules.prices import own_currency

    return replace(catalog, display_currency=own_currency(lang))


# ---------------------------------------------------------------- parse


@app.command(
    epilog=example("gpu-bot parse --json 'cheapest 4xA100 for 72h'", "gpu-bot parse --json --batch < questions.txt")
)
def parse(
    words: Words = None,
    as_json: AsJson = False,
    batch: Batch = False,
    explain: Explain = False,
    knowledge: Knowledge = None,
    overlay: Overlays = None,
    lang: Lang = None,
) -> None:
    """Show how a question is understood, without answering it."""
    from bot import ask as asking
    from bot.render import reports
    from rules.wire import question_to_json

    language, text = spoken(lang), _text(words, batch)
    catalog = catalog_of(knowledge, overlay)

    def read(item: str | Sequence[str]) -> Parsed:
        return asking.parse(item, catalog) if isinstance(item, str) else asking.parse_thread(item, catalog)

    if batch:
        _run_batch(lambda item: question_to_json(read(item).question))
        return
    parsed = read(text)
    if as_json:
        put_json(question_to_json(parsed.question))
    else:
        put(*reports.parsed_lines(parsed, language or parsed.question.lang, explain=explain))


# ---------------------------------------------------------------- batches


def _run_batch(answer: Callable[[str | Sequence[str]], dict[str, Any]]) -> None:
    """One object for every line of standard input, in order; a thread is a line that is a JSON list of texts."""
    failed = False
    for number, line in enumerate(_lines(), 1):
        try:
            result = answer(_item(line))
        except Exception as error:  # one line must not cost the others their answer
            failed = True
            if _debug():
                raise
            result = {"error": f"line {number}: {type(error).__name__}"}
            complain(said("error.line", line=number))
        put_json(result)
    raise typer.Exit(FAILED if failed else DONE)


def _lines() -> Iterator[str]:
    """Lines of standard input; bytes that are no UTF-8 become replacement characters."""
    if sys.stdin is None:
        raise Refusal("error.no_input")
    stream: IO[bytes] = sys.stdin.buffer
    for n, line in enumerate(stream):
        text = line.decode("utf-8", errors="replace").rstrip("\n").removesuffix("\r")
        yield text.removeprefix("\ufeff") if n == 0 else text


def _item(line: str) -> str | list[str]:
    if not line.lstrip().startswith("["):
        return line
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return line
    if isinstance(value, list) and value and all(isinstance(one, str) for one in value):
        return [_readable(one) for one in value]
    return line


def _text(words: list[str] | None, batch: bool) -> str:
    """The question of the command line; with --batch there must be none."""
    if batch and words:
        raise Refusal("error.batch_text")
    if not batch and not words:
        raise Refusal("error.no_text")
    return _readable(os.fsencode(" ".join(words or ())).decode("utf-8", errors="replace"))


def _readable(text: str) -> str:
    """Text without halves of characters, which no encoding can write."""
    return text.encode("utf-8", errors="replace").decode("utf-8")


# ---------------------------------------------------------------- cost


@app.command(epilog=example("gpu-bot cost --rate 3.2 --gpus 4 --hours 72 --transfer-gb 500 --transfer-rate 0.05"))
def cost(
    rate: Annotated[str, typer.Option(help="Price of a GPU-hour, or of a machine-hour with --per.")],
    gpus: Annotated[str, typer.Option(help="GPUs needed.")],
    hours: Annotated[str, typer.Option(help="Hours needed.")],
    gpus_per_machine: Annotated[str | None, typer.Option(help="GPUs of a machine; whole machines are paid.")] = None,
    per: Annotated[str, typer.Option(metavar="UNIT", help="gpu-hour or machine-hour.")] = "gpu-hour",
    transfer_gb: Annotated[str | None, typer.Option(help="GB moved.")] = None,
    transfer_rate: Annotated[str | None, typer.Option(help="Price of a GB moved.")] = None,
    storage_gb: Annotated[str | None, typer.Option(help="GB kept.")] = None,
    storage_rate: Annotated[str | None, typer.Option(help="Price of a GB kept for 730 h.")] = None,
    fee: Annotated[str | None, typer.Option("--fee", "--management", help="A flat amount on top.")] = None,
    fee_percent: Annotated[str | None, typer.Option(help="Percent of compute, transfer and storage on top.")] = None,
    currency: Annotated[str, typer.Option(metavar="CUR", help="Currency of the rates.")] = "USD",
    transfer_currency: Annotated[str | None, typer.Option(metavar="CUR", help="Currency of the transfer rate.")] = None,
    knowledge: Knowledge = None,
    as_of: AsOf = None,
    lang: Lang = None,
    as_json: AsJson = False,
) -> None:
    """Add up the cost of a job from its figures; another currency needs a dated exchange rate."""
    from bot import calculator
    from bot.render import reports
    from rules.prices import to_usd

    number, money = calculator.a_number, calculator.a_currency
    figures = calculator.Figures(
        rate=number("--rate", rate) or Decimal(0),
        gpus=number("--gpus", gpus) or Decimal(0),
        hours=number("--hours", hours) or Decimal(0),
        per=per,
        gpus_per_machine=number("--gpus-per-machine", gpus_per_machine),
        transfer_gb=number("--transfer-gb", transfer_gb),
        transfer_rate=number("--transfer-rate", transfer_rate),
        storage_gb=number("--storage-gb", storage_gb),
        storage_rate=number("--storage-rate", storage_rate),
        fee=number("--fee", fee),
        fee_percent=number("--fee-percent", fee_percent),
        currency=money("--currency", currency) or "USD",
        transfer_currency=money("--transfer-currency", transfer_currency),
    )
    language, day = spoken(lang) or "en", day_of(as_of)
    foreign = {figures.currency, figures.transfer_currency or "USD"} - {"USD"}
    currencies = catalog_of(knowledge, None).currencies if foreign else ()
    result = calculator.cost(figures, currencies, day)
    report = calculator.cost_json(result, to_usd(figures.currency, day, currencies))
    put_report(report, as_json, lambda: reports.cost_lines(report, language))


# ---------------------------------------------------------------- check


@app.command(epilog=example("gpu-bot check", "gpu-bot check my-knowledge --strict"))
def check(
    folder: Annotated[
        Path | None, typer.Argument(metavar="[DIR]", help="The knowledge folder; default the packaged one.")
    ] = None,
    overlay: Overlays = None,
    as_of: AsOf = None,
    lang: Lang = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Warnings fail too: stale, disputed and doubtful prices.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Check the knowledge: all problems at once, then what is priced, how old it is and what is disputed."""
    from bot import kb as knowledge_base
    from bot.render import reports

    day, language = day_of(as_of), spoken(lang) or "en"
    catalog, problems = _checked(folder, overlay, day)
    errors = sum(one.level == "error" for one in problems)
    warnings = len(problems) - errors
    report = {
        "errors": errors,
        "warnings": warnings,
        "providers": len(catalog.providers),
        "offers": len(catalog.offers),
        "rules": len(catalog.rules),
        "priced": knowledge_base.priced(catalog, day),
        "problems": _problems_json(problems),
    }
    put_report(report, as_json, lambda: reports.check_lines(report, problems, language))
    raise typer.Exit(FAILED if errors or (strict and warnings) else DONE)


def _checked(folder: Path | None, overlays: list[Path] | None, day: date) -> tuple[Catalog, list[Problem]]:
    """The catalogue and every problem: of reading, of sense, and of the rules' own examples."""
    from bot import ask as asking
    from bot.catalog import load
    from rules.check import check as look
    from rules.guidance import examples_problems

    own, layers = folders(folder, overlays)
    catalog, found = load(own, layers, check_clauses=True)
    problems = [*found, *look(catalog, day)]
    if not any(one.level == "error" for one in problems):
        problems += examples_problems(
            catalog, lambda text: asking.ask(text, catalog, day), lambda place: _own(own, place)
        )
    return catalog, list(dict.fromkeys(problems))


def _own(folder: Path | None, place: Place) -> bool:
    """Whether guidance comes with the folder that is checked: the packaged rules need not fire in another market."""
    entry = place.file.partition("/")[0]
    return folder is None or entry not in ("guidance", "glossary.yaml") or (folder / entry).exists()


def _problems_json(problems: Sequence[Problem]) -> list[dict[str, Any]]:
    return [
        {
            "level": one.level,
            "file": one.place.file,
            "line": one.place.line,
            "what": one.what,
            "fix": one.fix,
            "near": one.near,
        }
        for one in problems
    ]


# ---------------------------------------------------------------- cases


@app.command(
    epilog=example(
        "gpu-bot cases tests/cases/small.yaml --knowledge tests/worlds/small", "gpu-bot cases tests/cases/live.yaml"
    )
)
def cases(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Files or folders of cases.")],
    knowledge: Knowledge = None,
    overlay: Overlays = None,
    as_of: AsOf = None,
    lang: Lang = None,
    as_json: AsJson = False,
) -> None:
    """Run question cases written in YAML; the exit status is 1 when one fails."""
    from bot import cases as runner
    from bot.render import reports

    day, language = day_of(as_of), spoken(lang) or "en"
    given = [case for path in runner.case_files(paths) for case in runner.read_cases(path)]
    catalogs: dict[Path | None, Catalog] = {}

    def world_of(world: Path | None) -> Catalog:
        folder = knowledge or world
        if folder not in catalogs:
            catalogs[folder] = catalog_of(folder, overlay)
        return catalogs[folder]

    outcomes = list(runner.run(given, world_of, day))
    report = {
        "cases": len(given),
        "questions": len(outcomes),
        "failed": [_outcome_json(one) for one in outcomes if not one.passed],
    }
    put_report(report, as_json, lambda: reports.case_lines(report, language))
    raise typer.Exit(FAILED if report["failed"] else DONE)


def _outcome_json(outcome: Outcome) -> dict[str, Any]:
    return {
        "name": outcome.case.name,
        "place": outcome.case.place,
        "ask": outcome.asked if isinstance(outcome.asked, str) else list(outcome.asked),
        "differences": [{"key": one.key, "expected": one.expected, "got": one.got} for one in outcome.differences],
    }


# ---------------------------------------------------------------- kb


@kb.command("list", epilog=example("gpu-bot kb list providers", "gpu-bot kb list sources --json"))
def kb_list(
    kind: Annotated[
        str, typer.Argument(metavar="[KIND]", help="providers, gpus, scenarios, rules or sources.")
    ] = "providers",
    knowledge: Knowledge = None,
    overlay: Overlays = None,
    lang: Lang = None,
    as_json: AsJson = False,
) -> None:
    """List what is known of a kind."""
    from bot import kb as knowledge_base
    from bot.render import reports

    if kind not in knowledge_base.KINDS:
        raise Refusal("error.kind", text=kind, list=", ".join(knowledge_base.KINDS))
    language = spoken(lang) or "en"
    rows = knowledge_base.listing(catalog_of(knowledge, overlay), kind, language)
    put_report(rows, as_json, lambda: reports.row_lines(rows, language))


@kb.command("show", epilog=example("gpu-bot kb show lambda", "gpu-bot kb show H100 --json"))
def kb_show(
    name: Annotated[str, typer.Argument(metavar="ID", help="A provider, offer, GPU, rule, scenario, topic or source.")],
    knowledge: Knowledge = None,
    overlay: Overlays = None,
    lang: Lang = None,
    as_json: AsJson = False,
) -> None:
    """Show one entry with all that is recorded about it."""
    from bot import kb as knowledge_base
    from bot.render import reports

    language = spoken(lang)
    catalog = catalog_of(knowledge, overlay)
    kind, value = knowledge_base.entry(catalog, name)
    shown = {"entry": kind, **knowledge_base.as_plain(value, language)}
    if kind == "provider":
        shown["offers"] = [offer.id for offer in catalog.offers if offer.provider == value.id]
    put_report(shown, as_json, lambda: reports.outline(shown))


@kb.command("stale", epilog=example("gpu-bot kb stale", "gpu-bot kb stale --as-of 2027-01-31 --json"))
def kb_stale(
    knowledge: Knowledge = None,
    overlay: Overlays = None,
    as_of: AsOf = None,
    lang: Lang = None,
    as_json: AsJson = False,
) -> None:
    """List the sources that are due for a check, longest overdue first."""
    from bot import kb as knowledge_base
    from bot.render import reports

    language, day = spoken(lang) or "en", day_of(as_of)
    rows = knowledge_base.stale(catalog_of(knowledge, overlay), day)
    put_report(rows, as_json, lambda: reports.row_lines(rows, language))


@kb.command(
    "checked",
    epilog=example("gpu-bot kb checked lambda price-page", "gpu-bot kb checked aws gpuhunt --date 2026-11-28"),
)
def kb_checked(
    provider: Annotated[str, typer.Argument(metavar="PROVIDER", help="Id of the provider.")],
    source: Annotated[str, typer.Argument(metavar="SOURCE", help="Key of the source in the provider's file.")],
    day: Annotated[
        str | None, typer.Option("--date", metavar="YYYY-MM-DD", help="Day of the look; default today.")
    ] = None,
    knowledge: Knowledge = None,
    lang: Lang = None,
) -> None:
    """Note that someone looked at a source and its prices still hold: moves `checked` of all its lines."""
    from bot import kb as knowledge_base
    from bot.catalog import packaged_folder

    language, today = spoken(lang) or "en", this_day()
    looked = day_of(day)
    own, _ = folders(knowledge, None)
    catalog = catalog_of(knowledge, [])
    packaged = packaged_folder()
    folder = own if own is not None and (own / "providers").is_dir() else packaged
    done = knowledge_base.mark_checked(folder, catalog, provider, source, looked, today)
    put(said_in("checked.done", language, file=done.file, moved=done.moved, kept=done.kept, date=looked.isoformat()))


@kb.command("coverage", epilog=example("gpu-bot kb coverage facts.yaml", "gpu-bot kb coverage facts.yaml --json"))
def kb_coverage(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A ledger: `facts` and `contradictions` with ids.")],
    knowledge: Knowledge = None,
    overlay: Overlays = None,
    lang: Lang = None,
    as_json: AsJson = False,
) -> None:
    """Compare an outside list of facts with the knowledge: which ids are answered for, where, and which are missing.

    The exit status is 1 when an id is missing.
    """
    from bot import kb as knowledge_base
    from bot.render import reports

    language = spoken(lang) or "en"
    report = knowledge_base.coverage(catalog_of(knowledge, overlay), file)
    put_report(report, as_json, lambda: reports.coverage_lines(report, language))
    raise typer.Exit(FAILED if report["missing"] else DONE)


# ---------------------------------------------------------------- what commands share


def _code(currency: str | None) -> str | None:
    from rules.currency_codes import CURRENCIES

    if currency is None or currency.upper() in CURRENCIES:
        return currency and currency.upper()
    raise Refusal("error.currency", option="--currency", text=currency)


def _feeds(day: date) -> Callable[[Catalog, Collection[str] | None], Catalog]:
    """What adds the price feeds of the database to a catalogue; where they cannot be read that is said, once."""
    from bot.feeds.reader import merger

    told: set[str] = set()

    def tell(reason: str) -> None:
        if reason not in told:  # a batch meets it with every question
            told.add(reason)
            complain(said("feeds.unread", reason=reason))

    return merger(environment.read().database_url, day, tell)


def _readings(day: date) -> list[Mapping[str, Any]]:
    """What the team measured up to a day; where that cannot be read it is said, and answers go without."""
    import sqlite3

    from bot.store import measured

    try:
        return measured.of_url(environment.read().database_url, day)
    except (sqlite3.Error, OSError) as error:
        reason: Exception = error
    except Exception as error:
        if type(error).__name__ not in ("StoreError", "StoreAwayError"):
            raise
        reason = error
    complain(said("readings.unread", reason=str(reason)))
    return []


def _debug() -> bool:
    try:
        return environment.read().log_level == "debug"
    except environment.SettingsError:
        return False


# ---------------------------------------------------------------- the edge


def run(argv: Sequence[str]) -> int:
    """Run one command and return its exit status; whatever goes wrong is said in one sentence."""
    lang = language_of(argv)
    try:
        _prepare_streams()
        status = app(args=list(argv), prog_name="gpu-bot", standalone_mode=False)
        return status if isinstance(status, int) else DONE
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else DONE if end.code is None else UNUSABLE
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except Refusal as refusal:
        complain(f"gpu-bot: {said_in(refusal.key, lang, **refusal.slots)}")
        return refusal.status
    except Exception as error:  # noqa: BLE001  (the last line of defence: one sentence, never a traceback)
        return complain_of_usage(error, lang) if is_usage_error(error) else _last_word(error, lang)


def _last_word(error: Exception, lang: str) -> int:
    """The sentence for what a command did not foresee."""
    known = _sentence_of(error, lang)
    if known is not None:
        complain(f"gpu-bot: {known}")
        return UNUSABLE
    if _debug():
        import traceback

        traceback.print_exception(error)
    complain(f"gpu-bot: {said_in('error.unforeseen', lang, kind=type(error).__name__)}")
    return OUTSIDE if isinstance(error, OSError) else FAILED


def _sentence_of(error: Exception, lang: str) -> str | None:
    """What the parts of the program say of unusable input."""
    from bot.calculator import FiguresError
    from bot.cases import CaseError
    from bot.kb import KnowledgeError

    if isinstance(error, (FiguresError, KnowledgeError, environment.SettingsError)):
        return said_in(error.key, lang, **error.slots)
    if isinstance(error, CaseError):
        return str(error)
    if isinstance(error, ModuleNotFoundError) and (extra := extra_of(error)) is not None:
        return missing_extra(extra, lang)
    return None


def _prepare_streams() -> None:
    """UTF-8 whatever the locale says; a closed stream swallows what is written."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123  (lives as long as the program)
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def main() -> NoReturn:
    """The entry point of ``gpu-bot``."""
    status = run(sys.argv[1:])
    with contextlib.suppress(OSError):
        sys.stdout.flush()
    sys.exit(status)
