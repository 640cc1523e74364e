"""Ask the questions of README.md again, and put today's answers into it and into ask.svg: make docs (Linux, macOS)."""

from __future__ import annotations

import os
import pty
import re
import shlex
import subprocess
import sys
from collections.abc import Sequence
from io import StringIO
from pathlib import Path

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.text import Text

WIDTH = 140  # columns of the picture
HERE = Path(__file__).parent
README = HERE.parent / "README.md"
BLOCK = re.compile(
    r"```console\n\$ (?P<typed>(?P<program>make ask Q=|\.venv/bin/gpu-bot )(?P<rest>[^\n]+))\n.*?```", re.DOTALL
)


COMMAND = [sys.executable, "-m", "bot"]


def ask(arguments: Sequence[str]) -> str:
    """What the bot writes."""
    run = subprocess.run([*COMMAND, *arguments], cwd=README.parent, capture_output=True, encoding="utf-8", check=True)
    return run.stdout


def screen(arguments: Sequence[str]) -> str:
    """What the bot writes to a terminal of WIDTH columns."""
    master, slave = pty.openpty()
    environment = {**os.environ, "COLUMNS": str(WIDTH), "TERM": "xterm-256color"}
    with subprocess.Popen([*COMMAND, *arguments], cwd=README.parent, stdout=slave, env=environment):
        os.close(slave)
        pieces = []
        try:
            while piece := os.read(master, 65536):
                pieces.append(piece)
        except OSError:  # Linux says so at the end of a terminal
            pass
    return b"".join(pieces).decode().replace("\r\n", "\n")


def first_quote(answer: str) -> str:
    """The headline and how the first total came about; … stands for the rest."""
    lines = answer.splitlines()
    start = lines.index("How it was computed")
    end = next((n for n in range(start + 2, len(lines)) if not lines[n] or lines[n].startswith("  2.")), len(lines))
    return "\n".join([lines[0], "…", *lines[start:end], "…"])


def answered(block: re.Match[str]) -> str:
    words = shlex.split(block["rest"])
    answer = ask(["ask", *words] if block["program"].startswith("make") else words).rstrip()
    return f"```console\n$ {block['typed']}\n{first_quote(answer) if '--explain' in words else answer}\n```"


def draw(typed: str, question: str) -> str:
    console = Console(record=True, width=WIDTH, file=StringIO())
    console.print(Text.assemble(("$ ", "dim"), typed))
    console.print(Text.from_ansi(screen(["ask", question])))
    frame = re.sub(r"@font-face \{\{.*?\}\}", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)  # the picture loads nothing
    frame = frame.replace("<svg ", '<svg xml:space="preserve" ', 1)  # some viewers drop the blanks that begin a line
    return re.sub(r"\n\s*\n+", "\n", console.export_svg(title="gpu-bot", code_format=frame, unique_id="ask"))


if __name__ == "__main__":
    text, changed = BLOCK.subn(answered, README.read_text(encoding="utf-8"))
    first = next(BLOCK.finditer(text))
    README.write_text(text, encoding="utf-8")
    (HERE / "ask.svg").write_text(draw(first["typed"], shlex.split(first["rest"])[0]), encoding="utf-8")
    print(f"{changed} answers of README.md and ask.svg are as of today")
