"""What is said where a command line cannot be read: typer's own words, and the same in Chinese."""

from __future__ import annotations

import re
from typing import Any

from bot.cli_shared import complain, said_in

_EXTRA = re.compile(r"Got unexpected extra argument(?:s|\(s\))? \((.*)\)", re.DOTALL)
_QUOTED = re.compile(r"'(.+?)'")
_COMMAND = re.compile(r"No such command '(.*?)'", re.DOTALL)


def is_usage_error(error: Exception) -> bool:
    """Whether typer raised it for the command line; told by its shape, for typer brings its own copy of click."""
    return all(hasattr(error, name) for name in ("exit_code", "format_message", "show"))


def complain_of_usage(error: Any, lang: str) -> int:
    """Print what cannot be read and how the command is used; returns the exit status."""
    sentence = _in_chinese(error) if lang == "zh" else None
    context = getattr(error, "ctx", None)
    if sentence is None:
        error.show()
        return int(error.exit_code)
    if context is not None:
        usage = " ".join([context.command_path, *context.command.collect_usage_pieces(context)])
        complain(said_in("usage.line", lang, usage=usage))
        complain(said_in("usage.help", lang, command=f"{context.command_path} --help") + "\n")
    complain(said_in("usage.error", lang, text=sentence))
    return int(error.exit_code)


def _in_chinese(error: Any) -> str | None:
    """The sentence of an error by its class; None where typer's own is shown."""
    kinds = [one.__name__ for one in type(error).__mro__]
    message = str(getattr(error, "message", ""))
    if "NoArgsIsHelpError" in kinds:
        return None
    if "NoSuchOption" in kinds:
        near = sorted(error.possibilities or ())
        slots = {"name": error.option_name, "near": "、".join(near)}
        return said_in("usage.no_option.near" if near else "usage.no_option", "zh", **slots)
    if "MissingParameter" in kinds:
        argument = getattr(error.param, "param_type_name", "") == "argument"
        return said_in("usage.missing.argument" if argument else "usage.missing.option", "zh", name=_name(error))
    if "BadParameter" in kinds:
        return said_in("usage.value", "zh", name=_name(error), text=message)
    if "BadOptionUsage" in kinds:
        return said_in("usage.option", "zh", name=error.option_name)
    if found := _COMMAND.match(message):
        return said_in("usage.no_command", "zh", name=found[1])
    if found := _EXTRA.match(message):
        return said_in("usage.extra", "zh", text=found[1])
    return None


def _name(error: Any) -> str:
    """The option or argument of an error as it is typed, which typer's own sentence quotes first."""
    found = _QUOTED.search(error.format_message())
    return found[1] if found else "?"
