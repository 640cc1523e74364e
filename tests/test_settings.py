"""Settings: where they come from, what is refused, and that secrets stay secret."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot import settings
from bot.render.words import say


def test_nothing_set_gives_the_defaults(tmp_path: Path) -> None:
    """The table of the manual, as code."""
    given = settings.read({"GPU_BOT_HOME": "/srv/bot"}, tmp_path)
    assert (given.bind, given.port, given.refresh, given.log_level, given.log_questions) == (
        "127.0.0.1", 3000, "daily", "info", False,
    )  # fmt: skip
    assert given.database_url == "sqlite:////srv/bot/gpu-bot.db"
    assert (given.knowledge, given.overlays, given.bench_users) == (None, (), frozenset())


def test_the_environment_wins_over_the_file(tmp_path: Path) -> None:
    """A .env file is a default."""
    (tmp_path / ".env").write_text(
        "# ours\nexport GPU_BOT_PORT=4000\nGPU_BOT_BIND='0.0.0.0'\nGPU_BOT_REFRESH=off # no feeds\n", encoding="utf-8"
    )
    given = settings.read({"GPU_BOT_PORT": "5000"}, tmp_path)
    assert (given.port, given.bind, given.refresh) == (5000, "0.0.0.0", "off")


def test_lists_are_split(tmp_path: Path) -> None:
    """Overlays as in PATH, users by comma."""
    given = settings.read({"GPU_BOT_OVERLAYS": "/a:/b", "GPU_BOT_BENCH_USERS": "U1, U2"}, tmp_path)
    assert given.overlays == (Path("/a"), Path("/b"))
    assert given.bench_users == {"U1", "U2"}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("GPU_BOT_PORT", "many"),
        ("GPU_BOT_PORT", "70000"),
        ("GPU_BOT_REFRESH", "hourly"),
        ("GPU_BOT_LOG_LEVEL", "loud"),
        ("GPU_BOT_LOG_QUESTIONS", "yes"),
    ],
)
def test_a_value_that_cannot_be_used_names_its_setting(tmp_path: Path, name: str, value: str) -> None:
    """The name and what would be right; never the value, which may be a secret in the wrong place."""
    with pytest.raises(settings.SettingsError) as error:
        settings.read({name: value}, tmp_path)
    said = say(error.value.key, "en", **error.value.slots)
    assert name in said
    assert value not in f"{said}{error.value}".replace(name, "")


@pytest.mark.parametrize("name", ["SLACK_BOT_TOKEN", "SLACK_APP_TOKEN", "SLACK_SIGNING_SECRET"])
def test_a_token_copied_from_the_manual_is_refused(tmp_path: Path, name: str) -> None:
    """It holds an ellipsis, which no token has; what it is stays unsaid."""
    (tmp_path / ".env").write_text(f"{name}=xoxb-12…\n", encoding="utf-8")
    with pytest.raises(settings.SettingsError) as error:
        settings.read({}, tmp_path)
    for lang, sentence in (("en", f"{name} is still the placeholder"), ("zh", f"{name} 仍是占位文字")):
        said = say(error.value.key, lang, **error.value.slots)
        assert said.startswith(sentence)
        assert "xoxb" not in f"{said}{error.value!r}"


def test_a_broken_env_file_has_its_line(tmp_path: Path) -> None:
    """One sentence with the place."""
    (tmp_path / ".env").write_text("GPU_BOT_PORT=1\nnonsense\n", encoding="utf-8")
    with pytest.raises(settings.SettingsError) as error:
        settings.read({}, tmp_path)
    assert say(error.value.key, "en", **error.value.slots) == f"{tmp_path}/.env:2: this is no setting; write NAME=value"


def test_an_unknown_name_is_a_warning_with_the_nearest(tmp_path: Path) -> None:
    """Only our own prefix is looked at."""
    given = settings.read({"GPU_BOT_KNOWLEGE": "/x", "PATH": "/bin"}, tmp_path)
    assert given.unknown == (settings.Unknown("GPU_BOT_KNOWLEGE", "GPU_BOT_KNOWLEDGE"),)


def test_secrets_are_not_in_what_is_printed(tmp_path: Path) -> None:
    """Neither repr nor str shows a token, not even in part."""
    names = [
        "SLACK_BOT_TOKEN", "SLACK_APP_TOKEN", "SLACK_SIGNING_SECRET", "SLACK_CLIENT_SECRET", "GPU_BOT_WEB_TOKEN",
        "GPU_BOT_DATABASE_URL",
    ]  # fmt: skip
    given = settings.read({name: f"secret-{n}" for n, name in enumerate(names)}, tmp_path)
    assert "secret-" not in f"{given!r}{given}"
    assert settings.secrets(given) == {f"secret-{n}" for n in range(len(names))}
