"""The database from the command line: copied, put back, brought up to date."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bot.cli import app
from bot.settings import read
from bot.store import answers, open_database

RUN = CliRunner()


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GPU_BOT_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def test_a_backup_brings_back_what_was_there(tmp_path: Path) -> None:
    """An answer kept before the backup is there after the restore, one kept later is not, and nothing is lost."""
    keep(b"before")
    copy = tmp_path / "copy.db"
    assert RUN.invoke(app, ["backup", str(copy)]).output == f"The database was copied to {copy}\n"
    later = keep(b"later")
    restored = RUN.invoke(app, ["restore", str(copy)])
    assert restored.exit_code == 0
    assert kept(later) is None
    before = Path(restored.output.rsplit(" ", 1)[-1].strip())
    assert before.is_file()


def test_both_languages(tmp_path: Path) -> None:
    assert RUN.invoke(app, ["migrate", "--lang", "zh"]).output == "数据库已是最新结构\n"
    assert "数据库已备份到" in RUN.invoke(app, ["backup", str(tmp_path / "copy.db"), "--lang", "zh"]).output


@pytest.mark.parametrize("name", ["there.db", "no/such/folder/copy.db"])
def test_a_backup_that_cannot_be_written_is_one_sentence(tmp_path: Path, name: str) -> None:
    (tmp_path / "there.db").write_bytes(b"mine")
    done = RUN.invoke(app, ["backup", str(tmp_path / name)])
    assert done.exit_code == 2
    assert len(done.output.splitlines()) == 1
    assert (tmp_path / "there.db").read_bytes() == b"mine"


def test_what_is_no_backup_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "notes.txt"
    other.write_text("hello")
    done = RUN.invoke(app, ["restore", str(other)])
    assert done.exit_code == 2
    assert str(other) in done.output


def keep(body: bytes) -> str:
    database = open_database(read().database_url)
    try:
        answer = answers.KeptAnswer(
            team_id="T1",
            id=answers.answer_id(body),
            body=body,
            at=datetime(2026, 11, 30, tzinfo=UTC),
        )
        answers.keep_answer(database, answer)
        return answer.id
    finally:
        database.close()


def kept(id_: str) -> bytes | None:
    database = open_database(read().database_url)
    try:
        return answers.body_of(database, id_)
    finally:
        database.close()
