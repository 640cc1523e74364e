"""The commands about price sources: ``prices`` takes them in and compares them, ``digest`` says what moved."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, date, datetime
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from bot import settings as environment
from bot.cli_shared import (
    DONE,
    NO_MATCH,
    OUTSIDE,
    PLAIN,
    UNUSABLE,
    AsJson,
    Knowledge,
    NoFeeds,
    Overlays,
    Spoken,
    catalog_of,
    complain,
    day_of,
    example,
    put,
    put_json,
    put_report,
    spoken,
)

if TYPE_CHECKING:
    from bot.feeds.importing import Outcome
    from bot.feeds.intake import FeedError
    from bot.store import Database
    from rules.model import Catalog

_WEEK = re.compile(r"[0-9]{4}-W[0-9]{2}", re.ASCII)
_OLDEST_YEAR = 2000  # of a digest: days are counted back from it
prices = typer.Typer(
    help="Price lists of others: take them in, see what moved, and what belongs into the knowledge folder.",
    epilog=example("gpu-bot prices import vms.csv --as skypilot --seen 2026-11-28", "gpu-bot prices history H100"),
    no_args_is_help=True, **PLAIN,
)  # fmt: skip

AsOf = Annotated[str | None, typer.Option("--as-of", metavar="YYYY-MM-DD", help="Today, for this command.")]


def add_to(app: typer.Typer) -> None:
    """Add ``prices`` and ``digest`` to the program."""
    app.add_typer(prices, name="prices")
    app.command(
        "digest", epilog=example("gpu-bot digest --dry-run", "gpu-bot digest --week 2026-W48 --json --lang zh")
    )(digest)


# ---------------------------------------------------------------- taking in


# The names are those of bot/feeds/table.py, which is not read to show a help text; docs/prices.md says more.
CSV_COLUMNS = """

\b
Columns of --as csv (or another name):
  provider   cloud, vendor, platform; else --provider
  gpu        gpu_name, accelerator, acceleratorname, model
  price      amount, rate, price_per_hour, price_usd,
             CheapestOnDemandPerGpuHourUSD
  says       "1.49 USD/gpu-hour", for price, currency, unit
  unit       per: gpu-hour (default), machine-hour, gpu-month,
             machine-month
  currency   USD when missing
  gpus       gpu_count, count, acceleratorcount: GPUs of a
             machine, 1 when missing
  plan       on_demand (default), spot, reserved, reserved_1y,
             reserved_3y, monthly, serverless
  spot_price spotprice
  seen       date, as_of, asof, observedat, observed_at: a day,
             or a moment with its zone; else --seen
  sku        instance_type, instancetype, instance
  region     location
  memory_gb  gpu_memory, gpumemorygib, gpu_memory_gb
  form       SXM, PCIe, NVL
  source     title; also: url, kind
