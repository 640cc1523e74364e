"""The commands of the database: ``backup``, ``restore`` and ``migrate``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot import settings as environment
from bot.cli_shared import OUTSIDE, PLAIN, UNUSABLE, Spoken, complain, example, put, spoken, warn
from bot.render.words import say

if TYPE_CHECKING:
    from bot.store import Database

app = typer.Typer(no_args_is_help=True, **PLAIN)


@app.command(epilog=example("gpu-bot backup gpu-bot-2026-11-30.db"))
def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A new file for the copy.")], lang: Spoken = "en"
) -> None:
    """Copy the database to a new file while gpu-bot goes on working.

    Exit status: 0 copied, 2 the file or the database cannot be used, 4 the database did not answer.
    """
    from bot.store import upkeep

    _with_database(lambda database: upkeep.backup(database, file), lang)
    put(say("store.backed_up", lang, file=file))


@app.command(epilog=example("gpu-bot restore gpu-bot-2026-11-30.db"))
def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A copy made by `gpu-bot backup`.")], lang: Spoken = "en"
) -> None:
    """Put a backup in the place of the database; what was there is kept beside it.

    Exit status: 0 restored, 2 the file is no backup or gpu-bot is running, 4 the database did not answer.
    """
    from bot.store import upkeep

    before: list[Path] = []
    _with_database(lambda database: before.append(upkeep.restore(database, file)), lang)
    put(say("store.restored", lang, file=file, before=before[0]))


@app.command(epilog=example("gpu-bot migrate"))
def migrate(lang: Spoken = "en") -> None:
    """Bring the tables of the database up to date; `serve` does so by itself.

    Exit status: 0 up to date, 2 the database cannot be used, 4 it did not answer.
    """
    _with_database(lambda _: None, lang)
    put(say("store.migrated", lang))


def _with_database(use: Callable[[Database], object], lang: str) -> None:
    """Open the database, which brings it up to date, and use it; what goes wrong is one sentence."""
    from bot.store import StoreAwayError, StoreError, open_database

    spoken(lang)
    settings = environment.read()
    warn(settings)
    try:
        database = open_database(settings.database_url)
        try:
            use(database)
        finally:
            database.close()
    except StoreError as error:
        complain(f"gpu-bot: {environment.without_secrets(str(error), settings)}")
        raise typer.Exit(OUTSIDE if isinstance(error, StoreAwayError) else UNUSABLE) from None
