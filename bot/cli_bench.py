"""The commands about GPU hosts: ``hosts`` registers them, ``bench`` measures them."""

from __future__ import annotations

import contextlib
import importlib.util
import secrets
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

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
    Spoken,
    as_line,
    complain,
    example,
    missing_extra,
    put,
    put_json,
    spoken,
    write,
)

if TYPE_CHECKING:
    from bot.bench.connect import Connector, Options, Outcome, Target
    from bot.bench.hosts import Registry
    from bot.store.benches import Host
    from rules.model import Accelerator, Catalog

FULL_SECONDS, QUICK_SECONDS = 60.0, 20.0
TABLES = ("gpus.yaml", "accelerators.yaml")  # the knowledge that a verdict rests on


class BenchGroup(TyperGroup):
    """``bench NAME`` is ``bench run NAME``; no host is called like a command."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        word = args[0] if args else ""
        if word not in self.commands and word != "--help":
            args = ["run", *args]
        return super().parse_args(ctx, args)


hosts = typer.Typer(
    help="GPU hosts that benchmarks may run on.", no_args_is_help=True,
    epilog=example("gpu-bot hosts add ml01 ssh://bench@ml01.example --key ~/.ssh/bench --ordered-as H100"), **PLAIN,
)  # fmt: skip
bench = typer.Typer(
    cls=BenchGroup, help="Measure a GPU host: bench [NAME|local] [--dtype D] [--quick] [--gpus all|0,1] [--json].",
    epilog=example("gpu-bot bench local --quick", "gpu-bot bench ml01 --dtype bf16 --json"), **PLAIN,
)  # fmt: skip

Name = Annotated[str, typer.Argument(metavar="NAME", help="Name of the host.")]
OrderedAs = Annotated[
    str | None,
    typer.Option("--ordered-as", metavar="GPU-ID", help="What was ordered: an accelerator's id, or a model."),
]
ClaimOption = Annotated[str | None, typer.Option("--claim", metavar="TFLOPS", help="The rate that the vendor states.")]


# ---------------------------------------------------------------- hosts


@hosts.command("add", epilog=example(
    "gpu-bot hosts add ml01 ssh://bench@203.0.113.7:2222 --key ~/.ssh/bench",
    "gpu-bot hosts add ml02 ssh://bench@ml02.example --key ~/.ssh/bench --ordered-as H200 --claim 989",
))  # fmt: skip
def hosts_add(
    name: Name,
    address: Annotated[str, typer.Argument(metavar="ssh://USER@HOST[:PORT]", help="Where it is.")],
    key: Annotated[Path, typer.Option("--key", metavar="FILE", help="The private key that may log in there.")],
    host_key: Annotated[
        str | None,
        typer.Option("--host-key", metavar="'TYPE BASE64'", help="The host's own key; without it, it is shown."),
    ] = None,
    python: Annotated[
        str | None, typer.Option("--python", metavar="PATH", help="The Python there that has torch.")
    ] = None,
    ordered_as: OrderedAs = None,
    offer: Annotated[
        str | None, typer.Option("--offer", metavar="OFFER-ID", help="The offer it was rented by.")
    ] = None,
    claim: ClaimOption = None,
    knowledge: Knowledge = None,
    lang: Spoken = "en",
    as_json: AsJson = False,
) -> None:
    """Register a host. Without --host-key its key is shown, and someone must confirm it.

    Exit status: 0 registered, 2 something given cannot be used, 4 the host could not be reached.
    """
    from bot.bench import hosts as registry

    with _told(lang):
        known = _known(knowledge, lang)
        where = registry.parse_address(address)
        made = {
            "key_file": registry.check_key_file(key),
            "python": registry.check_python(python),
            "ordered_as": registry.check_ordered(ordered_as, known.table, known.aliases),
            "offer": registry.check_offer(offer, known.catalog.by_id),
            "claim": registry.check_claim(claim),
        }
        registry.check_name(name)
        with _registry(lang) as kept:
            if any(one.name == name for one in kept.all()):
                raise registry.HostError("error.host.taken", name=name)
            line = registry.check_host_key(host_key) if host_key else _confirmed(where, lang)
            host = registry.new_host(name, where, host_key=line, now=_now(), **made)  # type: ignore[arg-type]
            kept.add(host)
    if as_json:
        put_json(_host_json(host))
    else:
        put(_say("hosts.added", lang, name=name))


def _confirmed(where: Any, lang: str) -> str:
    """The key that a host shows, once a person has said that it is the right one."""
    _needs_asyncssh(lang)
    with _connector() as one:
        line, fingerprint = one.seen_host_key(where.host, where.port)
    complain(_say("hosts.key", lang, address=str(where), line=line))
    complain(_say("hosts.fingerprint", lang, fingerprint=fingerprint))
    if not sys.stdin.isatty():
        _refuse(_say("hosts.no_terminal", lang))
    if not typer.confirm(_say("hosts.ask", lang), err=True):
        _refuse(_say("hosts.not_confirmed", lang))
    return line


@hosts.command("list", epilog=example("gpu-bot hosts list", "gpu-bot hosts list --json"))
def hosts_list(lang: Spoken = "en", as_json: AsJson = False) -> None:
    """List the registered hosts with their state and last verdict."""
    from bot.render import bench as words

    with _told(lang), _registry(lang) as kept:
        rows = []
        for host in kept.all():
            last = kept.readings(host=host.name, limit=1)
            rows.append({**_host_json(host), "last": last[0].verdict if last else None})
    if as_json:
        put_json(rows)
    else:
        rows = [
            {**row, "last": words.word("verdict.short", row["last"], lang) if row["last"] else None} for row in rows
        ]
        put(*words.host_lines(rows, lang))


@hosts.command("show", epilog=example("gpu-bot hosts show ml01"))
def hosts_show(name: Name, lang: Spoken = "en", as_json: AsJson = False) -> None:
    """Show one host and its last readings."""
    from bot.render import bench as words
    from bot.render.terminal import aligned

    with _told(lang), _registry(lang) as kept:
        host = _host_json(kept.get(name))
        rows = [_reading_json(one) for one in kept.readings(host=name, limit=5)]
    if as_json:
        put_json({**host, "readings": rows})
        return
    pairs = [(key, str(value)) for key, value in host.items() if value is not None]
    put(*aligned(pairs), "", *words.history_lines(rows, lang))


@hosts.command("remove", epilog=example("gpu-bot hosts remove ml01"))
def hosts_remove(name: Name, lang: Spoken = "en") -> None:
    """Forget a host; its readings stay."""
    with _told(lang), _registry(lang) as kept:
        kept.remove(name)
    put(_say("hosts.removed", lang, name=name))


@hosts.command("test", epilog=example("gpu-bot hosts test ml01"))
def hosts_test(name: Name, lang: Spoken = "en", as_json: AsJson = False) -> None:
    """Look whether a host can be reached, is the one registered, has torch, and is clean; nothing is measured.

    Exit status: 0 it is ready, 4 it is not.
    """
    from bot.bench import hosts as registry

    _needs_asyncssh(lang)
    with _told(lang), _registry(lang) as kept, _connector() as one:
        host = kept.get(name)
        state, note, python = _looked_at(one, registry.look_at(host), registry.unfinished_run(host))
        kept.set_state(name, state, _now(), host.state_note if state == "dirty" else note or None)
    if as_json:
        put_json({"name": name, "state": state, "note": note or None, "python": python})
    elif state == "ready":
        put(_say("hosts.test.ok", lang, name=name, python=python))
    else:
        put(_said_state(name, state, note, lang))
    raise typer.Exit(DONE if state == "ready" else OUTSIDE)


def _looked_at(one: Connector, target: Target, unfinished: str | None) -> tuple[str, str, str | None]:
    """(state, what happened, the Python with torch) of a host."""
    from bot.bench.connect import ConnectError

    try:
        python = one.python_of(target)
        if unfinished is not None and not one.is_clean(target, unfinished):
            return "dirty", "", python
    except ConnectError as error:
        return error.state if error.state != "lost" else "unreachable", error.note, None
    return ("ready" if python else "no_torch"), "", python


def _said_state(name: str, state: str, note: str, lang: str) -> str:
    from bot.render import bench as words

    more = _say("note", lang, text=words.safe(note)) if note else ""
    return _say("hosts.test.state", lang, name=name, state=words.word("state", state, lang), note=more)


# ---------------------------------------------------------------- bench


@bench.command("run", epilog=example(
    "gpu-bot bench local --quick", "gpu-bot bench ml01 --dtype fp16 --gpus 0,1", "gpu-bot bench ml01 --json",
))  # fmt: skip
def bench_run(
    name: Annotated[str, typer.Argument(metavar="[NAME|local]", help="A registered host, or this machine.")] = "local",
    dtype: Annotated[
        str | None, typer.Option("--dtype", metavar="D", help="bf16 fp16 fp32 tf32 fp64 fp8; default the card's own.")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="20 s instead of 60.")] = False,
    gpus: Annotated[str, typer.Option("--gpus", metavar="all|0,1", help="Which GPUs of the host.")] = "all",
    knowledge: Knowledge = None,
    lang: Spoken = "en",
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object a line; the last is the record.")
    ] = False,
) -> None:
    """Measure a host, and say what the rate means.

    Exit status: 0 nothing is wrong with it, 1 it is not what it should be, 2 something given cannot be used, 4 the host
    could not be measured, 130 cancelled.
    """
    from bot.bench import hosts as registry
    from bot.bench.connect import LOCAL

    with _told(lang):
        options = _options(dtype, gpus, quick, lang)
        known = _known(knowledge, lang)
        if name == "local":
            host, target = None, LOCAL
        else:
            _needs_asyncssh(lang)
            with _registry(lang) as kept:
                host = kept.get(name)
            target = registry.target_of(host)
        outcome = _run(target, options, lang, as_json=as_json)
        now = _now()
        _, made = registry.judged(outcome, known.table, seed=options.seed, now=now, host=host)
        _keep(host, outcome, made, now, lang)
    _report(made, lang, as_json)
    raise typer.Exit(_status(made, outcome))


def _options(dtype: str | None, gpus: str, quick: bool, lang: str) -> Options:
    from bot.bench.agent import DTYPES
    from bot.bench.connect import Options

    if dtype is not None and dtype not in DTYPES:
        _refuse(_say("error.dtype", lang, text=dtype, list=", ".join(DTYPES)))
    numbers = gpus.split(",")
    chosen = [int(one) for one in numbers if one.isascii() and one.isdigit() and int(one) < 64]
    if gpus != "all" and (len(chosen) != len(numbers) or len(set(chosen)) != len(chosen)):
        _refuse(_say("error.gpus", lang, text=gpus))
    return Options(dtype, quick, () if gpus == "all" else tuple(chosen), secrets.randbelow(1 << 31))


def _run(target: Target, options: Options, lang: str, *, as_json: bool) -> Outcome:
    """Run it, and show how it goes; Ctrl-C cancels it and waits until nothing of it is left."""
    from bot.render.terminal_bench import progress

    seconds = QUICK_SECONDS if options.quick else FULL_SECONDS
    with _connector() as one, progress(sys.stderr, seconds, lang) as show:

        def hear(event: Mapping[str, Any]) -> None:
            if as_json:
                try:
                    write(as_line(event))
                except OSError:  # whoever was reading has gone: so has the reason to measure
                    run.cancel()
            show(event)

        run = one.start(target, options, hear)
        try:
            return run.result()
        except KeyboardInterrupt:
            run.cancel()
            return run.result()


def _keep(host: Host | None, outcome: Outcome, made: Mapping[str, Any], now: datetime, lang: str) -> None:
    """Store the reading; a local run goes without where the database cannot be used.

    Where nothing was measured there is no reading to miss, and nothing is said of it.
    """
    from bot.bench.hosts import Registry

    try:
        from bot.store import StoreError, open_database
    except ImportError:
        if made["state"] == "ok":
            complain(_say("kept.not", lang, text=missing_extra("bench", lang)))
        return
    try:
        database = open_database(environment.read().database_url)
        try:
            Registry(database).settle(host, outcome, made, now)
        finally:
            database.close()
    except StoreError as error:
        if made["state"] == "ok":
            complain(_say("kept.not", lang, text=str(error)))


def _report(made: Mapping[str, Any], lang: str, as_json: bool) -> None:
    from bot.render import bench as words

    if as_json:
        put_json(made)
    else:
        put(*words.report_lines(made, lang))


def _status(made: Mapping[str, Any], outcome: Outcome | None = None) -> int:
    from bot.bench.verdict import BAD

    if made["state"] == "cancelled":
        return INTERRUPTED
    if made["state"] != "ok" and outcome is not None:
        end = next((one for one in reversed(outcome.events) if one["ev"] == "end"), {})
        return UNUSABLE if end.get("rc") == UNUSABLE else OUTSIDE
    return FAILED if made["verdict"] in BAD else DONE


@bench.command(
    "history", epilog=example("gpu-bot bench history --host ml01", "gpu-bot bench history --gpu H100 --json")
)
def bench_history(
    host: Annotated[str | None, typer.Option("--host", metavar="N", help="Only this host.")] = None,
    gpu: Annotated[str | None, typer.Option("--gpu", metavar="G", help="Only this card: an id, or a model.")] = None,
    knowledge: Knowledge = None,
    lang: Spoken = "en",
    as_json: AsJson = False,
) -> None:
    """List the stored readings, the newest first.

    Exit status: 0 there are some, 3 there are none.
    """
    from bot.bench import hosts as registry
    from bot.bench.verdict import resolve
    from bot.render import bench as words

    with _told(lang), _registry(lang) as kept:
        rows = [_reading_json(one) for one in kept.readings(host=host, limit=200 if gpu is None else None)]
        if gpu is not None:
            known = _known(knowledge, lang)
            wanted = registry.check_ordered(gpu, known.table, known.aliases) or gpu
            ids = {one.id for one in resolve(wanted, known.table)}
            rows = [row for row in rows if row["gpu"] in ids]
    if as_json:
        put_json(rows)
    else:
        put(*words.history_lines(rows, lang))
    raise typer.Exit(DONE if rows else NO_MATCH)


@bench.command("verdict", epilog=example("gpu-bot bench verdict reading.jsonl --ordered-as H200 --claim 1979"))
def bench_verdict(
    file: Annotated[str, typer.Argument(metavar="FILE", help="What the script printed; - for standard input.")],
    ordered_as: OrderedAs = None,
    claim: ClaimOption = None,
    knowledge: Knowledge = None,
    lang: Spoken = "en",
    as_json: AsJson = False,
) -> None:
    """Say what a reading means that somebody else made with the script; it is marked as self-reported.

    Exit status: 0 nothing is wrong with it, 1 it is not what it should be or its run did not end well, 2 the file is no
    reading.
    """
    from bot.bench import hosts as registry
    from bot.bench.reported import judged

    with _told(lang):
        events = _events(file, lang)
        known = _known(knowledge, lang)
        wanted = registry.check_ordered(ordered_as, known.table, known.aliases)
        made = judged(events, known.table, ordered_as=wanted, claim=registry.check_claim(claim))
    _report(made, lang, as_json)
    raise typer.Exit(_status(made) if made["state"] == "ok" else FAILED)


def _events(file: str, lang: str) -> list[Mapping[str, Any]]:
    from bot.bench.connect import MAX_OUTPUT
    from bot.bench.reported import events_of

    try:
        stream = sys.stdin.buffer if file == "-" else Path(file).open("rb")  # noqa: SIM115  (closed below)
        with stream:
            data = stream.read(MAX_OUTPUT + 1)
    except OSError:
        data = b""
    found = [] if len(data) > MAX_OUTPUT else events_of(data)
    if not found:
        _refuse(_say("error.file", lang, text=file))
    return found


@bench.command("script", epilog=example("gpu-bot bench script | ssh host python3 - --quick > reading.jsonl"))
def bench_script() -> None:
    """Print the program that measures, to paste or pipe into a host's own Python with torch."""
    put(script().rstrip("\n"))