Needed: provider, gpu, and price or says."""


@prices.command("import", epilog=example(
    "gpu-bot prices import catalogs/v8 --as skypilot --seen 2026-11-28",
    "gpu-bot prices import quotes.csv --as csv",
) + CSV_COLUMNS)  # fmt: skip
def prices_import(
    path: Annotated[Path, typer.Argument(metavar="PATH", help="A CSV, a zip with one, or a folder of them.")],
    kind: Annotated[str, typer.Option("--as", metavar="FORMAT", help="skypilot, gpuhunt, karpenter or csv.")],
    seen: Annotated[
        str | None,
        typer.Option("--seen", metavar="YYYY-MM-DD", help="When the source said so; else the rows' own date."),
    ] = None,
    provider: Annotated[
        str | None, typer.Option("--provider", metavar="ID", help="Whose list it is, where its name does not tell.")
    ] = None,
    anyway: Annotated[
        bool, typer.Option("--anyway", help="Take a list with less than half the rows of the last one.")
    ] = False,
    knowledge: Knowledge = None,
    lang: Spoken = "en",
    as_json: AsJson = False,
) -> None:
    """Take in price lists. Rows without a date in the data or --seen are kept as undated and never ranked.

    Exit status: 0 taken in, 2 a file cannot be used; the last good list of its source goes on serving.
    """
    from bot.feeds.importing import FORMATS, import_path
    from bot.feeds.intake import FeedError
    from bot.feeds.moments import start_of
    from bot.feeds.names import Names

    spoken(lang)
    if kind not in FORMATS:
        _refuse("feed.format", lang, text=kind, list=", ".join(FORMATS))
    day = None if seen is None else start_of(day_of(seen))
    names = Names(catalog_of(knowledge, None))
    with _database() as database:
        try:
            found = list(import_path(database, path, kind, names, _now(), seen=day, provider=provider, anyway=anyway))
        except FeedError as error:
            _refuse(error.key, lang, **error.slots)
    _show_import(found, lang, as_json)
    raise typer.Exit(UNUSABLE if any(one.refused for one in found) else DONE)


@prices.command("refresh", epilog=example("gpu-bot prices refresh"))
def prices_refresh(knowledge: Knowledge = None, lang: Spoken = "en", as_json: AsJson = False) -> None:
    """Read the published lists: gpuhunt's catalogues and library, SkyPilot's catalogue, Vast.ai's search.

    Exit status: 0 all were read, 4 some could not be reached; what they said last stays, dated as it is.
    """
    from bot.feeds.names import Names
    from bot.feeds.refresh import refresh

    spoken(lang)
    known = Names(catalog_of(knowledge, None))
    with _database() as database:
        found = list(refresh(database, known, _now()))
    away = [one for one in found if one.refused is not None and one.refused.key == "feed.away"]
    if not any(one.reading for one in found) and away:
        hosts: dict[str, list[str]] = {}
        for one in away:
            assert one.refused is not None
            named = hosts.setdefault(str(one.refused.slots["reason"]), [])
            named += [host for host in [str(one.refused.slots["name"])] if host not in named]
        reason = "; ".join(f"{', '.join(names)}: {why}" for why, names in hosts.items())
        _refuse("refresh.all_away", lang, OUTSIDE, reason=reason)
    _show_import(found, lang, as_json, quiet=away)
    if away:
        names_away = sorted({one.name.partition("/")[0] if _whole(one, found) else one.name for one in away})
        complain(_tell("refresh.away", lang, names=", ".join(names_away)))
        raise typer.Exit(OUTSIDE)


def _whole(one: Outcome, found: Iterable[Outcome]) -> bool:
    """Whether nothing of a family of lists came."""
    family = one.name.partition("/")[0]
    return not any(other.reading for other in found if other.name.partition("/")[0] == family)


def _reason(error: FeedError | None, lang: str) -> str:
    from bot.render.prices import why_refused

    return "" if error is None else why_refused(error.key, lang, error.slots)


def _show_import(found: list[Outcome], lang: str, as_json: bool, quiet: Iterable[Outcome] = ()) -> None:
    from bot.render.prices import import_lines

    report = {
        "sources": [_outcome_json(one) for one in found if one.reading is not None],
        "refused": [{"file": one.name, "why": _reason(one.refused, lang)} for one in found if one.refused is not None],
    }
    if as_json:
        put_json(report)
    elif report["sources"]:
        put(*import_lines(report, lang))
    skip = set(map(id, quiet))
    for one in found:
        if one.refused is not None and id(one) not in skip:
            complain(_reason(one.refused, lang))


def _outcome_json(one: Outcome) -> dict[str, Any]:
    from bot.feeds.report import EFFECTS

    assert one.reading is not None
    assert one.imported is not None
    report = one.reading.report
    checks = [
        {"check": name, "effect": effect, "count": found.count, "examples": found.examples}
        for effect in dict.fromkeys(EFFECTS.values())
        for name, found in report.of(effect)
    ]
    return {
        "source": one.reading.source,
        "seen": None if one.reading.seen is None else one.reading.seen.isoformat(),
        "rows": report.rows,
        "kept": report.kept,
        "new": one.imported.new,
        "already_known": one.imported.already_known,
        "checks": checks,
        "unknown": dict(sorted(report.unknown.items())),
    }


# ---------------------------------------------------------------- comparing


@prices.command("diff", epilog=example("gpu-bot prices diff --since 2026-11-01"))
def prices_diff(
    since: Annotated[str, typer.Option("--since", metavar="YYYY-MM-DD", help="Compare with what was known then.")],
    knowledge: Knowledge = None,
    overlay: Overlays = None,
    as_of: AsOf = None,
    no_feeds: NoFeeds = False,
    lang: Spoken = "en",
    as_json: AsJson = False,
) -> None:
    """List the prices that moved since a day, each with its source."""
    from bot import digest as digests
    from bot.render.prices import diff_lines

    spoken(lang)
    start, today = day_of(since), day_of(as_of)
    if start >= today:
        _refuse("feed.future", lang, name="--since", seen=start.isoformat())
    catalog = catalog_of(knowledge, overlay)
    period = digests.since(start, today)
    with _feeds(no_feeds) as database:
        whole = digests.digest(catalog, period, today, _spans(database, period.before, today))
    said = digests.digest_json(whole)
    report = {
        "since": start.isoformat(), "until": today.isoformat(), "moves": said["moves"],
        "feeds": said["coverage"]["feeds"], "names": said["names"],
    }  # fmt: skip
    put_report(report, as_json, lambda: diff_lines(report, lang))


@prices.command(
    "history",
    epilog=example("gpu-bot prices history H100", "gpu-bot prices history A100 --memory 80 --image a100.svg"),
)
def prices_history(
    gpu: Annotated[str, typer.Argument(metavar="GPU", help="A model, as H100, or one of its other names.")],
    plan: Annotated[str, typer.Option("--plan", metavar="PLAN", help="How it is bought.")] = "on_demand",
    memory: Annotated[str | None, typer.Option("--memory", metavar="GB", help="Only cards of this memory.")] = None,
    image: Annotated[
        Path | None, typer.Option("--image", metavar="FILE.svg", help="Write the chart there too.")
    ] = None,
    knowledge: Knowledge = None,
    overlay: Overlays = None,
    as_of: AsOf = None,
    no_feeds: NoFeeds = False,
    lang: Spoken = "en",
    as_json: AsJson = False,
) -> None:
    """Show how the lowest prices of a GPU went, per provider.

    Exit status: 0 shown, 2 the GPU is not known, 3 no dated price is known.
    """
    from bot.digest.history import history, history_json
    from bot.feeds.moments import end_of
    from bot.render import charts
    from rules.model import PLANS

    spoken(lang)
    today = day_of(as_of)
    if plan not in PLANS:
        _refuse("feed.plan", lang, text=plan, list=", ".join(PLANS))
    if image is not None and image.suffix.lower() != ".svg":
        _refuse("feed.image", lang)
    catalog = catalog_of(knowledge, overlay)
    model = _model(catalog, gpu, lang)
    with _feeds(no_feeds) as database:
        tracks = _tracks(database, model, end_of(today))
        found = history(catalog, model, today, tracks, plan=plan, memory_gb=_gigabytes(memory, lang))
    report = history_json(found, catalog)
    put_report(report, as_json, lambda: charts.history_lines(report, lang))
    if not found.series:
        raise typer.Exit(NO_MATCH)
    if image is not None:
        try:
            image.write_text(charts.svg(report, lang), encoding="utf-8")
        except OSError as error:
            _refuse("feed.not_written", lang, name=image, reason=error.strerror or type(error).__name__)
        complain(_tell("history.image", lang, file=image))


@prices.command("propose", epilog=example("gpu-bot prices propose --provider lambda"))
def prices_propose(
    provider: Annotated[str | None, typer.Option("--provider", metavar="ID", help="Only this provider.")] = None,
    knowledge: Knowledge = None,
    overlay: Overlays = None,
    as_of: AsOf = None,
    lang: Spoken = "en",
    as_json: AsJson = False,
) -> None:
    """Print the price lines that the feeds suggest for the knowledge folder, as YAML to look at and add by hand."""
    from dataclasses import asdict

    from bot.catalog import with_feeds
    from bot.feeds.propose import proposals
    from bot.feeds.reader import reader
    from bot.render.prices import proposal_lines

    spoken(lang)
    today = day_of(as_of)
    catalog = catalog_of(knowledge, overlay)
    if provider is not None and provider not in catalog.providers:
        _not_known(provider, catalog.providers, "providers", lang)
    merged = with_feeds(catalog, None, reader(environment.read().database_url, today))
    report = [asdict(one) for one in proposals(merged, today, provider)]
    put_report(report, as_json, lambda: proposal_lines(report, lang))


# ---------------------------------------------------------------- the digest


def digest(
    week: Annotated[
        str | None, typer.Option("--week", metavar="YYYY-Www", help="Default: the week that ended last.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show it, post nothing.")] = False,
    everything: Annotated[bool, typer.Option("--all", help="Show all rows.")] = False,
    knowledge: Knowledge = None,
    overlay: Overlays = None,
    as_of: AsOf = None,
    no_feeds: NoFeeds = False,
    lang: Spoken = "en",
    as_json: AsJson = False,
) -> None:
    """Say what moved in a week: prices, the cheapest of each GPU, disputes, what is due for a check, what was read."""
    from bot import digest as digests
    from bot.render.digest import digest_lines, headline

    spoken(lang)
    today = day_of(as_of)
    period = _period(week, today, lang)
    catalog = catalog_of(knowledge, overlay)
    with _feeds(no_feeds) as database:
        spans = _spans(database, period.before, min(period.last, today))
        whole = digests.digest(catalog, period, today, spans, _readings(database, period))
    report = digests.digest_json(whole)
    if as_json:
        put_json({"headline": headline(report, lang), **report})
    else:
        put(*digest_lines(report, lang, everything=everything))
    if not dry_run:
        _post(period, knowledge, overlay, lang)


def _post(period: Any, knowledge: Path | None, overlay: list[Path] | None, lang: str) -> None:
    """Post a week's digest to the channels that want it, once each; what became of that goes to standard error."""
    with _feeds(no_feeds=False) as database:
        if database is None:  # nobody has subscribed yet
            from bot.slack.text import tell

            complain(tell("digest.cli.none", lang))
            return
        from bot.catalog import Reloader
        from bot.slack import by_hand

        given = environment.read()
        known = Reloader(knowledge or given.knowledge, given.overlays if overlay is None else overlay)
        said, status = by_hand.post_week(given, database, known, period, lang)
    complain(said)
    if status:
        raise typer.Exit(status)


