"""`serve --check`, the refusals of a start, and what the log may hold."""

from __future__ import annotations

import io
import json
import logging
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from slack.canned import SMALL, CannedSlack
from slack.peer import APP_TOKEN, BOT_TOKEN, SECRET

from bot.cli import run
from bot.logs import Lines
from bot.slack.manifest import NEEDED, OPTIONAL


@pytest.fixture
def canned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[CannedSlack]:
    """A Slack that says yes, and the settings of a complete set-up."""
    made = CannedSlack()
    made.start()
    for name, value in {
        "SLACK_BOT_TOKEN": BOT_TOKEN, "SLACK_APP_TOKEN": APP_TOKEN, "SLACK_SIGNING_SECRET": SECRET,
        "SLACK_API_URL": made.url, "GPU_BOT_HOME": str(tmp_path), "GPU_BOT_KNOWLEDGE": str(SMALL),
    }.items():  # fmt: skip
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    yield made
    made.stop()


def check(capsys: pytest.CaptureFixture[str], *more: str) -> tuple[int, list[dict[str, str]]]:
    status = run(["serve", "--check", "--json", *more])
    return status, json.loads(capsys.readouterr().out)


def said(rows: list[dict[str, str]], state: str) -> str:
    return "\n".join(row["what"] for row in rows if row["state"] == state)


def test_a_complete_set_up_has_nothing_wrong(canned: CannedSlack, capsys: pytest.CaptureFixture[str]) -> None:
    status, rows = check(capsys, "--live")
    assert (status, said(rows, "fail")) == (0, "")
    everything = said(rows, "ok")
    for part in ("settings", "GPU Test", "scopes", "clock", "Socket Mode", "database", "template cheapest-zh"):
        assert part in everything


def test_each_missing_scope_is_named_with_its_use(canned: CannedSlack, capsys: pytest.CaptureFixture[str]) -> None:
    canned.rules.scopes = canned.rules.scopes - {"im:write", "files:write", "files:read"}
    status, rows = check(capsys)
    assert status == 2
    assert "im:write" in said(rows, "fail")
    assert NEEDED["im:write"] in said(rows, "fail")
    for scope in ("files:write", "files:read"):
        assert OPTIONAL[scope] in said(rows, "warn")


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_missing_setting_is_named(
    canned: CannedSlack, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, lang: str
) -> None:
    monkeypatch.delenv("SLACK_APP_TOKEN")
    status, rows = check(capsys, "--lang", lang)
    assert status == 2
    assert "SLACK_APP_TOKEN" in said(rows, "fail")
    assert run(["serve", "--lang", lang]) == 2
    assert "SLACK_APP_TOKEN" in capsys.readouterr().err


@pytest.mark.parametrize(("lang", "skipped"), [("en", "not checked"), ("zh", "未检查")])
def test_each_missing_token_has_a_sentence_with_its_page(
    canned: CannedSlack, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, lang: str, skipped: str
) -> None:
    """Where to copy it is said as docs/connect-slack.md names it, and what could not be looked at without it."""
    monkeypatch.delenv("SLACK_BOT_TOKEN")
    monkeypatch.delenv("SLACK_APP_TOKEN")
    status, rows = check(capsys, "--lang", lang)
    bot, app = [row["what"] for row in rows if row["state"] == "fail"]
    assert status == 2
    assert "SLACK_BOT_TOKEN" in bot
    assert "Bot User OAuth Token" in bot
    assert "SLACK_APP_TOKEN" in app
    assert "App-Level Tokens" in app
    left = [row["what"] for row in rows if row["state"] == "warn" and skipped in row["what"]]
    assert [name in text for name, text in zip(("SLACK_BOT_TOKEN", "SLACK_APP_TOKEN"), left, strict=True)] == [True] * 2