def script() -> str:
    """The program that measures: one file, torch and the standard library."""
    return (Path(__file__).resolve().parent / "bench" / "payload.py").read_text(encoding="utf-8")


# ---------------------------------------------------------------- what the commands share


@dataclass(frozen=True, slots=True)
class Known:
    catalog: Catalog
    table: Mapping[str, Accelerator]
    aliases: Mapping[str, str]  # any name of a model, folded -> the model


def _known(knowledge: Path | None, lang: str) -> Known:
    """The knowledge with its table of accelerators; a mistake in other parts keeps nobody from measuring."""
    from bot.catalog import errors, packaged_folder
    from rules.load import read_folder

    given = environment.read()
    packaged = packaged_folder()
    folder = knowledge or given.knowledge or packaged
    catalog, problems = read_folder(
        folder, packaged=packaged, overlays=given.overlays, check_clauses=False, accelerators=True
    )
    wrong = [one for one in errors(problems) if one.place.file.rpartition("/")[2] in TABLES]
    if wrong:
        for problem in wrong[:5]:
            complain(str(problem))
        _refuse(_say("error.knowledge", lang, n=len(wrong)))
    aliases = {
        name.casefold(): gpu.model
        for gpu in catalog.gpus.values()
        for name in (gpu.model, *gpu.aliases, *gpu.device_names)
    }
    return Known(catalog, catalog.accelerators, aliases)