def _period(week: str | None, today: date, lang: str) -> Any:
    from bot.digest import last_week, period_of

    if today.year < _OLDEST_YEAR:
        _refuse("feed.long_ago", lang, year=str(_OLDEST_YEAR))
    if week is None:
        return last_week(today)
    try:
        if not _WEEK.fullmatch(week):
            raise ValueError(week)
        period = period_of(week)
    except ValueError:
        _refuse("feed.week", lang, text=week)
    if period.first > today:
        _refuse("feed.week_ahead", lang, text=week)
    if period.first.year < _OLDEST_YEAR:
        _refuse("feed.long_ago", lang, year=str(_OLDEST_YEAR))
    return period


def _readings(database: Database | None, period: Any) -> list[Mapping[str, Any]]:
    """The team's benchmark readings of a period, oldest first."""
    if database is None:
        return []
    from bot.feeds.moments import end_of, start_of
    from bot.store import LOCAL, benches

    found = benches.readings(database, LOCAL, since=start_of(period.first), until=end_of(period.last))
    return [
        {
            "host": one.host,
            "gpu": one.gpu,
            "dtype": one.dtype,
            "tflops": None if one.tflops is None else float(one.tflops),
            "verdict": one.verdict,
            "date": one.at.date().isoformat(),
        }
        for one in sorted(found, key=lambda one: (one.at, one.id))
    ]


