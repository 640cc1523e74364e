"""The commands of a server: ``serve`` with its check, and ``replay``."""

from __future__ import annotations

import json
import sys
from typing import Annotated

import typer

from bot import settings as environment
from bot.cli_shared import (
    DONE,
    FAILED,
    NO_MATCH,
    OUTSIDE,
    PLAIN,
    UNUSABLE,
    Refusal,
    Spoken,
    complain,
    example,
    pipe,
    put,
    put_json,
    spoken,
    warn,
)

app = typer.Typer(no_args_is_help=True, **PLAIN)


@app.command(epilog=example("gpu-bot serve", "gpu-bot serve --http", "gpu-bot serve --check"))
def serve(
    http: Annotated[
        bool, typer.Option("--http", help="Take Slack's deliveries over HTTP, for several replicas.")
    ] = False,
    check: Annotated[bool, typer.Option("--check", help="Look at the set-up and say what is wrong with it.")] = False,
    live: Annotated[bool, typer.Option("--live", help="With --check: let Slack judge every message.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="With --check: print JSON.")] = False,
    lang: Spoken = "en",
    manifest: Annotated[
        str | None,
        typer.Option(
            "--manifest", metavar="socket|URL", help="Print the manifest for Socket Mode, or for HTTP at URL."
        ),
    ] = None,
) -> None:
    """Run the Slack app. Prints `ready` when it takes events.

    Exit status: 0 stopped, 2 a setting is missing or wrong, 4 Slack refuses or cannot be reached.
    """
    if manifest is not None:
        _print_manifest(manifest)
        return
    spoken(lang)
    settings = environment.read()
    warn(settings)
    if check:
        raise typer.Exit(_check(settings, lang, http=http, live=live, as_json=as_json))
    raise typer.Exit(_serve(settings, lang, http=http))


def _serve(settings: environment.Settings, lang: str, *, http: bool) -> int:
    from bot import logs
    from bot import serve as server
    from bot.slack.text import tell
    from bot.web.server import PortTakenError

    logs.to_stderr(settings.log_level, environment.secrets(settings))
    try:
        return server.run(settings, http=http, say=server.flush_line)
    except server.CannotServeError as error:
        _say(environment.without_secrets(tell(error.key, lang, **error.slots), settings))
        return OUTSIDE if error.outside else UNUSABLE
    except PortTakenError as error:
        _say(tell("serve.port", lang, address=error.address, reason=error.reason))
        return UNUSABLE


def _check(settings: environment.Settings, lang: str, *, http: bool, live: bool, as_json: bool) -> int:
    from bot import doctor
    from bot.slack.text import tell

    found = []
    for finding in doctor.Doctor(settings, lang, http=http, live=live).findings():
        what = environment.without_secrets(finding.what, settings)
        found.append(finding)
        if not as_json:
            put(tell("check.line", lang, state=tell(f"check.{finding.state}", lang), what=what))
    if as_json:
        rows = [{"state": one.state, "what": environment.without_secrets(one.what, settings)} for one in found]
        put_json(rows)
    wrong = [one for one in found if one.state == doctor.FAIL]
    if any(one.settings for one in wrong):
        return UNUSABLE
    return OUTSIDE if any(one.outside for one in wrong) else FAILED if wrong else DONE


def _print_manifest(where: str) -> None:
    from bot.slack.manifest import manifest

    if where != "socket" and not where.startswith("https://"):
        raise Refusal("error.manifest", text=where)
    put(json.dumps(manifest(None if where == "socket" else where), ensure_ascii=False, indent=2))


@app.command(epilog=example("gpu-bot replay 3f9a0c12b7de"))
def replay(
    id_: Annotated[str, typer.Argument(metavar="ID", help="The id that stands under an answer in Slack.")],
    lang: Spoken = "en",
) -> None:
    """Give a kept answer again, byte for byte.

    Exit status: 0 given, 3 no such answer is kept.
    """
    from bot.slack.text import tell
    from bot.store import StoreAwayError, StoreError, answers, open_database

    spoken(lang)
    settings = environment.read()
    try:
        database = open_database(settings.database_url)
        body = answers.body_of(database, id_)
        database.close()
    except StoreError as error:
        _say(environment.without_secrets(str(error), settings))
        raise typer.Exit(OUTSIDE if isinstance(error, StoreAwayError) else UNUSABLE) from None
    if body is None:
        _say(tell("replay.none", lang, id=id_))
        raise typer.Exit(NO_MATCH)
    with pipe():
        sys.stdout.buffer.write(body)
        sys.stdout.buffer.flush()


def _say(sentence: str) -> None:
    complain(f"gpu-bot: {sentence}")