@contextlib.contextmanager
def _registry(lang: str) -> Iterator[Registry]:
    from bot.bench.hosts import Registry

    try:
        from bot.store import open_database
    except ImportError:
        _refuse(missing_extra("bench", lang))
    database = open_database(environment.read().database_url)
    try:
        yield Registry(database)
    finally:
        database.close()


@contextlib.contextmanager
def _told(lang: str) -> Iterator[None]:
    """What the parts say of unusable input, as one sentence and a status."""
    from bot.bench.connect import ConnectError
    from bot.bench.hosts import HostError
    from bot.render import bench as words

    spoken(lang)
    try:
        yield
    except HostError as error:
        slots = dict(error.slots)
        near = slots.pop("near", "")
        if "state" in slots:
            slots["state"] = words.word("state", slots["state"], lang)
        _refuse(_say(error.key, lang, near=_say("error.near", lang, text=near) if near else "", **slots))
    except ConnectError as error:
        _refuse(
            _say("head.state", lang, where="", state=f"{words.word('state', error.state, lang)} ({error.note})"),
            OUTSIDE,
        )
    except Exception as error:
        _refuse_store(error)
        raise


def _refuse_store(error: Exception) -> None:
    """The database's own sentence, if that is what it is."""
    try:
        from bot.store import StoreAwayError, StoreError
    except ImportError:
        return
    if isinstance(error, StoreError):
        _refuse(str(error), OUTSIDE if isinstance(error, StoreAwayError) else UNUSABLE)