def test_without_the_bot_token_the_app_token_is_still_tried(
    canned: CannedSlack, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One missing token hides nothing about the other."""
    monkeypatch.delenv("SLACK_BOT_TOKEN")
    status, rows = check(capsys)
    assert status == 2
    assert "Socket Mode can connect" in said(rows, "ok")


def test_both_tokens_that_slack_refuses_are_named(canned: CannedSlack, capsys: pytest.CaptureFixture[str]) -> None:
    """The second mistake is found in the same run as the first."""
    canned.rules.tokens = frozenset()
    status, rows = check(capsys)
    assert status == 4
    assert [row["what"].split(":")[0] for row in rows if row["state"] == "fail"] == [
        "Slack refuses SLACK_BOT_TOKEN", "Slack refuses SLACK_APP_TOKEN",
    ]  # fmt: skip


def test_wrong_tokens_are_no_complete_settings(
    canned: CannedSlack, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tokens of another kind are not said to be in order."""
    monkeypatch.setenv("SLACK_BOT_TOKEN", "xapp-test-token")
    monkeypatch.setenv("SLACK_APP_TOKEN", "xoxb-test-token")
    _, rows = check(capsys)
    assert "settings" not in said(rows, "ok")


def test_a_token_of_another_kind_is_named(
    canned: CannedSlack, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SLACK_BOT_TOKEN", "xapp-test-token")
    status, rows = check(capsys)
    assert status == 2
    assert "SLACK_BOT_TOKEN" in said(rows, "fail")
    assert "xoxb-" in said(rows, "fail")


def test_a_token_that_slack_refuses(canned: CannedSlack, capsys: pytest.CaptureFixture[str]) -> None:
    """The doctor and the start say the same, with the status for what is outside."""
    canned.rules.tokens = frozenset()
    status, rows = check(capsys)
    assert status == 4
    assert "invalid_auth" in said(rows, "fail")
    assert run(["serve"]) == 4
    captured = capsys.readouterr()
    assert "invalid_auth" in captured.err
    assert captured.out == ""
    assert BOT_TOKEN not in captured.err


def test_a_slack_that_is_not_there(
    canned: CannedSlack, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SLACK_API_URL", "http://127.0.0.1:1/api/")
    monkeypatch.setattr("bot.serve.REACH_SECONDS", 0.1)
    status, rows = check(capsys)
    assert status == 4
    assert "cannot be reached" in said(rows, "fail")
    assert run(["serve"]) == 4
    assert "cannot be reached" in capsys.readouterr().err


def test_knowledge_with_errors_is_not_served(
    canned: CannedSlack, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "broken" / "providers").mkdir(parents=True)
    (tmp_path / "broken" / "providers" / "x.yaml").write_text("id: [\n")
    monkeypatch.setenv("GPU_BOT_KNOWLEDGE", str(tmp_path / "broken"))
    assert run(["serve"]) == 2
    assert "x.yaml" in capsys.readouterr().err


def test_a_port_that_is_taken(
    canned: CannedSlack, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GPU_BOT_PORT", canned.url.split(":")[2].split("/")[0])
    assert run(["serve", "--http"]) == 2
    assert "GPU_BOT_PORT" in capsys.readouterr().err


def test_the_channels_of_the_settings_are_looked_at(
    canned: CannedSlack, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GPU_BOT_CHANNELS", "C1")
    _, rows = check(capsys)
    assert "/invite" in said(rows, "warn")


def test_the_manifest_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["serve", "--manifest", "socket"]) == 0
    assert json.loads(capsys.readouterr().out)["settings"]["socket_mode_enabled"] is True
    assert run(["serve", "--manifest", "ftp://x"]) == 2


def test_an_answer_that_is_not_kept(canned: CannedSlack, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["replay", "0123456789ab"]) == 3
    assert "0123456789ab" in capsys.readouterr().err


# ---------------------------------------------------------------- the log


def test_a_log_line_is_one_json_object_without_secrets() -> None:
    out = io.StringIO()
    handler = logging.StreamHandler(out)
    handler.setFormatter(Lines(["xoxb-secret", "postgresql://u:p@h/d"]))
    logger = logging.getLogger("gpu_bot.test_of_lines")
    logger.propagate = False
    logger.addHandler(handler)
    try:
        raise ValueError(f"token xoxb-secret at {os.sep}")
    except ValueError:
        logger.exception("went to %s", "postgresql://u:p@h/d", extra={"log_id": "ab", "note": "a\nb"})
    line = out.getvalue()
    assert line.count("\n") == 1
    read = json.loads(line)
    assert (read["level"], read["log_id"], read["what"]) == ("error", "ab", "went to [hidden]")
    assert "xoxb-secret" not in line
    assert "ValueError" in read["error"]
