"""Draw docs/ask.svg from a real run in a terminal: .venv/bin/python docs/picture.py (Linux or macOS)."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from io import StringIO
from pathlib import Path

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.text import Text

QUESTION = "cheapest for 72h on 4×A100"
WIDTH = 140  # columns
HERE = Path(__file__).parent


def screen(command: list[str]) -> str:
    """What the command writes to a terminal of WIDTH columns."""
    master, slave = pty.openpty()
    colours = {"COLUMNS": str(WIDTH), "TERM": "xterm-256color"}
    with subprocess.Popen(command, cwd=HERE.parent, stdout=slave, env={**os.environ, **colours}) as run:
        os.close(slave)
        pieces = []
        try:
            while piece := os.read(master, 65536):
                pieces.append(piece)
        except OSError:  # Linux says so at the end of a terminal
            pass
    if run.returncode:
        sys.exit(f"the command failed with status {run.returncode}")
    return b"".join(pieces).decode().replace("\r\n", "\n")


console = Console(record=True, width=WIDTH, file=StringIO())
console.print(Text.assemble(("$ ", "dim"), f'make ask Q="{QUESTION}"'))
console.print(Text.from_ansi(screen([sys.executable, "-m", "bot", "ask", QUESTION])))
frame = re.sub(r"@font-face \{\{.*?\}\}", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)  # the picture loads nothing
frame = frame.replace("<svg ", '<svg xml:space="preserve" ', 1)  # some viewers drop the blanks at the start of a line
drawn = console.export_svg(title="gpu-bot", code_format=frame, unique_id="ask")
(HERE / "ask.svg").write_text(re.sub(r"\n\s*\n+", "\n", drawn), encoding="utf-8")