def _connector() -> Connector:
    from bot.bench.connect import Connector

    return Connector()


def _needs_asyncssh(lang: str) -> None:
    if importlib.util.find_spec("asyncssh") is None:
        _refuse(missing_extra("bench", lang))


def _host_json(host: Host) -> dict[str, Any]:
    from bot.bench.hosts import address_of
    from bot.bench.verdict import plain

    names = "host_key key_file python ordered_as offer claim_tflops state state_note".split()
    values = {name: plain(getattr(host, name)) for name in names}
    return {"name": host.name, "address": address_of(host), **values, "added": host.added.isoformat(timespec="seconds")}


def _reading_json(one: Any) -> dict[str, Any]:
    from bot.bench.verdict import plain

    kept = {name: one.record.get(name) for name in ("mode", "protocol_version", "expected_tflops", "dense_tflops")}
    return {
        "at": one.at.isoformat(timespec="seconds"), "host": one.host, "gpu": one.gpu, "dtype": one.dtype,
        "tflops": plain(one.tflops), "verdict": one.verdict, "offer": one.offer, **kept,
    }  # fmt: skip


def _now() -> datetime:
    """The clock, read here."""
    return datetime.now(UTC)


def _say(key: str, lang: str, **slots: Any) -> str:
    from bot.render.bench import say

    return say(key, lang, **slots)


def _refuse(sentence: str, status: int = UNUSABLE) -> NoReturn:
    complain(f"gpu-bot: {sentence}")
    raise typer.Exit(status)


APPS: Sequence[tuple[str, typer.Typer]] = (("hosts", hosts), ("bench", bench))


def add_to(app: typer.Typer) -> None:
    """Give the program these commands."""
    for name, one in APPS:
        app.add_typer(one, name=name)
