"""Settings from the environment and a ``.env`` file, as one frozen value. The only reader of tokens."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

PREFIX = "GPU_BOT_"
LEVELS = ("debug", "info", "warning", "error")
_LARGEST_PORT = 65535


class SettingsError(Exception):
    """A setting that cannot be used: a sentence of ``render.words`` by its key, and what it names."""

    def __init__(self, key: str, **slots: str) -> None:
        super().__init__(key, slots)
        self.key, self.slots = key, slots


@dataclass(frozen=True, slots=True)
class Unknown:
    """A name with our prefix that is no setting, and the one it resembles."""

    name: str
    near: str | None


def _secret() -> Any:
    return field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Settings:
    """What the environment says. Secrets are never part of ``repr``."""

    slack_bot_token: str | None = _secret()
    slack_app_token: str | None = _secret()
    slack_signing_secret: str | None = _secret()
    slack_client_id: str | None = None
    slack_client_secret: str | None = _secret()
    slack_api_url: str | None = None
    home: Path = Path()
    database_url: str = field(default="", repr=False)  # may hold a password
    knowledge: Path | None = None
    overlays: tuple[Path, ...] = ()
    bench_users: frozenset[str] = frozenset()
    bind: str = "127.0.0.1"
    port: int = 3000
    web_token: str | None = _secret()
    refresh: str = "daily"
    channels: frozenset[str] = frozenset()
    log_level: str = "info"
    log_questions: bool = False
    unknown: tuple[Unknown, ...] = ()  # to be reported at start


_SLACK = ("bot_token", "app_token", "signing_secret", "client_id", "client_secret", "api_url")
_OWN = (
    "home", "database_url", "knowledge", "overlays", "bench_users", "bind", "port", "web_token", "refresh", "channels",
    "log_level", "log_questions",
)  # fmt: skip
NAMES = (*(f"SLACK_{name.upper()}" for name in _SLACK), *(f"{PREFIX}{name.upper()}" for name in _OWN))


def read(environ: Mapping[str, str] | None = None, folder: Path | None = None) -> Settings:
    """The settings of an environment (default: the process's) over the ``.env`` file of ``folder``.

    Raises ``SettingsError`` for a value that cannot be used; a ``GPU_BOT_`` name that is none is ``unknown``.
    """
    own = os.environ if environ is None else environ
    values = {**_dotenv((folder or Path()) / ".env"), **own}  # relative: the working folder may be gone
    home = Path(values[f"{PREFIX}HOME"]).expanduser() if values.get(f"{PREFIX}HOME") else data_folder(values)
    return Settings(
        **{f"slack_{name}": _typed(f"SLACK_{name.upper()}", values) for name in _SLACK},
        home=home,
        database_url=values.get(f"{PREFIX}DATABASE_URL") or f"sqlite:///{home / 'gpu-bot.db'}",
        knowledge=_path(values.get(f"{PREFIX}KNOWLEDGE")),
        overlays=tuple(
            Path(one).expanduser() for one in (values.get(f"{PREFIX}OVERLAYS") or "").split(os.pathsep) if one
        ),
        bench_users=_names(values.get(f"{PREFIX}BENCH_USERS")),
        bind=values.get(f"{PREFIX}BIND") or "127.0.0.1",
        port=_port(values.get(f"{PREFIX}PORT")),
        web_token=values.get(f"{PREFIX}WEB_TOKEN") or None,
        refresh=_one_of("REFRESH", values, ("daily", "off"), "daily"),
        channels=_names(values.get(f"{PREFIX}CHANNELS")),
        log_level=_one_of("LOG_LEVEL", values, LEVELS, "info"),
        log_questions=_one_of("LOG_QUESTIONS", values, ("0", "1"), "0") == "1",
        unknown=tuple(_unknown(name) for name in sorted(values) if name.startswith(PREFIX) and name not in NAMES),
    )


def data_folder(environ: Mapping[str, str]) -> Path:
    """Where this platform keeps a program's data."""
    import sys

    if sys.platform == "win32":  # pragma: no cover
        return Path(environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "gpu-bot"
    if sys.platform == "darwin":  # pragma: no cover
        return Path.home() / "Library" / "Application Support" / "gpu-bot"
    base = environ.get("XDG_DATA_HOME")
    return (Path(base) if base else Path.home() / ".local" / "share") / "gpu-bot"


def secrets(settings: Settings) -> frozenset[str]:
    """The values that must never be written anywhere."""
    hidden = [one.name for one in fields(settings) if not one.repr]
    return frozenset(value for name in hidden if (value := getattr(settings, name)))


def _dotenv(path: Path) -> dict[str, str]:
    """``NAME=value`` lines; ``export``, blank lines, comments and one pair of quotes are understood."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError("setting.file", file=str(path), reason=type(error).__name__) from None
    values: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        entry = line.strip().removeprefix("export ").strip()
        if not entry or entry.startswith("#"):
            continue
        name, equals, value = entry.partition("=")
        if not equals or not name.strip().isidentifier():
            raise SettingsError("setting.line", place=f"{path}:{number}")
        values[name.strip()] = _unquoted(value.strip())
    return values


def _unquoted(value: str) -> str:
    if value[:1] in ("'", '"') and value.find(value[0], 1) > 0:
        return value[1 : value.find(value[0], 1)]
    return value.split(" #", 1)[0].rstrip()


def _path(value: str | None) -> Path | None:
    return Path(value).expanduser() if value else None


def _typed(name: str, values: Mapping[str, str]) -> str | None:
    """A value from Slack's pages, all of which is ASCII; "xoxb-…" was copied from a manual."""
    value = values.get(name) or None
    if value is not None and not value.isascii():
        raise SettingsError("setting.placeholder", name=name)
    return value


def _names(value: str | None) -> frozenset[str]:
    return frozenset(name.strip() for name in (value or "").split(",") if name.strip())


def _port(value: str | None) -> int:
    if not value:
        return 3000
    if value.isascii() and value.isdigit() and int(value) <= _LARGEST_PORT:
        return int(value)
    raise SettingsError("setting.port", name=f"{PREFIX}PORT", most=str(_LARGEST_PORT))


def _one_of(name: str, values: Mapping[str, str], legal: tuple[str, ...], default: str) -> str:
    value = (values.get(PREFIX + name) or default).lower()
    if value not in legal:
        raise SettingsError("setting.one_of", name=f"{PREFIX}{name}", list=", ".join(legal))
    return value


def _unknown(name: str) -> Unknown:
    from rules.fields import nearest

    return Unknown(name, nearest(name, NAMES) or None)


def without_secrets(text: str, settings: Settings) -> str:
    """The text without tokens and without an address that may hold a password."""
    for secret in secrets(settings):
        if not secret.startswith("sqlite:"):
            text = text.replace(secret, "[hidden]")
    return text
