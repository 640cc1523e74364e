"""The wheel and the image hold what an answer needs, and the pages point at what exists."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(ROOT)]
    done = subprocess.run(build, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (path,) = out.glob("*.whl")
    return path


def test_the_wheel_holds_code_and_knowledge_alone(wheel: Path) -> None:
    """Every file of bot/, rules/ and knowledge/ is in the wheel, and no other folder."""
    names = {name for name in ZipFile(wheel).namelist() if ".dist-info/" not in name}
    here = {
        path.relative_to(ROOT).as_posix()
        for folder in ("bot", "rules", "knowledge")
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert names == here


def test_the_wheel_names_itself_once(wheel: Path) -> None:
    """The distribution, its version and its command are those of pyproject.toml."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert wheel.name == f"gpu_bot-{version}-py3-none-any.whl"
    points = ZipFile(wheel).read(f"gpu_bot-{version}.dist-info/entry_points.txt").decode()
    assert "gpu-bot = bot.cli:main" in points


@pytest.mark.slow
def test_the_installed_wheel_answers_from_another_folder(wheel: Path, tmp_path: Path) -> None:
    """In an empty environment the command finds its knowledge, and needs nothing of the checkout."""
    env = tmp_path / "env"
    subprocess.run([sys.executable, "-m", "venv", str(env)], check=True)
    subprocess.run([str(env / "bin" / "python"), "-m", "pip", "install", "--quiet", str(wheel)], check=True)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    command = [str(env / "bin" / "gpu-bot"), "ask", "--json", "cheapest for 72h on 4×A100"]
    done = subprocess.run(command, cwd=elsewhere, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["quotes"], "an answer has at least one quote"
    assert not list(elsewhere.iterdir()), "asking leaves nothing behind"


# ---------------------------------------------------------------- the image


def instructions(text: str) -> list[tuple[str, str]]:
    """The Dockerfile as (INSTRUCTION, rest), comments gone and continued lines joined."""
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    joined = re.sub(r"\\\n\s*", " ", "\n".join(lines))
    return [
        (word.upper(), rest.strip()) for word, _, rest in (line.partition(" ") for line in joined.split("\n")) if word
    ]


@pytest.fixture(scope="module")
def stages() -> list[list[tuple[str, str]]]:
    out: list[list[tuple[str, str]]] = []
    for word, rest in instructions((ROOT / "Dockerfile").read_text(encoding="utf-8")):
        if word == "FROM":
            out.append([])
        out[-1].append((word, rest))
    return out


def test_the_image_runs_the_command_without_root(stages: list[list[tuple[str, str]]]) -> None:
    """The last stage starts gpu-bot as a user by number, so that a cluster can see it is not root."""
    last = dict(stages[-1])
    assert json.loads(last["ENTRYPOINT"]) == ["gpu-bot"]
    assert int(last["USER"]) >= 1000
    environment = dict(pair.split("=", 1) for word, rest in stages[-1] if word == "ENV" for pair in shlex.split(rest))
    assert environment["GPU_BOT_BIND"] == "0.0.0.0"


def test_the_image_is_built_from_code_and_knowledge_without_torch(stages: list[list[tuple[str, str]]]) -> None:
    """What is copied in exists, is let through by .dockerignore, and includes all three folders."""
    copied = [
        source.rstrip("/")
        for stage in stages
        for word, rest in stage
        if word == "COPY" and "--from" not in rest
        for source in shlex.split(rest)[:-1]
    ]
    assert {"bot", "rules", "knowledge"} <= set(copied)
    let_in = [line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")]
    for source in copied:
        assert (ROOT / source).exists(), source
        assert any(fnmatch(source, pattern) for pattern in let_in), f".dockerignore keeps {source} out"
    assert not any("torch" in rest for stage in stages for _, rest in stage)


def test_what_answers_a_question_does_not_need_torch() -> None:
    """torch is an extra: no base dependency brings it."""
    base = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    assert not [one for one in base if re.match(r"(torch|numpy)\b", one)]


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/*.md", "knowledge/README.md"])
def test_every_file_that_a_page_points_to_exists(page: str) -> None:
    """A link or picture inside the repository leads somewhere."""
    pages = sorted(ROOT.glob(page))
    assert pages
    for path in pages:
        for target in re.findall(r"\]\(([^)#\s]+)", path.read_text(encoding="utf-8")):
            assert "://" in target or (path.parent / target).exists(), f"{path.name} points to {target}"