# ---------------------------------------------------------------- what the commands share


def _now() -> datetime:
    """The clock, read here alone."""
    return datetime.now(UTC)


def _gigabytes(text: str | None, lang: str) -> Decimal | None:
    if text is None:
        return None
    try:
        value = Decimal(text.lower().removesuffix("gb").strip())
    except InvalidOperation:
        value = Decimal("NaN")
    if not value.is_finite() or value <= 0:
        _refuse("feed.no_gpu", lang, text=text, near="80")
    return value


def _model(catalog: Catalog, text: str, lang: str) -> str:
    from bot.feeds.names import Names

    card = Names(catalog).card(text, None, Decimal(1))
    if not card.known:
        _not_known(text, catalog.gpus, "gpus", lang)
    return card.model


@contextlib.contextmanager
def _database() -> Iterator[Database]:
    """The database of the settings, made when it is not there yet."""
    from bot.store import StoreAwayError, StoreError, open_database

    url = environment.read().database_url
    try:
        database = open_database(url)
        try:
            yield database
        finally:
            database.close()
    except StoreError as error:
        complain(f"gpu-bot: {error}")
        raise typer.Exit(OUTSIDE if isinstance(error, StoreAwayError) else UNUSABLE) from None


@contextlib.contextmanager
def _feeds(no_feeds: bool) -> Iterator[Database | None]:
    """The database where there is one; the commands that only look make none."""
    from bot.feeds.reader import sqlite_file

    file = sqlite_file(environment.read().database_url)
    if no_feeds or (file is not None and not file.is_file()):
        yield None
        return
    with _database() as database:
        yield database


def _spans(database: Database | None, since: date, until: date) -> tuple[Any, ...]:
    if database is None:
        return ()
    from bot.catalog import no_collection
    from bot.feeds.moments import end_of
    from bot.store import LOCAL, PUBLIC
    from bot.store.current import spans

    with no_collection():
        return spans(database, end_of(since), end_of(until), (PUBLIC, LOCAL))


def _tracks(database: Database | None, gpu: str, until: datetime) -> tuple[Any, ...]:
    if database is None:
        return ()
    from bot.store import LOCAL, PUBLIC
    from bot.store.current import tracks

    return tracks(database, gpu, until, (PUBLIC, LOCAL))


def _tell(key: str, lang: str, **slots: Any) -> str:
    from bot.render.prices import tell

    return tell(key, lang, **slots)


def _refuse(key: str, lang: str, status: int = UNUSABLE, /, **slots: Any) -> NoReturn:
    from bot.render.prices import why_refused

    complain(f"gpu-bot: {why_refused(key, lang, slots)}")
    raise typer.Exit(status)


def _not_known(text: str, known: Iterable[str], kind: str, lang: str) -> NoReturn:
    """Refuse a name, with the one that it resembles or the command that lists them."""
    from rules.fields import nearest

    near = nearest(text, list(known))
    _refuse("feed.no_gpu" if near else "feed.no_gpu.none", lang, text=text, near=near, kind=kind)
