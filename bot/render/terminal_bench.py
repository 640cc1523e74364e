"""A bar that moves while a benchmark runs, in a real terminal; nothing anywhere else."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TextIO

from bot.render.bench import step_name

Show = Callable[[Mapping[str, Any]], None]


@contextmanager
def progress(out: TextIO, seconds: float, lang: str) -> Iterator[Show]:
    """A function that shows the events of a run which takes about ``seconds``; it may be called from any thread."""
    if not out.isatty():
        yield lambda _event: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(file=out, markup=False, highlight=False), transient=True) as bar:
        task = bar.add_task(step_name({"step": "start"}, lang), total=seconds)

        def show(event: Mapping[str, Any]) -> None:
            at = event.get("t")
            done = float(at) if isinstance(at, (int, float)) and not isinstance(at, bool) else 0.0
            if event.get("ev") == "progress":
                bar.update(task, description=step_name(event, lang))
            bar.update(task, completed=min(done, seconds))

        yield show
