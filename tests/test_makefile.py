"""`make ask` and `make test`, the two commands of README."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ECHO = "import json, sys; print(json.dumps(sys.argv[1:]))"

QUESTIONS = [
    "cheapest for 72h on 4×A100",
    "how long does $490 last on 4xA100?",
    "4张A100跑72小时哪家最便宜",
    'it\'s "quoted" # not a comment; echo no',
    "a `touch made` $(touch made) ${HOME} $$ $@ $(shell touch made)",
    "an open $(bracket, a back\\slash, 100 % and a last \\",
    "--help is a question too",
    "two\nlines & more | < > * ? ~ !",
]


def make(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run make as from a plain shell: nothing of a make that runs these tests is passed on."""
    env: Mapping[str, str] = {k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "MFLAGS", "Q"))}
    return subprocess.run(
        ["make", "--no-print-directory", *arguments],
        cwd=folder,
        env={**env, **environment},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )


@pytest.fixture
def echoing(tmp_path: Path) -> Path:
    """A folder with a space in its name whose bot prints what it is asked, installed as far as make can tell."""
    folder = tmp_path / "a folder"
    (folder / ".venv" / "bin").mkdir(parents=True)
    (folder / ".venv" / "bin" / "python").symlink_to(sys.executable)
    (folder / "bot").mkdir()
    (folder / "bot" / "__main__.py").write_text(ECHO, encoding="utf-8")
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(ROOT / name, folder)
    (folder / ".venv" / ".base").touch()
    return folder


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_arrives_as_it_was_typed(echoing: Path, question: str) -> None:
    """Neither make nor the shell reads anything into the question, wherever Q was set."""
    for run in (make(echoing, "ask", f"Q={question}"), make(echoing, "ask", Q=question)):
        assert (run.returncode, run.stderr) == (0, "")
        assert json.loads(run.stdout) == ["ask", "--", question]
    assert not list(echoing.rglob("made"))


def test_without_a_question_make_says_how_to_ask(echoing: Path) -> None:
    """An empty Q is one clear sentence, not an answer."""
    run = make(echoing, "ask")
    assert run.returncode == 2
    assert 'Say what to ask: make ask Q="' in run.stderr
    assert run.stdout == ""


def test_without_a_fitting_python_make_names_the_version(echoing: Path) -> None:
    """A machine with an old Python alone is told what is needed."""
    (echoing / ".venv" / ".base").unlink()
    run = make(echoing, "ask", "Q=x", "PYTHON=")
    assert run.returncode == 2
    assert "gpu-bot needs Python 3.11 or newer" in run.stderr


def test_an_installation_is_used_again_until_pyproject_changes(echoing: Path) -> None:
    """The second question installs nothing; a newer pyproject.toml does."""
    assert make(echoing, "-q", ".venv/.base").returncode == 0
    later = (echoing / ".venv" / ".base").stat().st_mtime + 10
    os.utime(echoing / "pyproject.toml", (later, later))
    assert make(echoing, "-q", ".venv/.base").returncode == 1


@pytest.mark.slow
def test_the_first_command_works_in_a_fresh_folder(tmp_path: Path) -> None:
    """From nothing but the files, in a folder with a space in its name, make installs and answers."""
    folder = tmp_path / "fresh clone"
    folder.mkdir()
    for name in ("Makefile", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    for name in ("bot", "rules", "knowledge"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    run = make(folder, "ask", "Q=cheapest for 72h on 4×A100", PYTHON=sys.executable)
    assert run.returncode == 0, run.stderr
    assert "A100" in run.stdout
